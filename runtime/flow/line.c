/* SPDX-License-Identifier: MIT-0 */
/*
 * The connection of a pair of processes that several edges join, from its beginning to its end: which edges join one, what
 * becomes of them when it is lost, and that what was said last is heard. On the carrier's thread.
 */
#include "line.h"
#include "parts.h"
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


struct whittle_flow_line *whittle_flow_line_make(struct whittle_flow_link *base, bool connects)
{
    struct whittle_flow_carrier *const carrier = base->carrier;
    struct whittle_flow_line *const line = calloc(1, sizeof *line);
    if (line == NULL)
        return NULL;
    line->lanes = calloc(WHITTLE_FLOW_LANES, sizeof *line->lanes);
    line->in = malloc(WHITTLE_FLOW_LINE_ROOM);
    if (line->lanes == NULL || line->in == NULL) {
        free(line->lanes);
        free(line->in);
        free(line);
        return NULL;
    }
    pthread_mutex_init(&line->lock, NULL);
    pthread_mutex_init(&line->in_lock, NULL);
    line->source.fd = -1;
    line->source.ready = whittle_flow_line_ready;
    line->carrier = carrier;
    line->base = base;
    line->connects = connects;
    line->following = carrier->lines;
    carrier->lines = line;
    return line;
}

static bool whittle_flow_line_can(const struct whittle_flow_link *link)
{
    const struct whittle_flow_carriage *const carriage = whittle_flow_carriage(link->edge);
    return link->sender != NULL && link->through == NULL && !carriage->shared && !carriage->calls;
}

/* Two edges whose packets go to one socket. */
static bool whittle_flow_line_joins(const struct whittle_flow_link *one, const struct whittle_flow_link *other)
{
    const char *const host = whittle_flow_host(one), *const another = whittle_flow_host(other);
    return whittle_flow_carriage(one->edge)->by_port == whittle_flow_carriage(other->edge)->by_port
        && whittle_flow_socket_number(one->edge) == whittle_flow_socket_number(other->edge)
        && (host == another || (host != NULL && another != NULL && strcmp(host, another) == 0));
}

/* Senders whose packets go to one socket have one line; an edge that is alone there needs none. */
bool whittle_flow_lines_open(struct whittle_flow_carrier *carrier)
{
    struct whittle_flow_link **const heads = calloc(WHITTLE_FLOW_LANES, sizeof *heads);
    if (heads == NULL)
        return false;
    bool done = true;
    for (size_t n = 0; n < carrier->link_count && done; n++) {
        struct whittle_flow_link *const link = &carrier->links[n];
        if (!whittle_flow_line_can(link))
            continue;
        struct whittle_flow_link **const head = &heads[whittle_flow_socket_number(link->edge) % WHITTLE_FLOW_LANES];
        if (*head == NULL)
            *head = link;
        else if (whittle_flow_line_joins(*head, link)) {
            if ((*head)->line == NULL)
                (*head)->line = whittle_flow_line_make(*head, true);
            link->line = (*head)->line;
            done = link->line != NULL;
        }
    }
    free(heads);
    return done;
}

/* Its connection carries frames from now on. */
bool whittle_flow_line_begin(struct whittle_flow_line *line, int fd, struct whittle_flow_session *session)
{
    whittle_flow_tune_line(line->base, fd);
    pthread_mutex_lock(&line->in_lock);
    pthread_mutex_lock(&line->lock);
    line->source.fd = fd;
    line->session = session;
    line->filled = line->left = 0;
    line->rest_from = line->rest_to = 0;
    line->wanted = line->rests = false;
    line->fault = NULL;
    line->rests_until = 0;
    line->watched = EPOLLIN;
    line->up = whittle_net_watch(&line->carrier->poller, &line->source, EPOLLIN);
    const bool up = line->up;
    pthread_mutex_unlock(&line->lock);
    pthread_mutex_unlock(&line->in_lock);
    return up;
}

/* A lane for an edge's sender; NULL: no memory, or no files. */
struct whittle_flow_lane *whittle_flow_line_open(struct whittle_flow_line *line, struct whittle_flow_link *link)
{
    struct whittle_flow_lane *const lane = whittle_flow_lane_make(line, link, link->edge->number, ++line->turns);
    if (lane == NULL)
        return NULL;
    pthread_mutex_lock(&line->lock);
    whittle_flow_frame_put(line, WHITTLE_FLOW_OPENS_LANE, lane, 0, NULL, 0);
    pthread_mutex_unlock(&line->lock);
    return lane;
}

/* The connection has ended, and with it all of its lanes; what has come can still be read. */
void whittle_flow_line_lose(struct whittle_flow_line *line)
{
    struct whittle_flow_carrier *const carrier = line->carrier;
    pthread_mutex_lock(&line->lock);
    line->up = false;
    whittle_net_source_close(&carrier->poller, &line->source);
    whittle_flow_end_session(line->base, &line->session);
    for (size_t n = 0; n < WHITTLE_FLOW_LANES && line->open > 0; n++)
        if (line->lanes[n] != NULL) {
            whittle_flow_lane_end(line->lanes[n], true);
            line->lanes[n] = NULL;
        }
    line->rest_from = line->rest_to = 0;
    for (; line->first != NULL; line->first = line->first->behind)
        line->first->waits = false;
    line->last = NULL;
    pthread_mutex_unlock(&line->lock);
    for (size_t n = 0; n < carrier->link_count && line->connects; n++)
        if (carrier->links[n].line == line)
            whittle_flow_line_look(&carrier->links[n]);
}

void whittle_flow_line_free(struct whittle_flow_line *line)
{
    pthread_mutex_destroy(&line->lock);
    pthread_mutex_destroy(&line->in_lock);
    free(line->rest);
    free(line->in);
    free(line->lanes);
    free(line);
}

/* What has been said is to be heard: until the other end has closed, or for a moment. */
static void whittle_flow_line_end(struct whittle_flow_line *line)
{
    const uint64_t until = whittle_net_now() + 200000000u;
    bool shut = false;
    while (line->source.fd >= 0 && whittle_net_now() < until) {
        whittle_flow_frames_flush(line);
        if (!shut && !whittle_flow_frames_rest(line))
            shut = shutdown(line->source.fd, SHUT_WR) == 0;
        struct pollfd one = {.fd = line->source.fd, .events = (short)(POLLIN | (shut ? 0 : POLLOUT))};
        if (poll(&one, 1, 20) > 0 && (one.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            const ssize_t came = recv(line->source.fd, line->in, WHITTLE_FLOW_LINE_ROOM, MSG_DONTWAIT);
            if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
                return;
        }
    }
}

/* The carrier has ended, and all lanes are closed. */
void whittle_flow_lines_close(struct whittle_flow_carrier *carrier)
{
    while (carrier->lines != NULL) {
        struct whittle_flow_line *const line = carrier->lines;
        carrier->lines = line->following;
        whittle_flow_line_end(line);
        whittle_net_source_close(&carrier->poller, &line->source);
        whittle_flow_end_session(line->base, &line->session);
        whittle_flow_line_free(line);
    }
}
