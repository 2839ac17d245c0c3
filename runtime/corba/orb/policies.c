/* SPDX-License-Identifier: MIT-0 */
/* Policies of object adapters, and object adapters created with them. Source: CORBA 3.3 part 1, sections 15.3.8 and 15.3.9. */
#include "parts.h"
#include <stdlib.h>

static CORBA_Policy whittle_policy_new(CORBA_PolicyType type, uint32_t value, CORBA_Environment *ev)
{
    struct whittle_policy *const policy = (struct whittle_policy *)malloc(sizeof *policy);
    if (policy == NULL) {
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return CORBA_OBJECT_NIL;
    }
    *policy = (struct whittle_policy){{WHITTLE_A_POLICY, 1}, type, value};
    return &policy->head;
}

#define WHITTLE_CREATE_POLICY(NAME, TYPE, NUMBER)                                                                      \
    CORBA_Policy PortableServer_POA_create_##NAME##_policy(PortableServer_POA poa, PortableServer_##TYPE##PolicyValue value, \
                                                           CORBA_Environment *ev)                                      \
    {                                                                                                                  \
        (void)poa;                                                                                                     \
        return whittle_policy_new(NUMBER, (uint32_t)value, ev);                                                        \
    }
WHITTLE_CREATE_POLICY(thread, Thread, WHITTLE_THREAD_POLICY)
WHITTLE_CREATE_POLICY(lifespan, Lifespan, WHITTLE_LIFESPAN_POLICY)
WHITTLE_CREATE_POLICY(id_uniqueness, IdUniqueness, WHITTLE_ID_UNIQUENESS_POLICY)
WHITTLE_CREATE_POLICY(id_assignment, IdAssignment, WHITTLE_ID_ASSIGNMENT_POLICY)
WHITTLE_CREATE_POLICY(implicit_activation, ImplicitActivation, WHITTLE_IMPLICIT_ACTIVATION_POLICY)
WHITTLE_CREATE_POLICY(servant_retention, ServantRetention, WHITTLE_SERVANT_RETENTION_POLICY)
WHITTLE_CREATE_POLICY(request_processing, RequestProcessing, WHITTLE_REQUEST_PROCESSING_POLICY)

static void whittle_invalid_policy(uint32_t index, CORBA_Environment *ev)
{
    PortableServer_POA_InvalidPolicy *const which = (PortableServer_POA_InvalidPolicy *)whittle_corba_new(sizeof *which, 1, NULL);
    if (which != NULL)
        which->index = (CORBA_unsigned_short)index;
    whittle_exception_user(ev, ex_PortableServer_POA_InvalidPolicy, TC_CORBA_null, which);
}

/* The defaults, and what the list says instead; false: `ev` says which of them is at fault. */
static bool whittle_policies_read(const CORBA_PolicyList *list, uint32_t policy[WHITTLE_POLICIES], CORBA_Environment *ev)
{
    static const uint32_t values[WHITTLE_POLICIES] = {2, 2, 2, 2, 2, 2, 3};
    uint32_t given[WHITTLE_POLICIES] = {0};
    policy[WHITTLE_ID_ASSIGNMENT_POLICY - WHITTLE_THREAD_POLICY] = PortableServer_SYSTEM_ID;
    policy[WHITTLE_IMPLICIT_ACTIVATION_POLICY - WHITTLE_THREAD_POLICY] = PortableServer_NO_IMPLICIT_ACTIVATION;
    for (uint32_t index = 0; list != NULL && index < list->_length; index++) {
        const struct whittle_policy *const each = (const struct whittle_policy *)list->_buffer[index];
        const uint32_t which = each == NULL || each->head.kind != WHITTLE_A_POLICY ? (uint32_t)WHITTLE_POLICIES : each->type - WHITTLE_THREAD_POLICY;
        if (which >= WHITTLE_POLICIES || each->value >= values[which] || given[which]++ != 0) {
            whittle_invalid_policy(index, ev);
            return false;
        }
        policy[which] = each->value;
    }
    const uint32_t processing = policy[WHITTLE_REQUEST_PROCESSING_POLICY - WHITTLE_THREAD_POLICY];
    const bool retains = policy[WHITTLE_SERVANT_RETENTION_POLICY - WHITTLE_THREAD_POLICY] == PortableServer_RETAIN;
    const bool system = policy[WHITTLE_ID_ASSIGNMENT_POLICY - WHITTLE_THREAD_POLICY] == PortableServer_SYSTEM_ID;
    const bool implicit = policy[WHITTLE_IMPLICIT_ACTIVATION_POLICY - WHITTLE_THREAD_POLICY] == PortableServer_IMPLICIT_ACTIVATION;
    const bool unique = policy[WHITTLE_ID_UNIQUENESS_POLICY - WHITTLE_THREAD_POLICY] == PortableServer_UNIQUE_ID;
    /* Together they must make sense. */
    const bool good = (processing != PortableServer_USE_ACTIVE_OBJECT_MAP_ONLY || retains) && (!implicit || (system && retains))
        && (processing != PortableServer_USE_DEFAULT_SERVANT || !unique);
    if (!good)
        whittle_invalid_policy(0, ev);
    return good;
}

static struct whittle_adapter *whittle_child(const struct whittle_adapter *parent, const char *name)
{
    struct whittle_adapter *child = parent->children;
    while (child != NULL && strcmp(child->name, name) != 0)
        child = child->next;
    return child;
}

PortableServer_POA PortableServer_POA_create_POA(PortableServer_POA poa, const CORBA_char *name, PortableServer_POAManager manager,
                                                 const CORBA_PolicyList *policies, CORBA_Environment *ev)
{
    struct whittle_adapter *const parent = whittle_adapter_of(poa);
    uint32_t policy[WHITTLE_POLICIES] = {0};
    if (parent == NULL || name == NULL || (manager != NULL && manager->kind != WHITTLE_A_MANAGER)) {
        whittle_nil(ev);
        return CORBA_OBJECT_NIL;
    }
    if (!whittle_policies_read(policies, policy, ev))
        return CORBA_OBJECT_NIL;
    CORBA_ORB const orb = parent->orb;
    struct whittle_manager *const managing = manager != NULL ? (struct whittle_manager *)whittle_keep(manager) : whittle_manager_new(orb);
    struct whittle_adapter *const adapter = managing == NULL ? NULL : whittle_adapter_new(orb, parent, name, managing, policy);
    if (managing != NULL)
        whittle_drop(&managing->head);
    if (adapter == NULL) {
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return CORBA_OBJECT_NIL;
    }
    pthread_mutex_lock(&orb->lock);
    const bool exists = whittle_child(parent, name) != NULL;
    if (!exists) {
        whittle_keep(&adapter->head);
        adapter->next = parent->children;
        parent->children = adapter;
        whittle_key_enter(adapter);
    }
    pthread_mutex_unlock(&orb->lock);
    if (!exists)
        return &adapter->head;
    whittle_drop(&adapter->head);
    whittle_exception_user(ev, ex_PortableServer_POA_AdapterAlreadyExists, TC_CORBA_null, NULL);
    return CORBA_OBJECT_NIL;
}

/* There is nobody to make one that is not there. */
PortableServer_POA PortableServer_POA_find_POA(PortableServer_POA poa, const CORBA_char *name, CORBA_boolean activate_it,
                                               CORBA_Environment *ev)
{
    (void)activate_it;
    struct whittle_adapter *const parent = whittle_adapter_of(poa);
    if (parent == NULL || name == NULL) {
        whittle_nil(ev);
        return CORBA_OBJECT_NIL;
    }
    pthread_mutex_lock(&parent->orb->lock);
    struct whittle_adapter *const child = whittle_child(parent, name);
    if (child != NULL)
        whittle_keep(&child->head);
    pthread_mutex_unlock(&parent->orb->lock);
    if (child == NULL)
        whittle_exception_user(ev, ex_PortableServer_POA_AdapterNonExistent, TC_CORBA_null, NULL);
    return (PortableServer_POA)child;
}

void PortableServer_POA_destroy(PortableServer_POA poa, CORBA_boolean etherealize_objects, CORBA_boolean wait_for_completion,
                                CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(poa);
    if (adapter == NULL)
        whittle_nil(ev);
    else if (wait_for_completion && whittle_current != NULL && whittle_current->orb == adapter->orb)
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 3, NO);
    else
        whittle_adapter_end(adapter, etherealize_objects, wait_for_completion);
}

CORBA_char *PortableServer_POA__get_the_name(PortableServer_POA poa, CORBA_Environment *ev)
{
    const struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    if (adapter == NULL)
        return NULL;
    CORBA_char *const name = CORBA_string_dup(adapter->name);
    if (name == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return name;
}

PortableServer_POA PortableServer_POA__get_the_parent(PortableServer_POA poa, CORBA_Environment *ev)
{
    const struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    return adapter == NULL ? CORBA_OBJECT_NIL : whittle_keep((CORBA_Object)adapter->parent);
}

PortableServer_POAManager PortableServer_POA__get_the_POAManager(PortableServer_POA poa, CORBA_Environment *ev)
{
    const struct whittle_adapter *const adapter = whittle_adapter_given(poa, ev);
    return adapter == NULL ? CORBA_OBJECT_NIL : whittle_keep(&adapter->manager->head);
}
