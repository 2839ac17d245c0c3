/*
 * Edges over DDS, in a domain of the test's own that does not leave this machine: packets of every kind arrive, in order and once, through
 * the death of either process; the ledger's counters add up; contracts that drop do so, counted; a second sender waits.
 */
#include "dds_common.h"

struct job {
    const struct whittle_flow_edge *edge;
    uint32_t count;
    unsigned pause_every;       /* a millisecond of sleep; 0: none */
    uint32_t most;              /* the receiver wants no more; 0: it takes all */
    const char *heard;          /* the sender goes on with its second half when somebody has said so; NULL: at once */
};

static unsigned said(const char *what)
{
    char name[200], text[4096] = "";
    unsigned times = 0;
    snprintf(name, sizeof name, "%s/said", place_name());
    const int file = open(name, O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(file);
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        times++;
    return times;
}

/* Goes on with the number of packets that were offered before it. */
static int source(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    begin_over_dds(&end, job->edge, true);
    const struct whittle_flow_ledger *const page = page_of(job->edge->number, "sender");
    for (uint32_t n = (uint32_t)whittle_flow_ledger_offered(page); n < job->count && whittle_flow_goes_on(); n++) {
        write_packet(job->edge->type, whittle_flow_room(&end.sender), n);
        if (whittle_flow_send(&end.sender, 0) == WHITTLE_FLOW_IS_CLOSED)
            break;
        if (job->pause_every > 0 && n % job->pause_every == 0)
            sleep_ms(1);
        while (n == job->count / 2 && job->heard != NULL && said(job->heard) == 0)
            sleep_ms(10);
    }
    return whittle_flow_end(&end.process);
}

/* Numbers grow by one from the first; where packets may be dropped, they grow. */
static int sink(const void *argument)
{
    const struct job *const job = argument;
    const bool drops = job->edge->full != WHITTLE_FLOW_BLOCK || job->edge->delivery == WHITTLE_FLOW_BEST_EFFORT;
    struct end end;
    const void *packet;
    int64_t before = -1;
    uint32_t taken = 0;
    begin_over_dds(&end, job->edge, false);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        const int64_t n = read_packet(job->edge->type, packet);
        CHECK(before < 0 || (drops ? n > before : n == before + 1), "%lld after %lld", (long long)n, (long long)before);
        before = n;
        if (job->pause_every > 0 && n % job->pause_every == 0)
            sleep_ms(1);
        if (job->most > 0 && ++taken == job->most)
            return whittle_flow_end(&end.process);
    }
    if (!drops)
        EQUAL(before, job->count == 0 ? -1 : (int64_t)job->count - 1);
    return whittle_flow_end(&end.process);
}

static struct whittle_flow_edge a_dds_edge(const struct whittle_flow_type *type)
{
    return an_edge(type, WHITTLE_FLOW_DDS);
}

static void none_is_lost(const struct job *job)
{
    const unsigned number = job->edge->number;
    check_balance(number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(number, "sender")), job->count);
    EQUAL(whittle_flow_ledger_delivered(page_of(number, "receiver")), job->count);
    EQUAL(counter_of(number, "sender", WHITTLE_FLOW_UNKNOWN) + counter_of(number, "receiver", WHITTLE_FLOW_UNKNOWN), 0);
}

static void all_came(const struct job *job)
{
    none_is_lost(job);
    check_ages(job->edge->number, job->count);
}

static void both_end(const struct job *job)
{
    const pid_t from = spawn(source, job), to = spawn(sink, job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
}

static void carries(const char *name, const struct whittle_flow_edge *edge, uint32_t count)
{
    const struct job job = {.edge = edge, .count = count};
    new_domain(name);
    for (int run = 0; run < 2; run++) {
        both_end(&job);
        all_came(&job);
    }
}

/* The middle has n packets behind it, and one in hand: the sender was let send no more than the queue holds beside those n. */
static int slow_sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const void *packet;
    uint64_t n = 0;
    begin_over_dds(&end, job->edge, false);
    for (; (packet = whittle_flow_receive(&end.receiver)) != NULL; n++) {
        EQUAL(read_packet(job->edge->type, packet), n);
        if (n % 16 == 0)
            sleep_ms(30);
        const uint64_t offered = whittle_flow_ledger_offered(page_of(job->edge->number, "sender"));
        CHECK(offered <= n + job->edge->queue_items, "%llu were offered, %llu are done", (unsigned long long)offered, (unsigned long long)n);
    }
    EQUAL(n, job->count);
    return whittle_flow_end(&end.process);
}

static void bounds_what_lies_between(uint64_t items)
{
    struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 320};
    char name[80];
    edge.queue_items = items;
    snprintf(name, sizeof name, "dds: a queue of %llu holds no more between the two middles", (unsigned long long)items);
    new_domain(name);
    const pid_t to = spawn(slow_sink, &job), from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
}

static void comes_late(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&text_type);
    const struct job job = {.edge = &edge, .count = 1500};
    new_domain("dds: a receiver that comes late gets all");
    const pid_t from = spawn(source, &job);
    sleep_ms(700);
    const pid_t to = spawn(sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
}

enum { DEATHS = 3, PACKETS = 12000 };

static void dies(bool source_dies)
{
    struct whittle_flow_edge edge = a_dds_edge(&list_type);
    const struct job job = {.edge = &edge, .count = PACKETS, .pause_every = 50};
    new_domain(source_dies ? "dds: the sender dies" : "dds: the receiver dies");
    pid_t from = spawn(source, &job), to = spawn(sink, &job);
    for (uint64_t death = 1; death <= DEATHS; death++) {
        await_counter(edge.number, "receiver", whittle_flow_ledger_taken, death * PACKETS / (DEATHS + 2));
        kill_hard(source_dies ? from : to);
        *(source_dies ? &from : &to) = spawn(source_dies ? source : sink, &job);
    }
    EQUAL(reap(from), 0);
    const int ended = reap(to);
    check_balance(edge.number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(edge.number, "sender")), PACKETS);
    if (source_dies)    /* what it had sent is in its memory: the numbers have gaps */
        CHECK(counter_of(edge.number, "sender", WHITTLE_FLOW_UNKNOWN) <= DEATHS * edge.queue_items, "more than were under way are lost");
    else {
        EQUAL(ended, 0);
        none_is_lost(&job);     /* what was in hand comes again: it has two ages */
    }
}

/* Nobody reads as fast as it is written. */
static void drops(const char *name, enum whittle_flow_full full, bool latest)
{
    struct whittle_flow_edge edge = a_dds_edge(&list_type);
    const struct job job = {.edge = &edge, .count = 4000, .pause_every = 1}, sent = {.edge = &edge, .count = 4000};
    edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
    edge.full = full;
    edge.queue_items = latest ? 4 : 100;
    edge.latest = latest;
    new_domain(name);
    const pid_t to = spawn(sink, &job), from = spawn(source, &sent);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge.number, 0);
    const struct whittle_flow_ledger *const page = page_of(edge.number, "receiver");
    CHECK(whittle_flow_ledger_delivered(page) > 0 && whittle_flow_ledger_delivered(page) < 4000, "%llu", (unsigned long long)whittle_flow_ledger_delivered(page));
}

/* What DDS loses is counted, at one end or the other. */
static void best_effort(void)
{
    struct whittle_flow_edge edge = a_dds_edge(&list_type);
    const struct job job = {.edge = &edge, .count = 5000};
    edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
    new_domain("dds: best effort adds up");
    both_end(&job);
    check_balance(edge.number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(edge.number, "sender")), 5000);
}

static void wants_no_more(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 100000, .most = 700};
    new_domain("dds: a receiver that wants no more ends its sender");
    both_end(&job);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge.number, "receiver")), 700);
    check_balance(edge.number, 0);
}

/* A sender that waits for a receiver ends when it is asked to. */
static void asked_to_end(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 1000};
    new_domain("dds: a sender without a receiver ends when it is asked to");
    const pid_t from = spawn(source, &job);
    sleep_ms(500);
    kill(from, SIGTERM);
    EQUAL(reap(from), 0);
    EQUAL(counter_of(edge.number, "sender", WHITTLE_FLOW_SENT), 0);
}

/* As on another machine: with a directory of its own. */
static void be_elsewhere(void)
{
    char name[200];
    snprintf(name, sizeof name, "%s/other", place_name());
    mkdir(name, 0700);
    setenv("WHITTLE_DIR", name, 1);
}

/* What this process says is looked at. */
static void be_heard(void)
{
    char name[200];
    snprintf(name, sizeof name, "%s/said", place_name());
    const int said = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    CHECK(said >= 0 && dup2(said, STDERR_FILENO) >= 0, "%s", strerror(errno));
}

static int other_source(const void *argument)
{
    be_elsewhere();
    be_heard();
    const struct job *const job = argument;
    struct end end;
    begin_over_dds(&end, job->edge, true);
    for (uint32_t n = 0; n < job->count && whittle_flow_goes_on(); n++) {
        write_packet(job->edge->type, whittle_flow_room(&end.sender), n);
        whittle_flow_send(&end.sender, 0);
    }
    return whittle_flow_end(&end.process);
}

/* The second sender gets one message, and waits; the account of the first is as if nobody had come. */
static void two_senders(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 6000, .pause_every = 2, .heard = "another sender has this edge: "};
    const struct job second = {.edge = &edge, .count = 10};
    new_domain("dds: a second sender of an edge waits while the first lives");
    const pid_t to = spawn(sink, &job), from = spawn(source, &job);
    await_counter(edge.number, "receiver", whittle_flow_ledger_delivered, 10);
    const pid_t other = spawn(other_source, &second);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(said("another sender has this edge: "), 1);
    all_came(&job);
    kill(other, SIGTERM);
    reap(other);
}

static int source_that_is_heard(const void *argument)
{
    be_heard();
    return source(argument);
}

static int other_sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    be_elsewhere();
    begin_over_dds(&end, job->edge, false);
    while (whittle_flow_receive(&end.receiver) != NULL)
        continue;
    return whittle_flow_end(&end.process);
}

/* It sees the samples, as anybody in the domain does, and takes none of them from the first, which is slow. */
static void two_receivers(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 6000, .pause_every = 2, .heard = "a second receiver reports packets"};
    new_domain("dds: a second receiver of an edge is not heard");
    const pid_t to = spawn(sink, &job), from = spawn(source_that_is_heard, &job);
    await_counter(edge.number, "receiver", whittle_flow_ledger_delivered, 10);
    const pid_t other = spawn(other_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(said("a second receiver reports packets"), 1);
    all_came(&job);
    kill(other, SIGTERM);
    reap(other);
}

/* Of a flow of the same name, with another edge of the same number. */
static int other_flow(const void *argument)
{
    be_elsewhere();
    struct job other = *(const struct job *)argument;
    struct whittle_flow_edge edge = *other.edge;
    edge.name = "Other.out -> Sink.in";
    other.edge = &edge;
    struct end end;
    begin_over_dds(&end, other.edge, true);
    for (uint32_t n = 0; n < 10 && whittle_flow_goes_on(); n++) {
        write_packet(edge.type, whittle_flow_room(&end.sender), n);
        whittle_flow_send(&end.sender, 0);
    }
    return whittle_flow_end(&end.process);
}

static void flows_of_one_name(void)
{
    const struct whittle_flow_edge edge = a_dds_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 1000, .pause_every = 2};
    new_domain("dds: flows of one name in one domain do not hear each other");
    const pid_t other = spawn(other_flow, &job);
    sleep_ms(500);
    const pid_t to = spawn(sink, &job);
    sleep_ms(500);
    const pid_t from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
    EQUAL(counter_of(edge.number, "receiver", WHITTLE_FLOW_STRANGERS), 0);
    kill(other, SIGTERM);
    reap(other);
}

static uint64_t strangers(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_STRANGERS);
}

static FILE *messages;

static int takes_other_packets(const void *argument)
{
    struct end end;
    dup2(fileno(messages), STDERR_FILENO);
    begin_over_dds(&end, argument, false);
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "a packet");
    return whittle_flow_end(&end.process);
}

/* Samples carry no fields: which one differs is not known, and that is said. */
static void other_packets(void)
{
    static const struct whittle_flow_type other = {.name = "number", .fingerprint = 5, .size = 4, .alignment = 4, .fixed = 4};
    const struct whittle_flow_edge edge = a_dds_edge(&number_type), here = a_dds_edge(&other);
    const struct job job = {.edge = &edge, .count = 10};
    char text[4096] = "";
    new_domain("dds: who gets samples of another version of its packets says so");
    messages = tmpfile();
    const pid_t to = spawn(takes_other_packets, &here);
    sleep_ms(500);
    const pid_t from = spawn(source, &job);
    await_counter(edge.number, "receiver", strangers, 1);
    kill(from, SIGTERM);
    reap(from);
    kill(to, SIGTERM);
    reap(to);
    rewind(messages);
    text[fread(text, 1, sizeof text - 1, messages)] = '\0';
    fclose(messages);
    CHECK(strstr(text, "a sample is of `number` of fingerprint 0000000000000004, this one takes `number` of 0000000000000005, which field differs is "
        "not known: build both from one flow") != NULL, "%s", text);
}

int main(void)
{
    static const struct { const struct whittle_flow_type *type; uint32_t count; } kinds[] = {
        {&number_type, 20000}, {&list_type, 5000}, {&text_type, 10000}};
    setenv("WHITTLE_WAIT", "30", 1);
    unsetenv("CYCLONEDDS_URI");
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        char name[100];
        struct whittle_flow_edge edge = a_dds_edge(kinds[kind].type);
        snprintf(name, sizeof name, "dds carries %s", edge.type->name);
        carries(name, &edge, kinds[kind].count);
        snprintf(name, sizeof name, "dds carries %s with stamps and a queue of bytes", edge.type->name);
        edge.stamped = true;
        edge.queue_items = 0;
        edge.queue_bytes = 40000;
        carries(name, &edge, kinds[kind].count / 10);
        snprintf(name, sizeof name, "dds carries %s with one place in the queue", edge.type->name);
        edge = a_dds_edge(kinds[kind].type);
        edge.queue_items = 1;
        carries(name, &edge, kinds[kind].count / 20);
        snprintf(name, sizeof name, "dds carries no %s at all", edge.type->name);
        carries(name, &edge, 0);
    }
    bounds_what_lies_between(2);
    bounds_what_lies_between(16);
    comes_late();
    drops("dds: the history drops the oldest, counted", WHITTLE_FLOW_DROP_OLDEST, false);
    drops("dds: the newest packet counts", WHITTLE_FLOW_DROP_OLDEST, true);
    drops("dds: a full queue drops the newest", WHITTLE_FLOW_DROP_NEWEST, false);
    best_effort();
    wants_no_more();
    asked_to_end();
    two_senders();
    two_receivers();
    flows_of_one_name();
    other_packets();
    dies(false);
    dies(true);
    return 0;
}
