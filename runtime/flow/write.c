/* SPDX-License-Identifier: MIT-0 */
/*
 * From a sender's ring to its connection, and back from the connection what the receiver says: batches go out, each one
 * run of whole packets behind a head of a few bytes; acknowledgements come in, and let packets go that need not be sent
 * again. All of it with the link's lock held, by whoever has it: the stage's thread or the event loop.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WHITTLE_FLOW_BATCH_MOST = 256 * 1024, WHITTLE_FLOW_MOVE_MOST = 64 * 1024 };
enum whittle_flow_claimed { WHITTLE_FLOW_CLAIMED, WHITTLE_FLOW_NO_MORE, WHITTLE_FLOW_NO_WINDOW };

uint64_t whittle_flow_waiting(const struct whittle_flow_link *link)
{
    return whittle_flow_ledger_waiting(link->page);
}

/* Whether something waits to be written, be it the rest of a batch that the connection had no room for; with the lock held. */
bool whittle_flow_has_left(const struct whittle_flow_link *link)
{
    return whittle_flow_waiting(link) > 0 || (link->fd >= 0 && link->head_left + link->body_left > 0);
}

/* Packets between the two middles: those that wait here, and those on their way that have not been taken. */
uint64_t whittle_flow_between(const struct whittle_flow_link *link)
{
    return whittle_flow_waiting(link) + link->frontier.count - link->taken.count;
}

/* The connection is gone; the event loop finds another. What was on its way is known when the receiver says what came. */
void whittle_flow_lose(struct whittle_flow_link *link, const char *why)
{
    if (link->fd < 0)
        return;
    if (why != NULL && !link->end_heard && !link->refused)
        whittle_flow_log(link, "the connection was lost (%s); %s", why,
            !link->keeps ? "connecting again" : "connecting again, nothing is given up");
    whittle_flow_trace(link, "loses connection");
    whittle_flow_stream_close(&link->fd, &link->substream);
    whittle_flow_end_session(link, &link->session);
    link->head_left = 0;
    link->body_left = 0;
    link->blocked = false;
    link->lost_at = whittle_net_now();
    link->lost = !link->end_heard && !link->refused;
    whittle_flow_gather(link);
    whittle_flow_event_loop_wake(link->loop);
    whittle_flow_wake_stage(link);    /* who waits for the connection, waits for another now */
}

/* Up to where packets gather without a look; an unarmed sender looks at each. */
void whittle_flow_gather(struct whittle_flow_link *link)
{
    const bool gathers = link->armed && link->fd >= 0 && !link->refused && !link->ended;
    const uint64_t at = whittle_flow_position(link), from = link->frontier.bytes;
    uint64_t full = gathers ? from + link->gather_bytes : 0;
    if (gathers && at >= full) {
        /* They cannot go now: a look at each does not change that. So many as the queue takes may follow before the next. */
        const uint64_t room = link->fast && link->queue_items < link->queue_bytes / link->stride ? link->queue_items * link->stride : link->queue_bytes;
        full = at - from + link->gather_bytes / 4 < room ? at + link->gather_bytes / 4 : from + room;
    }
    /* Nor more than the queue holds: what has not been taken counts. */
    const uint64_t most = link->stride != 0 && link->queue_items < UINT64_MAX / link->stride ? link->queue_items * link->stride : UINT64_MAX;
    const uint64_t bound = most < link->queue_bytes ? most : link->queue_bytes, held = bound < UINT64_MAX - link->taken.bytes ? link->taken.bytes + bound : UINT64_MAX;
    if (link->edge->full == WHITTLE_FLOW_BLOCK && full > held)
        full = held;
    const uint64_t limit = full < link->turn_at ? full : link->turn_at;
    const uint64_t gathered = link->frontier.count + link->gather_items, allowed = link->taken.count + link->queue_items;
    __atomic_store_n(&link->limit_at, limit, __ATOMIC_RELAXED);
    __atomic_store_n(&link->limit_count, !gathers ? 0 : link->queue_items == UINT64_MAX || gathered < allowed ? gathered : allowed, __ATOMIC_RELAXED);
    if (link->fast)
        __atomic_store_n(&link->sender->limit, __atomic_load_n(&link->watched, __ATOMIC_SEQ_CST) ? 0 : limit, __ATOMIC_SEQ_CST);
}

/* Where the oldest may be dropped: packets leave the queue when there is a connection that takes them, and credit for them, not before. */
static void whittle_flow_move(struct whittle_flow_link *link)
{
    const uint64_t end = whittle_flow_position(link), from = link->moved.bytes;
    while (link->tail < end && link->moved.bytes - from < WHITTLE_FLOW_MOVE_MOST) {
        const unsigned char *const record = whittle_flow_ring_place(link, link->tail);
        const uint64_t bytes = whittle_flow_record_bytes(link, record);
        if (link->moved.bytes + bytes > link->retained.bytes + link->window || link->moved.count - link->taken.count >= link->queue_items
            || (link->gather_items > 0 && link->moved.count - link->claimed.count >= link->gather_items))
            break;
        memcpy(link->kept.data + link->moved.bytes % link->kept.size, record, bytes);
        link->tail += bytes;
        link->moved.bytes += bytes;
        link->moved.count++;
    }
}

static struct whittle_flow_place whittle_flow_ready(struct whittle_flow_link *link)
{
    if (link->oldest) {
        if (link->moved.bytes == link->claimed.bytes)
            whittle_flow_move(link);
        return link->moved;
    }
    const struct whittle_flow_ledger *const page = link->page;
    if (link->stride != 0) {
        const uint64_t at = whittle_flow_position(link), more = (at - page->counter[WHITTLE_FLOW_MARK]) / link->stride;
        return (struct whittle_flow_place){page->counter[WHITTLE_FLOW_QUEUED] + more - page->counter[WHITTLE_FLOW_ABANDONED], at};
    }
    /* Count and position move together or not at all; what the stage's thread is just about to add is left for later. */
    const uint32_t turn = __atomic_load_n(&link->turn, __ATOMIC_ACQUIRE);
    const uint64_t queued = __atomic_load_n(&page->counter[WHITTLE_FLOW_QUEUED], __ATOMIC_ACQUIRE);
    const uint64_t end = whittle_flow_position(link);
    if (turn % 2 != 0 || turn != __atomic_load_n(&link->turn, __ATOMIC_RELAXED))
        return link->claimed;
    return (struct whittle_flow_place){queued - page->counter[WHITTLE_FLOW_ABANDONED], end};
}

static unsigned char *whittle_flow_kept_place(struct whittle_flow_link *link, uint64_t position)
{
    const struct whittle_flow_ring *const ring = link->oldest ? &link->kept : &link->ring;
    return ring->data + position % ring->size;
}

/* Packets that may be on their way and not taken, beside those that are: the receiver's credit. */
static uint64_t whittle_flow_credit(const struct whittle_flow_link *link)
{
    const uint64_t open = link->claimed.count - link->taken.count;
    return open < link->queue_items ? link->queue_items - open : 0;
}

/* Some packets of those that are ready: as many as the window, the credit and the batch's bounds allow. */
static struct whittle_flow_place whittle_flow_some(struct whittle_flow_link *link, struct whittle_flow_place ready, uint64_t most)
{
    struct whittle_flow_place reach = link->claimed;
    const uint64_t credit = whittle_flow_credit(link), batch = link->edge->batch_items, items = batch > 0 && batch < credit ? batch : credit;
    if (ready.bytes - reach.bytes <= most && ready.count - reach.count <= items)
        return ready;
    if (link->stride != 0) {
        const uint64_t fit = most / link->stride, here = ready.count - reach.count;
        const uint64_t count = fit < items ? (fit < here ? fit : here) : (items < here ? items : here);
        return (struct whittle_flow_place){reach.count + count, reach.bytes + count * link->stride};
    }
    while (reach.count - link->claimed.count < items && reach.bytes < ready.bytes) {
        const uint64_t bytes = whittle_flow_record_bytes(link, whittle_flow_kept_place(link, reach.bytes));
        if (bytes == 0 || reach.bytes + bytes - link->claimed.bytes > most)
            break;
        reach.bytes += bytes;
        reach.count++;
    }
    return reach;
}

static enum whittle_flow_claimed whittle_flow_claim(struct whittle_flow_link *link)
{
    const struct whittle_flow_place ready = whittle_flow_ready(link);
    struct whittle_flow_batch head = {0};
    if (ready.bytes == link->claimed.bytes) {
        if (!link->ended || link->end_sent || (link->oldest && link->tail != whittle_flow_position(link)))
            return link->oldest && link->tail != whittle_flow_position(link) ? WHITTLE_FLOW_NO_WINDOW : WHITTLE_FLOW_NO_MORE;
        head.flags = htole32(WHITTLE_FLOW_END);
        link->end_sent = true;
        whittle_flow_trace(link, "sends end");
    } else {
        const uint64_t under_way = link->claimed.bytes - link->retained.bytes;
        const uint64_t window = under_way < link->window ? link->window - under_way : 0;
        const uint64_t largest = link->session != NULL ? whittle_flow_sealed_most(link)
            : link->record > WHITTLE_FLOW_BATCH_MOST ? link->record : WHITTLE_FLOW_BATCH_MOST;
        const struct whittle_flow_place reach = whittle_flow_some(link, ready, window < largest ? window : largest);
        if (reach.bytes == link->claimed.bytes)
            return WHITTLE_FLOW_NO_WINDOW;
        head.bytes = htole32((uint32_t)(reach.bytes - link->claimed.bytes));
        head.born = htole64(whittle_flow_take_sample(link, reach.count));
        link->body_from = link->claimed.bytes;
        link->body_left = reach.bytes - link->claimed.bytes;
        link->claimed = reach;
        if (reach.count > link->frontier.count) {
            link->frontier = reach;
            whittle_flow_set(link, WHITTLE_FLOW_SENT, reach.count);
        }
        whittle_flow_trace(link, "sends to=%llu", (unsigned long long)reach.count);
    }
    if (!whittle_flow_seal(link, link->session, WHITTLE_FLOW_BATCH, &head, offsetof(struct whittle_flow_batch, tag),
            whittle_flow_kept_place(link, link->body_from), link->body_left, head.tag)) {
        whittle_flow_lose(link, "its bytes cannot be authenticated");
        return WHITTLE_FLOW_NO_MORE;
    }
    link->head = head;
    link->head_left = sizeof head;
    return WHITTLE_FLOW_CLAIMED;
}

/* A batch has gone whole; nobody will ask for it again where nothing is promised. */
static void whittle_flow_gone(struct whittle_flow_link *link)
{
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, 1);
    if (link->keeps)
        return;
    link->retained = link->claimed;
    whittle_flow_trace(link, "forgets to=%llu", (unsigned long long)link->claimed.count);
}

/* The event loop hears of these events, too, and then of none beside the usual ones. */
void whittle_flow_watch(struct whittle_flow_link *link, uint32_t more)
{
    more &= link->substream != NULL ? ~(uint32_t)EPOLLOUT : UINT32_MAX;     /* there its mux looks for room */
    link->watches_more = more != 0;
    whittle_net_rewatch(&link->loop->poller, &link->connected, link->interest | more);
}

static bool whittle_flow_write(struct whittle_flow_link *link, bool comes_back)
{
    struct iovec parts[2] = {
        {(unsigned char *)(&link->head + 1) - link->head_left, link->head_left},
        {whittle_flow_kept_place(link, link->body_from), link->body_left},
    };
    const struct msghdr message = {.msg_iov = parts + (link->head_left == 0), .msg_iovlen = 2u - (link->head_left == 0)};
    const ssize_t gone = link->substream != NULL ? whittle_flow_substream_write(link->substream, message.msg_iov, message.msg_iovlen)
        : sendmsg(link->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (gone < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            link->blocked = true;
            if (!comes_back)
                whittle_flow_watch(link, EPOLLOUT);
        }
        else if (errno != EINTR) {
            const int problem = errno;
            whittle_flow_read_acknowledgements(link);  /* last words */
            whittle_flow_lose(link, strerror(problem));
        }
        return false;
    }
    link->writes++;
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, (uint64_t)gone);
    const uint32_t of_head = (uint64_t)gone < link->head_left ? (uint32_t)gone : link->head_left;
    link->head_left -= of_head;
    link->body_from += (uint64_t)gone - of_head;
    link->body_left -= (uint64_t)gone - of_head;
    if (link->head_left == 0 && link->body_left == 0)
        whittle_flow_gone(link);
    return true;
}

/*
 * Sends what may go now. `comes_back`: who calls waits for the connection after that, or tries again soon; else the event loop is
 * asked to, which costs two changes of threads.
 */
enum whittle_flow_outcome whittle_flow_push(struct whittle_flow_link *link, bool comes_back)
{
    bool wrote = false;
    enum whittle_flow_outcome outcome = WHITTLE_FLOW_BUSY;
    link->blocked &= !comes_back;
    while (link->fd >= 0 && !link->refused && !link->blocked) {
        if (link->head_left == 0 && link->body_left == 0) {
            const enum whittle_flow_claimed claimed = whittle_flow_claim(link);
            if (claimed == WHITTLE_FLOW_NO_MORE) {
                outcome = WHITTLE_FLOW_DRAINED;
                break;
            }
            if (claimed == WHITTLE_FLOW_NO_WINDOW) {
                if (whittle_flow_read_acknowledgements(link))
                    continue;
                link->blocked = link->edge->full != WHITTLE_FLOW_BLOCK;
                break;
            }
        }
        wrote |= whittle_flow_write(link, comes_back);
    }
    if (wrote)
        link->last_write = whittle_net_now();
    whittle_flow_gather(link);
    return link->fd < 0 ? WHITTLE_FLOW_UNCONNECTED : outcome;
}
