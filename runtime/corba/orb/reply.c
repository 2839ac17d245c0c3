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

static char *whittle_reply_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_request *const request = whittle_request_of(out);
    struct whittle_buffer *const old = request->buffer;
    const size_t used = (size_t)(at - old->bytes), base = (size_t)(out->base - old->bytes);
    if (more > UINT32_MAX / 2 || used > UINT32_MAX / 2)
        return NULL;
    struct whittle_buffer *const grown = whittle_buffer_grow(&request->orb->pool, old, used, used + more);
    if (grown == NULL)
        return NULL;
    request->buffer = grown;
    out->base = grown->bytes + base;
    out->end = grown->bytes + grown->room;
    return grown->bytes + used;
}

void whittle_request_open(struct whittle_request *request, CORBA_ORB orb, struct whittle_connection *connection,
                          const struct whittle_message *message)
{
    request->message = *message;
    request->orb = orb;
    request->connection = connection;
    request->here = NULL;
    request->buffer = NULL;
    request->adapter = NULL;
    request->key = NULL;
    request->operation = "";
    request->operation_length = 1;
    request->answered = request->locating = request->waits = false;
    request->chunks = NULL;
    request->later = NULL;
    request->arena = request->arena_end = NULL;
    request->in = (struct whittle_cdr_in){.borrow = true, .allocate = whittle_request_allocate};
}

void whittle_request_close(struct whittle_request *request)
{
    whittle_arena_close(request);
    whittle_buffer_give(&request->orb->pool, request->buffer);
    whittle_buffer_give(&request->orb->pool, request->message.buffer);
}

static char *whittle_reply_head(struct whittle_request *request, enum whittle_message_type type, uint32_t status)
{
    if (request->buffer == NULL)
        request->buffer = whittle_buffer_take(&request->orb->pool, 0, 0);
    if (request->buffer == NULL)
        return NULL;
    char *const base = request->buffer->bytes;
    const bool late = request->version < 2 && type == WHITTLE_REPLY;
    const uint32_t words[3] = {late ? 0 : request->id, late ? request->id : status, late ? status : 0};
    request->out.base = base;
    request->out.end = base + request->buffer->room;
    request->out.grow = whittle_reply_grow;
    request->out.refer = NULL;
    whittle_put_header(base, request->version, type);
    whittle_poke_words(base + WHITTLE_HEADER, words, 3);
    return base + (type == WHITTLE_REPLY ? WHITTLE_REPLY_HEADER : WHITTLE_HEADER + 8);
}

static void whittle_reply_send(struct whittle_request *request, char *end)
{
    char *const base = request->out.base;
    request->answered = true;
    if (request->here != NULL) {
        struct whittle_call *const call = request->here;
        whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(end - base - WHITTLE_HEADER));
        call->reply = (struct whittle_message){request->buffer, base, end};
        call->at = base + WHITTLE_HEADER + 4;
    } else {
        whittle_outgoing(request->connection, request->buffer, base, end, request->orb->options.fragment);
    }
    request->buffer = NULL;
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

static void whittle_reply_failure(struct whittle_request *request, const char *id, uint32_t minor, uint32_t completed)
{
    if (!request->waits || request->answered)
        return;
    char *const at = whittle_reply_head(request, WHITTLE_REPLY, WHITTLE_SYSTEM_EXCEPTION_REPLY);
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
    whittle_reply_failure(request, ex_CORBA_MARSHAL, 0, CORBA_COMPLETED_NO);
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
