/* SPDX-License-Identifier: MIT-0 */
/*
 * CORBA's C mapping over ONC RPC (RFC 5531): what programs use beside the functions that are generated for their interfaces. An object
 * is what serves a program at an address; `POA_X__serve` (generated) has a servant serve one. What fails comes as a system exception,
 * whose minor code is the status of the call without its sign (enum whittle_onc_status).
 */
#ifndef WHITTLE_ONC_OBJECT_H
#define WHITTLE_ONC_OBJECT_H
#include "onc.h"
#include "orb.h"
#include "poa.h"
#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reference to the object at an address (whittle_onc.h says what addresses are); nil on failure. `options` may be NULL. Any number of
 * threads may call it at the same time. It connects on the first call; the last CORBA_Object_release closes the connection.
 */
CORBA_Object whittle_onc_object(const char *address, const struct whittle_onc_client_options *options, CORBA_Environment *ev);
#ifdef __cplusplus
}
#endif
#endif
