/* SPDX-License-Identifier: MIT-0 */
/* Replies that hold no results: RFC 5531's reasons (section 9). */
#include "server.h"

/* The words behind the number of the call; what is there of another reply is overwritten. */
WHITTLE_NET_COLD static void whittle_onc_send_words(struct whittle_onc_request *request, const uint32_t *words, size_t count)
{
    char *at = request->answered ? NULL : whittle_onc_reply_room(request);
    if (at == NULL)     /* answered, or no memory: whoever waits hears nothing */
        return;
    at += 4;
    for (size_t index = 0; index < count; index++, at += 4)
        whittle_put32(at, words[index]);
    whittle_onc_reply_done(request, at);
}

static void whittle_onc_send_accepted(struct whittle_onc_request *request, uint32_t status)
{
    const uint32_t words[] = {WHITTLE_ONC_REPLY, WHITTLE_ONC_ACCEPTED, WHITTLE_ONC_AUTH_NONE, 0, status};
    whittle_onc_send_words(request, words, 5);
}

void whittle_onc_refuse_versions(struct whittle_onc_request *request, bool program, uint32_t lowest, uint32_t highest)
{
    const uint32_t of_program[] = {WHITTLE_ONC_REPLY, WHITTLE_ONC_ACCEPTED, WHITTLE_ONC_AUTH_NONE, 0, WHITTLE_ONC_NO_VERSION, lowest, highest};
    const uint32_t of_rpc[] = {WHITTLE_ONC_REPLY, WHITTLE_ONC_DENIED, WHITTLE_ONC_DENIED_VERSION, lowest, highest};
    whittle_onc_send_words(request, program ? of_program : of_rpc, program ? 7 : 5);
}

void whittle_onc_refuse_caller(struct whittle_onc_request *request, uint32_t reason)
{
    const uint32_t words[] = {WHITTLE_ONC_REPLY, WHITTLE_ONC_DENIED, WHITTLE_ONC_DENIED_AUTH, reason};
    whittle_onc_send_words(request, words, 4);
}

void whittle_onc_unknown(struct whittle_onc_request *request)
{
    whittle_onc_send_accepted(request, WHITTLE_ONC_NO_PROCEDURE);
}

void whittle_onc_garbage(struct whittle_onc_request *request)
{
    whittle_onc_send_accepted(request, WHITTLE_ONC_GARBAGE);
}

WHITTLE_NET_COLD void whittle_onc_refuse(struct whittle_onc_request *request, int status)
{
    if (status <= WHITTLE_ONC_AUTH_FAILED_SO && status > WHITTLE_ONC_CANNOT_LISTEN)
        whittle_onc_refuse_caller(request, (uint32_t)(WHITTLE_ONC_AUTH_FAILED_SO - status));
    else if (status == WHITTLE_ONC_PROGRAM_UNAVAILABLE)
        whittle_onc_send_accepted(request, WHITTLE_ONC_NO_PROGRAM);
    else if (status == WHITTLE_ONC_PROCEDURE_UNAVAILABLE)
        whittle_onc_unknown(request);
    else if (status == WHITTLE_ONC_GARBAGE_ARGUMENTS)
        whittle_onc_garbage(request);
    else
        whittle_onc_send_accepted(request, WHITTLE_ONC_SYSTEM);
}
