/* SPDX-License-Identifier: MIT-0 */
/* Arguments and results of a call that is served. */
#include "server.h"

static struct whittle_mach_request *whittle_mach_request_of(struct whittle_cdr_in *in)
{
    return (struct whittle_mach_request *)(void *)((char *)in - offsetof(struct whittle_mach_request, in));
}

static bool whittle_mach_charge(struct whittle_mach_request *request, size_t size, uint32_t count)
{
    if (size > request->decoded / count)
        return false;
    request->decoded -= size * count;
    return true;
}

void *whittle_mach_allocate_arguments(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_request *const request = whittle_mach_request_of(in);
    if (!whittle_mach_charge(request, size, count))
        return NULL;
    void *const storage = whittle_arena_allocate(&request->loop->arena, size * count, 2 * sizeof(void *));
    if (storage != NULL && release != NULL)
        memset(storage, 0, size * count);
    return storage;
}

void *whittle_mach_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    if (!whittle_mach_charge(whittle_mach_request_of(in), size, count))
        return NULL;
    return release == NULL ? malloc(size * count) : calloc(count, size);
}

static void whittle_mach_set_reply(struct whittle_mach_request *request, const struct whittle_mach_buffer *buffer)
{
    request->out.base = buffer->message + WHITTLE_MACH_HEAD;
    request->out.end = buffer->message + buffer->room - sizeof(uintptr_t);
}

WHITTLE_COLD char *whittle_mach_reply_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_mach_request *const request =
        (struct whittle_mach_request *)(void *)((char *)out - offsetof(struct whittle_mach_request, out));
    struct whittle_mach_buffer *const old = request->loop->reply;
    const size_t used = (size_t)(at - old->message);
    if (more > WHITTLE_MACH_MOST - used)
        return NULL;
    const size_t doubled = 2 * old->room, least = used + more + sizeof(uintptr_t);
    struct whittle_mach_buffer *const buffer = whittle_mach_buffer_new(least > doubled ? least : doubled);
    if (buffer == NULL)
        return NULL;
    memcpy(buffer->message, old->message, used);
    free(old);
    request->loop->reply = buffer;
    whittle_mach_set_reply(request, buffer);
    return buffer->message + used;
}

char *whittle_mach_reply(struct whittle_mach_request *request)
{
    request->out.grow = whittle_mach_reply_grow;
    request->out.refer = NULL;
    request->out.depth = request->out.level = 0;
    whittle_mach_set_reply(request, request->loop->reply);
    return request->out.base;
}

/* A reply that carries rights, whose bytes are out of line, or that could not be written. */
WHITTLE_COLD void whittle_mach_answer_out_of_line(struct whittle_mach_request *request, char *at)
{
    const size_t rights = request->rights == NULL ? 0 : whittle_mach_rights_size(request->rights);
    if (at != NULL && rights > (size_t)(request->out.end - at))
        at = whittle_mach_reply_grow(&request->out, at, rights);
    if (at == NULL) {
        whittle_mach_refuse(request, WHITTLE_MACH_SYSTEM_ERROR);
        return;
    }
    char *const message = request->loop->reply->message;
    const size_t n = (size_t)(at - request->out.base);
    vm_address_t place = 0;
    ((mach_msg_header_t *)(void *)message)->msgh_bits = 0;
    /* The address stands where the bytes begin: they are sent from a place of their own, which goes with them. */
    if (whittle_mach_round_up(WHITTLE_MACH_HEAD + n) + rights > request->room) {
        if (vm_allocate(mach_task_self(), &place, n, TRUE) != KERN_SUCCESS) {
            whittle_mach_refuse(request, WHITTLE_MACH_SYSTEM_ERROR);
            return;
        }
        memcpy((void *)(uintptr_t)place, request->out.base, n);
    }
    mach_msg_size_t size = whittle_mach_describe(message, place == 0 ? NULL : (const void *)(uintptr_t)place, n);
    if (place != 0)
        ((struct whittle_mach_head *)(void *)message)->type.msgtl_header.msgt_deallocate = 1;
    if (rights != 0)
        size = whittle_mach_rights_put(request->rights, message);
    if (size != 0) {
        whittle_mach_address_reply(request, size);
        return;
    }
    whittle_mach_refuse(request, WHITTLE_MACH_SYSTEM_ERROR);
    if (place != 0)
        (void)vm_deallocate(mach_task_self(), place, n);
}

void whittle_mach_answer(struct whittle_mach_request *request, char *at)
{
    if (!whittle_mach_caller_waits(request->loop))
        return;
    /* Without an end it is longer than anything. */
    const size_t n = (uintptr_t)at - (uintptr_t)request->out.base;
    if (n > WHITTLE_MACH_MOST || whittle_mach_round_up(WHITTLE_MACH_HEAD + n) > request->room || whittle_mach_rights_go(request->rights)) {
        whittle_mach_answer_out_of_line(request, at);
        return;
    }
    char *const message = request->loop->reply->message;
    ((mach_msg_header_t *)(void *)message)->msgh_bits = 0;
    whittle_mach_address_reply(request, whittle_mach_describe(message, NULL, n));
}

/* A reply without results, but for its caller and its number. */
static const struct whittle_mach_head whittle_mach_empty_reply = {
    .header = {.msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_MOVE_SEND_ONCE, 0), .msgh_size = WHITTLE_MACH_HEAD},
    .type = WHITTLE_MACH_TYPE(1, 0),
};

void whittle_mach_acknowledge(struct whittle_mach_request *request)
{
    struct whittle_mach_loop *const loop = request->loop;
    mach_msg_header_t *const asked = (mach_msg_header_t *)(void *)loop->request->message;
    const mach_port_t caller = asked->msgh_remote_port;
    if (caller == MACH_PORT_NULL)
        return;
    struct whittle_mach_head *const head = (struct whittle_mach_head *)(void *)loop->reply->message;
    asked->msgh_remote_port = MACH_PORT_NULL;
    loop->size = WHITTLE_MACH_HEAD;
    *head = whittle_mach_empty_reply;
    head->header.msgh_remote_port = caller;
    head->header.msgh_id = whittle_mach_reply_id(request->id);
}
