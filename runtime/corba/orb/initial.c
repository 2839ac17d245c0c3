/* SPDX-License-Identifier: MIT-0 */
/* Initial references, and references from any text. Source: CORBA 3.3 part 1, sections 8.5.2 and 8.5.3. */
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

CORBA_Object CORBA_ORB_string_to_object(CORBA_ORB orb, const CORBA_char *text, CORBA_Environment *ev)
{
    if (orb == NULL || text == NULL)
        whittle_nil(ev);
    else if (strncasecmp(text, "IOR:", 4) == 0)
        return whittle_ior_parse(orb, text + 4, ev);
    else if (strncasecmp(text, "corbaloc:", 9) == 0)
        return whittle_corbaloc(orb, text + 9, ev);
    else if (strncasecmp(text, "corbaname:", 10) == 0)
        return whittle_corbaname(orb, text + 10, ev);
    else
        WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_OMG | 7, NO);
    return CORBA_OBJECT_NIL;
}

static CORBA_Object whittle_current_reference(CORBA_ORB orb, CORBA_Environment *ev)
{
    pthread_mutex_lock(&orb->lock);
    if (orb->current == NULL) {
        orb->current = (CORBA_Object)malloc(sizeof *orb->current);
        if (orb->current != NULL)
            *orb->current = (struct CORBA_Object_struct){WHITTLE_A_CURRENT, 1};
        else
            WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    }
    CORBA_Object const current = whittle_keep(orb->current);
    pthread_mutex_unlock(&orb->lock);
    return current;
}

/* At the default place: URL/NAME. */
static CORBA_Object whittle_default_initial(CORBA_ORB orb, const char *name, CORBA_Environment *ev)
{
    const size_t size = strlen(orb->options.default_initial) + strlen(name) + 2;
    char *const url = (char *)malloc(size);
    if (url == NULL) {
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return CORBA_OBJECT_NIL;
    }
    snprintf(url, size, "%s/%s", orb->options.default_initial, name);
    CORBA_Object const object = CORBA_ORB_string_to_object(orb, url, ev);
    free(url);
    return object;
}

CORBA_Object CORBA_ORB_resolve_initial_references(CORBA_ORB orb, const CORBA_char *identifier, CORBA_Environment *ev)
{
    /* A name that is to be found under itself is not found. */
    static __thread unsigned depth;
    CORBA_Object object = CORBA_OBJECT_NIL;
    if (orb == NULL || identifier == NULL) {
        whittle_nil(ev);
        return CORBA_OBJECT_NIL;
    }
    if (strcmp(identifier, "RootPOA") == 0)
        return (CORBA_Object)whittle_adapter_root(orb, ev);
    if (strcmp(identifier, "POACurrent") == 0)
        return whittle_current_reference(orb, ev);
    const struct whittle_initial *initial = orb->options.initial;
    while (initial != NULL && strcmp(initial->name, identifier) != 0)
        initial = initial->next;
    if (depth == WHITTLE_HOPS || (initial == NULL && orb->options.default_initial == NULL)) {
        whittle_exception_user(ev, ex_CORBA_ORB_InvalidName, TC_CORBA_null, NULL);
        return CORBA_OBJECT_NIL;
    }
    depth++;
    object = initial != NULL ? CORBA_ORB_string_to_object(orb, initial->url, ev) : whittle_default_initial(orb, identifier, ev);
    depth--;
    return object;
}

CORBA_ORB_ObjectIdList *CORBA_ORB_list_initial_services(CORBA_ORB orb, CORBA_Environment *ev)
{
    uint32_t count = 2;
    if (orb == NULL) {
        whittle_nil(ev);
        return NULL;
    }
    for (const struct whittle_initial *each = orb->options.initial; each != NULL; each = each->next)
        count++;
    CORBA_ORB_ObjectIdList *const list = CORBA_sequence_CORBA_string__alloc();
    CORBA_char **const names = list == NULL ? NULL : CORBA_sequence_CORBA_string_allocbuf(count);
    if (names == NULL) {
        CORBA_free(list);
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return NULL;
    }
    *list = (CORBA_ORB_ObjectIdList){count, count, names, CORBA_TRUE};
    names[0] = CORBA_string_dup("RootPOA");
    names[1] = CORBA_string_dup("POACurrent");
    count = 2;
    for (const struct whittle_initial *each = orb->options.initial; each != NULL; each = each->next)
        names[count++] = CORBA_string_dup(each->name);
    return list;
}
