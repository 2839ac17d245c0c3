/* SPDX-License-Identifier: MIT-0 */
/*
 * Edges within a process that keep the newest packet: one place between two threads, or between a stage and those that it is
 * called by. Three buffers change hands, so that nobody copies while another waits: the sender's next, the newest, and the
 * one that was taken. In goes a link, out comes the table of functions by which the rest of the library calls what is here.
 */
#include "internal.h"
#include <stdlib.h>

struct whittle_flow_local {
    pthread_mutex_t lock;
    struct whittle_flow_link *from, *to;
    bool there;                         /* a packet that was not taken */
    unsigned char *next, *newest, *taken;
    uint64_t bytes, born;               /* of the newest */
};

static void whittle_flow_local_free(struct whittle_flow_local *own)
{
    pthread_mutex_destroy(&own->lock);
    free(own->next);
    free(own->newest);
    free(own->taken);
    free(own);
}

static bool whittle_flow_local_open_sender(struct whittle_flow_link *link)
{
    const struct whittle_flow_type *const type = link->edge->type;
    struct whittle_flow_local *const own = calloc(1, sizeof *own);
    if (own == NULL)
        return false;
    pthread_mutex_init(&own->lock, NULL);
    link->own = own;
    own->from = link;
    own->next = whittle_flow_packet_memory(type);
    own->newest = whittle_flow_packet_memory(type);
    own->taken = whittle_flow_packet_memory(type);
    return own->next != NULL && own->newest != NULL && own->taken != NULL && whittle_flow_channel_view(link);
}

/* The senders of a process are opened first. */
static bool whittle_flow_local_open_receiver(struct whittle_flow_link *link)
{
    struct whittle_flow_event_loop *const loop = link->loop;
    struct whittle_flow_local *own = NULL;
    for (size_t n = 0; n < loop->link_count; n++)
        if (loop->links[n].sender != NULL && loop->links[n].edge->number == link->edge->number)
            link->own = own = loop->links[n].own;
    if (own == NULL)
        return false;
    own->to = link;
    const uint64_t lost = whittle_flow_counter(own->from->page, WHITTLE_FLOW_SENT) - whittle_flow_counter(link->page, WHITTLE_FLOW_TAKEN);
    if (lost != 0)
        whittle_flow_log(link, "continues after a death: what became of %llu packet(s) is unknown", (unsigned long long)lost);
    whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, lost);
    whittle_flow_count(link, WHITTLE_FLOW_TAKEN, lost);
    whittle_flow_set(link, WHITTLE_FLOW_AT, whittle_flow_counter(link->page, WHITTLE_FLOW_TAKEN));
    whittle_flow_set(link, WHITTLE_FLOW_DONE_AT, whittle_flow_counter(link->page, WHITTLE_FLOW_TAKEN));
    return whittle_flow_channel_view(link);
}

static bool whittle_flow_local_open(struct whittle_flow_link *link)
{
    const bool done = link->sender != NULL ? whittle_flow_local_open_sender(link) : whittle_flow_local_open_receiver(link);
    if (!done)
        whittle_flow_log(link, "no memory for its newest packet");
    return done;
}

static void whittle_flow_local_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_local *const own = link->own;
    (void)ended;
    if (link->sender != NULL) {
        if (own->to != NULL)
            own->to->own = NULL;
        whittle_flow_local_free(own);
    }
    link->own = NULL;
}

static enum whittle_flow_result whittle_flow_local_send(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    struct whittle_flow_local *const own = link->own;
    const struct whittle_flow_edge *const edge = link->edge;
    whittle_flow_advise(edge->on_send, link, packet, 0);
    const uint64_t bytes = whittle_flow_write_body(link, own->next, packet);
    if (bytes == 0)
        return whittle_flow_fault(link);
    pthread_mutex_lock(&own->lock);
    const bool closed = link->refused || link->ended, replaces = own->there;
    if (closed)
        whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
    else {
        unsigned char *const before = own->newest;
        whittle_flow_count(link, WHITTLE_FLOW_QUEUED, 1);
        whittle_flow_count(link, WHITTLE_FLOW_FULL_OLDEST, replaces);
        own->newest = own->next;
        own->next = before;
        own->bytes = bytes;
        own->born = born != 0 ? born : whittle_flow_now(edge->one_clock);
        own->there = true;
    }
    pthread_mutex_unlock(&own->lock);
    if (closed)
        return whittle_flow_closed(link);
    if (replaces)
        whittle_flow_advise(edge->on_full, link, packet, 0);
    whittle_flow_wake_stage(own->to);
    return WHITTLE_FLOW_IS_SENT;
}

static enum whittle_flow_have whittle_flow_local_look(struct whittle_flow_link *link, const void **packet)
{
    struct whittle_flow_local *const own = link->own;
    pthread_mutex_lock(&own->lock);
    const bool there = own->there;
    const uint64_t bytes = own->bytes, born = own->born;
    if (there) {
        unsigned char *const before = own->taken;
        own->taken = own->newest;
        own->newest = before;
        own->there = false;
        whittle_flow_count(own->from, WHITTLE_FLOW_SENT, 1);
        whittle_flow_count(own->from, WHITTLE_FLOW_ACKNOWLEDGED, 1);
        whittle_flow_count(link, WHITTLE_FLOW_TAKEN, 1);
        whittle_flow_set(link, WHITTLE_FLOW_AT, whittle_flow_counter(link->page, WHITTLE_FLOW_TAKEN));
    }
    link->heard_end = !there && own->from->ended;
    pthread_mutex_unlock(&own->lock);
    if (!there)
        return link->heard_end ? WHITTLE_FLOW_OVER : WHITTLE_FLOW_NOTHING;
    *packet = whittle_flow_validate(link, own->taken, bytes, born);
    return *packet != NULL ? WHITTLE_FLOW_PACKET : WHITTLE_FLOW_NOTHING;
}

static void whittle_flow_local_end(struct whittle_flow_link *link)
{
    struct whittle_flow_local *const own = link->own;
    pthread_mutex_lock(&own->lock);
    link->ended = true;
    pthread_mutex_unlock(&own->lock);
    if (own->to != NULL)
        whittle_flow_wake_stage(own->to);
}

/* What nobody takes any more is abandoned. */
static void whittle_flow_local_refuse(struct whittle_flow_link *link)
{
    struct whittle_flow_local *const own = link->own;
    pthread_mutex_lock(&own->lock);
    own->from->refused = true;
    whittle_flow_count(own->from, WHITTLE_FLOW_ABANDONED, own->there);
    own->there = false;
    pthread_mutex_unlock(&own->lock);
}

static bool whittle_flow_local_finish(struct whittle_flow_link *link)
{
    if (link->receiver != NULL) {
        link->heard_end = true;
        return whittle_flow_finish_receiver(link);
    }
    link->end_heard = true;
    whittle_flow_log_faulty(link, whittle_flow_ledger_offered(link->page));
    return true;
}

static void whittle_flow_local_done(struct whittle_flow_link *link)
{
    (void)link;
}

const struct whittle_flow_transport_functions whittle_flow_local = {
    .open = whittle_flow_local_open, .close = whittle_flow_local_close, .send = whittle_flow_local_send, .end = whittle_flow_local_end,
    .finish = whittle_flow_local_finish, .look = whittle_flow_local_look, .done = whittle_flow_local_done, .refuse = whittle_flow_local_refuse,
};
