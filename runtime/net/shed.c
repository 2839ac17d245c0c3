/* SPDX-License-Identifier: MIT-0 */
/*
 * Where a server's memory is tight, whoever has had most of it for longest is hung up on: a peer that is slow on purpose, and never
 * one that has just come.
 */
#include "server.h"

static uint64_t whittle_net_milliseconds(const uint64_t *begin, uint64_t now)
{
    enum { LONG = 1 << 28 };
    const uint64_t since = __atomic_load_n(begin, __ATOMIC_RELAXED);
    const uint64_t span = since == 0 || since >= now ? 0 : (now - since) / WHITTLE_NET_MILLISECOND;
    return span < LONG ? span + 1 : (unsigned)LONG;
}

/* What a connection has of the server's memory, as seen at one moment: it goes on while somebody looks. */
struct whittle_net_load {
    size_t bytes;
    uint64_t holding;                   /* bytes by milliseconds; replies begin to wait anew when enough of them has gone */
};

static struct whittle_net_load whittle_net_load_of(const struct whittle_net_connection *connection, uint64_t now)
{
    const size_t held = __atomic_load_n(&connection->held, __ATOMIC_RELAXED), kept = __atomic_load_n(&connection->kept, __ATOMIC_RELAXED);
    return (struct whittle_net_load){held + kept,
        held * whittle_net_milliseconds(&connection->in.began, now) + kept * whittle_net_milliseconds(&connection->out.since, now)};
}

/* Whoever holds less than a quarter of an equal share has not made memory tight, but may not keep it for long either. */
static bool whittle_net_is_heavy(const struct whittle_net_load *load, size_t share)
{
    enum { LONG = 100 };        /* milliseconds */
    return load->bytes >= share / 4 || load->holding / LONG > load->bytes;
}

/* With the gate held. NULL: enough is on its way out, or the memory is not with those who are connected. */
static struct whittle_net_connection *whittle_net_heaviest(const struct whittle_net_server *server, uint64_t now, size_t *leaving)
{
    struct whittle_net_connection *found = NULL;
    uint64_t most = 0;
    const struct whittle_net_budget *const budget = &server->pool.budget;
    const size_t share = whittle_net_budget_tight(budget) / (server->connection_count + 1);
    *leaving = 0;
    for (int which = 0; which < 2; which++)
        for (struct whittle_net_connection *each = which == 0 ? server->fresh.first : server->active.first; each != NULL; each = each->next) {
            const struct whittle_net_load load = whittle_net_load_of(each, now);
            whittle_net_connection_rest(each);
            if (each->leaving) {
                *leaving += load.bytes;
            } else if (load.holding > most && whittle_net_is_heavy(&load, share)) {
                most = load.holding;
                found = each;
            }
        }
    return __atomic_load_n(&budget->used, __ATOMIC_RELAXED) < whittle_net_budget_tight(budget) + *leaving ? NULL : found;
}

/* Its memory is free at once where no thread has it, and else when that thread is done with it. */
static void whittle_net_shed_one(struct whittle_net_server *server, struct whittle_net_connection *found)
{
    whittle_net_lock(server, &found->lock);
    const bool rests = !found->handled && found->serving == 0;
    whittle_net_unlock(server, &found->lock);
    shutdown(found->source.fd, SHUT_RDWR);
    if (rests)
        whittle_net_connection_close(found);
    whittle_net_source_drop(&found->source);
}

WHITTLE_NET_COLD bool whittle_net_shed_now(struct whittle_net_server *server)
{
    enum { AT_ONCE = 16 };
    bool any = false;
    for (int count = 0; count < AT_ONCE && server->ends_at == 0; count++) {
        size_t leaving;
        whittle_net_lock(server, &server->gate);
        struct whittle_net_connection *const found = whittle_net_heaviest(server, whittle_net_now(), &leaving);
        any = any || found != NULL || leaving != 0;
        if (found != NULL) {
            whittle_net_connection_leaves(found);
            whittle_net_increment(server, &server->usage.shed);
            whittle_net_source_keep(&found->source);
        }
        whittle_net_unlock(server, &server->gate);
        if (found == NULL)
            break;
        whittle_net_shed_one(server, found);
    }
    return any;
}

bool whittle_net_shed(struct whittle_net_server *server)
{
    if (!whittle_net_budget_is_tight(&server->pool.budget))
        return false;
    const uint64_t now = whittle_net_now(), before = __atomic_load_n(&server->shed_at, __ATOMIC_RELAXED);
    if (now < before + WHITTLE_NET_MILLISECOND)     /* looking through all of them takes time itself */
        return true;
    __atomic_store_n(&server->shed_at, now, __ATOMIC_RELAXED);
    return whittle_net_shed_now(server);
}

bool whittle_net_has_room(struct whittle_net_server *server, size_t needs)
{
    struct whittle_net_budget *const budget = &server->pool.budget;
    if (needs != 0 && !whittle_net_budget_fits(budget, needs, WHITTLE_NET_WANT_CONNECTION)) {
        whittle_net_pool_trim(&server->pool);
        if (!whittle_net_budget_fits(budget, needs, WHITTLE_NET_WANT_CONNECTION) && whittle_net_evict_memory(server))
            return false;
    }
    if (whittle_net_budget_admits(budget, WHITTLE_NET_WANT_CONNECTION))
        return true;
    whittle_net_pool_trim(&server->pool);
    /* The memory of who goes is there a moment later. */
    return whittle_net_budget_admits(budget, WHITTLE_NET_WANT_CONNECTION) || whittle_net_shed(server);
}
