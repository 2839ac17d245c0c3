/*
 * Edges that enter one process come to one socket: each goes on where it was after a death, has one sender, and refuses for itself; who
 * names an edge that does not come there is refused. A socket has one process.
 *
 * Usage: socket_test [SEED]. With a seed: deaths alone, at times drawn from it.
 */
#include "hostile_common.h"
#include "storm_common.h"

enum { FIRST = 3, EDGES = 3, PACKETS = 3000, DEATHS = 4, UNKNOWN = 77 };

static struct whittle_flow_edge edges[EDGES];

static void describe(enum whittle_flow_transport transport)
{
    edges_to_one_socket(edges, EDGES, FIRST, transport);
}

static bool begin_sink(struct whittle_flow_process *process, struct whittle_flow_receiver **all)
{
    static struct whittle_flow_receiver ends[EDGES];
    static char name[] = "sink";
    char *arguments[] = {name, NULL};
    /* The socket's own edge is not the first that is opened. */
    for (unsigned n = 0; n < EDGES; n++) {
        ends[n] = (struct whittle_flow_receiver){.edge = &edges[EDGES - 1 - n]};
        all[n] = &ends[n];
    }
    *process = (struct whittle_flow_process){
        .flow = "test", .name = name, .security = &whittle_flow_keyed, .receivers = all, .receiver_count = EDGES};
    return whittle_flow_begin(process, 1, arguments);
}

static int all_sinks(const void *argument)
{
    struct whittle_flow_receiver *all[EDGES];
    struct whittle_flow_process process;
    const struct number *packet;
    uint32_t next[EDGES] = {0};
    size_t which = 0;
    (void)argument;
    CHECK(begin_sink(&process, all), "sink");
    while ((packet = whittle_flow_receive_any(all, EDGES, &which)) != NULL) {
        CHECK(packet->value % EDGES == EDGES - 1 - which && packet->value >= next[which], "packet %u at edge %zu", packet->value, which);
        next[which] = packet->value + 1;
    }
    return whittle_flow_end(&process);
}

/* The packets of an edge are those whose number leaves the edge's, divided by the count of edges. */
static int all_sources(const void *argument)
{
    static struct whittle_flow_sender ends[EDGES], *all[EDGES];
    static char name[] = "source";
    char *arguments[] = {name, NULL};
    struct whittle_flow_process process = {.flow = "test", .name = name, .security = &whittle_flow_keyed, .senders = all, .sender_count = EDGES};
    (void)argument;
    for (unsigned n = 0; n < EDGES; n++) {
        ends[n].edge = &edges[n];
        all[n] = &ends[n];
    }
    CHECK(whittle_flow_begin(&process, 1, arguments), "source");
    for (uint32_t n = 0; n < PACKETS; n++)
        for (uint32_t edge = 0; edge < EDGES; edge++) {
            ((struct number *)whittle_flow_room(&ends[edge]))->value = n * EDGES + edge;
            CHECK(whittle_flow_send(&ends[edge], 0), "packet %u", n);
            if (n % 100 == 0)
                sleep_ms(1);
        }
    return whittle_flow_end(&process);
}

static void lives_through_deaths(void)
{
    new_place("edges of one socket go on after their receiver's death");
    for (unsigned n = 0; n < EDGES; n++)
        keep_trace(&edges[n]);
    const pid_t from = spawn(all_sources, NULL);
    for (unsigned turn = 0; turn < DEATHS; turn++) {
        const pid_t to = spawn(all_sinks, NULL);
        await_counter(FIRST + (unsigned)draw(EDGES), "receiver", whittle_flow_ledger_delivered, 100 + 600 * turn + draw(400));
        kill_hard(to);
    }
    const pid_t last = spawn(all_sinks, NULL);
    EQUAL(reap(from), 0);
    EQUAL(reap(last), 0);
    for (unsigned n = 0; n < EDGES; n++) {
        check_balance(FIRST + n, 0);
        EQUAL(whittle_flow_ledger_offered(page_of(FIRST + n, "sender")), PACKETS);
    }
}

/* Says hello as a sender of the edge, changed; what it is answered. The connection stays. */
static enum whittle_flow_verdict greeted(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge, uint32_t named,
    uint64_t change, struct peer *peer)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    CHECK(prove(holder, edge, peer), "not believed");
    fit_hello(edge, &hello);
    hello.edge = htole32(named);
    hello.fingerprint ^= change;
    SEALED(peer, WHITTLE_FLOW_HELLO, hello);
    put(peer->fd, &hello, sizeof hello);
    EQUAL(recv(peer->fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
    return (enum whittle_flow_verdict)le32toh(answer.verdict);
}

static void leave(struct peer *peer)
{
    shutdown(peer->fd, SHUT_RDWR);
    hang_up(peer);
}

static uint64_t strangers(unsigned n)
{
    return counter_of(FIRST + n, "receiver", WHITTLE_FLOW_STRANGERS);
}

/* What is refused is counted at the edge that it named, or at the socket's own; who has proved nothing changes no count. */
static void refuses_strangers(void)
{
    struct peer one, other, another;
    new_place("a stranger at a socket of several edges");
    const pid_t to = spawn(all_sinks, NULL);
    close(dial(&edges[1]));     /* it has begun, so the key is there */
    struct whittle_flow_event_loop *const holder = key_holder(NULL);
    EQUAL(greeted(holder, &edges[1], UNKNOWN, 0, &one), WHITTLE_FLOW_OTHER_EDGE);
    hang_up(&one);
    EQUAL(greeted(holder, &edges[1], FIRST + 1, 1, &one), WHITTLE_FLOW_OTHER_TYPE);
    hang_up(&one);
    const int noise = dial(&edges[2]);
    put(noise, "GET / HTTP/1.0\r\n\r\n", 18);
    await_close(noise);
    EQUAL(strangers(0), 1);
    EQUAL(strangers(1), 1);
    EQUAL(strangers(2), 0);

    /* One sender for each edge: who has one keeps nobody from another. */
    EQUAL(greeted(holder, &edges[1], FIRST + 1, 0, &one), WHITTLE_FLOW_ACCEPTED);
    EQUAL(greeted(holder, &edges[1], FIRST + 1, 0, &other), WHITTLE_FLOW_HELD);
    EQUAL(greeted(holder, &edges[2], FIRST + 2, 0, &another), WHITTLE_FLOW_ACCEPTED);
    EQUAL(strangers(1), 2);
    EQUAL(strangers(2), 0);
    hang_up(&other);
    leave(&one);
    leave(&another);
    EQUAL(reap(spawn(all_sources, NULL)), 0);
    EQUAL(reap(to), 0);
    for (unsigned n = 0; n < EDGES; n++)
        EQUAL(whittle_flow_ledger_delivered(page_of(FIRST + n, "receiver")), PACKETS);
    key_drop(holder);
}

/* Edges over TCP are authenticated: they are not reached by the socket of the directory, which is not. */
static void keeps_kinds_apart(void)
{
    struct peer peer;
    describe(WHITTLE_FLOW_TCP);
    edges[0].transport = WHITTLE_FLOW_UNIX;
    edges[1].shares = 0;
    edges[2].shares = 1;
    new_place("an edge over tcp is not reached by a local socket");
    const pid_t to = spawn(all_sinks, NULL);
    EQUAL(greeted(NULL, &edges[0], FIRST + 1, 0, &peer), WHITTLE_FLOW_OTHER_EDGE);
    hang_up(&peer);
    EQUAL(strangers(0), 1);
    EQUAL(reap(spawn(all_sources, NULL)), 0);
    EQUAL(reap(to), 0);
}

static int does_not_begin(const void *argument)
{
    struct whittle_flow_receiver *all[EDGES];
    struct whittle_flow_process process;
    (void)argument;
    return begin_sink(&process, all) ? 1 : 0;
}

static void has_one_process(void)
{
    char port[16];
    describe(WHITTLE_FLOW_TCP);
    new_place("a socket has one process, which all edges of it enter");
    edges[0].shares = 1;
    EQUAL(reap(spawn(does_not_begin, NULL)), 0);
    edges[0].shares = 0;
    edges[1].transport = WHITTLE_FLOW_UNIX;
    EQUAL(reap(spawn(does_not_begin, NULL)), 0);
    edges[1].transport = WHITTLE_FLOW_TCP;

    const pid_t to = spawn(all_sinks, NULL);
    close(dial(&edges[0]));
    for (unsigned n = 0; n < EDGES; n++)
        edges[n].number = (uint16_t)(edges[n].number + EDGES);
    snprintf(port, sizeof port, "%u", place_port() - EDGES);
    setenv("WHITTLE_PORT", port, 1);
    EQUAL(reap(spawn(does_not_begin, NULL)), 0);
    kill_hard(to);
}

int main(int argc, char **argv)
{
    static const enum whittle_flow_transport ways[] = {WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM};
    storm_seed(argc, argv);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        describe(ways[way]);
        lives_through_deaths();
        if (argc == 1)
            refuses_strangers();
    }
    if (argc > 1)
        return 0;
    keeps_kinds_apart();
    has_one_process();
    return 0;
}
