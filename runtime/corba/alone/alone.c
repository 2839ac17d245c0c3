/* SPDX-License-Identifier: MIT-0 */
/*
 * What programs need of references and servants that are none of the ORB's, in place of it: other links' references (kind.h). Values of
 * any type hold none of them in messages.
 */
#include "kind.h"
#include "marshal.h"
#include "poa.h"
#include "typecode.h"

void whittle_drop(CORBA_Object object)
{
    if (object != NULL && __atomic_sub_fetch(&object->refs, 1, __ATOMIC_ACQ_REL) == 0)
        ((struct whittle_foreign *)(void *)object)->destroy((struct whittle_foreign *)(void *)object);
}

void whittle_drop_later(void *object)
{
    whittle_drop((CORBA_Object)object);
}

CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev)
{
    if (object == NULL)
        return object;
    if (object->kind >= WHITTLE_PSEUDO_OBJECT) {
        __atomic_fetch_add(&object->refs, 1, __ATOMIC_RELAXED);
        return object;
    }
    CORBA_TypeCode const other = whittle_typecode_duplicate((CORBA_TypeCode)(const void *)object);
    if (other == NULL)
        whittle_exception_system(ev, ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_NO);
    return (CORBA_Object)(uintptr_t)other;
}

void CORBA_Object_release(CORBA_Object object, CORBA_Environment *ev)
{
    CORBA_TypeCode type = (CORBA_TypeCode)(const void *)object;
    (void)ev;
    if (object != NULL && object->kind < WHITTLE_PSEUDO_OBJECT)
        whittle_release_typecode(&type);
    else
        whittle_drop(object);
}

void whittle_release_object(void *place)
{
    CORBA_Object *const object = (CORBA_Object *)place;
    whittle_drop(*object);
    *object = CORBA_OBJECT_NIL;
}

CORBA_boolean CORBA_Object_is_nil(CORBA_Object object, CORBA_Environment *ev)
{
    (void)ev;
    return object == CORBA_OBJECT_NIL;
}

/* Whoever has two references to one object may hear that they are not known to be of one. */
CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev)
{
    (void)ev;
    return object == other;
}

static void whittle_servant_begins(PortableServer_Servant servant)
{
    ((PortableServer_ServantBase *)servant)->_private = NULL;
}

void PortableServer_ServantBase__init(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_begins(servant);
}

void PortableServer_ServantBase__fini(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_begins(servant);
}

char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value)
{
    (void)out, (void)at, (void)value;
    return NULL;
}

const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped)
{
    (void)in, (void)at, (void)swapped;
    *value = CORBA_OBJECT_NIL;
    return NULL;
}

bool whittle_cdr_in_later(struct whittle_cdr_in *in, void *item, void (*release)(void *item))
{
    (void)in;
    release(item);
    return false;
}
