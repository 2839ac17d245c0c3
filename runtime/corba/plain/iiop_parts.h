/* SPDX-License-Identifier: MIT-0 */
/* What the files of the plain style's run time do for each other. */
#ifndef WHITTLE_IIOP_PARTS_H
#define WHITTLE_IIOP_PARTS_H
#include "iiop_stubs.h"
#include "parts.h"

struct whittle_iiop_client {
    CORBA_Object object;
};

/* iiop_status.c: the number for what was raised, which is released; 0: nothing was. */
int whittle_iiop_status_of(CORBA_Environment *ev);

/* iiop_call.c: the ORB of the last call that this thread began. */
extern __thread CORBA_ORB whittle_iiop_calling;

enum { WHITTLE_IIOP_USUAL_TIMEOUT = 25000 };
#endif
