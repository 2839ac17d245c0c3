/*
 * Edges of a pair of processes join one connection: an edge whose packets nobody takes holds up none of the others, a fault of one edge
 * ends that edge's part alone, a frame that cannot be ends the connection and is counted, and after each of these, and after the
 * connection is cut, every packet comes once and in order.
 */
#include "hostile_common.h"
#include <pthread.h>
#include <sys/socket.h>

enum { FIRST = 3, EDGES = 3, PACKETS = 3000, UNKNOWN = 77 };

struct board { uint32_t goes, taken; };
static struct board *board;
static struct whittle_flow_edge edges[EDGES];

static void describe(enum whittle_flow_transport transport)
{
    memset(board, 0, sizeof *board);
    edges_to_one_socket(edges, EDGES, FIRST, transport);
}

/* Connections from process to process. */
static unsigned count_connections(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1024; fd++) {
        struct sockaddr_storage name;
        socklen_t size = sizeof name;
        count += getpeername(fd, (struct sockaddr *)&name, &size) == 0;
    }
    return count;
}

static void await_board(const uint32_t *word, uint32_t least)
{
    while (__atomic_load_n(word, __ATOMIC_SEQ_CST) < least)
        sleep_ms(1);
}

static struct whittle_flow_sender senders[EDGES];

static void *send_all(void *argument)
{
    struct whittle_flow_sender *const sender = argument;
    for (uint32_t n = 0; n < PACKETS; n++) {
        ((struct number *)whittle_flow_room(sender))->value = n;
        CHECK(whittle_flow_send(sender, 0) == WHITTLE_FLOW_IS_SENT, "packet %u", n);
        if (n % 500 == 0)
            sleep_ms(1);
    }
    whittle_flow_close(sender);
    return NULL;
}

/* A thread for each edge: who waits for the receiver of one keeps no other from sending. */
static int source(const void *cuts)
{
    struct whittle_flow_sender *all[EDGES];
    pthread_t threads[EDGES];
    static char name[] = "source";
    char *arguments[] = {name, NULL};
    struct whittle_flow_process process = {.flow = "test", .name = name, .security = &whittle_flow_keyed, .senders = all, .sender_count = EDGES};
    for (unsigned n = 0; n < EDGES; n++) {
        senders[n] = (struct whittle_flow_sender){.edge = &edges[n]};
        all[n] = &senders[n];
    }
    CHECK(whittle_flow_begin(&process, 1, arguments), "source");
    for (unsigned n = 0; n < EDGES; n++)
        CHECK(pthread_create(&threads[n], NULL, send_all, &senders[n]) == 0, "thread");
    for (int n = 0; cuts != NULL && n < 5; n++) {
        await_board(&board->taken, (uint32_t)(n + 1) * PACKETS / 3);
        cut_connections();
    }
    for (unsigned n = 0; n < EDGES; n++)
        pthread_join(threads[n], NULL);
    return whittle_flow_end(&process);
}

/* Takes all of the last edge first, where it is named; then what is left of all. */
static int take_all(const struct whittle_flow_edge *first)
{
    struct whittle_flow_receiver ends[EDGES] = {{0}}, *all[EDGES];
    static char name[] = "sink";
    char *arguments[] = {name, NULL};
    struct whittle_flow_process process = {.flow = "test", .name = name, .security = &whittle_flow_keyed, .receivers = all, .receiver_count = EDGES};
    uint32_t next[EDGES] = {0};
    size_t which = 0;
    const struct number *packet;
    for (unsigned n = 0; n < EDGES; n++) {
        ends[n].edge = &edges[n];
        all[n] = &ends[n];
    }
    CHECK(whittle_flow_begin(&process, 1, arguments), "sink");
    await_board(&board->goes, 1);
    for (; first != NULL && (packet = whittle_flow_receive(&ends[EDGES - 1])) != NULL; next[EDGES - 1]++) {
        EQUAL(packet->value, next[EDGES - 1]);
        EQUAL(count_connections(), 1);
    }
    while ((packet = whittle_flow_receive_any(all, EDGES, &which)) != NULL) {
        EQUAL(packet->value, next[which]);
        next[which]++;
        __atomic_fetch_add(&board->taken, 1, __ATOMIC_SEQ_CST);
    }
    for (unsigned n = 0; n < EDGES; n++)
        EQUAL(next[n], PACKETS);
    return whittle_flow_end(&process);
}

static int sink_of_all(const void *argument)
{
    (void)argument;
    return take_all(NULL);
}

static int sink_of_one_first(const void *argument)
{
    return take_all(argument);
}

static void came_all(void)
{
    for (unsigned n = 0; n < EDGES; n++) {
        check_balance(FIRST + n, 0);
        EQUAL(whittle_flow_ledger_delivered(page_of(FIRST + n, "receiver")), PACKETS);
    }
}

static void nobody_is_held_up(enum whittle_flow_transport transport)
{
    describe(transport);
    board->goes = 1;
    new_place("an edge that nobody takes packets of holds up no other");
    const pid_t to = spawn(sink_of_one_first, &edges[0]), from = spawn(source, NULL);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    came_all();
}

static void goes_on_after_cuts(enum whittle_flow_transport transport)
{
    describe(transport);
    board->goes = 1;
    new_place("all edges of a connection go on after it was cut");
    const pid_t to = spawn(sink_of_all, NULL), from = spawn(source, &edges[0]);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    came_all();
    uint64_t connections = 0;
    for (unsigned n = 0; n < EDGES; n++)
        connections += counter_of(FIRST + n, "sender", WHITTLE_FLOW_CONNECTIONS);
    CHECK(connections > EDGES, "no connection was cut");
}

/* ---- packets of two sizes ---- */
enum { LARGE = 10 * 1024 * 1024, LARGE_ONES = 16, SMALL_MOST = 20000 };
static const struct whittle_flow_type large_type = {.name = "large", .fingerprint = 77, .size = LARGE, .alignment = 4, .fixed = LARGE};

static uint32_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u);
}

/* What the receiver ends with where small packets were about as old as large ones. */
enum { WAITED = 9 };

static void *send_large(void *argument)
{
    struct whittle_flow_sender *const sender = argument;
    for (uint32_t n = 0; n < LARGE_ONES; n++) {
        ((struct number *)whittle_flow_room(sender))->value = microseconds();
        CHECK(whittle_flow_send(sender, 0) == WHITTLE_FLOW_IS_SENT, "packet %u", n);
    }
    __atomic_store_n(&board->taken, 1, __ATOMIC_SEQ_CST);
    whittle_flow_close(sender);
    return NULL;
}

static int source_of_two(const void *argument)
{
    struct whittle_flow_sender *all[2] = {&senders[0], &senders[1]};
    pthread_t thread;
    static char name[] = "source";
    char *arguments[] = {name, NULL};
    struct whittle_flow_process process = {.flow = "test", .name = name, .security = &whittle_flow_keyed, .senders = all, .sender_count = 2};
    (void)argument;
    for (unsigned n = 0; n < 2; n++)
        senders[n] = (struct whittle_flow_sender){.edge = &edges[n]};
    CHECK(whittle_flow_begin(&process, 1, arguments), "source");
    CHECK(pthread_create(&thread, NULL, send_large, &senders[0]) == 0, "thread");
    for (int n = 0; n < SMALL_MOST && __atomic_load_n(&board->taken, __ATOMIC_SEQ_CST) == 0; n++) {
        ((struct number *)whittle_flow_room(&senders[1]))->value = microseconds();
        CHECK(whittle_flow_send(&senders[1], 0) == WHITTLE_FLOW_IS_SENT, "packet %d", n);
        sleep_ms(1);
    }
    pthread_join(thread, NULL);
    return whittle_flow_end(&process);
}

static int compare(const void *one, const void *other)
{
    const uint32_t first = *(const uint32_t *)one, second = *(const uint32_t *)other;
    return first < second ? -1 : first > second;
}

static int sink_of_two(const void *argument)
{
    static uint32_t ages[2][SMALL_MOST];
    struct whittle_flow_receiver ends[2] = {{0}}, *all[2] = {&ends[0], &ends[1]};
    static char name[] = "sink";
    char *arguments[] = {name, NULL};
    struct whittle_flow_process process = {.flow = "test", .name = name, .security = &whittle_flow_keyed, .receivers = all, .receiver_count = 2};
    size_t which = 0, count[2] = {0};
    const struct number *packet;
    (void)argument;
    for (unsigned n = 0; n < 2; n++)
        ends[n].edge = &edges[n];
    CHECK(whittle_flow_begin(&process, 1, arguments), "sink");
    while ((packet = whittle_flow_receive_any(all, 2, &which)) != NULL)
        ages[which][count[which]++] = microseconds() - packet->value;
    EQUAL(count[0], LARGE_ONES);
    for (unsigned n = 0; n < 2; n++)
        qsort(ages[n], count[n], sizeof **ages, compare);
    printf("  median ages: %u us of %zu packets of 10 MB, %u us of %zu packets of 4 bytes\n", ages[0][count[0] / 2], count[0], ages[1][count[1] / 2], count[1]);
    fflush(stdout);
    const bool came_between = count[1] > 0 && ages[1][count[1] / 2] < ages[0][count[0] / 2] / 2;
    EQUAL(whittle_flow_end(&process), 0);
    return came_between ? 0 : WAITED;
}

/*
 * Packets of 10 MB, of which two or three are on their way: what another edge sends comes between their parts. Other programs can hold
 * up either side at any time, so that one of several runs has to show it.
 */
static void small_ones_come_between(enum whittle_flow_transport transport)
{
    enum { RUNS = 8 };
    int came = WAITED;
    for (int run = 0; run < RUNS && came == WAITED; run++) {
        describe(transport);
        edges[0].type = &large_type;
        edges[0].queue_items = 2;
        __atomic_store_n(&board->taken, 0, __ATOMIC_SEQ_CST);
        new_place("small packets come between the parts of large ones");
        const pid_t to = spawn(sink_of_two, NULL), from = spawn(source_of_two, NULL);
        EQUAL(reap(from), 0);
        came = reap(to);
        check_balance(FIRST, 0);
        check_balance(FIRST + 1, 0);
    }
    EQUAL(came, 0);
}

/* ---- by hand ---- */
static void say(struct peer *peer, struct whittle_flow_frame frame, const void *body)
{
    seal(peer, WHITTLE_FLOW_FRAME, &frame, offsetof(struct whittle_flow_frame, tag), body, le32toh(frame.bytes), frame.tag);
    put(peer->fd, &frame, sizeof frame);
    if (le32toh(frame.bytes) > 0)
        put(peer->fd, body, le32toh(frame.bytes));
}

static struct whittle_flow_frame a_frame(enum whittle_flow_frame_kind kind, uint32_t edge, uint32_t turn, uint32_t bytes)
{
    return (struct whittle_flow_frame){.kind = htole32(kind), .edge = htole32(edge), .turn = htole32(turn), .bytes = htole32(bytes)};
}

/* The next frame of an edge's substream; its kind. */
static enum whittle_flow_frame_kind hear(struct peer *peer, uint32_t edge, uint32_t turn, void *body, size_t room)
{
    struct whittle_flow_frame frame;
    EQUAL(recv(peer->fd, &frame, sizeof frame, MSG_WAITALL), sizeof frame);
    EQUAL(le32toh(frame.edge), edge);
    EQUAL(le32toh(frame.turn), turn);
    const size_t bytes = le32toh(frame.bytes);
    CHECK(bytes <= room, "%zu bytes", bytes);
    EQUAL(bytes > 0 ? recv(peer->fd, body, bytes, MSG_WAITALL) : 0, bytes);
    CHECK(peer->session == NULL || whittle_flow_keyed.verify(peer->session, WHITTLE_FLOW_FRAME, &frame, offsetof(struct whittle_flow_frame, tag), body, bytes, frame.tag), "tag");
    return (enum whittle_flow_frame_kind)le32toh(frame.kind);
}

static enum whittle_flow_verdict begin_mux(const struct whittle_flow_event_loop *holder, struct peer *peer, uint32_t protocol, uint64_t flow)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    CHECK(prove(holder, &edges[0], peer), "not believed");
    fit_hello(&edges[0], &hello);
    hello.edge = htole32(WHITTLE_FLOW_ALL_EDGES);
    hello.protocol ^= protocol;
    hello.flow ^= flow;
    SEALED(peer, WHITTLE_FLOW_HELLO, hello);
    put(peer->fd, &hello, sizeof hello);
    EQUAL(recv(peer->fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
    CHECK(peer->session == NULL || whittle_flow_keyed.verify(peer->session, WHITTLE_FLOW_ANSWER, &answer, offsetof(struct whittle_flow_answer, tag), NULL, 0, answer.tag), "tag");
    return (enum whittle_flow_verdict)le32toh(answer.verdict);
}

/* Begins a substream, and says a hello there, changed. */
static void open_substream(struct peer *peer, uint32_t substream, uint32_t turn, uint32_t named, uint64_t change)
{
    struct whittle_flow_hello hello;
    fit_hello(&edges[named >= FIRST && named < FIRST + EDGES ? named - FIRST : 0], &hello);
    hello.edge = htole32(named);
    hello.fingerprint ^= change;
    say(peer, a_frame(WHITTLE_FLOW_OPENS_SUBSTREAM, substream, turn, 0), NULL);
    say(peer, a_frame(WHITTLE_FLOW_CARRIES, substream, turn, sizeof hello), &hello);
}

static enum whittle_flow_verdict answered(struct peer *peer, uint32_t substream, uint32_t turn)
{
    struct whittle_flow_answer answer;
    EQUAL(hear(peer, substream, turn, &answer, sizeof answer), WHITTLE_FLOW_CARRIES);
    return (enum whittle_flow_verdict)le32toh(answer.verdict);
}

static void closed(struct peer *peer, uint32_t substream, uint32_t turn)
{
    enum whittle_flow_frame_kind kind = WHITTLE_FLOW_SHUTS;
    while (kind == WHITTLE_FLOW_SHUTS)
        kind = hear(peer, substream, turn, NULL, 0);
    EQUAL(kind, WHITTLE_FLOW_CLOSES);
}

/* While no stage takes anything: each of these ends one substream, and the connection goes on. */
static void faults_of_one_edge(struct peer *peer)
{
    enum { MUCH = 5 * 1024 * 1024, EACH = 32768 };
    static unsigned char bytes[EACH];
    open_substream(peer, FIRST, 1, FIRST, 1);
    EQUAL(answered(peer, FIRST, 1), WHITTLE_FLOW_OTHER_TYPE);
    closed(peer, FIRST, 1);
    open_substream(peer, UNKNOWN, 2, UNKNOWN, 0);
    EQUAL(answered(peer, UNKNOWN, 2), WHITTLE_FLOW_OTHER_EDGE);
    closed(peer, UNKNOWN, 2);
    open_substream(peer, FIRST, 3, FIRST + 1, 0);
    closed(peer, FIRST, 3);
    open_substream(peer, FIRST, 4, WHITTLE_FLOW_ALL_EDGES, 0);
    EQUAL(answered(peer, FIRST, 4), WHITTLE_FLOW_OTHER_EDGE);
    closed(peer, FIRST, 4);
    say(peer, a_frame(WHITTLE_FLOW_OPENS_SUBSTREAM, FIRST, 5, 0), NULL);
    say(peer, a_frame(WHITTLE_FLOW_CARRIES, FIRST, 5, EACH), bytes);     /* no hello */
    closed(peer, FIRST, 5);
    say(peer, a_frame(WHITTLE_FLOW_CARRIES, FIRST, 5, EACH), bytes);     /* to who is gone: nothing */
    /* More than there is credit for. */
    open_substream(peer, FIRST + 1, 6, FIRST + 1, 0);
    for (size_t sent = 0; sent < MUCH; sent += EACH)
        say(peer, a_frame(WHITTLE_FLOW_CARRIES, FIRST + 1, 6, EACH), bytes);
    closed(peer, FIRST + 1, 6);
}

/* Each ends the connection. */
static void frames_that_cannot_be(const struct whittle_flow_event_loop *holder)
{
    static unsigned char bytes[300000];
    for (int turn = 0; turn < 7; turn++) {
        struct peer peer;
        EQUAL(begin_mux(holder, &peer, 0, 0), WHITTLE_FLOW_ACCEPTED);
        const uint64_t before = counter_of(FIRST, "receiver", WHITTLE_FLOW_STRANGERS) + counter_of(FIRST, "receiver", WHITTLE_FLOW_ALTERED);
        struct whittle_flow_frame frame = a_frame(WHITTLE_FLOW_CARRIES, FIRST, 1, 8);
        if (turn == 0)
            frame.kind = htole32(99);
        if (turn == 1)
            frame.kind = 0;
        if (turn == 2)
            frame.bytes = 0;
        if (turn == 3)
            frame.bytes = htole32(sizeof bytes);
        if (turn == 4)
            frame.edge = htole32(65536);
        if (turn == 5)
            frame.kind = htole32(WHITTLE_FLOW_CLOSES);
        if (turn == 6 && peer.session != NULL) {
            whittle_flow_keyed.end(peer.session);
            peer.session = NULL;    /* without a tag */
        } else if (turn == 6)
            frame.kind = htole32(UINT32_MAX);
        say(&peer, frame, bytes);
        hang_up(&peer);
        EQUAL(counter_of(FIRST, "receiver", WHITTLE_FLOW_STRANGERS) + counter_of(FIRST, "receiver", WHITTLE_FLOW_ALTERED), before + 1);
    }
}

static void refuses_each_for_itself(enum whittle_flow_transport transport)
{
    struct peer peer, other;
    describe(transport);
    new_place("a fault of one edge ends that edge's part of a connection");
    const pid_t to = spawn(sink_of_all, NULL);
    close(dial(&edges[0]));     /* it has begun, so the key is there */
    struct whittle_flow_event_loop *const holder = key_holder(NULL);
    EQUAL(begin_mux(holder, &other, 1, 0), WHITTLE_FLOW_OTHER_PROTOCOL);
    hang_up(&other);
    EQUAL(begin_mux(holder, &other, 0, 1), WHITTLE_FLOW_OTHER_EDGE);
    hang_up(&other);
    EQUAL(begin_mux(holder, &peer, 0, 0), WHITTLE_FLOW_ACCEPTED);
    faults_of_one_edge(&peer);
    frames_that_cannot_be(holder);
    __atomic_store_n(&board->goes, 1, __ATOMIC_SEQ_CST);
    open_substream(&peer, FIRST + 2, 7, FIRST + 2, 0);
    EQUAL(answered(&peer, FIRST + 2, 7), WHITTLE_FLOW_ACCEPTED);
    shutdown(peer.fd, SHUT_RDWR);
    hang_up(&peer);
    const pid_t from = spawn(source, NULL);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    came_all();
    key_drop(holder);
}

int main(void)
{
    static const enum whittle_flow_transport ways[] = {WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX};
    board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(board != MAP_FAILED, "%s", strerror(errno));
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        nobody_is_held_up(ways[way]);
        goes_on_after_cuts(ways[way]);
        small_ones_come_between(ways[way]);
        refuses_each_for_itself(ways[way]);
    }
    return 0;
}
