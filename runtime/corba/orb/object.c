/* SPDX-License-Identifier: MIT-0 */
/* What all references have in common: they are counted, and the last to release one ends it. */
#include "parts.h"
#include "typecode.h"
#include <stdlib.h>

static void whittle_destroy(CORBA_Object object)
{
    switch ((enum whittle_kind)object->kind) {
    case WHITTLE_A_REFERENCE: whittle_reference_destroy((struct whittle_reference *)object); break;
    case WHITTLE_AN_ORB: whittle_orb_destroy((CORBA_ORB)object); break;
    case WHITTLE_AN_ADAPTER: whittle_adapter_destroy((struct whittle_adapter *)object); break;
    case WHITTLE_A_MANAGER: whittle_manager_destroy((struct whittle_manager *)object); break;
    case WHITTLE_A_FOREIGN: ((struct whittle_foreign *)(void *)object)->destroy((struct whittle_foreign *)(void *)object); break;
    case WHITTLE_A_POLICY: case WHITTLE_A_CURRENT: free(object); break;
    }
}

void whittle_drop(CORBA_Object object)
{
    if (object != NULL && __atomic_sub_fetch(&object->refs, 1, __ATOMIC_ACQ_REL) == 0)
        whittle_destroy(object);
}

void whittle_drop_later(void *object)
{
    whittle_drop((CORBA_Object)object);
}

CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev)
{
    if (object == NULL || object->kind >= WHITTLE_PSEUDO_OBJECT)
        return whittle_keep(object);
    CORBA_TypeCode const other = whittle_typecode_duplicate((CORBA_TypeCode)(const void *)object);
    if (other == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return (CORBA_Object)(uintptr_t)other;
}

void CORBA_Object_release(CORBA_Object object, CORBA_Environment *ev)
{
    (void)ev;
    if (object == NULL)
        return;
    if (object->kind >= WHITTLE_PSEUDO_OBJECT) {
        whittle_drop(object);
    } else {
        CORBA_TypeCode type = (CORBA_TypeCode)(const void *)object;
        whittle_release_typecode(&type);
    }
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

CORBA_char *CORBA_Object_repository_id(CORBA_Object object, CORBA_Environment *ev)
{
    const struct whittle_reference *const reference = whittle_reference_of(object);
    CORBA_char *const id = CORBA_string_dup(reference == NULL ? "" : reference->repository_id);
    if (id == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return id;
}

void whittle_object_timeout(CORBA_Object object, uint32_t milliseconds)
{
    struct whittle_reference *const reference = whittle_reference_of(object);
    if (reference != NULL)
        __atomic_store_n(&reference->timeout, milliseconds, __ATOMIC_RELAXED);
}

void whittle_object_forwards(CORBA_Object object, enum whittle_forwards forwards)
{
    struct whittle_reference *const reference = whittle_reference_of(object);
    if (reference != NULL)
        __atomic_store_n(&reference->forwards, (uint8_t)forwards, __ATOMIC_RELAXED);
}
