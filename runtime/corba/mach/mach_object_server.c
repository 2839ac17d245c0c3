/* SPDX-License-Identifier: MIT-0 */
/* Servants behind ports. */
#include "mach_object_stubs.h"
#include "server.h"
#include "taken.h"

void whittle_mach_object_serve(struct whittle_mach_server *server, const struct whittle_mach_interface *interface, PortableServer_Servant servant,
                               CORBA_Environment *ev)
{
    if (server == NULL || servant == NULL)
        whittle_exception_system(ev, ex_CORBA_BAD_PARAM, 0, CORBA_COMPLETED_NO);
    else if (whittle_mach_serve(server, interface, NULL, servant) != WHITTLE_MACH_OK)
        whittle_exception_system(ev, ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_NO);
}

void *whittle_mach_object_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_request *const request = (struct whittle_mach_request *)(void *)((char *)in - offsetof(struct whittle_mach_request, in));
    if (size > request->decoded / count)
        return NULL;
    request->decoded -= size * count;
    return whittle_corba_new(size, count, release);
}

char *whittle_mach_object_raised(struct whittle_mach_request *request, CORBA_Environment *ev, void *to, size_t size)
{
    return whittle_exception_given(ev, to, size) ? whittle_mach_reply(request) : NULL;
}

/* What a refusal can say of a system exception; of all others it says that there was one. */
static const struct whittle_object_status whittle_mach_refusals[] = {
    {WHITTLE_MACH_SYSTEM_ERROR, ex_CORBA_UNKNOWN, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_OPERATION_UNAVAILABLE, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_OPERATION_UNAVAILABLE, ex_CORBA_NO_IMPLEMENT, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_GARBAGE_ARGUMENTS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_MACH_GARBAGE_ARGUMENTS, ex_CORBA_BAD_PARAM, CORBA_COMPLETED_NO},
};

void whittle_mach_object_refuse(struct whittle_mach_request *request, CORBA_Environment *ev)
{
    const size_t count = sizeof whittle_mach_refusals / sizeof *whittle_mach_refusals;
    whittle_mach_refuse(request, whittle_object_refusal(whittle_mach_refusals, count, ev));
}
