/* SPDX-License-Identifier: MIT-0 */
/*
 * Shared memory between two processes of one machine: a nameless ring of slots that the sender makes, seals against
 * change of size, and passes over the edge's socket, so that nothing stays behind when both are gone. The socket is the
 * bell for who sleeps, and its end is the peer's death. Source: the ring of one producer and one consumer with each
 * side's index on lines of its own.
 */
#include "internal.h"
#include "../net/sealed.h"
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(offsetof(struct whittle_flow_shared, taken) == 128 && sizeof(struct whittle_flow_shared) == 256, "lines of 128 bytes");

static uint64_t whittle_flow_slot_stride(const struct whittle_flow_type *type)
{
    const uint64_t body = type->fixed == 0 ? type->largest : type->size;
    return (body + WHITTLE_FLOW_SLOT_HEAD + 15) / 16 * 16;
}

static bool whittle_flow_shared_make(struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const uint64_t by_bytes = edge->queue_bytes / link->slot_stride;
    const uint64_t usual = WHITTLE_FLOW_QUEUE / link->slot_stride > 4 ? WHITTLE_FLOW_QUEUE / link->slot_stride : 4;
    uint64_t items = edge->queue_items > 0 ? edge->queue_items : usual;
    if (edge->queue_bytes > 0 && (edge->queue_items == 0 || by_bytes < items))
        items = by_bytes > 0 ? by_bytes : 1;
    link->queue_items = items;
    link->slot_count = items + 1;
    if (link->slot_count > UINT32_MAX || link->slot_count > (SIZE_MAX / 2 - WHITTLE_FLOW_SHARED_HEAD) / link->slot_stride) {
        errno = ENOMEM;
        return false;
    }
    link->shared_bytes = WHITTLE_FLOW_SHARED_HEAD + (size_t)(link->slot_count * link->slot_stride);
    link->shared_fd = whittle_net_sealed_make(link->shared_bytes, false);
    if (link->shared_fd < 0)
        return false;
    void *const all = mmap(NULL, link->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, link->shared_fd, 0);
    if (all == MAP_FAILED)
        return false;
    link->shared = all;
    link->slots = (unsigned char *)all + WHITTLE_FLOW_SHARED_HEAD;
    link->seen = whittle_flow_position(link);
    link->shared->head = link->seen;
    link->shared->taken = link->seen << 1;
    return true;
}

bool whittle_flow_shared_open(struct whittle_flow_link *link)
{
    const struct whittle_flow_type *const type = link->edge->type;
    const size_t body = type->largest > type->size ? type->largest : type->size;
    link->slot_stride = whittle_flow_slot_stride(type);
    link->oldest = link->edge->full == WHITTLE_FLOW_DROP_OLDEST;
    link->private = calloc(1, type->size);
    if (link->private == NULL)
        return false;
    if (link->receiver != NULL) {
        /* What came is copied here before anybody looks at it. */
        link->receiver->at = &link->zero;
        whittle_flow_trace_beginning(link);
        return whittle_flow_ring_open(&link->ring, body);
    }
    if (!whittle_flow_shared_make(link))
        return false;
    link->crashed = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT);
    link->queue_bytes = UINT64_MAX;
    link->retained.count = link->crashed;
    link->sender->at = &link->zero;
    whittle_flow_shared_room(link);
    whittle_flow_trace_beginning(link);
    return true;
}

void whittle_flow_shared_close(struct whittle_flow_link *link)
{
    if (link->shared != NULL)
        munmap(link->shared, link->shared_bytes);
    if (link->shared_fd >= 0)
        close(link->shared_fd);
    link->shared = NULL;
    link->shared_fd = -1;
}

unsigned char *whittle_flow_slot(const struct whittle_flow_link *link, uint64_t number)
{
    return link->slots + number % link->slot_count * link->slot_stride;
}

/* Passes the ring, and where its stream begins. */
bool whittle_flow_shared_pass(const struct whittle_flow_link *link, int fd, const struct whittle_flow_start *start)
{
    return whittle_net_pass(fd, start, sizeof *start, link->shared_fd);
}

/* A ring that came: of the size that was said, and sealed, so that it cannot shrink while it is mapped. */
static bool whittle_flow_shared_map(struct whittle_flow_link *link, int memory)
{
    const uint64_t count = le32toh(link->hello.slots), stride = le32toh(link->hello.stride);
    if (count < 2 || count > (SIZE_MAX / 2 - WHITTLE_FLOW_SHARED_HEAD) / link->slot_stride || stride != link->slot_stride)
        return false;
    const size_t size = (size_t)(WHITTLE_FLOW_SHARED_HEAD + count * stride);
    if (!whittle_net_sealed_is(memory, size))
        return false;
    void *const all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (all == MAP_FAILED)
        return false;
    if (link->shared != NULL)
        munmap(link->shared, link->shared_bytes);
    link->shared = all;
    link->shared_bytes = size;
    link->slots = (unsigned char *)all + WHITTLE_FLOW_SHARED_HEAD;
    link->slot_count = count;
    link->broken = false;
    return true;
}

/* False: it has not come yet, or what came was no good and the connection is closed. */
bool whittle_flow_shared_accept(struct whittle_flow_link *link, struct whittle_flow_start *start)
{
    int memory = -1;
    const ssize_t came = whittle_net_take(link->fd, start, sizeof *start, &memory);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    const bool done = came == sizeof *start && memory >= 0 && whittle_flow_shared_map(link, memory);
    if (memory >= 0)
        close(memory);
    if (!done)
        whittle_flow_break(link, came == 0 ? "closed by the sender" : "it passed no memory of the right size", came != 0);
    return done;
}

/*
 * A receiver has come, which has had `came` packets, or does not know: where its stream begins. An earlier one may have
 * died between taking a packet and saying so in the ring. With the lock held.
 */
bool whittle_flow_shared_resume(struct whittle_flow_link *link, bool known, uint64_t *came, struct whittle_flow_place *place)
{
    const uint64_t taken = __atomic_load_n(&link->shared->taken, __ATOMIC_ACQUIRE) >> 1, at = whittle_flow_position(link);
    const uint64_t seen = __atomic_load_n(&link->seen, __ATOMIC_RELAXED), slot = taken >= seen && taken <= at ? taken : seen;
    *place = (struct whittle_flow_place){whittle_flow_shared_sequence(link, slot), slot};
    /* Who knows nothing of the stream: earlier receivers had what they took; of what an earlier process sent, what it heard of. */
    if (!known) {
        __atomic_store_n(&link->shared->end_heard, 0, __ATOMIC_SEQ_CST);
        *came = place->count > link->crashed ? place->count : whittle_flow_counter(link->page, WHITTLE_FLOW_ACKNOWLEDGED);
    }
    if (*came == place->count + 1 && slot < at)
        *place = (struct whittle_flow_place){*came, slot + 1};
    link->retained.count = place->count;
    /* An earlier receiver may have written anything there: all that both look at is written anew. */
    __atomic_store_n(&link->seen, slot, __ATOMIC_RELAXED);
    __atomic_store_n(&link->shared->copying, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->shared->head, at, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->shared->ended, link->ended, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->shared->receiver_sleeps, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->shared->taken, place->bytes << 1, __ATOMIC_SEQ_CST);
    return *came <= place->count;
}
