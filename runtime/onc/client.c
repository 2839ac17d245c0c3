/* SPDX-License-Identifier: MIT-0 */
/* Clients: opened, closed, cancelled. */
#include "client.h"
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum { WHITTLE_ONC_TIMEOUT = 25000, WHITTLE_ONC_RETRANSMIT = 500, WHITTLE_ONC_LONGEST_REPLY = 64 * 1024 * 1024 };

/* Milliseconds as the options tell them: 0 for the usual, ~0 for none. */
static uint64_t whittle_onc_span(uint32_t told, uint32_t usual)
{
    return told == UINT32_MAX ? 0 : (told == 0 ? usual : told) * WHITTLE_ONC_MILLISECOND;
}

static void whittle_onc_client_configure(struct whittle_onc_client *client, const struct whittle_onc_client_options *options)
{
    if (options != NULL)
        client->options = *options;
    client->timeout = whittle_onc_span(client->options.timeout, WHITTLE_ONC_TIMEOUT);
    client->connect_timeout = client->options.connect_timeout == 0 ? 0 : whittle_onc_span(client->options.connect_timeout, 0);
    client->retransmit = whittle_onc_span(client->options.retransmit, WHITTLE_ONC_RETRANSMIT);
    if (client->options.longest == 0)
        client->options.longest = WHITTLE_ONC_LONGEST_REPLY;
    client->datagram = client->address.transport == WHITTLE_ONC_UDP;
    client->refers = !client->datagram && client->options.fragment == 0;
    client->hasty = (client->timeout != 0 && client->timeout <= WHITTLE_ONC_SLICE)
        || (client->datagram && client->retransmit != 0 && client->retransmit <= WHITTLE_ONC_SLICE);
    if (getrandom(&client->xid, sizeof client->xid, GRND_NONBLOCK) != sizeof client->xid)
        client->xid = (uint32_t)whittle_onc_now() ^ (uint32_t)getpid() << 16;
}

static void whittle_onc_client_locks(struct whittle_onc_client *client)
{
    pthread_mutex_init(&client->writing, NULL);
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->calm, NULL);
    whittle_onc_pool_open(&client->pool);
    whittle_onc_reader_open(&client->reader, &client->pool, WHITTLE_ONC_REPLY_LEAD, client->options.longest);
}

struct whittle_onc_client *whittle_onc_client_open(const char *address, const struct whittle_onc_client_options *options, int *status)
{
    struct whittle_onc_client *const client = (struct whittle_onc_client *)calloc(1, sizeof *client);
    const bool good = client != NULL && address != NULL && whittle_onc_address_parse(&client->address, address) && client->address.host != NULL;
    if (status != NULL)
        *status = client == NULL ? WHITTLE_ONC_NO_MEMORY : good ? WHITTLE_ONC_OK : WHITTLE_ONC_BAD_ADDRESS;
    if (good) {
        whittle_onc_client_configure(client, options);
        if (whittle_onc_head_make(client)) {
            client->fd = -1;
            client->epochs = &client->epoch;
            whittle_onc_client_locks(client);
            return client;
        }
        if (status != NULL)
            *status = WHITTLE_ONC_NO_MEMORY;
    }
    if (client != NULL)
        whittle_onc_address_drop(&client->address);
    free(client);
    return NULL;
}

void whittle_onc_client_close(struct whittle_onc_client *client)
{
    if (client == NULL)
        return;
    whittle_onc_client_flush(client);
    if (client->fd >= 0)
        close(client->fd);
    whittle_onc_reader_close(&client->reader);
    whittle_onc_buffer_give(&client->pool, client->outbox);
    whittle_onc_pool_close(&client->pool);
    whittle_onc_address_drop(&client->address);
    pthread_mutex_destroy(&client->writing);
    pthread_mutex_destroy(&client->lock);
    pthread_cond_destroy(&client->calm);
    free(client->head);
    free(client);
}

int whittle_onc_client_flush(struct whittle_onc_client *client)
{
    pthread_mutex_lock(&client->writing);
    const int status = whittle_onc_send_boxed(client);
    pthread_mutex_unlock(&client->writing);
    return status == WHITTLE_ONC_NOT_BEGUN ? WHITTLE_ONC_LOST : status;
}

void whittle_onc_client_cancel(struct whittle_onc_client *client)
{
    __atomic_fetch_add(client->epochs, 1, __ATOMIC_RELAXED);
}

void whittle_onc_client_versions(struct whittle_onc_client *client, uint32_t *lowest, uint32_t *highest)
{
    *lowest = __atomic_load_n(&client->lowest, __ATOMIC_RELAXED);
    *highest = __atomic_load_n(&client->highest, __ATOMIC_RELAXED);
}
