/* SPDX-License-Identifier: MIT-0 */
/* Calls onto a client's connection: records, in fragments where that is asked for, each at once or with what follows; and datagrams. */
#include "client.h"
#include <errno.h>

enum { WHITTLE_ONC_BATCH = WHITTLE_NET_SMALL, WHITTLE_ONC_BOXED_MOST = 4096 };

/* `call` NULL: what waits. */
static int whittle_onc_transmit(struct whittle_onc_client *client, struct whittle_onc_call *call, const struct whittle_net_limits *limits,
                                struct iovec *pieces, int count, bool begun)
{
    const int failure = whittle_net_transmit(&client->net, call == NULL ? NULL : &call->net, limits, pieces, count, begun);
    if (failure != WHITTLE_NET_OK && (call == NULL || !whittle_net_is_harmless(&call->net, failure)))
        whittle_net_not_transmitted(&client->net);
    return failure;
}

/* In fragments (RFC 5531, section 11), behind what stands in `pieces` already. */
WHITTLE_NET_COLD static int whittle_onc_send_fragments(struct whittle_onc_client *client, struct whittle_onc_call *call,
                                                       const struct whittle_net_limits *limits, struct iovec *pieces, int count)
{
    enum { BATCH = 32 };
    char marks[BATCH][WHITTLE_ONC_MARK];
    const char *at = call->out.base + WHITTLE_ONC_MARK;
    const size_t fragment = client->options.fragment;
    int failure = WHITTLE_NET_OK, used = 0;
    bool begun = count > 0;
    while (at < call->end && failure == WHITTLE_NET_OK) {
        const size_t left = (size_t)(call->end - at), size = left < fragment ? left : fragment;
        whittle_put32(marks[used], (uint32_t)size | (size == left ? WHITTLE_ONC_LAST : 0));
        pieces[count++] = (struct iovec){marks[used++], WHITTLE_ONC_MARK};
        pieces[count++] = (struct iovec){(char *)(uintptr_t)at, size};
        at += size;
        if (used == BATCH || at == call->end) {
            failure = whittle_onc_transmit(client, call, limits, pieces, count, begun);
            used = count = 0;
            begun = true;
        }
    }
    return failure;
}

/* What waits, as a piece. */
static int whittle_onc_batch_piece(struct whittle_onc_client *client, struct iovec *piece)
{
    if (client->batched == 0)
        return 0;
    *piece = (struct iovec){client->outbox->bytes, client->batched};
    __atomic_store_n(&client->batched, 0, __ATOMIC_RELAXED);
    return 1;
}

int whittle_onc_send_with(struct whittle_onc_client *client, struct whittle_onc_call *call)
{
    struct iovec pieces[66];
    struct whittle_net_limits limits;
    const size_t size = (size_t)(call->end - call->out.base) + call->referred;
    int count = whittle_onc_batch_piece(client, pieces);
    const bool begun = count > 0;       /* others' messages */
    whittle_onc_limits_of(call, &limits);
    if (client->options.fragment != 0 && size - WHITTLE_ONC_MARK > client->options.fragment)
        return whittle_onc_send_fragments(client, call, &limits, pieces, count);
    whittle_put32(call->out.base, (uint32_t)(size - WHITTLE_ONC_MARK) | WHITTLE_ONC_LAST);
    char *at = call->out.base;
    for (uint32_t index = 0; index < call->reference_count; index++) {
        const struct whittle_onc_reference *const reference = &call->references[index];
        char *const place = call->out.base + reference->at;
        if (place != at)
            pieces[count++] = (struct iovec){at, (size_t)(place - at)};
        pieces[count++] = (struct iovec){(char *)(uintptr_t)reference->bytes, reference->size};
        at = place;
    }
    if (at != call->end)
        pieces[count++] = (struct iovec){at, (size_t)(call->end - at)};
    return whittle_onc_transmit(client, call, &limits, pieces, count, begun);
}

int whittle_onc_send_batch(struct whittle_onc_client *client, const struct whittle_net_limits *limits)
{
    struct iovec piece;
    if (whittle_onc_batch_piece(client, &piece) == 0)
        return WHITTLE_NET_OK;
    return whittle_onc_transmit(client, NULL, limits, &piece, 1, false);
}

int whittle_onc_send_later(struct whittle_onc_client *client, struct whittle_onc_call *call)
{
    const size_t size = (size_t)(call->end - call->out.base) + call->referred;
    if (client->outbox == NULL)
        client->outbox = whittle_net_buffer_take(&client->pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL);
    if (size > WHITTLE_ONC_BOXED_MOST || client->outbox == NULL || (client->options.fragment != 0 && size > client->options.fragment))
        return whittle_onc_send_with(client, call);
    if (size > WHITTLE_ONC_BATCH - client->batched) {
        struct whittle_net_limits limits;
        whittle_onc_limits_of(call, &limits);
        const int failure = whittle_onc_send_batch(client, &limits);
        if (failure != WHITTLE_NET_OK)
            return failure;
    }
    char *const at = client->outbox->bytes + client->batched;
    memcpy(at, call->out.base, size);
    whittle_put32(at, (uint32_t)(size - WHITTLE_ONC_MARK) | WHITTLE_ONC_LAST);
    __atomic_store_n(&client->batched, client->batched + size, __ATOMIC_RELAXED);
    return WHITTLE_NET_OK;
}

__attribute__((noinline)) int whittle_onc_send_datagram(struct whittle_onc_client *client, struct whittle_onc_call *call)
{
    const char *const base = call->out.base + WHITTLE_ONC_MARK;
    const size_t size = (size_t)(call->end - base);
    for (int tries = 0; tries < 3; tries++) {
        if (send(client->net.stream.fd, base, size, MSG_NOSIGNAL) >= 0)
            return WHITTLE_NET_OK;
        if (errno == EMSGSIZE)
            return WHITTLE_NET_TOO_LARGE;
        if (errno != EINTR && errno != ECONNREFUSED)    /* an earlier one was refused: this one may not be */
            break;
    }
    return errno == ECONNREFUSED ? WHITTLE_NET_REFUSED : WHITTLE_NET_OK;   /* what a full queue drops is sent again */
}

int whittle_onc_resend(struct whittle_net_client *client, struct whittle_net_call *waiting, uint64_t now)
{
    enum { MOST = 16 };     /* times the first interval */
    struct whittle_onc_client *const onc = (struct whittle_onc_client *)(void *)client;
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)waiting - offsetof(struct whittle_onc_call, net));
    if (call->interval < MOST * onc->retransmit)
        call->interval *= 2;
    waiting->again = now + call->interval;
    return whittle_onc_send_datagram(onc, call);
}
