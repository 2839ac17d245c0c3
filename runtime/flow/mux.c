/* SPDX-License-Identifier: MIT-0 */
/*
 * The connection of a pair of processes that several edges join, from its beginning to its end: which edges join one, what
 * becomes of them when it is lost, and that what was said last is heard. On the event loop's thread.
 */
#include "mux.h"
#include "internal.h"
#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct whittle_flow_mux *whittle_flow_mux_make(struct whittle_flow_link *base, bool connects)
{
    struct whittle_flow_event_loop *const loop = base->loop;
    struct whittle_flow_mux *const mux = calloc(1, sizeof *mux);
    if (mux == NULL)
        return NULL;
    mux->substreams = calloc(WHITTLE_FLOW_SUBSTREAMS, sizeof *mux->substreams);
    mux->in = malloc(WHITTLE_FLOW_MUX_ROOM);
    if (mux->substreams == NULL || mux->in == NULL) {
        free(mux->substreams);
        free(mux->in);
        free(mux);
        return NULL;
    }
    pthread_mutex_init(&mux->lock, NULL);
    pthread_mutex_init(&mux->in_lock, NULL);
    mux->source.fd = -1;
    mux->source.ready = whittle_flow_mux_ready;
    mux->loop = loop;
    mux->base = base;
    mux->connects = connects;
    mux->following = loop->muxes;
    loop->muxes = mux;
    return mux;
}

static bool whittle_flow_mux_can(const struct whittle_flow_link *link)
{
    const struct whittle_flow_transport_traits *const traits = whittle_flow_transport_of(link->edge);
    return link->sender != NULL && link->functions == NULL && !traits->shared && !traits->calls;
}

/* Two edges whose packets go to one socket. */
static bool whittle_flow_mux_joins(const struct whittle_flow_link *one, const struct whittle_flow_link *other)
{
    const char *const host = whittle_flow_host(one), *const another = whittle_flow_host(other);
    return whittle_flow_transport_of(one->edge)->by_port == whittle_flow_transport_of(other->edge)->by_port
        && whittle_flow_socket_number(one->edge) == whittle_flow_socket_number(other->edge)
        && (host == another || (host != NULL && another != NULL && strcmp(host, another) == 0));
}

/* Senders whose packets go to one socket have one mux; an edge that is alone there needs none. */
bool whittle_flow_muxes_open(struct whittle_flow_event_loop *loop)
{
    struct whittle_flow_link **const heads = calloc(WHITTLE_FLOW_SUBSTREAMS, sizeof *heads);
    if (heads == NULL)
        return false;
    bool done = true;
    for (size_t n = 0; n < loop->link_count && done; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (!whittle_flow_mux_can(link))
            continue;
        struct whittle_flow_link **const head = &heads[whittle_flow_socket_number(link->edge) % WHITTLE_FLOW_SUBSTREAMS];
        if (*head == NULL)
            *head = link;
        else if (whittle_flow_mux_joins(*head, link)) {
            if ((*head)->mux == NULL)
                (*head)->mux = whittle_flow_mux_make(*head, true);
            link->mux = (*head)->mux;
            done = link->mux != NULL;
        }
    }
    free(heads);
    return done;
}

/* Its connection carries frames from now on. */
bool whittle_flow_mux_begin(struct whittle_flow_mux *mux, int fd, struct whittle_flow_session *session)
{
    whittle_flow_tune_line(mux->base, fd);
    pthread_mutex_lock(&mux->in_lock);
    pthread_mutex_lock(&mux->lock);
    mux->source.fd = fd;
    mux->session = session;
    mux->filled = mux->left = 0;
    mux->rest_from = mux->rest_to = 0;
    mux->wanted = mux->rests = false;
    mux->fault = NULL;
    mux->rests_until = 0;
    mux->watched = EPOLLIN;
    mux->up = whittle_net_watch(&mux->loop->poller, &mux->source, EPOLLIN);
    const bool up = mux->up;
    pthread_mutex_unlock(&mux->lock);
    pthread_mutex_unlock(&mux->in_lock);
    return up;
}

/* A substream for an edge's sender; NULL: no memory, or no files. */
struct whittle_flow_substream *whittle_flow_mux_open(struct whittle_flow_mux *mux, struct whittle_flow_link *link)
{
    struct whittle_flow_substream *const substream = whittle_flow_substream_make(mux, link, link->edge->number, ++mux->turns);
    if (substream == NULL)
        return NULL;
    pthread_mutex_lock(&mux->lock);
    whittle_flow_frame_put(mux, WHITTLE_FLOW_OPENS_SUBSTREAM, substream, 0, NULL, 0);
    pthread_mutex_unlock(&mux->lock);
    return substream;
}

/* The connection has ended, and with it all of its substreams; what has come can still be read. */
void whittle_flow_mux_lose(struct whittle_flow_mux *mux)
{
    struct whittle_flow_event_loop *const loop = mux->loop;
    pthread_mutex_lock(&mux->lock);
    mux->up = false;
    whittle_net_source_close(&loop->poller, &mux->source);
    whittle_flow_end_session(mux->base, &mux->session);
    for (size_t n = 0; n < WHITTLE_FLOW_SUBSTREAMS && mux->open > 0; n++)
        if (mux->substreams[n] != NULL) {
            whittle_flow_substream_end(mux->substreams[n], true);
            mux->substreams[n] = NULL;
        }
    mux->rest_from = mux->rest_to = 0;
    for (; mux->first != NULL; mux->first = mux->first->behind)
        mux->first->waits = false;
    mux->last = NULL;
    pthread_mutex_unlock(&mux->lock);
    for (size_t n = 0; n < loop->link_count && mux->connects; n++)
        if (loop->links[n].mux == mux)
            whittle_flow_mux_look(&loop->links[n]);
}

void whittle_flow_mux_free(struct whittle_flow_mux *mux)
{
    pthread_mutex_destroy(&mux->lock);
    pthread_mutex_destroy(&mux->in_lock);
    free(mux->rest);
    free(mux->in);
    free(mux->substreams);
    free(mux);
}

/* What has been said is to be heard: until the other end has closed, or for a moment. */
static void whittle_flow_mux_end(struct whittle_flow_mux *mux)
{
    const uint64_t until = whittle_net_now() + 200000000u;
    bool shut = false;
    while (mux->source.fd >= 0 && whittle_net_now() < until) {
        whittle_flow_frames_flush(mux);
        if (!shut && !whittle_flow_frames_rest(mux))
            shut = shutdown(mux->source.fd, SHUT_WR) == 0;
        struct pollfd one = {.fd = mux->source.fd, .events = (short)(POLLIN | (shut ? 0 : POLLOUT))};
        if (poll(&one, 1, 20) > 0 && (one.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            const ssize_t came = recv(mux->source.fd, mux->in, WHITTLE_FLOW_MUX_ROOM, MSG_DONTWAIT);
            if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
                return;
        }
    }
}

/* The event loop has ended, and all substreams are closed. */
void whittle_flow_muxes_close(struct whittle_flow_event_loop *loop)
{
    while (loop->muxes != NULL) {
        struct whittle_flow_mux *const mux = loop->muxes;
        loop->muxes = mux->following;
        whittle_flow_mux_end(mux);
        whittle_net_source_close(&loop->poller, &mux->source);
        whittle_flow_end_session(mux->base, &mux->session);
        whittle_flow_mux_free(mux);
    }
}
