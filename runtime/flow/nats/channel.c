/* SPDX-License-Identifier: MIT-0 */
/*
 * An end of an edge over NATS, from its beginning to its end, and the thread that looks after it: it connects, asks what
 * the server has, tries again what was refused, and sleeps otherwise; packets do not go through it. In goes a link, out
 * comes the table of functions by which the rest of the library calls what is here.
 */
#include "channel.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { WHITTLE_FLOW_NATS_DEAF = 5, WHITTLE_FLOW_NATS_MUTE = 15 };   /* seconds without an answer; without a heartbeat */

/* Digits up to `end`; *rest is what follows it, or NULL where it is no such number. */
uint64_t whittle_flow_nats_number(const char *text, char end, const char **rest)
{
    uint64_t number = 0;
    *rest = NULL;
    if (text == NULL || *text < '0' || *text > '9')
        return 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (uint64_t)(*text - '0');
    if (*text == end)
        *rest = end == '\0' ? text : text + 1;
    return number;
}

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
        whittle_flow_turn_away(own->link->carrier, own->link, "somebody without the flow's key writes to its stream");
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
        ? whittle_flow_nats_stream(own, &state) && whittle_flow_nats_look_back(own, &state) && whittle_flow_nats_subscribe(own) : whittle_flow_nats_consumer(own);
    pthread_mutex_lock(&link->lock);
    if (own->state == WHITTLE_FLOW_NATS_FAILED)
        return;
    if (!done || own->asks) {
        own->asks = true;
        own->again_at = whittle_flow_clock() + 200000000u;
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
    whittle_flow_news(link);
}

/* One look at what is due; with the lock held. */
static void whittle_flow_nats_round(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t now = whittle_flow_clock(), second = 1000000000u;
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
    else if (link->receiver != NULL && own->asked > 0 && own->queue_count == 0 && now > own->heard_at + WHITTLE_FLOW_NATS_MUTE * second)
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
}

/* When nothing wakes it earlier, in nanoseconds. */
static uint64_t whittle_flow_nats_nap(const struct whittle_flow_nats_link *own)
{
    const uint64_t now = whittle_flow_clock(), usual = 200000000u;
    const bool soon = own->state == WHITTLE_FLOW_NATS_FULL || own->connection == NULL || (own->asks && own->connected);
    return !soon ? usual : own->again_at <= now ? 1000000u : own->again_at - now < usual ? own->again_at - now : usual;
}

static void *whittle_flow_nats_look_after(void *argument)
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
            whittle_flow_news(link);
        }
        const uint64_t due = whittle_flow_clock() + whittle_flow_nats_nap(own);
        const struct timespec until = {(time_t)(due / 1000000000u), (long)(due % 1000000000u)};
        if (!own->ending)
            pthread_cond_timedwait(&own->wake, &link->lock, &until);
    }
    pthread_mutex_unlock(&link->lock);
    return NULL;
}

static bool whittle_flow_nats_memory(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const struct whittle_flow_type *const type = link->edge->type;
    const uint64_t most = 8 * 1024 * 1024 / (whittle_flow_nats_largest(link) + 1), bound = whittle_flow_nats_items(link->edge), items = bound > 0 ? bound : 256;
    const size_t alignment = type->alignment > sizeof(void *) ? type->alignment : sizeof(void *);
    void *memory = NULL;
    own->queue_room = (uint32_t)(most == 0 ? 1 : most < items ? most : items);
    own->queue_room = own->queue_room > 256 ? 256 : own->queue_room;
    if (link->receiver != NULL && (own->queue = calloc(2 * (size_t)own->queue_room, sizeof *own->queue)) == NULL)
        return false;
    if (posix_memalign(&memory, alignment, type->size) != 0)
        return false;
    memset(memory, 0, type->size);
    link->private = memory;
    if (link->sender != NULL) {
        link->sender->at = &link->zero;
        link->sender->base = (uintptr_t)memory;
        return true;
    }
    link->receiver->at = link->at;
    link->receiver->limit = 0;
    return true;
}

static bool whittle_flow_nats_names(struct whittle_flow_nats_link *own)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    const char *const url = own->link->carrier->nats_url;
    snprintf(own->url, sizeof own->url, "%s", url != NULL ? url : "nats://127.0.0.1:4222");
    const char *const scheme = strstr(own->url, "://"), *const secret_end = strrchr(own->url, '@');
    const int begins = scheme == NULL ? 0 : (int)(scheme + 3 - own->url);
    snprintf(own->place, sizeof own->place, "%.*s%s", begins, own->url, secret_end != NULL ? secret_end + 1 : own->url + begins);
    /* Two flows of one name on one server have different keys, and so different subjects; a later run of one has the same. */
    char key[WHITTLE_FLOW_NATS_TAG + 1];
    if (!whittle_flow_nats_mark(own, "whittle", edge->flow, NULL, 0, key))
        return false;
    snprintf(own->stream, sizeof own->stream, "whittle_%s_%u_%.12s", edge->flow, edge->number, key);
    snprintf(own->subject, sizeof own->subject, "whittle.%s.%.12s.%u", edge->flow, key, edge->number);
    snprintf(own->told, sizeof own->told, "%s.done", own->subject);
    return true;
}

/* Tries once at once, so that what cannot be had is known at the beginning; a server that does not answer is waited for. */
static bool whittle_flow_nats_open(struct whittle_flow_link *link)
{
    struct whittle_flow_nats_link *const own = calloc(1, sizeof *own);
    pthread_condattr_t attributes;
    sigset_t all, before;
    if (own == NULL)
        return false;
    own->link = link;
    link->nats = own;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&own->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    if (!whittle_flow_nats_names(own))
        return false;
    if (link->sender != NULL && !whittle_flow_nats_kept_open(own))
        return false;
    if (!whittle_flow_nats_memory(own)) {
        whittle_flow_say(link, "no memory for its queue: ask for a shorter one");
        return false;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);    /* libnats' threads, too: signals are for the program's own */
    pthread_mutex_lock(&link->lock);
    whittle_flow_nats_round(own);
    pthread_mutex_unlock(&link->lock);
    own->running = own->state != WHITTLE_FLOW_NATS_FAILED && pthread_create(&own->thread, NULL, whittle_flow_nats_look_after, own) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return own->running;
}

/* No function of this file's is called by libnats after this. */
static void whittle_flow_nats_hang_up(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    natsSubscription *const both[] = {own->answers, own->hints};
    for (int n = 0; n < 2; n++)
        natsSubscription_Destroy(both[n]);
    natsConnection_Close(own->connection);
    pthread_mutex_lock(&link->lock);
    while (own->subscribed > 0 || !own->closed)
        pthread_cond_wait(&own->wake, &link->lock);
    pthread_mutex_unlock(&link->lock);
    jsCtx_Destroy(own->js);
    natsConnection_Destroy(own->connection);
}

static void whittle_flow_nats_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_nats_link *const own = link->nats;
    pthread_mutex_lock(&link->lock);
    own->ending = true;
    whittle_flow_nats_wake(own);
    pthread_mutex_unlock(&link->lock);
    if (own->running)
        pthread_join(own->thread, NULL);
    if (own->last != NULL && ended)
        natsConnection_Publish(own->connection, natsMsg_GetReply(own->last), NULL, 0);
    natsMsg_Destroy(own->last);
    natsMsg_Destroy(own->hand);
    if (own->connection != NULL) {
        if (ended && own->connected)
            natsConnection_FlushTimeout(own->connection, 2000);
        whittle_flow_nats_hang_up(own);
    }
    whittle_flow_nats_forget(own);
    free(own->queue);
    if (link->sender != NULL)
        whittle_flow_nats_kept_close(own, ended && link->end_heard);
    pthread_cond_destroy(&own->wake);
    free(own);
    link->nats = NULL;
}

const struct whittle_flow_channel whittle_flow_nats = {
    .open = whittle_flow_nats_open, .close = whittle_flow_nats_close, .send = whittle_flow_nats_send, .end = whittle_flow_nats_end,
    .finish = whittle_flow_nats_finish, .look = whittle_flow_nats_look, .done = whittle_flow_nats_done, .refuse = whittle_flow_nats_refuse,
};
