/* SPDX-License-Identifier: MIT-0 */
/* Replies: their headers, their marks, fragments. Where they are written: net/outgoing.c. */
#include "server.h"

static struct whittle_onc_request *whittle_onc_request_of(struct whittle_xdr_out *out)
{
    return (struct whittle_onc_request *)(void *)((char *)out - offsetof(struct whittle_onc_request, out));
}

WHITTLE_NET_COLD static char *whittle_onc_reply_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    struct whittle_onc_request *const request = whittle_onc_request_of(out);
    const size_t used = (size_t)(at - out->base);
    const size_t most = request->connection == NULL ? (size_t)WHITTLE_ONC_DATAGRAM : (size_t)INT32_MAX;
    char *const base = more > most ? NULL : whittle_net_output_grow(&request->server->net, &request->output, used, used + more, most);
    if (base == NULL)
        return NULL;
    out->base = base;
    out->end = request->output.buffer->bytes + request->output.buffer->room;
    return base + used;
}

char *whittle_onc_reply_room(struct whittle_onc_request *request)
{
    struct whittle_net_output *const output = &request->output;
    /* What there is of another reply is overwritten. */
    char *const base = output->buffer != NULL ? output->buffer->bytes + output->base
        : whittle_net_output_open(&request->server->net, request->connection, output);
    if (base == NULL)
        return NULL;
    request->out = (struct whittle_xdr_out){base, output->buffer->bytes + output->buffer->room, whittle_onc_reply_grow, NULL, 0};
    whittle_put32(base + WHITTLE_ONC_MARK, request->xid);
    return base + WHITTLE_ONC_MARK;
}

WHITTLE_NET_HOT WHITTLE_NET_FLATTEN char *whittle_onc_reply(struct whittle_onc_request *request)
{
    static const char usual[WHITTLE_ONC_REPLY_HEADER - 4] = {0, 0, 0, WHITTLE_ONC_REPLY};
    char *const at = whittle_onc_reply_room(request);
    if (at == NULL)
        return NULL;
    memcpy(at + 4, usual, sizeof usual);
    return at + WHITTLE_ONC_REPLY_HEADER;
}

/* Cut into fragments, in another buffer. */
WHITTLE_NET_COLD static void whittle_onc_reply_cut(struct whittle_onc_request *request, size_t size)
{
    struct whittle_net_server *const net = &request->server->net;
    const size_t fragment = request->server->options.fragment, count = (size + fragment - 1) / fragment;
    const size_t least = size + count * WHITTLE_ONC_MARK;
    const char *const bytes = request->out.base + WHITTLE_ONC_MARK;
    struct whittle_net_buffer *const cut = whittle_net_buffer_take(&net->pool, least, least);
    size_t to = 0;
    for (size_t done = 0; cut != NULL && done < size;) {
        const size_t each = size - done < fragment ? size - done : fragment;
        whittle_put32(cut->bytes + to, (uint32_t)each | (done + each == size ? WHITTLE_ONC_LAST : 0));
        memcpy(cut->bytes + to + WHITTLE_ONC_MARK, bytes + done, each);
        to += WHITTLE_ONC_MARK + each;
        done += each;
    }
    whittle_net_output_drop(net, &request->output);
    if (cut == NULL) {
        whittle_net_end_reading(request->connection);
        return;
    }
    request->output = (struct whittle_net_output){.buffer = cut};
    whittle_net_output_send(request->connection, &request->output, to);
}

void whittle_onc_reply_done(struct whittle_onc_request *request, char *at)
{
    const size_t size = (size_t)(at - request->out.base) - WHITTLE_ONC_MARK, fragment = request->server->options.fragment;
    request->answered = true;
    if (request->connection == NULL) {
        whittle_onc_datagram_answer(request, request->out.base + WHITTLE_ONC_MARK, size);
    } else if (fragment != 0 && size > fragment) {
        whittle_onc_reply_cut(request, size);
    } else {
        whittle_put32(request->out.base, (uint32_t)size | WHITTLE_ONC_LAST);
        whittle_net_output_send(request->connection, &request->output, size + WHITTLE_ONC_MARK);
    }
}

WHITTLE_NET_HOT WHITTLE_NET_FLATTEN void whittle_onc_answer(struct whittle_onc_request *request, char *at)
{
    if (at != NULL && !request->answered)
        whittle_onc_reply_done(request, at);
    else
        whittle_onc_refuse(request, WHITTLE_ONC_SYSTEM_ERROR);
}
