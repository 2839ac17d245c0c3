/* SPDX-License-Identifier: MIT-0 */
/*
 * Connections of clients: one to an endpoint, for all who call there. There are no more than an option says, but for those that
 * calls are under way on: the idle one that was used longest ago is closed for a new one, so that servers that send callers on and
 * on do not use up descriptors.
 */
#include "parts.h"
#include <stdlib.h>

void whittle_connection_keep(struct whittle_connection *connection)
{
    __atomic_fetch_add(&connection->refs, 1, __ATOMIC_RELAXED);
}

void whittle_connection_drop(struct whittle_connection *connection)
{
    if (__atomic_sub_fetch(&connection->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    whittle_net_client_close(&connection->net);
    free(connection->endpoint.host);
    free(connection);
}

/* The first that is open, kept; those that are not are taken out. With the ORB's lock held. */
static struct whittle_connection *whittle_client_find(CORBA_ORB orb, const struct whittle_profile *profile)
{
    struct whittle_connection **place = &orb->clients;
    while (*place != NULL) {
        struct whittle_connection *const connection = *place;
        if (!whittle_connection_is_open(connection)) {
            *place = connection->next;
            orb->client_count--;
            whittle_connection_drop(connection);
            continue;
        }
        for (uint32_t index = 0; index < profile->endpoint_count; index++)
            if (profile->endpoints[index].port == connection->endpoint.port && profile->endpoints[index].place == connection->endpoint.place
                && strcmp(profile->endpoints[index].host, connection->endpoint.host) == 0) {
                whittle_connection_keep(connection);
                return connection;
            }
        place = &connection->next;
    }
    return NULL;
}

/* The place of the idle one that was used longest ago; NULL: none is idle. With the ORB's lock held. */
static struct whittle_connection **whittle_client_idle(CORBA_ORB orb)
{
    struct whittle_connection **found = NULL;
    for (struct whittle_connection **place = &orb->clients; *place != NULL; place = &(*place)->next)
        if (__atomic_load_n(&(*place)->calls, __ATOMIC_ACQUIRE) == 0
            && (found == NULL || __atomic_load_n(&(*place)->called, __ATOMIC_RELAXED) < __atomic_load_n(&(*found)->called, __ATOMIC_RELAXED)))
            found = place;
    return found;
}

/* References may still have it: the descriptor goes at once, the rest with the last of them. */
static void whittle_client_retire(struct whittle_connection *connection)
{
    if (pthread_mutex_trylock(&connection->net.writing) == 0) {
        pthread_mutex_lock(&connection->net.lock);
        const bool idle = connection->net.first == NULL;    /* a call may have begun since */
        pthread_mutex_unlock(&connection->net.lock);
        if (idle)
            whittle_net_client_clear(&connection->net, 1);
        pthread_mutex_unlock(&connection->net.writing);
    }
    whittle_connection_drop(connection);
}

static void whittle_client_add(CORBA_ORB orb, struct whittle_connection *connection)
{
    struct whittle_connection *retired = NULL;
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection **const idle = orb->client_count < orb->options.outgoing ? NULL : whittle_client_idle(orb);
    if (idle != NULL) {
        retired = *idle;
        *idle = retired->next;
        orb->client_count--;
    }
    connection->next = orb->clients;
    orb->clients = connection;
    orb->client_count++;
    pthread_mutex_unlock(&orb->lock);
    if (retired != NULL)
        whittle_client_retire(retired);
}

static struct whittle_connection *whittle_client_new(CORBA_ORB orb, const struct whittle_endpoint *endpoint)
{
    struct whittle_connection *const connection = (struct whittle_connection *)calloc(1, sizeof *connection);
    char *const host = strdup(endpoint->host);
    if (connection == NULL || host == NULL) {
        free(connection);
        free(host);
        return NULL;
    }
    whittle_net_client_open(&connection->net, &whittle_giop_client, &orb->replies, orb->options.longest);
    connection->orb = orb;
    connection->refs = 1;
    connection->endpoint = (struct whittle_endpoint){host, endpoint->port, endpoint->place};
    return connection;
}

/* One of so many that may be tried has its share of the time that is left. */
static uint64_t whittle_client_share(uint64_t deadline, uint32_t left)
{
    const uint64_t now = deadline == 0 || left < 2 ? 0 : whittle_net_now();
    return now == 0 || now >= deadline ? deadline : now + (deadline - now) / left;
}

/* A failure, or 0; who is elsewhere has no such name here. */
static int whittle_client_meet(const struct whittle_endpoint *endpoint, const struct whittle_net_limits *limits, struct whittle_net_stream *stream)
{
    const char *const name = endpoint->host + strlen("shm:");
    char *const path = whittle_net_local_path(name, strlen(name));
    const int failure = path != NULL && whittle_net_local_place(path) == endpoint->place ? whittle_net_memory_connect(path, limits, stream)
        : (int)WHITTLE_NET_UNREACHABLE;
    free(path);
    return failure;
}

static int whittle_client_connect(struct whittle_connection *connection, uint64_t deadline)
{
    const struct whittle_endpoint *const to = &connection->endpoint;
    const struct whittle_net_address address = {.transport = WHITTLE_NET_TCP, .host = to->host, .port = to->port};
    const struct whittle_net_limits limits = {.deadline = deadline};
    struct whittle_net_stream stream;
    int failure = WHITTLE_NET_OK;
    if (to->place == 0) {
        const int fd = whittle_net_connect(&address, address.port, &limits);
        failure = fd < 0 ? fd : (int)WHITTLE_NET_OK;
        stream = whittle_net_socket_stream(fd);
    } else
        failure = whittle_client_meet(to, &limits, &stream);
    if (failure == WHITTLE_NET_OK)
        whittle_net_client_connected(&connection->net, &stream);
    connection->net.used = connection->called = whittle_net_now();
    return failure;
}

/* The endpoint that is tried as the index-th: those of shared memory first. */
static const struct whittle_endpoint *whittle_client_try(const struct whittle_profile *profile, uint32_t index)
{
    for (int remote = 0; remote < 2; remote++)
        for (uint32_t at = 0; at < profile->endpoint_count; at++)
            if ((profile->endpoints[at].place == 0) == (remote != 0) && index-- == 0)
                return &profile->endpoints[at];
    return NULL;
}

static void whittle_client_raise(int failure, uint64_t deadline, CORBA_Environment *ev)
{
    if (failure == WHITTLE_NET_NO_MEMORY)
        WHITTLE_RAISE(ev, NO_RESOURCES, WHITTLE_CANNOT_CONNECT, NO);
    else if (failure == WHITTLE_NET_NOT_ALLOWED)
        WHITTLE_RAISE(ev, NO_PERMISSION, WHITTLE_CANNOT_CONNECT, NO);
    else if (failure == WHITTLE_NET_TIMED_OUT && whittle_net_is_over(deadline))
        WHITTLE_RAISE(ev, TIMEOUT, WHITTLE_CANNOT_CONNECT, NO);
    else
        WHITTLE_RAISE(ev, TRANSIENT, WHITTLE_CANNOT_CONNECT, NO);
}

struct whittle_connection *whittle_client_connection(CORBA_ORB orb, struct whittle_profile *profile, uint64_t deadline, CORBA_Environment *ev)
{
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection *const found = whittle_client_find(orb, profile);
    pthread_mutex_unlock(&orb->lock);
    int failure = WHITTLE_NET_UNREACHABLE;
    for (uint32_t index = 0; found == NULL && index < profile->endpoint_count && !whittle_net_is_over(deadline); index++) {
        struct whittle_connection *const connection = whittle_client_new(orb, whittle_client_try(profile, index));
        failure = connection == NULL ? (int)WHITTLE_NET_NO_MEMORY
            : whittle_client_connect(connection, whittle_client_share(deadline, profile->endpoint_count - index));
        if (failure == WHITTLE_NET_OK) {
            whittle_connection_keep(connection);
            whittle_client_add(orb, connection);
            return connection;
        }
        if (connection != NULL)
            whittle_connection_drop(connection);
    }
    if (found == NULL)
        whittle_client_raise(whittle_net_is_over(deadline) ? (int)WHITTLE_NET_TIMED_OUT : failure, deadline, ev);
    return found;
}

void whittle_client_forget(struct whittle_connection *connection)
{
    CORBA_ORB const orb = connection->orb;
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection **place = &orb->clients;
    while (*place != NULL && *place != connection)
        place = &(*place)->next;
    const bool there = *place != NULL;
    if (there) {
        *place = connection->next;
        orb->client_count--;
    }
    pthread_mutex_unlock(&orb->lock);
    if (there)
        whittle_connection_drop(connection);
}

/* At the end of the ORB: who waits is woken. */
void whittle_client_close_all(CORBA_ORB orb)
{
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection *connection = orb->clients;
    orb->clients = NULL;
    orb->client_count = 0;
    pthread_mutex_unlock(&orb->lock);
    while (connection != NULL) {
        struct whittle_connection *const next = connection->next;
        pthread_mutex_lock(&connection->net.lock);
        whittle_net_client_fail(&connection->net, WHITTLE_NET_LOST);
        pthread_mutex_unlock(&connection->net.lock);
        whittle_connection_drop(connection);
        connection = next;
    }
}
