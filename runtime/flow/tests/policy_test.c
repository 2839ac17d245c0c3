/*
 * What an edge's contract says happens: queues that drop the newest or the oldest, rates, deadlines; each packet that does
 * not arrive is counted with its reason.
 */
#include "common.h"

static unsigned advised;
static void advice(const struct whittle_flow_moment *moment)
{
    advised++;
    CHECK(moment->type == &number_type && strcmp(moment->flow, "test") == 0, "moment");
}
static whittle_flow_advice *const advices[] = {advice, NULL};

struct job {
    const struct whittle_flow_edge *edge;
    uint32_t count;
    unsigned pause;
    uint64_t born;
};

/* Sends at full speed, whether anybody is there or not. */
static int burst(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    advised = 0;
    begin_sender(&end, job->edge);
    for (uint32_t n = 0; n < job->count; n++) {
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, job->born), "packet %u", n);
    }
    if (job->edge->on_full != NULL)
        CHECK(advised > 0, "no advice on full");
    if (job->edge->on_send != NULL)
        EQUAL(advised, job->count);
    return whittle_flow_end(&end.process);
}

/* Numbers grow, whatever is missing; the last one is `count` - 1 where the oldest are dropped. */
static int slow_sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const struct number *packet;
    int64_t before = -1;
    advised = 0;
    begin_receiver(&end, job->edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        CHECK((int64_t)packet->value > before, "%u after %lld", packet->value, (long long)before);
        if (before < 0 && job->edge->full == WHITTLE_FLOW_DROP_NEWEST)
            EQUAL(packet->value, 0);
        const int64_t last = before;
        before = packet->value;
        if (job->pause > 0 && before / 500 != last / 500)
            sleep_ms(job->pause);
    }
    if (job->edge->full == WHITTLE_FLOW_DROP_OLDEST)
        EQUAL(before, job->count - 1);
    if (job->edge->on_miss != NULL)
        CHECK(advised > 0, "no advice on miss");
    return whittle_flow_end(&end.process);
}

static void drops(const char *way, enum whittle_flow_transport transport, enum whittle_flow_full full)
{
    struct whittle_flow_edge edge = an_edge(&number_type, transport);
    const enum whittle_flow_counter reason = full == WHITTLE_FLOW_DROP_OLDEST ? WHITTLE_FLOW_FULL_OLDEST : WHITTLE_FLOW_FULL_NEWEST;
    char name[100];
    struct job job = {&edge, 1000, 0, 0};
    edge.full = full;
    edge.queue_items = 10;
    edge.on_full = advices;
    snprintf(name, sizeof name, "%s: a queue that drops the %s, and nobody there", way, full == WHITTLE_FLOW_DROP_OLDEST ? "oldest" : "newest");
    new_place(name);
    const pid_t from = spawn(burst, &job);
    await_counter(3, "sender", whittle_flow_ledger_offered, 1000);
    const pid_t to = spawn(slow_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    EQUAL(counter_of(3, "sender", reason), 990);
    EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), 10);
    snprintf(name, sizeof name, "%s: a queue that drops the %s, and a slow receiver", way, full == WHITTLE_FLOW_DROP_OLDEST ? "oldest" : "newest");
    new_place(name);
    job = (struct job){&edge, 300000, 5, 0};
    edge.on_full = NULL;
    const pid_t slow = spawn(slow_sink, &job), fast = spawn(burst, &job);
    EQUAL(reap(fast), 0);
    EQUAL(reap(slow), 0);
    check_balance(3, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(3, "sender")), 300000);
    CHECK(counter_of(3, "sender", reason) > 0, "nothing was dropped");
}

/* The last acknowledgement may be heard by the event loop, or by who waits for the end: either is enough to go on. */
static void short_bursts(void)
{
    new_place("short bursts into queues that drop come to their end");
    for (uint16_t n = 0; n < 200; n++) {
        struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_UNIX);
        const struct job job = {&edge, 3000, 5, 0};
        edge.full = WHITTLE_FLOW_DROP_OLDEST;
        edge.queue_items = 10;
        edge.number = n;
        const pid_t to = spawn(slow_sink, &job), from = spawn(burst, &job);
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        check_balance(n, 0);
    }
}

static void rates(void)
{
    struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_TCP);
    const struct job job = {&edge, 100, 0, 0};
    edge.full = WHITTLE_FLOW_DROP_NEWEST;
    edge.queue_items = 1000;
    edge.rate_units = 1;
    edge.rate_period = 1000000000000u;
    new_place("what goes over a rate is dropped, by a dropping edge");
    pid_t from = spawn(burst, &job), to = spawn(slow_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    EQUAL(counter_of(3, "sender", WHITTLE_FLOW_RATE), 98);
    new_place("what goes over a rate waits, on a blocking edge");
    edge.full = WHITTLE_FLOW_BLOCK;
    edge.rate_units = 0;
    edge.rate_bytes_units = 4000;
    edge.rate_bytes_period = 1000000000u;
    edge.on_send = advices;
    const uint64_t begun = whittle_flow_now(true);
    from = spawn(burst, &job), to = spawn(slow_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), 100);
    CHECK(whittle_flow_now(true) - begun > 90000000u, "400 bytes at 4000 in a second");
}

static void deadlines(void)
{
    struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_UNIX);
    struct job job = {&edge, 100, 0, 1};
    edge.stamped = true;
    edge.deadline = 1000;
    edge.deadline_drops = true;
    edge.on_miss = advices;
    new_place("what is late is dropped, where the edge says so");
    pid_t from = spawn(burst, &job), to = spawn(slow_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_LATE), 100);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_LATENCY_COUNT), 100);
    new_place("what is late is reported, and delivered, where the edge says so");
    edge.deadline_drops = false;
    from = spawn(burst, &job), to = spawn(slow_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_MISSES), 100);
    EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), 100);
}

int main(void)
{
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        drops(ways[way].name, ways[way].transport, WHITTLE_FLOW_DROP_NEWEST);
        drops(ways[way].name, ways[way].transport, WHITTLE_FLOW_DROP_OLDEST);
    }
    short_bursts();
    rates();
    deadlines();
    return 0;
}
