/* SPDX-License-Identifier: MIT-0 */
/* What metrics.c, scrape.c and exposition.c share: who asks for this process's counters, and what they get. */
#ifndef WHITTLE_FLOW_METRICS_H
#define WHITTLE_FLOW_METRICS_H
#include "internal.h"

/* A client: it says what it wants, is answered, and goes. All of it is bounded: bytes, clients, time. */
enum { WHITTLE_FLOW_SCRAPES = 16, WHITTLE_FLOW_SCRAPE_REQUEST = 4096 };
struct whittle_flow_scrape {
    struct whittle_net_source source;   /* first; its descriptor is -1 where the place is free */
    struct whittle_flow_metrics *metrics;
    uint64_t until;                     /* then it goes, whatever it does */
    size_t filled;
    char request[WHITTLE_FLOW_SCRAPE_REQUEST];
    char *answer;                       /* NULL: the request has not come yet */
    size_t bytes, sent;
};

struct whittle_flow_metrics {
    struct whittle_net_source listening;    /* first */
    struct whittle_flow_event_loop *loop;
    char file[80];                      /* of the flow's directory; empty: no file of it */
    uint64_t accept_at;                 /* no descriptors were left: when to accept again; 0: accepting */
    char *text;                         /* the last that was made, and when: those who ask often get the same */
    size_t bytes;
    uint64_t made_at;
    struct whittle_flow_scrape scrapes[WHITTLE_FLOW_SCRAPES];
};

/* scrape.c */
void whittle_flow_scrape_begin(struct whittle_flow_metrics *metrics, int fd);
void whittle_flow_scrape_drop(struct whittle_flow_scrape *scrape);

/* exposition.c: all counters of the process as OpenMetrics' text, malloc's. NULL: no memory. */
char *whittle_flow_exposition(const struct whittle_flow_event_loop *loop, size_t *bytes);
#endif
