/* SPDX-License-Identifier: MIT-0 */
/* Clients: opened, closed, cancelled. */
#include "client.h"
#include <sys/random.h>
#include <unistd.h>

enum { WHITTLE_ONC_TIMEOUT = 25000, WHITTLE_ONC_RETRANSMIT = 500, WHITTLE_ONC_LONGEST_REPLY = 64 * 1024 * 1024,
    WHITTLE_ONC_DECODED = 256 * 1024 * 1024 };

/* Milliseconds as the options give them: 0 for the usual, ~0 for none. */
static uint64_t whittle_onc_span(uint32_t given, uint32_t usual)
{
    return given == UINT32_MAX ? 0 : (given == 0 ? usual : given) * WHITTLE_NET_MILLISECOND;
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
    if (client->options.decoded == 0)
        client->options.decoded = WHITTLE_ONC_DECODED;
    /* The clock that costs less is up to a tick of the system behind: for long timeouts that is as good as nothing. */
    client->coarse_clock = client->address.transport != WHITTLE_NET_UDP && (client->timeout == 0 || client->timeout >= 10000 * WHITTLE_NET_MILLISECOND);
    client->refers = client->address.transport != WHITTLE_NET_UDP && client->options.fragment == 0;
    if (getrandom(&client->xid, sizeof client->xid, GRND_NONBLOCK) != sizeof client->xid)
        client->xid = (uint32_t)whittle_net_now() ^ (uint32_t)getpid() << 16;
}

static const struct whittle_net_client_protocol whittle_onc_client_protocol = {
    .lead = WHITTLE_ONC_REPLY_LEAD, .keep = WHITTLE_ONC_MARK, .next = whittle_onc_next, .match = whittle_onc_match, .resend = whittle_onc_resend};

static void whittle_onc_client_connection(struct whittle_onc_client *client)
{
    whittle_net_pool_open(&client->pool, 0);
    whittle_net_client_open(&client->net, &whittle_onc_client_protocol, &client->pool, client->options.longest);
    client->net.datagrams = client->address.transport == WHITTLE_NET_UDP;
    client->net.short_deadlines = (client->timeout != 0 && client->timeout <= WHITTLE_NET_SLICE)
        || (client->net.datagrams && client->retransmit != 0 && client->retransmit <= WHITTLE_NET_SLICE);
    client->net.epochs = &client->epoch;
}

struct whittle_onc_client *whittle_onc_client_open(const char *address, const struct whittle_onc_client_options *options, int *status)
{
    struct whittle_onc_client *const client = (struct whittle_onc_client *)calloc(1, sizeof *client);
    const bool good = client != NULL && address != NULL && whittle_net_address_parse(&client->address, address)
        && whittle_net_address_is_whole(&client->address);
    if (status != NULL)
        *status = client == NULL ? WHITTLE_ONC_NO_MEMORY : good ? WHITTLE_ONC_OK : WHITTLE_ONC_BAD_ADDRESS;
    if (good) {
        whittle_onc_client_configure(client, options);
        if (whittle_onc_head_make(client)) {
            whittle_onc_client_connection(client);
            return client;
        }
        if (status != NULL)
            *status = WHITTLE_ONC_NO_MEMORY;
    }
    if (client != NULL)
        whittle_net_address_drop(&client->address);
    free(client);
    return NULL;
}

void whittle_onc_client_close(struct whittle_onc_client *client)
{
    if (client == NULL)
        return;
    whittle_onc_client_flush(client);
    whittle_net_client_close(&client->net);
    whittle_net_buffer_give(&client->pool, client->outbox);
    whittle_net_pool_close(&client->pool);
    whittle_net_address_drop(&client->address);
    free(client->head);
    free(client);
}

int whittle_onc_flush_within(struct whittle_onc_client *client, const struct whittle_net_limits *limits)
{
    const int queued = whittle_net_begin_writing(&client->net, limits);
    if (queued != WHITTLE_NET_OK)
        return whittle_onc_status_of(queued);
    const int failure = whittle_onc_send_batch(client, limits);
    pthread_mutex_unlock(&client->net.writing);
    return whittle_onc_status_of(failure);
}

int whittle_onc_client_flush(struct whittle_onc_client *client)
{
    const struct whittle_net_limits limits = {client->timeout == 0 ? 0 : whittle_net_now() + client->timeout, client->net.epochs,
                                              __atomic_load_n(client->net.epochs, __ATOMIC_RELAXED)};
    return whittle_onc_flush_within(client, &limits);
}

void whittle_onc_client_cancel(struct whittle_onc_client *client)
{
    __atomic_fetch_add(&client->epoch, 1, __ATOMIC_RELAXED);
}

void whittle_onc_client_versions(struct whittle_onc_client *client, uint32_t *lowest, uint32_t *highest)
{
    *lowest = __atomic_load_n(&client->lowest, __ATOMIC_RELAXED);
    *highest = __atomic_load_n(&client->highest, __ATOMIC_RELAXED);
}
