/* SPDX-License-Identifier: MIT-0 */
/*
 * Edges that keep the newest packet. The sender replaces what waits, and never waits itself; the receiver takes the newest of
 * what has come. What was replaced is counted as dropped, by whoever did so. In goes a link with its packet taken; out comes
 * whether another stands behind it.
 */
#include "internal.h"

static bool whittle_flow_follows(struct whittle_flow_link *link)
{
    if (link->functions != NULL)
        return link->functions->follows != NULL && link->functions->follows(link);
    return whittle_flow_transport_of(link->edge)->shared ? whittle_flow_shared_follows(link) : whittle_flow_stream_follows(link);
}

/* What the connection has is at hand before the first look; nothing is in hand. */
void whittle_flow_fetch_newest(struct whittle_flow_link *link)
{
    if (link->functions == NULL && !whittle_flow_transport_of(link->edge)->shared && link->fd >= 0 && link->filled - link->parsed < link->ring.size)
        whittle_flow_fill(link, false);
}

/* True: the packet in hand has been replaced, and another is to be taken. Else it is the newest, and its sender may send another. */
bool whittle_flow_is_replaced(struct whittle_flow_link *link)
{
    if (!whittle_flow_follows(link)) {
        if (link->functions == NULL)
            whittle_flow_acknowledge(link, false, 0);
        return false;
    }
    whittle_flow_release(link);
    whittle_flow_count(link, WHITTLE_FLOW_REPLACED, 1);
    return true;
}

/*
 * What an offer comes to that nobody takes any more. Who sends back to where its packets come from is not to end for that:
 * there, it is as if a newer one had replaced it.
 */
enum whittle_flow_result whittle_flow_closed(const struct whittle_flow_link *link)
{
    return link->edge->feedback ? WHITTLE_FLOW_IS_DROPPED : WHITTLE_FLOW_IS_CLOSED;
}
