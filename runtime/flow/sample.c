/* SPDX-License-Identifier: MIT-0 */
/*
 * Ages on edges whose packets carry no time: now and then a sender notes which packet was offered when, and what carries that packet
 * says so. In goes a packet's number; out comes the time, once, with the message that has the packet. A note costs one look at the
 * clock a message, and packets as small as they are.
 */
#include "internal.h"

/* Packet `number` has just been offered. */
void whittle_flow_sample(struct whittle_flow_link *link, uint64_t number)
{
    if (!link->edge->stamped && link->sample.born == 0)
        link->sample = (struct whittle_flow_sample){number, whittle_flow_now(link->edge->one_clock)};
}

/* When the packet was offered that was noted last, if its number is below `end`; else 0. */
uint64_t whittle_flow_take_sample(struct whittle_flow_link *link, uint64_t end)
{
    const uint64_t born = link->sample.number < end ? link->sample.born : 0;
    if (born != 0)
        link->sample.born = 0;
    return born;
}

/* Packet `number` is dropped; those behind it move up. */
void whittle_flow_drop_sample(struct whittle_flow_link *link, uint64_t number)
{
    if (link->sample.number == number)
        link->sample.born = 0;
    else if (link->sample.number > number)
        link->sample.number--;
}
