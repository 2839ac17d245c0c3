/* SPDX-License-Identifier: MIT-0 */
/* The client's half of sample.x. */
#include "sample.h"

static char *begin(struct whittle_onc_call *call, struct whittle_onc_client *client, uint32_t procedure)
{
    return whittle_onc_begin(call, client, SAMPLE_PROGRAM, SAMPLE_ONE, procedure);
}

static char *put_word(struct whittle_onc_call *call, char *at, uint32_t word)
{
    at = at == NULL ? NULL : whittle_xdr_out_need(&call->out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, word);
    return at + 4;
}

static char *put_bytes(struct whittle_onc_call *call, char *at, const void *bytes, uint32_t size)
{
    return at == NULL || bytes == NULL ? NULL : whittle_xdr_out_prefixed_bytes(&call->out, at, bytes, size, UINT32_MAX);
}

static const char *get_word(struct whittle_onc_call *call, uint32_t *word)
{
    const char *const at = whittle_xdr_in_need(&call->in, call->at, 4);
    if (at == NULL)
        return NULL;
    *word = whittle_get32(at);
    return at + 4;
}

/* The caller's to free, with a NUL behind. */
static const char *get_bytes(struct whittle_onc_call *call, char **bytes, uint32_t *size)
{
    const char *const at = get_word(call, size);
    if (at == NULL || whittle_xdr_in_need(&call->in, at, whittle_pad4(*size)) == NULL)
        return NULL;
    *bytes = (char *)call->in.allocate(&call->in, 1, *size + 1, NULL);
    if (*bytes == NULL)
        return NULL;
    memcpy(*bytes, at, *size);
    (*bytes)[*size] = 0;
    return at + whittle_pad4(*size);
}

static int end_void(struct whittle_onc_call *call)
{
    return whittle_onc_end(call, call->at);
}

static int end_word(struct whittle_onc_call *call, uint32_t *word)
{
    return whittle_onc_end(call, call->status == WHITTLE_ONC_OK ? get_word(call, word) : NULL);
}

int sample_nothing(struct whittle_onc_client *client)
{
    struct whittle_onc_call call;
    char *const at = begin(&call, client, SAMPLE_NOTHING);
    whittle_onc_exchange(&call, at);
    return end_void(&call);
}

int sample_add_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, int32_t left, int32_t right)
{
    char *const at = put_word(call, begin(call, client, SAMPLE_ADD), (uint32_t)left);
    return whittle_onc_send(call, put_word(call, at, (uint32_t)right));
}

int sample_add_end(struct whittle_onc_call *call, int32_t *sum)
{
    uint32_t word = 0;
    whittle_onc_receive(call);
    const int status = end_word(call, &word);
    *sum = (int32_t)word;
    return status;
}

int sample_upload_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, const void *bytes, uint32_t size)
{
    return whittle_onc_send(call, put_bytes(call, begin(call, client, SAMPLE_UPLOAD), bytes, size));
}

int sample_upload_end(struct whittle_onc_call *call, uint32_t *count)
{
    whittle_onc_receive(call);
    return end_word(call, count);
}

int sample_add(struct whittle_onc_client *client, int32_t left, int32_t right, int32_t *sum)
{
    struct whittle_onc_call call;
    uint32_t word = 0;
    char *const at = put_word(&call, begin(&call, client, SAMPLE_ADD), (uint32_t)left);
    whittle_onc_exchange(&call, put_word(&call, at, (uint32_t)right));
    const int status = end_word(&call, &word);
    *sum = (int32_t)word;
    return status;
}

int sample_upload(struct whittle_onc_client *client, const void *bytes, uint32_t size, uint32_t *count)
{
    struct whittle_onc_call call;
    whittle_onc_exchange(&call, put_bytes(&call, begin(&call, client, SAMPLE_UPLOAD), bytes, size));
    return end_word(&call, count);
}

int sample_download(struct whittle_onc_client *client, uint32_t size, char **bytes, uint32_t *count)
{
    struct whittle_onc_call call;
    whittle_onc_exchange(&call, put_word(&call, begin(&call, client, SAMPLE_DOWNLOAD), size));
    return whittle_onc_end(&call, call.status == WHITTLE_ONC_OK ? get_bytes(&call, bytes, count) : NULL);
}

int sample_rest(struct whittle_onc_client *client, uint32_t milliseconds)
{
    struct whittle_onc_call call;
    whittle_onc_exchange(&call, put_word(&call, begin(&call, client, SAMPLE_REST), milliseconds));
    return end_void(&call);
}

int sample_note(struct whittle_onc_client *client, int32_t number)
{
    struct whittle_onc_call call;
    whittle_onc_post(&call, put_word(&call, begin(&call, client, SAMPLE_NOTE), (uint32_t)number));
    return end_void(&call);
}

int sample_noted(struct whittle_onc_client *client, uint32_t *sum)
{
    struct whittle_onc_call call;
    char *const at = begin(&call, client, SAMPLE_NOTED);
    whittle_onc_exchange(&call, at);
    return end_word(&call, sum);
}

int sample_fail(struct whittle_onc_client *client, int32_t status)
{
    struct whittle_onc_call call;
    whittle_onc_exchange(&call, put_word(&call, begin(&call, client, SAMPLE_FAIL), (uint32_t)status));
    return end_void(&call);
}

int sample_echo(struct whittle_onc_client *client, const char *text, char **echoed)
{
    struct whittle_onc_call call;
    uint32_t size;
    char *const at = begin(&call, client, SAMPLE_ECHO);
    whittle_onc_exchange(&call, put_bytes(&call, at, text, text == NULL ? 0 : (uint32_t)strlen(text)));
    return whittle_onc_end(&call, call.status == WHITTLE_ONC_OK ? get_bytes(&call, echoed, &size) : NULL);
}

int sample_who(struct whittle_onc_client *client, uint32_t *user)
{
    struct whittle_onc_call call;
    char *const at = begin(&call, client, SAMPLE_WHO);
    whittle_onc_exchange(&call, at);
    return end_word(&call, user);
}
