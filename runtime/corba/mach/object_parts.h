/* SPDX-License-Identifier: MIT-0 */
/* References to objects behind ports, as the run time has them. */
#ifndef WHITTLE_MACH_OBJECT_PARTS_H
#define WHITTLE_MACH_OBJECT_PARTS_H
#include "kind.h"
#include "mach_object_stubs.h"
#include <stdlib.h>

struct whittle_mach_reference {
    struct whittle_foreign head;
    struct whittle_mach_client *client;     /* NULL: the port had ended when the reference came */
    mach_port_t port;                       /* a right to send of its own */
};
#define WHITTLE_MACH_REFERENCE 256          /* bytes of memory that one takes at most */

/* NULL: it is none of these references. */
struct whittle_mach_reference *whittle_mach_reference_of(CORBA_Object object);
/* Storage of results. */
void *whittle_mach_object_result(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
/* The ORB's, or what stands in its place: releases a reference. */
void whittle_drop(CORBA_Object object);
void whittle_drop_later(void *object);
#endif
