/* SPDX-License-Identifier: MIT-0 */
/*
 * Channels, at a sender: who subscribes, and who has left. In comes a receiver that has been connected: it gets the history, and what
 * is published after that (publish.c). An edge of a channel has one stream of numbers for all receivers that come to it one after
 * the other: what one that leaves has not taken is dropped and counted, and the next begins behind it. So the pages of the two ends
 * keep their account over all of them.
 *
 * One lock a fan: who publishes has it, and nobody comes or goes meanwhile, but while it waits for a slow subscriber: others may come
 * and go then, the slow one may not. Who has come meanwhile has had the packet with the history, or not at all.
 */
#include "fan.h"
#include <stdlib.h>
#include <string.h>

static const uint64_t whittle_flow_subscription_grace = 2000000000u, whittle_flow_fan_again = 10000000u, whittle_flow_rejoin_pause = 100000000u;

/* Where packets of one form are written once for all. NULL: no memory. */
static struct whittle_flow_written *whittle_flow_fan_share(struct whittle_flow_backlog *backlog, const struct whittle_flow_type *type,
    const struct whittle_flow_projection *projection)
{
    struct whittle_flow_written *const end = &backlog->written[backlog->types];
    for (struct whittle_flow_written *written = backlog->written; written < end; written++)
        if (written->type->fingerprint == type->fingerprint && written->type->size == type->size && (written->projection == NULL) == (projection == NULL))
            return written;
    backlog->types++;
    end->type = type;
    end->projection = projection;
    end->body = malloc(type->largest > type->size ? type->largest : type->size);
    if (projection != NULL)
        end->part = whittle_flow_packet_memory(type);
    return end->body != NULL && (projection == NULL || end->part != NULL) ? end : NULL;
}

/* The same for a sender's own packets, and for what its subscriber selects of them. */
static bool whittle_flow_fan_shares(struct whittle_flow_backlog *backlog, struct whittle_flow_link *link)
{
    link->whole = whittle_flow_fan_share(backlog, whittle_flow_whole(link), NULL);
    link->written = link->sender->projection == NULL ? link->whole : whittle_flow_fan_share(backlog, link->edge->type, link->sender->projection);
    return link->whole != NULL && link->written != NULL;
}

static bool whittle_flow_fan_open(struct whittle_flow_fan *fan)
{
    const struct whittle_flow_type *const type = whittle_flow_fan_type(fan);
    struct whittle_flow_backlog *const backlog = calloc(1, sizeof *backlog);
    uint32_t largest = 1;
    fan->backlog = backlog;
    if (backlog == NULL)
        return false;
    pthread_mutex_init(&backlog->lock, NULL);
    backlog->written = calloc(2 * fan->count, sizeof *backlog->written);
    bool shares = backlog->written != NULL;
    for (size_t n = 0; shares && n < fan->count; n++) {
        struct whittle_flow_link *const link = fan->senders[n]->link;
        link->fan = fan;
        largest = link->edge->type->size > largest ? link->edge->type->size : largest;
        shares = whittle_flow_fan_shares(backlog, link);
    }
    backlog->packet = malloc(type->size);
    backlog->part = malloc(largest);
    backlog->packets = calloc(fan->history > 0 ? fan->history : 1, sizeof *backlog->packets);
    return shares && backlog->packet != NULL && backlog->part != NULL && backlog->packets != NULL;
}

/* False: there is no memory for them. */
bool whittle_flow_fans_open(struct whittle_flow_process *process)
{
    bool done = true;
    for (size_t n = 0; n < process->fan_count; n++)
        done = done && whittle_flow_fan_open(process->fans[n]);
    return done;
}

void whittle_flow_fans_close(struct whittle_flow_process *process)
{
    for (size_t n = 0; n < process->fan_count; n++) {
        struct whittle_flow_fan *const fan = process->fans[n];
        struct whittle_flow_backlog *const backlog = fan->backlog;
        if (backlog == NULL)
            continue;
        for (uint32_t packet = 0; backlog->packets != NULL && packet < fan->history; packet++)
            free(backlog->packets[packet].body);
        free(backlog->packets);
        free(backlog->packet);
        free(backlog->part);
        for (size_t type = 0; type < backlog->types; type++) {
            free(backlog->written[type].body);
            free(backlog->written[type].part);
        }
        for (size_t sender = 0; backlog->written != NULL && sender < fan->count; sender++) {
            struct whittle_flow_link *const link = fan->senders[sender]->link;
            link->written = link->whole = NULL;
            free(link->filter);
            link->filter = NULL;
        }
        free(backlog->written);
        pthread_mutex_destroy(&backlog->lock);
        free(backlog);
        fan->backlog = NULL;
    }
}

/* True for an edge that is no channel's, too. */
bool whittle_flow_fan_try_lock(struct whittle_flow_link *link)
{
    return link->fan == NULL || pthread_mutex_trylock(&link->fan->backlog->lock) == 0;
}

void whittle_flow_fan_unlock(struct whittle_flow_link *link)
{
    if (link->fan != NULL)
        pthread_mutex_unlock(&link->fan->backlog->lock);
}

/*
 * Who publishes waits for a subscriber: others may come and go meanwhile. With the fan's lock, which it has again after that. Who is
 * just getting the history has not subscribed yet, and the lock stays.
 */
void whittle_flow_fan_rest(struct whittle_flow_link *link)
{
    if (link->fan == NULL || !link->subscribed)
        return;
    link->fan->backlog->waits_for = link;
    pthread_mutex_unlock(&link->fan->backlog->lock);
}

void whittle_flow_fan_resume(struct whittle_flow_link *link)
{
    if (link->fan == NULL || !link->subscribed)
        return;
    pthread_mutex_lock(&link->fan->backlog->lock);
    link->fan->backlog->waits_for = NULL;
}

/* A packet of the backlog, in memory: what of it who has just come wants, where it wants any. */
static enum whittle_flow_result whittle_flow_offer_again(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    const struct whittle_flow_type *const type = whittle_flow_fan_type(link->fan);
    const struct whittle_flow_projection *const projection = link->sender->projection;
    const bool sound = whittle_flow_is_valid(type, packet);
    if (sound && !whittle_flow_is_wanted(link, packet)) {
        whittle_flow_count(link, WHITTLE_FLOW_FILTERED, 1);
        whittle_flow_trace(link, "filters");
        return WHITTLE_FLOW_IS_DROPPED;
    }
    if (!sound && projection != NULL)
        return whittle_flow_fault(link);
    if (projection != NULL) {
        projection->take(link->fan->backlog->part, packet);
        packet = link->fan->backlog->part;
    }
    return whittle_flow_transport_of(link->edge)->shared ? whittle_flow_shared_send(link, packet, born) : whittle_flow_append(link, packet, born);
}

/* One packet of the backlog, to who has just come. False: its queue has no place for more, or it is going already. */
static bool whittle_flow_offer_backlog(struct whittle_flow_link *link, const struct whittle_flow_backlog_packet *kept)
{
    const struct whittle_flow_type *const type = whittle_flow_fan_type(link->fan);  /* what was kept is in its encoding */
    void *const packet = link->fan->backlog->packet;
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    if (shared ? whittle_flow_shared_between(link) >= link->queue_items : whittle_flow_full(link, 1, link->record))
        return false;
    memset(packet, 0, type->size);
    if (type->fixed != 0)
        memcpy(packet, kept->body, kept->bytes);
    else if (!type->decode(packet, kept->body, kept->bytes))
        return true;
    const enum whittle_flow_result result = whittle_flow_offer_again(link, packet, kept->born);
    if (type->fixed == 0 && type->release != NULL)
        type->release(packet);
    return result != WHITTLE_FLOW_IS_CLOSED;
}

/* Somebody has come: the past first, then all that is published. With the fan's lock, on the event loop's thread. */
void whittle_flow_fan_join(struct whittle_flow_link *link)
{
    const struct whittle_flow_fan *const fan = link->fan;
    if (fan == NULL || link->subscribed || link->settled)
        return;
    const struct whittle_flow_backlog *const backlog = fan->backlog;
    const uint64_t most = fan->history < link->queue_items ? fan->history : link->queue_items, held = backlog->count < most ? backlog->count : most;
    whittle_flow_trace(link, "subscribes");
    for (uint64_t n = backlog->count - held; n < backlog->count && whittle_flow_offer_backlog(link, &backlog->packets[n % fan->history]); n++)
        continue;
    link->subscribed = true;
    link->since = backlog->published;
    if (whittle_flow_transport_of(link->edge)->shared)
        return;
    pthread_mutex_lock(&link->lock);
    if (link->fd >= 0 && whittle_flow_push(link, false) == WHITTLE_FLOW_BUSY)
        whittle_flow_arm(link, whittle_net_now());
    pthread_mutex_unlock(&link->lock);
}

/*
 * Who left has said what it had taken, and the numbers behind that are given again; of one that died that is not known before its
 * page is seen again, and what was on its way keeps its numbers: see whittle_flow_settle_losses. With both locks.
 */
static void whittle_flow_forget_subscriber(struct whittle_flow_link *link)
{
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    const uint64_t at = whittle_flow_position(link), waiting = whittle_flow_waiting(link), sent = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT);
    const uint64_t heard = shared ? whittle_flow_shared_count(link) : whittle_flow_counter(link->page, WHITTLE_FLOW_ACKNOWLEDGED);
    uint64_t dropped = waiting, next = sent;
    whittle_flow_trace(link, "vacates queued=%llu heard=%llu refused=%d", (unsigned long long)(sent + waiting), (unsigned long long)heard, (int)link->refused);
    if (link->refused && sent > heard) {
        dropped += sent - heard;
        next = heard;
    }
    whittle_flow_set(link, WHITTLE_FLOW_SENT, next);
    whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, dropped);
    if (shared)
        whittle_flow_shared_forget(link);
    link->retained = link->claimed = link->frontier = link->moved = link->taken = (struct whittle_flow_place){next, at};
    link->tail = at;
    link->head_left = 0;
    link->body_left = 0;
    link->armed = false;
    whittle_flow_gather(link);
}

/* When a subscriber without a connection is gone, should it not come again; 0: it has one; `busy`: who has just lost it is about to say when. */
static uint64_t whittle_flow_gone_at(struct whittle_flow_link *link, bool *busy)
{
    *busy = link->fd < 0 && pthread_mutex_trylock(&link->lock) != 0;
    if (link->fd >= 0 || *busy)
        return 0;
    const uint64_t at = link->lost_at + whittle_flow_subscription_grace;
    pthread_mutex_unlock(&link->lock);
    return at;
}

/* Looks whether the subscriber has left: it said so, or did not come again in time. When to look again; 0: not before something happens. */
uint64_t whittle_flow_fan_step(struct whittle_flow_link *link, uint64_t now)
{
    if (link->fan == NULL || (!link->subscribed && !link->refused))
        return 0;
    if (!link->refused) {
        bool busy;
        const uint64_t at = whittle_flow_gone_at(link, &busy);
        const bool was = link->abandoned;
        if (busy)
            return now + whittle_flow_fan_again;
        /* It may have come again after its time, and before anybody could forget it: then it goes on. */
        link->abandoned = at != 0 && now >= at;
        if (!link->abandoned)
            return at;
        if (!was)
            whittle_flow_wake_stage(link);  /* who waits for it does so no more */
    }
    if (!whittle_flow_fan_try_lock(link))
        return now + whittle_flow_fan_again;
    if (link->fan->backlog->waits_for == link) {   /* it has been given */
        whittle_flow_fan_unlock(link);
        return now + whittle_flow_fan_again;
    }
    pthread_mutex_lock(&link->lock);
    if (!link->settled) {
        whittle_flow_lose(link, NULL);
        whittle_flow_forget_subscriber(link);
        link->subscribed = false;
        link->refused = link->abandoned = false;
        link->lost = true;
        link->dial_at = now + whittle_flow_rejoin_pause;
    }
    pthread_mutex_unlock(&link->lock);
    whittle_flow_fan_unlock(link);
    whittle_flow_wake_stage(link);
    return 0;
}

/* The sender ends. Whether somebody is there to be waited for; where not, or where `over` says so, nobody subscribes or leaves any more. */
bool whittle_flow_fan_settle(struct whittle_flow_link *link, bool over)
{
    if (link->fan == NULL)
        return !over;
    pthread_mutex_lock(&link->fan->backlog->lock);
    const bool is_there = link->subscribed && !over;
    link->settled = !is_there;
    pthread_mutex_unlock(&link->fan->backlog->lock);
    return is_there;
}

/* Something has changed in the flow's directory: a subscriber may listen there now. On the event loop's thread. */
void whittle_flow_fans_expect(struct whittle_flow_event_loop *loop)
{
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (link->fan == NULL || link->dial != WHITTLE_FLOW_IDLE)
            continue;
        link->dial_at = 0;
        link->dial_pause = 0;
    }
}
