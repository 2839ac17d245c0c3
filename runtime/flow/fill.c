/* SPDX-License-Identifier: MIT-0 */
/*
 * The connection under a receiver: bytes come into its ring, acknowledgements go back. A connection that has ended, or
 * that a newer one replaces, is read to its end first; then what has come is reported to the newer one. On the stage's thread.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* The connection is of no use any more; what has not come whole will come again. */
void whittle_flow_break(struct whittle_flow_link *link, const char *why, bool stranger)
{
    pthread_mutex_lock(&link->lock);
    if (link->fd >= 0)
        whittle_flow_trace(link, "loses connection taken=%llu", (unsigned long long)whittle_flow_ledger_taken(link->page));
    whittle_flow_stream_close(&link->fd, &link->substream);
    whittle_flow_end_session(link, &link->session);
    link->lost_at = whittle_net_now();
    if (stranger) {
        whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
        link->lease = 0;
    }
    const bool replaced = link->pending >= 0;
    pthread_mutex_unlock(&link->lock);
    link->filled = link->parsed = 0;
    link->batch_left = 0;
    link->batch_ends = link->unverified = false;
    link->acknowledgement_left = 0;
    link->receiver->limit = 0;
    if (why != NULL && !link->heard_end && !link->refused && !replaced)
        whittle_flow_log(link, "the connection was lost (%s); waiting for the sender to come again", why);
}

static const uint64_t whittle_flow_rest_patience = 5000000000u;

/* Something of a batch has come, and the rest is on its way. */
void whittle_flow_expect_rest(struct whittle_flow_link *link)
{
    link->rest_until = whittle_net_now() + whittle_flow_rest_patience;
}

/* Milliseconds until the rest of a batch must have come; -1: none is due. */
int whittle_flow_rest_due(const struct whittle_flow_link *link)
{
    if (link->fd < 0 || !link->unverified)
        return -1;
    const uint64_t now = whittle_net_now();
    return now >= link->rest_until ? 0 : (int)((link->rest_until - now) / 1000000u) + 1;
}

/* One read. Where it may not wait and nothing has come, nothing happens. */
void whittle_flow_fill(struct whittle_flow_link *link, bool wait)
{
    if (link->parsed == link->filled)
        link->parsed = link->filled = 0;
    const size_t room = link->ring.size - (link->filled - link->parsed);
    const ssize_t came = whittle_flow_read_line(link, link->ring.data + link->filled % link->ring.size, room, wait);
    if (came > 0) {
        link->filled += (size_t)came;
        whittle_flow_expect_rest(link);
    }
    else if (came == 0)
        whittle_flow_break(link, "closed by the sender", false);
    else if (errno != EAGAIN && errno != EINTR)
        whittle_flow_break(link, strerror(errno), false);
}

/* Sends what is left of an acknowledgement; never waits: a sender that does not listen is no reason to stop. */
static bool whittle_flow_speak(struct whittle_flow_link *link)
{
    while (link->acknowledgement_left > 0 && link->fd >= 0) {
        const char *const from = (const char *)&link->acknowledgement + sizeof link->acknowledgement - link->acknowledgement_left;
        const ssize_t gone = whittle_flow_stream_send(link->fd, link->substream, from, link->acknowledgement_left);
        if (gone <= 0)
            return false;
        link->acknowledgement_left -= (uint32_t)gone;
    }
    return link->acknowledgement_left == 0;
}

/* Says what has been taken, where it is much, or always. */
void whittle_flow_acknowledge(struct whittle_flow_link *link, bool always, uint64_t flags)
{
    const struct whittle_flow_place taken = {whittle_flow_ledger_taken(link->page), whittle_flow_position(link)};
    const uint64_t packets = taken.count - link->acknowledged.count, bytes = taken.bytes - link->acknowledged.bytes;
    if (link->fd < 0 || link->start_due || whittle_flow_transport_of(link->edge)->shared || !whittle_flow_speak(link)
        || (packets == 0 && flags == 0) || (!always && bytes < whittle_flow_part(link->window) && packets < whittle_flow_part(link->credit)))
        return;
    whittle_flow_trace(link, "says count=%llu", (unsigned long long)taken.count);
    link->acknowledgement = (struct whittle_flow_acknowledgement){.count = htole64(taken.count), .bytes = htole64(taken.bytes), .flags = htole64(flags)};
    if (!whittle_flow_seal(link, link->session, WHITTLE_FLOW_ACKNOWLEDGEMENT, &link->acknowledgement, offsetof(struct whittle_flow_acknowledgement, tag),
            NULL, 0, link->acknowledgement.tag))
        return;
    link->acknowledgement_left = sizeof link->acknowledgement;
    if (whittle_flow_speak(link) || link->acknowledgement_left < sizeof link->acknowledgement || link->session != NULL)
        link->acknowledged = taken;
    else
        link->acknowledgement_left = 0;   /* not a byte went: a later one says more; a tag has its number, and goes when it can */
}

/* Goes over to the connection that the event loop has handed over, if there is one. */
bool whittle_flow_switch(struct whittle_flow_link *link)
{
    struct whittle_flow_answer answer;
    pthread_mutex_lock(&link->lock);
    const int fd = link->pending;
    link->pending = -1;
    link->fd = fd;
    link->substream = link->pending_substream;
    link->pending_substream = NULL;
    link->session = link->pending_session;
    link->pending_session = NULL;
    link->hello = link->pending_hello;
    pthread_mutex_unlock(&link->lock);
    if (fd < 0)
        return false;
    whittle_flow_answer_write(link, WHITTLE_FLOW_ACCEPTED, &answer);
    answer.known = htole64(link->page->stream != 0 && link->page->stream == le64toh(link->hello.stream));
    answer.count = htole64(whittle_flow_ledger_taken(link->page));
    whittle_flow_filter_write(link, &answer);
    link->window = le64toh(link->hello.window);
    if (link->window > WHITTLE_FLOW_POSITION_MOST)
        link->window = WHITTLE_FLOW_POSITION_MOST;
    link->credit = le64toh(link->hello.items);
    link->start_due = true;
    if (link->heard_end || link->refused)
        whittle_flow_trace(link, "answers late count=%llu", (unsigned long long)le64toh(answer.count));
    else
        whittle_flow_trace(link, "answers known=%d count=%llu", answer.known != 0, (unsigned long long)le64toh(answer.count));
    if (!whittle_flow_seal(link, link->session, WHITTLE_FLOW_ANSWER, &answer, offsetof(struct whittle_flow_answer, tag), NULL, 0, answer.tag)
        || whittle_flow_stream_send(fd, link->substream, &answer, sizeof answer) != sizeof answer) {
        whittle_flow_break(link, "it does not take an answer", false);
        return true;
    }
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    link->met = true;
    return true;
}
