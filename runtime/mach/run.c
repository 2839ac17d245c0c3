/* SPDX-License-Identifier: MIT-0 */
/*
 * The loop: one system call sends a reply and receives the next request. Only a right to send once is a right to reply: it never blocks.
 * Requests that are longer than our buffer are destroyed by the kernel, which notifies the caller.
 */
#include "server.h"

WHITTLE_IN_PLACE const struct whittle_mach_object *whittle_mach_find_object(const struct whittle_mach_server *server, mach_port_t port)
{
    for (size_t i = 0; i < server->count; i++)
        if (server->objects[i].port == port)
            return &server->objects[i];
    return NULL;
}

/* A request's bytes, behind those of the link. false: they are not there. */
WHITTLE_IN_PLACE bool whittle_mach_find_arguments(struct whittle_mach_request *request, const char *bytes, size_t n, size_t longest)
{
    struct whittle_mach_prefix prefix;
    if (bytes == NULL || n < sizeof prefix || n > longest)
        return false;
    memcpy(&prefix, bytes, sizeof prefix);
    request->room = prefix.room;
    request->at = bytes + sizeof prefix;
    request->in = (struct whittle_cdr_in){request->at, bytes + n, 0, 0, true, whittle_mach_allocate_arguments, 0, NULL, NULL, 0};
    return prefix.zero == 0;
}

/* Arguments that are released by themselves, and rights that do not go with the reply. Those that were received are released with the request. */
static void whittle_mach_release_request(struct whittle_mach_request *request)
{
    for (const struct whittle_mach_deferred *later = request->later; later != NULL; later = later->next)
        later->release(later->item);
    request->rights->received_count = 0;
    request->rights->out_of_line = NULL;
    whittle_mach_rights_end(request->rights);
}

/* A right to reply any number of times is none that a caller waits with. */
WHITTLE_COLD void whittle_mach_drop_reply_right(mach_msg_header_t *header)
{
    whittle_mach_release_right(MACH_MSGH_BITS_REMOTE(header->msgh_bits), header->msgh_remote_port);
    header->msgh_remote_port = MACH_PORT_NULL;
}

WHITTLE_IN_PLACE void whittle_mach_handle_request(struct whittle_mach_loop *loop)
{
    struct whittle_mach_server *const server = loop->server;
    char *const message = loop->request->message;
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    const struct whittle_mach_object *const object = whittle_mach_find_object(server, header->msgh_local_port);
    struct whittle_mach_request request;
    struct whittle_mach_rights rights;
    size_t n;
    bool is_out_of_line;
    if (object == NULL) {
        whittle_mach_discard(message);
        return;
    }
    request.loop = loop;
    request.id = (uint32_t)header->msgh_id;
    if (header->msgh_remote_port != MACH_PORT_NULL && MACH_MSGH_BITS_REMOTE(header->msgh_bits) != MACH_MSG_TYPE_PORT_SEND_ONCE)
        whittle_mach_drop_reply_right(header);
    request.decoded = server->options.decoded;
    request.rights = NULL;
    if (object->interface->carries_rights) {
        request.rights = &rights;
        request.later = NULL;
        whittle_mach_rights_begin(&rights, true);
    }
    const char *const bytes = whittle_mach_bytes(message, &n, &is_out_of_line, request.rights);
    if (whittle_mach_find_arguments(&request, bytes, n, server->options.longest))
        object->interface->dispatch(object->operations, object->context, &request);
    else
        whittle_mach_garbage(&request);
    if (request.rights != NULL)
        whittle_mach_release_request(&request);
    if (loop->arena.at != loop->first || loop->arena.blocks != NULL) {
        whittle_arena_release(&loop->arena);
        whittle_arena_begin(&loop->arena, loop->first, sizeof loop->first);
    }
    if (whittle_mach_caller_waits(loop))
        whittle_mach_refuse(&request, WHITTLE_MACH_SYSTEM_ERROR);
    /* What is left of it: memory, and rights that nobody asked for. */
    if ((header->msgh_bits & MACH_MSGH_BITS_COMPLEX) != 0)
        whittle_mach_discard(message);
}

/* Sends the reply, if there is one, and receives a request. */
WHITTLE_IN_PLACE mach_msg_return_t whittle_mach_reply_and_receive(struct whittle_mach_loop *loop)
{
    struct whittle_mach_buffer *const buffer = loop->reply;
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)buffer->message;
    const mach_msg_size_t size = loop->size;
    const mach_msg_option_t sends = size == 0 ? MACH_RCV_MSG : MACH_SEND_MSG | MACH_RCV_MSG;
    loop->size = 0;
    const mach_msg_return_t result = mach_msg(header, sends, size, (mach_msg_size_t)buffer->room, loop->server->set,
                                              MACH_MSG_TIMEOUT_NONE, MACH_PORT_NULL);
    loop->reply = loop->request;
    loop->request = buffer;
    return result;
}

/* What the system call did not do, which may be that it did nothing. false: it never will. */
WHITTLE_COLD bool whittle_mach_can_continue(struct whittle_mach_loop *loop, mach_msg_return_t result)
{
    switch (result & ~(mach_msg_return_t)MACH_MSG_MASK) {
    case MACH_RCV_TOO_LARGE:
    case MACH_RCV_BODY_ERROR:
    case MACH_RCV_HEADER_ERROR:
    case MACH_RCV_INTERRUPTED: return true;
    case MACH_SEND_INTERRUPTED:
    case MACH_SEND_NO_BUFFER:
    case MACH_SEND_INVALID_DEST: whittle_mach_discard(loop->request->message); return true;
    default: return false;
    }
}

static int whittle_mach_loop_run(struct whittle_mach_loop *loop)
{
    struct whittle_mach_server *const server = loop->server;
    while (!__atomic_load_n(&server->stops, __ATOMIC_ACQUIRE)) {
        const mach_msg_return_t result = whittle_mach_reply_and_receive(loop);
        if (WHITTLE_LIKELY(result == MACH_MSG_SUCCESS))
            whittle_mach_handle_request(loop);
        else if (!whittle_mach_can_continue(loop, result))
            return WHITTLE_MACH_KERNEL;
    }
    /* The last reply. */
    if (loop->size != 0) {
        mach_msg_header_t *const header = (mach_msg_header_t *)(void *)loop->reply->message;
        if (mach_msg(header, MACH_SEND_MSG, loop->size, 0, MACH_PORT_NULL, MACH_MSG_TIMEOUT_NONE, MACH_PORT_NULL) != MACH_MSG_SUCCESS)
            whittle_mach_discard(loop->reply->message);
    }
    /* Other threads are here, too. */
    whittle_mach_server_stop(server);
    return WHITTLE_MACH_OK;
}

int whittle_mach_server_run(struct whittle_mach_server *server)
{
    struct whittle_mach_loop *const loop = (struct whittle_mach_loop *)calloc(1, sizeof *loop);
    if (loop == NULL)
        return WHITTLE_MACH_NO_MEMORY;
    loop->server = server;
    loop->request = whittle_mach_buffer_new(WHITTLE_MACH_ROOM);
    loop->reply = whittle_mach_buffer_new(WHITTLE_MACH_ROOM);
    whittle_arena_begin(&loop->arena, loop->first, sizeof loop->first);
    const bool is_ready = loop->request != NULL && loop->reply != NULL;
    const int status = is_ready ? whittle_mach_loop_run(loop) : WHITTLE_MACH_NO_MEMORY;
    free(loop->request);
    free(loop->reply);
    free(loop);
    return status;
}
