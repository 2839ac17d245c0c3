/* SPDX-License-Identifier: MIT-0 */
/* What generated code of CORBA's style and the run time over libtirpc do for each other. */
#ifndef WHITTLE_TIRPC_OBJECT_STUBS_H
#define WHITTLE_TIRPC_OBJECT_STUBS_H
#include "tirpc_object.h"
#include "stubs.h"
#include "giop.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A call, on its caller's stack; whittle_tirpc_object_begin sets all of it. */
struct whittle_tirpc_object_call {
    struct whittle_tirpc_call tirpc;
    CORBA_Environment before;       /* what the environment held: arguments may lie in it until they are sent */
};

/*
 * A call is begun, its arguments written, exchanged for results, these read. Whatever fails raises a system exception and ends the call;
 * each step takes NULL for what the one before it could not give.
 */
char *whittle_tirpc_object_begin(struct whittle_tirpc_object_call *call, CORBA_Object object, uint32_t program, uint32_t version,
                                 uint32_t procedure, CORBA_Environment *ev);
/* true: results lie from call->tirpc.at on, and are to be read. What they hold is CORBA_free's. */
bool whittle_tirpc_object_exchange(struct whittle_tirpc_object_call *call, char *at, CORBA_Environment *ev);
/* The results were read up to `at`; NULL: they could not be. */
void whittle_tirpc_object_unmarshalled(struct whittle_tirpc_object_call *call, const char *at, CORBA_Environment *ev);
/* In place of these: nobody waits for a reply. */
void whittle_tirpc_object_post(struct whittle_tirpc_object_call *call, char *at, CORBA_Environment *ev);
/* Raises an exception of the user's: `value`, which was allocated for it, takes over what is at `from`. false: NULL was no memory. */
bool whittle_tirpc_object_raise(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size);

/* Before the transport is served. */
void whittle_tirpc_object_serve(SVCXPRT *transport, const struct whittle_tirpc_program *program, PortableServer_Servant servant,
                                CORBA_Environment *ev);
/* Storage of CORBA_free's, for the `in` of a request. */
void *whittle_tirpc_object_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* Where a reply goes that says what a servant raised, whose members are copied to `to`; NULL: it has none. */
char *whittle_tirpc_object_raised(struct whittle_tirpc_request *request, CORBA_Environment *ev, void *to, size_t size);
/* The servant raised something else. */
void whittle_tirpc_object_refuse(struct whittle_tirpc_request *request, CORBA_Environment *ev);
#ifdef __cplusplus
}
#endif
#endif
