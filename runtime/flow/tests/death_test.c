/*
 * Processes die without a word and come again: the edge goes on where it stood, nothing is lost but what the dead one had,
 * nothing comes twice, and the ledger's counters add up to what was offered.
 */
#include "common.h"
#include "../wire.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

enum { PACKETS = 60000, DEATHS = 6 };

struct job {
    const struct whittle_flow_edge *edge;
    uint32_t first, last;
    enum whittle_flow_counter dies_at;      /* other than 0: the process dies once it has counted losses there */
};

static int source(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    dies_at = job->dies_at;
    begin_sender(&end, job->edge);
    const uint32_t first = job->first != 0 ? job->first : (uint32_t)whittle_flow_ledger_offered(page_of(job->edge->number, "sender"));
    for (uint32_t n = first; n < job->last; n++) {
        struct list *const list = whittle_flow_room(&end.sender);
        list->used = job->edge->type == &number_type ? n : n % 200;
        if (job->edge->type != &number_type) {
            for (uint32_t i = 0; i < list->used; i++)
                list->item[i] = n;
            list->item[list->used++] = n;
        }
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
        if (n % 500 == 0)
            sleep_ms(1);
    }
    return whittle_flow_end(&end.process);
}

static int sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const struct list *packet;
    int64_t before = -1;
    dies_at = job->dies_at;
    begin_receiver(&end, job->edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        const uint32_t n = job->edge->type == &number_type ? packet->used : packet->item[packet->used - 1];
        CHECK((int64_t)n > before, "%u after %lld", n, (long long)before);
        before = n;
    }
    return whittle_flow_end(&end.process);
}

/* Receivers that have begun: one that was killed before that would not have died as a receiver. */
static uint64_t begun(const struct whittle_flow_ledger *page)
{
    return page->incarnation;
}

static void receiver_dies(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS};
    new_place(name);
    const pid_t from = spawn(source, &job);
    for (uint64_t death = 1; death <= DEATHS; death++) {
        const pid_t to = spawn(sink, &job);
        await_counter(edge->number, "receiver", begun, death);
        await_counter(edge->number, "receiver", whittle_flow_ledger_taken, death * 7000);
        kill_hard(to);
    }
    const pid_t to = spawn(sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(edge->number, "sender")), PACKETS);
    EQUAL(page_of(edge->number, "receiver")->incarnation, DEATHS + 1);
    /* At most the packet in hand at each death; the sender lost nothing. */
    CHECK(counter_of(edge->number, "receiver", WHITTLE_FLOW_UNKNOWN) <= DEATHS, "unknown");
    EQUAL(counter_of(edge->number, "sender", WHITTLE_FLOW_UNKNOWN), 0);
    const uint64_t cut = counter_of(edge->number, "sender", WHITTLE_FLOW_CUT);
    EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_SKIPPED), cut);
    if (edge->delivery != WHITTLE_FLOW_BEST_EFFORT)
        EQUAL(cut, 0);
}

static void sender_dies(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS};
    new_place(name);
    const pid_t to = spawn(sink, &job);
    for (uint64_t death = 1; death <= DEATHS; death++) {
        const pid_t from = spawn(source, &job);
        await_counter(edge->number, "sender", whittle_flow_ledger_offered, death * 7000);
        kill_hard(from);
    }
    const pid_t from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    CHECK(whittle_flow_ledger_offered(page_of(edge->number, "sender")) >= PACKETS, "offered");
    EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_UNKNOWN), 0);
    EQUAL(counter_of(edge->number, "sender", WHITTLE_FLOW_CUT), 0);
}

/* All has been sent, and its receiver is slow: the end stands in a connection that is cut. */
static int source_cut_behind_its_end(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    begin_sender(&end, job->edge);
    for (uint32_t n = 0; n < job->last; n++) {
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    whittle_flow_close(&end.sender);
    await_counter(job->edge->number, "receiver", whittle_flow_ledger_taken, 1);
    sleep_ms(100);
    cut_connections();
    return whittle_flow_end(&end.process);
}

static int slow_sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    uint32_t count = 0;
    begin_receiver(&end, job->edge);
    for (const struct number *packet; (packet = whittle_flow_receive(&end.receiver)) != NULL; count++)
        if (count == 0)
            sleep_ms(600);  /* its sender comes again meanwhile */
    EQUAL(count, job->last);
    return whittle_flow_end(&end.process);
}

static void comes_again_behind_its_end(const char *name, const struct whittle_flow_edge *edge)
{
    struct whittle_flow_edge other = *edge;
    const struct job job = {.edge = &other, .last = 10};
    new_place(name);
    other.type = &number_type;
    const pid_t to = spawn(slow_sink, &job), from = spawn(source_cut_behind_its_end, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    EQUAL(counter_of(edge->number, "sender", WHITTLE_FLOW_ACKNOWLEDGED), 10);
}

/* Both at once, and then a run of its own: counters begin anew after an end. */
static void both_die(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS};
    new_place(name);
    pid_t from = spawn(source, &job), to = spawn(sink, &job);
    await_counter(edge->number, "receiver", whittle_flow_ledger_taken, 7000);
    kill(from, SIGKILL);
    kill_hard(to);
    EQUAL(reap(from), 128 + SIGKILL);
    from = spawn(source, &job);
    to = spawn(sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    const struct job again = {.edge = edge, .last = 1000};
    from = spawn(source, &again);
    to = spawn(sink, &again);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(edge->number, "sender")), 1000);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), 1000);
}

/* What an earlier process had queued counts as unknown; the next one dies between that count and whatever it does then. */
static void sender_dies_counting_unknown(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS}, dying = {.edge = edge, .last = PACKETS, .dies_at = WHITTLE_FLOW_UNKNOWN};
    new_place(name);
    pid_t from = spawn(source, &job);
    await_counter(edge->number, "sender", whittle_flow_ledger_offered, edge->queue_items);
    kill_hard(from);
    from = spawn(source, &dying);
    const pid_t to = spawn(sink, &job);
    EQUAL(reap(from), 128 + SIGKILL);
    from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    CHECK(counter_of(edge->number, "sender", WHITTLE_FLOW_UNKNOWN) >= edge->queue_items, "unknown");
    check_balance(edge->number, 0);
}

/* Waits until the receiver, which is stopped, has left the sender no credit. */
static void await_no_credit(const struct whittle_flow_edge *edge)
{
    const struct whittle_flow_ledger *const page = page_of(edge->number, "sender");
    while (whittle_flow_ledger_offered(page) < whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED) + edge->queue_items)
        sleep_ms(1);
}

static uint64_t sent(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_SENT);
}

/* What the sender's death took with it is skipped, and the receiver dies while it counts that. */
static void receiver_dies_skipping(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS}, dying = {.edge = edge, .last = PACKETS, .dies_at = WHITTLE_FLOW_SKIPPED};
    const struct job endless = {.edge = edge, .last = UINT32_MAX};
    new_place(name);
    pid_t to = spawn(sink, &endless), from = spawn(source, &endless);
    await_counter(edge->number, "receiver", whittle_flow_ledger_taken, 2000);
    int stopped;
    kill(to, SIGSTOP);
    CHECK(waitpid(to, &stopped, WUNTRACED) == to && WIFSTOPPED(stopped), "it does not stop");
    await_counter(edge->number, "sender", sent, whittle_flow_ledger_taken(page_of(edge->number, "receiver")) + 1);
    kill_hard(from);
    kill_hard(to);
    from = spawn(source, &job);
    to = spawn(sink, &dying);
    EQUAL(reap(to), 128 + SIGKILL);
    to = spawn(sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    CHECK(counter_of(edge->number, "receiver", WHITTLE_FLOW_SKIPPED) > 0, "skipped");
    check_balance(edge->number, 0);
}

/* Likewise with what a connection took with it, where nothing is kept. */
static void sender_dies_counting_cut(const char *name, const struct whittle_flow_edge *edge)
{
    const struct job job = {.edge = edge, .last = PACKETS}, dying = {.edge = edge, .last = PACKETS, .dies_at = WHITTLE_FLOW_CUT};
    new_place(name);
    pid_t to = spawn(sink, &job), from = spawn(source, &dying);
    await_counter(edge->number, "receiver", whittle_flow_ledger_taken, 2000);
    kill(to, SIGSTOP);
    await_no_credit(edge);
    kill_hard(to);
    to = spawn(sink, &job);
    EQUAL(reap(from), 128 + SIGKILL);
    from = spawn(source, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    CHECK(counter_of(edge->number, "sender", WHITTLE_FLOW_CUT) > 0, "cut");
    check_balance(edge->number, 0);
}

/* Stands between the two ends, which have different ports. */
enum { APART = 100, ANSWER = sizeof(struct whittle_flow_challenge) + sizeof(struct whittle_flow_answer) };

static int distant_sink(const void *argument)
{
    char port[16];
    snprintf(port, sizeof port, "%u", place_port() + APART);
    setenv("WHITTLE_PORT", port, 1);
    return sink(argument);
}

static int reach(unsigned port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (;;) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        sleep_ms(5);
    }
}

/* Passes on what comes, up to `most` bytes in all; false: the end. */
static bool pass(int from, int to, size_t most, size_t *passed)
{
    char bytes[65536];
    const ssize_t came = recv(from, bytes, sizeof bytes, 0);
    if (came <= 0)
        return false;
    const size_t rest = *passed < most ? most - *passed : 0, goes = (size_t)came < rest ? (size_t)came : rest;
    *passed += (size_t)came;
    return send(to, bytes, goes, MSG_NOSIGNAL) == (ssize_t)goes;
}

/* The first connection loses what the receiver says after its answer, and is cut when the sender stops. */
static int proxy(const void *argument)
{
    const struct job *const job = argument;
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + job->edge->number)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CHECK(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4) == 0, "%s", strerror(errno));
    for (int turn = 0;; turn++) {
        const int from = accept(listener, NULL, NULL), to = reach(place_port() + APART + job->edge->number);
        struct pollfd all[2] = {{.fd = from, .events = POLLIN}, {.fd = to, .events = POLLIN}};
        size_t forth = 0, back = 0;
        for (bool goes_on = true; goes_on;) {
            goes_on = poll(all, 2, turn == 0 ? 500 : -1) > 0 || forth < 5000;
            if (goes_on && all[0].revents != 0)
                goes_on = pass(from, to, SIZE_MAX, &forth);
            if (goes_on && all[1].revents != 0)
                goes_on = pass(to, from, turn == 0 ? ANSWER : SIZE_MAX, &back);
        }
        close(from);
        close(to);
    }
}

static void acknowledgements_are_lost(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_TCP);
    const struct job job = {.edge = &edge, .last = PACKETS};
    new_place("acknowledgements that go down with a connection do not stop the edge");
    const pid_t between = spawn(proxy, &job), from = spawn(source, &job), to = spawn(distant_sink, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    kill_hard(between);
    check_balance(edge.number, 0);
    CHECK(counter_of(edge.number, "sender", WHITTLE_FLOW_CONNECTIONS) == 2, "the window was never full");
    EQUAL(whittle_flow_ledger_delivered(page_of(edge.number, "receiver")), PACKETS);
}

int main(void)
{
    acknowledgements_are_lost();
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        char name[100];
        const struct whittle_flow_edge edge = an_edge(&number_type, ways[way].transport);
        snprintf(name, sizeof name, "%s: a connection that comes behind the end gets the end", ways[way].name);
        comes_again_behind_its_end(name, &edge);
    }
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (int kind = 0; kind < 4; kind++) {
            char name[100];
            struct whittle_flow_edge edge = an_edge(kind % 2 == 0 ? &number_type : &list_type, ways[way].transport);
            edge.queue_items = 1024;
            edge.delivery = kind < 2 ? WHITTLE_FLOW_RELIABLE : WHITTLE_FLOW_BEST_EFFORT;
            const char *const delivery = kind < 2 ? "reliable" : "best effort";
            snprintf(name, sizeof name, "%s, %s, %s: the receiver dies", ways[way].name, delivery, edge.type->name);
            receiver_dies(name, &edge);
            snprintf(name, sizeof name, "%s, %s, %s: the sender dies", ways[way].name, delivery, edge.type->name);
            sender_dies(name, &edge);
            snprintf(name, sizeof name, "%s, %s, %s: both die", ways[way].name, delivery, edge.type->name);
            both_die(name, &edge);
            snprintf(name, sizeof name, "%s, %s, %s: the sender dies while it counts what is unknown", ways[way].name, delivery, edge.type->name);
            sender_dies_counting_unknown(name, &edge);
            snprintf(name, sizeof name, "%s, %s, %s: the receiver dies while it counts what it skips", ways[way].name, delivery, edge.type->name);
            receiver_dies_skipping(name, &edge);
            /* What lies in shared memory does not go down with a connection, and what is kept is sent again. */
            if (edge.delivery != WHITTLE_FLOW_BEST_EFFORT || edge.transport == WHITTLE_FLOW_SHM)
                continue;
            snprintf(name, sizeof name, "%s, %s, %s: the sender dies while it counts what was cut", ways[way].name, delivery, edge.type->name);
            sender_dies_counting_cut(name, &edge);
        }
    return 0;
}
