/* SPDX-License-Identifier: MIT-0 */
/*
 * Who reads a mux, and who has its turn to write. Of the stages' threads that wait for something of it one looks at the connection, the
 * leader, and others follow (Schmidt et al., "Leader/Followers", 2000); where none does, the event loop looks, later than who works on a packet
 * comes back for the next. Edges that wait for room write a frame each in turn.
 */
#include "mux.h"
#include "internal.h"

enum { WHITTLE_FLOW_MUX_RESTS = 1000000 };    /* nanoseconds */

/* A sender's mux stays; a receiver's does as long as its substream does, which its own thread closes. */
static struct whittle_flow_mux *whittle_flow_mux_of(const struct whittle_flow_link *link)
{
    return link->sender != NULL ? link->mux : link->substream != NULL ? link->substream->mux : NULL;
}

struct whittle_flow_lead whittle_flow_mux_lead(const struct whittle_flow_link *link)
{
    struct whittle_flow_mux *const mux = whittle_flow_mux_of(link);
    struct whittle_flow_lead lead = {mux, -1};
    if (mux == NULL)
        return lead;
    pthread_mutex_lock(&mux->lock);
    if (!mux->led && mux->up && !mux->wanted) {
        lead.fd = mux->source.fd;
        mux->led = mux->rests = true;
        whittle_flow_mux_watch(mux);
    } else
        mux->others++;
    pthread_mutex_unlock(&mux->lock);
    return lead;
}

/*
 * Who led has something to do. Where others wait, the event loop looks for them at once; else it does so later, should nobody
 * have come back by then: who works on one packet reads the next ones itself soon.
 */
void whittle_flow_mux_follow(struct whittle_flow_lead lead)
{
    struct whittle_flow_mux *const mux = lead.mux;
    bool kicks = false;
    if (mux == NULL)
        return;
    struct whittle_flow_event_loop *const loop = mux->loop;
    pthread_mutex_lock(&mux->lock);
    if (lead.fd < 0)
        mux->others--;
    else {
        mux->led = false;
        mux->rests = mux->rests && mux->others == 0;
        kicks = mux->rests && mux->rests_until == 0;
        if (kicks)
            mux->rests_until = whittle_net_now() + WHITTLE_FLOW_MUX_RESTS;
        whittle_flow_mux_watch(mux);
    }
    pthread_mutex_unlock(&mux->lock);
    if (kicks)
        whittle_flow_event_loop_wake(loop);
}

/* Whether the event loop is to look at a mux again itself; when to ask again, 0: not before something happens. */
static uint64_t whittle_flow_mux_due(struct whittle_flow_mux *mux, uint64_t now)
{
    pthread_mutex_lock(&mux->lock);
    if (mux->rests_until != 0 && now >= mux->rests_until) {
        const uint64_t reads = mux->reads;
        const bool goes_on = !mux->led && reads != mux->seen;
        mux->rests_until = goes_on ? now + WHITTLE_FLOW_MUX_RESTS : 0;
        mux->rests = mux->led || goes_on;
        mux->seen = reads;
        whittle_flow_mux_watch(mux);
    }
    const uint64_t due = mux->rests_until;
    pthread_mutex_unlock(&mux->lock);
    return due;
}

/* Those that wait for room have a frame each; who has more to say waits again. */
void whittle_flow_mux_serve(struct whittle_flow_mux *mux)
{
    size_t left = 0;
    pthread_mutex_lock(&mux->lock);
    whittle_flow_frames_flush(mux);
    for (const struct whittle_flow_substream *substream = mux->first; substream != NULL; substream = substream->behind)
        left++;
    for (; left > 0 && mux->first != NULL && !whittle_flow_frames_rest(mux); left--) {
        struct whittle_flow_substream *const substream = mux->first;
        struct whittle_flow_link *const link = substream->link;
        mux->first = substream->behind;
        if (mux->first == NULL)
            mux->last = NULL;
        substream->waits = false;
        substream->next = true;
        pthread_mutex_unlock(&mux->lock);
        whittle_flow_mux_look(link);
        pthread_mutex_lock(&mux->lock);
    }
    whittle_flow_mux_watch(mux);
    pthread_mutex_unlock(&mux->lock);
}

/* Goes on where a stage's thread left that to the event loop. Muxes that somebody else began, and that are over, go. */
uint64_t whittle_flow_muxes_due(struct whittle_flow_event_loop *loop, uint64_t now)
{
    uint64_t due = 0;
    for (struct whittle_flow_mux *mux = loop->muxes; mux != NULL; mux = mux->following) {
        if (mux->wanted && mux->source.fd >= 0)
            whittle_flow_mux_ready(&mux->source, 0);
        due = whittle_net_sooner(due, whittle_flow_mux_due(mux, now));
    }
    for (struct whittle_flow_mux **at = &loop->muxes; *at != NULL;) {
        struct whittle_flow_mux *const mux = *at;
        pthread_mutex_lock(&mux->lock);
        const bool over = !mux->connects && !mux->up && mux->open == 0 && !mux->led && mux->others == 0;
        pthread_mutex_unlock(&mux->lock);
        if (over) {
            *at = mux->following;
            whittle_flow_mux_free(mux);
        } else
            at = &mux->following;
    }
    return due;
}

