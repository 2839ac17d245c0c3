/*
 * Stages that wait for packets of two ports: what is kept has a bound, is the same as what came, is in flight in the account, and is
 * unknown where its process dies; what finds no other is counted as such.
 */
#include "common.h"

enum { SENT = 20, ROOM = 4 };

struct job {
    const struct whittle_flow_edge *edges;      /* two */
    size_t which;
    bool apart;         /* the second sends when the first has, and all of that has been taken */
    bool dies;
};

static uint64_t kept(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_KEPT);
}

static int send_all(const void *argument)
{
    const struct job *const job = argument;
    const struct whittle_flow_edge *const edge = &job->edges[job->which];
    struct end end;
    begin_sender(&end, edge);
    if (job->which == 1 && job->apart)
        await_counter(job->edges[0].number, "receiver", whittle_flow_ledger_taken, SENT);
    for (uint32_t n = 0; n < SENT; n++) {
        write_packet(edge->type, whittle_flow_room(&end.sender), n);
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static bool same_number(const void *one, const void *other)
{
    return read_packet(&list_type, one) == read_packet(&number_type, other);
}

/* Two receivers, the ports, and what waits. */
struct stage {
    struct whittle_flow_receiver both[2], *receivers[2], *lacking[2];
    struct whittle_flow_process process;
    struct whittle_flow_port ports[2];
    struct whittle_flow_kept kept[2][ROOM];
    struct list lists[ROOM];
    struct number numbers[ROOM];
    struct whittle_flow_wait wait;
};

static void begin_stage(struct stage *stage, const struct job *job, size_t most)
{
    static char program[] = "test";
    char *arguments[] = {program, NULL};
    memset(stage, 0, sizeof *stage);
    for (size_t n = 0; n < 2; n++) {
        stage->both[n].edge = &job->edges[n];
        stage->receivers[n] = &stage->both[n];
        stage->ports[n] = (struct whittle_flow_port){.receivers = &stage->receivers[n], .count = 1, .kept = stage->kept[n], .most = most};
    }
    stage->ports[0].room = stage->lists;
    stage->ports[0].size = sizeof *stage->lists;
    stage->ports[1].room = stage->numbers;
    stage->ports[1].size = sizeof *stage->numbers;
    stage->wait = (struct whittle_flow_wait){.ports = stage->ports, .count = 2, .receivers = stage->receivers, .lacking = stage->lacking,
        .receiver_count = 2, .within = UINT64_C(600000000000), .match = same_number};
    stage->process = (struct whittle_flow_process){.flow = "test", .name = "stage", .receivers = stage->receivers, .receiver_count = 2,
        .security = &whittle_flow_keyed};
    CHECK(whittle_flow_begin(&stage->process, 1, arguments), "stage");
}

static int end_stage(struct stage *stage)
{
    whittle_flow_wait_end(&stage->wait);
    for (size_t n = 0; n < 2; n++)
        whittle_flow_refuse(&stage->both[n]);
    return whittle_flow_end(&stage->process);
}

/* Of the first port the newest that there is room for are left when the second comes: those are pairs. */
static int pair_stage(const void *argument)
{
    const struct job *const job = argument;
    struct stage stage;
    uint32_t next = SENT - ROOM;
    begin_stage(&stage, job, ROOM);
    while (whittle_flow_wait_pair(&stage.wait, UINT64_MAX)) {
        if (job->dies)
            raise(SIGKILL);
        EQUAL(read_packet(&list_type, stage.ports[0].packet), next);
        EQUAL(read_packet(&number_type, stage.ports[1].packet), next);
        CHECK(kept(page_of(3, "receiver")) <= ROOM && kept(page_of(4, "receiver")) <= ROOM, "more than there is room for");
        next++;
    }
    EQUAL(next, SENT);
    CHECK(stage.wait.over, "over");
    return end_stage(&stage);
}

static int latest_stage(const void *argument)
{
    struct stage stage;
    uint32_t calls = 0;
    begin_stage(&stage, argument, 1);
    while (whittle_flow_wait_latest(&stage.wait, UINT64_MAX)) {
        EQUAL(read_packet(&list_type, stage.ports[0].packet), SENT - 1);
        EQUAL(read_packet(&number_type, stage.ports[1].packet), calls++);
    }
    EQUAL(calls, SENT);
    return end_stage(&stage);
}

/* Never waits: looks again and again. */
static int all_stage(const void *argument)
{
    struct stage stage;
    uint32_t calls = 0;
    begin_stage(&stage, argument, 1);
    while (!stage.wait.over) {
        if (!whittle_flow_wait_all(&stage.wait, whittle_flow_after(1000000)))
            continue;
        EQUAL(read_packet(&list_type, stage.ports[0].packet), calls);
        EQUAL(read_packet(&number_type, stage.ports[1].packet), calls++);
        if (calls == SENT / 2)
            break;
    }
    EQUAL(calls, SENT / 2);
    return end_stage(&stage);
}

static void run_stage(const struct whittle_flow_edge *edges, int (*stage)(const void *), bool dies)
{
    const struct job first = {edges, 0, stage != all_stage, dies}, second = {edges, 1, first.apart, dies};
    const pid_t to = spawn(stage, &first), one = spawn(send_all, &first), other = spawn(send_all, &second);
    if (dies) {
        EQUAL(reap(to), 128 + SIGKILL);
        struct stage again;
        begin_stage(&again, &first, ROOM);
        EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_UNKNOWN), ROOM);
        EQUAL(kept(page_of(3, "receiver")), 0);
        check_identity(3);
        check_identity(4);
        /* The first may have heard that all of its packets came. */
        kill(one, SIGKILL);
        reap(one);
        kill_hard(other);
        return;
    }
    EQUAL(reap(one), 0);
    EQUAL(reap(other), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    check_balance(4, 0);
}

/* Either counter, of both ports. */
static void check_counts(enum whittle_flow_counter reason, uint64_t first, uint64_t second, uint64_t delivered)
{
    EQUAL(counter_of(3, "receiver", reason), first);
    EQUAL(counter_of(4, "receiver", reason), second);
    EQUAL(whittle_flow_ledger_delivered(page_of(4, "receiver")), delivered);
}

int main(void)
{
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        struct whittle_flow_edge edges[2] = {an_edge(&list_type, ways[way].transport), an_edge(&number_type, ways[way].transport)};
        edges[1].number = 4;
        new_place("pairs: no more wait than there is room for");
        run_stage(edges, pair_stage, false);
        check_counts(WHITTLE_FLOW_UNMATCHED, SENT - ROOM, SENT - ROOM, ROOM);
        new_place("latest: what is replaced before it is seen is counted");
        run_stage(edges, latest_stage, false);
        check_counts(WHITTLE_FLOW_REPLACED, SENT - 1, 0, SENT);
        new_place("all: what is in hand when the stage ends is done");
        run_stage(edges, all_stage, false);
        check_counts(WHITTLE_FLOW_UNMATCHED, 0, 0, SENT / 2);
        new_place("pairs: what a process that died had kept is unknown");
        run_stage(edges, pair_stage, true);
    }
    return 0;
}
