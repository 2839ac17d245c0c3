/* SPDX-License-Identifier: MIT-0 */
/*
 * A sender's packets over DDS: each becomes a sample once there is a place for it, and the writer's history keeps it. In go packets, out
 * go samples; what the receiver reports comes on a thread of Cyclone's.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>

static struct whittle_flow_dds_head whittle_flow_dds_head_of(const struct whittle_flow_dds_link *own, enum whittle_flow_dds_kind kind, uint64_t number)
{
    const struct whittle_flow_ledger *const page = own->link->page;
    return (struct whittle_flow_dds_head){.run = page->stream, .began = page->stream_began, .number = number,
        .skipped = whittle_flow_ledger_lost(page),
        .type = page->fingerprint, .process = (uint32_t)page->incarnation, .kind = kind};
}

/* A sample without a packet: an empty one stands in its place, so that every reader of the type can read it. Without the lock. */
bool whittle_flow_dds_control(struct whittle_flow_dds_link *own, enum whittle_flow_dds_kind kind)
{
    const struct whittle_flow_link *const link = own->link;
    struct whittle_flow_dds_bytes *const bytes = whittle_flow_dds_new(own->written, whittle_flow_dds_largest(link->edge));
    void *const empty = whittle_flow_packet_memory(link->edge->type);
    dds_return_t done = DDS_RETCODE_OUT_OF_RESOURCES;
    if (bytes != NULL && empty != NULL) {
        unsigned char *const at = whittle_flow_dds_value(bytes, NULL);
        const struct whittle_flow_dds_head head = whittle_flow_dds_head_of(own, kind, whittle_flow_counter(link->page, WHITTLE_FLOW_SENT));
        whittle_flow_dds_head_write(&head, at);
        whittle_flow_dds_set(bytes, WHITTLE_FLOW_DDS_HEAD + whittle_flow_write_body(link, at + WHITTLE_FLOW_DDS_HEAD, empty));
        done = whittle_flow_dds_write(own->writer, bytes);
    }
    own->asked_at = whittle_net_now();
    free(empty);
    whittle_flow_dds_free(bytes);
    return done == DDS_RETCODE_OK;
}

/* Says again what may have been lost, or was refused. Without the lock. */
void whittle_flow_dds_remind(struct whittle_flow_dds_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t now = whittle_net_now(), pause = link->verdict == WHITTLE_FLOW_HELD ? 1000000000u : 100000000u;
    const bool again = (own->repeats || (!own->going && link->verdict == WHITTLE_FLOW_HELD)) && now >= own->asked_at + pause;
    if (again && !own->going)
        whittle_flow_dds_control(own, WHITTLE_FLOW_DDS_ASKS);
    else if (again)
        whittle_flow_dds_control(own, own->end_sent ? WHITTLE_FLOW_DDS_END : WHITTLE_FLOW_DDS_MARK);
}

static bool whittle_flow_dds_full(const struct whittle_flow_dds_link *own)
{
    const struct whittle_flow_ledger *const page = own->link->page;
    return !own->going || whittle_flow_counter(page, WHITTLE_FLOW_SENT) - whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED) >= own->items;
}

/* Waits for a place where the edge blocks; with the lock held. False: there will be none, or the packet is to be dropped. */
static bool whittle_flow_dds_place(struct whittle_flow_dds_link *own, const void *packet, bool *dropped)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t since = whittle_net_now();
    bool counted = false;
    while (own->waits && whittle_flow_dds_full(own) && !link->refused && !link->abandoned) {
        const uint64_t until = whittle_flow_blocked_until(link, since);
        if (!counted)
            whittle_flow_advise(link->edge->on_full, link, packet, 0);
        *dropped = link->edge->full != WHITTLE_FLOW_BLOCK;
        whittle_flow_count(link, *dropped ? WHITTLE_FLOW_FULL_NEWEST : WHITTLE_FLOW_WAITS, !counted);
        counted = true;
        if (!*dropped && until != 0 && whittle_net_now() >= until)
            break;
        pthread_mutex_unlock(&link->lock);
        whittle_flow_dds_remind(own);
        if (!*dropped) {
            whittle_flow_flush_own(link->loop->process);
            whittle_flow_await_wakeup(link, 100);
        }
        pthread_mutex_lock(&link->lock);
        if (*dropped)
            return false;
    }
    if (!link->refused && !link->abandoned && !(own->waits && whittle_flow_dds_full(own)))
        return true;
    whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
    return false;
}

/* The packet is one of the edge from now on, by its number. A writer that must wait for its readers is asked again. */
static bool whittle_flow_dds_enter(struct whittle_flow_dds_link *own, struct whittle_flow_dds_bytes *bytes, uint64_t born)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t number = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT), since = whittle_net_now();
    uint64_t count;
    unsigned char *const at = whittle_flow_dds_value(bytes, &count);
    struct whittle_flow_dds_head head = whittle_flow_dds_head_of(own, WHITTLE_FLOW_DDS_PACKET, number);
    whittle_flow_sample(link, number);
    const uint64_t sampled = whittle_flow_take_sample(link, number + 1);
    head.born = !link->edge->stamped ? sampled : born != 0 ? born : whittle_flow_now(link->edge->one_clock);
    whittle_flow_dds_head_write(&head, at);
    __atomic_store_n(&link->page->counter[WHITTLE_FLOW_QUEUED], link->page->counter[WHITTLE_FLOW_QUEUED] + 1, __ATOMIC_RELEASE);
    dds_return_t done = whittle_flow_dds_write(own->writer, bytes);
    for (uint64_t until = 0; done == DDS_RETCODE_TIMEOUT && own->waits && !link->refused && (until == 0 || whittle_net_now() < until);) {
        done = whittle_flow_dds_write(own->writer, bytes);
        until = whittle_flow_blocked_until(link, since);
    }
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, done == DDS_RETCODE_OK ? WHITTLE_FLOW_SENT : WHITTLE_FLOW_FULL_OLDEST, 1);
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, done == DDS_RETCODE_OK ? count - WHITTLE_FLOW_DDS_HEAD : 0);
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, done == DDS_RETCODE_OK);
    pthread_mutex_unlock(&link->lock);
    return done == DDS_RETCODE_OK;
}

enum whittle_flow_result whittle_flow_dds_send(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    struct whittle_flow_dds_link *const own = link->own;
    bool dropped = false;
    if (link->refused || link->ended) {
        whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
        return whittle_flow_closed(link);
    }
    whittle_flow_advise(link->edge->on_send, link, packet, 0);
    pthread_mutex_lock(&link->lock);
    const bool place = whittle_flow_dds_place(own, packet, &dropped);
    pthread_mutex_unlock(&link->lock);
    if (!place)
        return dropped ? WHITTLE_FLOW_IS_DROPPED : whittle_flow_closed(link);
    struct whittle_flow_dds_bytes *const bytes = whittle_flow_dds_new(own->written, whittle_flow_dds_largest(link->edge));
    if (bytes == NULL) {
        whittle_flow_count(link, WHITTLE_FLOW_FULL_NEWEST, 1);
        return WHITTLE_FLOW_IS_DROPPED;
    }
    const uint64_t count = whittle_flow_write_body(link, whittle_flow_dds_value(bytes, NULL) + WHITTLE_FLOW_DDS_HEAD, packet);
    enum whittle_flow_result result = WHITTLE_FLOW_IS_DROPPED;
    whittle_flow_dds_set(bytes, WHITTLE_FLOW_DDS_HEAD + count);
    if (count == 0)
        result = whittle_flow_fault(link);
    else if (!whittle_flow_rate(link, count))
        whittle_flow_count(link, WHITTLE_FLOW_RATE, 1);
    else if (whittle_flow_dds_enter(own, bytes, born))
        result = WHITTLE_FLOW_IS_SENT;
    whittle_flow_dds_free(bytes);
    return result;
}

/* The receiver lets this sender begin. What an earlier process had sent, and did not come, nobody has any more. */
static void whittle_flow_dds_begins(struct whittle_flow_dds_link *own, uint64_t taken)
{
    struct whittle_flow_link *const link = own->link;
    whittle_flow_settle_losses(link, taken, own->crashed, own->crashed);
    whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, own->crashed > taken ? own->crashed : taken);
    own->going = link->met = true;
    link->verdict = WHITTLE_FLOW_ACCEPTED;
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
}

static void whittle_flow_dds_heard(struct whittle_flow_dds_link *own, const struct whittle_flow_dds_taken *said)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t acknowledged = whittle_flow_counter(link->page, WHITTLE_FLOW_ACKNOWLEDGED);
    const bool refuses = (said->flags & WHITTLE_FLOW_DDS_REFUSES) != 0;
    if (refuses && (said->run == link->page->stream || said->run == 0))
        link->refused = true;
    if (said->run != link->page->stream || said->process != (uint32_t)link->page->incarnation)
        return;
    if ((said->flags & WHITTLE_FLOW_DDS_HELD) != 0) {
        link->verdict = WHITTLE_FLOW_HELD;
        own->going = false;
        own->crashed = whittle_flow_counter(link->page, WHITTLE_FLOW_SENT);     /* nobody takes what has been sent */
        if (!own->said_held)
            whittle_flow_log(link, "another sender has this edge: %s; this one waits until that has ended", said->holder);
        own->said_held = true;
    } else if (said->taken > whittle_flow_counter(link->page, WHITTLE_FLOW_QUEUED))
        whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);    /* what comes may be faster than the count of what was sent */
    else {
        if (!own->going)
            whittle_flow_dds_begins(own, (said->flags & WHITTLE_FLOW_DDS_NEW) != 0 ? acknowledged : said->taken);
        else if (said->taken > acknowledged)
            whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, said->taken);
        link->met = true;
        link->end_heard |= own->end_sent && (said->flags & WHITTLE_FLOW_DDS_HEARD_END) != 0;
    }
}

/* An edge has one receiver: it may die and come again, and no other is heard while it lives. */
static bool whittle_flow_dds_is_receiver(struct whittle_flow_dds_link *own, uint64_t receiver, dds_instance_handle_t from)
{
    struct whittle_flow_link *const link = own->link;
    if (own->peer == 0 || own->peer == from || own->receiver == receiver || !whittle_flow_dds_lives(own, own->peer)) {
        own->peer = from;
        own->receiver = receiver;
        return true;
    }
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    if (!own->said_second)
        whittle_flow_log(link, "a second receiver reports packets of this edge, and is not heard: end it, or give its flow another "
            "WHITTLE_DDS_PARTITION");
    own->said_second = true;
    return false;
}

void whittle_flow_dds_answered(dds_entity_t reader, void *own)
{
    struct whittle_flow_link *const link = ((struct whittle_flow_dds_link *)own)->link;
    struct whittle_flow_dds_taken said;
    dds_instance_handle_t from;
    (void)reader;
    pthread_mutex_lock(&link->lock);
    /* Before this end is whole its reader is not known yet: what was said stays until something is said again. */
    while (((struct whittle_flow_dds_link *)own)->reader > 0 && whittle_flow_dds_hear(own, &said, &from))
        if (whittle_flow_dds_is_receiver(own, said.receiver, from))
            whittle_flow_dds_heard(own, &said);
    pthread_mutex_unlock(&link->lock);
    whittle_flow_wake_stage(link);
}

/* Readers come and go. */
void whittle_flow_dds_readers(dds_entity_t writer, const dds_publication_matched_status_t status, void *own)
{
    struct whittle_flow_dds_link *const end = own;
    (void)writer;
    pthread_mutex_lock(&end->link->lock);
    end->matched = status.current_count > 0;
    end->link->lost_at = whittle_net_now();
    pthread_mutex_unlock(&end->link->lock);
    whittle_flow_wake_stage(end->link);
}
