/* SPDX-License-Identifier: MIT-0 */
/*
 * A sender's packets to the server: into a slot, out as messages as long as the server answers in time and the queue has
 * room, back to the first without an answer where one was refused. In go packets and answers; out go messages. The stage's
 * thread waits for room without the lock.
 */
#include "transport.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* What was not answered is to go again, from the first. */
void whittle_flow_nats_again(struct whittle_flow_nats_link *own, enum whittle_flow_nats_state state, uint64_t pause)
{
    if (own->state != WHITTLE_FLOW_NATS_FAILED)
        own->state = state;
    own->again_at = whittle_net_now() + pause;
    own->asks |= state == WHITTLE_FLOW_NATS_APART;
    own->epoch++;
    own->next = own->acknowledged;
    own->last_id[0] = '\0';
    own->end_published = false;
    whittle_flow_nats_wake(own);
}

/* Packet `number`, or the end. */
static bool whittle_flow_nats_publish(struct whittle_flow_nats_link *own, uint64_t number, const void *body, uint64_t bytes, bool is_end)
{
    struct whittle_flow_link *const link = own->link;
    const struct whittle_flow_nats_said said = {.run = link->page->stream, .number = number, .began = link->page->stream_began,
        .skipped = whittle_flow_counter(link->page, WHITTLE_FLOW_UNKNOWN), .is_end = is_end,
        .born = is_end ? 0 : whittle_flow_take_sample(link, number + 1)};
    char reply[128], before[24], id[96];
    natsMsg *message = NULL;
    snprintf(reply, sizeof reply, "%s.%llu.%llu", own->inbox, (unsigned long long)own->epoch, (unsigned long long)number);
    snprintf(before, sizeof before, "%llu", (unsigned long long)(own->base + number));
    natsStatus status = natsMsg_Create(&message, own->subject, reply, body, (int)bytes);
    if (status == NATS_OK && !whittle_flow_nats_write(own, message, &said, id))
        status = NATS_NO_MEMORY;
    status = status != NATS_OK ? status : natsMsgHeader_Set(message, "Nats-Expected-Last-Sequence", before);
    if (status == NATS_OK && own->last_id[0] != '\0' && own->last_number + 1 == number)
        status = natsMsgHeader_Set(message, "Nats-Expected-Last-Msg-Id", own->last_id);
    memcpy(own->last_id, id, sizeof id);
    own->last_number = number;
    status = status != NATS_OK ? status : natsConnection_PublishMsg(own->connection, message);
    natsMsg_Destroy(message);
    if (status != NATS_OK) {
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, WHITTLE_FLOW_NATS_TRY_AGAIN);
        return false;
    }
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, bytes);
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, 1);
    return true;
}

/* All that may go now goes. */
void whittle_flow_nats_pump(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t most = own->probing ? 1 : own->order != NULL ? own->kept->slots / 2 : own->kept->slots;
    const bool idle = own->next == own->acknowledged;
    while (own->connected && own->state == WHITTLE_FLOW_NATS_GOES && own->next < own->end && own->next - own->acknowledged < most) {
        const struct whittle_flow_nats_slot *const slot = whittle_flow_nats_slot(own, own->next);
        if (idle)
            own->heard_at = whittle_net_now();
        if (!whittle_flow_nats_publish(own, own->next, slot->body, slot->bytes, false))
            return;
        own->next++;
        if (own->next > whittle_flow_counter(link->page, WHITTLE_FLOW_SENT))
            whittle_flow_set(link, WHITTLE_FLOW_SENT, own->next);
    }
    if (own->connected && own->state == WHITTLE_FLOW_NATS_GOES && link->ended && own->next == own->end && !own->end_published && !link->end_heard) {
        own->heard_at = whittle_net_now();
        own->end_published = whittle_flow_nats_publish(own, own->end, NULL, 0, true);
    }
}

/* Whether one more packet is over what may wait. */
static bool whittle_flow_nats_full(const struct whittle_flow_nats_link *own)
{
    const uint64_t items = whittle_flow_nats_items(own->link->edge);
    return own->end - own->acknowledged >= own->kept->slots || (items > 0 && (int64_t)own->end - own->done >= (int64_t)items);
}

/* Waits for room where the edge blocks; with the lock held. False: there will be none, or the packet is to be dropped. */
static bool whittle_flow_nats_place(struct whittle_flow_nats_link *own, const void *packet, bool *dropped)
{
    struct whittle_flow_link *const link = own->link;
    bool counted = false;
    uint64_t asked_at = 0;
    *dropped = false;
    if (own->order != NULL)
        return !link->refused;
    while (!link->refused && whittle_flow_nats_full(own)) {
        if (!counted)
            whittle_flow_advise(link->edge->on_full, link, packet, 0);
        if (link->edge->full != WHITTLE_FLOW_BLOCK) {
            whittle_flow_count(link, WHITTLE_FLOW_FULL_NEWEST, 1);
            *dropped = true;
            return false;
        }
        whittle_flow_count(link, WHITTLE_FLOW_WAITS, !counted);
        counted = true;
        if (!whittle_flow_goes_on()) {
            const uint64_t now = whittle_net_now();
            asked_at = asked_at == 0 ? now : asked_at;
            if (now > asked_at + 1000000000u)
                break;
        }
        own->waits = true;
        pthread_mutex_unlock(&link->lock);
        whittle_flow_flush_own(link->loop->process);
        whittle_flow_await_wakeup(link, 200);
        pthread_mutex_lock(&link->lock);
    }
    own->waits = false;
    if (!link->refused && !whittle_flow_nats_full(own))
        return true;
    whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
    return false;
}

/* The packet's bytes into its slot; 0: at fault. */
static uint64_t whittle_flow_nats_form(const struct whittle_flow_link *link, struct whittle_flow_nats_slot *slot, const void *packet, uint64_t born)
{
    const uint64_t stamp = htole64(born != 0 || !link->edge->stamped ? born : whittle_flow_now(link->edge->one_clock));
    unsigned char *const body = slot->body + (link->edge->stamped ? sizeof stamp : 0);
    const uint64_t bytes = whittle_flow_write_body(link, body, packet);
    if (bytes == 0)
        return 0;
    if (link->edge->stamped)
        memcpy(slot->body, &stamp, sizeof stamp);
    slot->bytes = bytes + (uint64_t)(body - slot->body);
    return slot->bytes;
}

/* The packet that stands in the slot behind the last is one of the edge from now on. */
static bool whittle_flow_nats_enter(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t slots = own->kept->slots;
    if (own->order != NULL && own->end - own->acknowledged >= slots - 1) {
        whittle_flow_advise(link->edge->on_full, link, NULL, 0);
        if (own->end <= whittle_flow_counter(link->page, WHITTLE_FLOW_SENT)) {
            whittle_flow_count(link, WHITTLE_FLOW_FULL_NEWEST, 1);    /* all that is kept is on its way */
            return false;
        }
        const uint32_t written = own->order[own->end % slots];
        whittle_flow_nats_drop_waiting(own);
        own->order[(own->end + 1) % slots] = own->order[own->end % slots];
        own->order[own->end % slots] = written;
    }
    whittle_flow_sample(link, own->end);
    own->end++;
    __atomic_store_n(&link->page->counter[WHITTLE_FLOW_QUEUED], link->page->counter[WHITTLE_FLOW_QUEUED] + 1, __ATOMIC_RELEASE);
    whittle_flow_nats_pump(own);
    return true;
}

enum whittle_flow_result whittle_flow_nats_send(struct whittle_flow_link *link, const void *packet, uint64_t born)
{
    struct whittle_flow_nats_link *const own = link->own;
    bool dropped;
    if (link->refused || link->ended) {
        whittle_flow_count(link, WHITTLE_FLOW_REFUSED, 1);
        return whittle_flow_closed(link);
    }
    whittle_flow_advise(link->edge->on_send, link, packet, 0);
    pthread_mutex_lock(&link->lock);
    const bool place = whittle_flow_nats_place(own, packet, &dropped);
    pthread_mutex_unlock(&link->lock);
    if (!place)
        return dropped ? WHITTLE_FLOW_IS_DROPPED : whittle_flow_closed(link);
    const uint64_t bytes = whittle_flow_nats_form(link, whittle_flow_nats_slot(own, own->end), packet, born);
    if (bytes == 0)
        return whittle_flow_fault(link);
    if (!whittle_flow_rate(link, bytes)) {
        whittle_flow_count(link, WHITTLE_FLOW_RATE, 1);
        return WHITTLE_FLOW_IS_DROPPED;
    }
    pthread_mutex_lock(&link->lock);
    const bool entered = whittle_flow_nats_enter(own);
    pthread_mutex_unlock(&link->lock);
    return entered ? WHITTLE_FLOW_IS_SENT : WHITTLE_FLOW_IS_DROPPED;
}
