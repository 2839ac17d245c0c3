/* SPDX-License-Identifier: MIT-0 */
/* What all references have in common: a kind, and a count. */
#ifndef WHITTLE_CORBA_KIND_H
#define WHITTLE_CORBA_KIND_H
#include "basic.h"

enum whittle_kind {
    WHITTLE_A_REFERENCE = WHITTLE_PSEUDO_OBJECT, WHITTLE_AN_ORB, WHITTLE_AN_ADAPTER, WHITTLE_A_MANAGER, WHITTLE_A_POLICY, WHITTLE_A_CURRENT,
    WHITTLE_A_FOREIGN
};
struct CORBA_Object_struct {
    uint32_t kind;
    uint32_t refs;
};

/* A reference to what is called without the ORB: who made it ends it. */
struct whittle_foreign {
    struct CORBA_Object_struct head;
    void (*destroy)(struct whittle_foreign *object);
};
#endif
