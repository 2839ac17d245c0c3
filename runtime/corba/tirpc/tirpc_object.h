/* SPDX-License-Identifier: MIT-0 */
/*
 * CORBA's C mapping over libtirpc: what programs use beside the functions that are generated for their interfaces. An object is what serves
 * a CLIENT's program; `POA_X__serve` (generated) has a servant serve one by an SVCXPRT. What fails comes as a system exception, whose minor
 * code is the `enum clnt_stat` of the call.
 */
#ifndef WHITTLE_TIRPC_OBJECT_H
#define WHITTLE_TIRPC_OBJECT_H
#include "tirpc.h"
#include "orb.h"
#include "poa.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A reference to the object that a client calls, and which the client is a part of from then on: the last CORBA_Object_release destroys it.
   Nil on failure; then the client is the caller's still. */
CORBA_Object whittle_tirpc_object(CLIENT *client, CORBA_Environment *ev);
#ifdef __cplusplus
}
#endif
#endif
