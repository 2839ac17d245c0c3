/* SPDX-License-Identifier: MIT-0 */
/*
 * What comes over a line. In go its bytes, out come frames, which go to their edges' lanes, or straight to the memory of who
 * reads. A frame that no process of this flow sends ends the line, and all its edges connect again; a fault of one edge
 * ends that edge's lane. Whoever wants something of the line reads it; beginnings and ends are left to the carrier.
 */
#include "line.h"
#include "parts.h"
#include <endian.h>
#include <errno.h>
#include <string.h>

enum { WHITTLE_FLOW_LINE_READS = 4 };

/* A sender's lane has something that its thread may not look for: an end, room, credit. */
void whittle_flow_line_look(struct whittle_flow_link *link)
{
    if (link == NULL)
        return;
    link->look = true;
    whittle_flow_tick(link, 0);
}

/* What authenticated processes of this flow do not send: the carrier ends the line, and counts why. */
static bool whittle_flow_line_fault(struct whittle_flow_line *line, enum whittle_flow_counter which, const char *why)
{
    line->fault = why;
    line->counted = which;
    return false;
}

static void whittle_flow_line_say_fault(struct whittle_flow_line *line)
{
    struct whittle_flow_link *const link = line->base;
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, line->counted, 1);
    pthread_mutex_unlock(&link->lock);
    whittle_flow_say(link, "the connection of all edges to its socket is closed: %s", line->fault);
    line->fault = NULL;
}

static bool whittle_flow_line_opens(struct whittle_flow_line *line, uint32_t number, uint32_t turn)
{
    if (line->connects)
        return whittle_flow_line_fault(line, WHITTLE_FLOW_STRANGERS, "its receiver began an edge");
    struct whittle_flow_lane *const lane = whittle_flow_lane_make(line, NULL, number, turn);
    if (lane != NULL)
        whittle_flow_greet_lane(line, lane);
    return lane != NULL || whittle_flow_line_fault(line, WHITTLE_FLOW_STRANGERS, "no memory or no files for another edge");
}

/* Bytes for a lane: to who reads the line, where they are its own; else they are kept. False: it has no credit for them, or there is no memory. */
static bool whittle_flow_line_give(struct whittle_flow_lane *lane, const unsigned char *bytes, size_t count, struct whittle_flow_reader *reader)
{
    size_t some = 0;
    if (reader != NULL && reader->lane == lane && lane->from == lane->to) {
        some = count < reader->room - reader->came ? count : reader->room - reader->came;
        if (some > 0)
            memcpy(reader->to + reader->came, bytes, some);
        reader->came += some;
        whittle_flow_lane_was_read(lane, some);
    }
    return some == count || whittle_flow_lane_take(lane, bytes + some, count - some);
}

/* A frame that is no fault; the sender to look after, if any. */
static struct whittle_flow_link *whittle_flow_line_frame(struct whittle_flow_line *line, const struct whittle_flow_frame *frame, const unsigned char *bytes,
    size_t count, struct whittle_flow_reader *reader)
{
    const uint32_t number = le32toh(frame->edge);
    struct whittle_flow_lane *const lane = line->lanes[number];
    bool look = false;
    if (lane == NULL || lane->turn != le32toh(frame->turn))
        return NULL;    /* it has been closed at this end: the other hears of that */
    switch ((enum whittle_flow_frame_kind)le32toh(frame->kind)) {
    case WHITTLE_FLOW_CARRIES:
        if (!lane->over && !whittle_flow_line_give(lane, bytes, count, reader)) {
            whittle_flow_frame_put(line, WHITTLE_FLOW_CLOSES, lane, 0, NULL, 0);
            line->lanes[number] = NULL;
            whittle_flow_lane_end(lane, true);
            look = true;
        }
        break;
    case WHITTLE_FLOW_GIVES_CREDIT:
        lane->credit += le64toh(frame->credit) <= WHITTLE_FLOW_POSITION_MOST - lane->credit ? le64toh(frame->credit) : 0;
        look = lane->starved;
        break;
    case WHITTLE_FLOW_SHUTS:
    case WHITTLE_FLOW_CLOSES:
        look = true;
        whittle_flow_lane_end(lane, le32toh(frame->kind) == WHITTLE_FLOW_CLOSES);
        if (lane->gone)
            line->lanes[number] = NULL;
        break;
    case WHITTLE_FLOW_OPENS_LANE:
        break;
    }
    return look ? lane->link : NULL;
}

/* Beginnings, ends and credit that somebody waits for are the carrier's to look after. */
static bool whittle_flow_line_is_for_carrier(struct whittle_flow_line *line, const struct whittle_flow_frame *frame)
{
    const uint32_t kind = le32toh(frame->kind);
    if (kind != WHITTLE_FLOW_GIVES_CREDIT || le32toh(frame->edge) >= WHITTLE_FLOW_LANES)
        return kind != WHITTLE_FLOW_CARRIES;
    pthread_mutex_lock(&line->lock);
    const struct whittle_flow_lane *const lane = line->lanes[le32toh(frame->edge)];
    const bool starved = lane != NULL && lane->starved;
    pthread_mutex_unlock(&line->lock);
    return starved;
}

/* The carrier is to go on. */
static void whittle_flow_line_leave(struct whittle_flow_line *line)
{
    line->wanted = true;
    whittle_flow_carrier_kick(line->carrier);
}

/* So many bytes of a frame have come. */
static void whittle_flow_line_take(struct whittle_flow_line *line, const struct whittle_flow_frame *frame, const unsigned char *bytes, size_t count,
    struct whittle_flow_reader *reader)
{
    pthread_mutex_lock(&line->lock);
    struct whittle_flow_link *const link = whittle_flow_line_frame(line, frame, bytes, count, reader);
    pthread_mutex_unlock(&line->lock);
    if (reader == NULL)
        whittle_flow_line_look(link);
}

/* A frame of which all or, where it has no tag, the head has come. False: nobody of this flow sends such a one. */
static bool whittle_flow_line_is_sound(struct whittle_flow_line *line, const struct whittle_flow_frame *frame, const unsigned char *body)
{
    const uint32_t kind = le32toh(frame->kind), bytes = le32toh(frame->bytes);
    if (!whittle_flow_verify(line->base, line->session, WHITTLE_FLOW_FRAME, frame, offsetof(struct whittle_flow_frame, tag), body, bytes, frame->tag))
        return whittle_flow_line_fault(line, WHITTLE_FLOW_ALTERED, "what came is not what its other end sent: somebody alters the bytes");
    return (kind >= WHITTLE_FLOW_OPENS_LANE && kind <= WHITTLE_FLOW_CLOSES && (bytes > 0) == (kind == WHITTLE_FLOW_CARRIES)
        && le32toh(frame->edge) < WHITTLE_FLOW_LANES) || whittle_flow_line_fault(line, WHITTLE_FLOW_STRANGERS, "a frame came that cannot be");
}

/* The next frame, from `at` on: how much of what has come belongs to it; 0: more is to come, or the carrier is to go on. */
static size_t whittle_flow_line_next(struct whittle_flow_line *line, size_t at, struct whittle_flow_reader *reader, bool *sound)
{
    struct whittle_flow_frame frame;
    const unsigned char *const head = line->in + at, *const body = head + sizeof frame;
    if (line->filled - at < sizeof frame)
        return 0;
    memcpy(&frame, head, sizeof frame);
    const size_t bytes = le32toh(frame.bytes), most = line->session != NULL ? WHITTLE_FLOW_FRAME_SHORT : WHITTLE_FLOW_FRAME_MOST;
    if (bytes > most)
        *sound = whittle_flow_line_fault(line, line->session != NULL ? WHITTLE_FLOW_ALTERED : WHITTLE_FLOW_STRANGERS, "a frame came that cannot be");
    if (bytes > most || (line->session != NULL && line->filled - at - sizeof frame < bytes))
        return 0;
    if (reader != NULL && whittle_flow_line_is_for_carrier(line, &frame)) {
        whittle_flow_line_leave(line);
        return 0;
    }
    *sound = whittle_flow_line_is_sound(line, &frame, body);
    if (!*sound)
        return 0;
    if (le32toh(frame.kind) == WHITTLE_FLOW_OPENS_LANE)
        *sound = whittle_flow_line_opens(line, le32toh(frame.edge), le32toh(frame.turn));
    else if (line->session == NULL && bytes > 0) {
        line->frame = frame;
        line->left = bytes;
        return sizeof frame;
    } else
        whittle_flow_line_take(line, &frame, body, bytes, reader);
    return sizeof frame + bytes;
}

/* What has come; with a reader, up to the first frame that it has to leave to the carrier. False: the line is of no use. */
static bool whittle_flow_line_frames(struct whittle_flow_line *line, struct whittle_flow_reader *reader)
{
    size_t at = 0;
    bool sound = true;
    for (size_t more = 1; more > 0 && sound; at += more) {
        const size_t come = line->filled - at;
        if (line->left == 0) {
            more = whittle_flow_line_next(line, at, reader, &sound);
            continue;
        }
        more = come < line->left ? come : line->left;
        if (more > 0)
            whittle_flow_line_take(line, &line->frame, line->in + at, more, reader);
        line->left -= more;
    }
    line->filled -= at;
    if (at > 0 && line->filled > 0)
        memmove(line->in, line->in + at, line->filled);
    return sound;
}

void whittle_flow_line_ready(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_line *const line = (struct whittle_flow_line *)(void *)source;
    if ((events & EPOLLOUT) != 0)
        whittle_flow_line_serve(line);
    pthread_mutex_lock(&line->in_lock);
    line->wanted = false;
    bool sound = line->fault == NULL && whittle_flow_line_frames(line, NULL);
    for (int n = 0; n < WHITTLE_FLOW_LINE_READS && sound; n++) {
        const ssize_t came = recv(source->fd, line->in + line->filled, WHITTLE_FLOW_LINE_ROOM - line->filled, MSG_DONTWAIT);
        if (came < 0 && (errno == EAGAIN || errno == EINTR))
            break;
        line->filled += came > 0 ? (size_t)came : 0;
        sound = came > 0 && whittle_flow_line_frames(line, NULL);
    }
    if (line->fault != NULL)
        whittle_flow_line_say_fault(line);
    if (!sound)
        whittle_flow_line_lose(line);
    pthread_mutex_unlock(&line->in_lock);
}

/* How much of the frame that is being read goes to the reader's own memory at once. */
static size_t whittle_flow_line_straight(struct whittle_flow_line *line, const struct whittle_flow_reader *reader)
{
    if (line->left == 0 || line->filled > 0 || le32toh(line->frame.edge) != reader->lane->number || le32toh(line->frame.turn) != reader->lane->turn)
        return 0;
    pthread_mutex_lock(&line->lock);
    const bool empty = reader->lane->from == reader->lane->to && !reader->lane->over;
    pthread_mutex_unlock(&line->lock);
    return !empty ? 0 : line->left < reader->room ? line->left : reader->room;
}

/* As recv: into the reader's memory, and what is not for it behind what has come. */
static ssize_t whittle_flow_line_receive(struct whittle_flow_line *line, struct whittle_flow_reader *reader)
{
    const size_t straight = whittle_flow_line_straight(line, reader);
    struct iovec pieces[2] = {{reader->to, straight}, {line->in + line->filled, WHITTLE_FLOW_LINE_ROOM - line->filled}};
    struct msghdr message = {.msg_iov = pieces + (straight == 0), .msg_iovlen = 2u - (straight == 0)};
    const ssize_t came = recvmsg(line->source.fd, &message, MSG_DONTWAIT);
    if (came <= 0)
        return came;
    const size_t own = (size_t)came < straight ? (size_t)came : straight;
    if (own > 0) {
        pthread_mutex_lock(&line->lock);
        whittle_flow_lane_was_read(reader->lane, own);
        pthread_mutex_unlock(&line->lock);
    }
    reader->came = own;
    line->left -= own;
    line->filled += (size_t)came - own;
    return came;
}

/* One read; nothing where somebody else reads, or the carrier is to go on. */
void whittle_flow_line_read(struct whittle_flow_line *line, struct whittle_flow_reader *reader)
{
    if (line->wanted || pthread_mutex_trylock(&line->in_lock) != 0)
        return;
    line->reads++;
    if (!line->wanted && line->source.fd >= 0) {
        const ssize_t came = whittle_flow_line_receive(line, reader);
        const bool ended = came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR);
        if (ended || (came > 0 && !whittle_flow_line_frames(line, reader)))
            whittle_flow_line_leave(line);
    }
    pthread_mutex_unlock(&line->in_lock);
}

