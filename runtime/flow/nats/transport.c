/* SPDX-License-Identifier: MIT-0 */
/*
 * An end of an edge over NATS, from its beginning to its end. In goes a link, out comes the table of functions by which the rest of
 * the library calls what is here.
 */
#include "transport.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>

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

static bool whittle_flow_nats_memory(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    const uint64_t most = 8 * 1024 * 1024 / (whittle_flow_nats_largest(link) + 1), bound = whittle_flow_nats_items(link->edge), items = bound > 0 ? bound : 256;
    own->queue_room = (uint32_t)(most == 0 ? 1 : most < items ? most : items);
    own->queue_room = own->queue_room > 256 ? 256 : own->queue_room;
    if (link->receiver != NULL && (own->queue = calloc(2 * (size_t)own->queue_room, sizeof *own->queue)) == NULL)
        return false;
    return whittle_flow_channel_view(link);
}

static bool whittle_flow_nats_names(struct whittle_flow_nats_link *own)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    /* Two flows of one name on one server have different keys, and so different subjects; a later run of one has the same. */
    char key[WHITTLE_FLOW_NATS_TAG + 1];
    if (!whittle_flow_nats_mark(own, "whittle", edge->flow, NULL, 0, key))
        return false;
    snprintf(own->stream, sizeof own->stream, "whittle_%s_%u_%.12s", edge->flow, edge->number, key);
    snprintf(own->subject, sizeof own->subject, "whittle.%s.%.12s.%u", edge->flow, key, edge->number);
    snprintf(own->progress, sizeof own->progress, "%s.done", own->subject);
    snprintf(own->leases, sizeof own->leases, "%s.sender", own->subject);
    return true;
}

/* Tries once at once, so that what cannot be had is known at the beginning; a server that does not answer is waited for. */
static bool whittle_flow_nats_open(struct whittle_flow_link *link)
{
    struct whittle_flow_nats_link *const own = calloc(1, sizeof *own);
    sigset_t all, before;
    if (own == NULL)
        return false;
    own->link = link;
    link->own = own;
    whittle_net_condition_open(&own->wake);
    if (!whittle_flow_nats_share(own) || !whittle_flow_nats_names(own))
        return false;
    if (link->sender != NULL && !whittle_flow_nats_kept_open(own))
        return false;
    if (!whittle_flow_nats_memory(own)) {
        whittle_flow_log(link, "no memory for its queue: ask for a shorter one");
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

/* No function of this end's is called by libnats after this. */
static void whittle_flow_nats_hang_up(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    natsSubscription *const all[] = {own->answers, own->hints, own->asks_of_others};
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        natsSubscription_Destroy(all[n]);
    pthread_mutex_lock(&link->lock);
    while (own->subscribed > 0)
        pthread_cond_wait(&own->wake, &link->lock);
    pthread_mutex_unlock(&link->lock);
    jsCtx_Destroy(own->js);
}

static void whittle_flow_nats_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_nats_link *const own = link->own;
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
    whittle_flow_nats_leave(own);
    whittle_flow_nats_forget(own);
    free(own->queue);
    if (link->sender != NULL)
        whittle_flow_nats_kept_close(own, ended && link->end_heard);
    pthread_cond_destroy(&own->wake);
    free(own);
    link->own = NULL;
}

const struct whittle_flow_transport_functions whittle_flow_nats = {
    .open = whittle_flow_nats_open, .close = whittle_flow_nats_close, .send = whittle_flow_nats_send, .end = whittle_flow_nats_end,
    .finish = whittle_flow_nats_finish, .look = whittle_flow_nats_look, .done = whittle_flow_nats_done, .refuse = whittle_flow_nats_refuse,
    .follows = whittle_flow_nats_follows, .keyed = true, .keeps = true,
    .help = "  --nats URL        the NATS server; nats://127.0.0.1:4222 where none is said    ($NATS_URL)\n"
            "  --nats-creds FILE who this process is for the server                            ($NATS_CREDS)\n"
            "                    or $NATS_USER and $NATS_PASSWORD, or $NATS_TOKEN\n"
            "  --replay          without DIR: receivers via nats begin with the first packet that is kept\n"
            "                                                                                     ($WHITTLE_REPLAY)\n",
};
