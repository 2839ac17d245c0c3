/* SPDX-License-Identifier: MIT-0 */
/*
 * A server's memory for what is under way: requests that have not come whole, and replies that are not read. Where there is too
 * little of it, whoever has had most of it for longest goes: a peer that is slow on purpose, and never one that has just come.
 */
#include "server.h"

static uint64_t whittle_onc_milliseconds(const uint64_t *begin, uint64_t now)
{
    enum { LONG = 1 << 28 };
    const uint64_t since = __atomic_load_n(begin, __ATOMIC_RELAXED);
    const uint64_t span = since == 0 || since >= now ? 0 : (now - since) / WHITTLE_ONC_MILLISECOND;
    return span < LONG ? span + 1 : LONG;
}

/* Bytes by milliseconds. Replies begin to wait anew when enough of them has gone. */
static uint64_t whittle_onc_holding(const struct whittle_onc_connection *connection, uint64_t now)
{
    const uint64_t asked = __atomic_load_n(&connection->charged, __ATOMIC_RELAXED) * whittle_onc_milliseconds(&connection->in.began, now);
    const uint64_t waiting = __atomic_load_n(&connection->waiting, __ATOMIC_RELAXED) * whittle_onc_milliseconds(&connection->out.since, now);
    return asked + waiting;
}

/* With the gate held. NULL: enough is on its way out. */
static struct whittle_onc_connection *whittle_onc_heaviest(struct whittle_onc_connection *connection)
{
    const struct whittle_onc_server *const server = connection->server;
    const uint64_t now = whittle_onc_now();
    uint64_t most = whittle_onc_holding(connection, now);
    struct whittle_onc_connection *found = connection;
    size_t left = __atomic_load_n(&server->memory, __ATOMIC_RELAXED);
    for (int which = 0; which < 2; which++)
        for (struct whittle_onc_connection *each = which == 0 ? server->strangers.first : server->known.first; each != NULL; each = each->next) {
            const uint64_t holding = whittle_onc_holding(each, now);
            if (each->leaves) {
                left -= __atomic_load_n(&each->charged, __ATOMIC_RELAXED) + __atomic_load_n(&each->waiting, __ATOMIC_RELAXED);
            } else if (holding >= most && each != connection) {
                most = holding;
                found = each;
            }
        }
    return left / (1024 * 1024) < server->options.memory ? NULL : found;
}

WHITTLE_ONC_RARE bool whittle_onc_make_room(struct whittle_onc_connection *connection)
{
    struct whittle_onc_server *const server = connection->server;
    whittle_onc_hold(server, &server->gate);
    struct whittle_onc_connection *const found = whittle_onc_heaviest(connection);
    if (found != NULL && found != connection) {
        found->leaves = true;
        shutdown(found->fd, SHUT_RDWR);     /* whoever handles it sees its end */
    }
    whittle_onc_let_go(server, &server->gate);
    return found != connection;
}

WHITTLE_ONC_RARE void whittle_onc_count_waiting(struct whittle_onc_connection *connection)
{
    struct whittle_onc_server *const server = connection->server;
    const size_t waits = connection->queued;
    const size_t all = __atomic_add_fetch(&server->memory, waits - connection->waiting, __ATOMIC_RELAXED);
    connection->presses = waits > connection->waiting && all / (1024 * 1024) >= server->options.memory;
    __atomic_store_n(&connection->waiting, waits, __ATOMIC_RELAXED);
}

WHITTLE_ONC_RARE void whittle_onc_relieve(struct whittle_onc_connection *connection)
{
    if (!whittle_onc_make_room(connection))
        shutdown(connection->fd, SHUT_RDWR);
}
