/* SPDX-License-Identifier: MIT-0 */
/*
 * What a sender keeps until the server says that it has it: slots in a file NUMBER.kept of the flow's directory, mapped,
 * so that they outlive the process. In goes a packet's number, out comes its slot. A later process of an edge that blocks
 * goes on with them. An edge that drops the oldest takes packets out of the middle, and keeps an order beside.
 */
#include "transport.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WHITTLE_FLOW_NATS_KEPT_HEAD = 64, WHITTLE_FLOW_NATS_KEPT_MOST = 1024, WHITTLE_FLOW_NATS_KEPT_BYTES = 16 * 1024 * 1024 };

/* The largest message, without its headers. */
uint64_t whittle_flow_nats_largest(const struct whittle_flow_link *link)
{
    const struct whittle_flow_type *const type = link->edge->type;
    return (link->edge->stamped ? 8u : 0u) + (uint64_t)(type->fixed != 0 ? type->size : type->largest);
}

/* The bound of packets that may wait; a bound of bytes holds for packets of the largest size. 0: bytes are counted. */
uint64_t whittle_flow_nats_items(const struct whittle_flow_edge *edge)
{
    const uint64_t one = edge->type->fixed != 0 ? edge->type->size : edge->type->largest;
    if (edge->queue_items == 0 && edge->queue_bytes == 0)
        return WHITTLE_FLOW_QUEUE / one > 4 ? WHITTLE_FLOW_QUEUE / one : 4;
    if (edge->queue_items > 0 || edge->full == WHITTLE_FLOW_DROP_OLDEST)
        return edge->queue_items;
    return edge->queue_bytes > one ? edge->queue_bytes / one : 1;
}

static uint64_t whittle_flow_nats_slots(const struct whittle_flow_nats_link *own, uint64_t stride)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    uint64_t slots = WHITTLE_FLOW_NATS_KEPT_BYTES / stride;
    slots = slots > WHITTLE_FLOW_NATS_KEPT_MOST ? WHITTLE_FLOW_NATS_KEPT_MOST : slots < 2 ? 2 : slots;
    const uint64_t items = whittle_flow_nats_items(edge);
    slots = items > 0 && items < slots ? items : slots;
    /* Where the oldest may go: half wait for an answer, half to be published, and one is written. */
    return edge->full == WHITTLE_FLOW_DROP_OLDEST ? 2 * slots + 1 : slots;
}

static bool whittle_flow_nats_kept_map(struct whittle_flow_nats_link *own, uint64_t slots, uint64_t stride)
{
    char name[32];
    snprintf(name, sizeof name, "%u.kept", own->link->edge->number);
    const int fd = openat(own->link->loop->directory_fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    own->kept_bytes = WHITTLE_FLOW_NATS_KEPT_HEAD + (size_t)(slots * stride);
    void *memory = MAP_FAILED;
    int problem = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)own->kept_bytes);
    if (problem == 0) {
        memory = mmap(NULL, own->kept_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        problem = memory == MAP_FAILED ? errno : 0;
    }
    if (fd >= 0)
        close(fd);
    if (problem != 0) {
        whittle_flow_log(own->link, "%s/%s, for what the server has not said to have, cannot be made: %s: give more room, a shorter "
            "queue, or another --dir", own->link->loop->directory, name, strerror(problem));
        return false;
    }
    own->kept = memory;
    return true;
}

bool whittle_flow_nats_kept_open(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const struct whittle_flow_ledger *const page = link->page;
    const uint64_t stride = (sizeof(struct whittle_flow_nats_slot) + whittle_flow_nats_largest(link) + 63) / 64 * 64;
    const uint64_t slots = whittle_flow_nats_slots(own, stride);
    if (!whittle_flow_nats_kept_map(own, slots, stride))
        return false;
    struct whittle_flow_nats_kept *const kept = own->kept;
    const bool ours = memcmp(kept->magic, "whtkept1", 8) == 0 && kept->run == page->stream && kept->slots == slots && kept->stride == stride;
    *kept = (struct whittle_flow_nats_kept){{'w', 'h', 't', 'k', 'e', 'p', 't', '1'}, page->stream, slots, stride};
    own->acknowledged = own->next = whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED);
    own->end = whittle_flow_counter(page, WHITTLE_FLOW_QUEUED) - whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST) - whittle_flow_counter(page, WHITTLE_FLOW_ABANDONED);
    if (link->edge->full == WHITTLE_FLOW_DROP_OLDEST) {
        own->order = calloc(slots, sizeof *own->order);
        for (uint32_t n = 0; own->order != NULL && n < slots; n++)
            own->order[n] = n;
        if (own->order == NULL)
            return false;
    }
    if (!ours || own->order != NULL || own->end - own->acknowledged > slots)
        own->crashed = own->end;
    return true;
}

void whittle_flow_nats_kept_close(struct whittle_flow_nats_link *own, bool ended)
{
    char name[32];
    snprintf(name, sizeof name, "%u.kept", own->link->edge->number);
    if (own->kept != NULL)
        munmap(own->kept, own->kept_bytes);
    if (ended)
        unlinkat(own->link->loop->directory_fd, name, 0);
    own->kept = NULL;
    free(own->order);
}

struct whittle_flow_nats_slot *whittle_flow_nats_slot(const struct whittle_flow_nats_link *own, uint64_t number)
{
    const uint64_t place = number % own->kept->slots, slot = own->order != NULL ? own->order[place] : place;
    return (struct whittle_flow_nats_slot *)(void *)((char *)own->kept + WHITTLE_FLOW_NATS_KEPT_HEAD + slot * own->kept->stride);
}

/* The oldest that has not been published goes; those behind it move up, and its slot is the next to be used. */
void whittle_flow_nats_drop_waiting(struct whittle_flow_nats_link *own)
{
    const uint64_t slots = own->kept->slots, sent = whittle_flow_counter(own->link->page, WHITTLE_FLOW_SENT);
    const uint32_t free_slot = own->order[sent % slots];
    for (uint64_t n = sent; n + 1 < own->end; n++)
        own->order[n % slots] = own->order[(n + 1) % slots];
    own->order[(own->end - 1) % slots] = free_slot;
    own->end--;
    whittle_flow_drop_sample(own->link, sent);
    whittle_flow_count(own->link, WHITTLE_FLOW_FULL_OLDEST, 1);
}
