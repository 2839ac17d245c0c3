/* SPDX-License-Identifier: MIT-0 */
/*
 * Loops of programs' own. In: a call when something is readable. Out: that is served, once. What they wait for is the descriptor of the
 * server's loop, which is readable whenever anything has happened, its timer among it. Beside it stand the sockets that are listened at:
 * programs look for those. Source: the manual page rpc_svc_calls(3).
 */
#include "svc_inner.h"
#include <unistd.h>

fd_set svc_fdset;
int svc_maxfd = -1, svc_max_pollfd;
struct pollfd *svc_pollfd;
static int whittle_rpc_watched, whittle_rpc_room;   /* what svc_pollfd has, whatever svc_exit did, and has room for */
static bool whittle_rpc_serving;

static void whittle_rpc_watch_highest(void)
{
    svc_maxfd = -1;
    for (int index = 0; index < whittle_rpc_watched; index++)
        if (svc_pollfd[index].fd > svc_maxfd && svc_pollfd[index].fd < FD_SETSIZE)
            svc_maxfd = svc_pollfd[index].fd;
}

bool whittle_rpc_watch(int fd)
{
    if (whittle_rpc_watched == whittle_rpc_room) {
        const int room = whittle_rpc_room == 0 ? 8 : 2 * whittle_rpc_room;
        struct pollfd *const more = (struct pollfd *)realloc(svc_pollfd, (size_t)room * sizeof *more);
        if (more == NULL)
            return false;
        svc_pollfd = more;
        whittle_rpc_room = room;
    }
    svc_pollfd[whittle_rpc_watched++] = (struct pollfd){.fd = fd, .events = POLLIN};
    svc_max_pollfd = whittle_rpc_watched;
    if (fd < FD_SETSIZE)
        FD_SET(fd, &svc_fdset);
    whittle_rpc_watch_highest();
    return true;
}

void whittle_rpc_unwatch(int fd)
{
    int index = 1;     /* behind the loop's own */
    while (index < whittle_rpc_watched && svc_pollfd[index].fd != fd)
        index++;
    if (index >= whittle_rpc_watched)
        return;
    svc_pollfd[index] = svc_pollfd[--whittle_rpc_watched];
    svc_max_pollfd = svc_max_pollfd == 0 ? 0 : whittle_rpc_watched;
    if (fd < FD_SETSIZE)
        FD_CLR(fd, &svc_fdset);
    whittle_rpc_watch_highest();
}

void whittle_rpc_unwatch_all(void)
{
    FD_ZERO(&svc_fdset);
    free(svc_pollfd);
    svc_pollfd = NULL;
    whittle_rpc_watched = whittle_rpc_room = svc_max_pollfd = 0;
    svc_maxfd = -1;
}

bool whittle_rpc_begin_serving(void)
{
    return !__atomic_exchange_n(&whittle_rpc_serving, true, __ATOMIC_ACQUIRE);
}

void whittle_rpc_end_serving(void)
{
    __atomic_store_n(&whittle_rpc_serving, false, __ATOMIC_RELEASE);
}

/* What is there is served; nothing is waited for, whichever descriptors were ready. */
static void whittle_rpc_serve_once(void)
{
    if (!whittle_rpc_begin_serving())
        return;
    struct whittle_onc_server *const server = whittle_rpc_server_now();
    if (server != NULL)
        whittle_onc_server_look(server);
    if (server != NULL && !whittle_net_runs(&server->net)) {
        whittle_onc_server_finish(server);
        whittle_rpc_server_end();
    }
    whittle_rpc_end_serving();
}

void svc_getreqset(fd_set *ready)
{
    (void)ready;
    whittle_rpc_serve_once();
}

void svc_getreq(int ready)
{
    (void)ready;
    whittle_rpc_serve_once();
}

void svc_getreq_common(int fd)
{
    (void)fd;
    whittle_rpc_serve_once();
}

void svc_getreq_poll(struct pollfd *ready, int count)
{
    (void)ready;
    (void)count;
    whittle_rpc_serve_once();
}
