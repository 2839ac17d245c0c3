/* SPDX-License-Identifier: MIT-0 */
/*
 * The thread that looks after an end of an edge over NATS: it connects, asks what the server has, tries again what was refused, and
 * sleeps otherwise; packets do not go through it.
 */
#include "transport.h"
#include <string.h>
#include <sys/prctl.h>

enum { WHITTLE_FLOW_NATS_DEAF = 5 };   /* seconds without an answer */

void whittle_flow_nats_wake(struct whittle_flow_nats_link *own)
{
    pthread_cond_signal(&own->wake);
}

/*
 * Which packets the stream has: its last message that is one of this run says so. Messages of others may stand behind it, so
 * that numbers alone say nothing. What is not found goes again: the server, or the receiver, knows it by its number.
 */
static bool whittle_flow_nats_look_back(struct whittle_flow_nats_link *own, const jsStreamState *state)
{
    enum { MOST = 256 };
    uint64_t foreign = 0;
    own->proven = 0;
    own->proven_end = false;
    for (uint64_t back = 0; back < MOST && state->LastSeq > back && state->LastSeq - back >= state->FirstSeq && own->proven == 0 && !own->proven_end; back++) {
        struct whittle_flow_nats_said said;
        natsMsg *message = NULL;
        jsErrCode code = 0;
        const natsStatus status = js_GetMsg(&message, own->js, own->stream, state->LastSeq - back, NULL, &code);
        if (status != NATS_OK && code != JSNoMessageFoundErr)
            return false;
        if (status == NATS_OK && !whittle_flow_nats_read(own, message, &said))
            foreign++;
        else if (status == NATS_OK && said.run == own->link->page->stream) {
            own->proven = said.is_end ? said.number : said.number + 1;
            own->proven_end = said.is_end;
        }
        natsMsg_Destroy(message);
    }
    if (foreign > 0)
        whittle_flow_reject(own->link->loop, own->link, "somebody without the flow's key writes to its stream");
    return true;
}

/* The server has been asked, without the lock; what follows of it, with the lock. */
static void whittle_flow_nats_look_up(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    jsStreamState state;
    memset(&state, 0, sizeof state);
    own->asks = false;
    pthread_mutex_unlock(&link->lock);
    const bool done = link->sender != NULL
        ? whittle_flow_nats_subscribe(own) && whittle_flow_nats_lease(own) && whittle_flow_nats_stream(own, &state) && whittle_flow_nats_look_back(own, &state)
        : whittle_flow_nats_consumer(own);
    pthread_mutex_lock(&link->lock);
    if (own->state == WHITTLE_FLOW_NATS_FAILED)
        return;
    if (!done || own->asks) {
        own->asks = true;
        own->again_at = whittle_net_now() + (link->verdict == WHITTLE_FLOW_HELD ? 1000000000u : 200000000u);
    } else if (link->sender != NULL)
        whittle_flow_nats_resume(own, &state);
    else {
        own->state = WHITTLE_FLOW_NATS_GOES;
        whittle_flow_nats_ask(own);
    }
}

/* The sender waits for room, and nobody has said that there is some. */
static void whittle_flow_nats_look_for_room(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    jsStreamState state;
    pthread_mutex_unlock(&link->lock);
    const bool done = whittle_flow_nats_stream(own, &state);
    pthread_mutex_lock(&link->lock);
    const int64_t stored = (int64_t)(state.LastSeq - own->base), gone = stored - (int64_t)state.Msgs;
    if (!done || own->state == WHITTLE_FLOW_NATS_APART || stored < 0 || (uint64_t)stored > whittle_flow_counter(link->page, WHITTLE_FLOW_SENT) || gone <= own->done)
        return;
    own->done = gone;
    whittle_flow_wake_stage(link);
}

/* One look at what is due; with the lock held. */
void whittle_flow_nats_round(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t now = whittle_net_now(), second = 1000000000u;
    if (own->state == WHITTLE_FLOW_NATS_FAILED)
        return;
    if (own->connection == NULL && now >= own->again_at) {
        pthread_mutex_unlock(&link->lock);
        const bool done = whittle_flow_nats_connect(own);
        pthread_mutex_lock(&link->lock);
        own->pause = done ? 0 : own->pause == 0 ? 20000000u : 2 * own->pause < second ? 2 * own->pause : second;
        own->again_at = now + own->pause;
        own->asks = done;
    }
    if (own->connected && own->asks && now >= own->again_at)
        whittle_flow_nats_look_up(own);
    if (own->state == WHITTLE_FLOW_NATS_FULL && now >= own->again_at) {
        own->state = WHITTLE_FLOW_NATS_GOES;
        whittle_flow_nats_pump(own);
    }
    if (own->state != WHITTLE_FLOW_NATS_GOES || !own->connected)
        return;
    const bool owed = own->next > own->acknowledged || own->end_published;
    if (link->sender != NULL && owed && !link->end_heard && now > own->heard_at + WHITTLE_FLOW_NATS_DEAF * second)
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
    else if (link->sender != NULL && own->waits && !owed)
        whittle_flow_nats_look_for_room(own);
    else if (link->receiver != NULL)
        whittle_flow_nats_look_for_messages(own);
}

/* When nothing wakes it earlier, in nanoseconds. */
static uint64_t whittle_flow_nats_nap(const struct whittle_flow_nats_link *own)
{
    const uint64_t now = whittle_net_now(), usual = 200000000u;
    const bool soon = own->state == WHITTLE_FLOW_NATS_FULL || own->connection == NULL || (own->asks && own->connected);
    return !soon ? usual : own->again_at <= now ? 1000000u : own->again_at - now < usual ? own->again_at - now : usual;
}

void *whittle_flow_nats_look_after(void *argument)
{
    struct whittle_flow_nats_link *const own = argument;
    struct whittle_flow_link *const link = own->link;
    prctl(PR_SET_NAME, "whittle nats", 0, 0, 0);
    pthread_mutex_lock(&link->lock);
    while (!own->ending) {
        whittle_flow_nats_round(own);
        if (own->state == WHITTLE_FLOW_NATS_FAILED && !link->abandoned) {
            link->refused |= link->sender != NULL;
            link->abandoned = true;
            whittle_flow_wake_stage(link);
        }
        const uint64_t due = whittle_net_now() + whittle_flow_nats_nap(own);
        if (!own->ending)
            whittle_net_condition_wait(&own->wake, &link->lock, due);
    }
    pthread_mutex_unlock(&link->lock);
    return NULL;
}
