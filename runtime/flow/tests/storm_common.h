/* Storms over edges, whatever carries them: how the two ends begin and end, and what else there is to strike. */
#ifndef STORM_COMMON_H
#define STORM_COMMON_H
#include "common.h"

struct weather {
    struct whittle_flow_edge edge;
    unsigned blows;
    void (*begin)(struct end *end, const struct whittle_flow_edge *edge, bool sends);
    int (*finish)(struct end *end);
    void (*strike)(void);       /* what stands between the two dies and comes again; NULL: nothing does */
    bool keeps;                 /* and keeps packets: what a receiver had in hand when it died comes again */
};

/* What a drawn number is of. The environment's SOAK_SEED is the seed where the arguments have none. */
unsigned long long storm_seed(int argc, char **argv);
uint64_t draw(uint64_t below);

/* Kind 0 to 7: a delivery, of lists or numbers, with a queue that is drawn. */
enum { KINDS = 8 };
struct whittle_flow_edge storm_edge(enum whittle_flow_transport transport, int kind);
const char *storm_name(unsigned long long seed, const char *way, const struct whittle_flow_edge *edge);

void storm(const struct weather *weather);

/* Packets between two pauses of a source; fewer where each step is logged. */
#ifdef WHITTLE_FLOW_TRACE
enum { PACKETS_AT_ONCE = 32 };
#else
enum { PACKETS_AT_ONCE = 256 };
#endif

/* One blow to a process, which comes again where it died. How many died. */
unsigned blow(pid_t *victim, int (*body)(const void *), const void *argument);
void watch_cuts(void);      /* SIGUSR1 cuts a process's connections from now on */
/* What the processes of an edge log of their steps (../trace.c) goes where $STORM_TRACES says, a file for each call. */
void keep_trace(const struct whittle_flow_edge *edge);
#endif
