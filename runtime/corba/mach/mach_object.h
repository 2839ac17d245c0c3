/* SPDX-License-Identifier: MIT-0 */
/*
 * CORBA's C mapping over Mach's ports: what programs use beside the functions that are generated for their interfaces. An object is a port
 * of a server; `POA_X__serve` (generated) has a servant serve one. A reference is a right to send to it, and travels as one: whoever
 * receives a reference has a right of his own, which goes with the last release. What fails comes as a system exception, whose minor code is
 * the status of the call without its sign (enum whittle_mach_status); an object whose port has ended does not exist.
 */
#ifndef WHITTLE_MACH_OBJECT_H
#define WHITTLE_MACH_OBJECT_H
#include "ports.h"
#include "orb.h"
#include "poa.h"
#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reference to the object behind a right to send, which becomes the reference's; nil on failure, and the right stays the caller's.
 * `options` may be NULL. Any number of threads may call the object at the same time.
 */
CORBA_Object whittle_mach_object(mach_port_t port, const struct whittle_mach_client_options *options, CORBA_Environment *ev);
/* A reference to the index-th object of a server, for its servants to pass on. */
CORBA_Object whittle_mach_object_served(const struct whittle_mach_server *server, size_t index, CORBA_Environment *ev);
/* The reference's right to send, which stays its own. MACH_PORT_NULL: the reference is none of these. */
mach_port_t whittle_mach_object_port(CORBA_Object object);
#ifdef __cplusplus
}
#endif
#endif
