/* SPDX-License-Identifier: MIT-0 */
/*
 * Replies. Their bodies begin 24 bytes from their beginning with every version, as there are no contexts in them. Source:
 * CORBA 3.3 part 2, sections 9.4.3 and 9.4.6.
 */
#include "parts.h"

static struct whittle_request *whittle_request_of(struct whittle_cdr_out *out)
{
    return (struct whittle_request *)(void *)((char *)out - offsetof(struct whittle_request, out));
}

static struct whittle_net_pool *whittle_request_buffers(struct whittle_request *request)
{
    return request->connection != NULL ? &request->orb->net.pool : &request->orb->pool;
}

/* The reply's buffer for a call within this process is the call's later. */
static char *whittle_reply_grow_here(struct whittle_request *request, size_t used, size_t least)
{
    struct whittle_net_buffer *const grown = whittle_net_buffer_grow(&request->orb->pool, request->output.buffer, used, least);
    if (grown == NULL)
        return NULL;
    request->output.buffer = grown;
    return grown->bytes;
}

static char *whittle_reply_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_request *const request = whittle_request_of(out);
    struct whittle_net_output *const output = &request->output;
    const size_t used = (size_t)(at - out->base);
    if (more > UINT32_MAX / 2 || used > UINT32_MAX / 2)
        return NULL;
    char *const base = request->connection == NULL ? whittle_reply_grow_here(request, used, used + more)
        : whittle_net_output_grow(&request->orb->net, output, used, used + more, UINT32_MAX);
    if (base == NULL)
        return NULL;
    out->base = base;
    out->end = output->buffer->bytes + output->buffer->room;
    return base + used;
}

void whittle_request_open(struct whittle_request *request, CORBA_ORB orb, struct whittle_net_connection *connection,
                          const struct whittle_net_message *message)
{
    request->message = *message;
    request->orb = orb;
    request->connection = connection;
    request->here = NULL;
    request->output.buffer = NULL;
    request->adapter = NULL;
    request->key = NULL;
    request->operation = "";
    request->operation_length = 1;
    request->answered = request->locating = request->waits = false;
    whittle_storage_open(request);
}

void whittle_request_close(struct whittle_request *request)
{
    whittle_storage_close(request);
    if (request->connection != NULL)
        whittle_net_output_drop(&request->orb->net, &request->output);
    else
        whittle_net_buffer_give(&request->orb->pool, request->output.buffer);
    whittle_net_buffer_give(whittle_request_buffers(request), request->message.buffer);
}

/* Where the reply goes. NULL: no memory. */
static char *whittle_reply_open(struct whittle_request *request)
{
    struct whittle_net_output *const output = &request->output;
    if (output->buffer != NULL)     /* another had been begun */
        return output->buffer->bytes + output->base;
    if (request->connection != NULL)
        return whittle_net_output_open(&request->orb->net, request->connection, output);
    *output = (struct whittle_net_output){.buffer = whittle_net_buffer_take(&request->orb->pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL)};
    return output->buffer == NULL ? NULL : output->buffer->bytes;
}

static char *whittle_reply_head(struct whittle_request *request, enum whittle_message_type type, uint32_t status)
{
    char *const base = whittle_reply_open(request);
    if (base == NULL)
        return NULL;
    const bool late = request->version < 2 && type == WHITTLE_REPLY;
    const uint32_t words[3] = {late ? 0 : request->id, late ? request->id : status, late ? status : 0};
    request->out.base = base;
    request->out.end = request->output.buffer->bytes + request->output.buffer->room;
    request->out.grow = whittle_reply_grow;
    request->out.refer = NULL;
    request->out.depth = request->out.level = 0;
    whittle_put_header(base, request->version, type);
    whittle_poke_words(base + WHITTLE_HEADER, words, 3);
    return base + (type == WHITTLE_REPLY ? WHITTLE_REPLY_HEADER : WHITTLE_HEADER + 8);
}

/* In fragments: as they go out they have a buffer of their own. false: no memory, and nothing is sent. */
static bool whittle_reply_fragments(struct whittle_request *request, char *base, char *end, size_t fragment)
{
    struct whittle_net_server *const server = &request->orb->net;
    const size_t size = whittle_fragmented_size((size_t)(end - base), fragment);
    struct whittle_net_output fragments = {.buffer = whittle_net_buffer_take(&server->pool, size, size)};
    if (fragments.buffer == NULL)
        return false;
    whittle_fragmented_write(fragments.buffer->bytes, base, end, fragment);
    whittle_net_output_drop(server, &request->output);
    whittle_net_output_send(request->connection, &fragments, size);
    return true;
}

static void whittle_reply_send(struct whittle_request *request, char *end)
{
    char *const base = request->out.base;
    const size_t size = (size_t)(end - base), fragment = request->orb->options.fragment;
    request->answered = true;
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(size - WHITTLE_HEADER));
    if (request->here != NULL)
        request->here->net.reply = (struct whittle_net_message){request->output.buffer, base, end};
    else if (fragment == 0 || size <= fragment || request->version < 2 || !whittle_reply_fragments(request, base, end, fragment))
        whittle_net_output_send(request->connection, &request->output, size);
    request->output.buffer = NULL;
}

char *whittle_reply_begin(struct whittle_request *request, enum whittle_answer answer)
{
    const enum whittle_reply_status status = answer == WHITTLE_ANSWER_EXCEPTION ? WHITTLE_USER_EXCEPTION : WHITTLE_NO_EXCEPTION;
    return !request->waits || request->answered ? NULL : whittle_reply_head(request, WHITTLE_REPLY, status);
}

char *whittle_reply_id(struct whittle_request *request, char *at, const char *repository_id, uint32_t size)
{
    at = at == NULL ? NULL : whittle_cdr_out_align_and(&request->out, at, 4, (size_t)size + 4);
    if (at == NULL)
        return NULL;
    whittle_poke32(at, size);
    memcpy(at + 4, repository_id, size);
    return at + 4 + size;
}

static char *whittle_system_write(struct whittle_request *request, char *at, const char *id, uint32_t minor, uint32_t completed)
{
    at = whittle_reply_id(request, at, id, (uint32_t)strlen(id) + 1);
    at = at == NULL ? NULL : whittle_cdr_out_align_and(&request->out, at, 4, 8);
    if (at == NULL)
        return NULL;
    whittle_poke32(at, minor);
    whittle_poke32(at + 4, completed);
    return at + 8;
}

/* To a LocateRequest only GIOP 1.2 can say so; who asks before is to find out by a request. */
static void whittle_reply_failure(struct whittle_request *request, const char *id, uint32_t minor, uint32_t completed)
{
    if (!request->waits || request->answered)
        return;
    if (request->locating && request->version < 2) {
        whittle_reply_locate(request, WHITTLE_OBJECT_HERE);
        return;
    }
    char *const at = request->locating ? whittle_reply_head(request, WHITTLE_LOCATE_REPLY, WHITTLE_LOCATE_SYSTEM_EXCEPTION)
                                       : whittle_reply_head(request, WHITTLE_REPLY, WHITTLE_SYSTEM_EXCEPTION_REPLY);
    char *const end = whittle_system_write(request, at, id, minor, completed);
    if (end != NULL)
        whittle_reply_send(request, end);
}

void whittle_reply_end(struct whittle_request *request, char *at)
{
    if (!request->waits || request->answered)
        return;
    if (at != NULL)
        whittle_reply_send(request, at);
    else
        whittle_reply_failure(request, ex_CORBA_MARSHAL, 0, CORBA_COMPLETED_YES);
}

void whittle_reply_system(struct whittle_request *request, CORBA_Environment *ev)
{
    if (ev->_major == CORBA_SYSTEM_EXCEPTION)
        whittle_reply_failure(request, ev->_id, ev->_system.minor, (uint32_t)ev->_system.completed);
    else
        whittle_reply_failure(request, ex_CORBA_UNKNOWN, WHITTLE_OMG | 1, CORBA_COMPLETED_MAYBE);
}

void whittle_request_marshal(struct whittle_request *request)
{
    if (request->too_large)
        whittle_reply_failure(request, ex_CORBA_NO_MEMORY, WHITTLE_OUT_OF_BOUNDS, CORBA_COMPLETED_NO);
    else
        whittle_reply_failure(request, ex_CORBA_MARSHAL, 0, CORBA_COMPLETED_NO);
}

void whittle_reply_refuse(struct whittle_request *request)
{
    whittle_reply_failure(request, ex_CORBA_NO_RESOURCES, WHITTLE_OUT_OF_BOUNDS, CORBA_COMPLETED_NO);
}

void whittle_request_unknown(struct whittle_request *request)
{
    whittle_reply_failure(request, ex_CORBA_BAD_OPERATION, WHITTLE_OMG | 2, CORBA_COMPLETED_NO);
}

void whittle_request_unimplemented(struct whittle_request *request)
{
    whittle_reply_failure(request, ex_CORBA_NO_IMPLEMENT, 0, CORBA_COMPLETED_NO);
}

void whittle_reply_locate(struct whittle_request *request, enum whittle_locate_status status)
{
    char *const at = whittle_reply_head(request, WHITTLE_LOCATE_REPLY, status);
    if (at != NULL)
        whittle_reply_send(request, at);
}

/* The caller is to ask there. */
void whittle_reply_forward(struct whittle_request *request, CORBA_Object forward)
{
    if (!request->waits || request->answered)
        return;
    const bool locating = request->locating;
    char *at = whittle_reply_head(request, locating ? WHITTLE_LOCATE_REPLY : WHITTLE_REPLY,
                                  locating ? (uint32_t)WHITTLE_OBJECT_FORWARD : (uint32_t)WHITTLE_LOCATION_FORWARD);
    at = at == NULL ? NULL : whittle_cdr_out_object(&request->out, at, &forward);
    if (at != NULL)
        whittle_reply_send(request, at);
}
