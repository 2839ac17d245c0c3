/* SPDX-License-Identifier: MIT-0 */
/* From references and ids back to servants; default servants and servant managers. Source: CORBA 3.3 part 1, section 15.3.9. */
#include "parts.h"

static void whittle_wrong_policy(CORBA_Environment *ev)
{
    whittle_exception_user(ev, ex_PortableServer_POA_WrongPolicy, TC_CORBA_null, NULL);
}

/* The object's id in the key of a reference that `adapter` made. */
static const char *whittle_reference_id(struct whittle_adapter *adapter, CORBA_Object object, uint32_t *length, CORBA_Environment *ev)
{
    const struct whittle_reference *const reference = whittle_reference_of(object);
    if (adapter == NULL || reference == NULL) {
        whittle_nil(ev);
        return NULL;
    }
    for (uint32_t index = 0; index < reference->profile_count; index++) {
        const struct whittle_profile *const profile = &reference->profiles[index];
        if (profile->key_length >= adapter->prefix_length && memcmp(profile->key, adapter->prefix, adapter->prefix_length) == 0) {
            *length = profile->key_length - adapter->prefix_length;
            return profile->key + adapter->prefix_length;
        }
    }
    whittle_exception_user(ev, ex_PortableServer_POA_WrongAdapter, TC_CORBA_null, NULL);
    return NULL;
}

static PortableServer_Servant whittle_id_servant(struct whittle_adapter *adapter, const char *id, uint32_t length, CORBA_Environment *ev)
{
    pthread_mutex_lock(&adapter->lock);
    const struct whittle_active *const active = whittle_active_find(adapter, id, length);
    PortableServer_Servant const servant = active != NULL && !active->going ? active->servant : adapter->servant;
    pthread_mutex_unlock(&adapter->lock);
    if (servant == NULL)
        whittle_exception_user(ev, ex_PortableServer_POA_ObjectNotActive, TC_CORBA_null, NULL);
    return servant;
}

PortableServer_Servant PortableServer_POA_reference_to_servant(PortableServer_POA poa, CORBA_Object reference, CORBA_Environment *ev)
{
    uint32_t length;
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    const char *const id = whittle_reference_id(adapter, reference, &length, ev);
    return id == NULL ? NULL : whittle_id_servant(adapter, id, length, ev);
}

PortableServer_ObjectId *PortableServer_POA_reference_to_id(PortableServer_POA poa, CORBA_Object reference, CORBA_Environment *ev)
{
    uint32_t length;
    const char *const id = whittle_reference_id(whittle_adapter_of(poa), reference, &length, ev);
    return id == NULL ? NULL : whittle_id_new(id, length, ev);
}

PortableServer_Servant PortableServer_POA_id_to_servant(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    return adapter == NULL ? NULL : whittle_id_servant(adapter, (const char *)id->_buffer, id->_length, ev);
}

static bool whittle_processes(struct whittle_adapter *adapter, uint32_t how, CORBA_Environment *ev)
{
    if (adapter == NULL)
        whittle_nil(ev);
    else if (whittle_policy_of(adapter, WHITTLE_REQUEST_PROCESSING_POLICY) != how)
        whittle_wrong_policy(ev);
    return ev->_major == CORBA_NO_EXCEPTION;
}

PortableServer_Servant PortableServer_POA_get_servant(PortableServer_POA poa, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    if (!whittle_processes(adapter, PortableServer_USE_DEFAULT_SERVANT, ev))
        return NULL;
    if (adapter->servant == NULL)
        whittle_exception_user(ev, ex_PortableServer_POA_NoServant, TC_CORBA_null, NULL);
    return adapter->servant;
}

void PortableServer_POA_set_servant(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    if (!whittle_processes(adapter, PortableServer_USE_DEFAULT_SERVANT, ev))
        return;
    pthread_mutex_lock(&adapter->lock);
    adapter->servant = servant;
    pthread_mutex_unlock(&adapter->lock);
}

PortableServer_ServantManager PortableServer_POA_get_servant_manager(PortableServer_POA poa, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    return whittle_processes(adapter, PortableServer_USE_SERVANT_MANAGER, ev) ? whittle_keep(adapter->servant_manager) : CORBA_OBJECT_NIL;
}

/* A manager is an object of this process: its servant is called as it is. It can be set once. */
void PortableServer_POA_set_servant_manager(PortableServer_POA poa, PortableServer_ServantManager manager, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa), *home = NULL;
    const struct whittle_reference *const reference = whittle_reference_of(manager);
    const char *id = NULL;
    uint32_t length = 0;
    if (!whittle_processes(adapter, PortableServer_USE_SERVANT_MANAGER, ev))
        return;
    if (adapter->managing != NULL) {
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 6, NO);
        return;
    }
    for (uint32_t index = 0; reference != NULL && home == NULL && index < reference->profile_count; index++)
        home = whittle_key_adapter(adapter->orb, reference->profiles[index].key, reference->profiles[index].key_length, &id, &length);
    PortableServer_Servant const servant = home == NULL ? NULL : whittle_id_servant(home, id, length, ev);
    if (home != NULL)
        whittle_drop(&home->head);
    const struct whittle_interface *const is = servant == NULL ? NULL : (const struct whittle_interface *)((PortableServer_ServantBase *)servant)->_private;
    const bool retains = whittle_policy_of(adapter, WHITTLE_SERVANT_RETENTION_POLICY) == PortableServer_RETAIN;
    if (is != (retains ? &whittle_servant_activator : &whittle_servant_locator)) {
        CORBA_exception_free(ev);
        WHITTLE_RAISE(ev, OBJ_ADAPTER, WHITTLE_OMG | 4, NO);
        return;
    }
    pthread_mutex_lock(&adapter->lock);
    adapter->servant_manager = whittle_keep(manager);
    adapter->managing = servant;
    pthread_mutex_unlock(&adapter->lock);
}
