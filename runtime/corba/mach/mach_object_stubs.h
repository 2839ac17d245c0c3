/* SPDX-License-Identifier: MIT-0 */
/* What generated code of CORBA's style and the run time of Mach's ports do for each other. */
#ifndef WHITTLE_MACH_OBJECT_STUBS_H
#define WHITTLE_MACH_OBJECT_STUBS_H
#include "mach_object.h"
#include "stubs.h"
#include "giop.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A call, on its caller's stack; whittle_mach_object_begin sets all that is looked at. */
struct whittle_mach_object_call {
    struct whittle_mach_call mach;
    struct whittle_mach_rights rights;
    CORBA_Environment before;       /* what the environment held: arguments may lie in it until they are sent */
};

/*
 * A call is begun, its arguments written, exchanged for results, these read. Whatever fails raises a system exception and ends the call;
 * each step takes NULL for what the one before it could not give.
 */
char *whittle_mach_object_begin(struct whittle_mach_object_call *call, CORBA_Object object, uint32_t id, CORBA_Environment *ev);
/* true: results lie from call->mach.at on, and are to be read. What they hold is CORBA_free's. */
bool whittle_mach_object_exchange(struct whittle_mach_object_call *call, char *at, CORBA_Environment *ev);
/* The results were read up to `at`; NULL: they could not be. */
void whittle_mach_object_unmarshalled(struct whittle_mach_object_call *call, const char *at, CORBA_Environment *ev);
/* In place of these: no reply is expected. */
void whittle_mach_object_post(struct whittle_mach_object_call *call, char *at, CORBA_Environment *ev);
/* Raises an exception of the user's: `value`, which was allocated for it, takes over what is at `from`. false: NULL was no memory. */
bool whittle_mach_object_raise(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size);

/* Before the server runs. */
void whittle_mach_object_serve(struct whittle_mach_server *server, const struct whittle_mach_interface *interface, PortableServer_Servant servant,
                               CORBA_Environment *ev);
/* Storage of CORBA_free's, for the `in` of a request. */
void *whittle_mach_object_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* Where a reply goes that says what a servant raised, whose members are copied to `to`; NULL: it has none, or no memory. */
char *whittle_mach_object_raised(struct whittle_mach_request *request, CORBA_Environment *ev, void *to, size_t size);
/* The servant raised something else. */
void whittle_mach_object_refuse(struct whittle_mach_request *request, CORBA_Environment *ev);

/* References in messages: the place, counted from 1, of a right among those beside the bytes; 0 for nil. */
char *whittle_cdr_out_port(struct whittle_cdr_out *out, char *at, const CORBA_Object *value);
const char *whittle_cdr_in_port(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped);
#define whittle_release_port whittle_release_object
#ifdef __cplusplus
}
#endif
#endif
