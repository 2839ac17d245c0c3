/* SPDX-License-Identifier: MIT-0 */
/*
 * Rates of an edge: at most so many packets, and so many bytes, in a time. In goes the size of a packet that is to be
 * sent; a blocking edge waits until it may go, a dropping one drops it.
 */
#include "internal.h"

static uint64_t whittle_flow_share(uint64_t amount, uint64_t units, uint64_t period)
{
    return (uint64_t)((double)amount * (double)period / (double)units);
}

/* Packets go at an even pace; one may come early by as much as its own share, so that a source's jitter costs nothing. */
static uint64_t whittle_flow_due(uint64_t next, uint64_t now, uint64_t early)
{
    return next + early < now ? now - early : next;
}

bool whittle_flow_rate(struct whittle_flow_link *link, uint64_t bytes)
{
    const struct whittle_flow_edge *const edge = link->edge;
    if (edge->rate_units == 0 && edge->rate_bytes_units == 0)
        return true;
    const uint64_t now = whittle_net_now();
    uint64_t due = 0, next = 0, next_bytes = 0, share = 0, share_bytes = 0;
    if (edge->rate_units > 0) {
        share = whittle_flow_share(1, edge->rate_units, edge->rate_period);
        due = next = whittle_flow_due(link->rate_next, now, share);
    }
    if (edge->rate_bytes_units > 0) {
        share_bytes = whittle_flow_share(bytes, edge->rate_bytes_units, edge->rate_bytes_period);
        next_bytes = whittle_flow_due(link->rate_bytes_next, now, share_bytes);
        due = due > next_bytes ? due : next_bytes;
    }
    if (due > now) {
        if (edge->full != WHITTLE_FLOW_BLOCK)
            return false;
        whittle_flow_flush(link->loop->process);
        /* Who is asked to end waits no longer. */
        whittle_flow_fan_rest(link);
        whittle_flow_sleep_until(due);
        whittle_flow_fan_resume(link);
    }
    link->rate_next = next + share;
    link->rate_bytes_next = next_bytes + share_bytes;
    return true;
}
