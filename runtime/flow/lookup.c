/* SPDX-License-Identifier: MIT-0 */
/*
 * Addresses of a host's name. The system's resolver may take as long as it likes, so a name is looked up on a thread of
 * its own, and whoever asked is woken; numbers are read at once. In goes a name, out come its addresses one by one.
 * A process has few such threads at a time: further look-ups fail, and are tried again.
 */
#include "parts.h"
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WHITTLE_FLOW_LOOKUPS_MOST = 16 };

/* Shared by who asks and the thread; the last of the two frees it. */
struct whittle_flow_lookup {
    unsigned users;
    enum whittle_flow_found state;
    int wake;                   /* an eventfd, a duplicate */
    struct addrinfo *found;
    const struct addrinfo *next;
    char host[256], port[8];
};

static unsigned whittle_flow_lookups;

static void whittle_flow_lookup_leave(struct whittle_flow_lookup *lookup)
{
    if (__atomic_sub_fetch(&lookup->users, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (lookup->found != NULL)
        freeaddrinfo(lookup->found);
    close(lookup->wake);
    free(lookup);
}

static bool whittle_flow_lookup_do(struct whittle_flow_lookup *lookup, int flags)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};
    struct addrinfo *found = NULL;
    const bool done = getaddrinfo(lookup->host, lookup->port, &hints, &found) == 0 && found != NULL;
    if (done)
        lookup->next = lookup->found = found;
    return done;
}

static void *whittle_flow_lookup_run(void *argument)
{
    struct whittle_flow_lookup *const lookup = argument;
    const bool done = whittle_flow_lookup_do(lookup, 0);
    __atomic_store_n(&lookup->state, done ? WHITTLE_FLOW_FOUND : WHITTLE_FLOW_NOT_FOUND, __ATOMIC_RELEASE);
    eventfd_write(lookup->wake, 1);
    __atomic_sub_fetch(&whittle_flow_lookups, 1, __ATOMIC_RELAXED);
    whittle_flow_lookup_leave(lookup);
    return NULL;
}

static bool whittle_flow_lookup_start(struct whittle_flow_lookup *lookup)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    if (__atomic_add_fetch(&whittle_flow_lookups, 1, __ATOMIC_RELAXED) <= WHITTLE_FLOW_LOOKUPS_MOST && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        const bool done = pthread_create(&thread, &attributes, whittle_flow_lookup_run, lookup) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
        if (done)
            return true;
    }
    __atomic_sub_fetch(&whittle_flow_lookups, 1, __ATOMIC_RELAXED);
    return false;
}

/* NULL: it cannot be begun now. */
struct whittle_flow_lookup *whittle_flow_lookup_begin(const char *host, uint16_t port, int wake)
{
    struct whittle_flow_lookup *const lookup = calloc(1, sizeof *lookup);
    if (lookup == NULL)
        return NULL;
    lookup->users = 1;
    lookup->wake = dup(wake);
    snprintf(lookup->port, sizeof lookup->port, "%u", (unsigned)port);
    if (lookup->wake >= 0 && snprintf(lookup->host, sizeof lookup->host, "%s", host) < (int)sizeof lookup->host) {
        if (whittle_flow_lookup_do(lookup, AI_NUMERICHOST)) {
            lookup->state = WHITTLE_FLOW_FOUND;
            return lookup;
        }
        lookup->users = 2;
        if (whittle_flow_lookup_start(lookup))
            return lookup;
        lookup->users = 1;
    }
    whittle_flow_lookup_leave(lookup);
    return NULL;
}

enum whittle_flow_found whittle_flow_lookup_state(const struct whittle_flow_lookup *lookup)
{
    return __atomic_load_n(&lookup->state, __ATOMIC_ACQUIRE);
}

/* False: there are no more. */
bool whittle_flow_lookup_next(struct whittle_flow_lookup *lookup, struct sockaddr_storage *address, socklen_t *length)
{
    const struct addrinfo *const way = lookup->next;
    if (way == NULL || way->ai_addrlen > sizeof *address)
        return false;
    memset(address, 0, sizeof *address);
    memcpy(address, way->ai_addr, way->ai_addrlen);
    *length = way->ai_addrlen;
    lookup->next = way->ai_next;
    return true;
}

void whittle_flow_lookup_end(struct whittle_flow_lookup *lookup)
{
    whittle_flow_lookup_leave(lookup);
}
