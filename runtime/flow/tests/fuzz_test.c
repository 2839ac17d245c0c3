/*
 * Peers with the key whose messages are changed at random before they are sealed, and strangers whose are changed after:
 * in each place of the handshake and behind it, toward receivers and toward senders. Run under sanitizers: neither
 * process ends, and the edge's own sender gets through. WHITTLE_FUZZ_SEED and WHITTLE_FUZZ_TURNS choose others.
 */
#include "hostile_common.h"
#include <arpa/inet.h>
#include <poll.h>

enum { EDGES = 24 };

static unsigned long setting(const char *name, unsigned long usual)
{
    return getenv(name) != NULL ? strtoul(getenv(name), NULL, 10) : usual;
}

/* Some bytes, some bits, or a number of those that sums and sizes fail at. */
static void mutate(void *message, size_t size)
{
    static const uint64_t numbers[] = {0, 1, UINT64_MAX, UINT64_MAX - 15, UINT64_MAX / 2, UINT32_MAX, 1u << 31, 1u << 20};
    uint8_t *const bytes = message;
    const uint64_t kind = random_number() % 4;
    for (uint64_t n = random_number() % 5; n > 0 && kind < 2; n--)
        bytes[random_number() % size] ^= kind == 0 ? (uint8_t)random_number() : (uint8_t)(1u << random_number() % 8);
    const size_t width = random_number() % 2 == 0 ? 4 : 8;
    if (kind == 2 && size >= width)
        memcpy(bytes + random_number() % (size / width) * width, &numbers[random_number() % 8], width);
}

/* Sends it whole, in two pieces, or in part; false: in part. */
static bool put_somehow(int fd, const void *message, size_t size)
{
    const uint64_t how = random_number() % 12;
    const size_t some = random_number() % (size + 1);
    if (how > 1) {
        put(fd, message, size);
        return true;
    }
    put(fd, message, some);
    if (how == 0)
        put(fd, (const char *)message + some, size - some);
    return how == 0;
}

/* One message of a peer's; sealed before or after it is changed, or not changed. */
#define SEND_MUTANT(peer, kind, message, is_mutant) send_mutant(peer, kind, &(message), sizeof(message), offsetof(__typeof__(message), tag), is_mutant)
static bool send_mutant(struct peer *peer, enum whittle_flow_message kind, void *message, size_t size, size_t tag_at, bool is_mutant)
{
    const bool before = random_number() % 4 != 0;
    if (is_mutant && before)
        mutate(message, tag_at);
    seal(peer, kind, message, tag_at, NULL, 0, (uint8_t *)message + tag_at);
    if (is_mutant && !before)
        mutate(message, size);
    return put_somehow(peer->fd, message, size);
}

static void attack_receiver(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge)
{
    static uint8_t body[8192];
    struct whittle_flow_ledger page = {.stream = 1 + random_number() % 3};
    const struct whittle_flow_link link = {.edge = edge, .page = &page, .window = 1000, .slot_count = 65, .slot_stride = 12320};
    const uint64_t where = random_number() % 6;
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    struct whittle_flow_start start = {.count = htole64(random_number() % 3 * 10), .bytes = htole64(random_number() % 3 * 4096)};
    struct whittle_flow_batch head = {.bytes = htole32((uint32_t)(random_number() % 2048 * 4))};
    struct peer peer = {.fd = -1};
    if (where == 0 && edge->transport == WHITTLE_FLOW_TCP) {
        peer.fd = dial(edge);
        CHECK(whittle_flow_keyed.challenge(holder, WHITTLE_FLOW_CONNECTOR, NULL, &peer.opening), "challenge");
        mutate(&peer.opening, sizeof peer.opening);
        put_somehow(peer.fd, &peer.opening, sizeof peer.opening);
        shutdown(peer.fd, SHUT_WR);
        await_close(peer.fd);
        return;
    }
    CHECK(prove(holder, edge, &peer), "not believed");
    whittle_flow_hello_write(&link, &hello);
    bool goes_on = SEND_MUTANT(&peer, WHITTLE_FLOW_HELLO, hello, where == 1) && where != 1;
    goes_on = goes_on && recv(peer.fd, &answer, sizeof answer, MSG_WAITALL) == sizeof answer;
    goes_on = goes_on && SEND_MUTANT(&peer, WHITTLE_FLOW_START, start, where == 2);
    for (int n = 0; goes_on && n < 3; n++) {
        for (size_t at = 0; at + 4 <= sizeof body; at += 4)
            memcpy(body + at, &(const uint32_t){random_number() % 16 == 0 ? (uint32_t)random_number() : (uint32_t)(random_number() % 4)}, 4);
        if (where == 3)
            mutate(&head, offsetof(struct whittle_flow_batch, tag));
        const size_t bytes = le32toh(head.bytes) < sizeof body ? le32toh(head.bytes) : sizeof body;
        seal(&peer, WHITTLE_FLOW_BATCH, &head, offsetof(struct whittle_flow_batch, tag), body, bytes, head.tag);
        goes_on = put_somehow(peer.fd, &head, sizeof head) && put_somehow(peer.fd, body, bytes);
    }
    shutdown(peer.fd, SHUT_WR);
    hang_up(&peer);
}

static void receivers(const struct whittle_flow_edge *edge, unsigned long turns)
{
    new_place(edge->transport == WHITTLE_FLOW_TCP ? "changed messages toward a receiver over tcp" : "changed messages toward a receiver over unix");
    const pid_t to = spawn(sink, edge);
    close(dial(edge));
    struct whittle_flow_event_loop *const holder = edge->transport == WHITTLE_FLOW_TCP ? key_holder(NULL) : NULL;
    for (unsigned long n = 0; n < turns; n++)
        attack_receiver(holder, edge);
    if (holder != NULL)
        key_drop(holder);
    const pid_t from = spawn(honest, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
}

static int many_sources(const void *argument)
{
    static struct whittle_flow_process process;
    static struct whittle_flow_sender *all[EDGES];
    begin_many_senders(&process, all, EDGES, argument);
    for (int n = 0; n < 10 * EDGES; n++) {
        struct list *const list = whittle_flow_room(all[n % EDGES]);
        list->used = (uint32_t)n;
        if (!whittle_flow_send(all[n % EDGES], 0))
            return 0;   /* refused: one of the changed messages has said so */
    }
    whittle_flow_end(&process);
    return 0;
}

static void attack_sender(const struct whittle_flow_event_loop *holder, int listener)
{
    const uint64_t where = random_number() % 4;
    struct whittle_flow_answer answer = {.magic = "whittle", .protocol = htole32(WHITTLE_FLOW_PROTOCOL), .known = htole64(random_number() % 2)};
    struct whittle_flow_acknowledgement said = {.count = htole64(random_number() % 12), .bytes = htole64(random_number() % 400)};
    struct whittle_flow_hello hello;
    struct whittle_flow_start start;
    struct peer peer = {.fd = accept(listener, NULL, NULL)};
    const struct timeval patience = {1, 0};
    answer.magic[7] = '\n';
    setsockopt(peer.fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    bool goes_on = recv(peer.fd, &peer.opening, sizeof peer.opening, MSG_WAITALL) == sizeof peer.opening;
    if (goes_on) {
        CHECK(whittle_flow_keyed.proves(holder, WHITTLE_FLOW_CONNECTOR, NULL, &peer.opening), "the sender's proof");
        CHECK(whittle_flow_keyed.challenge(holder, WHITTLE_FLOW_ACCEPTOR, &peer.opening, &peer.challenge), "challenge");
        peer.session = whittle_flow_keyed.begin(holder, WHITTLE_FLOW_ACCEPTOR, &peer.opening, &peer.challenge);
        if (where == 0)
            mutate(&peer.challenge, sizeof peer.challenge);
        goes_on = put_somehow(peer.fd, &peer.challenge, sizeof peer.challenge) && where != 0
            && recv(peer.fd, &hello, sizeof hello, MSG_WAITALL) == sizeof hello;
        goes_on = goes_on && SEND_MUTANT(&peer, WHITTLE_FLOW_ANSWER, answer, where == 1);
        goes_on = goes_on && recv(peer.fd, &start, sizeof start, MSG_WAITALL) == sizeof start;
        for (int n = 0; goes_on && n < 3; n++) {
            said.flags = htole64(random_number() % 16 == 0 ? random_number() : 0);
            goes_on = SEND_MUTANT(&peer, WHITTLE_FLOW_ACKNOWLEDGEMENT, said, where == 2);
        }
    }
    close(peer.fd);
    if (peer.session != NULL)
        whittle_flow_keyed.end(peer.session);
}

static void senders(const struct whittle_flow_edge *edge, unsigned long turns)
{
    struct pollfd listeners[EDGES];
    new_place("changed messages toward senders");
    for (int n = 0; n < EDGES; n++) {
        struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + 3 + (unsigned)n))};
        const int on = 1;
        at.sin_addr.s_addr = inet_addr(edge->host);
        listeners[n] = (struct pollfd){.fd = socket(AF_INET, SOCK_STREAM, 0), .events = POLLIN};
        setsockopt(listeners[n].fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        CHECK(bind(listeners[n].fd, (struct sockaddr *)&at, sizeof at) == 0 && listen(listeners[n].fd, 4) == 0, "%s", strerror(errno));
    }
    const pid_t from = spawn(many_sources, edge);
    struct whittle_flow_event_loop *holder = NULL;
    for (unsigned long done = 0; done < turns;) {
        if (poll(listeners, EDGES, 3000) <= 0)
            break;  /* all of them have been refused */
        if (holder == NULL)
            holder = key_holder(NULL);
        for (int n = 0; n < EDGES; n++)
            if (listeners[n].revents != 0) {
                attack_sender(holder, listeners[n].fd);
                done++;
            }
    }
    if (holder != NULL)
        key_drop(holder);
    kill(from, SIGTERM);
    const int status = reap(from);
    CHECK(status <= 1, "the senders' process ended with %d", status);
    for (int n = 0; n < EDGES; n++)
        close(listeners[n].fd);
}

int main(void)
{
    const struct whittle_flow_edge over_tcp = an_edge(&list_type, WHITTLE_FLOW_TCP), over_unix = an_edge(&list_type, WHITTLE_FLOW_UNIX);
    const unsigned long turns = setting("WHITTLE_FUZZ_TURNS", 500);
    seed_numbers(88172645463325252u ^ setting("WHITTLE_FUZZ_SEED", 1) * 2654435761u);
    receivers(&over_tcp, turns);
    receivers(&over_unix, turns);
    struct whittle_flow_edge apart = over_tcp;
    apart.host = own_host();
    senders(&apart, turns / 5);
    return 0;
}
