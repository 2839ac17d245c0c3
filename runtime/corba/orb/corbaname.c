/* SPDX-License-Identifier: MIT-0 */
/*
 * corbaname:ADDRESS#a/b.kind: a name service is asked for a name. Source: naming service 1.3, formal/04-10-03, sections 2.4 and
 * 2.5; CORBA 3.3 part 2, section 7.6.10.
 */
#include "parts.h"
#include <stdlib.h>

/* A string whose bytes are those of the component up to its end, escapes taken away; NULL: no room. */
static char *whittle_name_part(struct whittle_cdr_out *out, char *at, const char *text, size_t size)
{
    uint32_t length = 0;
    at = whittle_cdr_out_align_and(out, at, 4, size + 5);
    if (at == NULL)
        return NULL;
    for (size_t index = 0; index < size; index++) {
        if (text[index] == '\\' && index + 1 < size)
            index++;
        at[4 + length++] = text[index];
    }
    at[4 + length++] = 0;
    whittle_poke32(at, length);
    return at + 4 + length;
}

/* Up to one of `stops`, over what is escaped. */
static size_t whittle_name_span(const char *text, size_t size, const char *stops)
{
    size_t index = 0;
    while (index < size && strchr(stops, text[index]) == NULL)
        index += text[index] == '\\' && index + 1 < size ? 2 : 1;
    return index;
}

/* A sequence of components, each an id and a kind. */
static char *whittle_name_write(struct whittle_cdr_out *out, char *at, const char *name)
{
    size_t left = strlen(name);
    uint32_t count = 0;
    at = whittle_cdr_out_align_and(out, at, 4, 4);
    const size_t place = at == NULL ? 0 : (size_t)(at - out->base);
    at = at == NULL ? NULL : at + 4;
    for (bool more = left > 0; at != NULL && more; count++) {
        const size_t size = whittle_name_span(name, left, "/"), id = whittle_name_span(name, size, ".");
        at = whittle_name_part(out, at, name, id);
        at = at == NULL ? NULL : whittle_name_part(out, at, name + id + (id < size), size - id - (id < size));
        more = size < left;
        name += size + more;
        left -= size + more;
    }
    if (at != NULL)
        whittle_poke32(out->base + place, count);
    return at;
}

static CORBA_Object whittle_name_resolve(CORBA_Object context, const char *name, CORBA_Environment *ev)
{
    struct whittle_call call = WHITTLE_NEW_CALL;
    enum whittle_answer answer;
    CORBA_Object found = CORBA_OBJECT_NIL;
    do {
        char *at = whittle_call_begin(&call, context, "resolve", sizeof "resolve", true, ev);
        at = at == NULL ? NULL : whittle_name_write(&call.out, at, name);
        answer = whittle_call_send(&call, at, ev);
    } while (answer == WHITTLE_ANSWER_AGAIN);
    if (answer == WHITTLE_ANSWER_RESULT)
        whittle_call_unmarshalled(&call, whittle_cdr_in_object(&call.in, call.at, &found, call.swapped), ev);
    else if (answer == WHITTLE_ANSWER_EXCEPTION)    /* it has no such name */
        WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_OMG | 10, NO);
    whittle_call_end(&call);
    return found;
}

/* What follows "corbaname:". */
CORBA_Object whittle_corbaname(CORBA_ORB orb, const char *text, CORBA_Environment *ev)
{
    size_t length;
    const size_t address = strcspn(text, "#");
    const bool has_key = memchr(text, '/', address) != NULL;
    const char *const written = text[address] == '#' ? text + address + 1 : "";
    char *const location = (char *)malloc(address + sizeof "/NameService");
    char *const name = whittle_unescape(written, strlen(written), &length);
    CORBA_Object context = CORBA_OBJECT_NIL, found;
    if (location != NULL && name != NULL) {
        memcpy(location, text, address);
        strcpy(location + address, has_key ? "" : "/NameService");
        context = whittle_corbaloc(orb, location, ev);
    } else {
        WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_OMG | 9, NO);
    }
    if (context == NULL || length == 0) {
        found = context;
    } else {
        found = whittle_name_resolve(context, name, ev);
        whittle_drop(context);
    }
    free(location);
    free(name);
    return found;
}
