/* SPDX-License-Identifier: MIT-0 */
/*
 * A receiver's packets over DDS, on the stage's thread: each sample is held against the page, which says what came before. In go samples;
 * out come packets, and word of how far the edge is.
 */
#include "transport.h"
#include <string.h>

/* Says how far it is, to the sender that has the edge. */
static void whittle_flow_dds_report(struct whittle_flow_dds_link *own, uint32_t flags)
{
    const struct whittle_flow_ledger *const page = own->link->page;
    struct whittle_flow_dds_taken said = {.run = page->stream, .receiver = own->receiver, .process = own->process, .flags = flags};
    if (own->is_new)
        said.flags |= WHITTLE_FLOW_DDS_NEW;
    said.taken = whittle_flow_ledger_taken(page) - whittle_flow_ledger_hand(page);
    if (own->link->heard_end)
        said.flags |= WHITTLE_FLOW_DDS_HEARD_END;
    if (whittle_flow_dds_say(own, &said))
        own->reported = said.taken;
}

/* Another sender asks: it is notified who has the edge. */
static void whittle_flow_dds_report_holder(struct whittle_flow_dds_link *own, const struct whittle_flow_dds_head *head)
{
    struct whittle_flow_dds_taken said = {.run = head->run, .receiver = own->receiver, .process = head->process, .flags = WHITTLE_FLOW_DDS_HELD};
    snprintf(said.holder, sizeof said.holder, "run %016llx", (unsigned long long)own->link->page->stream);
    whittle_flow_dds_say(own, &said);
}

/* Whether a sender of this edge has it that another run's is not to take it from: one that lives, or one that had it before this process. */
static bool whittle_flow_dds_is_held(const struct whittle_flow_dds_link *own)
{
    const uint64_t while_it_comes = 2000000000u;
    if (own->link->page->stream == 0 || own->link->heard_end)
        return own->link->heard_end;
    return own->peer != 0 ? whittle_flow_dds_lives(own, own->peer) : whittle_net_now() < own->opened_at + while_it_comes;
}

/* Samples carry the fingerprint alone; the topic is of the type's name, so that the other's name is this one's. */
static void whittle_flow_dds_reject_type(struct whittle_flow_link *link, uint64_t other)
{
    static const char no_schema[WHITTLE_FLOW_SCHEMA_MOST];
    const struct whittle_flow_type *const type = link->edge->type;
    char name[64], why[320];
    snprintf(name, sizeof name, "%s", type->name);
    whittle_flow_schema_differs(type, other, name, no_schema, (const char *[]){"a sample is of", "this one takes"}, why, sizeof why);
    whittle_flow_reject(link->loop, link, why);
}

/* Whether a sample is of the sender that has the edge; one that nobody has is its own from now on. */
static bool whittle_flow_dds_admits(struct whittle_flow_dds_link *own, const struct whittle_flow_dds_head *head, dds_instance_handle_t from)
{
    struct whittle_flow_link *const link = own->link;
    if (head->type != 0 && head->type != link->edge->type->fingerprint) {
        whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
        whittle_flow_dds_reject_type(link, head->type);
        return false;
    }
    if (head->run != link->page->stream) {
        if (whittle_flow_dds_is_held(own)) {
            whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
            if (head->kind == WHITTLE_FLOW_DDS_ASKS)
                whittle_flow_dds_report_holder(own, head);
            return false;
        }
        /* Who asks says where it goes on. Who does not has lost what this receiver has not seen: see whittle_flow_dds_move_to. */
        const bool asks = head->kind == WHITTLE_FLOW_DDS_ASKS;
        whittle_flow_other_run(link, head->run, head->began, asks ? head->number : 0, asks ? head->skipped : 0);
        own->process = 0;
        own->is_new = true;
    }
    if (head->process < own->process)
        return false;   /* of a process that died: its successor has heard what came of it */
    if (own->peer != from)
        whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    own->process = head->process;
    own->peer = from;
    link->met = true;
    return true;
}

/* Numbers that have not come and will not. */
static void whittle_flow_dds_move_to(struct whittle_flow_dds_link *own, const struct whittle_flow_dds_head *head)
{
    struct whittle_flow_link *const link = own->link;
    if (head->number <= whittle_flow_ledger_taken(link->page))
        return;
    const bool promised = link->edge->delivery != WHITTLE_FLOW_BEST_EFFORT;
    const uint64_t lost = whittle_flow_gap(link, head->number, head->skipped, promised ? WHITTLE_FLOW_UNKNOWN : WHITTLE_FLOW_CUT);
    if (lost > 0 && promised)
        whittle_flow_log(link, "DDS has lost %llu packets: their writer did not ask before it wrote them, others write to its topic, or its history is bounded elsewhere", (unsigned long long)lost);
}

/* The packet, or NULL: counted, and gone. */
static const void *whittle_flow_dds_packet(
    struct whittle_flow_dds_link *own, const struct whittle_flow_dds_head *head, const unsigned char *body, uint64_t bytes)
{
    struct whittle_flow_link *const link = own->link;
    whittle_flow_dds_move_to(own, head);
    if (head->number < whittle_flow_ledger_taken(link->page)) {
        whittle_flow_count(link, WHITTLE_FLOW_DUPLICATES, 1);
        return NULL;
    }
    own->is_new = false;
    whittle_flow_set(link, WHITTLE_FLOW_SETTLED, head->skipped);
    whittle_flow_set(link, WHITTLE_FLOW_AT, head->number + 1);
    whittle_flow_set(link, WHITTLE_FLOW_TAKEN, head->number + 1);
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, bytes);
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, 1);
    link->lost_at = whittle_net_now();
    const void *const packet = whittle_flow_validate_body(link, body, bytes, head->born);
    if (packet == NULL)
        whittle_flow_dds_done(link);
    return packet;
}

/* One sample; NULL: it brought no packet. */
static const void *whittle_flow_dds_sample(struct whittle_flow_dds_link *own, struct whittle_flow_dds_bytes *bytes, dds_instance_handle_t from)
{
    struct whittle_flow_link *const link = own->link;
    struct whittle_flow_dds_head head;
    uint64_t count;
    const unsigned char *const at = whittle_flow_dds_value(bytes, &count);
    if (!whittle_flow_dds_head_read(at, count, &head)) {
        whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
        whittle_flow_reject(link->loop, link, "a sample that no sender of this flow writes");
        return NULL;
    }
    if (!whittle_flow_dds_admits(own, &head, from))
        return NULL;
    if (head.kind == WHITTLE_FLOW_DDS_PACKET)
        return whittle_flow_dds_packet(own, &head, at + WHITTLE_FLOW_DDS_HEAD, count - WHITTLE_FLOW_DDS_HEAD);
    if (head.kind != WHITTLE_FLOW_DDS_ASKS)
        whittle_flow_dds_move_to(own, &head);
    link->heard_end |= head.kind == WHITTLE_FLOW_DDS_END;
    whittle_flow_dds_report(own, 0);
    own->is_new = false;
    return NULL;
}

static struct whittle_flow_dds_bytes *whittle_flow_dds_next(struct whittle_flow_dds_link *own, dds_instance_handle_t *from)
{
    struct whittle_flow_dds_bytes *const ahead = own->ahead;
    own->ahead = NULL;
    *from = own->ahead_from;
    return ahead != NULL ? ahead : whittle_flow_dds_take(own->reader, from);
}

enum whittle_flow_have whittle_flow_dds_look(struct whittle_flow_link *link, const void **packet)
{
    struct whittle_flow_dds_link *const own = link->own;
    struct whittle_flow_dds_bytes *bytes;
    dds_instance_handle_t from;
    *packet = NULL;
    while (*packet == NULL && !link->heard_end && (bytes = whittle_flow_dds_next(own, &from)) != NULL) {
        *packet = whittle_flow_dds_sample(own, bytes, from);
        whittle_flow_dds_free(bytes);
    }
    if (*packet != NULL)
        return WHITTLE_FLOW_PACKET;
    if (own->waits && own->peer != 0 && own->reported != whittle_flow_ledger_taken(link->page))
        whittle_flow_dds_report(own, 0);
    return link->heard_end || link->abandoned ? WHITTLE_FLOW_OVER : WHITTLE_FLOW_NOTHING;
}

void whittle_flow_dds_done(struct whittle_flow_link *link)
{
    struct whittle_flow_dds_link *const own = link->own;
    const uint64_t taken = whittle_flow_ledger_taken(link->page);
    if (own->waits && (own->reported > taken || taken - own->reported >= whittle_flow_part(own->items)))
        whittle_flow_dds_report(own, 0);
}

/* Whether a packet that was not taken stands behind the one in hand. */
bool whittle_flow_dds_follows(struct whittle_flow_link *link)
{
    struct whittle_flow_dds_link *const own = link->own;
    struct whittle_flow_dds_head head;
    uint64_t count;
    if (own->ahead == NULL)
        own->ahead = whittle_flow_dds_take(own->reader, &own->ahead_from);
    if (own->ahead == NULL)
        return false;
    const unsigned char *const at = whittle_flow_dds_value(own->ahead, &count);
    return whittle_flow_dds_head_read(at, count, &head) && head.kind == WHITTLE_FLOW_DDS_PACKET && head.run == link->page->stream
        && head.process >= own->process && head.number >= whittle_flow_ledger_taken(link->page);
}

void whittle_flow_dds_refuse(struct whittle_flow_link *link)
{
    if (!link->heard_end)
        whittle_flow_dds_report(link->own, WHITTLE_FLOW_DDS_REFUSES);
}

/* On a thread of Cyclone's. */
void whittle_flow_dds_come(dds_entity_t reader, void *own)
{
    (void)reader;
    whittle_flow_wake_stage(((struct whittle_flow_dds_link *)own)->link);
}
