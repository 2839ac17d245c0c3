/* SPDX-License-Identifier: MIT-0 */
/* References to objects as arguments: texts in C, as clients are opened from and servers give them. */
#include "charge.h"
#include "iiop_parts.h"
#include <stdlib.h>

/* Of the request that is served, or the call that is made: others may end meanwhile. */
static CORBA_ORB whittle_iiop_here(void)
{
    return whittle_current != NULL ? whittle_current->orb : whittle_iiop_calling;
}

char *whittle_cdr_out_reference(struct whittle_cdr_out *out, char *at, char *const *value)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB const orb = whittle_iiop_here();
    CORBA_Object object = CORBA_OBJECT_NIL;
    if (*value != NULL && orb != NULL)
        object = CORBA_ORB_string_to_object(orb, *value, &ev);
    const bool good = orb != NULL && ev._major == CORBA_NO_EXCEPTION;
    CORBA_exception_free(&ev);
    at = good ? whittle_cdr_out_object(out, at, &object) : NULL;
    whittle_drop(object);
    return at;
}

/* Beside the message: no text is in it. */
const char *whittle_cdr_in_reference(struct whittle_cdr_in *in, const char *at, char **value, bool swapped)
{
    struct whittle_scan scan = {in->base, at, in->end, swapped, false};
    struct whittle_reference *reference = NULL;
    CORBA_ORB const orb = whittle_iiop_here();
    CORBA_Environment ev;
    *value = NULL;
    struct whittle_account *const before = whittle_account_begin(in->account);
    const bool read = orb != NULL && whittle_ior_scan(orb, &scan, &reference);
    CORBA_exception_init(&ev);
    CORBA_char *const text = reference == NULL ? NULL : CORBA_ORB_object_to_string(orb, &reference->head, &ev);
    whittle_account_begin(before);
    if (!read || reference == NULL)
        return read ? scan.at : NULL;
    const size_t size = text == NULL ? 0 : strlen(text) + 1;
    char *const copy = size == 0 || size > UINT32_MAX ? NULL : (char *)in->allocate(in, 1, (uint32_t)size, NULL);
    if (copy != NULL)
        memcpy(copy, text, size);
    CORBA_free(text);
    CORBA_exception_free(&ev);
    whittle_drop(&reference->head);
    *value = copy;
    return copy == NULL ? NULL : scan.at;
}

void whittle_release_reference(char **value)
{
    free(*value);
    *value = NULL;
}
