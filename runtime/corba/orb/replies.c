/* SPDX-License-Identifier: MIT-0 */
/*
 * What a client's connection does with what comes: replies go to the calls that asked for their kind, anything else ends the
 * connection. A thread that is serving a request goes on serving others while it waits: the reply may hang on one of them.
 */
#include "parts.h"
#include <sys/socket.h>

/* Behind the service contexts, which stand before the request's id up to GIOP 1.1. */
static bool whittle_reply_id_of(const struct whittle_net_message *message, uint32_t *id)
{
    struct whittle_scan scan = {message->base, message->base + WHITTLE_HEADER, message->end, whittle_is_swapped(message->base), false};
    if ((uint8_t)message->base[5] < 2 && message->base[WHITTLE_TYPE_AT] == WHITTLE_REPLY)
        whittle_contexts_scan(&scan);
    *id = whittle_scan32(&scan);
    return !scan.bad;
}

/* The id says what was asked: LocateRequests have odd ones. */
static enum whittle_net_match whittle_giop_match(const struct whittle_net_message *message, uint32_t *id)
{
    const enum whittle_message_type type = (enum whittle_message_type)message->base[WHITTLE_TYPE_AT];
    if (type == WHITTLE_CLOSE_CONNECTION)
        return WHITTLE_NET_CLOSES;
    if (type == WHITTLE_MESSAGE_ERROR)
        return WHITTLE_NET_GIVES_UP;
    if ((type != WHITTLE_REPLY && type != WHITTLE_LOCATE_REPLY) || !whittle_reply_id_of(message, id))
        return WHITTLE_NET_BAD_REPLY;
    return (type == WHITTLE_LOCATE_REPLY) == ((*id & WHITTLE_LOCATES) != 0) ? WHITTLE_NET_REPLY : WHITTLE_NET_BAD_REPLY;
}

/* The server is notified, where nobody is writing. */
static void whittle_giop_reject(struct whittle_net_client *client)
{
    char message[WHITTLE_HEADER];
    struct iovec part = {message, sizeof message};
    whittle_put_header(message, 2, WHITTLE_MESSAGE_ERROR);
    if (pthread_mutex_trylock(&client->writing) != 0)
        return;
    client->stream.ops->send(&client->stream, &part, 1, MSG_DONTWAIT);
    pthread_mutex_unlock(&client->writing);
}

static bool whittle_giop_meanwhile(struct whittle_net_client *client, uint64_t until)
{
    return whittle_serve_meanwhile(whittle_connection_of(client)->orb, &client->stream, until);
}

/* Its thread may sleep over what the loop waits for. */
static void whittle_giop_wake(struct whittle_net_client *client)
{
    CORBA_ORB const orb = whittle_connection_of(client)->orb;
    if (!whittle_in_loop(orb))
        whittle_net_jobs_wake(&orb->net);
}

const struct whittle_net_client_protocol whittle_giop_client = {
    .lead = WHITTLE_GIOP_LEAD, .next = whittle_giop_next, .forget = whittle_giop_forget, .match = whittle_giop_match,
    .protocol_error = whittle_giop_reject, .meanwhile = whittle_giop_meanwhile, .wake = whittle_giop_wake};
