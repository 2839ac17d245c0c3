/* SPDX-License-Identifier: MIT-0 */
/*
 * A receiver's messages from the server: it asks for as many as it has place for, and they come on a thread of libnats into
 * a queue, from which the stage's thread takes them.
 */
#include "transport.h"
#include <string.h>

/* Nanoseconds without a word of the server's; without a message, at first and at most. */
static const uint64_t whittle_flow_nats_mute = 15000000000u, whittle_flow_nats_idle = 15000000000u, whittle_flow_nats_idlest = 300000000000u;

/*
 * With the lock held: begins anew where nothing comes. Heartbeats say that the server lives, not that it still has this receiver's messages
 * for it: who pulls from its consumer takes them away for as long as the server waits for an acknowledgement. So an idle consumer is made
 * anew, too, more and more seldom.
 */
void whittle_flow_nats_look_for_messages(struct whittle_flow_nats_link *own)
{
    const uint64_t now = whittle_net_now();
    if (own->asked == 0 || own->queue_count > 0 || (now <= own->heard_at + whittle_flow_nats_mute && now <= own->came_at + own->idle))
        return;
    own->idle = 2 * own->idle < whittle_flow_nats_idlest ? 2 * own->idle : whittle_flow_nats_idlest;
    whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
}

/* With the lock held: what has come, and has not been taken, will come again. */
void whittle_flow_nats_forget(struct whittle_flow_nats_link *own)
{
    for (; own->queue_count > 0; own->queue_count--) {
        natsMsg_Destroy(own->queue[own->queue_first]);
        own->queue_first = (own->queue_first + 1) % (2 * own->queue_room);
    }
    own->asked = 0;
    own->consumed = 0;
    own->came_at = whittle_net_now();
    own->idle = own->idle > 0 ? own->idle : whittle_flow_nats_idle;
}

/* With the lock held. */
void whittle_flow_nats_ask(struct whittle_flow_nats_link *own)
{
    char subject[224], text[96];
    const uint32_t has = own->asked + own->queue_count;
    if (own->state != WHITTLE_FLOW_NATS_GOES || !own->connected || own->answers == NULL || has >= own->queue_room || 2 * own->asked > own->queue_room)
        return;
    const uint32_t more = own->queue_room - has;
    if (own->asked > 0 && 2 * more < own->queue_room)
        return;
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.MSG.NEXT.%s.whittle", own->stream);
    snprintf(text, sizeof text, "{\"batch\":%u,\"expires\":30000000000,\"idle_heartbeat\":5000000000}", more);
    if (natsConnection_PublishRequest(own->connection, subject, own->inbox, text, (int)strlen(text)) != NATS_OK)
        return;
    if (own->asked == 0)
        own->heard_at = whittle_net_now();
    own->asked += more;
}

/* The server says something of what was asked. */
static void whittle_flow_nats_status(struct whittle_flow_nats_link *own, natsMsg *message, const char *status)
{
    const char *pending = NULL, *rest;
    if (strcmp(status, "100") == 0)
        return;
    if (strcmp(status, "408") == 0 || strcmp(status, "404") == 0) {
        const bool said = natsMsgHeader_Get(message, "Nats-Pending-Messages", &pending) == NATS_OK;
        const uint64_t less = said ? whittle_flow_nats_number(pending, '\0', &rest) : own->asked;
        own->asked = less < own->asked ? own->asked - (uint32_t)less : 0;
        whittle_flow_nats_ask(own);
        return;
    }
    /* The consumer is gone: the server was restarted, or another receiver has made its own. */
    whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 1000000000u);
}

void whittle_flow_nats_come(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    const char *status = NULL;
    (void)connection;
    pthread_mutex_lock(&own->link->lock);
    const bool ours = subscription == own->answers && !own->ending && own->state == WHITTLE_FLOW_NATS_GOES;
    if (ours) {
        own->heard_at = whittle_net_now();
        if (natsMsg_GetDataLength(message) == 0 && natsMsgHeader_Get(message, "Status", &status) == NATS_OK)
            whittle_flow_nats_status(own, message, status);
        else if (own->queue_count == 2 * own->queue_room)
            whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
        else {
            own->queue[(own->queue_first + own->queue_count++) % (2 * own->queue_room)] = message;
            own->asked -= own->asked > 0;
            own->came_at = own->heard_at;
            own->idle = whittle_flow_nats_idle;
            if (own->queue_count == 1)
                whittle_flow_wake_stage(own->link);
            message = NULL;
        }
    }
    pthread_mutex_unlock(&own->link->lock);
    natsMsg_Destroy(message);
}

/* The next of the queue, and as many are asked for as there is place now; NULL: none has come. */
natsMsg *whittle_flow_nats_next(struct whittle_flow_nats_link *own)
{
    natsMsg *message = NULL;
    pthread_mutex_lock(&own->link->lock);
    if (own->queue_count > 0) {
        message = own->queue[own->queue_first];
        own->queue_first = (own->queue_first + 1) % (2 * own->queue_room);
        own->queue_count--;
        own->link->lost_at = whittle_net_now();
    }
    whittle_flow_nats_ask(own);
    pthread_mutex_unlock(&own->link->lock);
    return message;
}

/* The same, and it stays where it is. */
natsMsg *whittle_flow_nats_peek(struct whittle_flow_nats_link *own)
{
    pthread_mutex_lock(&own->link->lock);
    natsMsg *const message = own->queue_count > 0 ? own->queue[own->queue_first] : NULL;
    pthread_mutex_unlock(&own->link->lock);
    return message;
}
