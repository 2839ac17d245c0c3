/* SPDX-License-Identifier: MIT-0 */
/* The server's half of sample.x. */
#include "sample.h"

static bool get_word(struct whittle_onc_request *request, uint32_t *word)
{
    request->at = whittle_xdr_in_need(&request->in, request->at, 4);
    if (request->at == NULL) {
        whittle_onc_garbage(request);
        return false;
    }
    *word = whittle_get32(request->at);
    request->at += 4;
    return true;
}

/* Borrowed from the message. */
static bool get_bytes(struct whittle_onc_request *request, const char **bytes, uint32_t *size)
{
    if (!get_word(request, size))
        return false;
    *bytes = whittle_xdr_in_need(&request->in, request->at, whittle_pad4(*size));
    if (*bytes == NULL)
        whittle_onc_garbage(request);
    return *bytes != NULL;
}

static char *put_bytes(struct whittle_onc_request *request, const char *bytes, uint32_t size)
{
    const size_t padded = whittle_pad4(size);
    char *at = whittle_onc_reply(request);
    at = at == NULL ? NULL : whittle_xdr_out_need(&request->out, at, 4 + padded);
    if (at == NULL)
        return NULL;
    whittle_put32(at, size);
    memcpy(at + 4, bytes, size);
    memset(at + 4 + size, 0, padded - size);
    return at + 4 + padded;
}

static void answer_void(struct whittle_onc_request *request, int status)
{
    if (status < 0)
        whittle_onc_refuse(request, status);
    else
        whittle_onc_answer(request, whittle_onc_reply(request));
}

static void answer_word(struct whittle_onc_request *request, int status, uint32_t word)
{
    if (status < 0) {
        whittle_onc_refuse(request, status);
        return;
    }
    char *at = whittle_onc_reply(request);
    at = at == NULL ? NULL : whittle_xdr_out_need(&request->out, at, 4);
    if (at != NULL) {
        whittle_put32(at, word);
        at += 4;
    }
    whittle_onc_answer(request, at);
}

static void serve_bytes(const struct sample_operations *operations, void *context, struct whittle_onc_request *request)
{
    const char *bytes;
    uint32_t size, count = 0;
    if (request->procedure == SAMPLE_DOWNLOAD) {
        if (!get_word(request, &size))
            return;
        const int status = operations->download(context, size, &bytes);
        if (status < 0)
            whittle_onc_refuse(request, status);
        else
            whittle_onc_answer(request, put_bytes(request, bytes, size));
    } else if (get_bytes(request, &bytes, &size)) {
        if (request->procedure == SAMPLE_ECHO) {
            whittle_onc_answer(request, put_bytes(request, bytes, size));
        } else {
            const int status = operations->upload(context, bytes, size, &count);
            answer_word(request, status, count);
        }
    }
}

static void serve_words(const struct sample_operations *operations, void *context, struct whittle_onc_request *request)
{
    uint32_t first, second, result = 0;
    int32_t sum = 0;
    int status;
    if (!get_word(request, &first))
        return;
    switch (request->procedure) {
    case SAMPLE_ADD:
        if (!get_word(request, &second))
            return;
        status = operations->add(context, (int32_t)first, (int32_t)second, &sum);
        result = (uint32_t)sum;
        answer_word(request, status, result);
        break;
    case SAMPLE_REST: answer_void(request, operations->rest(context, first)); break;
    case SAMPLE_NOTE: operations->note(context, (int32_t)first); break;
    default: answer_void(request, operations->fail(context, (int32_t)first)); break;
    }
}

static void dispatch(const void *opaque, void *context, struct whittle_onc_request *request)
{
    const struct sample_operations *const operations = (const struct sample_operations *)opaque;
    uint32_t result = 0;
    int status;
    switch (request->procedure) {
    case SAMPLE_NOTHING: answer_void(request, 0); break;
    case SAMPLE_UPLOAD:
    case SAMPLE_DOWNLOAD:
    case SAMPLE_ECHO: serve_bytes(operations, context, request); break;
    case SAMPLE_ADD:
    case SAMPLE_REST:
    case SAMPLE_NOTE:
    case SAMPLE_FAIL: serve_words(operations, context, request); break;
    case SAMPLE_NOTED:
        status = operations->noted(context, &result);
        answer_word(request, status, result);
        break;
    case SAMPLE_WHO:
        status = operations->who(context, &result);
        answer_word(request, status, result);
        break;
    default: whittle_onc_unknown(request); break;
    }
}

int sample_serve(struct whittle_onc_server *server, const struct sample_operations *operations, void *context)
{
    static const struct whittle_onc_program program = {SAMPLE_PROGRAM, SAMPLE_ONE, dispatch};
    return whittle_onc_serve(server, &program, operations, context);
}
