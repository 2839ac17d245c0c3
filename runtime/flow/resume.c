/* SPDX-License-Identifier: MIT-0 */
/*
 * What a sender hears: how much has been taken, that no more is wanted, that the end has come. And where a new connection
 * begins: the receiver has said how many packets came; what came is not sent again, what can be sent again is, and what
 * cannot be is counted: as unknown where a process died with it, as cut where nothing was promised. With the lock held.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The place of a packet by its number, from the oldest that is kept. False: the ring does not have it. */
static bool whittle_flow_find(struct whittle_flow_link *link, uint64_t count, struct whittle_flow_place *place)
{
    const struct whittle_flow_ring *const ring = link->oldest ? &link->kept : &link->ring;
    *place = link->retained;
    if (count < place->count || count > link->frontier.count)
        return false;
    if (link->stride != 0) {
        place->bytes += (count - place->count) * link->stride;
        place->count = count;
    }
    while (place->count < count) {
        const uint64_t bytes = whittle_flow_record_bytes(link, ring->data + place->bytes % ring->size);
        if (bytes == 0 || place->bytes + bytes > link->frontier.bytes)
            return false;
        place->bytes += bytes;
        place->count++;
    }
    return true;
}

/* The end of the packets up to `count`, where `bytes` is to be the position: false: no packet ends there. */
static bool whittle_flow_ends_packet(struct whittle_flow_link *link, uint64_t count, uint64_t bytes)
{
    struct whittle_flow_place place;
    return whittle_flow_find(link, count, &place) && place.bytes == bytes;
}

/* What is not kept cannot be looked at: only where all packets have one size it is known where each ends. */
static bool whittle_flow_may_have_taken(struct whittle_flow_link *link, uint64_t count, uint64_t bytes)
{
    const struct whittle_flow_place *const taken = &link->taken, *const frontier = &link->frontier;
    if (count < whittle_flow_counter(link->page, WHITTLE_FLOW_ACKNOWLEDGED) || count < taken->count || count > frontier->count)
        return false;
    if (link->keeps)
        return whittle_flow_ends_packet(link, count, bytes);
    if (link->stride != 0)
        return bytes - taken->bytes == (count - taken->count) * link->stride;
    return bytes >= taken->bytes && bytes <= frontier->bytes;
}

static bool whittle_flow_heard(struct whittle_flow_link *link)
{
    struct whittle_flow_acknowledgement said;
    memcpy(&said, link->reply, sizeof said);
    link->reply_filled = 0;
    if (!whittle_flow_verify(link, link->session, WHITTLE_FLOW_ACKNOWLEDGEMENT, &said, offsetof(struct whittle_flow_acknowledgement, tag), NULL, 0, said.tag)) {
        whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
        whittle_flow_lose(link, "what came is not what its receiver sent: somebody alters the bytes");
        return false;
    }
    const uint64_t count = le64toh(said.count), bytes = le64toh(said.bytes), flags = le64toh(said.flags);
    if (!whittle_flow_may_have_taken(link, count, bytes)) {
        whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
        whittle_flow_lose(link, "the receiver acknowledged what was not sent");
        return false;
    }
    if (link->keeps)
        link->retained = (struct whittle_flow_place){count, bytes};
    link->taken = (struct whittle_flow_place){count, bytes};
    whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, count);
    whittle_flow_trace(link, "hears count=%llu", (unsigned long long)count);
    if (link->asleep)
        whittle_flow_wake_stage(link);
    /* A process that goes on with what an earlier one had ended has not ended. */
    if ((flags & WHITTLE_FLOW_HEARD_END) != 0 && link->ended) {
        link->end_heard = true;
        whittle_flow_trace(link, "hears end");
        if (whittle_flow_stream_send(link->fd, link->substream, "e", 1) < 0)
            return true;    /* its receiver waits for a while, and ends */
    }
    if ((flags & WHITTLE_FLOW_REFUSE) != 0 && !link->refused) {
        link->refused = true;
        whittle_flow_trace(link, "hears refusal");
        whittle_flow_gather(link);
    }
    return true;
}

/* Reads what the receiver has said; whether anything was. */
bool whittle_flow_read_acknowledgements(struct whittle_flow_link *link)
{
    bool any = false;
    while (link->fd >= 0) {
        const ssize_t came = whittle_flow_stream_read(link->fd, link->substream, link->reply + link->reply_filled, sizeof link->reply - link->reply_filled);
        if (came < 0 && errno == EINTR)
            continue;
        if (came < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return any;
        if (came <= 0) {
            whittle_flow_lose(link, came < 0 ? strerror(errno) : "closed by the receiver");
            return any;
        }
        link->reply_filled += (uint32_t)came;
        if (link->reply_filled == sizeof link->reply) {
            if (!whittle_flow_heard(link))
                return any;
            any = true;
        }
    }
    return any;
}

/*
 * Counts what will not come any more: numbers from `came` to `end`, but for those that have been counted; below `crashed` they were an
 * earlier process's. A process can die between any two writes, and the next one settles again: so each write by itself moves the
 * number below which all losses are counted, which is the sum of these counters and what was spared.
 */
void whittle_flow_settle_losses(struct whittle_flow_link *link, uint64_t came, uint64_t end, uint64_t crashed)
{
    const uint64_t counted = whittle_flow_ledger_lost(link->page);
    const uint64_t settled = whittle_flow_counter(link->page, WHITTLE_FLOW_SPARED) + counted, from = came > settled ? came : settled;
    if (from >= end)
        return;
    const uint64_t theirs = crashed < end ? crashed : end, unknown = theirs > from ? theirs - from : 0, cut = end - from - unknown;
    /* What is promised stays with its sender, but for a subscriber that does not come again. */
    const bool is_gone = link->edge->subscription && link->edge->delivery != WHITTLE_FLOW_BEST_EFFORT;
    whittle_flow_set(link, WHITTLE_FLOW_SPARED, from - counted);
    whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, unknown);
    whittle_flow_count(link, is_gone ? WHITTLE_FLOW_GONE : WHITTLE_FLOW_CUT, cut);
    if (unknown > 0)
        whittle_flow_log(link, "continues after a death: what became of %llu packets that the earlier process had is unknown",
            (unsigned long long)unknown);
    if (cut > 0)
        whittle_flow_log(link, is_gone ? "%llu packets were on their way to a subscriber that did not come again"
            : "%llu packets were lost with the connection (best effort)", (unsigned long long)cut);
}

/* Begins the stream on a new connection, at the first packet that the receiver has not. */
bool whittle_flow_resume(struct whittle_flow_link *link, int fd)
{
    const bool known = le64toh(link->answer.known) != 0;
    const uint64_t acknowledged = whittle_flow_counter(link->page, WHITTLE_FLOW_ACKNOWLEDGED);
    uint64_t came = known ? le64toh(link->answer.count) : acknowledged;
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    struct whittle_flow_place place = link->retained;
    whittle_flow_trace(link, "hears answer known=%d count=%llu", known, (unsigned long long)le64toh(link->answer.count));
    if (shared ? !whittle_flow_shared_resume(link, known, &came, &place)
        : came > link->frontier.count || (came > link->retained.count && !whittle_flow_find(link, came, &place))) {
        whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
        whittle_flow_log(link, "the receiver says that %llu packets came, and %llu were sent: not connected", (unsigned long long)came,
            (unsigned long long)whittle_flow_counter(link->page, WHITTLE_FLOW_SENT));
        return false;
    }
    /* Before the receiver hears of them: it never says again what it has skipped. */
    whittle_flow_settle_losses(link, came, link->retained.count, link->crashed);
    whittle_flow_trace_start(link, place.count);
    struct whittle_flow_start start = {.count = htole64(place.count), .bytes = htole64(place.bytes)};
    if (!whittle_flow_seal(link, link->dial_session, WHITTLE_FLOW_START, &start, offsetof(struct whittle_flow_start, tag), NULL, 0, start.tag))
        return false;
    if (shared ? !whittle_flow_shared_pass(link, fd, &start) : whittle_flow_stream_send(fd, link->dial_substream, &start, sizeof start) != sizeof start) {
        whittle_flow_trace(link, "loses connection");
        return false;
    }
    link->claimed = link->taken = place;
    if (!link->keeps && !shared)
        link->retained = place;
    link->head_left = 0;
    link->body_left = 0;
    link->reply_filled = 0;
    link->end_sent = false;
    link->blocked = link->watches_more = false;
    link->met = true;
    link->verdict = WHITTLE_FLOW_ACCEPTED;
    link->fd = fd;
    link->session = link->dial_session;
    link->dial_session = NULL;
    link->substream = link->dial_substream;
    link->dial_substream = NULL;
    link->lost = false;
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    return true;
}
