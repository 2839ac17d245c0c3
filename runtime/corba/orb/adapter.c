/* SPDX-License-Identifier: MIT-0 */
/* The tree of object adapters. Source: CORBA 3.3 part 1, section 15.3.9. */
#include "parts.h"
#include <stdlib.h>

struct whittle_adapter *whittle_adapter_new(CORBA_ORB orb, struct whittle_adapter *parent, const char *name, struct whittle_manager *manager,
                                            const uint32_t policy[WHITTLE_POLICIES])
{
    struct whittle_adapter *const adapter = (struct whittle_adapter *)calloc(1, sizeof *adapter);
    if (adapter == NULL)
        return NULL;
    *adapter = (struct whittle_adapter){.head = {WHITTLE_AN_ADAPTER, 1}, .orb = orb, .parent = parent, .manager = manager};
    memcpy(adapter->policy, policy, sizeof adapter->policy);
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&adapter->lock, NULL);
    pthread_mutex_init(&adapter->one, &again);
    pthread_mutex_init(&adapter->incarnating, &again);
    pthread_mutexattr_destroy(&again);
    pthread_cond_init(&adapter->idle, NULL);
    whittle_keep(&manager->head);
    if (parent != NULL)
        whittle_keep(&parent->head);
    adapter->name = strdup(name);
    if (adapter->name == NULL || !whittle_key_prefix(adapter)) {
        whittle_drop(&adapter->head);
        return NULL;
    }
    return adapter;
}

/* Its last reference is gone; what is still active in it goes without a word. */
void whittle_adapter_destroy(struct whittle_adapter *adapter)
{
    for (uint32_t index = 0; index < adapter->buckets; index++)
        for (struct whittle_active *active = adapter->by_id[index], *next; active != NULL; active = next) {
            next = active->next;
            free(active);
        }
    free(adapter->by_id);
    free(adapter->by_servant);
    free(adapter->name);
    free(adapter->prefix);
    whittle_drop(adapter->servant_manager);
    pthread_mutex_destroy(&adapter->lock);
    pthread_mutex_destroy(&adapter->one);
    pthread_mutex_destroy(&adapter->incarnating);
    pthread_cond_destroy(&adapter->idle);
    if (adapter->parent != NULL)
        whittle_drop(&adapter->parent->head);
    whittle_drop(&adapter->manager->head);
    free(adapter);
}

struct whittle_adapter *whittle_adapter_root(CORBA_ORB orb, CORBA_Environment *ev)
{
    static const uint32_t policy[WHITTLE_POLICIES] = {
        PortableServer_ORB_CTRL_MODEL, PortableServer_TRANSIENT, PortableServer_UNIQUE_ID, PortableServer_SYSTEM_ID,
        PortableServer_IMPLICIT_ACTIVATION, PortableServer_RETAIN, PortableServer_USE_ACTIVE_OBJECT_MAP_ONLY};
    pthread_mutex_lock(&orb->lock);
    if (orb->root == NULL && whittle_listen_at(orb, ev)) {
        struct whittle_manager *const manager = whittle_manager_new(orb);
        orb->root = manager == NULL ? NULL : whittle_adapter_new(orb, NULL, "RootPOA", manager, policy);
        if (manager != NULL)
            whittle_drop(&manager->head);
        if (orb->root != NULL)
            whittle_key_enter(orb->root);
        else
            WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    }
    struct whittle_adapter *const root = orb->root;
    if (root != NULL)
        whittle_keep(&root->head);
    pthread_mutex_unlock(&orb->lock);
    return root;
}

/* Every active object of it is released. */
static void whittle_adapter_etherealize(struct whittle_adapter *adapter, bool cleanup)
{
    pthread_mutex_lock(&adapter->lock);
    for (uint32_t index = 0; index < adapter->buckets; index++)
        while (adapter->by_id[index] != NULL && !adapter->by_id[index]->going) {
            struct whittle_active *const active = adapter->by_id[index];
            active->going = true;
            if (active->serving > 0)
                break;
            whittle_active_finish(adapter, active, cleanup);
        }
    pthread_mutex_unlock(&adapter->lock);
}

/* Those of a manager that is deactivated. */
static void whittle_tree_etherealize(struct whittle_adapter *adapter, const struct whittle_manager *manager)
{
    for (struct whittle_adapter *child = adapter->children; child != NULL; child = child->next)
        whittle_tree_etherealize(child, manager);
    if (adapter->manager == manager)
        whittle_adapter_etherealize(adapter, true);
}

void whittle_adapters_etherealize(CORBA_ORB orb, const struct whittle_manager *manager)
{
    if (orb->root != NULL)
        whittle_tree_etherealize(orb->root, manager);
}

static void whittle_tree_each(struct whittle_adapter *adapter, void (*act)(struct whittle_manager *manager))
{
    for (struct whittle_adapter *child = adapter->children; child != NULL; child = child->next)
        whittle_tree_each(child, act);
    act(adapter->manager);
}

void whittle_adapters_each(CORBA_ORB orb, void (*act)(struct whittle_manager *manager))
{
    pthread_mutex_lock(&orb->lock);
    if (orb->root != NULL)
        whittle_tree_each(orb->root, act);
    pthread_mutex_unlock(&orb->lock);
}

/* Children first; with `wait` not before its last request is over. */
void whittle_adapter_end(struct whittle_adapter *adapter, bool etherealize, bool wait)
{
    CORBA_ORB const orb = adapter->orb;
    for (;;) {
        pthread_mutex_lock(&orb->lock);
        struct whittle_adapter *const child = adapter->children;
        if (child != NULL)
            whittle_keep(&child->head);
        pthread_mutex_unlock(&orb->lock);
        if (child == NULL)
            break;
        whittle_adapter_end(child, etherealize, wait);
        whittle_drop(&child->head);
    }
    pthread_mutex_lock(&orb->lock);
    struct whittle_adapter **place = adapter->parent != NULL ? &adapter->parent->children : &orb->root;
    while (*place != NULL && *place != adapter)
        place = &(*place)->next;
    const bool there = *place == adapter;
    if (there) {
        *place = adapter->next;
        adapter->next = NULL;
        whittle_key_leave(adapter);
    }
    pthread_mutex_unlock(&orb->lock);
    if (!there)
        return;
    pthread_mutex_lock(&adapter->lock);
    adapter->destroyed = true;
    while (wait && adapter->serving > 0)
        pthread_cond_wait(&adapter->idle, &adapter->lock);
    pthread_mutex_unlock(&adapter->lock);
    if (etherealize)
        whittle_adapter_etherealize(adapter, true);
    whittle_drop(&adapter->head);
}

void whittle_adapters_end(CORBA_ORB orb)
{
    pthread_mutex_lock(&orb->lock);
    struct whittle_adapter *const root = orb->root;
    if (root != NULL)
        whittle_keep(&root->head);
    pthread_mutex_unlock(&orb->lock);
    if (root == NULL)
        return;
    whittle_adapter_end(root, true, false);
    whittle_drop(&root->head);
}
