/* SPDX-License-Identifier: MIT-0 */
/*
 * Who serves a request: the object's servant in the map, one that a servant manager finds or makes, or the default one. Source:
 * CORBA 3.3 part 1, sections 15.2.6, 15.3.5 to 15.3.7.
 */
#include "parts.h"
#include <stdlib.h>

static PortableServer_ObjectId whittle_id_of(const char *id, uint32_t length)
{
    return (PortableServer_ObjectId){length, length, (CORBA_octet *)(uintptr_t)id, CORBA_FALSE};
}

static POA_PortableServer_ServantActivator__epv *whittle_activator(const struct whittle_adapter *adapter)
{
    return ((const POA_PortableServer_ServantActivator *)adapter->managing)->vepv->PortableServer_ServantActivator_epv;
}

static POA_PortableServer_ServantLocator__epv *whittle_locator(const struct whittle_adapter *adapter)
{
    return ((const POA_PortableServer_ServantLocator *)adapter->managing)->vepv->PortableServer_ServantLocator_epv;
}

static bool whittle_located(struct whittle_request *request, struct whittle_serving *serving, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = serving->adapter;
    const PortableServer_ObjectId id = whittle_id_of(request->object_id, request->object_id_length);
    serving->servant = whittle_locator(adapter)->preinvoke(adapter->managing, &id, &adapter->head, request->operation, &serving->cookie, ev);
    serving->located = ev->_major == CORBA_NO_EXCEPTION;
    if (serving->located && serving->servant == NULL) {
        serving->located = false;
        WHITTLE_RAISE(ev, OBJ_ADAPTER, WHITTLE_OMG | 7, NO);
    }
    return serving->located;
}

/* One thread of an adapter at a time makes servants, so that no object gets two. */
static bool whittle_incarnated(struct whittle_request *request, struct whittle_serving *serving, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = serving->adapter;
    const PortableServer_ObjectId id = whittle_id_of(request->object_id, request->object_id_length);
    pthread_mutex_lock(&adapter->incarnating);
    pthread_mutex_lock(&adapter->lock);
    struct whittle_active *active = whittle_active_find(adapter, request->object_id, request->object_id_length);
    pthread_mutex_unlock(&adapter->lock);
    PortableServer_Servant const servant =
        active != NULL ? NULL : whittle_activator(adapter)->incarnate(adapter->managing, &id, &adapter->head, ev);
    if (active == NULL && ev->_major == CORBA_NO_EXCEPTION && servant == NULL)
        WHITTLE_RAISE(ev, OBJ_ADAPTER, WHITTLE_OMG | 7, NO);
    if (ev->_major == CORBA_NO_EXCEPTION) {
        pthread_mutex_lock(&adapter->lock);
        if (active == NULL)
            active = whittle_active_add(adapter, request->object_id, request->object_id_length, servant);
        if (active != NULL && !active->going) {
            active->serving++;
            adapter->serving++;
            serving->active = active;
            serving->servant = active->servant;
        } else {
            WHITTLE_RAISE(ev, TRANSIENT, 0, NO);
        }
        pthread_mutex_unlock(&adapter->lock);
    }
    pthread_mutex_unlock(&adapter->incarnating);
    return ev->_major == CORBA_NO_EXCEPTION;
}

static bool whittle_servant_else(struct whittle_request *request, struct whittle_serving *serving, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = serving->adapter;
    const bool retains = whittle_policy_of(adapter, WHITTLE_SERVANT_RETENTION_POLICY) == PortableServer_RETAIN;
    switch (whittle_policy_of(adapter, WHITTLE_REQUEST_PROCESSING_POLICY)) {
    case PortableServer_USE_DEFAULT_SERVANT:
        serving->servant = adapter->servant;
        if (serving->servant != NULL)
            return true;
        WHITTLE_RAISE(ev, OBJ_ADAPTER, WHITTLE_OMG | 3, NO);
        return false;
    case PortableServer_USE_SERVANT_MANAGER:
        if (adapter->managing == NULL) {
            WHITTLE_RAISE(ev, OBJ_ADAPTER, WHITTLE_OMG | 4, NO);
            return false;
        }
        return retains ? whittle_incarnated(request, serving, ev) : whittle_located(request, serving, ev);
    default:
        WHITTLE_RAISE(ev, OBJECT_NOT_EXIST, 0, NO);
        return false;
    }
}

bool whittle_servant_find(struct whittle_adapter *adapter, struct whittle_request *request, struct whittle_serving *serving,
                          CORBA_Environment *ev)
{
    *serving = (struct whittle_serving){.adapter = adapter};
    pthread_mutex_lock(&adapter->lock);
    struct whittle_active *const active = whittle_active_find(adapter, request->object_id, request->object_id_length);
    const bool gone = adapter->destroyed || (active != NULL && active->going);
    if (active != NULL && !gone) {
        active->serving++;
        adapter->serving++;
        serving->active = active;
        serving->servant = active->servant;
    }
    pthread_mutex_unlock(&adapter->lock);
    if (serving->active != NULL)
        return true;
    if (gone) {
        WHITTLE_RAISE(ev, OBJECT_NOT_EXIST, 0, NO);
        return false;
    }
    return whittle_servant_else(request, serving, ev);
}

void whittle_active_finish(struct whittle_adapter *adapter, struct whittle_active *active, bool cleanup)
{
    const bool retains = whittle_policy_of(adapter, WHITTLE_SERVANT_RETENTION_POLICY) == PortableServer_RETAIN;
    const PortableServer_ObjectId id = whittle_id_of(active->id, active->length);
    whittle_active_remove(adapter, active);
    const bool remains = whittle_active_of(adapter, active->servant) != NULL;
    if (retains && adapter->managing != NULL) {
        CORBA_Environment ev;
        CORBA_exception_init(&ev);
        pthread_mutex_unlock(&adapter->lock);
        whittle_activator(adapter)->etherealize(adapter->managing, &id, &adapter->head, active->servant, cleanup, remains, &ev);
        CORBA_exception_free(&ev);
        pthread_mutex_lock(&adapter->lock);
    }
    free(active);
}

void whittle_servant_done(struct whittle_serving *serving, struct whittle_request *request)
{
    struct whittle_adapter *const adapter = serving->adapter;
    CORBA_Environment ev;
    if (serving->located) {
        const PortableServer_ObjectId id = whittle_id_of(request->object_id, request->object_id_length);
        CORBA_exception_init(&ev);
        whittle_locator(adapter)->postinvoke(adapter->managing, &id, &adapter->head, request->operation, serving->cookie, serving->servant, &ev);
        CORBA_exception_free(&ev);
    }
    if (serving->active == NULL)
        return;
    pthread_mutex_lock(&adapter->lock);
    if (--serving->active->serving == 0 && serving->active->going)
        whittle_active_finish(adapter, serving->active, false);
    if (--adapter->serving == 0 && adapter->destroyed)
        pthread_cond_broadcast(&adapter->idle);
    pthread_mutex_unlock(&adapter->lock);
}
