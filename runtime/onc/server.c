/* SPDX-License-Identifier: MIT-0 */
/* Servers: made, and freed. */
#include "datagrams.h"
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* As many as descriptors allow, but for some. */
static uint32_t whittle_onc_connections_most(uint32_t told)
{
    enum { OTHERS = 64, LEAST = 16 };
    struct rlimit limit = {1024, 1024};
    getrlimit(RLIMIT_NOFILE, &limit);
    const uint64_t most = limit.rlim_cur > OTHERS + LEAST ? limit.rlim_cur - OTHERS : LEAST;
    return told != 0 && told < most ? told : most > INT32_MAX ? INT32_MAX : (uint32_t)most;
}

static void whittle_onc_server_configure(struct whittle_onc_server *server, const struct whittle_onc_server_options *told)
{
    struct whittle_onc_server_options *const options = &server->options;
    if (told != NULL)
        *options = *told;
    if (options->longest == 0)
        options->longest = 16 * 1024 * 1024;
    if (options->pending == 0)
        options->pending = 4 * 1024 * 1024;
    if (options->memory == 0)
        options->memory = 256;
    if (options->patience == 0)
        options->patience = 30000;
    if (options->grace == 0)
        options->grace = 5000;
    if (options->duplicates == 0)
        options->duplicates = 1024;
    options->connections = whittle_onc_connections_most(options->connections);
}

/* Nothing to do when the loop is stopped, but to be awake. */
static void whittle_onc_stopping(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events)
{
    (void)server;
    (void)watched;
    (void)events;
}

static bool whittle_onc_server_prepare(struct whittle_onc_server *server)
{
    const uint64_t period = server->options.patience * WHITTLE_ONC_MILLISECOND / 4;
    const struct timespec each = {(time_t)(period / 1000000000u), (long)(period % 1000000000u)};
    const struct itimerspec often = {each, each};
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    server->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    server->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    server->stopper.ready = whittle_onc_stopping;
    server->jobber.ready = whittle_onc_job_do;
    server->sweeper.ready = whittle_onc_sweep;
    return server->epoll >= 0 && server->stop >= 0 && server->wake >= 0 && server->timer >= 0
        && timerfd_settime(server->timer, 0, &often, NULL) == 0
        && whittle_onc_watch(server, server->stop, &server->stopper, EPOLLIN)
        && whittle_onc_watch(server, server->wake, &server->jobber, EPOLLIN)
        && whittle_onc_watch(server, server->timer, &server->sweeper, EPOLLIN);
}

struct whittle_onc_server *whittle_onc_server_new(const struct whittle_onc_server_options *options)
{
    struct whittle_onc_server *const server = (struct whittle_onc_server *)calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    whittle_onc_server_configure(server, options);
    whittle_onc_pool_open(&server->pool);
    pthread_mutex_init(&server->gate, NULL);
    if (whittle_onc_server_prepare(server) && whittle_onc_duplicates_open(server))
        return server;
    whittle_onc_server_free(server);
    return NULL;
}

void whittle_onc_server_free(struct whittle_onc_server *server)
{
    if (server == NULL)
        return;
    const int all[] = {server->epoll, server->stop, server->wake, server->timer, server->spare};
    whittle_onc_unregister(server);
    whittle_onc_listen_end(server);
    while (server->listeners != NULL) {
        struct whittle_onc_listener *const listener = server->listeners;
        server->listeners = listener->next;
        free(listener->text);
        free(listener);
    }
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
        if (all[index] >= 0)
            close(all[index]);
    whittle_onc_duplicates_close(server);
    whittle_onc_connections_free(server);
    whittle_onc_pool_close(&server->pool);
    pthread_mutex_destroy(&server->gate);
    free(server->services);
    free(server);
}
