/* SPDX-License-Identifier: MIT-0 */
/* Servers: made with what is usual, and freed. */
#include "server.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* As many as descriptors allow, but for some. */
static uint32_t whittle_net_connections_most(uint32_t asked)
{
    enum { OTHERS = 64, LEAST = 16 };
    struct rlimit limit = {1024, 1024};
    getrlimit(RLIMIT_NOFILE, &limit);
    const uint64_t most = limit.rlim_cur > OTHERS + LEAST ? limit.rlim_cur - OTHERS : (uint64_t)LEAST;
    return asked != 0 && asked < most ? asked : most > INT32_MAX ? INT32_MAX : (uint32_t)most;
}

/* For a small machine: half a gigabyte for servers, of which one takes half. Values may take four times the bytes that they came in. */
static void whittle_net_configure(struct whittle_net_options *options)
{
    if (options->longest == 0)
        options->longest = 16 * 1024 * 1024;
    if (options->decoded == 0)
        options->decoded = 4 * options->longest;
    if (options->pending == 0)
        options->pending = 4 * 1024 * 1024;
    if (options->memory == 0)
        options->memory = 256 * 1024 * 1024;
    if (options->longest > options->memory / 2)     /* more would come, but fail when memory is tight: budget.c */
        options->longest = options->memory / 2;
    if (options->patience == 0)
        options->patience = 30000 * WHITTLE_NET_MILLISECOND;
    if (options->grace == 0)
        options->grace = 5000 * WHITTLE_NET_MILLISECOND;
    options->connections = whittle_net_connections_most(options->connections);
}

/* Nothing to do when the loop is stopped, but to be awake. */
static void whittle_net_stopping(struct whittle_net_source *source, uint32_t events)
{
    (void)source;
    (void)events;
}

static struct whittle_net_source whittle_net_source_of(int fd, void (*ready)(struct whittle_net_source *, uint32_t))
{
    return (struct whittle_net_source){.ready = ready, .refs = 1, .fd = fd};
}

bool whittle_net_server_open(struct whittle_net_server *server, const struct whittle_net_protocol *protocol, const struct whittle_net_options *options)
{
    server->protocol = protocol;
    server->options = *options;
    whittle_net_configure(&server->options);
    server->spin_time = whittle_net_spin_time();
    pthread_mutex_init(&server->gate, NULL);
    whittle_net_pool_open(&server->pool, server->options.memory);
    const uint64_t period = server->options.patience / 4;
    const struct timespec each = {(time_t)(period / 1000000000u), (long)(period % 1000000000u)};
    const struct itimerspec often = {each, each};
    server->stop_event = whittle_net_source_of(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), whittle_net_stopping);
    server->job_event = whittle_net_source_of(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE), whittle_net_job_do);
    server->sweep_timer = whittle_net_source_of(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), whittle_net_sweep);
    server->resume_timer = whittle_net_source_of(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), whittle_net_resume_listening);
    server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return whittle_net_poller_open(&server->poller) && server->stop_event.fd >= 0 && server->job_event.fd >= 0 && server->sweep_timer.fd >= 0 && server->resume_timer.fd >= 0
        && timerfd_settime(server->sweep_timer.fd, 0, &often, NULL) == 0
        && whittle_net_watch(&server->poller, &server->stop_event, EPOLLIN)
        && whittle_net_watch(&server->poller, &server->job_event, EPOLLIN)
        && whittle_net_watch(&server->poller, &server->sweep_timer, EPOLLIN)
        && whittle_net_watch(&server->poller, &server->resume_timer, EPOLLIN);
}

void whittle_net_server_close(struct whittle_net_server *server)
{
    whittle_net_watcher_end(server);
    const int all[] = {server->stop_event.fd, server->job_event.fd, server->sweep_timer.fd, server->resume_timer.fd, server->spare};
    whittle_net_listen_end(server);
    while (whittle_net_connection_any(server) != NULL)
        whittle_net_connection_close(whittle_net_connection_any(server));
    while (server->listeners != NULL) {
        struct whittle_net_listener *const listener = server->listeners;
        server->listeners = listener->next;
        free(listener->text);
        free(listener);
    }
    whittle_net_poller_close(&server->poller);
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
        if (all[index] >= 0)
            close(all[index]);
    whittle_net_pool_close(&server->pool);
    pthread_mutex_destroy(&server->gate);
}

void whittle_net_usage_of(const struct whittle_net_server *server, struct whittle_net_usage *usage)
{
    const struct whittle_net_usage *const now = &server->usage;
    const struct whittle_net_budget *const budget = &server->pool.budget;
    *usage = (struct whittle_net_usage){
        .memory = __atomic_load_n(&budget->used, __ATOMIC_RELAXED), .memory_most = __atomic_load_n(&budget->most, __ATOMIC_RELAXED),
        .memory_bound = budget->bound, .connections = __atomic_load_n(&server->connection_count, __ATOMIC_RELAXED),
        .accepted = __atomic_load_n(&now->accepted, __ATOMIC_RELAXED), .refused = __atomic_load_n(&now->refused, __ATOMIC_RELAXED),
        .evicted = __atomic_load_n(&now->evicted, __ATOMIC_RELAXED), .stalled = __atomic_load_n(&now->stalled, __ATOMIC_RELAXED),
        .shed = __atomic_load_n(&now->shed, __ATOMIC_RELAXED), .requests = __atomic_load_n(&now->requests, __ATOMIC_RELAXED),
        .requests_refused = __atomic_load_n(&now->requests_refused, __ATOMIC_RELAXED),
        .requests_dropped = __atomic_load_n(&now->requests_dropped, __ATOMIC_RELAXED),
        .protocol_errors = __atomic_load_n(&now->protocol_errors, __ATOMIC_RELAXED)};
}
