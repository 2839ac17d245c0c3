/* SPDX-License-Identifier: MIT-0 */
/* Calls to rpcbind: rpcbind.h. Source: RFC 1833, sections 2.1 and 3. */
#include "rpcbind.h"
#include <stdio.h>

static char *whittle_onc_text_out(struct whittle_onc_call *call, char *at, const char *text)
{
    const size_t length = strlen(text), padded = whittle_pad4(length);
    at = at == NULL ? NULL : whittle_xdr_out_need(&call->out, at, 4 + padded);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)length);
    memset(at + 4, 0, padded);
    memcpy(at + 4, text, length);
    return at + 4 + padded;
}

static char *whittle_onc_words_out(struct whittle_onc_call *call, char *at, const uint32_t *words, size_t count)
{
    at = at == NULL ? NULL : whittle_xdr_out_need(&call->out, at, 4 * count);
    for (size_t index = 0; at != NULL && index < count; index++, at += 4)
        whittle_put32(at, words[index]);
    return at;
}

/* struct rpcb of versions 3 and 4; struct mapping of version 2. */
static char *whittle_onc_mapping_out(struct whittle_onc_call *call, char *at, const struct whittle_onc_mapping *mapping, uint32_t version)
{
    const bool datagrams = strncmp(mapping->network, "udp", 3) == 0;
    const uint32_t words[] = {mapping->program, mapping->version, datagrams ? 17u : 6u, mapping->port};
    if (version == 2)
        return whittle_onc_words_out(call, at, words, 4);
    at = whittle_onc_words_out(call, at, words, 2);
    at = whittle_onc_text_out(call, at, mapping->network);
    at = whittle_onc_text_out(call, at, mapping->address);
    return whittle_onc_text_out(call, at, mapping->owner);
}

static const char *whittle_onc_text_in(struct whittle_onc_call *call, char **text)
{
    const char *at = whittle_xdr_in_need(&call->in, call->at, 4);
    const uint32_t length = at == NULL ? 0 : whittle_get32(at);
    if (at == NULL || length > 1024 || whittle_xdr_in_need(&call->in, at + 4, whittle_pad4(length)) == NULL)
        return NULL;
    *text = strndup(at + 4, length);
    return *text == NULL ? NULL : at + 4 + whittle_pad4(length);
}

/* A port, as the end of a universal address. */
static const char *whittle_onc_port_in(struct whittle_onc_call *call, char **text)
{
    const char *const at = whittle_xdr_in_need(&call->in, call->at, 4);
    const uint32_t port = at == NULL ? 0 : whittle_get32(at);
    if (at == NULL || port > 65535 || asprintf(text, "0.0.0.0.%u.%u", port >> 8, port & 255) < 0)
        return NULL;
    if (port == 0)
        **text = 0;
    return at + 4;
}

static int whittle_onc_rpcbind_ask_as(struct whittle_onc_client *client, uint32_t version, uint32_t procedure,
                                      const struct whittle_onc_mapping *mapping, char **answer, bool *taken)
{
    struct whittle_onc_call call;
    char *at = whittle_onc_begin(&call, client, WHITTLE_ONC_RPCBIND, version, procedure);
    const char *end = NULL;
    at = whittle_onc_mapping_out(&call, at, mapping, version);
    if (whittle_onc_exchange(&call, at) == WHITTLE_ONC_OK) {
        if (answer != NULL) {
            end = version == 2 ? whittle_onc_port_in(&call, answer) : whittle_onc_text_in(&call, answer);
        } else {
            end = whittle_xdr_in_need(&call.in, call.at, 4);
            *taken = end != NULL && whittle_get32(end) != 0;
        }
    }
    return whittle_onc_end(&call, end);
}

int whittle_onc_rpcbind_ask(struct whittle_onc_client *client, uint32_t procedure, const struct whittle_onc_mapping *mapping,
                            char **answer, bool *taken)
{
    const bool old = strcmp(mapping->network, "tcp") == 0 || strcmp(mapping->network, "udp") == 0;
    int status = WHITTLE_ONC_NO_RPCBIND;
    for (uint32_t version = 4; version >= (old ? 2 : 3); version--) {
        status = whittle_onc_rpcbind_ask_as(client, version, procedure, mapping, answer, taken);
        if (status != WHITTLE_ONC_PROGRAM_MISMATCH && status != WHITTLE_ONC_PROCEDURE_UNAVAILABLE && status != WHITTLE_ONC_PROGRAM_UNAVAILABLE)
            break;
    }
    return status;
}
