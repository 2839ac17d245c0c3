/* SPDX-License-Identifier: MIT-0 */
/* References to objects behind ports: each has a right to send, and what calls through it. In messages they are places among rights. */
#include "kind.h"
#include "mach_object_stubs.h"
#include "object_parts.h"
#include "server.h"

static void whittle_mach_object_destroy(struct whittle_foreign *object)
{
    struct whittle_mach_reference *const reference = (struct whittle_mach_reference *)(void *)object;
    whittle_mach_client_close(reference->client);
    whittle_mach_release_right(MACH_MSG_TYPE_PORT_SEND, reference->port);
    free(reference);
}

/* The port's right is the reference's. NULL: no memory. To one that has ended nobody can call. */
static CORBA_Object whittle_mach_reference_new(mach_port_t port, const struct whittle_mach_client_options *options)
{
    struct whittle_mach_reference *const reference = (struct whittle_mach_reference *)malloc(sizeof *reference);
    struct whittle_mach_client *const client =
        reference == NULL || port == MACH_PORT_DEAD ? NULL : whittle_mach_client_open(port, options, NULL);
    if (reference == NULL || (client == NULL && port != MACH_PORT_DEAD)) {
        free(reference);
        return CORBA_OBJECT_NIL;
    }
    *reference = (struct whittle_mach_reference){{{WHITTLE_A_FOREIGN, 1}, whittle_mach_object_destroy}, client, port};
    return &reference->head.head;
}

struct whittle_mach_reference *whittle_mach_reference_of(CORBA_Object object)
{
    struct whittle_foreign *const foreign = (struct whittle_foreign *)(void *)object;
    if (object == NULL || object->kind != WHITTLE_A_FOREIGN || foreign->destroy != whittle_mach_object_destroy)
        return NULL;
    return (struct whittle_mach_reference *)(void *)foreign;
}

CORBA_Object whittle_mach_object(mach_port_t port, const struct whittle_mach_client_options *options, CORBA_Environment *ev)
{
    const bool is_port = port != MACH_PORT_NULL;
    const CORBA_Object object = is_port ? whittle_mach_reference_new(port, options) : CORBA_OBJECT_NIL;
    if (object == CORBA_OBJECT_NIL)
        whittle_exception_system(ev, is_port ? ex_CORBA_NO_MEMORY : ex_CORBA_INV_OBJREF, 0, CORBA_COMPLETED_NO);
    return object;
}

CORBA_Object whittle_mach_object_served(const struct whittle_mach_server *server, size_t index, CORBA_Environment *ev)
{
    const mach_port_t port = server == NULL ? MACH_PORT_NULL : whittle_mach_server_port(server, index);
    if (port != MACH_PORT_NULL && mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) != KERN_SUCCESS) {
        whittle_exception_system(ev, ex_CORBA_NO_RESOURCES, 0, CORBA_COMPLETED_NO);
        return CORBA_OBJECT_NIL;
    }
    const CORBA_Object object = whittle_mach_object(port, NULL, ev);
    if (object == CORBA_OBJECT_NIL)
        whittle_mach_release_right(MACH_MSG_TYPE_PORT_SEND, port);
    return object;
}

mach_port_t whittle_mach_object_port(CORBA_Object object)
{
    const struct whittle_mach_reference *const reference = whittle_mach_reference_of(object);
    return reference == NULL ? MACH_PORT_NULL : reference->port;
}

/* Those of the message that is written. */
static struct whittle_mach_rights *whittle_mach_rights_out(struct whittle_cdr_out *out)
{
    if (out->grow == whittle_mach_grow)
        return ((struct whittle_mach_call *)(void *)((char *)out - offsetof(struct whittle_mach_call, out)))->rights;
    return ((struct whittle_mach_request *)(void *)((char *)out - offsetof(struct whittle_mach_request, out)))->rights;
}

char *whittle_cdr_out_port(struct whittle_cdr_out *out, char *at, const CORBA_Object *value)
{
    uint32_t place = 0;
    if (*value != CORBA_OBJECT_NIL) {
        const struct whittle_mach_reference *const reference = whittle_mach_reference_of(*value);
        place = reference == NULL ? 0 : whittle_mach_right_add(whittle_mach_rights_out(out), reference->port);
        if (place == 0)
            return NULL;
    }
    at = whittle_cdr_out_align_and(out, at, sizeof place, sizeof place);
    if (at == NULL)
        return NULL;
    memcpy(at, &place, sizeof place);
    return at + sizeof place;
}

/* Where a request's arguments are borrowed, they are released after the dispatch. */
static bool whittle_mach_reference_is_lent(struct whittle_mach_request *request, CORBA_Object object)
{
    struct whittle_mach_deferred *const later =
        (struct whittle_mach_deferred *)whittle_mach_allocate_arguments(&request->in, sizeof *later, 1, NULL);
    if (later == NULL) {
        whittle_drop(object);
        return false;
    }
    *later = (struct whittle_mach_deferred){request->later, object, whittle_drop_later};
    request->later = later;
    return true;
}

const char *whittle_cdr_in_port(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped)
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)in - offsetof(struct whittle_mach_call, in));
    struct whittle_mach_request *const request = (struct whittle_mach_request *)(void *)((char *)in - offsetof(struct whittle_mach_request, in));
    const bool is_result = in->allocate == whittle_mach_object_result;
    size_t *const left = is_result ? &call->decoded : &request->decoded;
    uint32_t place;
    (void)swapped;
    *value = CORBA_OBJECT_NIL;
    at = whittle_cdr_in_align_and(in, at, sizeof place, sizeof place);
    if (at == NULL)
        return NULL;
    memcpy(&place, at, sizeof place);
    at += sizeof place;
    if (place == 0)
        return at;
    const mach_port_t port = *left < WHITTLE_MACH_REFERENCE ? MACH_PORT_NULL : whittle_mach_right_take(is_result ? call->rights : request->rights, place);
    if (port == MACH_PORT_NULL)
        return NULL;
    *left -= WHITTLE_MACH_REFERENCE;
    *value = whittle_mach_reference_new(port, is_result ? whittle_mach_client_options(call->client) : NULL);
    if (*value == CORBA_OBJECT_NIL) {
        whittle_mach_release_right(MACH_MSG_TYPE_PORT_SEND, port);
        return NULL;
    }
    if (in->borrow && !whittle_mach_reference_is_lent(request, *value)) {
        *value = CORBA_OBJECT_NIL;
        return NULL;
    }
    return at;
}
