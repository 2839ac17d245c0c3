/* SPDX-License-Identifier: MIT-0 */
/*
 * Edges within a process: the sender calls the receiver, so nothing waits and nothing can be lost but what is late, and a
 * packet that was in hand when the process died. Both ends have their pages, as those of other edges have.
 */
#include "internal.h"
#include <stdlib.h>

struct whittle_flow_call_ends {
    struct whittle_flow_link from, to;
    struct whittle_flow_sender sender;
    struct whittle_flow_receiver receiver;
};

static struct whittle_flow_call_ends *whittle_flow_ends(const struct whittle_flow_call *call)
{
    return (struct whittle_flow_call_ends *)(void *)call->link;
}

static void whittle_flow_call_link(struct whittle_flow_event_loop *loop, const struct whittle_flow_edge *edge, struct whittle_flow_link *link)
{
    link->edge = edge;
    link->loop = loop;
    link->fd = link->wakeup = link->page_fd = link->listening.fd = link->pending = link->dialing.fd = link->shared_fd = -1;
}

static bool whittle_flow_call_open(struct whittle_flow_event_loop *loop, struct whittle_flow_call *call)
{
    struct whittle_flow_call_ends *const ends = calloc(1, sizeof *ends);
    if (ends == NULL) {
        whittle_flow_log_process(loop->process, "no memory");
        return false;
    }
    call->link = &ends->from;
    whittle_flow_call_link(loop, call->edge, &ends->from);
    whittle_flow_call_link(loop, call->edge, &ends->to);
    ends->from.sender = &ends->sender;
    ends->to.receiver = &ends->receiver;
    if (!whittle_flow_page_open(&ends->from) || !whittle_flow_page_open(&ends->to))
        return false;
    const uint64_t lost = whittle_flow_counter(ends->from.page, WHITTLE_FLOW_SENT) - whittle_flow_counter(ends->to.page, WHITTLE_FLOW_TAKEN);
    if (lost != 0)
        whittle_flow_log(&ends->to, "continues after a death: what became of %llu packet(s) in hand is unknown", (unsigned long long)lost);
    whittle_flow_count(&ends->to, WHITTLE_FLOW_TAKEN, lost);
    whittle_flow_count(&ends->to, WHITTLE_FLOW_UNKNOWN, lost);
    return whittle_flow_observers_open(&ends->from) && whittle_flow_replay_open(&ends->from);
}

/* The sender's page, and the receiver's. */
void whittle_flow_call_pages(const struct whittle_flow_call *call, const struct whittle_flow_ledger *pages[2])
{
    pages[0] = whittle_flow_ends(call)->from.page;
    pages[1] = whittle_flow_ends(call)->to.page;
}

bool whittle_flow_calls_open(struct whittle_flow_event_loop *loop)
{
    for (size_t n = 0; n < loop->process->call_count; n++)
        if (!whittle_flow_call_open(loop, loop->process->calls[n]))
            return false;
    return true;
}

void whittle_flow_calls_close(struct whittle_flow_event_loop *loop, bool ended)
{
    for (size_t n = 0; n < loop->process->call_count; n++) {
        struct whittle_flow_call *const call = loop->process->calls[n];
        struct whittle_flow_call_ends *const ends = whittle_flow_ends(call);
        if (ends == NULL)
            continue;
        whittle_flow_observers_close(&ends->from, ended);
        whittle_flow_replay_close(&ends->from);
        whittle_flow_page_close(&ends->from, ended);
        whittle_flow_page_close(&ends->to, ended);
        free(ends);
        call->link = NULL;
    }
}

bool whittle_flow_offer(struct whittle_flow_call *call, const void *packet, uint64_t born)
{
    struct whittle_flow_call_ends *const ends = whittle_flow_ends(call);
    const struct whittle_flow_edge *const edge = call->edge;
    if (__atomic_load_n(&ends->from.watched, __ATOMIC_RELAXED))
        whittle_flow_observe(&ends->from, packet);
    whittle_flow_count(&ends->from, WHITTLE_FLOW_QUEUED, 1);
    whittle_flow_count(&ends->from, WHITTLE_FLOW_SENT, 1);
    if (edge->on_send != NULL)
        whittle_flow_advise(edge->on_send, &ends->from, packet, 0);
    if (!edge->stamped)
        return true;
    const uint64_t latency = whittle_flow_latency(&ends->to, born);
    if (edge->deadline == 0 || latency <= edge->deadline)
        return true;
    whittle_flow_count(&ends->to, WHITTLE_FLOW_MISSES, 1);
    whittle_flow_advise(edge->on_miss, &ends->to, packet, latency);
    if (!edge->deadline_drops)
        return true;
    whittle_flow_count(&ends->to, WHITTLE_FLOW_TAKEN, 1);
    whittle_flow_count(&ends->to, WHITTLE_FLOW_LATE, 1);
    return false;
}

void whittle_flow_taken(struct whittle_flow_call *call)
{
    if (call != NULL)
        whittle_flow_count(&whittle_flow_ends(call)->to, WHITTLE_FLOW_TAKEN, 1);
}

void whittle_flow_not_taken(struct whittle_flow_call *call)
{
    if (call == NULL)
        return;
    struct whittle_flow_link *const from = &whittle_flow_ends(call)->from;
    whittle_flow_set(from, WHITTLE_FLOW_QUEUED, whittle_flow_counter(from->page, WHITTLE_FLOW_QUEUED) - 1);
    whittle_flow_set(from, WHITTLE_FLOW_SENT, whittle_flow_counter(from->page, WHITTLE_FLOW_SENT) - 1);
    whittle_flow_count(from, WHITTLE_FLOW_REFUSED, 1);
}
