/* SPDX-License-Identifier: MIT-0 */
/* What a reply says, and what it means that none came. Source: CORBA 3.3 part 2, sections 9.4.3 and 9.4.6. */
#include "parts.h"

static void whittle_system_read(struct whittle_scan *scan, CORBA_Environment *ev)
{
    uint32_t length;
    const char *const id = whittle_scan_text(scan, &length);
    const uint32_t minor = whittle_scan32(scan), completed = whittle_scan32(scan);
    if (scan->bad || completed > CORBA_COMPLETED_MAYBE)
        WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, MAYBE);
    else
        whittle_exception_system(ev, id, minor, (CORBA_completion_status)completed);
}

/* All shared memory is of one host: this one. */
static bool whittle_is_host_of(const struct whittle_reference *reference, const struct whittle_endpoint *endpoint)
{
    for (uint32_t index = 0; index < reference->profile_count; index++)
        for (uint32_t at = 0; at < reference->profiles[index].endpoint_count; at++)
            if (endpoint->place != 0 ? reference->profiles[index].endpoints[at].place != 0
                : strcmp(reference->profiles[index].endpoints[at].host, endpoint->host) == 0)
                return true;
    return false;
}

/* Whether calls of this reference may be sent on to that one. */
static bool whittle_may_forward(const struct whittle_reference *reference, const struct whittle_reference *to)
{
    const uint8_t own = __atomic_load_n(&reference->forwards, __ATOMIC_RELAXED);
    const enum whittle_forwards allowed = own != 0 ? (enum whittle_forwards)own : reference->orb->options.forwards;
    bool may = allowed != WHITTLE_FORWARDS_OFF;
    for (uint32_t index = 0; allowed == WHITTLE_FORWARDS_SAME_HOST && index < to->profile_count; index++)
        for (uint32_t at = 0; at < to->profiles[index].endpoint_count; at++)
            may = may && whittle_is_host_of(reference, &to->profiles[index].endpoints[at]);
    return may;
}

static enum whittle_answer whittle_forward_read(struct whittle_call *call, struct whittle_scan *scan, CORBA_Environment *ev)
{
    struct whittle_reference *const reference = whittle_reference_of(call->object);
    struct whittle_reference *to;
    if (!whittle_ior_scan(reference->orb, scan, &to) || to == NULL) {
        WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, NO);
        return WHITTLE_ANSWER_FAILED;
    }
    if (!whittle_may_forward(reference, to)) {
        whittle_drop(&to->head);
        WHITTLE_RAISE(ev, REBIND, WHITTLE_FORWARD_REFUSED, NO);
        return WHITTLE_ANSWER_FAILED;
    }
    call->hops++;
    whittle_call_forwarded(reference, to);
    return WHITTLE_ANSWER_AGAIN;
}

/* The server wants the object named in another way. */
static enum whittle_answer whittle_addressing_read(struct whittle_call *call, struct whittle_scan *scan, CORBA_Environment *ev)
{
    const uint16_t way = whittle_scan16(scan);
    if (scan->bad || way > 2) {
        WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, NO);
        return WHITTLE_ANSWER_FAILED;
    }
    struct whittle_reference *const target = whittle_call_target((struct whittle_reference *)call->object);
    call->hops++;
    __atomic_store_n(&target->addressing, (uint8_t)way, __ATOMIC_RELAXED);
    whittle_drop(&target->head);
    return WHITTLE_ANSWER_AGAIN;
}

/* An object that is not where it was forwarded to is asked for again where it was. */
static enum whittle_answer whittle_answer_system(struct whittle_call *call, struct whittle_scan *scan, CORBA_Environment *ev)
{
    struct whittle_reference *const reference = whittle_reference_of(call->object);
    whittle_system_read(scan, ev);
    pthread_mutex_lock(&reference->lock);
    const bool forwarded = reference->forward != NULL;
    pthread_mutex_unlock(&reference->lock);
    if (!forwarded || strcmp(ev->_id, ex_CORBA_OBJECT_NOT_EXIST) != 0 || ev->_system.completed != CORBA_COMPLETED_NO)
        return WHITTLE_ANSWER_FAILED;
    CORBA_exception_free(ev);
    call->hops++;
    whittle_call_forwarded(reference, NULL);
    return WHITTLE_ANSWER_AGAIN;
}

static enum whittle_answer whittle_status_read(struct whittle_call *call, struct whittle_scan *scan, uint32_t status, CORBA_Environment *ev)
{
    uint32_t length;
    switch (status) {
    case WHITTLE_NO_EXCEPTION: return WHITTLE_ANSWER_RESULT;
    case WHITTLE_USER_EXCEPTION:
        call->exception = whittle_scan_text(scan, &length);
        call->at = scan->at;
        if (call->exception != NULL)
            return WHITTLE_ANSWER_EXCEPTION;
        break;
    case WHITTLE_SYSTEM_EXCEPTION_REPLY: return whittle_answer_system(call, scan, ev);
    case WHITTLE_LOCATION_FORWARD:
    case WHITTLE_LOCATION_FORWARD_PERM: return whittle_forward_read(call, scan, ev);
    case WHITTLE_NEEDS_ADDRESSING_MODE: return whittle_addressing_read(call, scan, ev);
    default: break;
    }
    WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, MAYBE);
    return WHITTLE_ANSWER_FAILED;
}

static enum whittle_answer whittle_locate_read(struct whittle_call *call, struct whittle_scan *scan, uint32_t status, CORBA_Environment *ev)
{
    switch (status) {
    case WHITTLE_OBJECT_HERE: return WHITTLE_ANSWER_RESULT;
    case WHITTLE_OBJECT_FORWARD:
    case WHITTLE_OBJECT_FORWARD_PERM: return whittle_forward_read(call, scan, ev);
    case WHITTLE_LOCATE_SYSTEM_EXCEPTION: return whittle_answer_system(call, scan, ev);
    case WHITTLE_LOCATE_NEEDS_ADDRESSING_MODE: return whittle_addressing_read(call, scan, ev);
    case WHITTLE_UNKNOWN_OBJECT: WHITTLE_RAISE(ev, OBJECT_NOT_EXIST, 0, NO); break;
    default: WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, MAYBE); break;
    }
    return WHITTLE_ANSWER_FAILED;
}

static bool whittle_answer_take(struct whittle_account *account, size_t bytes)
{
    struct whittle_call *const call = (struct whittle_call *)(void *)((char *)account - offsetof(struct whittle_call, account));
    return !whittle_net_call_decodes_late(&call->net) && whittle_account_spend(account, bytes);
}

static void whittle_answer_open(struct whittle_call *call, const struct whittle_scan *scan)
{
    call->swapped = scan->swapped;
    call->at = scan->at;
    call->account = (struct whittle_account){
        .left = whittle_reference_of(call->object)->orb->net.options.decoded, .take = whittle_answer_take};
    call->in = (struct whittle_cdr_in){
        .base = scan->base, .end = scan->end, .allocate = whittle_corba_allocate, .account = &call->account};
}

/* Whatever came: `in`, `at` and `swapped` are the reply's before anything of it is believed. */
enum whittle_answer whittle_answer_read(struct whittle_call *call, CORBA_Environment *ev)
{
    const struct whittle_net_message *const reply = &call->net.reply;
    struct whittle_scan scan = {reply->base, reply->base + WHITTLE_HEADER, reply->end, whittle_is_swapped(reply->base), false};
    const uint8_t version = (uint8_t)reply->base[5], type = (uint8_t)reply->base[WHITTLE_TYPE_AT];
    whittle_answer_open(call, &scan);
    if (version < 2 && type == WHITTLE_REPLY)
        whittle_contexts_scan(&scan);
    whittle_scan32(&scan);      /* the id, by which it was found */
    const uint32_t status = whittle_scan32(&scan);
    if (version == 2 && type == WHITTLE_REPLY) {
        whittle_contexts_scan(&scan);
        if (scan.at < scan.end)
            whittle_scan_bytes(&scan, 0, 8);
    }
    if (scan.bad || type != (call->locates ? WHITTLE_LOCATE_REPLY : WHITTLE_REPLY)) {
        WHITTLE_RAISE(ev, MARSHAL, WHITTLE_PEER_NONSENSE, MAYBE);
        return WHITTLE_ANSWER_FAILED;
    }
    call->at = scan.at;
    return call->locates ? whittle_locate_read(call, &scan, status, ev) : whittle_status_read(call, &scan, status, ev);
}

/* No reply came to a request that the server has, or had. */
enum whittle_answer whittle_answer_failed(struct whittle_call *call, CORBA_Environment *ev)
{
    switch ((enum whittle_net_failure)call->net.status) {
    case WHITTLE_NET_CLOSED: return WHITTLE_ANSWER_AGAIN;
    case WHITTLE_NET_TIMED_OUT: WHITTLE_RAISE(ev, TIMEOUT, 0, MAYBE); break;
    case WHITTLE_NET_NO_MEMORY: WHITTLE_RAISE(ev, NO_MEMORY, WHITTLE_OUT_OF_BOUNDS, MAYBE); break;
    case WHITTLE_NET_BAD_MESSAGE: WHITTLE_RAISE(ev, COMM_FAILURE, WHITTLE_PEER_NONSENSE, MAYBE); break;
    default: WHITTLE_RAISE(ev, COMM_FAILURE, WHITTLE_CONNECTION_LOST, MAYBE); break;
    }
    return WHITTLE_ANSWER_FAILED;
}

void whittle_call_unmarshalled(struct whittle_call *call, const char *at, CORBA_Environment *ev)
{
    if (at != NULL || ev->_major != CORBA_NO_EXCEPTION)
        return;
    if (call->net.late)
        WHITTLE_RAISE(ev, TIMEOUT, 0, YES);
    else
        WHITTLE_RAISE(ev, MARSHAL, 0, YES);
}

void whittle_call_unknown(struct whittle_call *call, CORBA_Environment *ev)
{
    (void)call;
    WHITTLE_RAISE(ev, UNKNOWN, WHITTLE_OMG | 1, YES);
}
