/* SPDX-License-Identifier: MIT-0 */
/*
 * What a subscriber wants, where its sender was built with another condition: the receiver writes its own into its answer, the sender
 * looks at it (filter.c), and asks it of each packet in place of the one that it was built with, as long as this receiver subscribes.
 */
#include "fan.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* At a receiver: what it wants, where its sender was built with another condition. */
void whittle_flow_filter_write(const struct whittle_flow_link *link, struct whittle_flow_answer *answer)
{
    const struct whittle_flow_edge *const edge = link->edge;
    if ((whittle_flow_terms_differ(link, &link->hello) & ~WHITTLE_FLOW_TERMS_FLAGS) == 0)
        return;
    answer->filters = htole32(1);
    if (edge->filter == NULL)
        return;
    answer->filter_type = htole64(edge->filter_type->fingerprint);
    answer->filter_bytes = htole32(edge->filter_bytes);
    memcpy(answer->filter, edge->filter_code, edge->filter_bytes);
}

/* Why a sender does not take the condition in an answer; NULL: it does, or there is none. */
static const char *whittle_flow_filter_judge(const struct whittle_flow_link *link, const struct whittle_flow_answer *answer)
{
    const uint32_t bytes = le32toh(answer->filter_bytes);
    if (answer->filters == 0)
        return NULL;
    if (link->fan == NULL)
        return "packets of this edge go to one receiver";
    if (bytes == 0)
        return NULL;
    if (le64toh(answer->filter_type) != whittle_flow_whole(link)->fingerprint)
        return "it is asked of other packets";
    if (bytes > WHITTLE_FLOW_FILTER_MOST)
        return "it is too long";
    return whittle_flow_filter_fault(link->fan->fields, link->fan->field_count, answer->filter, bytes);
}

/* At a sender: whether the condition in an answer is refused; said once, counted always. */
bool whittle_flow_filter_refused(struct whittle_flow_link *link, const struct whittle_flow_answer *answer)
{
    const char *const why = whittle_flow_filter_judge(link, answer);
    if (why == NULL) {
        link->reported_filter = false;
        return false;
    }
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    pthread_mutex_unlock(&link->lock);
    if (!link->reported_filter)
        whittle_flow_say(link, "the condition that its subscriber sent is refused: %s", why);
    link->reported_filter = true;
    return true;
}

/* The condition of the answer is asked from now on, or the one that the sender was built with. With the fan's lock. False: no memory. */
bool whittle_flow_filter_take(struct whittle_flow_link *link)
{
    const size_t bytes = le32toh(link->answer.filter_bytes);
    uint8_t *filter = NULL;
    if (link->answer.filters != 0 && (filter = malloc(bytes > 0 ? bytes : 1)) == NULL)
        return false;
    if (filter != NULL)
        memcpy(filter, link->answer.filter, bytes);
    free(link->filter);
    link->filter = filter;
    link->filter_bytes = bytes;
    return true;
}

/* Whether its subscriber does not want all packets. */
bool whittle_flow_is_filtered(const struct whittle_flow_link *link)
{
    return link->filter != NULL ? link->filter_bytes > 0 : link->sender->wants != NULL;
}

/* Whether it wants this one, which is a value of its type. */
bool whittle_flow_is_wanted(const struct whittle_flow_link *link, const void *packet)
{
    if (link->filter == NULL)
        return link->sender->wants == NULL || link->sender->wants(packet);
    return link->filter_bytes == 0 || whittle_flow_filter_holds(link->fan->fields, link->fan->field_count, link->filter, link->filter_bytes, packet);
}
