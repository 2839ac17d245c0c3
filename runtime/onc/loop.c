/* SPDX-License-Identifier: MIT-0 */
/* The server's loop: waits for what comes, and serves it. When it is stopped, what was asked is answered first. */
#include "server.h"
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

bool whittle_onc_watch(struct whittle_onc_server *server, int fd, struct whittle_onc_watched *watched, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watched};
    return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* What has happened is seen to; how much that was. */
static int whittle_onc_turn(struct whittle_onc_server *server, int patience)
{
    enum { AT_ONCE = 64 };
    struct epoll_event events[AT_ONCE];
    const int count = epoll_wait(server->epoll, events, server->shared ? 1 : AT_ONCE, patience);
    for (int index = 0; index < count; index++) {
        struct whittle_onc_watched *const watched = (struct whittle_onc_watched *)events[index].data.ptr;
        watched->ready(server, watched, events[index].events);
    }
    return count;
}

bool whittle_onc_runs(const struct whittle_onc_server *server)
{
    return !__atomic_load_n(&server->stopped, __ATOMIC_ACQUIRE);
}

/* The only client asks again and again: what it asks next is waited for itself, which costs less. Others wait so long. */
static void whittle_onc_devote(struct whittle_onc_server *server, struct whittle_onc_connection *connection)
{
    bool asks = true;
    whittle_onc_connection_aside(connection);
    while (asks && whittle_onc_runs(server)) {
        const uint64_t others = whittle_onc_now() + WHITTLE_ONC_MILLISECOND;
        do
            asks = whittle_onc_connection_ask(connection);
        while (asks && whittle_onc_now() < others);
        if (!asks && connection->gone)      /* before its memory is another's */
            return;
        if (whittle_onc_turn(server, 0) > 0)
            break;
    }
    whittle_onc_connection_back(connection);
}

static void *whittle_onc_loop(void *opaque)
{
    enum { OFTEN = 64 };
    struct whittle_onc_server *const server = (struct whittle_onc_server *)opaque;
    uint32_t alone = 0;
    while (whittle_onc_runs(server)) {
        const uint32_t served = server->served;
        const int count = whittle_onc_turn(server, -1);
        if (server->shared)
            continue;
        alone = count == 1 && server->served == served + 1 && server->connection_count == 1 ? alone + 1 : 0;
        if (alone < OFTEN)
            continue;
        whittle_onc_devote(server, server->known.first);
        alone = 0;
    }
    return NULL;
}

/* One of the connections, or none. */
static struct whittle_onc_connection *whittle_onc_any(const struct whittle_onc_server *server)
{
    return server->known.first != NULL ? server->known.first : server->strangers.first;
}

/* One thread is left. What has come is served; what is not taken in time is not sent. */
void whittle_onc_server_finish(struct whittle_onc_server *server)
{
    const uint64_t until = whittle_onc_now() + server->options.grace * WHITTLE_ONC_MILLISECOND;
    struct whittle_onc_connections *const lists[2] = {&server->known, &server->strangers};
    server->shared = server->overtaking = false;
    whittle_onc_unregister(server);
    whittle_onc_listen_end(server);
    whittle_onc_jobs_finish(server);
    for (;;) {
        for (int which = 0; which < 2; which++)
            for (struct whittle_onc_connection *each = lists[which]->first, *next; each != NULL; each = next) {
                next = each->next;
                whittle_onc_connection_finish(each);
            }
        if (whittle_onc_any(server) == NULL || whittle_onc_now() >= until)
            break;
        poll(NULL, 0, 5);
    }
    while (whittle_onc_any(server) != NULL)
        whittle_onc_connection_close(whittle_onc_any(server));
}

void whittle_onc_server_look(struct whittle_onc_server *server)
{
    if (whittle_onc_runs(server))
        whittle_onc_turn(server, 0);
}

int whittle_onc_server_run(struct whittle_onc_server *server)
{
    const uint32_t wanted = server->options.workers > 1 ? server->options.workers : 1;
    uint32_t count = 0;
    pthread_t *const threads = wanted > 1 ? (pthread_t *)calloc(wanted, sizeof *threads) : NULL;
    if (wanted > 1 && threads == NULL)
        return WHITTLE_ONC_NO_MEMORY;
    server->shared = wanted > 1;
    server->overtaking = server->shared && server->options.overtaking;
    while (count + 1 < wanted && pthread_create(&threads[count], NULL, whittle_onc_loop, server) == 0)
        count++;
    whittle_onc_loop(server);
    for (uint32_t index = 0; index < count; index++)
        pthread_join(threads[index], NULL);
    free(threads);
    whittle_onc_server_finish(server);
    return WHITTLE_ONC_OK;
}

void whittle_onc_server_stop(struct whittle_onc_server *server)
{
    const uint64_t one = 1;
    const int problem = errno;
    __atomic_store_n(&server->stopped, true, __ATOMIC_RELEASE);
    if (write(server->stop, &one, sizeof one) < 0 && errno != EAGAIN)
        abort();
    errno = problem;
}
