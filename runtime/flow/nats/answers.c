/* SPDX-License-Identifier: MIT-0 */
/*
 * What comes back to a sender: the server's answers to its messages, and what receivers report of how far they are. On threads
 * of libnats.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>

enum { WHITTLE_FLOW_NATS_FULL_FIRST = 1000000, WHITTLE_FLOW_NATS_FULL_LAST = 50000000 };    /* nanoseconds */

static uint64_t whittle_flow_nats_member(const natsMsg *message, const char *name)
{
    char text[512];
    const size_t length = (size_t)natsMsg_GetDataLength(message), most = length < sizeof text - 1 ? length : sizeof text - 1;
    memcpy(text, natsMsg_GetData(message), most);
    text[most] = '\0';
    const char *const found = strstr(text, name);
    return found != NULL ? strtoull(found + strlen(name), NULL, 10) : 0;
}

/* The server has this one. It answers in order: where one before has not been answered so, that was refused. */
static void whittle_flow_nats_stands(struct whittle_flow_nats_link *own, uint64_t number)
{
    struct whittle_flow_link *const link = own->link;
    if (number > own->acknowledged) {
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
        return;
    }
    if (link->ended && number == own->end)
        link->end_heard = true;
    if (number == own->acknowledged && number < own->end)
        own->acknowledged++;
    if (own->next < own->acknowledged)
        own->next = own->acknowledged;
    whittle_flow_set(link, WHITTLE_FLOW_ACKNOWLEDGED, own->acknowledged);
    own->probing = false;
    own->pause = 0;
    whittle_flow_nats_pump(own);
    if (own->waits || link->ended)
        whittle_flow_wake_stage(link);
}

static void whittle_flow_nats_denied(struct whittle_flow_nats_link *own, natsMsg *message)
{
    const uint64_t code = natsMsg_IsNoResponders(message) ? 0 : whittle_flow_nats_member(message, "\"err_code\":");
    if (code == JSStreamStoreFailedErr || code == JSStorageResourcesExceededErr || code == JSInsufficientResourcesErr) {
        own->pause = own->pause == 0 ? WHITTLE_FLOW_NATS_FULL_FIRST : 2 * own->pause < WHITTLE_FLOW_NATS_FULL_LAST ? 2 * own->pause : WHITTLE_FLOW_NATS_FULL_LAST;
        own->probing = true;
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_FULL, own->pause);
    } else
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, code == JSStreamWrongLastSequenceErr || code == JSStreamWrongLastMsgIDErr ? 0 : WHITTLE_FLOW_NATS_TRY_AGAIN);
}

void whittle_flow_nats_answered(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    const char *rest = natsMsg_GetSubject(message) + strlen(own->inbox) + 1;
    const uint64_t epoch = whittle_flow_nats_number(rest, '.', &rest), number = whittle_flow_nats_number(rest, '\0', &rest);
    (void)connection;
    (void)subscription;
    pthread_mutex_lock(&own->link->lock);
    if (rest != NULL && !own->ending) {
        own->heard_at = whittle_net_now();
        if (natsMsg_GetDataLength(message) > 0 && whittle_flow_nats_member(message, "\"seq\":") > 0)
            whittle_flow_nats_stands(own, number);
        else if (epoch == own->epoch && number >= own->acknowledged)
            whittle_flow_nats_denied(own, message);
    }
    pthread_mutex_unlock(&own->link->lock);
    natsMsg_Destroy(message);
}

/*
 * RUN NUMBER TIME "done" or "refuses" TAG: the receiver is done with packets below NUMBER; run 0: it has seen none, and the
 * time says whether that is of this run. Without the right tag nobody has said anything.
 */
void whittle_flow_nats_hinted(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    struct whittle_flow_link *const link = own->link;
    unsigned long long run = 0, number = 0, when = 0;
    char text[160], word[16] = "", tag[64] = "";
    const int length = natsMsg_GetDataLength(message);
    (void)connection;
    (void)subscription;
    snprintf(text, sizeof text, "%.*s", length < 159 ? length : 159, natsMsg_GetData(message));
    const int words = sscanf(text, "%16llx %20llu %20llu %15s %63s", &run, &number, &when, word, tag);
    char *const last = strrchr(text, ' ');
    if (last != NULL)
        *last = '\0';
    const bool marked = words == 5 && whittle_flow_nats_is_marked(own, own->progress, text, NULL, 0, tag), refuses = strcmp(word, "refuses") == 0;
    if (!marked) {
        pthread_mutex_lock(&link->lock);
        whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
        pthread_mutex_unlock(&link->lock);
        whittle_flow_reject(link->loop, link, "word of a receiver that has not the flow's key");
    } else if (run == link->page->stream || (run == 0 && refuses && when >= link->page->stream_began)) {
        pthread_mutex_lock(&link->lock);
        if (number <= whittle_flow_counter(link->page, WHITTLE_FLOW_SENT) && (int64_t)number > own->done)
            own->done = (int64_t)number;
        link->refused |= refuses;
        if (own->state == WHITTLE_FLOW_NATS_FULL)
            whittle_flow_nats_wake(own);
        if (own->waits || link->refused)
            whittle_flow_wake_stage(link);
        pthread_mutex_unlock(&link->lock);
    }
    natsMsg_Destroy(message);
}
