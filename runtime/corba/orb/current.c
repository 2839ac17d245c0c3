/* SPDX-License-Identifier: MIT-0 */
/* What servants are, and which request a thread is serving. Source: CORBA 3.3 part 1, sections 15.3.4 to 15.3.7 and 15.3.10. */
#include "parts.h"

__thread struct whittle_request *whittle_current;

static void whittle_no_dispatch(PortableServer_Servant servant, struct whittle_request *request)
{
    (void)servant;
    whittle_request_unknown(request);
}

/* What a servant is before its __init, and after its __fini. */
const struct whittle_interface whittle_no_interface = {"", (const char *const[]){NULL}, whittle_no_dispatch};
const struct whittle_interface whittle_servant_activator = {
    "IDL:omg.org/PortableServer/ServantActivator:1.0",
    (const char *const[]){"IDL:omg.org/PortableServer/ServantActivator:1.0", "IDL:omg.org/PortableServer/ServantManager:1.0", NULL},
    whittle_no_dispatch};
const struct whittle_interface whittle_servant_locator = {
    "IDL:omg.org/PortableServer/ServantLocator:1.0",
    (const char *const[]){"IDL:omg.org/PortableServer/ServantLocator:1.0", "IDL:omg.org/PortableServer/ServantManager:1.0", NULL},
    whittle_no_dispatch};

static void whittle_servant_is(PortableServer_Servant servant, const struct whittle_interface *interface)
{
    ((PortableServer_ServantBase *)servant)->_private = (void *)(uintptr_t)interface;
}

void PortableServer_ServantBase__init(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_is(servant, NULL);
}

void PortableServer_ServantBase__fini(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_is(servant, NULL);
}

void POA_PortableServer_ServantActivator__init(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_is(servant, &whittle_servant_activator);
}

void POA_PortableServer_ServantActivator__fini(PortableServer_Servant servant, CORBA_Environment *ev)
{
    PortableServer_ServantBase__fini(servant, ev);
}

void POA_PortableServer_ServantLocator__init(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    whittle_servant_is(servant, &whittle_servant_locator);
}

void POA_PortableServer_ServantLocator__fini(PortableServer_Servant servant, CORBA_Environment *ev)
{
    PortableServer_ServantBase__fini(servant, ev);
}

static void whittle_release_forward(void *item)
{
    whittle_release_object(&((PortableServer_ForwardRequest *)item)->forward_reference);
}

PortableServer_ForwardRequest *PortableServer_ForwardRequest__alloc(void)
{
    return (PortableServer_ForwardRequest *)whittle_corba_new(sizeof(PortableServer_ForwardRequest), 1, whittle_release_forward);
}

static bool whittle_is_serving(CORBA_Environment *ev)
{
    if (whittle_current == NULL)
        whittle_exception_user(ev, ex_PortableServer_Current_NoContext, TC_CORBA_null, NULL);
    return whittle_current != NULL;
}

PortableServer_POA PortableServer_Current_get_POA(PortableServer_Current current, CORBA_Environment *ev)
{
    (void)current;
    return whittle_is_serving(ev) ? whittle_keep(whittle_current->adapter) : CORBA_OBJECT_NIL;
}

PortableServer_ObjectId *PortableServer_Current_get_object_id(PortableServer_Current current, CORBA_Environment *ev)
{
    (void)current;
    return whittle_is_serving(ev) ? whittle_id_new(whittle_current->object_id, whittle_current->object_id_length, ev) : NULL;
}

CORBA_char *PortableServer_ObjectId_to_string(const PortableServer_ObjectId *id, CORBA_Environment *ev)
{
    const bool text = memchr(id->_buffer, 0, id->_length) == NULL;
    CORBA_char *const copy = text ? CORBA_string_alloc(id->_length) : NULL;
    if (copy == NULL) {
        if (text)
            WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        else
            WHITTLE_RAISE(ev, BAD_PARAM, 0, NO);
        return NULL;
    }
    memcpy(copy, id->_buffer, id->_length);
    copy[id->_length] = 0;
    return copy;
}

PortableServer_ObjectId *PortableServer_string_to_ObjectId(const CORBA_char *text, CORBA_Environment *ev)
{
    return whittle_id_new(text, (uint32_t)strlen(text), ev);
}
