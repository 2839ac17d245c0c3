/* SPDX-License-Identifier: MIT-0 */
/* A client's connection: opened, lost, replaced. */
#include "client.h"
#include <errno.h>
#include <unistd.h>

void whittle_net_client_open(struct whittle_net_client *client, const struct whittle_net_client_protocol *protocol,
                             struct whittle_net_pool *pool, size_t longest)
{
    *client = (struct whittle_net_client){.protocol = protocol, .pool = pool, .stream = whittle_net_socket_stream(-1)};
    pthread_mutex_init(&client->writing, NULL);
    pthread_mutex_init(&client->lock, NULL);
    whittle_net_condition_open(&client->reader_left);
    whittle_net_reader_open(&client->reader, pool, protocol->lead, protocol->keep, longest);
}

static void whittle_net_client_forget(struct whittle_net_client *client)
{
    if (client->protocol->forget != NULL)
        client->protocol->forget(&client->reader);
    whittle_net_reader_close(&client->reader);
    client->stream.ops->end(&client->stream);
    if (client->stream.fd >= 0)
        close(client->stream.fd);
    client->stream = whittle_net_socket_stream(-1);
}

void whittle_net_client_close(struct whittle_net_client *client)
{
    whittle_net_client_forget(client);
    pthread_mutex_destroy(&client->writing);
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->reader_left);
}

void whittle_net_client_connected(struct whittle_net_client *client, const struct whittle_net_stream *stream)
{
    pthread_mutex_lock(&client->lock);
    client->stream = *stream;
    __atomic_store_n(&client->open, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&client->lock);
}

bool whittle_net_client_clear(struct whittle_net_client *client, uint64_t deadline)
{
    pthread_mutex_lock(&client->lock);
    whittle_net_client_fail(client, WHITTLE_NET_LOST);
    while (client->reading && !whittle_net_is_over(deadline))
        whittle_net_condition_wait(&client->reader_left, &client->lock, whittle_net_sooner(deadline, whittle_net_now() + WHITTLE_NET_SLICE));
    const bool reader_left = !client->reading;
    if (reader_left)
        whittle_net_client_forget(client);
    pthread_mutex_unlock(&client->lock);
    return reader_left;
}

WHITTLE_NET_COLD void whittle_net_client_look(struct whittle_net_client *client)
{
    pthread_mutex_lock(&client->lock);
    if (!client->reading && client->first == NULL && client->open) {
        const ssize_t there = client->stream.ops->waiting(&client->stream);
        if (there > 0)      /* a message that nobody waits for: perhaps its last one */
            whittle_net_receive(client, MSG_DONTWAIT);
        else if (there == 0 || (errno != EAGAIN && errno != EINTR))
            whittle_net_client_fail(client, WHITTLE_NET_LOST);
    }
    pthread_mutex_unlock(&client->lock);
}
