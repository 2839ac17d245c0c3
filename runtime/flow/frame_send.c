/* SPDX-License-Identifier: MIT-0 */
/*
 * Frames on their way to a mux's connection. In goes what a substream says, out come bytes: at once where the connection has
 * room, else they are kept and the event loop sends them. Packets are not given to a mux that keeps any: they wait in their
 * own edge's queue, so what is kept is the rest of one frame, and small messages. With the mux's lock held.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The connection is of no use: the event loop sees that it has ended. */
static void whittle_flow_frames_break(struct whittle_flow_mux *mux)
{
    shutdown(mux->source.fd, SHUT_RDWR);
    mux->rest_from = mux->rest_to = 0;
}

bool whittle_flow_frames_rest(const struct whittle_flow_mux *mux)
{
    return mux->rest_from < mux->rest_to;
}

/* The event loop hears of room as long as somebody waits for some, and of what comes unless somebody else reads it. */
void whittle_flow_mux_watch(struct whittle_flow_mux *mux)
{
    const uint32_t come = mux->rests ? 0 : EPOLLIN, room = whittle_flow_frames_rest(mux) || mux->first != NULL ? EPOLLOUT : 0;
    if (mux->watched == (come | room) || mux->source.fd < 0)
        return;
    mux->watched = come | room;
    whittle_net_rewatch(&mux->loop->poller, &mux->source, mux->watched);
}

/* Keeps what is left of some pieces after so many bytes of them. */
static void whittle_flow_frames_keep(struct whittle_flow_mux *mux, const struct iovec *pieces, size_t count, size_t gone)
{
    size_t left = 0;
    for (size_t n = 0; n < count; n++)
        left += pieces[n].iov_len;
    left -= gone;
    if (mux->rest_from == mux->rest_to)
        mux->rest_from = mux->rest_to = 0;
    if (mux->rest_to + left > mux->rest_room) {
        const size_t room = 2 * (mux->rest_to + left);
        unsigned char *const more = realloc(mux->rest, room);
        if (more == NULL) {
            whittle_flow_frames_break(mux);
            return;
        }
        mux->rest = more;
        mux->rest_room = room;
    }
    for (size_t n = 0; n < count; n++) {
        const size_t skipped = gone < pieces[n].iov_len ? gone : pieces[n].iov_len;
        gone -= skipped;
        if (pieces[n].iov_len > skipped)
            memcpy(mux->rest + mux->rest_to, (const unsigned char *)pieces[n].iov_base + skipped, pieces[n].iov_len - skipped);
        mux->rest_to += pieces[n].iov_len - skipped;
    }
}

/* A tag covers the head without itself, and the pieces. */
static bool whittle_flow_frame_seal(struct whittle_flow_mux *mux, struct whittle_flow_frame *frame, const struct iovec *pieces, size_t count)
{
    unsigned char head[offsetof(struct whittle_flow_frame, tag) + sizeof(struct whittle_flow_batch)];
    size_t bytes = offsetof(struct whittle_flow_frame, tag);
    memcpy(head, frame, bytes);
    if (count == 2) {
        memcpy(head + bytes, pieces[0].iov_base, pieces[0].iov_len);
        bytes += pieces[0].iov_len;
    }
    const struct iovec last = count > 0 ? pieces[count - 1] : (struct iovec){NULL, 0};
    return whittle_flow_seal(mux->base, mux->session, WHITTLE_FLOW_FRAME, head, bytes, last.iov_base, last.iov_len, frame->tag);
}

/* One piece, or two: the first no larger than a batch's head. */
void whittle_flow_frame_put(struct whittle_flow_mux *mux, enum whittle_flow_frame_kind kind, const struct whittle_flow_substream *substream, uint64_t credit,
    const struct iovec *pieces, size_t count)
{
    struct whittle_flow_frame frame = {.kind = htole32(kind), .edge = htole32(substream->number), .turn = htole32(substream->turn), .credit = htole64(credit)};
    struct iovec all[3] = {{&frame, sizeof frame}};
    size_t bytes = 0;
    if (mux->source.fd < 0)
        return;
    for (size_t n = 0; n < count; n++) {
        all[1 + n] = pieces[n];
        bytes += pieces[n].iov_len;
    }
    frame.bytes = htole32((uint32_t)bytes);
    if (!whittle_flow_frame_seal(mux, &frame, pieces, count)) {
        whittle_flow_frames_break(mux);
        return;
    }
    ssize_t gone = 0;
    if (!whittle_flow_frames_rest(mux)) {
        const struct msghdr message = {.msg_iov = all, .msg_iovlen = 1 + count};
        gone = sendmsg(mux->source.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
            return;     /* it has ended, which the event loop sees when it has read what came before */
    }
    if (gone < 0 || (size_t)gone < sizeof frame + bytes)
        whittle_flow_frames_keep(mux, all, 1 + count, gone > 0 ? (size_t)gone : 0);
    whittle_flow_mux_watch(mux);
}

/* Sends what was kept, as far as there is room. */
void whittle_flow_frames_flush(struct whittle_flow_mux *mux)
{
    while (whittle_flow_frames_rest(mux) && mux->source.fd >= 0) {
        const ssize_t gone = send(mux->source.fd, mux->rest + mux->rest_from, mux->rest_to - mux->rest_from, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone < 0 && errno == EINTR)
            continue;
        if (gone <= 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                mux->rest_from = mux->rest_to;
            break;
        }
        mux->rest_from += (size_t)gone;
    }
    whittle_flow_mux_watch(mux);
}
