/* SPDX-License-Identifier: MIT-0 */
/* A call as a dispatch of rpcgen's sees it: its arguments, and results or what is said in their place. */
#include "mach_rpc_parts.h"

/* What became of a request, in place of results; once. */
static void whittle_rpc_mach_send_words(const SVCXPRT *transport, const uint32_t *words, size_t count)
{
    struct whittle_rpc_transport *const own = whittle_rpc_own(transport);
    struct whittle_mach_request *const request = own->request;
    if (request == NULL || own->is_answered)
        return;
    own->is_answered = true;
    whittle_mach_answer(request, whittle_rpc_mach_words(&request->out, whittle_mach_reply(request), words, count));
}

static void whittle_rpc_mach_say_one(const SVCXPRT *transport, uint32_t word)
{
    whittle_rpc_mach_send_words(transport, &word, 1);
}

/* Arguments count towards what the server allows for one request. */
static bool whittle_rpc_mach_request_charge(void *whose, size_t size)
{
    struct whittle_mach_request *const request = (struct whittle_mach_request *)whose;
    if (size > request->decoded)
        return false;
    request->decoded -= size;
    return true;
}

bool_t svc_getargs(SVCXPRT *transport, xdrproc_t arguments, void *to)
{
    struct whittle_mach_request *const request = whittle_rpc_own(transport)->request;
    const struct whittle_rpc_account account = {whittle_rpc_mach_request_charge, request};
    return request != NULL && whittle_rpc_read(request->at + WHITTLE_RPC_MACH_HEAD, request->in.end, &account, arguments, to);
}

bool_t svc_freeargs(SVCXPRT *transport, xdrproc_t arguments, void *from)
{
    (void)transport;
    xdr_free(arguments, from);
    return TRUE;
}

bool_t svc_sendreply(SVCXPRT *transport, xdrproc_t results, void *from)
{
    static const uint32_t done = WHITTLE_RPC_DONE;
    struct whittle_rpc_transport *const own = whittle_rpc_own(transport);
    struct whittle_mach_request *const request = own->request;
    if (request == NULL || own->is_answered)
        return FALSE;
    char *at = whittle_rpc_mach_words(&request->out, whittle_mach_reply(request), &done, 1);
    at = whittle_rpc_mach_value(&request->out, at, results, from, &own->program->usual);
    own->is_answered = at != NULL;
    if (own->is_answered)
        whittle_mach_answer(request, at);
    return own->is_answered;
}

void svcerr_decode(SVCXPRT *transport)
{
    whittle_rpc_mach_say_one(transport, WHITTLE_RPC_GARBAGE);
}

void svcerr_noproc(SVCXPRT *transport)
{
    whittle_rpc_mach_say_one(transport, WHITTLE_RPC_NO_PROCEDURE);
}

void svcerr_systemerr(SVCXPRT *transport)
{
    whittle_rpc_mach_say_one(transport, WHITTLE_RPC_FAILED);
}

void svcerr_noprog(SVCXPRT *transport)
{
    whittle_rpc_mach_say_one(transport, WHITTLE_RPC_NO_PROGRAM);
}

void svcerr_progvers(SVCXPRT *transport, rpcvers_t lowest, rpcvers_t highest)
{
    const uint32_t words[] = {WHITTLE_RPC_NO_VERSION, lowest, highest};
    whittle_rpc_mach_send_words(transport, words, 3);
}

void svcerr_auth(SVCXPRT *transport, enum auth_stat why)
{
    const uint32_t words[] = {WHITTLE_RPC_AUTH, (uint32_t)why};
    whittle_rpc_mach_send_words(transport, words, 2);
}

void svcerr_weakauth(SVCXPRT *transport)
{
    svcerr_auth(transport, AUTH_TOOWEAK);
}
