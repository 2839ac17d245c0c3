/* SPDX-License-Identifier: MIT-0 */
/*
 * Leftovers: a busy sender does not write each packet, and may stop at any time with some that have not gone. An armed
 * link is looked at again and again, soon after a lull and more seldom while its own thread keeps writing; where nothing
 * came in between it is disarmed, and its thread looks at every packet again. On the event loop's thread.
 */
#include "internal.h"
#include <linux/membarrier.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WHITTLE_FLOW_RARE = 10000, WHITTLE_FLOW_SOON = 50000, WHITTLE_FLOW_SELDOM = 800000, WHITTLE_FLOW_AGAIN = 1000000 };

/* With the lock held: the event loop is to look at this link when its time has come. It is woken where it would sleep longer. */
void whittle_flow_look_again(struct whittle_flow_link *link, uint64_t now)
{
    const uint64_t at = now + link->tick_period;
    __atomic_store_n(&link->tick_at, at, __ATOMIC_SEQ_CST);
    const uint64_t due = __atomic_load_n(&link->loop->due, __ATOMIC_SEQ_CST);
    if (due == 0 || due > at)
        whittle_flow_event_loop_wake(link->loop);
}

/* With the lock held: the event loop is to look at this link from now on. */
void whittle_flow_arm(struct whittle_flow_link *link, uint64_t now)
{
    link->armed = true;
    link->armed_at = now;
    link->tick_period = link->edge->batch_within > 0 ? link->edge->batch_within : WHITTLE_FLOW_SOON;
    link->tick_seen = whittle_flow_position(link);
    link->tick_queued = whittle_flow_ledger_queued(link->page);
    link->tick_last = now;
    link->tick_writes = link->writes;
    whittle_flow_gather(link);
    whittle_flow_look_again(link, now);
}

/*
 * The limit is lowered first, and packets are looked for after that: the stage's thread publishes first and looks at the
 * limit after that, so one of the two sees the other. The barrier stands for the one that the thread's code has not.
 */
static void whittle_flow_disarm(struct whittle_flow_link *link)
{
    link->armed = false;
    whittle_flow_gather(link);
    if (!link->loop->barrier || syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        link->armed = true; /* without it, looking goes on for ever */
    whittle_flow_gather(link);
    if (whittle_flow_has_left(link))
        link->armed = true;
}

static uint64_t whittle_flow_look_at(struct whittle_flow_link *link, uint64_t now)
{
    const uint64_t at = whittle_flow_position(link);
    const uint64_t queued = whittle_flow_ledger_queued(link->page), packets = queued - link->tick_queued;
    const bool moved = at != link->tick_seen, wrote = link->writes != link->tick_writes;
    /* Packets as rare as these may as well be written one by one. */
    const bool rare = packets * WHITTLE_FLOW_RARE <= now - link->tick_last;
    const bool busy = whittle_flow_has_left(link) && whittle_flow_push(link, true) == WHITTLE_FLOW_BUSY;
    link->tick_seen = at;
    link->tick_queued = queued;
    link->tick_last = now;
    link->tick_writes = link->writes;
    if (link->edge->batch_within > 0 || ((!moved || rare) && !whittle_flow_has_left(link) && !whittle_flow_fan_gathers(link, now)))
        whittle_flow_disarm(link);
    if (link->edge->batch_within > 0)
        link->tick_period = link->edge->batch_within;
    else if (link->blocked || (wrote && link->tick_period >= WHITTLE_FLOW_SELDOM))
        link->tick_period = WHITTLE_FLOW_SELDOM;
    else if (wrote)
        link->tick_period *= 2;
    else if (!wrote)
        link->tick_period = WHITTLE_FLOW_SOON;
    whittle_flow_gather(link);
    link->tick_at = link->armed ? now + link->tick_period : 0;
    if (busy && !moved && !wrote && link->fd >= 0) {
        /* Nothing goes before the receiver has taken some, and nobody adds any: the connection will wake us. */
        const uint32_t room = link->blocked && link->edge->full == WHITTLE_FLOW_BLOCK ? EPOLLOUT : 0;
        link->blocked = true;
        whittle_flow_watch(link, EPOLLIN | room);
        link->tick_at = 0;
    }
    return link->tick_at;
}

/* Looks after a sender where it is due; when it is to be looked after again, 0: not before something happens. */
uint64_t whittle_flow_tick(struct whittle_flow_link *link, uint64_t now)
{
    const uint64_t due = __atomic_load_n(&link->tick_at, __ATOMIC_SEQ_CST);
    if (!link->look && (due == 0 || now < due))
        return due;
    if (pthread_mutex_trylock(&link->lock) != 0)
        return now + WHITTLE_FLOW_AGAIN;
    if (link->look) {
        link->look = false;
        if (link->watches_more && link->fd >= 0)
            whittle_flow_watch(link, 0);
        link->blocked = false;
        if (whittle_flow_transport_of(link->edge)->shared)
            whittle_flow_shared_listen(link);
        else {
            whittle_flow_read_acknowledgements(link);
            whittle_flow_push(link, false);
            if (link->armed && link->tick_at == 0)
                link->tick_at = whittle_net_now() + WHITTLE_FLOW_SOON;
        }
    }
    uint64_t again = link->tick_at;
    if (link->fd < 0) {
        link->armed = false;
        again = link->tick_at = 0;
        whittle_flow_gather(link);
    } else if (link->armed && now >= link->tick_at)
        again = whittle_flow_look_at(link, now);
    pthread_mutex_unlock(&link->lock);
    return again;
}
