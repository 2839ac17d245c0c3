/* SPDX-License-Identifier: MIT-0 */
/* Looking up hosts within a deadline: resolve.h. */
#include "resolve.h"
#include "failure.h"
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A look-up, which its thread and who asked share; the last of them frees it. */
struct whittle_net_lookup {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done, abandoned;
    int type, count;                    /* count: of names, or a failure */
    uint16_t port;
    struct whittle_net_name names[WHITTLE_NET_NAMES];
    char host[];
};

static uint32_t whittle_net_lookups;    /* under way */

static int whittle_net_lookup_failure(int problem)
{
    return problem == EAI_MEMORY || problem == EAI_SYSTEM ? WHITTLE_NET_NO_MEMORY : WHITTLE_NET_UNKNOWN_HOST;
}

static int whittle_net_names_of(const char *host, uint16_t port, int type, int flags, struct whittle_net_name *names)
{
    char service[8];
    struct addrinfo *all = NULL;
    const struct addrinfo hints = {.ai_socktype = type, .ai_flags = flags | AI_NUMERICSERV};
    int count = 0;
    snprintf(service, sizeof service, "%u", (unsigned)port);
    const int problem = getaddrinfo(host, service, &hints, &all);
    if (problem != 0)
        return whittle_net_lookup_failure(problem);
    for (const struct addrinfo *each = all; each != NULL && count < WHITTLE_NET_NAMES; each = each->ai_next)
        if (each->ai_addrlen <= sizeof names->storage) {
            memcpy(&names[count].storage, each->ai_addr, each->ai_addrlen);
            names[count++].size = each->ai_addrlen;
        }
    freeaddrinfo(all);
    return count == 0 ? (int)WHITTLE_NET_UNKNOWN_HOST : count;
}

static void whittle_net_lookup_free(struct whittle_net_lookup *lookup)
{
    pthread_mutex_destroy(&lookup->lock);
    pthread_cond_destroy(&lookup->ended);
    free(lookup);
}

static void *whittle_net_lookup_run(void *opaque)
{
    struct whittle_net_lookup *const lookup = (struct whittle_net_lookup *)opaque;
    const int count = whittle_net_names_of(lookup->host, lookup->port, lookup->type, 0, lookup->names);
    pthread_mutex_lock(&lookup->lock);
    lookup->count = count;
    lookup->done = true;
    const bool abandoned = lookup->abandoned;
    pthread_cond_signal(&lookup->ended);
    pthread_mutex_unlock(&lookup->lock);
    __atomic_fetch_sub(&whittle_net_lookups, 1, __ATOMIC_RELAXED);
    if (abandoned)
        whittle_net_lookup_free(lookup);
    return NULL;
}

/* Signals are for the program's own threads. */
static bool whittle_net_lookup_start(struct whittle_net_lookup *lookup)
{
    enum { STACK = 512 * 1024 };
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&thread, &attributes, whittle_net_lookup_run, lookup) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* One of the few that may be under way; false: not before the deadline. */
static bool whittle_net_lookup_admit(const struct whittle_net_limits *limits)
{
    while (__atomic_add_fetch(&whittle_net_lookups, 1, __ATOMIC_RELAXED) > WHITTLE_NET_LOOKUPS) {
        __atomic_fetch_sub(&whittle_net_lookups, 1, __ATOMIC_RELAXED);
        if (whittle_net_is_cancelled(limits) || whittle_net_is_over(limits->deadline))
            return false;
        whittle_net_wait_for(-1, 0, whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE / 10));
    }
    return true;
}

static int whittle_net_lookup_wait(struct whittle_net_lookup *lookup, const struct whittle_net_limits *limits, struct whittle_net_name *names)
{
    int result = WHITTLE_NET_OK;
    pthread_mutex_lock(&lookup->lock);
    while (!lookup->done && result == WHITTLE_NET_OK) {
        if (whittle_net_is_cancelled(limits))
            result = WHITTLE_NET_CANCELLED;
        else if (whittle_net_is_over(limits->deadline))
            result = WHITTLE_NET_TIMED_OUT;
        else
            whittle_net_condition_wait(&lookup->ended, &lookup->lock,
                                       whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE));
    }
    const bool done = lookup->done;
    if (done) {
        result = lookup->count;
        memcpy(names, lookup->names, sizeof lookup->names);
    }
    lookup->abandoned = !done;
    pthread_mutex_unlock(&lookup->lock);
    if (done)
        whittle_net_lookup_free(lookup);
    return result;
}

int whittle_net_resolve(const char *host, uint16_t port, int type, bool passive, const struct whittle_net_limits *limits,
                        struct whittle_net_name *names)
{
    const int flags = passive ? AI_PASSIVE : 0;
    const int known = whittle_net_names_of(host, port, type, flags | AI_NUMERICHOST, names);
    if (known > 0 || known == WHITTLE_NET_NO_MEMORY || host == NULL)
        return known;
    const size_t size = strlen(host) + 1;
    struct whittle_net_lookup *const lookup = (struct whittle_net_lookup *)calloc(1, sizeof *lookup + size);
    if (lookup == NULL)
        return WHITTLE_NET_NO_MEMORY;
    pthread_mutex_init(&lookup->lock, NULL);
    whittle_net_condition_open(&lookup->ended);
    lookup->type = type;
    lookup->port = port;
    memcpy(lookup->host, host, size);
    const bool admitted = whittle_net_lookup_admit(limits);
    if (admitted && whittle_net_lookup_start(lookup))
        return whittle_net_lookup_wait(lookup, limits, names);
    if (admitted)
        __atomic_fetch_sub(&whittle_net_lookups, 1, __ATOMIC_RELAXED);
    whittle_net_lookup_free(lookup);
    return admitted ? WHITTLE_NET_NO_MEMORY : whittle_net_is_cancelled(limits) ? WHITTLE_NET_CANCELLED : WHITTLE_NET_TIMED_OUT;
}
