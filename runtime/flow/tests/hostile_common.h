/* Peers of an edge that is lied to: the honest ones beside, and sockets that take whatever comes. */
#ifndef HOSTILE_COMMON_H
#define HOSTILE_COMMON_H
#include "common.h"
#include "../internal.h"
#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/un.h>

enum { HONEST = 500 };

/* Writes what it can; the other side may close at any time. */
static void put(int fd, const void *bytes, size_t count)
{
    if (send(fd, bytes, count, MSG_NOSIGNAL) < 0)
        return;
}

/* Until the other side has closed. */
static void await_close(int fd)
{
    char rest[256];
    while (recv(fd, rest, sizeof rest, 0) > 0)
        ;
    close(fd);
}

/* A process that has the key, and does with it what it likes. */
struct peer {
    int fd;
    struct whittle_flow_session *session;   /* NULL: the socket is a local one */
    struct whittle_flow_challenge opening, challenge;
};
#define SEALED(peer, kind, message) seal(peer, kind, &(message), offsetof(__typeof__(message), tag), NULL, 0, (message).tag)

__attribute__((unused)) static void seal(struct peer *peer, enum whittle_flow_message kind, const void *head, size_t head_bytes, const void *body,
    size_t body_bytes, uint8_t *tag)
{
    CHECK(peer->session == NULL || whittle_flow_keyed.seal(peer->session, kind, head, head_bytes, body, body_bytes, tag), "tag");
}

/* The test's own look at the key, which a process of the flow has made in the directory. */
__attribute__((unused)) static struct whittle_flow_event_loop *key_holder(const char *key_file)
{
    static struct whittle_flow_process process = {.flow = "test", .name = "peer", .security = &whittle_flow_keyed};
    struct whittle_flow_event_loop *const loop = calloc(1, sizeof *loop);
    loop->process = &process;
    loop->key_file = key_file;
    loop->directory_fd = open(place_name(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    snprintf(loop->directory, sizeof loop->directory, "%s", place_name());
    CHECK(whittle_flow_keyed.open(loop), "key");
    return loop;
}

__attribute__((unused)) static void key_drop(struct whittle_flow_event_loop *loop)
{
    whittle_flow_keyed.close(loop);
    close(loop->directory_fd);
    free(loop);
}

/* Connects to the edge's receiver. */
__attribute__((unused)) static int dial(const struct whittle_flow_edge *edge)
{
    struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + whittle_flow_socket_number(edge)))};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    tcp.sin_addr.s_addr = edge->host != NULL ? inet_addr(edge->host) : htonl(INADDR_LOOPBACK);
    snprintf(local.sun_path, sizeof local.sun_path, "%s/%u.socket", place_name(), whittle_flow_socket_number(edge));
    for (int turn = 0; turn < 60000; turn++) {
        const bool over_tcp = edge->transport == WHITTLE_FLOW_TCP;
        const int fd = socket(over_tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, over_tcp ? (struct sockaddr *)&tcp : (struct sockaddr *)&local, over_tcp ? sizeof tcp : sizeof local) == 0)
            return fd;
        close(fd);
        sleep_ms(1);
    }
    CHECK(false, "nobody listens");
    return -1;
}

/* Connects, and proves over TCP that it has the key; false: it was not believed. */
__attribute__((unused)) static bool prove(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge, struct peer *peer)
{
    *peer = (struct peer){.fd = dial(edge)};
    if (edge->transport != WHITTLE_FLOW_TCP)
        return true;
    CHECK(whittle_flow_keyed.challenge(holder, WHITTLE_FLOW_CONNECTOR, NULL, &peer->opening), "challenge");
    put(peer->fd, &peer->opening, sizeof peer->opening);
    if (recv(peer->fd, &peer->challenge, sizeof peer->challenge, MSG_WAITALL) != sizeof peer->challenge)
        return false;
    CHECK(whittle_flow_keyed.proves(holder, WHITTLE_FLOW_ACCEPTOR, &peer->opening, &peer->challenge), "the receiver's proof");
    peer->session = whittle_flow_keyed.begin(holder, WHITTLE_FLOW_CONNECTOR, &peer->opening, &peer->challenge);
    return true;
}

__attribute__((unused)) static size_t stride_of(const struct whittle_flow_edge *edge)
{
    return ((edge->type->fixed != 0 ? edge->type->size : edge->type->largest) + 31) / 16 * 16;
}

/* A hello of a sender whose stream is new. */
__attribute__((unused)) static void fit_hello(const struct whittle_flow_edge *edge, struct whittle_flow_hello *hello)
{
    static uint64_t streams;
    struct whittle_flow_ledger page = {.stream = ++streams};
    const struct whittle_flow_link link = {.edge = edge, .page = &page, .window = 1000, .slot_count = 65, .slot_stride = stride_of(edge)};
    whittle_flow_hello_write(&link, hello);
}

__attribute__((unused)) static void hang_up(struct peer *peer)
{
    await_close(peer->fd);
    if (peer->session != NULL)
        whittle_flow_keyed.end(peer->session);
}

__attribute__((unused)) static int sink(const void *argument)
{
    const struct whittle_flow_edge *const edge = argument;
    struct end end;
    const void *packet;
    begin_receiver(&end, edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL)
        if (edge->type->used != NULL)
            CHECK(edge->type->used(packet) != 0, "a packet over its bounds");
    return whittle_flow_end(&end.process);
}

__attribute__((unused)) static int honest(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < HONEST; n++) {
        struct list *const list = whittle_flow_room(&end.sender);
        list->used = 3;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

/* A process of so many edges like this one, numbered from 3 on. */
__attribute__((unused)) static void begin_many_senders(struct whittle_flow_process *process, struct whittle_flow_sender **all, int count,
    const struct whittle_flow_edge *like)
{
    struct whittle_flow_edge *const edges = calloc((size_t)count, sizeof *edges);
    struct whittle_flow_sender *const senders = calloc((size_t)count, sizeof *senders);
    static char name[] = "many";
    char *arguments[] = {name, NULL};
    for (int n = 0; n < count; n++) {
        edges[n] = *like;
        edges[n].number = (uint16_t)(3 + n);
        senders[n].edge = &edges[n];
        all[n] = &senders[n];
    }
    *process = (struct whittle_flow_process){
        .flow = "test", .name = name, .security = &whittle_flow_keyed, .senders = all, .sender_count = (size_t)count};
    CHECK(whittle_flow_begin(process, 1, arguments), "many");
}
#endif
