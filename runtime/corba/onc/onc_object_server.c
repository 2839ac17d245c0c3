/* SPDX-License-Identifier: MIT-0 */
/* Servants that are called by ONC RPC. */
#include "onc_object_stubs.h"
#include "server.h"

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
    const void *const value = CORBA_exception_value(ev);
    if (size > 0 && value == NULL)
        return NULL;
    if (size > 0)
        memcpy(to, value, size);
    return whittle_onc_reply(request);
}

struct whittle_onc_refusal {
    const char *id;
    int status;
};

/* What ONC RPC can say of a system exception; of all others it says that there was one. */
static const struct whittle_onc_refusal whittle_onc_refusals[] = {
    {ex_CORBA_BAD_OPERATION, WHITTLE_ONC_PROCEDURE_UNAVAILABLE}, {ex_CORBA_NO_IMPLEMENT, WHITTLE_ONC_PROCEDURE_UNAVAILABLE},
    {ex_CORBA_OBJECT_NOT_EXIST, WHITTLE_ONC_PROGRAM_UNAVAILABLE}, {ex_CORBA_MARSHAL, WHITTLE_ONC_GARBAGE_ARGUMENTS},
    {ex_CORBA_BAD_PARAM, WHITTLE_ONC_GARBAGE_ARGUMENTS}, {ex_CORBA_NO_PERMISSION, WHITTLE_ONC_AUTH_TOO_WEAK},
};

void whittle_onc_object_refuse(struct whittle_onc_request *request, CORBA_Environment *ev)
{
    int status = WHITTLE_ONC_SYSTEM_ERROR;
    if (ev->_major == CORBA_SYSTEM_EXCEPTION)
        for (size_t index = 0; index < sizeof whittle_onc_refusals / sizeof *whittle_onc_refusals; index++)
            if (strcmp(ev->_id, whittle_onc_refusals[index].id) == 0)
                status = whittle_onc_refusals[index].status;
    whittle_onc_refuse(request, status);
}
