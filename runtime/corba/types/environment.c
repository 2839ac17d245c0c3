/* SPDX-License-Identifier: MIT-0 */
/*
 * How calls end: exceptions in a CORBA_Environment. System exceptions need no memory, so that running out of it can be
 * said. Source: formal/99-07-35, "Handling Exceptions".
 */
#include "any.h"
#include "constants.h"
#include <string.h>

struct whittle_system_exception {
    const char *id;
    CORBA_TypeCode type;
};

#define WHITTLE_SYSTEM_EXCEPTION(name) {ex_CORBA_##name, TC_CORBA_##name},
static const struct whittle_system_exception whittle_system_exceptions[] = {
    WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_SYSTEM_EXCEPTION)};
#undef WHITTLE_SYSTEM_EXCEPTION

/* One that this program does not know is UNKNOWN, which stands first. */
static const struct whittle_system_exception *whittle_system_exception(const char *id)
{
    const size_t count = sizeof whittle_system_exceptions / sizeof whittle_system_exceptions[0];
    for (size_t index = 0; index < count; index++)
        if (strcmp(whittle_system_exceptions[index].id, id) == 0)
            return &whittle_system_exceptions[index];
    return whittle_system_exceptions;
}

void CORBA_exception_init(CORBA_Environment *ev)
{
    memset(ev, 0, sizeof *ev);
}

void CORBA_exception_free(CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return;
    if (ev->_major == CORBA_USER_EXCEPTION) {
        CORBA_free(ev->_id);
        whittle_release_any(&ev->_any);
    }
    CORBA_exception_init(ev);
}

static void whittle_release_environment(void *place)
{
    CORBA_exception_free((CORBA_Environment *)place);
}

CORBA_Environment *CORBA_Environment__alloc(void)
{
    return (CORBA_Environment *)whittle_corba_new(sizeof(CORBA_Environment), 1, whittle_release_environment);
}

CORBA_char *CORBA_exception_id(CORBA_Environment *ev)
{
    return ev->_major == CORBA_NO_EXCEPTION ? NULL : ev->_id;
}

/* The environment may have been copied as a structure, so nothing in it points into it. */
void *CORBA_exception_value(CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return NULL;
    return ev->_major == CORBA_SYSTEM_EXCEPTION ? &ev->_system : ev->_any._value;
}

CORBA_any *CORBA_exception_as_any(CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return NULL;
    if (ev->_major == CORBA_SYSTEM_EXCEPTION)
        ev->_any._value = &ev->_system;
    return &ev->_any;
}

void whittle_exception_system(CORBA_Environment *ev, const char *id, uint32_t minor, CORBA_completion_status completed)
{
    const struct whittle_system_exception *const known = whittle_system_exception(id);
    CORBA_exception_free(ev);
    ev->_id = (CORBA_char *)known->id;
    ev->_any._type = known->type;
    ev->_system.minor = minor;
    ev->_system.completed = completed;
    ev->_major = CORBA_SYSTEM_EXCEPTION;
}

void CORBA_exception_set_system(CORBA_Environment *ev, const CORBA_char *id, CORBA_completion_status completed)
{
    whittle_exception_system(ev, id, 0, completed);
}

void whittle_exception_user(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value)
{
    CORBA_char *const copy = CORBA_string_dup(id);
    CORBA_exception_free(ev);
    if (copy == NULL) {
        CORBA_free(value);
        whittle_exception_system(ev, ex_CORBA_NO_MEMORY, 0, CORBA_COMPLETED_MAYBE);
        return;
    }
    ev->_id = copy;
    ev->_any = (CORBA_any){type, value, CORBA_TRUE};
    ev->_major = CORBA_USER_EXCEPTION;
}

void CORBA_exception_set(CORBA_Environment *ev, CORBA_exception_type major, const CORBA_char *id, void *value)
{
    if (major == CORBA_USER_EXCEPTION && id != NULL) {
        whittle_exception_user(ev, id, TC_CORBA_null, value);
    } else if (major == CORBA_NO_EXCEPTION) {
        CORBA_exception_free(ev);
    } else {
        const CORBA_SystemException none = {0, CORBA_COMPLETED_MAYBE};
        const CORBA_SystemException *const given = value == NULL ? &none : (const CORBA_SystemException *)value;
        whittle_exception_system(ev, id == NULL ? ex_CORBA_UNKNOWN : id, given->minor, given->completed);
        CORBA_free(value);
    }
}

static bool whittle_exception_value_copy(CORBA_any *to, const CORBA_any *from)
{
    return from->_type != TC_CORBA_null && CORBA_any__copy(to, from);
}

/* Where there is no memory, or no TypeCode by which to copy, the copy says so. */
void CORBA_exception__copy(CORBA_Environment *to, const CORBA_Environment *from)
{
    CORBA_any copy = {TC_CORBA_null, NULL, CORBA_TRUE};
    if (from->_major == CORBA_SYSTEM_EXCEPTION) {
        whittle_exception_system(to, from->_id, from->_system.minor, from->_system.completed);
    } else if (from->_major == CORBA_NO_EXCEPTION) {
        CORBA_exception_free(to);
    } else if (from->_any._value == NULL || whittle_exception_value_copy(&copy, &from->_any)) {
        whittle_exception_user(to, from->_id, copy._type, copy._value);
    } else {
        whittle_exception_system(to, ex_CORBA_NO_MEMORY, 0, from->_system.completed);
    }
}
