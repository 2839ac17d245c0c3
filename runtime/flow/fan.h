/* SPDX-License-Identifier: MIT-0 */
/* What a sender of a channel has in memory: packets of the backlog, and the one that is being published. */
#ifndef WHITTLE_FLOW_FAN_H
#define WHITTLE_FLOW_FAN_H
#include "internal.h"

/* A packet as it travels. */
struct whittle_flow_backlog_packet {
    unsigned char *body;
    uint32_t bytes, room;
    uint64_t born;
};

struct whittle_flow_backlog {
    pthread_mutex_t lock;
    uint64_t count;                     /* packets that ever were kept */
    uint64_t published;                 /* packets that ever were */
    const struct whittle_flow_link *waits_for;   /* the subscriber that who publishes waits for, without the lock */
    struct whittle_flow_written *written;        /* the packet that is being published, by type and what is selected */
    size_t types;
    /* Whether packets follow each other faster than they can be written to each subscriber by itself: they gather then. */
    bool busy;
    uint64_t ended;                     /* when the last had been given to all */
    uint64_t cost;                      /* how long it takes to write one to each */
    struct whittle_flow_backlog_packet *packets;   /* as many as the history has: the newest replaces the oldest */
    void *packet;                       /* one as a stage sees it */
    void *part;                         /* and of what a subscriber selects of it */
};

/* The type of what is kept: that of the whole packets of the first subscription. */
__attribute__((unused)) static inline const struct whittle_flow_type *whittle_flow_fan_type(const struct whittle_flow_fan *fan)
{
    return whittle_flow_whole(fan->senders[0]->link);
}
#endif
