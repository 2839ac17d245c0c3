/* SPDX-License-Identifier: MIT-0 */
/*
 * Where a sender begins again, and where it ends. In goes what the server says of the stream: its last number says which
 * packets it has; what it has not is published again, and what nobody has is counted. The end waits until the server has
 * all; the receiver may come later.
 */
#include "transport.h"

/* Packets that an earlier process had, and that nobody has: their numbers will not come. */
static void whittle_flow_nats_settle(struct whittle_flow_nats_link *own)
{
    if (own->crashed > own->acknowledged) {
        whittle_flow_settle_losses(own->link, own->acknowledged, own->crashed, own->crashed);
        own->base -= own->crashed - own->acknowledged;
        own->acknowledged = own->crashed;
    }
    own->crashed = 0;
}

void whittle_flow_nats_resume(struct whittle_flow_nats_link *own, const jsStreamState *state)
{
    struct whittle_flow_link *const link = own->link;
    struct whittle_flow_ledger *const page = link->page;
    const uint64_t sent = whittle_flow_counter(page, WHITTLE_FLOW_SENT);
    if (whittle_flow_counter(page, WHITTLE_FLOW_DONE_AT) == 0)
        own->base = state->LastSeq - own->acknowledged;
    else
        own->base = whittle_flow_counter(page, WHITTLE_FLOW_MARK);
    uint64_t stored = own->acknowledged;
    if (state->LastSeq < own->base + own->acknowledged)
        whittle_flow_log(link, "the server has lost its store of stream %s: packets that it had acknowledged may never come", own->stream);
    else if (own->proven > stored && own->proven <= sent)
        stored = own->proven;
    else if (own->crashed > stored && state->LastSeq - own->base <= sent)
        stored = state->LastSeq - own->base;    /* an earlier process's, which nobody can send again: the server's word is all there is */
    /* The end is there: this process's, or one of a process that died behind it. */
    if (own->proven_end && own->proven == own->end && link->ended) {
        stored = own->end;
        link->end_heard = true;
    }
    own->base = state->LastSeq - stored;
    own->acknowledged = stored;
    whittle_flow_nats_settle(own);
    whittle_flow_set(link, WHITTLE_FLOW_MARK, own->base);
    whittle_flow_set(link, WHITTLE_FLOW_DONE_AT, 1);
    whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, own->acknowledged);
    own->done = (int64_t)own->acknowledged - (int64_t)state->Msgs;
    own->next = own->acknowledged;
    own->last_id[0] = '\0';
    own->end_published = false;
    own->probing = false;
    own->epoch++;
    own->heard_at = whittle_net_now();
    own->state = WHITTLE_FLOW_NATS_GOES;
    whittle_flow_nats_pump(own);
    whittle_flow_wake_stage(link);
}

void whittle_flow_nats_end(struct whittle_flow_link *link)
{
    pthread_mutex_lock(&link->lock);
    if (!link->ended)
        link->closed_at = whittle_net_now();
    link->ended = true;
    whittle_flow_nats_pump(link->own);
    pthread_mutex_unlock(&link->lock);
}

/* Whether the server, or room in it, may still come. */
static bool whittle_flow_nats_worth_waiting(const struct whittle_flow_nats_link *own)
{
    const struct whittle_flow_link *const link = own->link;
    const uint64_t second = 1000000000u, now = whittle_net_now(), patience = link->loop->patience;
    const uint64_t since = own->lost_at > link->closed_at ? own->lost_at : link->closed_at;
    if (own->state == WHITTLE_FLOW_NATS_FAILED)
        return false;
    if (own->connected && own->state == WHITTLE_FLOW_NATS_GOES)
        return true;
    if (!whittle_flow_goes_on())
        return now < since + (patience < second ? patience : second);
    return own->connected || own->connection == NULL || now < since + patience;
}

static bool whittle_flow_nats_sum_up(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const struct whittle_flow_ledger *const page = link->page;
    const uint64_t left = own->end - own->acknowledged, waiting = whittle_flow_ledger_waiting(page);
    const bool all = link->end_heard || (link->refused && own->state != WHITTLE_FLOW_NATS_FAILED);
    jsErrCode code;
    /* What was sent back is not for a later run of the flow. */
    if ((link->refused || link->edge->feedback) && own->js != NULL && link->edge->delivery != WHITTLE_FLOW_DURABLE)
        js_PurgeStream(own->js, own->stream, NULL, &code);
    if (!all && link->edge->delivery == WHITTLE_FLOW_DURABLE) {
        whittle_flow_log(link, "the server has not said to have the last %llu packets and the end: they wait in %s until `%s` is started again",
            (unsigned long long)left, link->loop->directory, link->edge->from);
        return false;
    }
    whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, waiting);
    if (!all && left > 0)
        whittle_flow_log(link, "%llu packets did not come to the server, or it has not said so", (unsigned long long)left);
    const uint64_t dropped = whittle_flow_counter(page, WHITTLE_FLOW_FULL_NEWEST) + whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST)
        + whittle_flow_counter(page, WHITTLE_FLOW_RATE);
    whittle_flow_log_faulty(link, whittle_flow_ledger_offered(page));
    if (dropped > 0 && !link->edge->latest)
        whittle_flow_log(link, "%llu packets of %llu were dropped, as its contract says: queue full %llu, rate %llu",
            (unsigned long long)dropped, (unsigned long long)whittle_flow_ledger_offered(page),
            (unsigned long long)(whittle_flow_counter(page, WHITTLE_FLOW_FULL_NEWEST) + whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST)),
            (unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_RATE));
    link->end_heard = true;     /* nothing is left for a later process */
    return all || link->edge->delivery == WHITTLE_FLOW_BEST_EFFORT;
}

bool whittle_flow_nats_finish(struct whittle_flow_link *link)
{
    struct whittle_flow_nats_link *const own = link->own;
    if (link->receiver != NULL)
        return whittle_flow_finish_receiver(link);
    for (;;) {
        pthread_mutex_lock(&link->lock);
        const bool over = link->end_heard || link->refused || !whittle_flow_nats_worth_waiting(own);
        pthread_mutex_unlock(&link->lock);
        if (over)
            return whittle_flow_nats_sum_up(own);
        whittle_flow_await_wakeup(link, 100);
    }
}
