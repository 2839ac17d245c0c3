/* SPDX-License-Identifier: MIT-0 */
/*
 * Messages onto a client's socket: one system call each, or for many together. What the server sends meanwhile is read when it
 * takes no more: it may be waiting for us to.
 */
#include "client.h"
#include <errno.h>
#include <poll.h>

enum { WHITTLE_ONC_BOX = WHITTLE_ONC_SMALL, WHITTLE_ONC_BOXED_MOST = 4096 };

/* The socket takes no more: until it does, what comes is read. */
WHITTLE_ONC_RARE static void whittle_onc_send_wait(struct whittle_onc_client *client)
{
    struct pollfd watched = {.fd = client->fd, .events = POLLOUT};
    pthread_mutex_lock(&client->lock);
    watched.events |= client->reading ? 0 : POLLIN;
    pthread_mutex_unlock(&client->lock);
    if (poll(&watched, 1, (int)(WHITTLE_ONC_SLICE / WHITTLE_ONC_MILLISECOND)) <= 0 || (watched.revents & ~POLLOUT) == 0)
        return;
    pthread_mutex_lock(&client->lock);
    if (!client->reading && client->open)
        whittle_onc_read_once(client, MSG_DONTWAIT);
    whittle_onc_hand_over(client);
    pthread_mutex_unlock(&client->lock);
}

/* All of it. `call`, where there is one, says until when; `begun`: it cannot be made anew when nothing of it goes. */
static int whittle_onc_send_all(struct whittle_onc_client *client, const struct whittle_onc_call *call, struct iovec *pieces, int count,
                                bool begun)
{
    const uint64_t until = call != NULL ? call->deadline : client->timeout == 0 ? 0 : whittle_onc_now() + client->timeout;
    const uint32_t epoch = call != NULL ? call->epoch : __atomic_load_n(client->epochs, __ATOMIC_RELAXED);
    bool alone = false, looked = false;
    while (count > 0) {
        const ssize_t sent = whittle_onc_send_pieces(client->fd, pieces, count, alone ? 0 : MSG_DONTWAIT);
        if (sent >= 0) {
            begun = true;
            count = whittle_onc_pieces_left(&pieces, count, (size_t)sent);
        } else if (errno != EAGAIN && errno != EINTR) {
            return begun ? WHITTLE_ONC_LOST : WHITTLE_ONC_NOT_BEGUN;
        } else {
            if (!whittle_onc_client_goes_on(client, epoch))
                return WHITTLE_ONC_CANCELLED;
            if (until != 0 && whittle_onc_now() >= until)
                return WHITTLE_ONC_TIMED_OUT;
            if (!alone)
                whittle_onc_send_wait(client);
        }
        if (count > 0 && !looked) {     /* nobody else waits: no reply can hold the server up */
            pthread_mutex_lock(&client->lock);
            alone = client->first == call && client->last == call && !client->hasty;
            pthread_mutex_unlock(&client->lock);
            looked = true;
        }
    }
    return WHITTLE_ONC_OK;
}

/* In fragments (RFC 5531, section 11), behind what stands in `pieces` already. */
WHITTLE_ONC_RARE static int whittle_onc_send_fragments(struct whittle_onc_client *client, const struct whittle_onc_call *call, struct iovec *pieces, int count)
{
    enum { BATCH = 32 };
    char marks[BATCH][WHITTLE_ONC_MARK];
    const char *at = call->out.base + WHITTLE_ONC_MARK;
    const size_t fragment = client->options.fragment;
    int status = WHITTLE_ONC_OK, used = 0;
    while (at < call->end && status == WHITTLE_ONC_OK) {
        const size_t left = (size_t)(call->end - at), size = left < fragment ? left : fragment;
        whittle_put32(marks[used], (uint32_t)size | (size == left ? WHITTLE_ONC_LAST : 0));
        pieces[count++] = (struct iovec){marks[used++], WHITTLE_ONC_MARK};
        pieces[count++] = (struct iovec){(char *)(uintptr_t)at, size};
        at += size;
        if (used == BATCH || at == call->end) {
            status = whittle_onc_send_all(client, call, pieces, count, true);
            used = count = 0;
        }
    }
    return status;
}

/* After a failure the record is not whole: nothing can follow it. What the server said before it hung up may still be read. */
WHITTLE_ONC_RARE static int whittle_onc_not_sent(struct whittle_onc_client *client, int status)
{
    pthread_mutex_lock(&client->lock);
    for (int times = 0; times < 16 && client->open && !client->reading; times++)
        whittle_onc_read_once(client, MSG_DONTWAIT);
    whittle_onc_client_fail(client, WHITTLE_ONC_LOST);
    pthread_mutex_unlock(&client->lock);
    return status;
}

static int whittle_onc_sent(struct whittle_onc_client *client, int status)
{
    return status == WHITTLE_ONC_OK ? status : whittle_onc_not_sent(client, status);
}

/* What waits, as a piece. */
static int whittle_onc_boxed_piece(struct whittle_onc_client *client, struct iovec *piece)
{
    if (client->boxed == 0)
        return 0;
    *piece = (struct iovec){client->outbox->bytes, client->boxed};
    __atomic_store_n(&client->boxed, 0, __ATOMIC_RELAXED);
    return 1;
}

int whittle_onc_send_with(struct whittle_onc_client *client, const struct whittle_onc_call *call)
{
    struct iovec pieces[66];
    const size_t size = (size_t)(call->end - call->out.base) + call->referred;
    int count = whittle_onc_boxed_piece(client, pieces);
    const bool begun = count > 0;       /* others' messages */
    if (client->options.fragment != 0 && size - WHITTLE_ONC_MARK > client->options.fragment)
        return whittle_onc_sent(client, whittle_onc_send_fragments(client, call, pieces, count));
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
    return whittle_onc_sent(client, whittle_onc_send_all(client, call, pieces, count, begun));
}

int whittle_onc_send_boxed(struct whittle_onc_client *client)
{
    struct iovec piece;
    if (whittle_onc_boxed_piece(client, &piece) == 0)
        return WHITTLE_ONC_OK;
    return whittle_onc_sent(client, whittle_onc_send_all(client, NULL, &piece, 1, false));
}

int whittle_onc_send_later(struct whittle_onc_client *client, const struct whittle_onc_call *call)
{
    const size_t size = (size_t)(call->end - call->out.base) + call->referred;
    if (client->outbox == NULL)
        client->outbox = whittle_onc_buffer_take(&client->pool, WHITTLE_ONC_SMALL, WHITTLE_ONC_SMALL);
    if (size > WHITTLE_ONC_BOXED_MOST || client->outbox == NULL || (client->options.fragment != 0 && size > client->options.fragment))
        return whittle_onc_send_with(client, call);
    if (size > WHITTLE_ONC_BOX - client->boxed) {
        const int status = whittle_onc_send_boxed(client);
        if (status != WHITTLE_ONC_OK)
            return status;
    }
    char *const at = client->outbox->bytes + client->boxed;
    memcpy(at, call->out.base, size);
    whittle_put32(at, (uint32_t)(size - WHITTLE_ONC_MARK) | WHITTLE_ONC_LAST);
    __atomic_store_n(&client->boxed, client->boxed + size, __ATOMIC_RELAXED);
    return WHITTLE_ONC_OK;
}

__attribute__((noinline)) int whittle_onc_send_datagram(struct whittle_onc_client *client, const struct whittle_onc_call *call)
{
    const char *const base = call->out.base + WHITTLE_ONC_MARK;
    const size_t size = (size_t)(call->end - base);
    for (int tries = 0; tries < 3; tries++) {
        if (send(client->fd, base, size, MSG_NOSIGNAL) >= 0)
            return WHITTLE_ONC_OK;
        if (errno == EMSGSIZE)
            return WHITTLE_ONC_TOO_LARGE;
        if (errno != EINTR && errno != ECONNREFUSED)    /* an earlier one was refused: this one may not be */
            break;
    }
    return errno == ECONNREFUSED ? WHITTLE_ONC_REFUSED : WHITTLE_ONC_OK;   /* what a full queue drops is sent again */
}
