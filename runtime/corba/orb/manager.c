/* SPDX-License-Identifier: MIT-0 */
/* POA managers: they let requests through, hold them back, or send them away. Source: CORBA 3.3 part 1, section 15.3.2. */
#include "parts.h"
#include <stdlib.h>

struct whittle_manager *whittle_manager_new(CORBA_ORB orb)
{
    struct whittle_manager *const manager = (struct whittle_manager *)calloc(1, sizeof *manager);
    if (manager == NULL)
        return NULL;
    manager->head = (struct CORBA_Object_struct){WHITTLE_A_MANAGER, 1};
    manager->orb = orb;
    manager->held_end = &manager->held;
    pthread_mutex_init(&manager->lock, NULL);
    pthread_cond_init(&manager->changed, NULL);
    return manager;
}

void whittle_manager_destroy(struct whittle_manager *manager)
{
    pthread_mutex_destroy(&manager->lock);
    pthread_cond_destroy(&manager->changed);
    free(manager);
}

/* With its lock held. */
static bool whittle_hold(struct whittle_manager *manager, struct whittle_request *request)
{
    struct whittle_net_job *held = NULL;
    if (!whittle_orb_has_ended(manager->orb) && manager->held_count < WHITTLE_HELD)
        held = whittle_net_job_new(request->connection, &request->message);
    if (held == NULL)
        return false;
    whittle_net_connection_hold(request->connection);
    request->message.buffer = NULL;
    *manager->held_end = held;
    manager->held_end = &held->next;
    manager->held_count++;
    return true;
}

enum whittle_gate whittle_manager_enter(struct whittle_manager *manager, struct whittle_request *request)
{
    enum whittle_gate gate = WHITTLE_GATE_CLOSED;
    pthread_mutex_lock(&manager->lock);
    /* A call within this process is held by its own thread. */
    while (manager->state == PortableServer_POAManager_HOLDING && request->connection == NULL && !whittle_orb_has_ended(manager->orb))
        pthread_cond_wait(&manager->changed, &manager->lock);
    switch (manager->state) {
    case PortableServer_POAManager_ACTIVE:
        manager->serving++;
        gate = WHITTLE_GATE_OPEN;
        break;
    case PortableServer_POAManager_HOLDING:
        gate = request->connection != NULL && whittle_hold(manager, request) ? WHITTLE_GATE_HELD : WHITTLE_GATE_DISCARDS;
        break;
    case PortableServer_POAManager_DISCARDING: gate = WHITTLE_GATE_DISCARDS; break;
    case PortableServer_POAManager_INACTIVE: break;
    }
    pthread_mutex_unlock(&manager->lock);
    return gate;
}

void whittle_manager_leave(struct whittle_manager *manager)
{
    pthread_mutex_lock(&manager->lock);
    if (--manager->serving == 0 && manager->state != PortableServer_POAManager_ACTIVE)
        pthread_cond_broadcast(&manager->changed);
    pthread_mutex_unlock(&manager->lock);
}

/* What was held goes to the loop, where it is let through or sent away; `gone`: or nowhere, as the ORB ends. */
static void whittle_manager_release(struct whittle_manager *manager, struct whittle_net_job *held, bool gone)
{
    struct whittle_net_server *const server = &manager->orb->net;
    while (held != NULL) {
        struct whittle_net_job *const next = held->next;
        if (!gone) {
            whittle_net_job_put(held);
        } else {
            whittle_net_increment(server, &server->usage.requests_dropped);
            whittle_net_buffer_give(&server->pool, held->message.buffer);
            whittle_net_connection_leave(held->connection, true);
            whittle_net_job_free(server, held);
        }
        held = next;
    }
}

/* With its lock held. */
static struct whittle_net_job *whittle_manager_take(struct whittle_manager *manager)
{
    struct whittle_net_job *const held = manager->held;
    manager->held = NULL;
    manager->held_end = &manager->held;
    manager->held_count = 0;
    return held;
}

/* A client that has closed its end will not read replies. */
static bool whittle_held_in_vain(struct whittle_net_connection *connection)
{
    whittle_net_lock(connection->server, &connection->lock);
    const bool gone = connection->closed || connection->ended;
    whittle_net_unlock(connection->server, &connection->lock);
    return gone;
}

void whittle_manager_sweep(struct whittle_manager *manager)
{
    struct whittle_net_job *gone = NULL;
    pthread_mutex_lock(&manager->lock);
    manager->held_end = &manager->held;
    for (struct whittle_net_job *job = manager->held, *next; job != NULL; job = next) {
        next = job->next;
        if (whittle_held_in_vain(job->connection)) {
            job->next = gone;
            gone = job;
            manager->held_count--;
        } else {
            *manager->held_end = job;
            manager->held_end = &job->next;
        }
    }
    *manager->held_end = NULL;
    pthread_mutex_unlock(&manager->lock);
    whittle_manager_release(manager, gone, true);
}

/* The ORB ends: who is held here will not be let through. */
void whittle_manager_end(struct whittle_manager *manager)
{
    pthread_mutex_lock(&manager->lock);
    struct whittle_net_job *const held = whittle_manager_take(manager);
    pthread_cond_broadcast(&manager->changed);
    pthread_mutex_unlock(&manager->lock);
    whittle_manager_release(manager, held, true);
}

static void whittle_manager_set(CORBA_Object object, PortableServer_POAManager_State state, bool wait, CORBA_Environment *ev)
{
    struct whittle_manager *const manager = (struct whittle_manager *)object;
    if (object == NULL || object->kind != WHITTLE_A_MANAGER) {
        whittle_nil(ev);
        return;
    }
    if (wait && whittle_current != NULL && whittle_current->orb == manager->orb) {
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 3, NO);  /* it would wait for itself */
        return;
    }
    pthread_mutex_lock(&manager->lock);
    const bool inactive = manager->state == PortableServer_POAManager_INACTIVE;
    struct whittle_net_job *held = NULL;
    if (!inactive) {
        manager->state = state;
        if (state != PortableServer_POAManager_HOLDING)
            held = whittle_manager_take(manager);
        pthread_cond_broadcast(&manager->changed);
        while (wait && manager->serving > 0 && manager->state == state)
            pthread_cond_wait(&manager->changed, &manager->lock);
    }
    pthread_mutex_unlock(&manager->lock);
    whittle_manager_release(manager, held, false);
    if (inactive && state != PortableServer_POAManager_INACTIVE)
        whittle_exception_user(ev, ex_PortableServer_POAManager_AdapterInactive, TC_CORBA_null, NULL);
}

void PortableServer_POAManager_activate(PortableServer_POAManager manager, CORBA_Environment *ev)
{
    whittle_manager_set(manager, PortableServer_POAManager_ACTIVE, false, ev);
}

void PortableServer_POAManager_hold_requests(PortableServer_POAManager manager, CORBA_boolean wait, CORBA_Environment *ev)
{
    whittle_manager_set(manager, PortableServer_POAManager_HOLDING, wait, ev);
}

void PortableServer_POAManager_discard_requests(PortableServer_POAManager manager, CORBA_boolean wait, CORBA_Environment *ev)
{
    whittle_manager_set(manager, PortableServer_POAManager_DISCARDING, wait, ev);
}

void PortableServer_POAManager_deactivate(PortableServer_POAManager manager, CORBA_boolean etherealize_objects, CORBA_boolean wait,
                                          CORBA_Environment *ev)
{
    whittle_manager_set(manager, PortableServer_POAManager_INACTIVE, wait, ev);
    if (etherealize_objects && ev->_major == CORBA_NO_EXCEPTION)
        whittle_adapters_etherealize(((struct whittle_manager *)manager)->orb, (struct whittle_manager *)manager);
}

PortableServer_POAManager_State PortableServer_POAManager_get_state(PortableServer_POAManager manager, CORBA_Environment *ev)
{
    struct whittle_manager *const of = (struct whittle_manager *)manager;
    if (manager == NULL || manager->kind != WHITTLE_A_MANAGER) {
        whittle_nil(ev);
        return PortableServer_POAManager_INACTIVE;
    }
    pthread_mutex_lock(&of->lock);
    const PortableServer_POAManager_State state = of->state;
    pthread_mutex_unlock(&of->lock);
    return state;
}
