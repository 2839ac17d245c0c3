/* SPDX-License-Identifier: MIT-0 */
/* Exceptions out of replies and into them, whatever carries the calls: the user's, which have members, and statuses, which are system exceptions. */
#ifndef WHITTLE_OBJECT_TAKEN_H
#define WHITTLE_OBJECT_TAKEN_H
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

/* Copies to `to` the members of what a servant raised. false: there are none. */
static inline bool whittle_exception_given(CORBA_Environment *ev, void *to, size_t size)
{
    const void *const value = CORBA_exception_value(ev);
    if (size > 0 && value != NULL)
        memcpy(to, value, size);
    return size == 0 || value != NULL;
}

/* What a status is in CORBA's words. The first of a table stands for all that are not listed. */
struct whittle_object_status {
    int status;
    const char *id;
    CORBA_completion_status completed;
};

static inline const struct whittle_object_status *whittle_object_status_of(const struct whittle_object_status *table, size_t count, int status)
{
    for (size_t index = 1; index < count; index++)
        if (table[index].status == status)
            return &table[index];
    return table;
}

/* The status for what a servant raised. */
static inline int whittle_object_refusal(const struct whittle_object_status *table, size_t count, const CORBA_Environment *ev)
{
    if (ev->_major == CORBA_SYSTEM_EXCEPTION)
        for (size_t index = 1; index < count; index++)
            if (strcmp(ev->_id, table[index].id) == 0)
                return table[index].status;
    return table->status;
}
#endif
