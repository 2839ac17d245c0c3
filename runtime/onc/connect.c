/* SPDX-License-Identifier: MIT-0 */
/* A client's connection: made when there is a call and none is open, given up when it is lost. */
#include "client.h"
#include <errno.h>
#include <unistd.h>

WHITTLE_ONC_RARE void whittle_onc_client_fail(struct whittle_onc_client *client, int status)
{
    while (client->first != NULL)
        whittle_onc_call_done(client, client->first, status);
    /* Who refuses datagrams is looked for anew: it may be at another address, or port, next time. */
    if (!client->open || (client->datagram && status != WHITTLE_ONC_REFUSED))
        return;
    __atomic_store_n(&client->open, false, __ATOMIC_RELEASE);
    if (!client->datagram)
        shutdown(client->fd, SHUT_RDWR);    /* whoever reads or writes sees its end */
}

/* Nothing was sent for long, and nobody waits: has the server hung up meanwhile? */
WHITTLE_ONC_RARE static void whittle_onc_client_look(struct whittle_onc_client *client)
{
    char byte;
    pthread_mutex_lock(&client->lock);
    if (!client->reading && client->first == NULL && client->open) {
        const ssize_t there = recv(client->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (there == 0 || (there < 0 && errno != EAGAIN && errno != EINTR))
            whittle_onc_client_fail(client, WHITTLE_ONC_LOST);
    }
    pthread_mutex_unlock(&client->lock);
}

/* What is left of the connection before this one. */
static void whittle_onc_client_clear(struct whittle_onc_client *client)
{
    pthread_mutex_lock(&client->lock);
    while (client->reading)
        pthread_cond_wait(&client->calm, &client->lock);
    whittle_onc_client_fail(client, WHITTLE_ONC_LOST);
    if (client->fd >= 0)
        close(client->fd);
    client->fd = -1;
    whittle_onc_reader_close(&client->reader);
    pthread_mutex_unlock(&client->lock);
    whittle_onc_buffer_give(&client->pool, client->outbox);
    client->outbox = NULL;
    __atomic_store_n(&client->boxed, 0, __ATOMIC_RELAXED);
}

static void whittle_onc_client_opened(struct whittle_onc_client *client, int fd)
{
    pthread_mutex_lock(&client->lock);
    client->fd = fd;
    __atomic_store_n(&client->open, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&client->lock);
}

WHITTLE_ONC_RARE static int whittle_onc_client_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint64_t now)
{
    uint64_t until = call->deadline;
    if (client->connect_timeout != 0 && (until == 0 || now + client->connect_timeout < until))
        until = now + client->connect_timeout;
    whittle_onc_client_clear(client);
    const bool asks = client->address.port == 0 && client->address.transport != WHITTLE_ONC_UNIX;
    if (asks && (client->port == 0 || client->datagram)) {
        const int port = whittle_onc_lookup(client, call->program, call->version, until);
        if (port < 0)
            return port;
        client->port = (uint16_t)port;
    }
    const uint16_t at = asks ? client->port : client->address.port;
    const struct whittle_onc_patience patience = {until, client->epochs, call->epoch};
    const int fd = client->datagram ? whittle_onc_places_connect(client, call, at, until) : whittle_onc_connect_to(&client->address, at, &patience);
    if (fd < 0) {
        client->port = 0;   /* it may be at another one next time */
        return fd;
    }
    whittle_onc_client_opened(client, fd);
    return WHITTLE_ONC_OK;
}

int whittle_onc_client_ready(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint64_t now)
{
    if (__atomic_load_n(&client->open, __ATOMIC_ACQUIRE)) {
        if (!client->datagram && now - client->used > WHITTLE_ONC_SLICE)
            whittle_onc_client_look(client);
        client->used = now;
        if (__atomic_load_n(&client->open, __ATOMIC_ACQUIRE))
            return WHITTLE_ONC_OK;
    }
    const int status = whittle_onc_client_connect(client, call, now);
    client->used = whittle_onc_now();
    return status;
}

int whittle_onc_client_adopt(struct whittle_onc_client *client, int fd)
{
    if (whittle_onc_connected(fd, client->address.transport) < 0)
        return WHITTLE_ONC_NO_MEMORY;
    whittle_onc_client_opened(client, fd);
    return WHITTLE_ONC_OK;
}
