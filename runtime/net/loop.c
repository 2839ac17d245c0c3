/* SPDX-License-Identifier: MIT-0 */
/* The server's loop: waits for what comes, and serves it. When it is stopped, what was asked is replied to first. */
#include "server.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* The only client asks again and again: its next request is waited for itself, which costs less. Others wait so long. */
static void whittle_net_busy_poll(struct whittle_net_server *server, struct whittle_net_connection *connection)
{
    bool asks = true;
    whittle_net_source_keep(&connection->source);
    whittle_net_pause(&server->poller, &connection->source);
    while (asks && whittle_net_runs(server)) {
        const uint64_t others = whittle_net_now() + WHITTLE_NET_MILLISECOND;
        do
            asks = whittle_net_connection_wait(connection);
        while (asks && whittle_net_now() < others);
        if (connection->closed || whittle_net_poll(&server->poller, WHITTLE_NET_EVENTS, 0) > 0)
            break;
    }
    if (!connection->closed && !whittle_net_resume(&server->poller, &connection->source, whittle_net_connection_events(connection)))
        whittle_net_connection_close(connection);
    whittle_net_source_drop(&connection->source);
}

void whittle_net_loop(struct whittle_net_server *server)
{
    enum { OFTEN = 64 };
    uint32_t alone = 0;
    while (whittle_net_runs(server)) {
        const uint32_t served = server->served;
        if (server->polled != NULL && !server->shared)
            whittle_net_poll_memory(server);
        if (!whittle_net_runs(server))
            break;
        const int count = whittle_net_poll(&server->poller, WHITTLE_NET_EVENTS, -1);
        if (server->shared || server->polled != NULL)
            continue;
        alone = count == 1 && server->served == served + 1 && server->connection_count == 1 ? alone + 1 : 0;
        if (alone < OFTEN || server->active.first == NULL)
            continue;
        whittle_net_busy_poll(server, server->active.first);
        alone = 0;
    }
}

static void *whittle_net_work(void *server)
{
    whittle_net_loop((struct whittle_net_server *)server);
    return NULL;
}

void whittle_net_finish(struct whittle_net_server *server)
{
    enum { AGAIN = 5 };
    server->ends_at = whittle_net_now() + server->options.grace;
    whittle_net_watcher_end(server);
    server->shared = server->overtaking = server->poller.shared = false;
    whittle_net_listen_end(server);
    whittle_net_jobs_finish(server);
    struct whittle_net_connections *const lists[2] = {&server->active, &server->fresh};
    for (int which = 0; which < 2 && server->protocol->goodbye != NULL; which++)
        for (struct whittle_net_connection *each = lists[which]->first; each != NULL; each = each->next)
            server->protocol->goodbye(each);
    for (;;) {
        for (int which = 0; which < 2; which++)
            for (struct whittle_net_connection *each = lists[which]->first, *next; each != NULL; each = next) {
                next = each->next;
                whittle_net_connection_finish(each);
            }
        if (whittle_net_connection_any(server) == NULL || whittle_net_now() >= server->ends_at)
            break;
        poll(NULL, 0, AGAIN);
    }
    while (whittle_net_connection_any(server) != NULL)
        whittle_net_connection_close(whittle_net_connection_any(server));
}

void whittle_net_run(struct whittle_net_server *server)
{
    const uint32_t wanted = server->options.workers > 1 ? server->options.workers : 1;
    uint32_t count = 0;
    pthread_t *const threads = wanted > 1 ? (pthread_t *)calloc(wanted, sizeof *threads) : NULL;
    server->shared = server->poller.shared = wanted > 1;
    server->overtaking = server->shared && server->options.overtaking;
    while (threads != NULL && count + 1 < wanted && pthread_create(&threads[count], NULL, whittle_net_work, server) == 0)
        count++;
    whittle_net_loop(server);
    for (uint32_t index = 0; index < count; index++)
        pthread_join(threads[index], NULL);
    free(threads);
    whittle_net_finish(server);
}

void whittle_net_stop(struct whittle_net_server *server)
{
    const uint64_t one = 1;
    const int problem = errno;
    __atomic_store_n(&server->stopped, true, __ATOMIC_RELEASE);
    if (write(server->stop_event.fd, &one, sizeof one) < 0)
        errno = 0;  /* it has been reported already */
    errno = problem;
}
