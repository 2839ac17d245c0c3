/* SPDX-License-Identifier: MIT-0 */
/*
 * The two ends' memory when a process begins, and their last words when it ends: a sender waits until all has been
 * acknowledged, as long as there is somebody to do so; a receiver stays until the sender has heard it.
 */
#include "mux.h"
#include "internal.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * The largest segment of TCP that the system passes on uncut, of loopback's or of 45 frames of Ethernet (1,448 bytes each), but for
 * its part of the head of a batch, is 65,152 bytes. Packets gather for four of them; a few bytes more would be a fifth, with a price
 * of its own.
 */
enum { WHITTLE_FLOW_GATHER = 260608, WHITTLE_FLOW_SEGMENT = WHITTLE_FLOW_GATHER / 4 };
enum { WHITTLE_FLOW_READ = 262144 };

static uint64_t whittle_flow_least(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

/* How much may wait, at most: what the ring is made for. */
static uint64_t whittle_flow_queue_room(const struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const uint64_t none = 4 * (uint64_t)link->record > WHITTLE_FLOW_QUEUE ? 4 * (uint64_t)link->record : WHITTLE_FLOW_QUEUE;
    const uint64_t items = edge->queue_items < (UINT64_C(1) << 31) ? edge->queue_items * link->record : UINT64_MAX;
    if (edge->queue_items == 0)
        return edge->queue_bytes == 0 ? none : edge->queue_bytes > link->record ? edge->queue_bytes : link->record;
    return edge->queue_bytes == 0 ? items : whittle_flow_least(items, edge->queue_bytes > link->record ? edge->queue_bytes : link->record);
}

/* Two packets may always be under way. */
static uint64_t whittle_flow_window(const struct whittle_flow_link *link, uint64_t wanted)
{
    return 2 * (uint64_t)link->record > wanted ? 2 * (uint64_t)link->record : wanted;
}

/* As much may be under way as a link of 20 Gbit/s holds for a round trip; between processes of one machine, what they take. */
void whittle_flow_choose_window(struct whittle_flow_link *link)
{
    enum { BYTES_PER_MICROSECOND = 2500 };
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (link->edge->full != WHITTLE_FLOW_BLOCK || whittle_flow_is_near(link)
        || getsockopt(link->dial_substream != NULL ? link->mux->source.fd : link->dialing.fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return;
    /* 0: not measured. */
    const uint64_t wanted = info.tcpi_rtt == 0 ? WHITTLE_FLOW_FAR : (uint64_t)info.tcpi_rtt * BYTES_PER_MICROSECOND;
    link->window = whittle_flow_window(link, wanted < WHITTLE_FLOW_NEAR ? WHITTLE_FLOW_NEAR : wanted < WHITTLE_FLOW_FAR ? wanted : WHITTLE_FLOW_FAR);
}

/* How much gathers for a batch: where the edge does not say so, a part of the queue. */
static void whittle_flow_choose_gather(struct whittle_flow_link *link, uint64_t queue)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const uint64_t part = whittle_flow_least(whittle_flow_part(whittle_flow_least(queue, link->queue_bytes)), WHITTLE_FLOW_GATHER);
    link->gather_items = edge->batch_items > 0 ? whittle_flow_least(edge->batch_items, link->queue_items) : whittle_flow_part(link->queue_items);
    link->gather_bytes = edge->batch_within > 0 ? whittle_flow_least(queue, link->queue_bytes)
        : part > WHITTLE_FLOW_SEGMENT ? part - part % WHITTLE_FLOW_SEGMENT : part;
    if (link->stride != 0 && link->gather_items < link->gather_bytes / link->stride)
        link->gather_bytes = link->gather_items * link->stride;
    if (link->stride != 0 && link->gather_bytes > link->stride)
        link->gather_bytes -= link->gather_bytes % link->stride;    /* whole packets, not one more */
}

bool whittle_flow_open_sender(struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_type *const type = edge->type;
    const uint64_t queue = whittle_flow_queue_room(link);
    link->oldest = edge->full == WHITTLE_FLOW_DROP_OLDEST;
    link->fast = link->stride != 0 && type->valid == NULL && !edge->subscription && link->loop->record == NULL && !edge->stamped && edge->on_send == NULL && edge->rate_units == 0
        && edge->rate_bytes_units == 0 && edge->full == WHITTLE_FLOW_BLOCK;
    /* A queue that drops keeps what is fresh: little is to be under way beside it. */
    const uint64_t wanted = edge->full != WHITTLE_FLOW_BLOCK ? whittle_flow_least(queue, WHITTLE_FLOW_READ)
        : !whittle_flow_is_near(link) ? WHITTLE_FLOW_FAR : whittle_flow_transport_of(edge)->near;
    link->window = whittle_flow_window(link, wanted);
    link->keeps = edge->delivery != WHITTLE_FLOW_BEST_EFFORT || edge->full != WHITTLE_FLOW_BLOCK;
    link->queue_items = edge->queue_items > 0 ? edge->queue_items : UINT64_MAX;
    link->queue_bytes = edge->queue_bytes > 0 ? edge->queue_bytes : edge->queue_items > 0 ? UINT64_MAX : queue;
    whittle_flow_choose_gather(link, queue);
    const uint64_t extra = 4 * (uint64_t)link->record + WHITTLE_FLOW_GATHER;
    if (queue > SIZE_MAX / 4 || !whittle_flow_ring_open(&link->ring, queue + extra + (link->oldest ? 0 : link->window)))
        return false;
    if (link->oldest && !whittle_flow_ring_open(&link->kept, link->window + extra))
        return false;
    if (type->fixed == 0 && (link->private = calloc(1, type->size)) == NULL)
        return false;
    const uint64_t sent = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT), at = whittle_flow_position(link);
    link->crashed = sent;
    link->retained = link->claimed = link->frontier = link->moved = link->taken = (struct whittle_flow_place){sent, at};
    link->tail = at;
    struct whittle_flow_sender *const sender = link->sender;
    sender->limit = 0;
    sender->step = link->fast ? link->stride : 0;
    sender->at = link->fast ? link->at : &link->zero;
    sender->base = link->private != NULL ? (uintptr_t)link->private : (uintptr_t)whittle_flow_ring_place(link, at) + link->prefix;
    whittle_flow_turn_ring(link);
    whittle_flow_trace_beginning(link);
    return true;
}

/* Who had the edge before this process died has it still, and is given time to come. */
static void whittle_flow_open_lease(struct whittle_flow_link *link)
{
    link->lease = link->page->stream;
    link->lost_at = whittle_net_now();
    snprintf(link->holder, sizeof link->holder, "the one before this receiver");
}

bool whittle_flow_open_receiver(struct whittle_flow_link *link)
{
    const struct whittle_flow_type *const type = link->edge->type;
    const uint64_t room = 2 * (uint64_t)link->record + 256;
    link->window = WHITTLE_FLOW_FAR;
    link->seen_at = whittle_flow_position(link);
    link->acknowledged = (struct whittle_flow_place){whittle_flow_ledger_taken(link->page), link->seen_at};
    link->credit = UINT64_MAX;
    whittle_flow_open_lease(link);
    whittle_flow_trace_beginning(link);
    link->receiver->at = link->at;
    link->receiver->done = &link->page->counter[WHITTLE_FLOW_DONE_AT];
    link->receiver->limit = 0;
    link->receiver->step = link->stride != 0 && !link->edge->stamped && !link->edge->latest && type->valid == NULL ? link->stride : 0;
    if (type->fixed == 0 && (link->private = calloc(1, type->size)) == NULL)
        return false;
    return whittle_flow_ring_open(&link->ring, room > WHITTLE_FLOW_READ ? room : WHITTLE_FLOW_READ);
}

/* Whether there is still somebody to wait for: gives a lost receiver time to come back. */
static bool whittle_flow_worth_waiting(struct whittle_flow_link *link)
{
    const uint64_t now = whittle_net_now(), second = 1000000000u;
    const bool asked = !whittle_flow_goes_on();
    if (link->verdict != WHITTLE_FLOW_ACCEPTED && link->verdict != WHITTLE_FLOW_HELD)
        return false;
    if (!link->met && !asked)
        return true;
    const uint64_t patience = asked ? whittle_flow_least(second, link->loop->patience) : link->loop->patience;
    const uint64_t since = link->met ? link->lost_at : link->closed_at;
    return now < since + patience;
}

static bool whittle_flow_all_heard(struct whittle_flow_link *link)
{
    /* What stands in a shared ring waits, too, before anybody has come for it. */
    const uint64_t waiting = whittle_flow_transport_of(link->edge)->shared ? whittle_flow_shared_between(link) : whittle_flow_waiting(link);
    return link->end_heard || link->refused || (!link->met && waiting == 0 && !whittle_flow_goes_on());
}

/* Packets that were no values of their type, at this end. */
void whittle_flow_log_faulty(const struct whittle_flow_link *link, uint64_t all)
{
    const uint64_t faulty = whittle_flow_counter(link->page, WHITTLE_FLOW_FAULTY);
    if (faulty > 0)
        whittle_flow_log(link, "%llu packets of %llu were no values of type `%s`, and were not %s", (unsigned long long)faulty,
            (unsigned long long)all, link->edge->type->name, link->sender != NULL ? "sent" : "taken");
}

static bool whittle_flow_sum_up_sender(struct whittle_flow_link *link)
{
    const struct whittle_flow_ledger *const page = link->page;
    /* What stands in a shared ring counts as sent: nobody was there to take it. */
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    const uint64_t heard = shared && (link->refused || !link->met) ? whittle_flow_shared_count(link) : whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED);
    if (shared && !link->met)
        whittle_flow_set(link, WHITTLE_FLOW_SENT, heard);
    const uint64_t waiting = whittle_flow_waiting(link), sent = whittle_flow_counter(page, WHITTLE_FLOW_SENT);
    const bool feedback = link->edge->feedback || (link->fan != NULL && !link->subscribed);
    const bool promised = link->edge->delivery != WHITTLE_FLOW_BEST_EFFORT && !link->refused && !(link->fan != NULL && !link->subscribed);
    whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, waiting);
    if (waiting > 0 && !link->refused && !feedback)
        whittle_flow_log(link, "%llu packets were not sent: there was no receiver", (unsigned long long)waiting);
    if (sent > heard && link->refused) {
        /* It said what it had taken when it said that it wants no more: the others went nowhere. */
        whittle_flow_set(link, WHITTLE_FLOW_SENT, heard);
        whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, sent - heard);
        if (!feedback)
            whittle_flow_log(link, "%llu packets were sent that the receiver did not take: it wanted no more", (unsigned long long)(sent - heard));
    }
    if (sent > heard && !link->end_heard && !link->refused && !feedback)
        whittle_flow_log(link, "%llu packets were sent but not acknowledged", (unsigned long long)(sent - heard));
    const uint64_t dropped = whittle_flow_ledger_dropped(page) - whittle_flow_counter(page, WHITTLE_FLOW_ABANDONED) - whittle_flow_counter(page, WHITTLE_FLOW_REFUSED)
        - whittle_flow_counter(page, WHITTLE_FLOW_GONE);
    whittle_flow_log_faulty(link, whittle_flow_ledger_offered(page));
    if (dropped > 0 && !link->edge->latest)
        whittle_flow_log(link, "%llu packets of %llu were dropped, as its contract says: queue full %llu, rate %llu, "
            "connection cut %llu", (unsigned long long)dropped, (unsigned long long)whittle_flow_ledger_offered(page),
            (unsigned long long)(whittle_flow_counter(page, WHITTLE_FLOW_FULL_NEWEST) + whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST)),
            (unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_RATE),
            (unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_CUT));
    return !promised || (waiting == 0 && (sent == heard || link->end_heard));
}

/* False: something was lost that was promised. */
bool whittle_flow_finish_sender(struct whittle_flow_link *link)
{
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    uint64_t between = UINT64_MAX, since = 0;   /* when some was taken last */
    bool over = false;
    struct whittle_flow_lead lead = {NULL, -1};
    while (whittle_flow_fan_settle(link, over)) {
        if (shared)
            whittle_flow_shared_drain(link);
        pthread_mutex_lock(&link->lock);
        if (!shared) {
            whittle_flow_push(link, true);
            whittle_flow_read_acknowledgements(link);
        }
        whittle_flow_mux_follow(lead);
        lead.mux = NULL;
        const uint64_t left = shared ? whittle_flow_shared_between(link) : whittle_flow_between(link), now = whittle_net_now();
        since = left != between ? now : since;
        between = left;
        const int fd = link->fd;
        const bool writes = link->blocked && !shared && link->substream == NULL;
        const uint64_t until = fd >= 0 ? whittle_flow_blocked_until(link, since) : now + 100000000u;
        over = whittle_flow_all_heard(link) || (fd < 0 ? link->edge->feedback || !whittle_flow_worth_waiting(link) : until != 0 && now >= until);
        link->asleep = true;
        pthread_mutex_unlock(&link->lock);
        if (!over)
            lead = whittle_flow_await(link, fd, writes, until);
    }
    whittle_flow_mux_follow(lead);
    return whittle_flow_sum_up_sender(link);
}

/* A connection that was handed over as the last word was said of the one before: nobody else answers it. Whether there was one. */
static bool whittle_flow_answer_again(struct whittle_flow_link *link)
{
    pthread_mutex_lock(&link->lock);
    const bool waits = link->pending >= 0;
    pthread_mutex_unlock(&link->lock);
    if (!waits)
        return false;
    whittle_flow_break(link, NULL, false);
    if (whittle_flow_switch(link)) {
        link->start_due = false;    /* where its stream begins makes no difference any more */
        whittle_flow_acknowledge(link, true, link->heard_end ? WHITTLE_FLOW_HEARD_END : WHITTLE_FLOW_REFUSE);
    }
    return true;
}

/*
 * Until the sender says that it has heard the last word; where it need not, until it has closed. A connection that ends without that was
 * cut: the sender comes again, and the event loop says it once more. Nothing waits for the close that follows: its process may wait for this
 * one's, where edges go in both directions.
 */
static void whittle_flow_await_close(struct whittle_flow_link *link)
{
    char rest[4096];
    const uint64_t until = whittle_net_now() + 2000000000u;
    struct pollfd line = {.fd = link->fd, .events = POLLIN};
    const bool need_not_say = !link->heard_end;
    while (whittle_net_now() < until && poll(&line, 1, 100) >= 0) {
        if (whittle_flow_answer_again(link)) {
            line = (struct pollfd){.fd = link->fd, .events = POLLIN};
            continue;
        }
        if ((line.revents & (POLLIN | POLLHUP)) == 0)
            continue;
        const ssize_t came = whittle_flow_stream_read(link->fd, link->substream, rest, sizeof rest);
        if ((came > 0 && rest[came - 1] == 'e') || (came <= 0 && need_not_say))
            return;
        if (came <= 0)
            line.fd = -1;
    }
}

bool whittle_flow_finish_receiver(struct whittle_flow_link *link)
{
    const struct whittle_flow_ledger *const page = link->page;
    if (link->fd >= 0 && !whittle_flow_transport_of(link->edge)->shared)
        whittle_flow_await_close(link);
    const uint64_t late = whittle_flow_counter(page, WHITTLE_FLOW_LATE);
    whittle_flow_log_faulty(link, whittle_flow_ledger_taken(page));
    if (late > 0)
        whittle_flow_log(link, "%llu packets of %llu were dropped, as its contract says: late", (unsigned long long)late,
            (unsigned long long)whittle_flow_ledger_taken(page));
    const uint64_t unmatched = whittle_flow_counter(page, WHITTLE_FLOW_UNMATCHED);
    if (unmatched > 0)
        whittle_flow_log(link, "%llu packets of %llu were dropped: what their stage waits for beside them did not come", (unsigned long long)unmatched,
            (unsigned long long)whittle_flow_ledger_taken(page));
    const bool left = link->edge->subscription && link->refused;
    if (link->abandoned && link->met && !link->heard_end && !left)
        whittle_flow_log(link, "ended without its sender's end: packets may be missing");
    return !(link->abandoned && link->met && !link->heard_end && !left && link->edge->delivery != WHITTLE_FLOW_BEST_EFFORT);
}
