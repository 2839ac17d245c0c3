/* SPDX-License-Identifier: MIT-0 */
/* An exception of the user's out of a reply that has its members, whatever carries ONC RPC. */
#ifndef WHITTLE_ONC_OBJECT_TAKEN_H
#define WHITTLE_ONC_OBJECT_TAKEN_H
#include "giop.h"

/* Raises `value`, which was allocated for it and takes over what is at `from`. false: NULL was no memory. */
static inline bool whittle_exception_taken(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value, const void *from, size_t size)
{
    if (value == NULL) {
        whittle_exception_system(ev, ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_YES);
        return false;
    }
    if (size > 0)
        memcpy(value, from, size);
    whittle_exception_user(ev, id, type, value);
    return true;
}
#endif
