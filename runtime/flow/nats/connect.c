/* SPDX-License-Identifier: MIT-0 */
/*
 * The connection to the server, one for all ends of a process: made, lost, had again, closed. What libnats reports of it comes on threads of
 * its own, and goes to each end; asking for it is the thread of an end's, without the lock.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>

static void whittle_flow_nats_disconnected(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_server *const server = closure;
    (void)connection;
    pthread_mutex_lock(&server->lock);
    for (struct whittle_flow_nats_link *own = server->ends; own != NULL; own = own->next_end) {
        pthread_mutex_lock(&own->link->lock);
        own->connected = own->leased = false;
        own->lease_lost = true;
        own->lost_at = whittle_net_now();
        pthread_mutex_unlock(&own->link->lock);
    }
    if (server->ends != NULL && !server->ending && !server->said_lost)
        whittle_flow_log_process(server->ends->link->loop->process, "the connection to the server at %s was lost; connecting again, nothing is given up", server->place);
    server->said_lost = true;
    pthread_mutex_unlock(&server->lock);
}

static void whittle_flow_nats_reconnected(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_server *const server = closure;
    (void)connection;
    pthread_mutex_lock(&server->lock);
    server->said_lost = false;
    for (struct whittle_flow_nats_link *own = server->ends; own != NULL; own = own->next_end) {
        pthread_mutex_lock(&own->link->lock);
        own->connected = true;
        whittle_flow_count(own->link, WHITTLE_FLOW_CONNECTIONS, 1);
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
        pthread_mutex_unlock(&own->link->lock);
    }
    pthread_mutex_unlock(&server->lock);
}

static void whittle_flow_nats_closed(natsConnection *connection, void *closure)
{
    struct whittle_flow_nats_server *const server = closure;
    (void)connection;
    pthread_mutex_lock(&server->lock);
    server->closed = true;
    pthread_cond_broadcast(&server->gone);
    pthread_mutex_unlock(&server->lock);
}

static void whittle_flow_nats_problem(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *closure)
{
    struct whittle_flow_nats_server *const server = closure;
    (void)connection;
    (void)subscription;
    pthread_mutex_lock(&server->lock);
    if (server->ends != NULL)
        whittle_flow_log_process(server->ends->link->loop->process, "the NATS server's library reports: %s", natsStatus_GetText(status));
    pthread_mutex_unlock(&server->lock);
}

static struct whittle_flow_nats_server *whittle_flow_nats_new_server(const struct whittle_flow_event_loop *loop)
{
    struct whittle_flow_nats_server *const server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->gone, NULL);
    snprintf(server->url, sizeof server->url, "%s", loop->nats_url != NULL ? loop->nats_url : "nats://127.0.0.1:4222");
    const char *const scheme = strstr(server->url, "://"), *const secret_end = strrchr(server->url, '@');
    const int begins = scheme == NULL ? 0 : (int)(scheme + 3 - server->url);
    snprintf(server->place, sizeof server->place, "%.*s%s", begins, server->url, secret_end != NULL ? secret_end + 1 : server->url + begins);
    return server;
}

/* The process's, which the first of its ends makes. Ends open and close one after the other. */
bool whittle_flow_nats_share(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_event_loop *const loop = own->link->loop;
    for (size_t n = 0; n < loop->link_count && own->server == NULL; n++) {
        const struct whittle_flow_link *const other = &loop->links[n];
        if (other != own->link && other->functions == &whittle_flow_nats && other->own != NULL)
            own->server = ((const struct whittle_flow_nats_link *)other->own)->server;
    }
    if (own->server == NULL)
        own->server = whittle_flow_nats_new_server(loop);
    if (own->server != NULL)
        own->server->users++;
    return own->server != NULL;
}

/* Nothing of this end's hears of the connection after this; with its last end it closes. */
void whittle_flow_nats_leave(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_nats_server *const server = own->server;
    if (server == NULL)
        return;
    pthread_mutex_lock(&server->lock);
    for (struct whittle_flow_nats_link **end = &server->ends; *end != NULL; end = &(*end)->next_end)
        if (*end == own) {
            *end = own->next_end;
            break;
        }
    const bool last = --server->users == 0;
    server->ending |= last;
    pthread_mutex_unlock(&server->lock);
    if (!last)
        return;
    natsConnection_Close(server->connection);
    pthread_mutex_lock(&server->lock);
    while (server->connection != NULL && !server->closed)
        pthread_cond_wait(&server->gone, &server->lock);
    pthread_mutex_unlock(&server->lock);
    natsConnection_Destroy(server->connection);
    pthread_cond_destroy(&server->gone);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

/* The server's limit on a message, against the type's. */
static bool whittle_flow_nats_fits(struct whittle_flow_nats_link *own)
{
    const uint64_t largest = whittle_flow_nats_largest(own->link) + 256, most = (uint64_t)natsConnection_GetMaxPayload(own->connection);
    if (largest <= most)
        return true;
    whittle_flow_log(own->link, "a packet of type `%s` may have %llu bytes with its head, and the server at %s takes messages of %llu: say "
        "`max_payload: %llu` in its configuration (64 MB is the most), or lower the bounds of the type", own->link->edge->type->name,
        (unsigned long long)largest, own->server->place, (unsigned long long)most, (unsigned long long)((largest + 0xfffff) / 0x100000 * 0x100000));
    own->state = WHITTLE_FLOW_NATS_FAILED;
    return false;
}

/* Who this process is for the server: what the URL says, a file, a name and a password, or a token. */
static natsStatus whittle_flow_nats_identify(const struct whittle_flow_event_loop *loop, natsOptions *options)
{
    if (loop->nats_credentials != NULL)
        return natsOptions_SetUserCredentialsFromFiles(options, loop->nats_credentials, NULL);
    if (loop->nats_user != NULL && *loop->nats_user != '\0')
        return natsOptions_SetUserInfo(options, loop->nats_user, loop->nats_password != NULL ? loop->nats_password : "");
    return loop->nats_token != NULL && *loop->nats_token != '\0' ? natsOptions_SetToken(options, loop->nats_token) : NATS_OK;
}

static natsStatus whittle_flow_nats_configure(struct whittle_flow_nats_server *server, const struct whittle_flow_event_loop *loop, natsOptions *options)
{
    natsStatus status = natsOptions_SetURL(options, server->url);
    status = status != NATS_OK ? status : whittle_flow_nats_identify(loop, options);
    status = status != NATS_OK ? status : natsOptions_SetName(options, loop->process->name);
    status = status != NATS_OK ? status : natsOptions_SetTimeout(options, 1000);
    status = status != NATS_OK ? status : natsOptions_SetMaxReconnect(options, -1);
    status = status != NATS_OK ? status : natsOptions_SetReconnectWait(options, 100);
    status = status != NATS_OK ? status : natsOptions_SetReconnectJitter(options, 50, 50);
    status = status != NATS_OK ? status : natsOptions_SetPingInterval(options, 5000);
    status = status != NATS_OK ? status : natsOptions_SetSendAsap(options, true);
    status = status != NATS_OK ? status : natsOptions_UseGlobalMessageDelivery(options, true);  /* one thread for all subscriptions */
    status = status != NATS_OK ? status : natsOptions_SetDisconnectedCB(options, whittle_flow_nats_disconnected, server);
    status = status != NATS_OK ? status : natsOptions_SetReconnectedCB(options, whittle_flow_nats_reconnected, server);
    status = status != NATS_OK ? status : natsOptions_SetClosedCB(options, whittle_flow_nats_closed, server);
    return status != NATS_OK ? status : natsOptions_SetErrorHandler(options, whittle_flow_nats_problem, server);
}

/* With the server's lock held. */
static bool whittle_flow_nats_dial(struct whittle_flow_nats_server *server, const struct whittle_flow_event_loop *loop)
{
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    natsStatus status = natsOptions_Create(&options);
    status = status != NATS_OK ? status : whittle_flow_nats_configure(server, loop, options);
    status = status != NATS_OK ? status : natsConnection_Connect(&connection, options);
    natsOptions_Destroy(options);
    const bool denied = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED;
    if (status != NATS_OK && !server->said_waiting)
        whittle_flow_log_process(loop->process, denied
            ? "the server at %s does not let this process in (%s), trying on: say who it is with --nats-creds, $NATS_USER and $NATS_PASSWORD, or $NATS_TOKEN"
            : "no server answers at %s (%s), trying on: start `nats-server -js`, or say where it is with --nats or NATS_URL",
            server->place, natsStatus_GetText(status));
    server->said_waiting |= status != NATS_OK;
    server->connection = status == NATS_OK ? connection : NULL;
    return status == NATS_OK;
}

/* This end uses the connection from now on. */
bool whittle_flow_nats_connect(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    struct whittle_flow_nats_server *const server = own->server;
    pthread_mutex_lock(&server->lock);
    const bool there = server->connection != NULL || whittle_flow_nats_dial(server, link->loop);
    if (there) {
        own->connection = server->connection;
        own->next_end = server->ends;
        server->ends = own;
    }
    pthread_mutex_unlock(&server->lock);
    if (!there || !whittle_flow_nats_fits(own))
        return false;
    if (natsConnection_JetStream(&own->js, own->connection, NULL) != NATS_OK) {
        whittle_flow_log(link, "no memory");
        own->state = WHITTLE_FLOW_NATS_FAILED;
        return false;
    }
    whittle_flow_count(link, WHITTLE_FLOW_CONNECTIONS, 1);
    pthread_mutex_lock(&server->lock);      /* what is reported of the connection is reported before or after */
    pthread_mutex_lock(&link->lock);
    own->connected = natsConnection_Status(own->connection) == NATS_CONN_STATUS_CONNECTED;
    link->met = link->sender != NULL;
    pthread_mutex_unlock(&link->lock);
    pthread_mutex_unlock(&server->lock);
    return true;
}
