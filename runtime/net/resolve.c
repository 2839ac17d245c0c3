/* SPDX-License-Identifier: MIT-0 */
/* Looking up hosts in another thread: resolve.h. */
#include "resolve.h"
#include "failure.h"
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

/* A look-up, which its thread and who asked share; the last of them frees it. */
struct whittle_net_lookup {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool abandoned;
    int type, wake;
    int count;                          /* of names, or a failure; 0: not yet */
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
    const struct addrinfo hints = {.ai_flags = flags | AI_NUMERICSERV, .ai_socktype = type};
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

/* Who asked is woken with the lock held: once it has released it, it is woken no more. */
static void *whittle_net_lookup_run(void *opaque)
{
    struct whittle_net_lookup *const lookup = (struct whittle_net_lookup *)opaque;
    const int count = whittle_net_names_of(lookup->host, lookup->port, lookup->type, 0, lookup->names);
    pthread_mutex_lock(&lookup->lock);
    lookup->count = count;
    const bool abandoned = lookup->abandoned;
    pthread_cond_signal(&lookup->ended);
    if (!abandoned && lookup->wake >= 0)
        eventfd_write(lookup->wake, 1);
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

/* One of the few that may be under way; false: see errno. */
static bool whittle_net_lookup_admit(struct whittle_net_lookup *lookup)
{
    const bool admitted = __atomic_add_fetch(&whittle_net_lookups, 1, __ATOMIC_RELAXED) <= WHITTLE_NET_LOOKUPS;
    if (admitted && whittle_net_lookup_start(lookup))
        return true;
    __atomic_fetch_sub(&whittle_net_lookups, 1, __ATOMIC_RELAXED);
    errno = admitted ? ENOMEM : EAGAIN;
    return false;
}

struct whittle_net_lookup *whittle_net_lookup_begin(const char *host, uint16_t port, int type, int wake)
{
    const size_t size = host != NULL ? strlen(host) + 1 : 0;
    struct whittle_net_lookup *const lookup = (struct whittle_net_lookup *)calloc(1, sizeof *lookup + size);
    if (lookup == NULL)
        return NULL;
    pthread_mutex_init(&lookup->lock, NULL);
    whittle_net_condition_open(&lookup->ended);
    lookup->type = type;
    lookup->wake = wake;
    lookup->port = port;
    if (size > 0)
        memcpy(lookup->host, host, size);
    const int known = whittle_net_names_of(host, port, type, AI_NUMERICHOST, lookup->names);
    if (known != WHITTLE_NET_UNKNOWN_HOST || host == NULL)
        lookup->count = known;
    else if (!whittle_net_lookup_admit(lookup)) {
        const int problem = errno;
        whittle_net_lookup_free(lookup);
        errno = problem;
        return NULL;
    }
    return lookup;
}

int whittle_net_lookup_count(struct whittle_net_lookup *lookup)
{
    pthread_mutex_lock(&lookup->lock);
    const int count = lookup->count;
    pthread_mutex_unlock(&lookup->lock);
    return count;
}

const struct whittle_net_name *whittle_net_lookup_name(const struct whittle_net_lookup *lookup, int index)
{
    return &lookup->names[index];
}

void whittle_net_lookup_end(struct whittle_net_lookup *lookup)
{
    if (lookup == NULL)
        return;
    pthread_mutex_lock(&lookup->lock);
    lookup->abandoned = lookup->count == 0;
    const bool abandoned = lookup->abandoned;
    pthread_mutex_unlock(&lookup->lock);
    if (!abandoned)
        whittle_net_lookup_free(lookup);
}

/* Why to wait no more, or 0. */
static int whittle_net_limits_failure(const struct whittle_net_limits *limits)
{
    return whittle_net_is_cancelled(limits) ? WHITTLE_NET_CANCELLED : whittle_net_is_over(limits->deadline) ? WHITTLE_NET_TIMED_OUT : WHITTLE_NET_OK;
}

static int whittle_net_lookup_wait(struct whittle_net_lookup *lookup, const struct whittle_net_limits *limits, struct whittle_net_name *names)
{
    int failure = WHITTLE_NET_OK;
    pthread_mutex_lock(&lookup->lock);
    while (lookup->count == 0 && (failure = whittle_net_limits_failure(limits)) == WHITTLE_NET_OK)
        whittle_net_condition_wait(&lookup->ended, &lookup->lock,
                                   whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE));
    const int count = lookup->count;
    if (count > 0)
        memcpy(names, lookup->names, sizeof lookup->names);
    pthread_mutex_unlock(&lookup->lock);
    return count != 0 ? count : failure;
}

int whittle_net_resolve(const char *host, uint16_t port, int type, const struct whittle_net_limits *limits, struct whittle_net_name *names)
{
    for (;;) {
        struct whittle_net_lookup *const lookup = whittle_net_lookup_begin(host, port, type, -1);
        const int result = lookup != NULL ? whittle_net_lookup_wait(lookup, limits, names)
            : errno == EAGAIN ? whittle_net_limits_failure(limits) : WHITTLE_NET_NO_MEMORY;
        whittle_net_lookup_end(lookup);
        if (result != WHITTLE_NET_OK)
            return result;
        whittle_net_wait_for(-1, 0, whittle_net_sooner(limits->deadline, whittle_net_now() + WHITTLE_NET_SLICE / 10));
    }
}
