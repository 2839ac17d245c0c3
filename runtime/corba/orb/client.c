/* SPDX-License-Identifier: MIT-0 */
/* Connections of clients: one to an endpoint, for all who call there. */
#include "parts.h"
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

void whittle_connection_keep(struct whittle_connection *connection)
{
    __atomic_fetch_add(&connection->refs, 1, __ATOMIC_RELAXED);
}

void whittle_connection_drop(struct whittle_connection *connection)
{
    if (__atomic_sub_fetch(&connection->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    close(connection->fd);
    whittle_reader_close(&connection->reader);
    for (struct whittle_buffer *buffer = connection->queue, *next; buffer != NULL; buffer = next) {
        next = buffer->next;
        whittle_buffer_give(&connection->orb->pool, buffer);
    }
    pthread_mutex_destroy(&connection->lock);
    pthread_mutex_destroy(&connection->writing);
    free(connection->endpoint.host);
    free(connection);
}

/* The first that is open, kept; those that are not are taken out. With the ORB's lock held. */
static struct whittle_connection *whittle_client_find(CORBA_ORB orb, const struct whittle_profile *profile)
{
    struct whittle_connection **place = &orb->clients;
    while (*place != NULL) {
        struct whittle_connection *const connection = *place;
        if (__atomic_load_n(&connection->state, __ATOMIC_ACQUIRE) != WHITTLE_OPEN) {
            *place = connection->next;
            whittle_connection_drop(connection);
            continue;
        }
        for (uint32_t index = 0; index < profile->endpoint_count; index++)
            if (profile->endpoints[index].port == connection->endpoint.port
                && strcmp(profile->endpoints[index].host, connection->endpoint.host) == 0) {
                whittle_connection_keep(connection);
                return connection;
            }
        place = &connection->next;
    }
    return NULL;
}

static struct whittle_connection *whittle_client_new(CORBA_ORB orb, const struct whittle_endpoint *endpoint, int fd)
{
    struct whittle_connection *const connection = (struct whittle_connection *)calloc(1, sizeof *connection);
    char *const host = strdup(endpoint->host);
    if (connection == NULL || host == NULL) {
        free(connection);
        free(host);
        close(fd);
        return NULL;
    }
    *connection = (struct whittle_connection){.orb = orb, .refs = 2, .fd = fd, .endpoint = {host, endpoint->port}, .next_id = 1, .heard = whittle_now()};
    pthread_mutex_init(&connection->lock, NULL);
    pthread_mutex_init(&connection->writing, NULL);
    whittle_reader_open(&connection->reader, &orb->pool, orb->options.longest);
    return connection;
}

struct whittle_connection *whittle_client_connection(CORBA_ORB orb, struct whittle_profile *profile, uint64_t deadline, CORBA_Environment *ev)
{
    bool late = false;
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection *connection = whittle_client_find(orb, profile);
    pthread_mutex_unlock(&orb->lock);
    for (uint32_t index = 0; connection == NULL && index < profile->endpoint_count && !late; index++) {
        const int fd = whittle_socket_connect(&profile->endpoints[index], deadline, &late);
        if (fd < 0)
            continue;
        connection = whittle_client_new(orb, &profile->endpoints[index], fd);
        if (connection == NULL) {
            WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
            return NULL;
        }
        pthread_mutex_lock(&orb->lock);
        connection->next = orb->clients;
        orb->clients = connection;
        pthread_mutex_unlock(&orb->lock);
    }
    if (connection == NULL && late)
        WHITTLE_RAISE(ev, TIMEOUT, WHITTLE_CANNOT_CONNECT, NO);
    else if (connection == NULL)
        WHITTLE_RAISE(ev, TRANSIENT, WHITTLE_CANNOT_CONNECT, NO);
    return connection;
}

void whittle_client_fail(struct whittle_connection *connection, enum whittle_state state)
{
    if (connection->state == WHITTLE_OPEN) {
        __atomic_store_n(&connection->state, state, __ATOMIC_RELEASE);
        shutdown(connection->fd, SHUT_RDWR);    /* the socket itself stays until its last holder lets go */
    }
    for (struct whittle_call *call = connection->calls; call != NULL; call = call->next)
        if (!call->done) {
            call->done = true;
            call->failure = state == WHITTLE_CLOSED_IN_ORDER ? WHITTLE_ORDERLY : WHITTLE_LOST;
            whittle_wake_waiter(connection, call);
        }
}

void whittle_client_forget(struct whittle_connection *connection)
{
    CORBA_ORB const orb = connection->orb;
    pthread_mutex_lock(&orb->lock);
    struct whittle_connection **place = &orb->clients;
    while (*place != NULL && *place != connection)
        place = &(*place)->next;
    const bool there = *place != NULL;
    if (there)
        *place = connection->next;
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
    pthread_mutex_unlock(&orb->lock);
    while (connection != NULL) {
        struct whittle_connection *const next = connection->next;
        pthread_mutex_lock(&connection->lock);
        whittle_client_fail(connection, WHITTLE_BROKEN);
        pthread_mutex_unlock(&connection->lock);
        whittle_connection_drop(connection);
        connection = next;
    }
}
