/* SPDX-License-Identifier: MIT-0 */
/* A client's connection: made when there is a call and none is open. */
#include "client.h"

/* What waited to be sent over the connection before this one is lost with it. */
static void whittle_onc_outbox_clear(struct whittle_onc_client *client)
{
    whittle_net_buffer_give(&client->pool, client->outbox);
    client->outbox = NULL;
    __atomic_store_n(&client->batched, 0, __ATOMIC_RELAXED);
}

/* A status. */
WHITTLE_NET_COLD static int whittle_onc_client_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call)
{
    struct whittle_net_limits limits;
    whittle_onc_limits_of(call, &limits);
    if (client->connect_timeout != 0)
        limits.deadline = whittle_net_sooner(limits.deadline, whittle_net_now() + client->connect_timeout);
    if (!whittle_net_client_clear(&client->net, limits.deadline))
        return WHITTLE_ONC_TIMED_OUT;
    whittle_onc_outbox_clear(client);
    if (client->address.local != NULL) {
        struct whittle_net_stream stream;
        const int failure = whittle_net_memory_connect(client->address.local, &limits, &stream);
        if (failure == WHITTLE_NET_OK)
            whittle_net_client_connected(&client->net, &stream);
        /* Whatever is the matter with it, another way may be open, as long as there is time. */
        if (failure == WHITTLE_NET_OK || failure == WHITTLE_NET_TIMED_OUT || failure == WHITTLE_NET_CANCELLED
            || whittle_net_address_is_local(&client->address))
            return whittle_onc_status_of(failure);
    }
    const bool asks = client->address.port == 0 && whittle_net_address_has_port(&client->address);
    if (asks && (client->port == 0 || client->net.datagrams)) {
        const int port = whittle_onc_lookup(client, call->program, call->version, limits.deadline);
        if (port < 0)
            return port;
        client->port = (uint16_t)port;
    }
    const uint16_t at = asks ? client->port : client->address.port;
    const int fd = client->net.datagrams ? whittle_onc_candidates_connect(client, call, at, &limits)
        : whittle_net_connect(&client->address, at, &limits);
    if (fd < 0) {
        client->port = 0;   /* it may be at another one next time */
        return whittle_onc_status_of(fd);
    }
    const struct whittle_net_stream stream = whittle_net_socket_stream(fd);
    whittle_net_client_connected(&client->net, &stream);
    return WHITTLE_ONC_OK;
}

int whittle_onc_client_ready(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint64_t now)
{
    if (whittle_net_client_is_open(&client->net, now))
        return WHITTLE_ONC_OK;
    const int status = whittle_onc_client_connect(client, call);
    client->net.used = whittle_net_now();
    return status;
}

int whittle_onc_client_adopt(struct whittle_onc_client *client, int fd)
{
    const int tuned = whittle_net_tune(fd, client->address.transport);
    if (tuned < 0)
        return whittle_onc_status_of(tuned);
    const struct whittle_net_stream stream = whittle_net_socket_stream(tuned);
    whittle_net_client_connected(&client->net, &stream);
    return WHITTLE_ONC_OK;
}
