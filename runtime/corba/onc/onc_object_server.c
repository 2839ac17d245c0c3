/* SPDX-License-Identifier: MIT-0 */
/* Servants that are called by ONC RPC. */
#include "onc_object_stubs.h"
#include "server.h"
#include "taken.h"

void whittle_onc_object_serve(struct whittle_onc_server *server, const struct whittle_onc_program *program, PortableServer_Servant servant,
                              CORBA_Environment *ev)
{
    if (server == NULL || servant == NULL)
        whittle_exception_system(ev, ex_CORBA_BAD_PARAM, 0, CORBA_COMPLETED_NO);
    else if (whittle_onc_serve(server, program, NULL, servant) != WHITTLE_ONC_OK)
        whittle_exception_system(ev, ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_NO);
}

void *whittle_onc_object_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_request *const request =
        (struct whittle_onc_request *)(void *)((char *)in - offsetof(struct whittle_onc_request, in));
    const bool has_room = whittle_net_arena_charge(&request->arena, &request->server->net.pool, size, count);
    return has_room ? whittle_corba_new(size, count, release) : NULL;
}

char *whittle_onc_object_raised(struct whittle_onc_request *request, CORBA_Environment *ev, void *to, size_t size)
{
    return whittle_exception_given(ev, to, size) ? whittle_onc_reply(request) : NULL;
}

/* What ONC RPC can say of a system exception; of all others it says that there was one. */
static const struct whittle_object_status whittle_onc_refusals[] = {
    {WHITTLE_ONC_SYSTEM_ERROR, ex_CORBA_UNKNOWN, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROCEDURE_UNAVAILABLE, ex_CORBA_BAD_OPERATION, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROCEDURE_UNAVAILABLE, ex_CORBA_NO_IMPLEMENT, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_PROGRAM_UNAVAILABLE, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_GARBAGE_ARGUMENTS, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_GARBAGE_ARGUMENTS, ex_CORBA_BAD_PARAM, CORBA_COMPLETED_NO},
    {WHITTLE_ONC_AUTH_TOO_WEAK, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO},
};

void whittle_onc_object_refuse(struct whittle_onc_request *request, CORBA_Environment *ev)
{
    whittle_onc_refuse(request, whittle_object_refusal(whittle_onc_refusals, sizeof whittle_onc_refusals / sizeof *whittle_onc_refusals, ev));
}
