/* SPDX-License-Identifier: MIT-0 */
/*
 * An edge's part of a line, used as a connection: what comes is kept here until the edge reads it, within a credit that
 * the other end was given, so that the line is always read to its end and no edge holds up another. Edges that want to
 * send while the connection has no room wait in a queue, and send a frame each in turn.
 */
#include "line.h"
#include "parts.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Bytes of an edge that may have come and not been read; and how many are kept room for while there are none. */
enum { WHITTLE_FLOW_LANE_CREDIT = WHITTLE_FLOW_FAR, WHITTLE_FLOW_LANE_IDLE = 262144 };

struct whittle_flow_lane *whittle_flow_lane_make(struct whittle_flow_line *line, struct whittle_flow_link *link, uint32_t number, uint32_t turn)
{
    struct whittle_flow_lane *const lane = calloc(1, sizeof *lane);
    if (lane == NULL)
        return NULL;
    lane->line = line;
    lane->link = link;
    lane->number = number;
    lane->turn = turn;
    lane->credit = WHITTLE_FLOW_LANE_CREDIT;
    lane->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (lane->fd < 0) {
        free(lane);
        return NULL;
    }
    pthread_mutex_lock(&line->lock);
    if (line->lanes[number] != NULL)
        whittle_flow_lane_end(line->lanes[number], true);
    line->lanes[number] = lane;
    line->open++;
    pthread_mutex_unlock(&line->lock);
    return lane;
}

void whittle_flow_lane_ring(struct whittle_flow_lane *lane)
{
    const uint64_t one = 1;
    if (!lane->rings && write(lane->fd, &one, sizeof one) == sizeof one)
        lane->rings = true;
}

/* Nothing more comes, and, where it is gone, nobody takes anything either. */
void whittle_flow_lane_end(struct whittle_flow_lane *lane, bool gone)
{
    lane->over = true;
    lane->gone |= gone;
    whittle_flow_lane_ring(lane);
}

/* Room for so many more behind what is there; false: no memory. */
static bool whittle_flow_lane_room(struct whittle_flow_lane *lane, size_t count)
{
    const size_t here = lane->to - lane->from;
    if (lane->to + count <= lane->room)
        return true;
    if (here + count <= lane->room / 2) {
        memmove(lane->bytes, lane->bytes + lane->from, here);
    } else {
        const size_t room = here + count < 2048 ? 4096 : 2 * (here + count);
        unsigned char *const more = malloc(room);
        if (more == NULL)
            return false;
        if (here > 0)
            memcpy(more, lane->bytes + lane->from, here);
        free(lane->bytes);
        lane->bytes = more;
        lane->room = room;
    }
    lane->from = 0;
    lane->to = here;
    return true;
}

/* Bytes have come. False: more than this end gave credit for, or than there is memory for: the edge's lane ends. */
bool whittle_flow_lane_take(struct whittle_flow_lane *lane, const unsigned char *bytes, size_t count)
{
    if (lane->to - lane->from + lane->unsaid + count > WHITTLE_FLOW_LANE_CREDIT || !whittle_flow_lane_room(lane, count))
        return false;
    memcpy(lane->bytes + lane->to, bytes, count);
    lane->to += count;
    whittle_flow_lane_ring(lane);
    return true;
}

static void whittle_flow_lane_is_empty(struct whittle_flow_lane *lane)
{
    uint64_t count;
    lane->from = lane->to = 0;
    if (lane->room > WHITTLE_FLOW_LANE_IDLE) {
        free(lane->bytes);
        lane->bytes = NULL;
        lane->room = 0;
    }
    if (!lane->over && lane->rings && read(lane->fd, &count, sizeof count) == sizeof count)
        lane->rings = false;
}

/* So many bytes of it have been read: the other end may send as many again, which it hears from time to time. */
void whittle_flow_lane_was_read(struct whittle_flow_lane *lane, size_t count)
{
    lane->unsaid += count;
    if (lane->unsaid < WHITTLE_FLOW_LANE_CREDIT / 4 || lane->gone)
        return;
    whittle_flow_frame_put(lane->line, WHITTLE_FLOW_GIVES_CREDIT, lane, lane->unsaid, NULL, 0);
    lane->unsaid = 0;
}

ssize_t whittle_flow_lane_read(struct whittle_flow_lane *lane, void *to, size_t room)
{
    struct whittle_flow_line *const line = lane->line;
    struct whittle_flow_reader reader = {lane, to, room, 0};
    if (!lane->rings)
        whittle_flow_line_read(line, &reader);
    errno = EAGAIN;
    if (!lane->rings)
        return reader.came > 0 ? (ssize_t)reader.came : -1;
    pthread_mutex_lock(&line->lock);
    const size_t here = lane->to - lane->from, left = room - reader.came, some = here < left ? here : left;
    const bool over = lane->over;
    if (some > 0) {
        memcpy((unsigned char *)to + reader.came, lane->bytes + lane->from, some);
        lane->from += some;
        whittle_flow_lane_was_read(lane, some);
        if (lane->from == lane->to)
            whittle_flow_lane_is_empty(lane);
    }
    pthread_mutex_unlock(&line->lock);
    errno = EAGAIN;
    return reader.came + some > 0 ? (ssize_t)(reader.came + some) : over ? 0 : -1;
}

/* A message, which is said whole or not at all. */
ssize_t whittle_flow_lane_say(struct whittle_flow_lane *lane, const void *bytes, size_t count)
{
    struct whittle_flow_line *const line = lane->line;
    const struct iovec piece = {(void *)(uintptr_t)bytes, count};
    pthread_mutex_lock(&line->lock);
    const bool gone = lane->gone, says = !gone && count <= lane->credit;
    if (says) {
        lane->credit -= count;
        whittle_flow_frame_put(line, WHITTLE_FLOW_CARRIES, lane, 0, &piece, 1);
    }
    pthread_mutex_unlock(&line->lock);
    errno = gone ? EPIPE : EAGAIN;
    return says ? (ssize_t)count : -1;
}

static void whittle_flow_lane_queue(struct whittle_flow_lane *lane)
{
    struct whittle_flow_line *const line = lane->line;
    if (lane->waits)
        return;
    lane->waits = true;
    lane->behind = NULL;
    if (line->first == NULL)
        line->first = lane;
    else
        line->last->behind = lane;
    line->last = lane;
    whittle_flow_line_watch(line);
}

/* As much of some pieces as one frame takes; -1 and EAGAIN: the edge's sender is looked after when there is room or credit. */
ssize_t whittle_flow_lane_write(struct whittle_flow_lane *lane, const struct iovec *pieces, size_t count)
{
    struct whittle_flow_line *const line = lane->line;
    enum { PIECES = 2 };    /* of a message: its head, and what belongs to it */
    struct iovec some[PIECES] = {{NULL, 0}, {NULL, 0}};
    size_t bytes = 0, taken = 0;
    pthread_mutex_lock(&line->lock);
    const bool gone = lane->gone;
    const size_t frame = line->session != NULL || line->first != NULL ? WHITTLE_FLOW_FRAME_SHORT : WHITTLE_FLOW_FRAME_MOST;
    const size_t most = lane->credit < frame ? (size_t)lane->credit : frame;
    lane->starved = most == 0;
    if (!gone && most > 0 && (whittle_flow_frames_rest(line) || (line->first != NULL && !lane->next)))
        whittle_flow_lane_queue(lane);
    else if (!gone && most > 0) {
        for (; taken < count && taken < PIECES && bytes < most; taken++) {
            const size_t left = most - bytes;
            some[taken] = (struct iovec){pieces[taken].iov_base, pieces[taken].iov_len < left ? pieces[taken].iov_len : left};
            bytes += some[taken].iov_len;
        }
        lane->next = false;
        lane->credit -= bytes;
        whittle_flow_frame_put(line, WHITTLE_FLOW_CARRIES, lane, 0, some, taken);
    }
    pthread_mutex_unlock(&line->lock);
    errno = gone ? EPIPE : EAGAIN;
    return bytes > 0 ? (ssize_t)bytes : -1;
}

/* As shutdown: what has come can be read before the end is seen. */
void whittle_flow_lane_shut(struct whittle_flow_lane *lane, int how)
{
    struct whittle_flow_line *const line = lane->line;
    pthread_mutex_lock(&line->lock);
    if (how != SHUT_WR)
        whittle_flow_lane_end(lane, false);
    if (how != SHUT_RD && !lane->gone)
        whittle_flow_frame_put(line, WHITTLE_FLOW_SHUTS, lane, 0, NULL, 0);
    pthread_mutex_unlock(&line->lock);
}

static void whittle_flow_lane_unqueue(struct whittle_flow_lane *lane)
{
    struct whittle_flow_line *const line = lane->line;
    struct whittle_flow_lane *before = NULL;
    for (struct whittle_flow_lane *one = line->first; one != NULL && one != lane; one = one->behind)
        before = one;
    if (before == NULL)
        line->first = lane->behind;
    else
        before->behind = lane->behind;
    if (line->last == lane)
        line->last = before;
}

void whittle_flow_lane_close(struct whittle_flow_lane **of)
{
    struct whittle_flow_lane *const lane = *of;
    struct whittle_flow_line *const line = lane->line;
    *of = NULL;
    pthread_mutex_lock(&line->lock);
    if (lane->waits)
        whittle_flow_lane_unqueue(lane);
    if (line->lanes[lane->number] == lane)
        line->lanes[lane->number] = NULL;
    if (!lane->gone)
        whittle_flow_frame_put(line, WHITTLE_FLOW_CLOSES, lane, 0, NULL, 0);
    line->open--;
    pthread_mutex_unlock(&line->lock);
    close(lane->fd);
    free(lane->bytes);
    free(lane);
}

void whittle_flow_stream_close(int *fd, struct whittle_flow_lane **lane)
{
    if (*lane != NULL)
        whittle_flow_lane_close(lane);
    else if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void whittle_flow_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source, struct whittle_flow_lane **lane)
{
    whittle_net_unwatch(poller, source);
    whittle_flow_stream_close(&source->fd, lane);
}
