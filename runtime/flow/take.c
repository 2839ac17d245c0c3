/* SPDX-License-Identifier: MIT-0 */
/*
 * From bytes that came to one packet: where the stream begins, heads of batches, records in them. Every number that a
 * peer said is looked at before it is used; what makes no sense ends the connection. Packets of one size that need no
 * look are laid open to whittle_flow_receive all at once. On the stage's thread.
 */
#include "internal.h"
#include <endian.h>
#include <stddef.h>
#include <string.h>

static unsigned char *whittle_flow_come(struct whittle_flow_link *link)
{
    return link->ring.data + link->parsed % link->ring.size;
}

/* What whittle_flow_receive has taken by itself. */
static void whittle_flow_catch_up(struct whittle_flow_link *link)
{
    const uint64_t moved = whittle_flow_position(link) - link->seen_at;
    link->parsed += moved;
    link->batch_left -= moved;
    link->seen_at = whittle_flow_position(link);
}

/* False: broken. */
bool whittle_flow_take_start(struct whittle_flow_link *link, const struct whittle_flow_start *start)
{
    struct whittle_flow_ledger *const page = link->page;
    const uint64_t count = le64toh(start->count), bytes = le64toh(start->bytes), stream = le64toh(link->hello.stream), taken = whittle_flow_ledger_taken(page);
    const bool known = page->stream == stream;
    if (whittle_flow_filter_unwanted(link, start))
        return false;
    if (count > WHITTLE_FLOW_POSITION_MOST || bytes > WHITTLE_FLOW_POSITION_MOST) {
        whittle_flow_break(link, "it begins where no stream can be", true);
        return false;
    }
    if (known && count < taken) {
        whittle_flow_break(link, "it begins with packets that came before", true);
        return false;
    }
    const uint64_t skipped = known ? whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED) + count - taken : count;
    const struct whittle_flow_jump jump = {stream, count, bytes, skipped, known ? whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN) : 0};
    whittle_flow_jump(link, &jump);
    link->seen_at = bytes;
    link->acknowledged = (struct whittle_flow_place){count, bytes};
    whittle_flow_trace(link, "reads start count=%llu skipped=%llu", (unsigned long long)count,
        (unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED));
    /* What was acknowledged may have been lost with the earlier connection, and the sender's window be full of it: said again. */
    if (known)
        link->acknowledged = (struct whittle_flow_place){count - WHITTLE_FLOW_POSITION_MOST, bytes - link->window};
    link->start_due = false;
    return true;
}

/* The connection's bytes are not its peer's. */
static void whittle_flow_altered(struct whittle_flow_link *link)
{
    whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
    whittle_flow_break(link, "what came is not what its sender sent: somebody alters the bytes", false);
}

/* True for a batch of a size that its sender has credit for: who waited for more than that would wait for ever. */
static bool whittle_flow_may_be_sent(const struct whittle_flow_link *link)
{
    const uint64_t since = whittle_flow_ledger_taken(link->page) - link->acknowledged.count;
    /* Nothing has been acknowledged over this connection but the answer: see whittle_flow_take_start. */
    const uint64_t unsaid = since >= WHITTLE_FLOW_POSITION_MOST ? since - WHITTLE_FLOW_POSITION_MOST : since;
    const uint64_t most = unsaid < link->credit ? link->credit - unsaid : 0;
    return link->batch_left <= whittle_flow_sealed_most(link) && link->batch_left % link->align == 0
        && (link->stride == 0 || link->credit == UINT64_MAX || link->batch_left / link->stride <= most);
}

/* The head of a batch has come. Nothing of it is trusted before its tag has been compared, but how much belongs to it. */
static bool whittle_flow_take_head(struct whittle_flow_link *link)
{
    memcpy(&link->batch, whittle_flow_come(link), sizeof link->batch);
    link->parsed += sizeof link->batch;
    link->batch_left = le32toh(link->batch.bytes);
    link->unverified = true;
    whittle_flow_expect_rest(link);
    if (link->session == NULL || whittle_flow_may_be_sent(link))
        return true;
    whittle_flow_altered(link);
    return false;
}

/* Compares the batch's tag, once all of it has come, and looks at its head. False: more must come, or the connection is closed. */
static bool whittle_flow_take_batch(struct whittle_flow_link *link, uint64_t come)
{
    const uint32_t flags = le32toh(link->batch.flags);
    if (link->session != NULL && come < link->batch_left)
        return false;
    if (!whittle_flow_verify(link, link->session, WHITTLE_FLOW_BATCH, &link->batch, offsetof(struct whittle_flow_batch, tag), whittle_flow_come(link),
            link->batch_left, link->batch.tag)) {
        whittle_flow_altered(link);
        return false;
    }
    link->unverified = false;
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, 1);
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, link->batch_left + sizeof link->batch);
    link->batch_ends = flags == WHITTLE_FLOW_END;
    const bool sound = link->batch_left % link->align == 0 && (link->stride == 0 || link->batch_left % link->stride == 0)
        && (flags == 0 ? link->batch_left > 0 : flags == WHITTLE_FLOW_END && link->batch_left == 0)
        && whittle_flow_position(link) <= 2 * WHITTLE_FLOW_POSITION_MOST;
    if (!sound)
        whittle_flow_break(link, "it sent a batch that cannot be", true);
    else if (!link->edge->stamped && link->batch.born != 0)
        whittle_flow_latency(link, le64toh(link->batch.born));
    return sound;
}

/* The bytes of the record that stands next: 0: more must come; UINT64_MAX: none can stand there. */
static uint64_t whittle_flow_measure(const struct whittle_flow_link *link, const unsigned char *record, uint64_t come, uint64_t *bytes)
{
    const struct whittle_flow_type *const type = link->edge->type;
    const uint64_t least = type->fixed == 0 ? link->prefix : link->prefix + (uint64_t)(type->used != NULL ? type->fixed : type->size);
    *bytes = type->size;
    if (link->batch_left < least)
        return UINT64_MAX;
    if (come < least)
        return 0;
    if (type->fixed == 0) {
        uint32_t length;
        memcpy(&length, record + link->prefix - 4, 4);
        *bytes = le32toh(length);
        if (*bytes == 0 || *bytes > type->largest)
            return UINT64_MAX;
    } else if (type->used != NULL) {
        *bytes = type->used(record + link->prefix);
        if (*bytes < type->fixed || *bytes > type->size)
            return UINT64_MAX;
    }
    const uint64_t total = (link->prefix + *bytes + link->align - 1) / link->align * link->align;
    return total > link->batch_left ? UINT64_MAX : total > come ? 0 : total;
}

/*
 * Whole packets of the batch that have come, for whittle_flow_receive to take by itself but for the first, which is returned:
 * all, but no more than what is acknowledged at a time, whatever the batch holds.
 */
static const void *whittle_flow_lay_open(struct whittle_flow_link *link, uint64_t come)
{
    const void *const first = whittle_flow_come(link);
    struct whittle_flow_receiver *const receiver = link->receiver;
    const uint64_t bytes = whittle_flow_part(link->window) / link->stride + 1, items = whittle_flow_part(link->credit), step = bytes < items ? bytes : items;
    const uint64_t count = come / link->stride, whole = (count < step ? count : step) * link->stride;
    receiver->base = (uintptr_t)whittle_flow_come(link) - (uintptr_t)whittle_flow_position(link);
    receiver->limit = whittle_flow_position(link) + whole;
    __atomic_store_n(receiver->at, whittle_flow_position(link) + receiver->step, __ATOMIC_RELAXED);
    return first;
}

/* Whether another whole packet has come behind the one in hand. Of a batch that was not looked at, its head says so. */
bool whittle_flow_stream_follows(const struct whittle_flow_link *link)
{
    const uint64_t come = link->filled - link->parsed, of_batch = come < link->batch_left ? come : link->batch_left;
    const unsigned char *const at = link->ring.data + link->parsed % link->ring.size;
    uint64_t bytes;
    if (link->fd < 0 || link->heard_end || link->unverified)
        return false;
    if (link->batch_left > 0) {
        const uint64_t total = whittle_flow_measure(link, at, of_batch, &bytes);
        return total != 0 && total != UINT64_MAX;
    }
    struct whittle_flow_batch head;
    if (come < sizeof head)
        return false;
    memcpy(&head, at, sizeof head);
    return le32toh(head.flags) == 0 && le32toh(head.bytes) > 0 && come - sizeof head >= le32toh(head.bytes);
}

enum whittle_flow_have whittle_flow_look(struct whittle_flow_link *link, const void **packet)
{
    whittle_flow_catch_up(link);
    for (;;) {
        uint64_t come = link->filled - link->parsed, bytes;
        if (link->heard_end)
            return WHITTLE_FLOW_OVER;
        if (link->fd < 0)
            return WHITTLE_FLOW_NOTHING;
        if (link->start_due) {
            struct whittle_flow_start start;
            if (come < sizeof start)
                return WHITTLE_FLOW_NOTHING;
            memcpy(&start, whittle_flow_come(link), sizeof start);
            link->parsed += sizeof start;
            if (!whittle_flow_verify(link, link->session, WHITTLE_FLOW_START, &start, offsetof(struct whittle_flow_start, tag), NULL, 0, start.tag)) {
                whittle_flow_altered(link);
                return WHITTLE_FLOW_NOTHING;
            }
            if (!whittle_flow_take_start(link, &start))
                return WHITTLE_FLOW_NOTHING;
            continue;
        }
        if (link->batch_left == 0 && !link->unverified) {
            if (come < sizeof(struct whittle_flow_batch) || !whittle_flow_take_head(link))
                return WHITTLE_FLOW_NOTHING;
            come -= sizeof(struct whittle_flow_batch);
        }
        if (link->unverified) {
            if (!whittle_flow_take_batch(link, come))
                return WHITTLE_FLOW_NOTHING;
            if (link->batch_ends) {
                pthread_mutex_lock(&link->lock);
                link->heard_end = true;
                pthread_mutex_unlock(&link->lock);
                whittle_flow_trace(link, "reads end taken=%llu", (unsigned long long)whittle_flow_ledger_taken(link->page));
                whittle_flow_acknowledge(link, true, WHITTLE_FLOW_HEARD_END);
            }
            continue;
        }
        come = come < link->batch_left ? come : link->batch_left;
        const unsigned char *const record = whittle_flow_come(link);
        const uint64_t total = whittle_flow_measure(link, record, come, &bytes);
        if (total == UINT64_MAX)
            whittle_flow_break(link, "it sent a packet that makes no sense", true);
        if (total == 0 || total == UINT64_MAX)
            return WHITTLE_FLOW_NOTHING;
        if (link->receiver->step != 0) {
            *packet = whittle_flow_lay_open(link, come);
            return WHITTLE_FLOW_PACKET;
        }
        uint64_t born = 0;
        if (link->edge->stamped)
            memcpy(&born, record, sizeof born);
        link->parsed += total;
        link->batch_left -= total;
        link->seen_at += total;
        if (link->stride == 0)
            whittle_flow_count(link, WHITTLE_FLOW_TAKEN, 1);
        __atomic_store_n(link->at, link->seen_at, __ATOMIC_RELAXED);
        *packet = whittle_flow_validate(link, record + link->prefix, bytes, le64toh(born));
        if (*packet != NULL)
            return WHITTLE_FLOW_PACKET;
    }
}
