/* SPDX-License-Identifier: MIT-0 */
/*
 * Events of descriptors. The system knows a source by an id: a slot, and which of the slot's holders is meant. An event for a source
 * that is gone finds no holder, and cannot reach the next one in its place, whichever thread has it under way.
 */
#ifndef WHITTLE_NET_POLLER_H
#define WHITTLE_NET_POLLER_H
#include "clock.h"
#include <sys/epoll.h>

/* A descriptor, and what its events call. It is counted: the poller holds it while it is watched, and while `ready` runs. */
struct whittle_net_source {
    void (*ready)(struct whittle_net_source *source, uint32_t events);
    void (*release)(struct whittle_net_source *source);     /* its last holder has dropped it */
    uint64_t id;                                            /* 0: it is not watched */
    uint32_t refs;
    int fd;
};

struct whittle_net_slot {
    struct whittle_net_source *source;  /* NULL: free */
    uint32_t generation;                /* counts holders */
    uint32_t next_free;
};

enum { WHITTLE_NET_EVENTS = 64 };       /* that the system gives at once */

struct whittle_net_poller {
    int epoll;
    bool shared;                        /* several threads wait */
    /* Where one thread waits: events that have come and are not seen to. Whoever polls from within `ready` goes on with them. */
    struct epoll_event events[WHITTLE_NET_EVENTS];
    int next, count;
    pthread_mutex_t lock;               /* of what follows */
    struct whittle_net_slot *slots;
    uint32_t slot_count, first_free;    /* the first free slot, and 1; 0: none */
};

bool whittle_net_poller_open(struct whittle_net_poller *poller);
void whittle_net_poller_close(struct whittle_net_poller *poller);   /* nothing is watched any more */
/* Begins to watch. false: no memory, or no room in the kernel. */
bool whittle_net_watch(struct whittle_net_poller *poller, struct whittle_net_source *source, uint32_t events);
/* Other events from now on, or the same anew. */
bool whittle_net_rewatch(struct whittle_net_poller *poller, const struct whittle_net_source *source, uint32_t events);
/* No events for a while; rewatch cannot, resume can bring them back. */
void whittle_net_pause(struct whittle_net_poller *poller, const struct whittle_net_source *source);
bool whittle_net_resume(struct whittle_net_poller *poller, const struct whittle_net_source *source, uint32_t events);
/* For good: no event reaches it after this, but those whose `ready` runs already. */
void whittle_net_unwatch(struct whittle_net_poller *poller, struct whittle_net_source *source);
/* The same, and closes its descriptor, if it has one. */
void whittle_net_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source);
/* Waits for events, at most `most` of them and `timeout` milliseconds (-1: for ever), and has them seen to; how many. */
int whittle_net_poll(struct whittle_net_poller *poller, int most, int timeout);
/* Events have come that nobody has seen to: the system does not report them again. */
WHITTLE_NET_UNUSED static inline bool whittle_net_poller_has_events(const struct whittle_net_poller *poller)
{
    return poller->next < poller->count;
}

void whittle_net_source_keep(struct whittle_net_source *source);
void whittle_net_source_drop(struct whittle_net_source *source);
#endif
