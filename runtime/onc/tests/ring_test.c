/* SPDX-License-Identifier: MIT-0 */
/*
 * Bytes through shared memory arrive as they were sent: short pieces, which stand beside the index, and long ones, in every order, while
 * the reader keeps up and while it does not, around the end of the ring and of the index.
 */
#include "check.h"
#include "../../net/memory.h"
#include "../../net/sealed.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { RING = 4096, BYTES = 8 * 1024 * 1024, LONGEST = 6000 };

static uint32_t random_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static char byte_at(size_t at)
{
    return (char)((at * 2654435761u) >> 16);
}

/* Both sides' streams over one memory, whose indices begin there. */
static void both_streams(struct whittle_net_stream *sender, struct whittle_net_stream *receiver, uint32_t begin)
{
    const struct whittle_net_memory_hello hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = RING, .replies = RING};
    const int memory = whittle_net_sealed_make(whittle_net_memory_size(RING, RING), true);
    int sockets[2];
    CHECK(memory >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    *sender = (struct whittle_net_stream){.ops = &whittle_net_memory_ops, .fd = sockets[0]};
    *receiver = (struct whittle_net_stream){.ops = &whittle_net_memory_ops, .fd = sockets[1]};
    const int again = dup(memory);
    CHECK(whittle_net_memory_map(sender, memory, &hello, false) && whittle_net_memory_map(receiver, again, &hello, true));
    struct whittle_net_ring *const rings[2] = {&sender->memory->out, &receiver->memory->in};
    for (int side = 0; side < 2; side++)
        rings[side]->at = rings[side]->published = rings[side]->seen = begin;
    rings[0]->shared->head = rings[0]->shared->tail = begin;
}

static void close_both(struct whittle_net_stream *sender, struct whittle_net_stream *receiver)
{
    struct whittle_net_stream *const streams[2] = {sender, receiver};
    for (int side = 0; side < 2; side++) {
        streams[side]->ops->end(streams[side]);
        close(streams[side]->fd);
    }
}

/* Most pieces are as short as calls are. */
static size_t size_of_piece(uint32_t *state)
{
    const uint32_t kind = random_of(state) % 16;
    return 1 + random_of(state) % (kind < 10 ? 60 : kind < 15 ? 200 : LONGEST);
}

static void *send_all(void *opaque)
{
    struct whittle_net_stream *const stream = (struct whittle_net_stream *)opaque;
    static char bytes[LONGEST];
    uint32_t state = 7;
    for (size_t at = 0; at < BYTES;) {
        const size_t wanted = size_of_piece(&state), size = wanted < BYTES - at ? wanted : BYTES - at, first = random_of(&state) % size;
        for (size_t byte = 0; byte < size; byte++)
            bytes[byte] = byte_at(at + byte);
        struct iovec pieces[2] = {{bytes, first == 0 || state % 8 != 0 ? size : first}, {bytes + first, size - first}};
        const ssize_t sent = stream->ops->send(stream, pieces, pieces[0].iov_len == size ? 1 : 2, MSG_DONTWAIT);
        CHECK(sent > 0 || errno == EAGAIN);
        at += sent > 0 ? (size_t)sent : 0;
    }
    return NULL;
}

static void all_arrives(uint32_t begin)
{
    struct whittle_net_stream sender, receiver;
    pthread_t thread;
    char bytes[LONGEST + 64];
    uint32_t state = 3;
    both_streams(&sender, &receiver, begin);
    CHECK(pthread_create(&thread, NULL, send_all, &sender) == 0);
    for (size_t at = 0; at < BYTES;) {
        const size_t room = 1 + random_of(&state) % LONGEST;
        memset(bytes + room, 77, 64);
        const ssize_t came = receiver.ops->receive(&receiver, bytes, room, MSG_DONTWAIT);
        CHECK(came > 0 || errno == EAGAIN);
        for (ssize_t byte = 0; byte < came; byte++)
            CHECK(bytes[byte] == byte_at(at + (size_t)byte));
        for (int byte = 0; byte < 64; byte++)
            CHECK(bytes[room + (size_t)byte] == 77);
        at += came > 0 ? (size_t)came : 0;
        for (uint32_t look = random_of(&state) % 8 == 0 ? random_of(&state) % 4000 : 0; look > 0; look--)
            whittle_net_relax();
    }
    pthread_join(thread, NULL);
    close_both(&sender, &receiver);
}

/* What stands beside the index is what is read, as long as its mark is right: a call moves one line. */
static void short_ones_stand_beside(void)
{
    struct whittle_net_stream sender, receiver;
    char sent[44], got[256];
    struct iovec piece = {sent, sizeof sent};
    both_streams(&sender, &receiver, 0xfffffff0u);
    for (uint32_t round = 0; round < 4; round++) {
        memset(sent, (int)('a' + round), sizeof sent);
        CHECK(sender.ops->send(&sender, &piece, 1, MSG_DONTWAIT) == (ssize_t)sizeof sent);
        struct whittle_net_ring *const in = &receiver.memory->in;
        char *const own = in->bytes + (in->at & (in->size - 1));
        CHECK(in->shared->mark == in->shared->head && in->shared->count == sizeof sent);
        if (round == 1)         /* the ring's own bytes are not looked at */
            own[0] = 'x';
        if (round == 2)         /* no longer the index's */
            in->shared->mark ^= 0x80000000u;
        if (round == 3)         /* none that can be */
            in->shared->count = 0xffffffffu;
        if (round > 1)
            own[0] = 'y';
        CHECK(receiver.ops->receive(&receiver, got, sizeof got, MSG_DONTWAIT) == (ssize_t)sizeof sent);
        CHECK(got[0] == (round > 1 ? 'y' : (char)('a' + round)) && memcmp(got + 1, sent + 1, sizeof sent - 1) == 0);
    }
    close_both(&sender, &receiver);
}

int main(void)
{
    short_ones_stand_beside();
    all_arrives(0);
    all_arrives(0xfff00000u);
    all_arrives(0x7ff00000u);
    return 0;
}
