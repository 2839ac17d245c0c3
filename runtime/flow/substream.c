/* SPDX-License-Identifier: MIT-0 */
/*
 * An edge's part of a mux, used as a connection: what comes is kept here until the edge reads it, within a credit that
 * the other end was given, so that the mux is always read to its end and no edge holds up another. Edges that want to
 * send while the connection has no room wait in a queue, and send a frame each in turn.
 */
#include "mux.h"
#include "internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Bytes of an edge that may have come and not been read; and how many are kept room for while there are none. */
enum { WHITTLE_FLOW_SUBSTREAM_CREDIT = WHITTLE_FLOW_FAR, WHITTLE_FLOW_SUBSTREAM_IDLE = 262144 };

struct whittle_flow_substream *whittle_flow_substream_make(struct whittle_flow_mux *mux, struct whittle_flow_link *link, uint32_t number, uint32_t turn)
{
    struct whittle_flow_substream *const substream = calloc(1, sizeof *substream);
    if (substream == NULL)
        return NULL;
    substream->mux = mux;
    substream->link = link;
    substream->number = number;
    substream->turn = turn;
    substream->credit = WHITTLE_FLOW_SUBSTREAM_CREDIT;
    substream->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (substream->fd < 0) {
        free(substream);
        return NULL;
    }
    pthread_mutex_lock(&mux->lock);
    if (mux->substreams[number] != NULL)
        whittle_flow_substream_end(mux->substreams[number], true);
    mux->substreams[number] = substream;
    mux->open++;
    pthread_mutex_unlock(&mux->lock);
    return substream;
}

void whittle_flow_substream_signal(struct whittle_flow_substream *substream)
{
    const uint64_t one = 1;
    if (!substream->signalled && write(substream->fd, &one, sizeof one) == sizeof one)
        substream->signalled = true;
}

/* Nothing more comes, and, where it is gone, nobody takes anything either. */
void whittle_flow_substream_end(struct whittle_flow_substream *substream, bool gone)
{
    substream->over = true;
    substream->gone |= gone;
    whittle_flow_substream_signal(substream);
}

/* Room for so many more behind what is there; false: no memory. */
static bool whittle_flow_substream_room(struct whittle_flow_substream *substream, size_t count)
{
    const size_t here = substream->to - substream->from;
    if (substream->to + count <= substream->room)
        return true;
    if (here + count <= substream->room / 2) {
        memmove(substream->bytes, substream->bytes + substream->from, here);
    } else {
        const size_t room = here + count < 2048 ? 4096 : 2 * (here + count);
        unsigned char *const more = malloc(room);
        if (more == NULL)
            return false;
        if (here > 0)
            memcpy(more, substream->bytes + substream->from, here);
        free(substream->bytes);
        substream->bytes = more;
        substream->room = room;
    }
    substream->from = 0;
    substream->to = here;
    return true;
}

/* Bytes have come. False: more than this end gave credit for, or than there is memory for: the edge's substream ends. */
bool whittle_flow_substream_take(struct whittle_flow_substream *substream, const unsigned char *bytes, size_t count)
{
    if (substream->to - substream->from + substream->unsaid + count > WHITTLE_FLOW_SUBSTREAM_CREDIT || !whittle_flow_substream_room(substream, count))
        return false;
    memcpy(substream->bytes + substream->to, bytes, count);
    substream->to += count;
    whittle_flow_substream_signal(substream);
    return true;
}

static void whittle_flow_substream_is_empty(struct whittle_flow_substream *substream)
{
    uint64_t count;
    substream->from = substream->to = 0;
    if (substream->room > WHITTLE_FLOW_SUBSTREAM_IDLE) {
        free(substream->bytes);
        substream->bytes = NULL;
        substream->room = 0;
    }
    if (!substream->over && substream->signalled && read(substream->fd, &count, sizeof count) == sizeof count)
        substream->signalled = false;
}

/* So many bytes of it have been read: the other end may send as many again, which it hears from time to time. */
void whittle_flow_substream_was_read(struct whittle_flow_substream *substream, size_t count)
{
    substream->unsaid += count;
    if (substream->unsaid < WHITTLE_FLOW_SUBSTREAM_CREDIT / 4 || substream->gone)
        return;
    whittle_flow_frame_put(substream->mux, WHITTLE_FLOW_GIVES_CREDIT, substream, substream->unsaid, NULL, 0);
    substream->unsaid = 0;
}

ssize_t whittle_flow_substream_read(struct whittle_flow_substream *substream, void *to, size_t room)
{
    struct whittle_flow_mux *const mux = substream->mux;
    struct whittle_flow_reader reader = {substream, to, room, 0};
    if (!substream->signalled)
        whittle_flow_mux_read(mux, &reader);
    errno = EAGAIN;
    if (!substream->signalled)
        return reader.came > 0 ? (ssize_t)reader.came : -1;
    pthread_mutex_lock(&mux->lock);
    const size_t here = substream->to - substream->from, left = room - reader.came, some = here < left ? here : left;
    const bool over = substream->over;
    if (some > 0) {
        memcpy((unsigned char *)to + reader.came, substream->bytes + substream->from, some);
        substream->from += some;
        whittle_flow_substream_was_read(substream, some);
        if (substream->from == substream->to)
            whittle_flow_substream_is_empty(substream);
    }
    pthread_mutex_unlock(&mux->lock);
    errno = EAGAIN;
    return reader.came + some > 0 ? (ssize_t)(reader.came + some) : over ? 0 : -1;
}

/* A message, which is said whole or not at all. */
ssize_t whittle_flow_substream_send(struct whittle_flow_substream *substream, const void *bytes, size_t count)
{
    struct whittle_flow_mux *const mux = substream->mux;
    const struct iovec piece = {(void *)(uintptr_t)bytes, count};
    pthread_mutex_lock(&mux->lock);
    const bool gone = substream->gone, says = !gone && count <= substream->credit;
    if (says) {
        substream->credit -= count;
        whittle_flow_frame_put(mux, WHITTLE_FLOW_CARRIES, substream, 0, &piece, 1);
    }
    pthread_mutex_unlock(&mux->lock);
    errno = gone ? EPIPE : EAGAIN;
    return says ? (ssize_t)count : -1;
}

static void whittle_flow_substream_queue(struct whittle_flow_substream *substream)
{
    struct whittle_flow_mux *const mux = substream->mux;
    if (substream->waits)
        return;
    substream->waits = true;
    substream->behind = NULL;
    if (mux->first == NULL)
        mux->first = substream;
    else
        mux->last->behind = substream;
    mux->last = substream;
    whittle_flow_mux_watch(mux);
}

/* As much of some pieces as one frame takes; -1 and EAGAIN: the edge's sender is looked after when there is room or credit. */
ssize_t whittle_flow_substream_write(struct whittle_flow_substream *substream, const struct iovec *pieces, size_t count)
{
    struct whittle_flow_mux *const mux = substream->mux;
    enum { PIECES = 2 };    /* of a message: its head, and what belongs to it */
    struct iovec some[PIECES] = {{NULL, 0}, {NULL, 0}};
    size_t bytes = 0, taken = 0;
    pthread_mutex_lock(&mux->lock);
    const bool gone = substream->gone;
    const size_t frame = mux->session != NULL || mux->first != NULL ? WHITTLE_FLOW_FRAME_SHORT : WHITTLE_FLOW_FRAME_MOST;
    const size_t most = substream->credit < frame ? (size_t)substream->credit : frame;
    substream->starved = most == 0;
    if (!gone && most > 0 && (whittle_flow_frames_rest(mux) || (mux->first != NULL && !substream->next)))
        whittle_flow_substream_queue(substream);
    else if (!gone && most > 0) {
        for (; taken < count && taken < PIECES && bytes < most; taken++) {
            const size_t left = most - bytes;
            some[taken] = (struct iovec){pieces[taken].iov_base, pieces[taken].iov_len < left ? pieces[taken].iov_len : left};
            bytes += some[taken].iov_len;
        }
        substream->next = false;
        substream->credit -= bytes;
        whittle_flow_frame_put(mux, WHITTLE_FLOW_CARRIES, substream, 0, some, taken);
    }
    pthread_mutex_unlock(&mux->lock);
    errno = gone ? EPIPE : EAGAIN;
    return bytes > 0 ? (ssize_t)bytes : -1;
}

/* As shutdown: what has come can be read before the end is seen. */
void whittle_flow_substream_shut(struct whittle_flow_substream *substream, int how)
{
    struct whittle_flow_mux *const mux = substream->mux;
    pthread_mutex_lock(&mux->lock);
    if (how != SHUT_WR)
        whittle_flow_substream_end(substream, false);
    if (how != SHUT_RD && !substream->gone)
        whittle_flow_frame_put(mux, WHITTLE_FLOW_SHUTS, substream, 0, NULL, 0);
    pthread_mutex_unlock(&mux->lock);
}

static void whittle_flow_substream_unqueue(struct whittle_flow_substream *substream)
{
    struct whittle_flow_mux *const mux = substream->mux;
    struct whittle_flow_substream *before = NULL;
    for (struct whittle_flow_substream *one = mux->first; one != NULL && one != substream; one = one->behind)
        before = one;
    if (before == NULL)
        mux->first = substream->behind;
    else
        before->behind = substream->behind;
    if (mux->last == substream)
        mux->last = before;
}

void whittle_flow_substream_close(struct whittle_flow_substream **of)
{
    struct whittle_flow_substream *const substream = *of;
    struct whittle_flow_mux *const mux = substream->mux;
    *of = NULL;
    pthread_mutex_lock(&mux->lock);
    if (substream->waits)
        whittle_flow_substream_unqueue(substream);
    if (mux->substreams[substream->number] == substream)
        mux->substreams[substream->number] = NULL;
    if (!substream->gone)
        whittle_flow_frame_put(mux, WHITTLE_FLOW_CLOSES, substream, 0, NULL, 0);
    mux->open--;
    pthread_mutex_unlock(&mux->lock);
    close(substream->fd);
    free(substream->bytes);
    free(substream);
}

void whittle_flow_stream_close(int *fd, struct whittle_flow_substream **substream)
{
    if (*substream != NULL)
        whittle_flow_substream_close(substream);
    else if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void whittle_flow_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source, struct whittle_flow_substream **substream)
{
    whittle_net_unwatch(poller, source);
    whittle_flow_stream_close(&source->fd, substream);
}
