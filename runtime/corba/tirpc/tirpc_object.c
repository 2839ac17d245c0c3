/* SPDX-License-Identifier: MIT-0 */
/* Objects that are called through a CLIENT, and servants that are called by an SVCXPRT. */
#include "kind.h"
#include "taken.h"
#include "tirpc_object_stubs.h"
#include <stdlib.h>

struct whittle_tirpc_reference_to {
    struct whittle_foreign head;
    CLIENT *client;
};

static const struct whittle_object_status whittle_tirpc_raises[] = {
    {RPC_FAILED, ex_CORBA_UNKNOWN, CORBA_COMPLETED_MAYBE},
    {RPC_CANTENCODEARGS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {RPC_CANTDECODERES, ex_CORBA_MARSHAL, CORBA_COMPLETED_YES},
    {RPC_CANTSEND, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {RPC_CANTRECV, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {RPC_TIMEDOUT, ex_CORBA_TIMEOUT, CORBA_COMPLETED_MAYBE},
    {RPC_VERSMISMATCH, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_NO},
    {RPC_AUTHERROR, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO},
    {RPC_PROGUNAVAIL, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {RPC_PROGVERSMISMATCH, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {RPC_PROCUNAVAIL, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {RPC_CANTDECODEARGS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
};

static const struct whittle_object_status whittle_tirpc_refusals[] = {
    {RPC_SYSTEMERROR, ex_CORBA_UNKNOWN, CORBA_COMPLETED_NO},
    {RPC_PROCUNAVAIL, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {RPC_PROCUNAVAIL, ex_CORBA_NO_IMPLEMENT, CORBA_COMPLETED_NO},
    {RPC_PROGUNAVAIL, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {RPC_CANTDECODEARGS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {RPC_CANTDECODEARGS, ex_CORBA_BAD_PARAM, CORBA_COMPLETED_NO},
    {RPC_AUTHERROR, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO},
};

static void whittle_tirpc_object_fails(int status, CORBA_Environment *ev)
{
    const struct whittle_object_status *const found =
        whittle_object_status_of(whittle_tirpc_raises, sizeof whittle_tirpc_raises / sizeof *whittle_tirpc_raises, -status);
    whittle_exception_system(ev, found->id, (uint32_t)-status, found->completed);
}

static void whittle_tirpc_object_destroy(struct whittle_foreign *object)
{
    struct whittle_tirpc_reference_to *const reference = (struct whittle_tirpc_reference_to *)(void *)object;
    clnt_destroy(reference->client);
    free(reference);
}

CORBA_Object whittle_tirpc_object(CLIENT *client, CORBA_Environment *ev)
{
    struct whittle_tirpc_reference_to *const reference =
        client == NULL ? NULL : (struct whittle_tirpc_reference_to *)malloc(sizeof *reference);
    if (reference == NULL) {
        whittle_exception_system(ev, client == NULL ? ex_CORBA_INV_OBJREF : ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_NO);
        return CORBA_OBJECT_NIL;
    }
    reference->head.head.kind = WHITTLE_A_FOREIGN;
    reference->head.head.refs = 1;
    reference->head.destroy = whittle_tirpc_object_destroy;
    reference->client = client;
    return &reference->head.head;
}

/* NULL: it is none of these references. */
static CLIENT *whittle_tirpc_object_client(CORBA_Object object)
{
    struct whittle_foreign *const foreign = (struct whittle_foreign *)(void *)object;
    if (object == NULL || object->kind != WHITTLE_A_FOREIGN || foreign->destroy != whittle_tirpc_object_destroy)
        return NULL;
    return ((struct whittle_tirpc_reference_to *)(void *)foreign)->client;
}

char *whittle_tirpc_object_begin(struct whittle_tirpc_object_call *call, CORBA_Object object, uint32_t program, uint32_t version,
                                 uint32_t procedure, CORBA_Environment *ev)
{
    CLIENT *const client = whittle_tirpc_object_client(object);
    call->before = *ev;
    CORBA_exception_init(ev);
    if (client == NULL) {
        call->tirpc.client = NULL;
        whittle_exception_system(ev, ex_CORBA_INV_OBJREF, 0, CORBA_COMPLETED_NO);
        return NULL;
    }
    return whittle_tirpc_begin(&call->tirpc, client, program, version, procedure);
}

static void *whittle_tirpc_object_result(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_call *const call = (struct whittle_tirpc_call *)(void *)((char *)in - offsetof(struct whittle_tirpc_call, in));
    return whittle_tirpc_charge(&call->arena, size, count) ? whittle_corba_new(size, count, release) : NULL;
}

bool whittle_tirpc_object_exchange(struct whittle_tirpc_object_call *call, char *at, CORBA_Environment *ev)
{
    const bool sent = call->tirpc.client != NULL && whittle_tirpc_exchange(&call->tirpc, at) == 0;
    CORBA_exception_free(&call->before);
    if (sent)
        call->tirpc.in.allocate = whittle_tirpc_object_result;
    else
        whittle_tirpc_object_unmarshalled(call, NULL, ev);
    return sent;
}

void whittle_tirpc_object_unmarshalled(struct whittle_tirpc_object_call *call, const char *at, CORBA_Environment *ev)
{
    const int status = call->tirpc.client == NULL ? 0 : whittle_tirpc_end(&call->tirpc, at);
    if (status != 0)
        whittle_tirpc_object_fails(status, ev);
}

void whittle_tirpc_object_post(struct whittle_tirpc_object_call *call, char *at, CORBA_Environment *ev)
{
    const bool is_there = call->tirpc.client != NULL;
    if (is_there)
        whittle_tirpc_post(&call->tirpc, at);
    CORBA_exception_free(&call->before);
    whittle_tirpc_object_unmarshalled(call, is_there ? call->tirpc.at : NULL, ev);
}

bool whittle_tirpc_object_raise(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size)
{
    return whittle_exception_taken(ev, id, type, value, from, size);
}

void whittle_tirpc_object_serve(SVCXPRT *transport, const struct whittle_tirpc_program *program, PortableServer_Servant servant,
                                CORBA_Environment *ev)
{
    if (servant == NULL)
        whittle_exception_system(ev, ex_CORBA_BAD_PARAM, 0, CORBA_COMPLETED_NO);
    else if (whittle_tirpc_serve(transport, program, NULL, servant) != 0)
        whittle_exception_system(ev, ex_CORBA_INITIALIZE, 0, CORBA_COMPLETED_NO);
}

void *whittle_tirpc_object_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_tirpc_request *const request =
        (struct whittle_tirpc_request *)(void *)((char *)in - offsetof(struct whittle_tirpc_request, in));
    return whittle_tirpc_charge(&request->arena, size, count) ? whittle_corba_new(size, count, release) : NULL;
}

char *whittle_tirpc_object_raised(struct whittle_tirpc_request *request, CORBA_Environment *ev, void *to, size_t size)
{
    return whittle_exception_given(ev, to, size) ? whittle_tirpc_reply(request) : NULL;
}

void whittle_tirpc_object_refuse(struct whittle_tirpc_request *request, CORBA_Environment *ev)
{
    whittle_tirpc_refuse(request, -whittle_object_refusal(whittle_tirpc_refusals, sizeof whittle_tirpc_refusals / sizeof *whittle_tirpc_refusals, ev));
}
