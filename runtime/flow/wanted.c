/* SPDX-License-Identifier: MIT-0 */
/*
 * What a subscriber wants, where its sender was not built with it: the receiver writes its own condition into its answer, the sender looks
 * at it (filter.c), and asks it of each packet as long as this receiver subscribes. It stands in place of the one that the sender was built
 * with where that is another than the receiver's, and beside it where the program was given one when it started (where.c). A sender that
 * refuses it says why in what it begins with, so that both ends know.
 */
#include "condition.h"
#include "fan.h"
#include <endian.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Both programs fit, one behind the other: whittle_flow_where has seen to it. */
static void whittle_flow_filter_add(struct whittle_flow_answer *answer, const uint8_t *code, uint32_t bytes)
{
    const uint32_t before = le32toh(answer->filter_bytes);
    memcpy(answer->filter + before, code, bytes);
    answer->filter_bytes = htole32(before + bytes);
    if (before > 0 && bytes > 0) {
        answer->filter[before + bytes] = WHITTLE_FLOW_OP_AND;
        answer->filter_bytes = htole32(before + bytes + 1);
    }
}

/* At a receiver: what it wants, where its sender was not built with that. */
void whittle_flow_filter_write(const struct whittle_flow_link *link, struct whittle_flow_answer *answer)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_receiver *const receiver = link->receiver;
    const bool differs = (whittle_flow_terms_differ(link, &link->hello) & ~WHITTLE_FLOW_TERMS_FLAGS) != 0;
    if (!differs && receiver->where == NULL)
        return;
    answer->filters = htole32(differs ? WHITTLE_FLOW_FILTERS_INSTEAD : WHITTLE_FLOW_FILTERS_BESIDE);
    if (edge->filter_type != NULL)
        answer->filter_type = htole64(edge->filter_type->fingerprint);
    if (differs && edge->filter != NULL)
        whittle_flow_filter_add(answer, edge->filter_code, edge->filter_bytes);
    if (receiver->where != NULL)
        whittle_flow_filter_add(answer, receiver->where, receiver->where_bytes);
}

/* At a receiver: whether its sender refuses what it wants; said once. The connection is closed then, and the sender comes again. */
bool whittle_flow_filter_unwanted(struct whittle_flow_link *link, const struct whittle_flow_start *start)
{
    if (start->refused == WHITTLE_FLOW_NOT_REFUSED) {
        link->reported_filter = false;
        return false;
    }
    if (!link->reported_filter)
        whittle_flow_log(link, "its sender refuses the condition of this subscriber: %s: build both from one flow", whittle_flow_refusal_text(le64toh(start->refused)));
    link->reported_filter = true;
    whittle_flow_break(link, NULL, false);
    return true;
}

/* Why a sender does not take the condition in an answer, if so. */
static enum whittle_flow_refusal whittle_flow_filter_check(const struct whittle_flow_link *link, const struct whittle_flow_answer *answer)
{
    const uint32_t bytes = le32toh(answer->filter_bytes);
    if (answer->filters == 0)
        return WHITTLE_FLOW_NOT_REFUSED;
    if (link->fan == NULL)
        return WHITTLE_FLOW_REFUSED_NOT_A_CHANNEL;
    if (le32toh(answer->filters) > WHITTLE_FLOW_FILTERS_BESIDE)
        return WHITTLE_FLOW_REFUSED_UNKNOWN_OPERATION;
    if (bytes == 0)
        return WHITTLE_FLOW_NOT_REFUSED;
    if (le64toh(answer->filter_type) != whittle_flow_whole(link)->fingerprint)
        return WHITTLE_FLOW_REFUSED_OTHER_PACKETS;
    if (bytes > WHITTLE_FLOW_FILTER_MOST)
        return WHITTLE_FLOW_REFUSED_TOO_LONG;
    return whittle_flow_filter_fault(link->edge->fields, link->edge->field_count, answer->filter, bytes);
}

/* The receiver is to know why: a start that begins nothing. */
static void whittle_flow_filter_report(struct whittle_flow_link *link, enum whittle_flow_refusal why)
{
    struct whittle_flow_start start = {.refused = htole64(why)};
    if (!whittle_flow_seal(link, link->dial_session, WHITTLE_FLOW_START, &start, offsetof(struct whittle_flow_start, tag), NULL, 0, start.tag))
        return;
    if (whittle_flow_transport_of(link->edge)->shared)
        (void)whittle_flow_shared_pass(link, link->dialing.fd, &start);
    else if (send(link->dialing.fd, &start, sizeof start, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return; /* it sees the connection end */
}

/* At a sender: whether the condition in an answer is refused; said once, counted always. */
bool whittle_flow_filter_refused(struct whittle_flow_link *link, const struct whittle_flow_answer *answer)
{
    const enum whittle_flow_refusal why = whittle_flow_filter_check(link, answer);
    if (why == WHITTLE_FLOW_NOT_REFUSED) {
        link->reported_filter = false;
        return false;
    }
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    pthread_mutex_unlock(&link->lock);
    whittle_flow_filter_report(link, why);
    if (!link->reported_filter)
        whittle_flow_log(link, "the condition that its subscriber sent is refused: %s", whittle_flow_refusal_text(why));
    link->reported_filter = true;
    return true;
}

/* The condition of the answer is asked from now on, or the one that the sender was built with, or both. With the fan's lock. False: no memory. */
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
    link->filters_beside = le32toh(link->answer.filters) == WHITTLE_FLOW_FILTERS_BESIDE;
    return true;
}

/* Whether the condition that the sender was built with is asked. */
static bool whittle_flow_asks_own(const struct whittle_flow_link *link)
{
    return link->sender->wants != NULL && (link->filter == NULL || link->filters_beside);
}

/* Whether its subscriber does not want all packets. */
bool whittle_flow_is_filtered(const struct whittle_flow_link *link)
{
    return whittle_flow_asks_own(link) || (link->filter != NULL && link->filter_bytes > 0);
}

/* Whether it wants this one, which is a value of its type. */
bool whittle_flow_is_wanted(const struct whittle_flow_link *link, const void *packet)
{
    if (whittle_flow_asks_own(link) && !link->sender->wants(packet))
        return false;
    return link->filter == NULL || link->filter_bytes == 0
        || whittle_flow_filter_holds(link->edge->fields, link->edge->field_count, link->filter, link->filter_bytes, packet);
}
