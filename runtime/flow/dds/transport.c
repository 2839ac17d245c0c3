/* SPDX-License-Identifier: MIT-0 */
/*
 * An end of an edge over DDS, from its beginning to its end. In goes a link, out comes the table of functions by which the rest of the
 * library calls what is here.
 */
#include "transport.h"
#include <stdlib.h>

/* A bound of bytes becomes one of packets of the largest size: DDS counts samples. */
static uint64_t whittle_flow_dds_items(const struct whittle_flow_edge *edge)
{
    const uint64_t one = edge->type->fixed != 0 ? edge->type->size : edge->type->largest;
    const uint64_t bytes = edge->queue_bytes > 0 ? edge->queue_bytes : WHITTLE_FLOW_QUEUE, items = bytes / (one > 0 ? one : 1);
    if (edge->queue_items > 0)
        return edge->queue_items;
    return items > 4 || edge->queue_bytes > 0 ? items + (items == 0) : 4;
}

static bool whittle_flow_dds_open(struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    struct whittle_flow_dds_link *const own = calloc(1, sizeof *own);
    if (own == NULL)
        return false;
    link->own = own;
    own->link = link;
    own->items = whittle_flow_dds_items(edge);
    own->waits = edge->full != WHITTLE_FLOW_DROP_OLDEST;
    own->repeats = edge->full == WHITTLE_FLOW_BLOCK && edge->delivery == WHITTLE_FLOW_BEST_EFFORT;
    own->opened_at = whittle_net_now();
    own->crashed = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT);
    own->reported = UINT64_MAX;
    own->receiver = link->receiver != NULL ? whittle_flow_dds_receiver(link) : 0;
    /* Who drops what is new keeps the first until somebody comes, where there is nothing to settle. */
    own->going = edge->full != WHITTLE_FLOW_BLOCK && (own->crashed == 0 || !own->waits);
    if (!whittle_flow_channel_view(link)) {
        whittle_flow_log(link, "no memory for its packets");
        return false;
    }
    return whittle_flow_dds_join(own) && (link->receiver != NULL || !own->waits || whittle_flow_dds_control(own, WHITTLE_FLOW_DDS_ASKS));
}

static void whittle_flow_dds_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_dds_link *const own = link->own;
    /* The sender is to hear the last word: it stands in this process's memory. */
    if (ended && link->receiver != NULL && own->peer != 0)
        dds_wait_for_acks(own->writer, DDS_SECS(2));
    whittle_flow_dds_free(own->ahead);
    whittle_flow_dds_leave(own);
    free(own);
    link->own = NULL;
}

const struct whittle_flow_transport_functions whittle_flow_dds = {
    .open = whittle_flow_dds_open, .close = whittle_flow_dds_close, .send = whittle_flow_dds_send, .end = whittle_flow_dds_end,
    .finish = whittle_flow_dds_finish, .look = whittle_flow_dds_look, .done = whittle_flow_dds_done, .refuse = whittle_flow_dds_refuse,
    .follows = whittle_flow_dds_follows,
    .help = "  edges via dds     are in the DDS domain $WHITTLE_DDS_DOMAIN, 0 where none is said; $CYCLONEDDS_URI configures it;\n"
        "                    runs of one flow that share a domain have a partition each, $WHITTLE_DDS_PARTITION\n",
};
