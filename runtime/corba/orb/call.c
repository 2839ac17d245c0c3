/* SPDX-License-Identifier: MIT-0 */
/* A request of a client: begun at the connection that its reference has or gets, sent, and ended. What came back: answer.c. */
#include "parts.h"

/* body and header_end are offsets of a buffer that may move: kept as places in it. */
static char *whittle_call_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_call *const call = (struct whittle_call *)(void *)out;
    struct whittle_net_buffer *const old = call->buffer;
    const size_t used = (size_t)(at - old->bytes), base = (size_t)(out->base - old->bytes);
    const size_t body = call->body == NULL ? 0 : (size_t)(call->body - old->bytes);
    const size_t header_end = call->body == NULL ? 0 : (size_t)(call->header_end - old->bytes);
    if (more > UINT32_MAX / 2 || used > UINT32_MAX / 2)
        return NULL;
    struct whittle_net_buffer *const grown = whittle_net_buffer_grow(call->pool, old, used, used + more);
    if (grown == NULL)
        return NULL;
    call->buffer = grown;
    out->base = grown->bytes + base;
    out->end = grown->bytes + grown->room;
    if (call->body != NULL) {
        call->body = grown->bytes + body;
        call->header_end = grown->bytes + header_end;
    }
    return grown->bytes + used;
}

/* They stay until the caller has its answer. */
static size_t whittle_call_refer(struct whittle_cdr_out *out, const char *at, const void *bytes, size_t n)
{
    struct whittle_call *const call = (struct whittle_call *)(void *)out;
    const size_t size = n & ~(size_t)7;
    if (call->piece_count == WHITTLE_LENT || size > UINT32_MAX / 2 - call->referred)
        return 0;
    call->pieces[call->piece_count++] = (struct whittle_lent){(size_t)(at - out->base), (const char *)bytes, size};
    call->referred += (uint32_t)size;
    return size;
}

char *whittle_call_room(struct whittle_call *call)
{
    if (call->buffer == NULL)
        return NULL;
    call->body = NULL;
    call->piece_count = call->referred = 0;
    call->out.refer = NULL;
    call->out.depth = call->out.level = 0;
    call->out.base = call->buffer->bytes;
    call->out.end = call->buffer->bytes + call->buffer->room;
    call->out.grow = whittle_call_grow;
    return call->out.base;
}

struct whittle_reference *whittle_call_target(struct whittle_reference *reference)
{
    pthread_mutex_lock(&reference->lock);
    struct whittle_reference *const target = reference->forward != NULL ? reference->forward : reference;
    whittle_keep(&target->head);
    pthread_mutex_unlock(&reference->lock);
    return target;
}

/* Takes over `to`; NULL: back to where it was at first. */
void whittle_call_forwarded(struct whittle_reference *reference, struct whittle_reference *to)
{
    pthread_mutex_lock(&reference->lock);
    struct whittle_reference *const old = reference->forward;
    reference->forward = to;
    pthread_mutex_unlock(&reference->lock);
    if (old != NULL)
        whittle_drop(&old->head);
}

/* This server is called there. */
static bool whittle_is_own(const struct whittle_published *own, const struct whittle_endpoint *endpoint)
{
    if (endpoint->place != 0)
        return own->local != NULL && endpoint->place == own->place && strcmp(endpoint->host + strlen("shm:"), own->local) == 0;
    return own->host != NULL && endpoint->port == own->port && strcmp(endpoint->host, own->host) == 0;
}

/* Whether calls to it need no connection; nobody can know before this process listens. */
static bool whittle_is_here(CORBA_ORB orb, struct whittle_reference *target)
{
    const uint8_t known = __atomic_load_n(&target->here, __ATOMIC_RELAXED);
    if (known != 0 || !whittle_orb_listens(orb))
        return known == 1;
    bool here = false;
    for (uint32_t index = 0; index < target->profile_count && !here; index++)
        for (uint32_t at = 0; at < target->profiles[index].endpoint_count && !here; at++)
            here = whittle_is_own(&orb->at, &target->profiles[index].endpoints[at]);
    __atomic_store_n(&target->here, here ? 1 : 2, __ATOMIC_RELAXED);
    return here;
}

/* The connection, which is kept already, is this call's until its end. */
static void whittle_call_take(struct whittle_call *call, struct whittle_connection *connection)
{
    __atomic_fetch_add(&connection->calls, 1, __ATOMIC_ACQ_REL);
    call->connection = connection;
}

/* The connection that the target used last; NULL: there is none, or none that is open. */
static const struct whittle_profile *whittle_call_again(struct whittle_call *call, struct whittle_reference *target)
{
    pthread_mutex_lock(&target->lock);
    struct whittle_connection *const connection = target->connection;
    const struct whittle_profile *const profile = connection == NULL ? NULL : &target->profiles[target->chosen];
    if (connection != NULL)
        whittle_connection_keep(connection);
    pthread_mutex_unlock(&target->lock);
    if (connection == NULL)
        return NULL;
    if (whittle_connection_is_open(connection)) {
        whittle_call_take(call, connection);
        return profile;
    }
    pthread_mutex_lock(&target->lock);
    const bool same = target->connection == connection;
    if (same)
        target->connection = NULL;
    pthread_mutex_unlock(&target->lock);
    if (same)
        whittle_connection_drop(connection);
    whittle_client_forget(connection);
    whittle_connection_drop(connection);
    return NULL;
}

/* The connection that the target used last, or one to the first of its profiles that answers. */
static const struct whittle_profile *whittle_call_connect(struct whittle_call *call, struct whittle_reference *target, CORBA_Environment *ev)
{
    const struct whittle_profile *const profile = whittle_call_again(call, target);
    if (profile != NULL)
        return profile;
    WHITTLE_RAISE(ev, TRANSIENT, WHITTLE_OMG | 2, NO);  /* no profile that can be used */
    for (uint32_t index = 0; index < target->profile_count; index++) {
        if (target->profiles[index].endpoint_count == 0)
            continue;
        struct whittle_connection *const connection =
            whittle_client_connection(target->orb, &target->profiles[index], call->net.deadline, ev);
        if (connection == NULL)
            continue;
        CORBA_exception_free(ev);
        whittle_call_take(call, connection);
        whittle_connection_keep(call->connection);
        pthread_mutex_lock(&target->lock);
        struct whittle_connection *const other = target->connection;
        target->connection = call->connection;
        target->chosen = index;
        pthread_mutex_unlock(&target->lock);
        if (other != NULL)
            whittle_connection_drop(other);
        return &target->profiles[index];
    }
    return NULL;
}

static const struct whittle_profile *whittle_call_route(struct whittle_call *call, struct whittle_reference *target, CORBA_Environment *ev)
{
    CORBA_ORB const orb = target->orb;
    call->local = whittle_is_here(orb, target);
    if (call->local) {
        call->replies = &orb->pool;
        uint32_t index = 0;
        while (target->profiles[index].endpoint_count == 0)
            index++;
        call->version = 2;
        call->net.id = 0;
        return &target->profiles[index];
    }
    const struct whittle_profile *const profile = whittle_call_connect(call, target, ev);
    if (profile != NULL) {
        call->version = profile->version < orb->options.version ? profile->version : (uint8_t)orb->options.version;
        call->net.id = 2 * __atomic_fetch_add(&call->connection->next_id, 1, __ATOMIC_RELAXED) + (call->locates ? WHITTLE_LOCATES : 0);
    }
    return profile;
}

/* Gives back what one try to send it held. */
static void whittle_call_leave(struct whittle_call *call)
{
    struct whittle_reference *const reference = whittle_reference_of(call->object);
    if (reference == NULL)
        return;
    whittle_net_buffer_give(call->pool, call->buffer);
    whittle_net_buffer_give(call->replies, call->net.reply.buffer);
    if (call->connection != NULL) {
        __atomic_fetch_sub(&call->connection->calls, 1, __ATOMIC_ACQ_REL);
        whittle_connection_drop(call->connection);
    }
    call->object = NULL;
    whittle_drop(&reference->head);
}

static void whittle_call_clear(struct whittle_call *call, struct whittle_reference *reference)
{
    CORBA_ORB const orb = reference->orb;
    whittle_call_leave(call);
    const uint32_t timeout = __atomic_load_n(&reference->timeout, __ATOMIC_RELAXED);
    const uint32_t lasts = timeout != 0 ? timeout : orb->options.timeout;
    const uint64_t deadline = call->tries != 0 ? call->net.deadline : lasts == 0 ? 0 : whittle_net_now() + lasts * WHITTLE_NET_MILLISECOND;
    call->connection = NULL;
    call->net = (struct whittle_net_call){.deadline = deadline};
    call->pool = &orb->pool;
    call->replies = &orb->replies;
    call->buffer = whittle_net_buffer_take(&orb->pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL);
}

char *whittle_call_begin(struct whittle_call *call, CORBA_Object object, const char *operation, uint32_t size, bool waits,
                         CORBA_Environment *ev)
{
    struct whittle_reference *const reference = whittle_reference_of(object);
    if (call->tries == 0 && ev->_major != CORBA_NO_EXCEPTION) {
        call->before = *ev;
        CORBA_exception_init(ev);
    }
    if (reference == NULL) {
        call->object = NULL;
        WHITTLE_RAISE(ev, INV_OBJREF, 0, NO);
        return NULL;
    }
    whittle_call_clear(call, reference);
    call->waits = waits;
    call->locates = operation == NULL;
    call->object = whittle_keep(object);
    if (call->tries++ == WHITTLE_TRIES || call->hops > WHITTLE_HOPS) {
        WHITTLE_RAISE(ev, TRANSIENT, WHITTLE_TOO_MANY_HOPS, NO);
        return NULL;
    }
    if (call->tries > 1 && whittle_net_is_over(call->net.deadline)) {
        WHITTLE_RAISE(ev, TIMEOUT, 0, NO);
        return NULL;
    }
    if (whittle_orb_has_ended(reference->orb)) {
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 4, NO);
        return NULL;
    }
    if (whittle_call_room(call) == NULL) {
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return NULL;
    }
    struct whittle_reference *target = whittle_call_target(reference);
    const struct whittle_profile *profile = whittle_call_route(call, target, ev);
    if (profile == NULL && target != reference) {   /* not where it was forwarded to: perhaps where it was */
        whittle_call_forwarded(reference, NULL);
        whittle_drop(&target->head);
        target = reference;
        whittle_keep(&target->head);
        CORBA_exception_free(ev);
        profile = whittle_call_route(call, target, ev);
    }
    char *const at = profile == NULL ? NULL : whittle_request_write(call, target, profile, operation, size);
    if (profile != NULL && at == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    whittle_drop(&target->head);
    if (!call->local && reference->orb->options.fragment == 0)
        call->out.refer = whittle_call_refer;
    return at;
}

void whittle_call_end(struct whittle_call *call)
{
    whittle_call_leave(call);
    CORBA_exception_free(&call->before);
}
