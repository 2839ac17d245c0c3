/* SPDX-License-Identifier: MIT-0 */
/*
 * Receiving through shared memory: a packet is copied once, into private memory, before anything of it is looked at; only
 * a trusted edge's is read where it stands, and holds its slot until it is done. Where the sender may drop the oldest,
 * the receiver claims a slot before it copies it.
 */
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

enum { WHITTLE_FLOW_LOOKS = 300 };

static bool whittle_flow_reads_in_place(const struct whittle_flow_link *link)
{
    return link->edge->trusted && !link->oldest && link->edge->type->fixed != 0;
}

static void whittle_flow_shared_say(struct whittle_flow_link *link, char what)
{
    if (link->fd >= 0 && send(link->fd, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EPIPE)
        return; /* its death is seen where we listen */
}

/* The sender, where it waits for a slot or for the end. */
static void whittle_flow_shared_wake(struct whittle_flow_link *link)
{
    if (__atomic_load_n(&link->shared->sender_sleeps, __ATOMIC_SEQ_CST) != 0
        && __atomic_exchange_n(&link->shared->sender_sleeps, 0, __ATOMIC_SEQ_CST) != 0)
        whittle_flow_shared_say(link, 'd');
}

/* The slots before `next` are the sender's again. */
static void whittle_flow_shared_free(struct whittle_flow_link *link, uint64_t next)
{
    if (link->oldest)
        __atomic_fetch_and(&link->shared->taken, ~UINT64_C(1), __ATOMIC_SEQ_CST);
    else {
        whittle_flow_trace(link, "says count=%llu", (unsigned long long)whittle_flow_ledger_taken(link->page));
        __atomic_store_n(&link->shared->taken, next << 1, __ATOMIC_SEQ_CST);
    }
    whittle_flow_shared_wake(link);
}

void whittle_flow_shared_done(struct whittle_flow_link *link)
{
    if (link->shared != NULL && whittle_flow_reads_in_place(link))
        whittle_flow_shared_free(link, whittle_flow_position(link));
}

void whittle_flow_shared_refuse(struct whittle_flow_link *link)
{
    whittle_flow_shared_say(link, 'r');
}

static bool whittle_flow_shared_begin(struct whittle_flow_link *link)
{
    struct whittle_flow_start start;
    if (!whittle_flow_shared_accept(link, &start))
        return false;
    return whittle_flow_take_start(link, &start);
}

/* The next slot's number, claimed where it must be; false: there is none. */
static bool whittle_flow_shared_claim(struct whittle_flow_link *link, uint64_t *number)
{
    struct whittle_flow_shared *const shared = link->shared;
    for (;;) {
        uint64_t word = __atomic_load_n(&shared->taken, __ATOMIC_ACQUIRE);
        const uint64_t head = __atomic_load_n(&shared->head, __ATOMIC_ACQUIRE);
        *number = link->oldest ? word >> 1 : whittle_flow_position(link);
        if (head == *number)
            return false;
        if (head - *number > link->slot_count || *number < whittle_flow_position(link) || head > 2 * WHITTLE_FLOW_POSITION_MOST) {
            whittle_flow_break(link, "its ring's numbers cannot be", true);
            link->broken = true;
            return false;
        }
        if (!link->oldest)
            return true;
        __atomic_store_n(&shared->copying, *number, __ATOMIC_SEQ_CST);
        if (__atomic_compare_exchange_n(&shared->taken, &word, (*number + 1) << 1 | 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return true;
    }
}

/* What was dropped has no number in the sequence: the mark moves with it. */
static void whittle_flow_shared_pass_over(struct whittle_flow_link *link, uint64_t number)
{
    const struct whittle_flow_ledger *const page = link->page;
    if (number == whittle_flow_position(link))
        return;
    const struct whittle_flow_jump jump = {page->stream, whittle_flow_ledger_taken(page), number, whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED),
        whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN)};
    whittle_flow_jump(link, &jump);
}

/* The packet in a slot, copied where it must be; NULL: it is no packet. */
static const void *whittle_flow_shared_read(struct whittle_flow_link *link, uint64_t number, struct whittle_flow_slot_head *head)
{
    const struct whittle_flow_type *const type = link->edge->type;
    const unsigned char *const slot = whittle_flow_slot(link, number);
    memcpy(head, slot, sizeof *head);
    const uint64_t most = type->fixed == 0 ? type->largest : type->size;
    if (head->bytes == 0 || head->bytes > most || (type->fixed != 0 && head->bytes < type->fixed))
        return NULL;
    const unsigned char *packet = slot + WHITTLE_FLOW_SLOT_HEAD;
    if (!whittle_flow_reads_in_place(link))
        packet = memcpy(link->ring.data, packet, head->bytes);
    if (type->fixed != 0 && (type->used != NULL ? type->used(packet) : type->size) != head->bytes)
        return NULL;
    return packet;
}

static enum whittle_flow_have whittle_flow_shared_over(struct whittle_flow_link *link)
{
    if (__atomic_load_n(&link->shared->ended, __ATOMIC_SEQ_CST) == 0
        || __atomic_load_n(&link->shared->head, __ATOMIC_SEQ_CST) != whittle_flow_position(link))
        return WHITTLE_FLOW_NOTHING;
    pthread_mutex_lock(&link->lock);
    link->heard_end = true;
    pthread_mutex_unlock(&link->lock);
    whittle_flow_trace(link, "reads end taken=%llu", (unsigned long long)whittle_flow_ledger_taken(link->page));
    __atomic_store_n(&link->shared->end_heard, 1, __ATOMIC_SEQ_CST);
    whittle_flow_shared_wake(link);
    return WHITTLE_FLOW_OVER;
}

enum whittle_flow_have whittle_flow_shared_look(struct whittle_flow_link *link, const void **packet)
{
    for (;;) {
        struct whittle_flow_slot_head head = {0, 0, 0};
        uint64_t number;
        if (link->heard_end)
            return WHITTLE_FLOW_OVER;
        if (link->fd >= 0 && link->start_due && !whittle_flow_shared_begin(link))
            return WHITTLE_FLOW_NOTHING;
        if (link->shared == NULL || link->start_due || link->broken)
            return WHITTLE_FLOW_NOTHING;
        if (!whittle_flow_shared_claim(link, &number)) {
            if (link->oldest && !link->broken)
                whittle_flow_shared_pass_over(link, number);
            return link->broken ? WHITTLE_FLOW_NOTHING : whittle_flow_shared_over(link);
        }
        whittle_flow_shared_pass_over(link, number);
        const void *const found = whittle_flow_shared_read(link, number, &head);
        __atomic_store_n(link->at, number + 1, __ATOMIC_RELAXED);
        if (!whittle_flow_reads_in_place(link))
            whittle_flow_shared_free(link, number + 1);
        *packet = found != NULL ? whittle_flow_validate(link, found, head.bytes, head.born) : whittle_flow_faulty(link);
        if (*packet != NULL)
            return WHITTLE_FLOW_PACKET;
        whittle_flow_shared_done(link);
    }
}

/* Whether another packet stands in the ring behind the one in hand. */
bool whittle_flow_shared_follows(const struct whittle_flow_link *link)
{
    return link->fd >= 0 && !link->start_due && !link->broken && __atomic_load_n(&link->shared->head, __ATOMIC_ACQUIRE) != whittle_flow_position(link);
}

/* Listens for the sender's bell, and its death. */
void whittle_flow_shared_read_socket(struct whittle_flow_link *link, bool wait)
{
    char said[64];
    if (link->start_due)
        return; /* what comes is where the stream begins, not a bell */
    const ssize_t came = recv(link->fd, said, sizeof said, wait ? 0 : MSG_DONTWAIT);
    if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
        whittle_flow_break(link, came == 0 ? "closed by the sender" : strerror(errno), false);
}

/* Asks to be woken; false: there is something already. */
bool whittle_flow_shared_may_sleep(struct whittle_flow_link *link)
{
    if (link->start_due || link->shared == NULL)
        return true;
    __atomic_store_n(&link->shared->receiver_sleeps, 1, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&link->shared->head, __ATOMIC_SEQ_CST) == whittle_flow_position(link)
        && __atomic_load_n(&link->shared->ended, __ATOMIC_SEQ_CST) == 0;
}

static bool whittle_flow_shared_has_news(struct whittle_flow_link *link, void *what)
{
    (void)what;
    return __atomic_load_n(&link->shared->head, __ATOMIC_ACQUIRE) != whittle_flow_position(link)
        || __atomic_load_n(&link->shared->ended, __ATOMIC_ACQUIRE) != 0;
}

/* A short while awake, then asleep in the socket. */
void whittle_flow_shared_sleep(struct whittle_flow_link *link)
{
    if (link->start_due || link->shared == NULL) {
        whittle_flow_await_line(link);
        return;
    }
    for (int look = 0; look < WHITTLE_FLOW_LOOKS; look++) {
        if (__atomic_load_n(&link->shared->head, __ATOMIC_ACQUIRE) != whittle_flow_position(link))
            return;
        whittle_net_relax();
    }
    if (!whittle_flow_spin(link, whittle_flow_shared_has_news, NULL) && whittle_flow_shared_may_sleep(link))
        whittle_flow_shared_read_socket(link, true);
}
