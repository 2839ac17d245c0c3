/* SPDX-License-Identifier: MIT-0 */
/*
 * What comes over a mux. In go its bytes, out come frames, which go to their edges' substreams, or straight to the memory of who
 * reads. A frame that no process of this flow sends ends the mux, and all its edges connect again; a fault of one edge
 * ends that edge's substream. Whoever wants something of the mux reads it; beginnings and ends are left to the event loop.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <string.h>

enum { WHITTLE_FLOW_MUX_READS = 4 };

/* A sender's substream has something that its thread may not look for: an end, room, credit. */
void whittle_flow_mux_look(struct whittle_flow_link *link)
{
    if (link == NULL)
        return;
    link->look = true;
    whittle_flow_tick(link, 0);
}

/* What authenticated processes of this flow do not send: the event loop ends the mux, and counts why. */
static bool whittle_flow_mux_fault(struct whittle_flow_mux *mux, enum whittle_flow_counter which, const char *why)
{
    mux->fault = why;
    mux->counted = which;
    return false;
}

static void whittle_flow_mux_log_fault(struct whittle_flow_mux *mux)
{
    struct whittle_flow_link *const link = mux->base;
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, mux->counted, 1);
    pthread_mutex_unlock(&link->lock);
    whittle_flow_log(link, "the connection of all edges to its socket is closed: %s", mux->fault);
    mux->fault = NULL;
}

static bool whittle_flow_mux_opens(struct whittle_flow_mux *mux, uint32_t number, uint32_t turn)
{
    if (mux->connects)
        return whittle_flow_mux_fault(mux, WHITTLE_FLOW_STRANGERS, "its receiver began an edge");
    struct whittle_flow_substream *const substream = whittle_flow_substream_make(mux, NULL, number, turn);
    if (substream != NULL)
        whittle_flow_accept_substream(mux, substream);
    return substream != NULL || whittle_flow_mux_fault(mux, WHITTLE_FLOW_STRANGERS, "no memory or no files for another edge");
}

/* Bytes for a substream: to who reads the mux, where they are its own; else they are kept. False: it has no credit for them, or there is no memory. */
static bool whittle_flow_mux_give(struct whittle_flow_substream *substream, const unsigned char *bytes, size_t count, struct whittle_flow_reader *reader)
{
    size_t some = 0;
    if (reader != NULL && reader->substream == substream && substream->from == substream->to) {
        some = count < reader->room - reader->came ? count : reader->room - reader->came;
        if (some > 0)
            memcpy(reader->to + reader->came, bytes, some);
        reader->came += some;
        whittle_flow_substream_was_read(substream, some);
    }
    return some == count || whittle_flow_substream_take(substream, bytes + some, count - some);
}

/* A frame that is no fault; the sender to look after, if any. */
static struct whittle_flow_link *whittle_flow_mux_frame(struct whittle_flow_mux *mux, const struct whittle_flow_frame *frame, const unsigned char *bytes,
    size_t count, struct whittle_flow_reader *reader)
{
    const uint32_t number = le32toh(frame->edge);
    struct whittle_flow_substream *const substream = mux->substreams[number];
    bool look = false;
    if (substream == NULL || substream->turn != le32toh(frame->turn))
        return NULL;    /* it has been closed at this end: the other hears of that */
    switch ((enum whittle_flow_frame_kind)le32toh(frame->kind)) {
    case WHITTLE_FLOW_CARRIES:
        if (!substream->over && !whittle_flow_mux_give(substream, bytes, count, reader)) {
            whittle_flow_frame_put(mux, WHITTLE_FLOW_CLOSES, substream, 0, NULL, 0);
            mux->substreams[number] = NULL;
            whittle_flow_substream_end(substream, true);
            look = true;
        }
        break;
    case WHITTLE_FLOW_GIVES_CREDIT:
        substream->credit += le64toh(frame->credit) <= WHITTLE_FLOW_POSITION_MOST - substream->credit ? le64toh(frame->credit) : 0;
        look = substream->starved;
        break;
    case WHITTLE_FLOW_SHUTS:
    case WHITTLE_FLOW_CLOSES:
        look = true;
        whittle_flow_substream_end(substream, le32toh(frame->kind) == WHITTLE_FLOW_CLOSES);
        if (substream->gone)
            mux->substreams[number] = NULL;
        break;
    case WHITTLE_FLOW_OPENS_SUBSTREAM:
        break;
    }
    return look ? substream->link : NULL;
}

/* Beginnings, ends and credit that somebody waits for are the event loop's to look after. */
static bool whittle_flow_mux_is_for_carrier(struct whittle_flow_mux *mux, const struct whittle_flow_frame *frame)
{
    const uint32_t kind = le32toh(frame->kind);
    if (kind != WHITTLE_FLOW_GIVES_CREDIT || le32toh(frame->edge) >= WHITTLE_FLOW_SUBSTREAMS)
        return kind != WHITTLE_FLOW_CARRIES;
    pthread_mutex_lock(&mux->lock);
    const struct whittle_flow_substream *const substream = mux->substreams[le32toh(frame->edge)];
    const bool starved = substream != NULL && substream->starved;
    pthread_mutex_unlock(&mux->lock);
    return starved;
}

/* The event loop is to go on. */
static void whittle_flow_mux_leave(struct whittle_flow_mux *mux)
{
    mux->wanted = true;
    whittle_flow_event_loop_wake(mux->loop);
}

/* So many bytes of a frame have come. */
static void whittle_flow_mux_take(struct whittle_flow_mux *mux, const struct whittle_flow_frame *frame, const unsigned char *bytes, size_t count,
    struct whittle_flow_reader *reader)
{
    pthread_mutex_lock(&mux->lock);
    struct whittle_flow_link *const link = whittle_flow_mux_frame(mux, frame, bytes, count, reader);
    pthread_mutex_unlock(&mux->lock);
    if (reader == NULL)
        whittle_flow_mux_look(link);
}

/* A frame of which all or, where it has no tag, the head has come. False: nobody of this flow sends such a one. */
static bool whittle_flow_mux_is_sound(struct whittle_flow_mux *mux, const struct whittle_flow_frame *frame, const unsigned char *body)
{
    const uint32_t kind = le32toh(frame->kind), bytes = le32toh(frame->bytes);
    if (!whittle_flow_verify(mux->base, mux->session, WHITTLE_FLOW_FRAME, frame, offsetof(struct whittle_flow_frame, tag), body, bytes, frame->tag))
        return whittle_flow_mux_fault(mux, WHITTLE_FLOW_ALTERED, "what came is not what its other end sent: somebody alters the bytes");
    return (kind >= WHITTLE_FLOW_OPENS_SUBSTREAM && kind <= WHITTLE_FLOW_CLOSES && (bytes > 0) == (kind == WHITTLE_FLOW_CARRIES)
        && le32toh(frame->edge) < WHITTLE_FLOW_SUBSTREAMS) || whittle_flow_mux_fault(mux, WHITTLE_FLOW_STRANGERS, "a frame came that cannot be");
}

/* The next frame, from `at` on: how much of what has come belongs to it; 0: more is to come, or the event loop is to go on. */
static size_t whittle_flow_mux_next(struct whittle_flow_mux *mux, size_t at, struct whittle_flow_reader *reader, bool *sound)
{
    struct whittle_flow_frame frame;
    const unsigned char *const head = mux->in + at, *const body = head + sizeof frame;
    if (mux->filled - at < sizeof frame)
        return 0;
    memcpy(&frame, head, sizeof frame);
    const size_t bytes = le32toh(frame.bytes), most = mux->session != NULL ? WHITTLE_FLOW_FRAME_SHORT : WHITTLE_FLOW_FRAME_MOST;
    if (bytes > most)
        *sound = whittle_flow_mux_fault(mux, mux->session != NULL ? WHITTLE_FLOW_ALTERED : WHITTLE_FLOW_STRANGERS, "a frame came that cannot be");
    if (bytes > most || (mux->session != NULL && mux->filled - at - sizeof frame < bytes))
        return 0;
    if (reader != NULL && whittle_flow_mux_is_for_carrier(mux, &frame)) {
        whittle_flow_mux_leave(mux);
        return 0;
    }
    *sound = whittle_flow_mux_is_sound(mux, &frame, body);
    if (!*sound)
        return 0;
    if (le32toh(frame.kind) == WHITTLE_FLOW_OPENS_SUBSTREAM)
        *sound = whittle_flow_mux_opens(mux, le32toh(frame.edge), le32toh(frame.turn));
    else if (mux->session == NULL && bytes > 0) {
        mux->frame = frame;
        mux->left = bytes;
        return sizeof frame;
    } else
        whittle_flow_mux_take(mux, &frame, body, bytes, reader);
    return sizeof frame + bytes;
}

/* What has come; with a reader, up to the first frame that it has to leave to the event loop. False: the mux is of no use. */
static bool whittle_flow_mux_frames(struct whittle_flow_mux *mux, struct whittle_flow_reader *reader)
{
    size_t at = 0;
    bool sound = true;
    for (size_t more = 1; more > 0 && sound; at += more) {
        const size_t come = mux->filled - at;
        if (mux->left == 0) {
            more = whittle_flow_mux_next(mux, at, reader, &sound);
            continue;
        }
        more = come < mux->left ? come : mux->left;
        if (more > 0)
            whittle_flow_mux_take(mux, &mux->frame, mux->in + at, more, reader);
        mux->left -= more;
    }
    mux->filled -= at;
    if (at > 0 && mux->filled > 0)
        memmove(mux->in, mux->in + at, mux->filled);
    return sound;
}

void whittle_flow_mux_ready(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_mux *const mux = (struct whittle_flow_mux *)(void *)source;
    if ((events & EPOLLOUT) != 0)
        whittle_flow_mux_serve(mux);
    pthread_mutex_lock(&mux->in_lock);
    mux->wanted = false;
    bool sound = mux->fault == NULL && whittle_flow_mux_frames(mux, NULL);
    for (int n = 0; n < WHITTLE_FLOW_MUX_READS && sound; n++) {
        const ssize_t came = recv(source->fd, mux->in + mux->filled, WHITTLE_FLOW_MUX_ROOM - mux->filled, MSG_DONTWAIT);
        if (came < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        mux->filled += came > 0 ? (size_t)came : 0;
        sound = came > 0 && whittle_flow_mux_frames(mux, NULL);
    }
    if (mux->fault != NULL)
        whittle_flow_mux_log_fault(mux);
    if (!sound)
        whittle_flow_mux_lose(mux);
    pthread_mutex_unlock(&mux->in_lock);
}

/* How much of the frame that is being read goes to the reader's own memory at once. */
static size_t whittle_flow_mux_straight(struct whittle_flow_mux *mux, const struct whittle_flow_reader *reader)
{
    if (mux->left == 0 || mux->filled > 0 || le32toh(mux->frame.edge) != reader->substream->number || le32toh(mux->frame.turn) != reader->substream->turn)
        return 0;
    pthread_mutex_lock(&mux->lock);
    const bool empty = reader->substream->from == reader->substream->to && !reader->substream->over;
    pthread_mutex_unlock(&mux->lock);
    return !empty ? 0 : mux->left < reader->room ? mux->left : reader->room;
}

/* As recv: into the reader's memory, and what is not for it behind what has come. */
static ssize_t whittle_flow_mux_receive(struct whittle_flow_mux *mux, struct whittle_flow_reader *reader)
{
    const size_t straight = whittle_flow_mux_straight(mux, reader);
    struct iovec pieces[2] = {{reader->to, straight}, {mux->in + mux->filled, WHITTLE_FLOW_MUX_ROOM - mux->filled}};
    struct msghdr message = {.msg_iov = pieces + (straight == 0), .msg_iovlen = 2u - (straight == 0)};
    const ssize_t came = recvmsg(mux->source.fd, &message, MSG_DONTWAIT);
    if (came <= 0)
        return came;
    const size_t own = (size_t)came < straight ? (size_t)came : straight;
    if (own > 0) {
        pthread_mutex_lock(&mux->lock);
        whittle_flow_substream_was_read(reader->substream, own);
        pthread_mutex_unlock(&mux->lock);
    }
    reader->came = own;
    mux->left -= own;
    mux->filled += (size_t)came - own;
    return came;
}

/* One read; nothing where somebody else reads, or the event loop is to go on. */
void whittle_flow_mux_read(struct whittle_flow_mux *mux, struct whittle_flow_reader *reader)
{
    if (mux->wanted || pthread_mutex_trylock(&mux->in_lock) != 0)
        return;
    mux->reads++;
    if (!mux->wanted && mux->source.fd >= 0) {
        const ssize_t came = whittle_flow_mux_receive(mux, reader);
        const bool ended = came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR);
        if (ended || (came > 0 && !whittle_flow_mux_frames(mux, reader)))
            whittle_flow_mux_leave(mux);
    }
    pthread_mutex_unlock(&mux->in_lock);
}

