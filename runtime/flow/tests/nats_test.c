/*
 * Edges over a NATS server of the test's own: packets of every kind arrive, in order and once, through the deaths of
 * either process and of the server; the ledger's counters add up; contracts that drop do so, counted; what cannot be is
 * said at the beginning.
 */
#include "nats_common.h"
#include <nats/nats.h>

struct job {
    const struct whittle_flow_edge *edge;
    uint32_t count;
    unsigned pause_every;       /* a millisecond of sleep; 0: none */
    bool replay;
    enum whittle_flow_counter dies_at;      /* other than 0: the source dies once it has counted losses there */
};

/* Goes on with the number of packets that were offered before it. */
static int source(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    dies_at = job->dies_at;
    begin_over_nats(&end, job->edge, true, false);
    const struct whittle_flow_ledger *const page = page_of(job->edge->number, "sender");
    for (uint32_t n = (uint32_t)whittle_flow_ledger_offered(page); n < job->count; n++) {
        write_packet(job->edge->type, whittle_flow_room(&end.sender), n);
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
        if (job->pause_every > 0 && n % job->pause_every == 0)
            sleep_ms(1);
    }
    return end_with_library(&end);
}

/* Numbers grow by one from the first; where packets may be dropped, they grow. */
static int sink(const void *argument)
{
    const struct job *const job = argument;
    const bool drops = job->edge->full != WHITTLE_FLOW_BLOCK;
    struct end end;
    const void *packet;
    int64_t before = -1;
    begin_over_nats(&end, job->edge, false, job->replay);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        const int64_t n = read_packet(job->edge->type, packet);
        CHECK(before < 0 || (drops ? n > before : n == before + 1), "%lld after %lld", (long long)n, (long long)before);
        before = n;
        if (job->pause_every > 0 && n % job->pause_every == 0)
            sleep_ms(1);
    }
    EQUAL(before, job->count == 0 ? -1 : (int64_t)job->count - 1);
    return end_with_library(&end);
}

static struct whittle_flow_edge a_nats_edge(const struct whittle_flow_type *type)
{
    struct whittle_flow_edge edge = an_edge(type, WHITTLE_FLOW_NATS);
    edge.delivery = WHITTLE_FLOW_DURABLE;
    return edge;
}

static void all_came(const struct job *job)
{
    const unsigned number = job->edge->number;
    check_balance(number, 0);
    check_ages(number, job->count);
    EQUAL(whittle_flow_ledger_offered(page_of(number, "sender")), job->count);
    EQUAL(whittle_flow_ledger_delivered(page_of(number, "receiver")), job->count);
    EQUAL(counter_of(number, "sender", WHITTLE_FLOW_ACKNOWLEDGED), job->count);
    EQUAL(counter_of(number, "sender", WHITTLE_FLOW_UNKNOWN) + counter_of(number, "receiver", WHITTLE_FLOW_UNKNOWN), 0);
}

static void carries(const char *name, const struct whittle_flow_edge *edge, uint32_t count)
{
    const struct job job = {.edge = edge, .count = count};
    new_server_place(name);
    start_server(true);
    for (int run = 0; run < 2; run++) {
        const pid_t from = spawn(source, &job), to = spawn(sink, &job);
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        all_came(&job);
    }
    stop_server(SIGTERM);
}

/* The middle has n packets behind it, and one in hand: the sender was let send no more than the queue holds beside those n. */
static int slow_sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const void *packet;
    uint64_t n = 0;
    begin_over_nats(&end, job->edge, false, false);
    for (; (packet = whittle_flow_receive(&end.receiver)) != NULL; n++) {
        EQUAL(read_packet(job->edge->type, packet), n);
        if (n % 16 == 0)
            sleep_ms(30);
        const uint64_t offered = whittle_flow_ledger_offered(page_of(job->edge->number, "sender"));
        CHECK(offered <= n + job->edge->queue_items, "%llu were offered, %llu are done", (unsigned long long)offered, (unsigned long long)n);
    }
    EQUAL(n, job->count);
    return end_with_library(&end);
}

static void bounds_what_lies_between(uint64_t items)
{
    struct whittle_flow_edge edge = a_nats_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 320};
    char name[80];
    edge.queue_items = items;
    snprintf(name, sizeof name, "nats: a queue of %llu holds no more between the two middles", (unsigned long long)items);
    new_server_place(name);
    start_server(true);
    const pid_t to = spawn(slow_sink, &job), from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
    stop_server(SIGTERM);
}

/* The receiver begins when the sender has ended and the server has been stopped and started. */
static void waits_in_the_server(void)
{
    struct whittle_flow_edge edge = a_nats_edge(&text_type);
    edge.queue_items = 2000;
    const struct job job = {.edge = &edge, .count = 1500};
    new_server_place("what is sent waits in the server for its receiver");
    start_server(true);
    EQUAL(reap(spawn(source, &job)), 0);
    stop_server(SIGTERM);
    start_server(true);
    EQUAL(reap(spawn(sink, &job)), 0);
    all_came(&job);
    stop_server(SIGTERM);
}

enum { DEATHS = 4, PACKETS = 20000 };

static void dies(const char *name, const char *who, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .count = PACKETS, .pause_every = 100};
    const bool source_dies = strcmp(who, "sender") == 0;
    new_server_place(name);
    start_server(true);
    pid_t from = spawn(source, &job), to = spawn(sink, &job);
    for (uint64_t death = 1; death <= DEATHS; death++) {
        await_counter(edge->number, "receiver", whittle_flow_ledger_taken, death * PACKETS / (DEATHS + 2));
        if (strcmp(who, "server") == 0) {
            stop_server(SIGKILL);
            sleep_ms(50);
            start_server(true);
            continue;
        }
        kill_hard(source_dies ? from : to);
        if (source_dies)
            from = spawn(source, &job);
        else
            to = spawn(sink, &job);
    }
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
    stop_server(SIGTERM);
}

/* What a sender that died had kept in its memory is lost; the next one dies between two counts of that. */
static void dies_as_it_counts(void)
{
    enum { HAD = 40, ALL = 80 };
    struct whittle_flow_edge edge = a_nats_edge(&number_type);
    edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
    edge.full = WHITTLE_FLOW_DROP_OLDEST;
    edge.queue_items = 101;
    const struct job had = {.edge = &edge, .count = HAD}, all = {.edge = &edge, .count = ALL};
    const struct job dying = {.edge = &edge, .count = ALL, .dies_at = WHITTLE_FLOW_UNKNOWN};
    new_server_place("nats: losses that a sender dies over are counted once");
    const pid_t from = spawn(source, &had);
    await_counter(edge.number, "sender", whittle_flow_ledger_offered, HAD);
    kill_hard(from);
    start_server(true);
    EQUAL(reap(spawn(source, &dying)), 128 + SIGKILL);
    EQUAL(reap(spawn(source, &all)), 0);
    EQUAL(reap(spawn(sink, &all)), 0);
    EQUAL(counter_of(edge.number, "sender", WHITTLE_FLOW_UNKNOWN), HAD);
    check_balance(edge.number, 0);
    stop_server(SIGTERM);
}

static int run_of(int (*body)(const void *), const struct job *job)
{
    return reap(spawn(body, job));
}

static void drops_the_oldest(void)
{
    struct whittle_flow_edge edge = a_nats_edge(&number_type);
    edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
    edge.full = WHITTLE_FLOW_DROP_OLDEST;
    edge.queue_items = 101;     /* the end is one */
    const struct job job = {.edge = &edge, .count = 5000}, again = {.edge = &edge, .count = 5000, .replay = true};
    new_server_place("the server drops the oldest, the receiver counts them; what is kept is replayed");
    start_server(true);
    EQUAL(run_of(source, &job), 0);
    EQUAL(run_of(sink, &job), 0);
    check_balance(edge.number, 0);
    const uint64_t dropped = counter_of(edge.number, "receiver", WHITTLE_FLOW_FULL_OLDEST) + counter_of(edge.number, "sender", WHITTLE_FLOW_FULL_OLDEST)
        + counter_of(edge.number, "sender", WHITTLE_FLOW_FULL_NEWEST) + counter_of(edge.number, "receiver", WHITTLE_FLOW_SKIPPED);
    CHECK(dropped >= 4900, "%llu", (unsigned long long)dropped);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge.number, "receiver")), 100);
    EQUAL(run_of(sink, &again), 0);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge.number, "receiver")), 100);
    stop_server(SIGTERM);
}

static void drops_the_newest(void)
{
    struct whittle_flow_edge edge = a_nats_edge(&number_type);
    edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
    edge.full = WHITTLE_FLOW_DROP_NEWEST;
    edge.queue_items = 100;
    const struct job sent = {.edge = &edge, .count = 1000}, kept = {.edge = &edge, .count = 100};
    new_server_place("a full queue drops the newest");
    start_server(true);
    const pid_t from = spawn(source, &sent);
    await_counter(edge.number, "sender", whittle_flow_ledger_offered, 1000);
    EQUAL(counter_of(edge.number, "sender", WHITTLE_FLOW_FULL_NEWEST), 900);
    const pid_t to = spawn(sink, &kept);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge.number, 0);
    stop_server(SIGTERM);
}

static const struct whittle_flow_type huge_type = {
    .name = "huge", .fingerprint = 9, .size = 4000000, .alignment = 4, .fixed = 4000000};

static FILE *messages;

static int sink_that_says(const void *job)
{
    dup2(fileno(messages), STDERR_FILENO);
    return sink(job);
}

/* The server keeps no fields: the two types are named, and that the field is not known. */
static void says_what_is_unknown(const struct job *stranger)
{
    char text[4096] = "";
    messages = tmpfile();
    EQUAL(run_of(sink_that_says, stranger), 77);
    rewind(messages);
    text[fread(text, 1, sizeof text - 1, messages)] = '\0';
    fclose(messages);
    CHECK(strstr(text, "The server keeps no fields: which one differs between `number` there and `text` here is not known. Build both ends") != NULL, "%s",
        text);
}

/* What cannot be is said at the beginning, and nothing begins; a server that is not there is waited for. */
static void refusals(void)
{
    struct whittle_flow_edge edge = a_nats_edge(&number_type), huge = a_nats_edge(&huge_type), longer = edge, other = a_nats_edge(&text_type);
    const struct job job = {.edge = &edge, .count = 1000}, big = {.edge = &huge, .count = 1}, other_queue = {.edge = &longer, .count = 1}, stranger = {.edge = &other, .count = 1};
    longer.queue_items = 65;
    new_server_place("no JetStream, too large packets, another stream: said at the beginning");
    start_server(false);
    EQUAL(run_of(source, &job), 77);
    EQUAL(run_of(sink, &job), 77);
    stop_server(SIGTERM);
    start_server(true);
    EQUAL(run_of(source, &big), 77);
    pid_t from = spawn(source, &job), to = spawn(sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(run_of(source, &other_queue), 77);
    says_what_is_unknown(&stranger);
    stop_server(SIGTERM);
    new_server_place("a server that comes late is waited for");
    from = spawn(source, &job);
    to = spawn(sink, &job);
    sleep_ms(500);
    start_server(true);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
    stop_server(SIGTERM);
}

/* Who may use the server, and has not the flow's key: publishes what it likes, and what others published, again. */
static int foreigner(const void *argument)
{
    natsConnection *connection = NULL;
    natsSubscription *all = NULL;
    natsOptions *options = NULL;
    CHECK(natsOptions_Create(&options) == NATS_OK && natsOptions_SetURL(options, getenv("NATS_URL")) == NATS_OK, "options");
    CHECK(natsConnection_Connect(&connection, options) == NATS_OK && natsConnection_SubscribeSync(&all, connection, "whittle.>") == NATS_OK, "server");
    (void)argument;
    for (int turn = 0; turn < 1000000; turn++) {
        natsMsg *seen = NULL, *again = NULL;
        char done[256];
        if (natsSubscription_NextMsg(&seen, all, 50) != NATS_OK)
            continue;
        const char *const subject = natsMsg_GetSubject(seen);
        const size_t length = strlen(subject);
        if ((length < 5 || strcmp(subject + length - 5, ".done") != 0) && natsMsg_GetDataLength(seen) > 3 && turn % 7 == 0) {
            const char *id = NULL, *began = NULL;
            snprintf(done, sizeof done, "%s.done", subject);
            natsConnection_Publish(connection, subject, "foreign", 7);
            natsConnection_PublishString(connection, done, "0 0 refuses");
            natsConnection_PublishString(connection, done, "0000000000000000 0 99999999999999999999 refuses 00112233445566778899aabbccddeeff");
            /* With the headers of a message that has come, and a body of its own; the id is new, or the server would drop it. */
            natsMsgHeader_Get(seen, "Nats-Msg-Id", &id);
            natsMsgHeader_Get(seen, "Whittle-Began", &began);
            if (id != NULL && began != NULL && natsMsg_Create(&again, subject, NULL, "abcd", 4) == NATS_OK) {
                char other[128];
                snprintf(other, sizeof other, "%.16s-%d%s", id, 1000000 + turn, strrchr(id, '-'));
                natsMsgHeader_Set(again, "Nats-Msg-Id", other);
                natsMsgHeader_Set(again, "Whittle-Began", began);
                natsConnection_PublishMsg(connection, again);
            }
            natsMsg_Destroy(again);
        }
        natsMsg_Destroy(seen);
    }
    return 0;
}

static void foreign_messages(bool sender_dies)
{
    const struct whittle_flow_edge edge = a_nats_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 5000, .pause_every = 50};
    new_server_place(sender_dies ? "messages of others cost nothing, though the sender dies beside" : "messages of others are counted, and never taken");
    start_server(true);
    const pid_t other = spawn(foreigner, NULL);
    sleep_ms(300);
    const pid_t to = spawn(sink, &job);
    pid_t from = spawn(source, &job);
    for (int death = 1; sender_dies && death <= 3; death++) {
        await_counter(edge.number, "receiver", whittle_flow_ledger_taken, (uint64_t)death * 1000);
        kill_hard(from);
        from = spawn(source, &job);
    }
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    kill_hard(other);
    all_came(&job);
    CHECK(counter_of(edge.number, "receiver", WHITTLE_FLOW_ALTERED) > 0, "nothing foreign came");
    CHECK(counter_of(edge.number, "sender", WHITTLE_FLOW_ALTERED) > 0, "no foreign word came");
    stop_server(SIGTERM);
}

/* Who may use the server pulls from the receiver's consumer: the server gives it what the receiver is waiting for. */
static int thief(const void *argument)
{
    (void)argument;
    natsConnection *connection = NULL;
    natsSubscription *loot = NULL;
    natsOptions *options = NULL;
    natsMsg *message = NULL;
    char *list = NULL, subject[200];
    CHECK(natsOptions_Create(&options) == NATS_OK && natsOptions_SetURL(options, getenv("NATS_URL")) == NATS_OK, "options");
    CHECK(natsConnection_Connect(&connection, options) == NATS_OK && natsConnection_SubscribeSync(&loot, connection, "loot") == NATS_OK, "server");
    /* The stream's name is for everybody to ask. */
    while (list == NULL) {
        natsConnection_RequestString(&message, connection, "$JS.API.STREAM.NAMES", "", 1000);
        list = message != NULL ? strstr(natsMsg_GetData(message), "whittle_test") : NULL;
    }
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.MSG.NEXT.%.*s.whittle", (int)strcspn(list, "\""), list);
    for (int n = 0; n < 100; n++)
        natsConnection_PublishRequestString(connection, subject, "loot", "{\"batch\":1,\"expires\":20000000000}");
    for (bool has = false; !has; natsMsg_Destroy(message)) {
        CHECK(natsSubscription_NextMsg(&message, loot, 20000) == NATS_OK, "nothing was taken");
        has = strncmp(natsMsg_GetSubject(message), "whittle.", 8) == 0;
    }
    _exit(0);   /* what libnats keeps is nobody's matter here */
}

/* Nothing comes behind it that would show the receiver a gap. */
static void taken_away(void)
{
    const struct whittle_flow_edge edge = a_nats_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 1};
    new_server_place("what another has pulled comes again");
    start_server(true);
    const pid_t to = spawn(sink, &job);
    sleep_ms(500);
    const pid_t other = spawn(thief, NULL);
    sleep_ms(500);
    const pid_t from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(other), 0);
    EQUAL(reap(to), 0);
    all_came(&job);
    stop_server(SIGTERM);
}

/* A source in a directory of its own, with the flow's key: as on another machine. */
static int other_source(const void *argument)
{
    char name[200];
    snprintf(name, sizeof name, "%s/key", place_name());
    setenv("WHITTLE_KEY", name, 1);
    snprintf(name, sizeof name, "%s/other", place_name());
    mkdir(name, 0700);
    setenv("WHITTLE_DIR", name, 1);
    snprintf(name, sizeof name, "%s/said", place_name());
    const int said = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    CHECK(said >= 0 && dup2(said, STDERR_FILENO) >= 0, "%s", strerror(errno));
    const struct job *const job = argument;
    struct end end;
    begin_over_nats(&end, job->edge, true, false);
    for (uint32_t n = 0; n < job->count && whittle_flow_goes_on(); n++) {
        write_packet(job->edge->type, whittle_flow_room(&end.sender), n);
        whittle_flow_send(&end.sender, 0);
    }
    return end_with_library(&end);
}

/* What the other source has said, as often as it was said. */
static unsigned said_held(pid_t holder)
{
    char name[200], text[4096] = "", wanted[64];
    unsigned times = 0;
    snprintf(name, sizeof name, "%s/said", place_name());
    snprintf(wanted, sizeof wanted, "another sender has this edge: process %d", (int)holder);
    const int file = open(name, O_RDONLY);
    if (file >= 0 && read(file, text, sizeof text - 1) < 0)
        text[0] = '\0';
    close(file);
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at++)
        times++;
    return times;
}

/* The second sender gets one message that names the edge's sender, and waits; the account of the first is as if nobody had come. */
static void two_senders(void)
{
    const struct whittle_flow_edge edge = a_nats_edge(&number_type);
    const struct job job = {.edge = &edge, .count = 6000, .pause_every = 2}, second = {.edge = &edge, .count = 10};
    new_server_place("nats: a second sender of an edge waits until the first has ended");
    start_server(true);
    const pid_t to = spawn(sink, &job), from = spawn(source, &job);
    await_counter(edge.number, "receiver", whittle_flow_ledger_delivered, 10);
    const pid_t other = spawn(other_source, &second);
    while (said_held(from) == 0)
        sleep_ms(10);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(said_held(from), 1);
    all_came(&job);
    EQUAL(reap(other), 0);
    stop_server(SIGTERM);
}

enum { EDGES = 12, EACH = 40 };

/* A process with an end of each edge. */
struct many {
    struct whittle_flow_edge edge[EDGES];
    struct whittle_flow_sender sender[EDGES], *senders[EDGES];
    struct whittle_flow_receiver receiver[EDGES], *receivers[EDGES];
    struct whittle_flow_process process;
};

static void begin_many(struct many *many, bool sends)
{
    char *arguments[] = {"test", NULL};
    memset(many, 0, sizeof *many);
    for (int n = 0; n < EDGES; n++) {
        many->edge[n] = a_nats_edge(&number_type);
        many->edge[n].number = (uint16_t)(3 + n);
        many->sender[n].edge = many->receiver[n].edge = &many->edge[n];
        many->senders[n] = &many->sender[n];
        many->receivers[n] = &many->receiver[n];
    }
    many->process = (struct whittle_flow_process){.flow = "test", .name = sends ? "source" : "sink", .senders = many->senders,
        .receivers = many->receivers, .sender_count = sends ? EDGES : 0, .receiver_count = sends ? 0 : EDGES,
        .nats = &whittle_flow_nats, .security = &whittle_flow_keyed};
    CHECK(whittle_flow_begin(&many->process, 1, arguments), "cannot begin");
}

static int end_many(struct many *many)
{
    const int status = whittle_flow_end(&many->process);
    nats_CloseAndWait(5000);
    return status;
}

/* This process's sockets. */
static unsigned sockets(void)
{
    unsigned found = 0;
    for (int fd = 3; fd < 1024; fd++) {
        char name[40], what[80] = "";
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        found += readlink(name, what, sizeof what - 1) > 0 && strncmp(what, "socket:", 7) == 0;
    }
    return found;
}

static int many_sources(const void *argument)
{
    static struct many many;
    begin_many(&many, true);
    for (uint32_t n = 0; n < EACH; n++)
        for (int edge = 0; edge < EDGES; edge++) {
            write_packet(&number_type, whittle_flow_room(&many.sender[edge]), n);
            EQUAL(whittle_flow_send(&many.sender[edge], 0), WHITTLE_FLOW_IS_SENT);
        }
    CHECK(sockets() <= 1 + *(const unsigned *)argument, "%u sockets", sockets());
    return end_many(&many);
}

static int many_sinks(const void *argument)
{
    static struct many many;
    uint32_t next[EDGES] = {0};
    size_t which;
    const void *packet;
    begin_many(&many, false);
    while ((packet = whittle_flow_receive_any(many.receivers, EDGES, &which)) != NULL)
        EQUAL(read_packet(&number_type, packet), next[which]++);
    for (int edge = 0; edge < EDGES; edge++)
        EQUAL(next[edge], EACH);
    CHECK(sockets() <= 1 + *(const unsigned *)argument, "%u sockets", sockets());
    return end_many(&many);
}

/* One connection to the server, however many edges a process has; it is lost and had again for all of them. */
static void one_connection(void)
{
    new_server_place("nats: the edges of a process share a connection");
    start_server(true);
    const unsigned before = sockets();
    const pid_t to = spawn(many_sinks, &before), from = spawn(many_sources, &before);
    await_counter(3 + EDGES - 1, "receiver", whittle_flow_ledger_taken, EACH / 4);
    stop_server(SIGKILL);
    sleep_ms(50);
    start_server(true);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    for (unsigned edge = 3; edge < 3 + EDGES; edge++) {
        check_balance(edge, 0);
        EQUAL(whittle_flow_ledger_delivered(page_of(edge, "receiver")), EACH);
    }
    stop_server(SIGTERM);
}

int main(void)
{
    if (!has_server())
        return 0;
    static const struct { const struct whittle_flow_type *type; uint32_t count; } kinds[] = {
        {&number_type, 20000}, {&list_type, 5000}, {&text_type, 10000}};
    setenv("WHITTLE_WAIT", "30", 1);
    one_connection();
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        char name[100];
        struct whittle_flow_edge edge = a_nats_edge(kinds[kind].type);
        snprintf(name, sizeof name, "nats carries %s", edge.type->name);
        carries(name, &edge, kinds[kind].count);
        snprintf(name, sizeof name, "nats carries %s with stamps and a queue of bytes", edge.type->name);
        edge.stamped = true;
        edge.queue_items = 0;
        edge.queue_bytes = 40000;
        carries(name, &edge, kinds[kind].count / 10);
        snprintf(name, sizeof name, "nats carries %s with one place in the queue", edge.type->name);
        edge = a_nats_edge(kinds[kind].type);
        edge.queue_items = 1;
        carries(name, &edge, kinds[kind].count / 20);
        snprintf(name, sizeof name, "nats carries no %s at all", edge.type->name);
        carries(name, &edge, 0);
    }
    dies_as_it_counts();
    bounds_what_lies_between(2);
    bounds_what_lies_between(16);
    two_senders();
    foreign_messages(false);
    foreign_messages(true);
    taken_away();
    waits_in_the_server();
    struct whittle_flow_edge edge = a_nats_edge(&list_type);
    dies("the receiver dies", "receiver", &edge);
    dies("the sender dies", "sender", &edge);
    dies("the server dies", "server", &edge);
    drops_the_oldest();
    drops_the_newest();
    refusals();
    return 0;
}
