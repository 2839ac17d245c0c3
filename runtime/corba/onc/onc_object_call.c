/* SPDX-License-Identifier: MIT-0 */
/* Objects that are called by ONC RPC: references to them, and calls. */
#include "client.h"
#include "kind.h"
#include "onc_object_stubs.h"
#include "taken.h"
#include <stdlib.h>

struct whittle_onc_reference_to {
    struct whittle_foreign head;
    struct whittle_onc_client *client;
};

static const struct whittle_object_status whittle_onc_raises[] = {
    {WHITTLE_ONC_OK, ex_CORBA_UNKNOWN, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_NO_MEMORY, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_CANNOT_MARSHAL, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_TOO_LARGE, ex_CORBA_IMP_LIMIT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_BAD_ADDRESS, ex_CORBA_INV_OBJREF, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_UNKNOWN_HOST, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_REFUSED, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_UNREACHABLE, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_NOT_REGISTERED, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_NO_RPCBIND, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_NOT_ALLOWED, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_OTHER_VERSION, ex_CORBA_TRANSIENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_TIMED_OUT, ex_CORBA_TIMEOUT, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_LOST, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_CANCELLED, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_BAD_REPLY, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_CANNOT_UNMARSHAL, ex_CORBA_MARSHAL, CORBA_COMPLETED_YES},
    {WHITTLE_ONC_RPC_MISMATCH, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROGRAM_UNAVAILABLE, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROGRAM_MISMATCH, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROCEDURE_UNAVAILABLE, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_GARBAGE_ARGUMENTS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_SYSTEM_ERROR, ex_CORBA_UNKNOWN, CORBA_COMPLETED_MAYBE},
    {WHITTLE_ONC_CANNOT_LISTEN, ex_CORBA_INITIALIZE, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_CANNOT_REGISTER, ex_CORBA_INITIALIZE, CORBA_COMPLETED_NO},
};

static void whittle_onc_object_fails(int status, CORBA_Environment *ev)
{
    static const struct whittle_object_status refused = {0, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO};
    const struct whittle_object_status *found =
        whittle_object_status_of(whittle_onc_raises, sizeof whittle_onc_raises / sizeof *whittle_onc_raises, status);
    if (status <= WHITTLE_ONC_AUTH_FAILED_SO && status > WHITTLE_ONC_CANNOT_LISTEN)
        found = &refused;
    whittle_exception_system(ev, found->id, (uint32_t)-status, found->completed);
}

static void whittle_onc_object_destroy(struct whittle_foreign *object)
{
    struct whittle_onc_reference_to *const reference = (struct whittle_onc_reference_to *)(void *)object;
    whittle_onc_client_close(reference->client);
    free(reference);
}

CORBA_Object whittle_onc_object(const char *address, const struct whittle_onc_client_options *options, CORBA_Environment *ev)
{
    struct whittle_onc_reference_to *const reference = (struct whittle_onc_reference_to *)malloc(sizeof *reference);
    int status = WHITTLE_ONC_NO_MEMORY;
    struct whittle_onc_client *const client = reference == NULL ? NULL : whittle_onc_client_open(address, options, &status);
    if (client == NULL) {
        free(reference);
        whittle_onc_object_fails(status, ev);
        return CORBA_OBJECT_NIL;
    }
    *reference = (struct whittle_onc_reference_to){{{WHITTLE_A_FOREIGN, 1}, whittle_onc_object_destroy}, client};
    return &reference->head.head;
}

/* NULL: it is none of these references. */
static struct whittle_onc_client *whittle_onc_object_client(CORBA_Object object)
{
    struct whittle_foreign *const foreign = (struct whittle_foreign *)(void *)object;
    if (object == NULL || object->kind != WHITTLE_A_FOREIGN || foreign->destroy != whittle_onc_object_destroy)
        return NULL;
    return ((struct whittle_onc_reference_to *)(void *)foreign)->client;
}

char *whittle_onc_object_begin(struct whittle_onc_object_call *call, CORBA_Object object, uint32_t program, uint32_t version,
                               uint32_t procedure, CORBA_Environment *ev)
{
    struct whittle_onc_client *const client = whittle_onc_object_client(object);
    call->before = *ev;
    CORBA_exception_init(ev);
    if (client == NULL) {
        call->onc.client = NULL;
        whittle_exception_system(ev, ex_CORBA_INV_OBJREF, 0, CORBA_COMPLETED_NO);
        return NULL;
    }
    return whittle_onc_begin(&call->onc, client, program, version, procedure);
}

static void *whittle_onc_object_result(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)in - offsetof(struct whittle_onc_call, in));
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    return whittle_onc_call_charge(call, size * count) ? whittle_corba_new(size, count, release) : NULL;
}

bool whittle_onc_object_exchange(struct whittle_onc_object_call *call, char *at, CORBA_Environment *ev)
{
    const bool sent = call->onc.client != NULL && whittle_onc_exchange(&call->onc, at) == WHITTLE_ONC_OK;
    CORBA_exception_free(&call->before);
    if (sent)
        call->onc.in.allocate = whittle_onc_object_result;
    else
        whittle_onc_object_unmarshalled(call, NULL, ev);
    return sent;
}

void whittle_onc_object_unmarshalled(struct whittle_onc_object_call *call, const char *at, CORBA_Environment *ev)
{
    const int status = call->onc.client == NULL ? WHITTLE_ONC_OK : whittle_onc_end(&call->onc, at);
    if (status != WHITTLE_ONC_OK)
        whittle_onc_object_fails(status, ev);
}

void whittle_onc_object_post(struct whittle_onc_object_call *call, char *at, CORBA_Environment *ev)
{
    const bool is_there = call->onc.client != NULL;
    if (is_there)
        whittle_onc_post(&call->onc, at);
    CORBA_exception_free(&call->before);
    whittle_onc_object_unmarshalled(call, is_there ? call->onc.at : NULL, ev);
}

bool whittle_onc_object_raise(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size)
{
    return whittle_exception_taken(ev, id, type, value, from, size);
}
