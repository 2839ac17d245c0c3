/* SPDX-License-Identifier: MIT-0 */
/* From an object's key to its servant's operation; what every object answers is answered here. */
#include "parts.h"

static void whittle_reply_boolean(struct whittle_request *request, bool value)
{
    char *to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
    to = to == NULL ? NULL : whittle_cdr_out_need(&request->out, to, 1);
    if (to != NULL)
        *to++ = value;
    whittle_reply_end(request, to);
}

static void whittle_invoke_is_a(struct whittle_request *request, const struct whittle_interface *interface)
{
    struct whittle_scan scan = {request->in.base, request->at, request->in.end, request->swapped, false};
    uint32_t length;
    const char *const id = whittle_scan_text(&scan, &length);
    bool is = id != NULL && strcmp(id, "IDL:omg.org/CORBA/Object:1.0") == 0;
    for (const char *const *each = interface->ancestors; id != NULL && *each != NULL && !is; each++)
        is = strcmp(id, *each) == 0;
    if (id == NULL)
        whittle_request_marshal(request);
    else
        whittle_reply_boolean(request, is);
}

static void whittle_invoke_id(struct whittle_request *request, const struct whittle_interface *interface)
{
    char *const to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
    whittle_reply_end(request, whittle_reply_id(request, to, interface->repository_id, (uint32_t)strlen(interface->repository_id) + 1));
}

/* What begins with an underscore may be an attribute's operation. false: it is none of ours. */
static bool whittle_invoke_own(struct whittle_request *request, const struct whittle_interface *interface)
{
    const char *const operation = request->operation;
    CORBA_Environment ev;
    if (strcmp(operation, "_is_a") == 0) {
        whittle_invoke_is_a(request, interface);
    } else if (strcmp(operation, "_non_existent") == 0 || strcmp(operation, "_not_existent") == 0) {
        whittle_reply_boolean(request, false);
    } else if (strcmp(operation, "_repository_id") == 0) {
        whittle_invoke_id(request, interface);
    } else if (strcmp(operation, "_interface") == 0 || strcmp(operation, "_component") == 0) {
        CORBA_exception_init(&ev);
        WHITTLE_RAISE(&ev, NO_IMPLEMENT, 0, NO);
        whittle_reply_system(request, &ev);
    } else {
        return false;
    }
    return true;
}

static void whittle_invoke_servant(struct whittle_request *request, struct whittle_serving *serving)
{
    const PortableServer_ServantBase *const servant = (const PortableServer_ServantBase *)serving->servant;
    const struct whittle_interface *const interface =
        servant->_private == NULL ? &whittle_no_interface : (const struct whittle_interface *)servant->_private;
    struct whittle_adapter *const adapter = serving->adapter;
    const bool alone = whittle_policy_of(adapter, WHITTLE_THREAD_POLICY) == PortableServer_SINGLE_THREAD_MODEL;
    if (request->operation[0] == '_' && whittle_invoke_own(request, interface))
        return;
    if (alone)
        pthread_mutex_lock(&adapter->one);
    interface->dispatch(serving->servant, request);
    if (alone)
        pthread_mutex_unlock(&adapter->one);
}

/* No servant: what the request gets instead. */
static void whittle_invoke_none(struct whittle_request *request, CORBA_Environment *ev)
{
    const PortableServer_ForwardRequest *const forward = (const PortableServer_ForwardRequest *)CORBA_exception_value(ev);
    if (ev->_major == CORBA_USER_EXCEPTION && strcmp(ev->_id, ex_PortableServer_ForwardRequest) == 0 && forward != NULL)
        whittle_reply_forward(request, forward->forward_reference);
    else if (request->locating)
        whittle_reply_locate(request, WHITTLE_UNKNOWN_OBJECT);
    else if (strcmp(request->operation, "_non_existent") == 0 && strcmp(ev->_id, ex_CORBA_OBJECT_NOT_EXIST) == 0)
        whittle_reply_boolean(request, true);
    else
        whittle_reply_system(request, ev);
    CORBA_exception_free(ev);
}

/* One that needs no reply, and yet somebody waits for it. */
static void whittle_invoke_answer(struct whittle_request *request)
{
    if (request->waits && !request->answered)
        whittle_reply_end(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT));
}

static void whittle_invoke_at(struct whittle_request *request, struct whittle_adapter *adapter)
{
    CORBA_Environment ev;
    struct whittle_serving serving;
    CORBA_exception_init(&ev);
    request->adapter = &adapter->head;
    if (!whittle_servant_find(adapter, request, &serving, &ev)) {
        whittle_invoke_none(request, &ev);
        return;
    }
    if (request->locating) {
        whittle_reply_locate(request, WHITTLE_OBJECT_HERE);
    } else {
        request->outer = whittle_current;
        whittle_current = request;
        whittle_invoke_servant(request, &serving);
        whittle_current = request->outer;
    }
    whittle_servant_done(&serving, request);
    whittle_invoke_answer(request);
}

/* An object that has no adapter. */
static void whittle_invoke_found(struct whittle_request *request)
{
    PortableServer_Servant servant = NULL;
    const struct whittle_interface *const interface = request->orb->find(request->orb->finder, request->key, request->key_length, &servant);
    CORBA_Environment ev;
    if (interface == NULL) {
        CORBA_exception_init(&ev);
        WHITTLE_RAISE(&ev, OBJECT_NOT_EXIST, WHITTLE_OMG | 2, NO);
        whittle_invoke_none(request, &ev);
        return;
    }
    if (request->locating) {
        whittle_reply_locate(request, WHITTLE_OBJECT_HERE);
        return;
    }
    request->outer = whittle_current;
    whittle_current = request;
    if (request->operation[0] != '_' || !whittle_invoke_own(request, interface))
        interface->dispatch(servant, request);
    whittle_current = request->outer;
    whittle_invoke_answer(request);
}

void whittle_invoke(struct whittle_request *request)
{
    CORBA_Environment ev;
    if (request->orb->find != NULL) {
        whittle_invoke_found(request);
        return;
    }
    struct whittle_adapter *const adapter =
        whittle_key_adapter(request->orb, request->key, request->key_length, &request->object_id, &request->object_id_length);
    CORBA_exception_init(&ev);
    if (adapter == NULL) {
        WHITTLE_RAISE(&ev, OBJECT_NOT_EXIST, WHITTLE_OMG | 2, NO);
        whittle_invoke_none(request, &ev);
        return;
    }
    switch (whittle_manager_enter(adapter->manager, request)) {
    case WHITTLE_GATE_OPEN:
        whittle_invoke_at(request, adapter);
        whittle_manager_leave(adapter->manager);
        break;
    case WHITTLE_GATE_HELD: break;
    case WHITTLE_GATE_DISCARDS:
        WHITTLE_RAISE(&ev, TRANSIENT, WHITTLE_OMG | 1, NO);
        whittle_reply_system(request, &ev);
        break;
    case WHITTLE_GATE_CLOSED:
        WHITTLE_RAISE(&ev, OBJ_ADAPTER, WHITTLE_OMG | 1, NO);
        whittle_reply_system(request, &ev);
        break;
    }
    whittle_drop(&adapter->head);
}
