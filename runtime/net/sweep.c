/* SPDX-License-Identifier: MIT-0 */
/* Now and then: whose messages have progressed too little for too long is hung up on. */
#include "server.h"
#include <unistd.h>

enum { WHITTLE_NET_LEAST_RATE = 1024 };     /* bytes a second that a slow peer moves */

/* It has moved too little for too long; `away`: or nobody looked. */
static bool whittle_net_is_slow(struct whittle_net_meter *meter, uint64_t now, uint64_t patience, bool away)
{
    const uint64_t since = __atomic_load_n(&meter->since, __ATOMIC_RELAXED);
    if (since == 0 || (!away && now < since + patience))
        return false;
    if (!away && __atomic_load_n(&meter->moved, __ATOMIC_RELAXED) < (now - since) / WHITTLE_NET_MILLISECOND * WHITTLE_NET_LEAST_RATE / 1000)
        return true;
    __atomic_store_n(&meter->moved, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&meter->since, now, __ATOMIC_RELAXED);
    return false;
}

void whittle_net_sweep(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_net_server *const server =
        (struct whittle_net_server *)(void *)((char *)source - offsetof(struct whittle_net_server, sweep_timer));
    uint64_t ticks;
    const uint64_t now = whittle_net_now(), patience = server->options.patience;
    (void)events;
    if (read(source->fd, &ticks, sizeof ticks) < 0)
        return;
    /* Where a procedure took long, or the program's own loop looks seldom, what peers sent meanwhile lies unread: their time begins anew. */
    const bool away = ticks > 1;
    whittle_net_lock(server, &server->gate);
    for (int which = 0; which < 2; which++)
        for (struct whittle_net_connection *each = which == 0 ? server->fresh.first : server->active.first; each != NULL; each = each->next) {
            whittle_net_await_less(each);
            whittle_net_connection_rest(each);
            whittle_net_lock(server, &each->lock);
            const bool handled = each->handled, waits = each->full || each->paused;
            whittle_net_unlock(server, &each->lock);
            /* Nor does a peer's time run while this server does not look at what it sends, or does not send. */
            const bool slow = whittle_net_is_slow(&each->in, now, patience, away || handled || waits);
            if (!whittle_net_is_slow(&each->out, now, patience, away || handled) && !slow)
                continue;
            if (!each->leaving)
                whittle_net_increment(server, &server->usage.stalled);
            whittle_net_connection_leaves(each);
            shutdown(each->source.fd, SHUT_RDWR);
        }
    whittle_net_unlock(server, &server->gate);
    pthread_mutex_lock(&server->gate);
    const bool waits = server->jobs != NULL;
    pthread_mutex_unlock(&server->gate);
    if (waits)      /* should a wake-up have been lost */
        whittle_net_jobs_wake(server);
    whittle_net_listen_again(server);   /* should its timer not have been set */
    if (server->protocol->sweep != NULL)
        server->protocol->sweep(server);
}
