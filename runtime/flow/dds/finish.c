/* SPDX-License-Identifier: MIT-0 */
/*
 * The end of a sender's edge over DDS: it says that no packet follows, and waits until the receiver has heard it, as long as there is one;
 * then it counts what nobody took.
 */
#include "transport.h"

void whittle_flow_dds_end(struct whittle_flow_link *link)
{
    struct whittle_flow_dds_link *const own = link->own;
    pthread_mutex_lock(&link->lock);
    if (!link->ended)
        link->closed_at = whittle_net_now();
    link->ended = true;
    const bool says = own->going && !own->end_sent;
    own->end_sent |= says;
    pthread_mutex_unlock(&link->lock);
    if (says)
        whittle_flow_dds_control(own, WHITTLE_FLOW_DDS_END);
}

/* Whether there is somebody to wait for, or may still be. */
static bool whittle_flow_dds_worth_waiting(const struct whittle_flow_dds_link *own)
{
    const struct whittle_flow_link *const link = own->link;
    const uint64_t second = 1000000000u, now = whittle_net_now(), patience = link->loop->patience;
    const uint64_t since = link->lost_at > link->closed_at ? link->lost_at : link->closed_at;
    if (link->edge->feedback && !own->matched)
        return false;
    if (!whittle_flow_goes_on())
        return now < since + (patience < second ? patience : second) || (own->matched && now < since + patience);
    return own->matched || !link->met || now < since + patience;
}

/* False: something was lost that was promised. */
static bool whittle_flow_dds_sum_up(const struct whittle_flow_dds_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const struct whittle_flow_ledger *const page = link->page;
    const uint64_t sent = whittle_flow_counter(page, WHITTLE_FLOW_SENT), heard = whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED);
    const bool nobody = link->refused || !link->met, promised = link->edge->delivery != WHITTLE_FLOW_BEST_EFFORT && !link->refused;
    if (sent > heard && !link->end_heard && nobody) {
        whittle_flow_set(link, WHITTLE_FLOW_SENT, heard);
        whittle_flow_count(link, WHITTLE_FLOW_ABANDONED, sent - heard);
    }
    if (sent > heard && !link->end_heard && !link->edge->feedback)
        whittle_flow_log(link, nobody ? "%llu packets were sent that no receiver took" : "%llu packets were sent but not acknowledged",
            (unsigned long long)(sent - heard));
    const uint64_t full = whittle_flow_counter(page, WHITTLE_FLOW_FULL_NEWEST) + whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST);
    const uint64_t rate = whittle_flow_counter(page, WHITTLE_FLOW_RATE);
    whittle_flow_log_faulty(link, whittle_flow_ledger_offered(page));
    if (full + rate > 0 && !link->edge->latest)
        whittle_flow_log(link, "%llu packets of %llu were dropped, as its contract says: queue full %llu, rate %llu",
            (unsigned long long)(full + rate), (unsigned long long)whittle_flow_ledger_offered(page), (unsigned long long)full,
            (unsigned long long)rate);
    const bool all = link->end_heard || sent == heard;
    link->end_heard = true;     /* nothing is left for a later process */
    return all || !promised;
}

bool whittle_flow_dds_finish(struct whittle_flow_link *link)
{
    struct whittle_flow_dds_link *const own = link->own;
    if (link->receiver != NULL)
        return whittle_flow_finish_receiver(link);
    for (;;) {
        whittle_flow_dds_end(link);
        pthread_mutex_lock(&link->lock);
        const bool over = link->end_heard || link->refused || !whittle_flow_dds_worth_waiting(own);
        pthread_mutex_unlock(&link->lock);
        if (over)
            return whittle_flow_dds_sum_up(own);
        whittle_flow_dds_remind(own);
        whittle_flow_await_wakeup(link, 100);
    }
}
