/* SPDX-License-Identifier: MIT-0 */
/*
 * Connections whose bytes come without the system, where one thread has the loop: it looks at each in turn, as long as that pays, and
 * at all other events every millisecond. Where nothing comes, an only client is waited for itself for a while, by a futex; then all of
 * them together (futex_sleep.h), or they are to wake epoll.
 */
#include "server.h"
#include <poll.h>

void whittle_net_poll_memory_begin(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    struct whittle_net_connection *const first = server->polled;
    if (connection->stream.ops->look == NULL)
        return;
    connection->beside = first == NULL ? connection : first;
    connection->before = first == NULL ? connection : first->before;
    connection->before->beside = connection->beside->before = connection;
    server->polled = connection;
}

void whittle_net_poll_memory_end(struct whittle_net_connection *connection)
{
    struct whittle_net_server *const server = connection->server;
    if (connection->beside == NULL)
        return;
    if (server->polled == connection)
        server->polled = connection->beside == connection ? NULL : connection->beside;
    connection->before->beside = connection->beside;
    connection->beside->before = connection->before;
    connection->beside = connection->before = NULL;
}

/* What it is waited for. */
static uint32_t whittle_net_polled_events(const struct whittle_net_connection *connection)
{
    const bool reads = !connection->full && !connection->ended && !connection->retried;
    return (reads ? (uint32_t)EPOLLIN : 0) | (connection->queue != NULL ? (uint32_t)EPOLLOUT : 0);
}

/* Each once; false: there was nothing. A servant may serve others meanwhile, and any of them may be closed. */
WHITTLE_NET_HOT static bool whittle_net_poll_all(struct whittle_net_server *server)
{
    bool any = false;
    const struct whittle_net_connection *const last = server->polled == NULL ? NULL : server->polled->before;
    for (uint32_t left = server->connection_count; left > 0 && server->polled != NULL; left--) {
        struct whittle_net_connection *const each = server->polled;
        const bool ends = each == last;
        server->polled = each->beside;
        if (each->stream.ops->look(&each->stream, whittle_net_polled_events(each)) != 0) {
            any = true;
            whittle_net_source_keep(&each->source);
            each->source.ready(&each->source, 0);
            whittle_net_source_drop(&each->source);
        }
        if (ends)
            break;
    }
    return any;
}

WHITTLE_NET_HOT bool whittle_net_memory_has_any(const struct whittle_net_server *server)
{
    struct whittle_net_connection *each = server->polled;
    for (uint32_t left = server->connection_count; left > 0 && each != NULL; left--, each = each->beside)
        if (each->stream.ops->look(&each->stream, whittle_net_polled_events(each)) != 0)
            return true;
    return false;
}

bool whittle_net_can_sleep(struct whittle_net_server *server)
{
    struct whittle_net_connection *each = server->polled;
    for (uint32_t left = server->connection_count; left > 0 && each != NULL; left--, each = each->beside)
        each->stream.ops->watch(&each->stream, whittle_net_polled_events(each));
    return !whittle_net_memory_has_any(server);
}

/*
 * The only client is waited for itself, and other events wait for so long at most. Less would often be earlier than the system's own
 * tick: each call would then set a clock anew, twice, which takes a virtual machine longer than all the rest.
 */
static void whittle_net_await_one(struct whittle_net_connection *connection, uint64_t now)
{
    enum { SLICE = 4 };     /* milliseconds: a tick at 250 Hz */
    if (connection->queue == NULL && !connection->full && !connection->ended && connection->stream.memory != NULL)
        connection->stream.ops->wait(&connection->stream, POLLIN, now + SLICE * (uint64_t)WHITTLE_NET_MILLISECOND);
}

/* A word of each client, which is asked to wake by it; how many. 0: some of them cannot, or there are too many. */
static uint32_t whittle_net_words_to_sleep_on(struct whittle_net_server *server, struct whittle_net_futex_word *words)
{
    const uint32_t count = server->connection_count;
    struct whittle_net_connection *each = server->polled;
    if (each == NULL || count > WHITTLE_NET_FUTEXES_MOST)
        return 0;
    for (uint32_t index = 0; index < count; index++, each = each->beside) {
        const bool again = index > 0 && each == server->polled;   /* the others come by epoll alone */
        words[index].word = again ? NULL : each->stream.ops->futex_word(&each->stream, whittle_net_polled_events(each), &words[index].value);
        if (words[index].word == NULL)
            return 0;
    }
    return count;
}

/* All of them are waited for together; false: they cannot be. */
WHITTLE_NET_HOT static bool whittle_net_sleep_on_words(struct whittle_net_server *server)
{
    struct whittle_net_futex_word words[WHITTLE_NET_FUTEXES_MOST];
    const uint32_t count = whittle_net_poller_has_events(&server->poller) ? 0 : whittle_net_words_to_sleep_on(server, words);
    if (count == 0 || !whittle_net_watcher_begin(server, count))
        return false;
    if (!whittle_net_memory_has_any(server))
        whittle_net_futex_sleep(server, words, count);
    return true;
}

/* How long nothing has come, and how long one stays awake for that: as long as it has paid. */
struct whittle_net_idle_time { uint64_t since, spin_time; };

/* Something has come. */
static void whittle_net_idle_ends(struct whittle_net_server *server, struct whittle_net_idle_time *idling)
{
    if (idling->spin_time != 0)
        whittle_net_spun(&server->spin, true);
    *idling = (struct whittle_net_idle_time){0, 0};
}

/* Nothing has; false: nor will it soon, and who comes wakes epoll. */
static bool whittle_net_idle_on(struct whittle_net_server *server, struct whittle_net_idle_time *idling, uint64_t now)
{
    const uint64_t patience = 10 * WHITTLE_NET_MILLISECOND;
    if (idling->since == 0) {
        *idling = (struct whittle_net_idle_time){now, whittle_net_spin_pays(&server->spin) ? server->spin_time : 0};
        if (idling->spin_time != 0)
            return true;
    }
    if (now - idling->since < idling->spin_time)
        return true;
    if (idling->spin_time != 0)
        whittle_net_spun(&server->spin, false);
    idling->spin_time = 0;
    if (server->spin_time == 0 && whittle_net_sleep_on_words(server))
        return true;
    if (server->connection_count == 1 && server->polled != NULL && now - idling->since < patience) {
        whittle_net_await_one(server->polled, now);
        return true;
    }
    return (server->spin_time != 0 && whittle_net_sleep_on_words(server)) || !whittle_net_can_sleep(server);
}

WHITTLE_NET_HOT void whittle_net_poll_memory(struct whittle_net_server *server)
{
    enum { LOOKS = 32 };
    struct whittle_net_idle_time idling = {0, 0};
    uint64_t others = 0;
    for (uint32_t looks = 0; server->polled != NULL && whittle_net_runs(server); looks++) {
        const bool came = whittle_net_poll_all(server);
        if (came)
            whittle_net_idle_ends(server, &idling);
        else if (idling.spin_time != 0)
            whittle_net_relax();
        if (looks % LOOKS != 0 && (came || idling.spin_time != 0))
            continue;
        const uint64_t now = whittle_net_now();
        if (others != 0 && now >= others && whittle_net_poll(&server->poller, WHITTLE_NET_EVENTS, 0) > 0)
            whittle_net_idle_ends(server, &idling);
        if (others == 0 || now >= others)
            others = now + WHITTLE_NET_MILLISECOND;
        if (!came && !whittle_net_idle_on(server, &idling, now))
            break;
    }
}

void whittle_net_settle(struct whittle_net_server *server)
{
    enum { MOST = 64 };     /* requests; then it is others' turn, and the socket wakes for the rest */
    for (int times = 0; times < MOST && server->polled != NULL && whittle_net_runs(server); times++)
        if (!whittle_net_poll_all(server) && whittle_net_can_sleep(server))
            return;
}
