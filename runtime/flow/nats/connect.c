/* SPDX-License-Identifier: MIT-0 */
/*
 * The connection to the server: made, lost, had again, closed. What libnats tells of it comes on threads of its own; asking
 * for it is the thread of the end's, without the lock.
 */
#include "channel.h"
#include <string.h>

static void whittle_flow_nats_disconnected(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    struct whittle_flow_link *const link = own->link;
    pthread_mutex_lock(&link->lock);
    own->connected = own->leased = false;
    own->lease_lost = true;
    own->lost_at = whittle_net_now();
    const bool say = !own->ending && !own->said_lost;
    own->said_lost = true;
    pthread_mutex_unlock(&link->lock);
    (void)connection;
    if (say)
        whittle_flow_say(link, "the connection to the server at %s was lost; connecting again, nothing is given up", own->place);
}

static void whittle_flow_nats_reconnected(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    struct whittle_flow_link *const link = own->link;
    (void)connection;
    pthread_mutex_lock(&link->lock);
    own->connected = true;
    own->said_lost = false;
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
    pthread_mutex_unlock(&link->lock);
}

static void whittle_flow_nats_closed(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    (void)connection;
    pthread_mutex_lock(&own->link->lock);
    own->closed = true;
    whittle_flow_nats_wake(own);
    pthread_mutex_unlock(&own->link->lock);
}

static void whittle_flow_nats_problem(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure)
{
    const struct whittle_flow_nats_link *const own = closure;
    (void)connection;
    (void)subscription;
    whittle_flow_say(own->link, "the server's library reports: %s", natsStatus_GetText(status));
}

/* The server's limit on a message, against the type's. */
static bool whittle_flow_nats_fits(struct whittle_flow_nats_link *own)
{
    const uint64_t largest = whittle_flow_nats_largest(own->link) + 256, most = (uint64_t)natsConnection_GetMaxPayload(own->connection);
    if (largest <= most)
        return true;
    whittle_flow_say(own->link, "a packet of type `%s` may have %llu bytes with its head, and the server at %s takes messages of %llu: say "
        "`max_payload: %llu` in its configuration (64 MB is the most), or lower the bounds of the type", own->link->edge->type->name,
        (unsigned long long)largest, own->place, (unsigned long long)most, (unsigned long long)((largest + 0xfffff) / 0x100000 * 0x100000));
    own->state = WHITTLE_FLOW_NATS_FAILED;
    return false;
}

/* Who this process is for the server: what the URL says, a file, a name and a password, or a token. */
static natsStatus whittle_flow_nats_identify(const struct whittle_flow_carrier *carrier, natsOptions *options)
{
    if (carrier->nats_credentials != NULL)
        return natsOptions_SetUserCredentialsFromFiles(options, carrier->nats_credentials, NULL);
    if (carrier->nats_user != NULL && *carrier->nats_user != '\0')
        return natsOptions_SetUserInfo(options, carrier->nats_user, carrier->nats_password != NULL ? carrier->nats_password : "");
    return carrier->nats_token != NULL && *carrier->nats_token != '\0' ? natsOptions_SetToken(options, carrier->nats_token) : NATS_OK;
}

bool whittle_flow_nats_connect(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    natsStatus status = natsOptions_Create(&options);
    status = status != NATS_OK ? status : natsOptions_SetURL(options, own->url);
    status = status != NATS_OK ? status : whittle_flow_nats_identify(link->carrier, options);
    status = status != NATS_OK ? status : natsOptions_SetName(options, link->edge->name);
    status = status != NATS_OK ? status : natsOptions_SetTimeout(options, 1000);
    status = status != NATS_OK ? status : natsOptions_SetMaxReconnect(options, -1);
    status = status != NATS_OK ? status : natsOptions_SetReconnectWait(options, 100);
    status = status != NATS_OK ? status : natsOptions_SetReconnectJitter(options, 50, 50);
    status = status != NATS_OK ? status : natsOptions_SetPingInterval(options, 5000);
    status = status != NATS_OK ? status : natsOptions_SetSendAsap(options, true);
    status = status != NATS_OK ? status : natsOptions_SetDisconnectedCB(options, whittle_flow_nats_disconnected, own);
    status = status != NATS_OK ? status : natsOptions_SetReconnectedCB(options, whittle_flow_nats_reconnected, own);
    status = status != NATS_OK ? status : natsOptions_SetClosedCB(options, whittle_flow_nats_closed, own);
    status = status != NATS_OK ? status : natsOptions_SetErrorHandler(options, whittle_flow_nats_problem, own);
    status = status != NATS_OK ? status : natsConnection_Connect(&connection, options);
    natsOptions_Destroy(options);
    const bool denied = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED;
    if (denied && !own->said_waiting)
        whittle_flow_say(link, "the server at %s does not let this process in (%s), trying on: say who it is with --nats-creds, "
            "$NATS_USER and $NATS_PASSWORD, or $NATS_TOKEN", own->place, natsStatus_GetText(status));
    if (status != NATS_OK) {
        if (!denied && !own->said_waiting)
            whittle_flow_say(link, "no server answers at %s (%s), trying on: start `nats-server -js`, or say where it is with --nats or NATS_URL",
                own->place, natsStatus_GetText(status));
        own->said_waiting = true;
        return false;
    }
    own->connection = connection;
    if (!whittle_flow_nats_fits(own))
        return false;
    if (natsConnection_JetStream(&own->js, connection, NULL) != NATS_OK) {
        whittle_flow_say(link, "no memory");
        own->state = WHITTLE_FLOW_NATS_FAILED;
        return false;
    }
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    pthread_mutex_lock(&link->lock);
    own->connected = natsConnection_Status(connection) == NATS_CONN_STATUS_CONNECTED;
    link->met = link->sender != NULL;
    pthread_mutex_unlock(&link->lock);
    return true;
}
