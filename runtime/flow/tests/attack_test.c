/*
 * Who can reach an edge's port and has no key, and who stands between its two ends: strangers by the thousand, challenges
 * of earlier connections, our own sent back, another key, bits that change on the way. Nothing of the edge changes, and
 * its packets come.
 */
#include "hostile_common.h"
#include <arpa/inet.h>
#include <poll.h>
#include <sys/resource.h>

enum { PACKETS = 20000, APART = 100 };

/* A stream whose order and content are checked. */
static int numbers_source(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < PACKETS; n++) {
        struct list *const list = whittle_flow_room(&end.sender);
        list->used = 1 + n % 200;
        for (uint32_t i = 0; i < list->used; i++)
            list->item[i] = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static int numbers_sink(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    for (uint32_t n = 0; n < PACKETS; n++) {
        const struct list *const list = whittle_flow_receive(&end.receiver);
        CHECK(list != NULL && list->used == 1 + n % 200 && list->item[0] == n && list->item[list->used - 1] == n, "packet %u", n);
    }
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "one more");
    return whittle_flow_end(&end.process);
}

/* What an untouched edge counts. */
static void check_untouched(const struct whittle_flow_edge *edge)
{
    check_balance(edge->number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(edge->number, "sender")), PACKETS);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), PACKETS);
    EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_STRANGERS), 0);
    EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_CONNECTIONS), 1);
    EQUAL(counter_of(edge->number, "sender", WHITTLE_FLOW_CONNECTIONS), 1);
}

/* Connections that are closed without a byte, however they begin. */
static void expect_nothing(int fd, const void *bytes, size_t count)
{
    char byte;
    put(fd, bytes, count);
    shutdown(fd, SHUT_WR);
    CHECK(recv(fd, &byte, 1, 0) <= 0, "something is sent to who has proved nothing");
    close(fd);
}

static void strangers(const struct whittle_flow_edge *edge)
{
    new_place("strangers by the thousand learn nothing and change nothing");
    const pid_t to = spawn(numbers_sink, edge);
    struct whittle_flow_hello hello;
    struct whittle_flow_ledger page = {.stream = 7};
    const struct whittle_flow_link link = {.edge = edge, .page = &page, .window = 1000};
    whittle_flow_hello_write(&link, &hello);
    int silent[300];
    for (int n = 0; n < 300; n++)
        silent[n] = dial(edge);     /* half open until the end */
    for (int n = 0; n < 1000; n++) {
        struct whittle_flow_challenge forged = {.protocol = htole32(WHITTLE_FLOW_PROTOCOL), .role = htole32(WHITTLE_FLOW_CONNECTOR)};
        memcpy(forged.magic, WHITTLE_FLOW_CHALLENGE_MAGIC, 8);
        memset(forged.nonce, n, sizeof forged.nonce);
        if (n % 2 == 0)
            expect_nothing(dial(edge), &hello, sizeof hello);   /* a hello that fits, of the protocol before keys */
        else
            expect_nothing(dial(edge), &forged, n % 4 == 1 ? sizeof forged : (size_t)n % sizeof forged);
    }
    const pid_t from = spawn(numbers_source, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_untouched(edge);
    for (int n = 0; n < 300; n++)
        close(silent[n]);
}

/* Challenges of earlier connections, of the other role, and changed in any byte. */
static void replays(const struct whittle_flow_edge *edge)
{
    new_place("challenges that are replayed, reflected or changed open nothing");
    const pid_t to = spawn(numbers_sink, edge);
    close(dial(edge));      /* the receiver is there, and so is the key */
    struct whittle_flow_event_loop *const holder = key_holder(NULL);
    struct whittle_flow_challenge answer;
    struct whittle_flow_hello hello;
    struct whittle_flow_ledger page = {.stream = 7};
    const struct whittle_flow_link link = {.edge = edge, .page = &page, .window = 1000};
    struct peer peer;
    CHECK(prove(holder, edge, &peer), "not believed");
    whittle_flow_hello_write(&link, &hello);
    SEALED(&peer, WHITTLE_FLOW_HELLO, hello);
    /* All that the first connection said, on a second: the receiver's random number is another. */
    for (int turn = 0; turn < 20; turn++) {
        const int fd = dial(edge);
        put(fd, &peer.opening, sizeof peer.opening);
        EQUAL(recv(fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
        CHECK(memcmp(answer.nonce, peer.challenge.nonce, sizeof answer.nonce) != 0, "a random number comes again");
        expect_nothing(fd, &hello, sizeof hello);
        expect_nothing(dial(edge), &answer, sizeof answer);    /* what the receiver said, as if a sender had */
    }
    for (size_t at = 0; at < sizeof peer.opening; at++) {
        struct whittle_flow_challenge changed = peer.opening;
        ((uint8_t *)&changed)[at] ^= (uint8_t)(1u << at % 8);
        expect_nothing(dial(edge), &changed, sizeof changed);
    }
    hello.edge ^= 1;    /* a tag that is of other bytes */
    expect_nothing(peer.fd, &hello, sizeof hello);
    whittle_flow_keyed.end(peer.session);
    key_drop(holder);
    const pid_t from = spawn(numbers_source, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_untouched(edge);
}

static int with_key(const char *name, int (*body)(const void *), const void *argument)
{
    char file[128];
    snprintf(file, sizeof file, "%s/%s", place_name(), name);
    FILE *const out = fopen(file, "wx");
    if (out != NULL) {
        for (int n = 0; n < 64; n++)
            fputc("0123456789abcdef"[(n * 7 + name[0]) % 16], out);
        fputc('\n', out);
        fchmod(fileno(out), 0600);
        fclose(out);
    }
    setenv("WHITTLE_KEY", file, 1);
    return body(argument);
}
static int other_key(const void *argument) { return with_key("b", numbers_source, argument); }

static void wrong_key(const struct whittle_flow_edge *edge)
{
    new_place("a sender with another key is not taken, and says why");
    const pid_t to = spawn(numbers_sink, edge), from = spawn(other_key, edge);
    sleep_ms(400);
    EQUAL(counter_of(3, "sender", WHITTLE_FLOW_CONNECTIONS), 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_CONNECTIONS) + counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS), 0);
    kill_hard(from);
    unlink("x");
    const pid_t honest_one = spawn(numbers_source, edge);
    EQUAL(reap(honest_one), 0);
    EQUAL(reap(to), 0);
}

/* Who has the key of the flow, and another edge's name, is refused, and takes nothing over. */
static void other_edge(const struct whittle_flow_edge *edge)
{
    new_place("the right key for another edge is refused");
    struct whittle_flow_edge other = *edge;
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    struct whittle_flow_ledger page = {.stream = 7};
    struct peer peer;
    other.number = 4;
    const struct whittle_flow_link link = {.edge = &other, .page = &page, .window = 1000};
    const pid_t to = spawn(numbers_sink, edge);
    close(dial(edge));
    struct whittle_flow_event_loop *const holder = key_holder(NULL);
    CHECK(prove(holder, edge, &peer), "not believed");
    whittle_flow_hello_write(&link, &hello);
    SEALED(&peer, WHITTLE_FLOW_HELLO, hello);
    put(peer.fd, &hello, sizeof hello);
    EQUAL(recv(peer.fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
    EQUAL(le32toh(answer.verdict), WHITTLE_FLOW_OTHER_EDGE);
    CHECK(whittle_flow_keyed.verify(peer.session, WHITTLE_FLOW_ANSWER, &answer, offsetof(struct whittle_flow_answer, tag), NULL, 0, answer.tag), "tag");
    hang_up(&peer);
    key_drop(holder);
    const pid_t from = spawn(numbers_source, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS), 1);
}

/* Stands between the two ends, and changes a bit of what goes forth, or back, some bytes after the beginning. */
struct tampering { const struct whittle_flow_edge *edge; bool back; size_t at; };

static int distant_sink(const void *argument)
{
    char port[16];
    snprintf(port, sizeof port, "%u", place_port() + APART);
    setenv("WHITTLE_PORT", port, 1);
    return numbers_sink(((const struct tampering *)argument)->edge);
}

static int near_source(const void *argument) { return numbers_source(((const struct tampering *)argument)->edge); }

static bool tamper(int from, int to, size_t at, size_t *passed)
{
    char bytes[16384];
    const ssize_t came = recv(from, bytes, sizeof bytes, 0);
    if (came <= 0)
        return false;
    if (at >= *passed && at < *passed + (size_t)came)
        bytes[at - *passed] ^= (char)(1 << at % 8);
    *passed += (size_t)came;
    return send(to, bytes, (size_t)came, MSG_NOSIGNAL) == came;
}

static int tamperer(const void *argument)
{
    const struct tampering *const job = argument;
    struct whittle_flow_edge far_edge = *job->edge;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + job->edge->number)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    far_edge.number = (uint16_t)(job->edge->number + APART);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CHECK(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0, "%s", strerror(errno));
    for (int turn = 0;; turn++) {
        const int from = accept(listener, NULL, NULL), to = dial(&far_edge);
        struct pollfd all[2] = {{.fd = from, .events = POLLIN}, {.fd = to, .events = POLLIN}};
        size_t forth = 0, back = 0;
        for (bool goes_on = true; goes_on;) {
            poll(all, 2, -1);
            if (all[0].revents != 0)
                goes_on = tamper(from, to, turn == 0 && !job->back ? job->at : SIZE_MAX, &forth);
            if (goes_on && all[1].revents != 0)
                goes_on = tamper(to, from, turn == 0 && job->back ? job->at : SIZE_MAX, &back);
        }
        close(from);
        close(to);
    }
}

static void bit_flips(const struct whittle_flow_edge *edge)
{
    enum { CHALLENGE = sizeof(struct whittle_flow_challenge), HELLO = CHALLENGE + sizeof(struct whittle_flow_hello),
        START = HELLO + sizeof(struct whittle_flow_start), ANSWER = CHALLENGE + sizeof(struct whittle_flow_answer) };
    static const struct { bool back, counted; size_t at; const char *name; } cases[] = {
        {false, false, 20, "of the sender's challenge"}, {false, false, CHALLENGE + 100, "of the hello"}, {false, true, HELLO + 3, "of the start"},
        {false, true, START, "of a batch's size"}, {false, true, START + 3, "of a batch's size, at its top"}, {false, true, START + 8, "of a batch's head"}, {false, true, START + 60, "of a batch's tag"},
        {false, true, START + 5000, "of a packet"}, {false, true, START + 1000000, "of a packet in the midst"},
        {true, false, 50, "of the receiver's challenge"}, {true, false, CHALLENGE + 30, "of the answer"}, {true, true, ANSWER + 2, "of an acknowledgement"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const struct tampering job = {edge, cases[n].back, cases[n].at};
        char name[100];
        snprintf(name, sizeof name, "a bit %s changes on the way: detected, and all comes", cases[n].name);
        new_place(name);
        const pid_t between = spawn(tamperer, &job), to = spawn(distant_sink, &job), from = spawn(near_source, &job);
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        kill_hard(between);
        check_balance(edge->number, 0);
        EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), PACKETS);
        const char *const whose = cases[n].back ? "sender" : "receiver";
        EQUAL(counter_of(edge->number, whose, WHITTLE_FLOW_ALTERED), cases[n].counted);
        EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_STRANGERS), 0);
    }
}

/* The table of connections has room for edges that all come at once; strangers beside do not keep them out. */
static int refused_key(const char *what, mode_t mode, const char *text)
{
    const struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_TCP);
    struct end end = {.receiver = {.edge = &edge}, .receivers = {&end.receiver},
        .process = {.flow = "test", .name = "sink", .security = &whittle_flow_keyed, .receivers = end.receivers, .receiver_count = 1}};
    char *arguments[] = {(char *)(uintptr_t)"sink", NULL}, file[128];
    snprintf(file, sizeof file, "%s/bad-key", place_name());
    unlink(file);
    if (strcmp(what, "a link") == 0)
        CHECK(symlink("key", file) == 0, "%s", strerror(errno));
    else if (strcmp(what, "a pipe") == 0)
        CHECK(mkfifo(file, mode) == 0, "%s", strerror(errno));
    else {
        FILE *const out = fopen(file, "w");
        fputs(text, out);
        fchmod(fileno(out), mode);
        fclose(out);
    }
    setenv("WHITTLE_KEY", file, 1);
    const bool begun = whittle_flow_begin(&end.process, 1, arguments);
    unsetenv("WHITTLE_KEY");
    return begun;
}

static void bad_keys(void)
{
    static const char digits[] = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    char line[80];
    new_place("a key that others may read, a link, and what is no key are refused");
    snprintf(line, sizeof line, "%s\n", digits);
    CHECK(!refused_key("readable by all", 0644, line), "begun");
    CHECK(!refused_key("readable by the group", 0640, line), "begun");
    CHECK(!refused_key("a link", 0600, line), "begun");
    CHECK(!refused_key("a pipe", 0600, line), "begun");
    CHECK(!refused_key("short", 0600, "0011\n"), "begun");
    CHECK(!refused_key("empty", 0600, ""), "begun");
    line[5] = 'g';
    CHECK(!refused_key("no digits", 0600, line), "begun");
}

static int many_sink(const void *argument)
{
    enum { EDGES = 200 };
    static struct whittle_flow_edge edges[EDGES];
    static struct whittle_flow_receiver receivers[EDGES], *all[EDGES];
    struct whittle_flow_process process = {.flow = "test", .name = "many", .security = &whittle_flow_keyed, .receivers = all, .receiver_count = EDGES};
    char *arguments[] = {(char *)(uintptr_t)"many", NULL};
    size_t which, count = 0;
    for (int n = 0; n < EDGES; n++) {
        edges[n] = *(const struct whittle_flow_edge *)argument;
        edges[n].number = (uint16_t)(3 + n);
        receivers[n].edge = &edges[n];
        all[n] = &receivers[n];
    }
    CHECK(whittle_flow_begin(&process, 1, arguments), "many");
    while (whittle_flow_receive_any(all, EDGES, &which) != NULL)
        count++;
    EQUAL(count, EDGES);
    return whittle_flow_end(&process);
}

static int many_source(const void *argument)
{
    enum { EDGES = 200 };
    static struct whittle_flow_process process;
    static struct whittle_flow_sender *all[EDGES];
    begin_many_senders(&process, all, EDGES, argument);
    for (int n = 0; n < EDGES; n++)
        CHECK(whittle_flow_send(all[n], 0), "edge %d", n);
    return whittle_flow_end(&process);
}

static void many_edges(const struct whittle_flow_edge *edge)
{
    new_place("200 edges into one process, all at once, and strangers beside");
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 2048 && limit.rlim_max >= 2048) {
        limit.rlim_cur = 2048;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    const pid_t to = spawn(many_sink, edge);
    int silent[200];
    for (int n = 0; n < 200; n++)
        silent[n] = dial(edge);
    const pid_t from = spawn(many_source, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    for (int n = 0; n < 200; n++) {
        EQUAL(counter_of((unsigned)(3 + n), "receiver", WHITTLE_FLOW_CONNECTIONS), 1);
        close(silent[n]);
    }
}

/* Descriptors run out while strangers connect: the process neither spins nor forgets to listen. */
static int tight_sink(const void *argument)
{
    const struct rlimit limit = {40, 40};
    setrlimit(RLIMIT_NOFILE, &limit);
    const int status = numbers_sink(argument);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
    CHECK(seconds < 3, "%.1f s of processor time", seconds);
    return status;
}

static void no_descriptors(const struct whittle_flow_edge *edge)
{
    new_place("without descriptors the process does not spin, and takes its sender");
    const pid_t to = spawn(tight_sink, edge);
    int silent[100];
    for (int n = 0; n < 100; n++)
        silent[n] = dial(edge);
    sleep_ms(500);
    const pid_t from = spawn(numbers_source, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_untouched(edge);
    for (int n = 0; n < 100; n++)
        close(silent[n]);
}

int main(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_TCP);
    bad_keys();
    strangers(&edge);
    replays(&edge);
    wrong_key(&edge);
    other_edge(&edge);
    bit_flips(&edge);
    struct whittle_flow_edge apart = edge;
    apart.host = own_host();
    many_edges(&apart);
    no_descriptors(&edge);
    return 0;
}
