/* SPDX-License-Identifier: MIT-0 */
/* Calls of objects behind ports. */
#include "mach_object_stubs.h"
#include "object_parts.h"
#include "taken.h"

/* The first stands for all that are not listed. */
static const struct whittle_object_status whittle_mach_raises[] = {
    {WHITTLE_MACH_OK, ex_CORBA_UNKNOWN, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_NO_MEMORY, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_CANNOT_MARSHAL, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_TOO_LARGE, ex_CORBA_IMP_LIMIT, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_BAD_PORT, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_TIMED_OUT, ex_CORBA_TIMEOUT, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_LOST, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_BAD_REPLY, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_CANNOT_UNMARSHAL, ex_CORBA_MARSHAL, CORBA_COMPLETED_YES},
    {WHITTLE_MACH_KERNEL, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE},
    {WHITTLE_MACH_OPERATION_UNAVAILABLE, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_GARBAGE_ARGUMENTS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_SYSTEM_ERROR, ex_CORBA_UNKNOWN, CORBA_COMPLETED_MAYBE},
};

static void whittle_mach_object_fails(int status, CORBA_Environment *ev)
{
    const struct whittle_object_status *const found =
        whittle_object_status_of(whittle_mach_raises, sizeof whittle_mach_raises / sizeof *whittle_mach_raises, status);
    whittle_exception_system(ev, found->id, (uint32_t)-status, found->completed);
}

char *whittle_mach_object_begin(struct whittle_mach_object_call *call, CORBA_Object object, uint32_t id, CORBA_Environment *ev)
{
    const struct whittle_mach_reference *const reference = whittle_mach_reference_of(object);
    call->before = *ev;
    CORBA_exception_init(ev);
    if (reference == NULL || reference->client == NULL) {
        call->mach.client = NULL;
        if (reference == NULL)
            whittle_exception_system(ev, ex_CORBA_INV_OBJREF, 0, CORBA_COMPLETED_NO);
        else
            whittle_mach_object_fails(WHITTLE_MACH_BAD_PORT, ev);
        return NULL;
    }
    char *const at = whittle_mach_begin(&call->mach, reference->client, id);
    whittle_mach_rights_begin(&call->rights, false);
    call->mach.rights = &call->rights;
    return at;
}

void *whittle_mach_object_result(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)in - offsetof(struct whittle_mach_call, in));
    if (size > call->decoded / count)
        return NULL;
    call->decoded -= size * count;
    return whittle_corba_new(size, count, release);
}

bool whittle_mach_object_exchange(struct whittle_mach_object_call *call, char *at, CORBA_Environment *ev)
{
    const bool sent = call->mach.client != NULL && whittle_mach_exchange(&call->mach, at) == WHITTLE_MACH_OK;
    CORBA_exception_free(&call->before);
    if (sent)
        call->mach.in.allocate = whittle_mach_object_result;
    else
        whittle_mach_object_unmarshalled(call, NULL, ev);
    return sent;
}

void whittle_mach_object_unmarshalled(struct whittle_mach_object_call *call, const char *at, CORBA_Environment *ev)
{
    const int status = call->mach.client == NULL ? WHITTLE_MACH_OK : whittle_mach_end(&call->mach, at);
    if (status != WHITTLE_MACH_OK)
        whittle_mach_object_fails(status, ev);
}

void whittle_mach_object_post(struct whittle_mach_object_call *call, char *at, CORBA_Environment *ev)
{
    const int status = call->mach.client == NULL ? WHITTLE_MACH_OK : whittle_mach_post(&call->mach, at);
    CORBA_exception_free(&call->before);
    if (status != WHITTLE_MACH_OK)
        whittle_mach_object_fails(status, ev);
}

bool whittle_mach_object_raise(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size)
{
    return whittle_exception_taken(ev, id, type, value, from, size);
}
