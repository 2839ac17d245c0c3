/* SPDX-License-Identifier: MIT-0 */
/* Objects activated and deactivated. Source: CORBA 3.3 part 1, section 15.3.9. */
#include "parts.h"

static void whittle_wrong(CORBA_Environment *ev, const char *id)
{
    whittle_exception_user(ev, id, TC_CORBA_null, NULL);
}

PortableServer_ObjectId *whittle_id_new(const char *id, uint32_t length, CORBA_Environment *ev)
{
    PortableServer_ObjectId *const made = CORBA_sequence_CORBA_octet__alloc();
    CORBA_octet *const bytes = made == NULL ? NULL : CORBA_sequence_CORBA_octet_allocbuf(length == 0 ? 1 : length);
    if (bytes == NULL) {
        CORBA_free(made);
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return NULL;
    }
    memcpy(bytes, id, length);
    *made = (PortableServer_ObjectId){length, length, bytes, CORBA_TRUE};
    return made;
}

/* With the adapter's lock held. */
static bool whittle_activate(struct whittle_adapter *adapter, const char *id, uint32_t length, PortableServer_Servant servant,
                             CORBA_Environment *ev)
{
    const bool unique = whittle_policy_of(adapter, WHITTLE_ID_UNIQUENESS_POLICY) == PortableServer_UNIQUE_ID;
    if (whittle_active_find(adapter, id, length) != NULL)
        whittle_wrong(ev, ex_PortableServer_POA_ObjectAlreadyActive);
    else if (unique && whittle_active_of(adapter, servant) != NULL)
        whittle_wrong(ev, ex_PortableServer_POA_ServantAlreadyActive);
    else if (whittle_active_add(adapter, id, length, servant) == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return ev->_major == CORBA_NO_EXCEPTION;
}

static bool whittle_may_activate(const struct whittle_adapter *adapter, PortableServer_Servant servant, CORBA_Environment *ev)
{
    if (adapter == NULL || servant == NULL)
        whittle_nil(ev);
    else if (whittle_policy_of(adapter, WHITTLE_SERVANT_RETENTION_POLICY) != PortableServer_RETAIN)
        whittle_wrong(ev, ex_PortableServer_POA_WrongPolicy);
    return ev->_major == CORBA_NO_EXCEPTION;
}

PortableServer_ObjectId *PortableServer_POA_activate_object(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    char id[16];
    if (!whittle_may_activate(adapter, servant, ev))
        return NULL;
    if (whittle_policy_of(adapter, WHITTLE_ID_ASSIGNMENT_POLICY) != PortableServer_SYSTEM_ID) {
        whittle_wrong(ev, ex_PortableServer_POA_WrongPolicy);
        return NULL;
    }
    pthread_mutex_lock(&adapter->lock);
    const uint32_t length = whittle_new_id(adapter, id);
    const bool done = whittle_activate(adapter, id, length, servant, ev);
    pthread_mutex_unlock(&adapter->lock);
    return done ? whittle_id_new(id, length, ev) : NULL;
}

void PortableServer_POA_activate_object_with_id(PortableServer_POA poa, const PortableServer_ObjectId *id, PortableServer_Servant servant,
                                                CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    if (!whittle_may_activate(adapter, servant, ev))
        return;
    pthread_mutex_lock(&adapter->lock);
    whittle_activate(adapter, (const char *)id->_buffer, id->_length, servant, ev);
    pthread_mutex_unlock(&adapter->lock);
}

/* Requests that are in it are finished first. */
void PortableServer_POA_deactivate_object(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    if (adapter == NULL)
        return;
    pthread_mutex_lock(&adapter->lock);
    struct whittle_active *const active = whittle_active_find(adapter, (const char *)id->_buffer, id->_length);
    const bool there = active != NULL && !active->going;
    if (there) {
        active->going = true;
        if (active->serving == 0)
            whittle_active_finish(adapter, active, false);
    }
    pthread_mutex_unlock(&adapter->lock);
    if (!there)
        whittle_wrong(ev, ex_PortableServer_POA_ObjectNotActive);
}

/* The id under which the servant is active; where the policies say so, made active. false: `ev` says why not. */
static bool whittle_servant_id(struct whittle_adapter *adapter, PortableServer_Servant servant, PortableServer_ObjectId **id, CORBA_Environment *ev)
{
    *id = NULL;
    if (adapter == NULL || servant == NULL) {
        whittle_nil(ev);
        return false;
    }
    const bool unique = whittle_policy_of(adapter, WHITTLE_ID_UNIQUENESS_POLICY) == PortableServer_UNIQUE_ID;
    const bool implicit = whittle_policy_of(adapter, WHITTLE_IMPLICIT_ACTIVATION_POLICY) == PortableServer_IMPLICIT_ACTIVATION;
    char fresh[16];
    uint32_t length;
    pthread_mutex_lock(&adapter->lock);
    struct whittle_active *const active = whittle_active_of(adapter, servant);
    if (active != NULL && (unique || !implicit)) {
        *id = whittle_id_new(active->id, active->length, ev);
    } else if (implicit) {
        length = whittle_new_id(adapter, fresh);
        if (whittle_activate(adapter, fresh, length, servant, ev))
            *id = whittle_id_new(fresh, length, ev);
    }
    pthread_mutex_unlock(&adapter->lock);
    /* The default servant is, while it serves, the object that it serves. */
    if (*id == NULL && ev->_major == CORBA_NO_EXCEPTION && servant == adapter->servant && whittle_current != NULL
        && whittle_current->adapter == &adapter->head)
        *id = whittle_id_new(whittle_current->object_id, whittle_current->object_id_length, ev);
    if (*id == NULL && ev->_major == CORBA_NO_EXCEPTION)
        whittle_wrong(ev, ex_PortableServer_POA_ServantNotActive);
    return *id != NULL;
}

PortableServer_ObjectId *PortableServer_POA_servant_to_id(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev)
{
    PortableServer_ObjectId *id;
    return whittle_servant_id(whittle_adapter_of(poa), servant, &id, ev) ? id : NULL;
}

static CORBA_Object whittle_made(CORBA_Object reference, CORBA_Environment *ev)
{
    if (reference == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return reference;
}

static const char *whittle_servant_type(PortableServer_Servant servant)
{
    const struct whittle_interface *const interface = (const struct whittle_interface *)((PortableServer_ServantBase *)servant)->_private;
    return interface == NULL ? "" : interface->repository_id;
}

CORBA_Object PortableServer_POA_servant_to_reference(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    PortableServer_ObjectId *id;
    if (!whittle_servant_id(adapter, servant, &id, ev))
        return CORBA_OBJECT_NIL;
    CORBA_Object const reference = whittle_key_reference(adapter, (const char *)id->_buffer, id->_length, whittle_servant_type(servant));
    CORBA_free(id);
    return whittle_made(reference, ev);
}

CORBA_Object PortableServer_POA_id_to_reference(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    if (adapter == NULL)
        return CORBA_OBJECT_NIL;
    pthread_mutex_lock(&adapter->lock);
    const struct whittle_active *const active = whittle_active_find(adapter, (const char *)id->_buffer, id->_length);
    const char *const type = active == NULL ? NULL : whittle_servant_type(active->servant);
    pthread_mutex_unlock(&adapter->lock);
    if (type == NULL) {
        whittle_wrong(ev, ex_PortableServer_POA_ObjectNotActive);
        return CORBA_OBJECT_NIL;
    }
    return whittle_made(whittle_key_reference(adapter, (const char *)id->_buffer, id->_length, type), ev);
}

CORBA_Object PortableServer_POA_create_reference_with_id(PortableServer_POA poa, const PortableServer_ObjectId *id,
                                                         const CORBA_char *repository_id, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    if (adapter == NULL)
        return CORBA_OBJECT_NIL;
    return whittle_made(whittle_key_reference(adapter, (const char *)id->_buffer, id->_length, repository_id), ev);
}

CORBA_Object PortableServer_POA_create_reference(PortableServer_POA poa, const CORBA_char *repository_id, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    char id[16];
    if (adapter == NULL)
        return CORBA_OBJECT_NIL;
    if (whittle_policy_of(adapter, WHITTLE_ID_ASSIGNMENT_POLICY) != PortableServer_SYSTEM_ID) {
        whittle_wrong(ev, ex_PortableServer_POA_WrongPolicy);
        return CORBA_OBJECT_NIL;
    }
    pthread_mutex_lock(&adapter->lock);
    const uint32_t length = whittle_new_id(adapter, id);
    pthread_mutex_unlock(&adapter->lock);
    return whittle_made(whittle_key_reference(adapter, id, length, repository_id), ev);
}
