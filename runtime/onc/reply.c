/* SPDX-License-Identifier: MIT-0 */
/*
 * Replies. A reply is written behind those that wait on the same connection, so that all leave together; where requests of a
 * connection are served at the same time, and to a datagram, it has a buffer of its own.
 */
#include "server.h"

enum { WHITTLE_ONC_ROOM = 512, WHITTLE_ONC_FLUSH_AT = 256 * 1024 };

WHITTLE_ONC_RARE static char *whittle_onc_reply_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    struct whittle_onc_request *const request =
        (struct whittle_onc_request *)(void *)((char *)out - offsetof(struct whittle_onc_request, out));
    struct whittle_onc_pool *const pool = &request->server->pool;
    struct whittle_onc_buffer *const old = request->buffer;
    const size_t used = (size_t)(at - out->base), least = used + more;
    const size_t most = request->connection == NULL ? (size_t)WHITTLE_ONC_DATAGRAM : (size_t)INT32_MAX;
    const size_t twice = 2 * used > WHITTLE_ONC_SMALL ? 2 * used : least;
    struct whittle_onc_buffer *const fresh =
        more > most || used + more > most ? NULL : whittle_onc_buffer_take(pool, least < twice ? twice : least, least);
    if (fresh == NULL)
        return NULL;
    memcpy(fresh->bytes, out->base, used);
    if (!request->shared)
        whittle_onc_buffer_give(pool, old);
    request->shared = false;
    request->buffer = fresh;
    request->base = 0;
    out->base = fresh->bytes;
    out->end = fresh->bytes + fresh->room;
    return out->base + used;
}

char *whittle_onc_reply_room(struct whittle_onc_request *request)
{
    struct whittle_onc_server *const server = request->server;
    struct whittle_onc_buffer *buffer = request->buffer;
    if (buffer == NULL && request->connection != NULL && !server->overtaking) {
        buffer = request->connection->tail;
        request->shared = buffer != NULL && buffer->room - buffer->to >= WHITTLE_ONC_ROOM;
        request->base = request->shared ? buffer->to : 0;
    }
    if (request->buffer == NULL && !request->shared) {
        buffer = whittle_onc_buffer_take(&server->pool, WHITTLE_ONC_SMALL, WHITTLE_ONC_SMALL);
        request->base = 0;
    }
    request->buffer = buffer;
    if (buffer == NULL)
        return NULL;
    request->out = (struct whittle_xdr_out){buffer->bytes + request->base, buffer->bytes + buffer->room, whittle_onc_reply_grow, NULL};
    whittle_put32(request->out.base + WHITTLE_ONC_MARK, request->xid);
    return request->out.base + WHITTLE_ONC_MARK;
}

WHITTLE_ONC_FLAT char *whittle_onc_reply(struct whittle_onc_request *request)
{
    static const char usual[WHITTLE_ONC_REPLY_HEADER - 4] = {0, 0, 0, WHITTLE_ONC_REPLY};
    char *const at = whittle_onc_reply_room(request);
    if (at == NULL)
        return NULL;
    memcpy(at + 4, usual, sizeof usual);
    return at + WHITTLE_ONC_REPLY_HEADER;
}

/* Cut into fragments, in another buffer; NULL: no memory. */
WHITTLE_ONC_RARE static struct whittle_onc_buffer *whittle_onc_reply_cut(struct whittle_onc_server *server, const char *bytes, size_t size)
{
    const size_t fragment = server->options.fragment, count = (size + fragment - 1) / fragment;
    const size_t least = size + count * WHITTLE_ONC_MARK;
    struct whittle_onc_buffer *const cut = whittle_onc_buffer_take(&server->pool, least, least);
    for (size_t done = 0; cut != NULL && done < size;) {
        const size_t each = size - done < fragment ? size - done : fragment;
        whittle_put32(cut->bytes + cut->to, (uint32_t)each | (done + each == size ? WHITTLE_ONC_LAST : 0));
        memcpy(cut->bytes + cut->to + WHITTLE_ONC_MARK, bytes + done, each);
        cut->to += WHITTLE_ONC_MARK + each;
        done += each;
    }
    return cut;
}

/* Into the connection's queue; the buffer is the queue's then. */
static void whittle_onc_reply_queue(struct whittle_onc_request *request, char *at)
{
    struct whittle_onc_connection *const connection = request->connection;
    struct whittle_onc_server *const server = request->server;
    const size_t size = (size_t)(at - request->out.base);
    const size_t fragment = server->options.fragment;
    if (fragment != 0 && size - WHITTLE_ONC_MARK > fragment) {
        struct whittle_onc_buffer *const cut = whittle_onc_reply_cut(server, request->out.base + WHITTLE_ONC_MARK, size - WHITTLE_ONC_MARK);
        if (cut != NULL)
            whittle_onc_enqueue(connection, cut);
        else
            connection->ended = true;
        return;
    }
    whittle_put32(request->out.base, (uint32_t)(size - WHITTLE_ONC_MARK) | WHITTLE_ONC_LAST);
    if (request->shared) {
        request->buffer->to += size;
        connection->queued += size;
    } else {
        request->buffer->from = request->base;
        request->buffer->to = request->base + size;
        whittle_onc_enqueue(connection, request->buffer);
    }
    request->buffer = NULL;
}

void whittle_onc_reply_done(struct whittle_onc_request *request, char *at)
{
    struct whittle_onc_connection *const connection = request->connection;
    request->answered = true;
    if (connection == NULL) {
        whittle_onc_datagram_answer(request, request->out.base + WHITTLE_ONC_MARK, (size_t)(at - request->out.base) - WHITTLE_ONC_MARK);
        return;
    }
    whittle_onc_hold(request->server, &connection->lock);
    const bool waits = connection->queue != NULL;
    whittle_onc_reply_queue(request, at);
    if (request->server->overtaking ? !waits : connection->queued >= WHITTLE_ONC_FLUSH_AT)
        if (!whittle_onc_flush(connection))
            shutdown(connection->fd, SHUT_RDWR);    /* whoever handles it sees its end */
    if (request->server->overtaking && waits)
        whittle_onc_count_waiting(connection);
    connection->full = connection->queued > request->server->options.pending;
    whittle_onc_let_go(request->server, &connection->lock);
}

WHITTLE_ONC_FLAT void whittle_onc_answer(struct whittle_onc_request *request, char *at)
{
    if (at != NULL && !request->answered)
        whittle_onc_reply_done(request, at);
    else
        whittle_onc_refuse(request, WHITTLE_ONC_SYSTEM_ERROR);
}

void whittle_onc_reply_close(struct whittle_onc_request *request)
{
    if (request->buffer != NULL && !request->shared)
        whittle_onc_buffer_give(&request->server->pool, request->buffer);
    request->buffer = NULL;
}
