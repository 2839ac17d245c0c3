/* SPDX-License-Identifier: MIT-0 */
/* Requests that come by an SVCXPRT. */
#include "stubs.h"

struct whittle_tirpc_service {
    struct whittle_tirpc_service *next;
    const struct whittle_tirpc_program *program;
    const void *operations;
    void *context;
};

/* What the process serves: libtirpc's own list is the process's, too, and gives a dispatch routine nothing but the program's number. */
static struct whittle_tirpc_service *whittle_tirpc_services;
static __thread const struct svc_req *whittle_tirpc_current;

const struct svc_req *whittle_tirpc_caller(void)
{
    return whittle_tirpc_current;
}

static struct whittle_tirpc_service *whittle_tirpc_service_of(uint32_t program, uint32_t version)
{
    struct whittle_tirpc_service *service = whittle_tirpc_services;
    while (service != NULL && (service->program->program != program || service->program->version != version))
        service = service->next;
    return service;
}

int whittle_tirpc_serve(SVCXPRT *transport, const struct whittle_tirpc_program *program, const void *operations, void *context)
{
    struct whittle_tirpc_service *service = whittle_tirpc_service_of(program->program, program->version);
    if (service == NULL) {
        service = (struct whittle_tirpc_service *)malloc(sizeof *service);
        if (service == NULL)
            return -(int)RPC_SYSTEMERROR;
        service->next = whittle_tirpc_services;
        whittle_tirpc_services = service;
    }
    service->program = program;
    service->operations = operations;
    service->context = context;
    if (transport != NULL && !svc_register(transport, program->program, program->version, whittle_tirpc_dispatch, 0))
        return -(int)RPC_SYSTEMERROR;
    return 0;
}

static void *whittle_tirpc_argument(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_request *const request =
        (struct whittle_tirpc_request *)(void *)((char *)in - offsetof(struct whittle_tirpc_request, in));
    return whittle_tirpc_stored(&request->arena, size, count, release != NULL);
}

void *whittle_tirpc_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_request *const request =
        (struct whittle_tirpc_request *)(void *)((char *)in - offsetof(struct whittle_tirpc_request, in));
    if (!whittle_tirpc_charge(&request->arena, size, count))
        return NULL;
    return release != NULL ? calloc(count, size) : malloc(size * count);
}

static void whittle_tirpc_serve_request(const struct whittle_tirpc_service *service, struct whittle_tirpc_request *request)
{
    request->at = request->received.bytes;
    memset(&request->in, 0, sizeof request->in);
    request->in.end = request->received.bytes + request->received.size;
    request->in.borrow = true;
    request->in.allocate = whittle_tirpc_argument;
    service->program->dispatch(service->operations, service->context, request);
}

void whittle_tirpc_dispatch(struct svc_req *caller, SVCXPRT *transport)
{
    const struct whittle_tirpc_service *const service = whittle_tirpc_service_of((uint32_t)caller->rq_prog, (uint32_t)caller->rq_vers);
    const struct svc_req *const outer = whittle_tirpc_current;
    struct whittle_tirpc_request request;
    if (service == NULL) {
        svcerr_noprog(transport);
        return;
    }
    request.transport = transport;
    request.procedure = (uint32_t)caller->rq_proc;
    request.answered = false;
    request.arena.blocks = NULL;
    request.arena.left = WHITTLE_TIRPC_DECODED;
    whittle_tirpc_message_open(&request.received);
    whittle_tirpc_message_open(&request.sent);
    whittle_tirpc_current = caller;
    if (svc_getargs(transport, (xdrproc_t)whittle_tirpc_gather, (char *)&request.received))
        whittle_tirpc_serve_request(service, &request);
    else
        svcerr_decode(transport);
    whittle_tirpc_current = outer;
    (void)svc_freeargs(transport, (xdrproc_t)whittle_tirpc_gather, (char *)&request.received);
    whittle_tirpc_message_free(&request.received);
    whittle_tirpc_message_free(&request.sent);
    whittle_tirpc_arena_free(&request.arena);
}

static char *whittle_tirpc_reply_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    struct whittle_tirpc_request *const request =
        (struct whittle_tirpc_request *)(void *)((char *)out - offsetof(struct whittle_tirpc_request, out));
    return whittle_tirpc_message_grow(&request->sent, out, at, more);
}

char *whittle_tirpc_reply(struct whittle_tirpc_request *request)
{
    request->out.base = request->sent.bytes;
    request->out.end = request->sent.bytes + request->sent.room;
    request->out.depth = 0;
    request->out.grow = whittle_tirpc_reply_grow;
    request->out.refer = NULL;
    return request->out.base;
}

void whittle_tirpc_answer(struct whittle_tirpc_request *request, char *at)
{
    if (at != NULL && !request->answered) {
        request->sent.size = (size_t)(at - request->out.base);
        request->answered = svc_sendreply(request->transport, (xdrproc_t)whittle_tirpc_put, (char *)&request->sent) != FALSE;
    }
    whittle_tirpc_refuse(request, -(int)RPC_SYSTEMERROR);
}

void whittle_tirpc_unknown(struct whittle_tirpc_request *request)
{
    whittle_tirpc_refuse(request, -(int)RPC_PROCUNAVAIL);
}

void whittle_tirpc_garbage(struct whittle_tirpc_request *request)
{
    whittle_tirpc_refuse(request, -(int)RPC_CANTDECODEARGS);
}

/* Of what was answered already there is nothing more to say. */
void whittle_tirpc_refuse(struct whittle_tirpc_request *request, int status)
{
    if (request->answered)
        return;
    request->answered = true;
    if (status == -(int)RPC_PROCUNAVAIL)
        svcerr_noproc(request->transport);
    else if (status == -(int)RPC_CANTDECODEARGS)
        svcerr_decode(request->transport);
    else if (status == -(int)RPC_PROGUNAVAIL)
        svcerr_noprog(request->transport);
    else if (status == -(int)RPC_AUTHERROR)
        svcerr_weakauth(request->transport);
    else
        svcerr_systemerr(request->transport);
}
