/* SPDX-License-Identifier: MIT-0 */
/*
 * How packets of an edge stand in the stream. In goes the edge, out come the bytes before each packet (a stamp; a length
 * where the packet is encoded) and what it is padded to, so that each packet in the ring, and in the receiver's, stands
 * as aligned as its type asks for; and the size of a record that stands in the ring.
 */
#include "internal.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

static uint32_t whittle_flow_up(uint64_t bytes, uint32_t to)
{
    return (uint32_t)((bytes + to - 1) / to * to);
}

void whittle_flow_layout(struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_type *const type = edge->type;
    if (type->fixed == 0) {
        link->align = 4;
        link->prefix = (edge->stamped ? 8u : 0u) + 4u;
        link->record = whittle_flow_up((uint64_t)link->prefix + type->largest, link->align);
        link->stride = 0;
    } else {
        link->align = type->alignment > 0 ? type->alignment : 1;
        link->prefix = !edge->stamped ? 0 : link->align > 8 ? link->align : 8;
        link->record = whittle_flow_up((uint64_t)link->prefix + type->size, link->align);
        link->stride = type->used == NULL ? link->record : 0;
    }
    if (whittle_flow_transport_of(edge)->shared)
        link->stride = 1;   /* shared rings count slots */
    if (link->functions != NULL)
        link->stride = 0;   /* a message each */
}

/* The bytes of a record in the sender's ring, with its padding; 0 where it makes no sense. */
uint64_t whittle_flow_record_bytes(const struct whittle_flow_link *link, const unsigned char *record)
{
    const struct whittle_flow_type *const type = link->edge->type;
    uint32_t bytes = type->size;
    if (type->fixed == 0) {
        memcpy(&bytes, record + link->prefix - 4, 4);
        bytes = le32toh(bytes);
        if (bytes == 0 || bytes > type->largest)
            return 0;
    } else if (type->used != NULL) {
        bytes = type->used(record + link->prefix);
        if (bytes < type->fixed || bytes > type->size)
            return 0;
    }
    return whittle_flow_up((uint64_t)link->prefix + bytes, link->align);
}

/* Whether a packet whose counts are within their bounds is a value of its type. */
bool whittle_flow_is_valid(const struct whittle_flow_type *type, const void *packet)
{
    return type->valid == NULL || type->valid(packet);
}

/* A packet's bytes as packets of its type travel; 0: at fault. */
uint64_t whittle_flow_write_as(const struct whittle_flow_type *type, unsigned char *body, const void *packet)
{
    if (type->fixed == 0) {
        const size_t bytes = type->encode(packet, body, type->largest);
        return bytes > type->largest || !whittle_flow_is_valid(type, packet) ? 0 : bytes;
    }
    const uint64_t bytes = type->used != NULL ? type->used(packet) : type->size;
    if (bytes < type->fixed || bytes > type->size || !whittle_flow_is_valid(type, packet))
        return 0;
    if (packet != body)
        memcpy(body, packet, bytes);
    return bytes;
}

/* The packet's bytes as they travel over an edge, without what stands before them; 0: at fault. */
uint64_t whittle_flow_write_body(const struct whittle_flow_link *link, unsigned char *body, const void *packet)
{
    if (link->written == NULL || link->written->packet != packet)
        return whittle_flow_write_as(link->edge->type, body, packet);
    memcpy(body, link->written->body, link->written->bytes);
    return link->written->bytes;
}

unsigned char *whittle_flow_ring_place(const struct whittle_flow_link *link, uint64_t position)
{
    return link->ring.data + position % link->ring.size;
}

/* Where a packet stands, in either form; zeroed. NULL: there is no memory. */
void *whittle_flow_packet_memory(const struct whittle_flow_type *type)
{
    const size_t alignment = type->alignment > sizeof(void *) ? type->alignment : sizeof(void *), size = type->largest > type->size ? type->largest : type->size;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment, size) != 0)
        return NULL;
    return memset(memory, 0, size);
}

/*
 * The stage's view of a link that a channel carries: a sender's packets are written into memory of the link's own and sent one by one,
 * a receiver's are looked for one by one.
 */
bool whittle_flow_channel_view(struct whittle_flow_link *link)
{
    if ((link->private = whittle_flow_packet_memory(link->edge->type)) == NULL)
        return false;
    if (link->sender != NULL) {
        link->sender->at = &link->zero;
        link->sender->base = (uintptr_t)link->private;
    } else {
        link->receiver->at = link->at;
        link->receiver->limit = 0;
    }
    return true;
}
