/* SPDX-License-Identifier: MIT-0 */
/*
 * Clients and their calls. Small messages lie on the caller's stack, and one system call sends the request and receives the reply, with no
 * option that would keep the kernel off its short way: what does not fit in the caller's room, the server sends beside the message.
 */
#include "server.h"

struct whittle_mach_client {
    mach_port_t server;
    struct whittle_mach_client_options options;
    mach_port_t reply;                          /* to receive replies with, while no call has it; else null */
    struct whittle_mach_buffer *buffer;         /* the same of a large message's */
    size_t likely;                              /* room for a reply as large as the last that was too large for a message */
};

struct whittle_mach_client *whittle_mach_client_open(mach_port_t server, const struct whittle_mach_client_options *options, int *status)
{
    struct whittle_mach_client *const client = (struct whittle_mach_client *)calloc(1, sizeof *client);
    const bool is_port = server != MACH_PORT_NULL && server != MACH_PORT_DEAD;
    if (status != NULL)
        *status = !is_port ? WHITTLE_MACH_BAD_PORT : client == NULL ? WHITTLE_MACH_NO_MEMORY : WHITTLE_MACH_OK;
    if (client == NULL || !is_port) {
        free(client);
        return NULL;
    }
    client->server = server;
    if (options != NULL)
        client->options = *options;
    struct whittle_mach_client_options *const of = &client->options;
    of->longest = of->longest == 0 ? 64u << 20 : of->longest;
    of->decoded = of->decoded == 0 ? 256u << 20 : of->decoded;
    if (of->inlined == 0 || of->inlined > WHITTLE_MACH_INLINE - WHITTLE_MACH_LEAD)
        of->inlined = WHITTLE_MACH_INLINE - WHITTLE_MACH_LEAD;
    return client;
}

const struct whittle_mach_client_options *whittle_mach_client_options(const struct whittle_mach_client *client)
{
    return &client->options;
}

static void whittle_mach_port_end(mach_port_t port)
{
    if (port != MACH_PORT_NULL)
        (void)mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1);
}

void whittle_mach_client_close(struct whittle_mach_client *client)
{
    if (client == NULL)
        return;
    whittle_mach_port_end(client->reply);
    free(client->buffer);
    free(client);
}

/* A buffer for a message: the client's, if it is large enough, or another. */
static struct whittle_mach_buffer *whittle_mach_take(struct whittle_mach_client *client, size_t room)
{
    struct whittle_mach_buffer *const kept = __atomic_exchange_n(&client->buffer, NULL, __ATOMIC_ACQUIRE);
    if (kept != NULL && kept->room >= room)
        return kept;
    free(kept);
    return whittle_mach_buffer_new(room);
}

/* The largest that calls need is kept, as long as it is not very large. */
WHITTLE_COLD void whittle_mach_give(struct whittle_mach_client *client, struct whittle_mach_buffer *buffer)
{
    if (buffer->room <= 2 * WHITTLE_MACH_ROOM)
        buffer = __atomic_exchange_n(&client->buffer, buffer, __ATOMIC_RELEASE);
    free(buffer);
}

static void whittle_mach_written_to(struct whittle_mach_call *call, char *message, size_t room)
{
    call->message = message;
    call->room = room;
    call->out.base = message + WHITTLE_MACH_HEAD + WHITTLE_MACH_LEAD;
    call->out.end = message + room - sizeof(uintptr_t);
}

__attribute__((cold, noinline)) char *whittle_mach_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)out - offsetof(struct whittle_mach_call, out));
    const size_t used = (size_t)(at - call->message);
    if (more > WHITTLE_MACH_MOST - used) {
        call->status = WHITTLE_MACH_TOO_LARGE;
        return NULL;
    }
    const size_t doubled = 2 * call->room, least = used + more + sizeof(uintptr_t);
    struct whittle_mach_buffer *const buffer = whittle_mach_take(call->client, least > doubled ? least : doubled);
    if (buffer == NULL) {
        call->status = WHITTLE_MACH_NO_MEMORY;
        return NULL;
    }
    memcpy(buffer->message, call->message, used);
    free(call->buffer);
    call->buffer = buffer;
    whittle_mach_written_to(call, buffer->message, buffer->room);
    return buffer->message + used;
}

char *whittle_mach_begin(struct whittle_mach_call *call, struct whittle_mach_client *client, uint32_t id)
{
    const size_t likely = __atomic_load_n(&client->likely, __ATOMIC_RELAXED);
    call->client = client;
    call->id = id;
    call->status = WHITTLE_MACH_OK;
    call->beside = NULL;
    call->lent = NULL;
    call->rights = NULL;
    call->buffer = likely == 0 ? NULL : whittle_mach_take(client, likely);
    call->out.grow = whittle_mach_grow;
    call->out.refer = NULL;
    if (call->buffer == NULL)
        whittle_mach_written_to(call, call->first + WHITTLE_MACH_SHIFT, WHITTLE_MACH_LEAST);
    else
        whittle_mach_written_to(call, call->buffer->message, call->buffer->room);
    return call->out.base;
}

/* Room for the rights that go along. */
WHITTLE_COLD char *whittle_mach_rights_room(struct whittle_mach_call *call, char *at)
{
    const size_t size = whittle_mach_rights_size(call->rights);
    return at == NULL || size <= (size_t)(call->out.end - at) ? at : whittle_mach_grow(&call->out, at, size);
}

/* The request, whole. How long its message is; 0: it cannot be sent. */
WHITTLE_IN_PLACE mach_msg_size_t whittle_mach_request_made(struct whittle_mach_call *call, char *at, mach_port_t reply)
{
    if (call->rights != NULL)
        at = whittle_mach_rights_room(call, at);
    if (at == NULL) {
        call->status = call->status == 0 ? WHITTLE_MACH_CANNOT_MARSHAL : call->status;
        return 0;
    }
    char *const bytes = call->message + WHITTLE_MACH_HEAD;
    const size_t n = (size_t)(at - bytes);
    char *message = call->message;
    const size_t more = call->rights == NULL ? 0 : whittle_mach_rights_size(call->rights);
    const bool is_inline = n - WHITTLE_MACH_LEAD + more <= call->client->options.inlined;
    if (!is_inline) {
        message = call->message = call->first + WHITTLE_MACH_SHIFT;
        call->room = WHITTLE_MACH_LEAST;
    }
    /* The reply comes where the request was. */
    const struct whittle_mach_lead lead = {reply == MACH_PORT_NULL ? 0 : (uint32_t)call->room, 0};
    memcpy(bytes, &lead, sizeof lead);
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    header->msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_COPY_SEND, reply == MACH_PORT_NULL ? 0 : MACH_MSG_TYPE_MAKE_SEND_ONCE);
    header->msgh_remote_port = call->client->server;
    header->msgh_local_port = reply;
    header->msgh_seqno = 0;
    header->msgh_id = (mach_msg_id_t)call->id;
    const mach_msg_size_t size = whittle_mach_describe(message, is_inline ? NULL : bytes, n);
    return more == 0 ? size : whittle_mach_rights_put(call->rights, message);
}

/* Memory for what results hold. */
static void *whittle_mach_results(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)in - offsetof(struct whittle_mach_call, in));
    if (size > call->decoded / count)
        return NULL;
    call->decoded -= size * count;
    return release == NULL ? malloc(size * count) : calloc(count, size);
}

/* The reply that came. */
WHITTLE_IN_PLACE int whittle_mach_replied(struct whittle_mach_call *call)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
    size_t n;
    bool are_beside;
    /* Nobody is to answer a reply. */
    if (header->msgh_remote_port != MACH_PORT_NULL) {
        whittle_mach_discard(call->message);
        return WHITTLE_MACH_BAD_REPLY;
    }
    if (header->msgh_id == MACH_NOTIFY_SEND_ONCE && header->msgh_size == sizeof *header)
        return WHITTLE_MACH_LOST;
    const char *const bytes = header->msgh_id == whittle_mach_reply_id(call->id) ? whittle_mach_bytes(call->message, &n, &are_beside, call->rights) : NULL;
    if (bytes == NULL && header->msgh_id == whittle_mach_reply_id(call->id) && !(header->msgh_bits & MACH_MSGH_BITS_COMPLEX))
        return whittle_mach_refused(call->message);
    if (bytes == NULL || (are_beside && n > call->client->options.longest)) {
        whittle_mach_discard(call->message);
        if (call->rights != NULL)
            call->rights->beside = NULL, call->rights->came_count = 0;
        return bytes == NULL ? WHITTLE_MACH_BAD_REPLY : WHITTLE_MACH_TOO_LARGE;
    }
    if (are_beside) {
        call->beside = (void *)(uintptr_t)bytes;
        call->beside_size = n;
        const size_t likely = whittle_mach_whole(n + header->msgh_size);
        if (n <= WHITTLE_MACH_INLINE && likely > WHITTLE_MACH_LEAST)
            __atomic_store_n(&call->client->likely, likely, __ATOMIC_RELAXED);
    }
    call->in = (struct whittle_cdr_in){bytes, bytes + n, 0, 0, false, whittle_mach_results, 0, NULL, NULL, 0};
    call->at = bytes;
    call->decoded = call->client->options.decoded;
    return WHITTLE_MACH_OK;
}

/* What the kernel says of a message that was not exchanged. */
static int whittle_mach_failed(char *message, mach_msg_return_t result)
{
    switch (result & ~(mach_msg_return_t)MACH_MSG_MASK) {
    case MACH_SEND_INVALID_DEST: return WHITTLE_MACH_BAD_PORT;
    case MACH_SEND_INTERRUPTED: whittle_mach_returned(message); return WHITTLE_MACH_KERNEL;
    case MACH_SEND_TIMED_OUT: whittle_mach_returned(message); return WHITTLE_MACH_TIMED_OUT;
    case MACH_RCV_TIMED_OUT: return WHITTLE_MACH_TIMED_OUT;
    case MACH_SEND_NO_BUFFER: return WHITTLE_MACH_NO_MEMORY;
    case MACH_RCV_TOO_LARGE: return WHITTLE_MACH_TOO_LARGE;
    default: return WHITTLE_MACH_KERNEL;
    }
}

int whittle_mach_exchange(struct whittle_mach_call *call, char *at)
{
    struct whittle_mach_client *const client = call->client;
    mach_port_t port = __atomic_exchange_n(&client->reply, MACH_PORT_NULL, __ATOMIC_ACQUIRE);
    if (port == MACH_PORT_NULL)
        port = mach_reply_port();
    if (port == MACH_PORT_NULL) {
        call->status = WHITTLE_MACH_NO_MEMORY;
        return call->status;
    }
    const mach_msg_size_t size = whittle_mach_request_made(call, at, port);
    if (size != 0) {
        mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
        const size_t room = call->room;
        const uint32_t timeout = client->options.timeout;
        const mach_msg_option_t limits = timeout == 0 ? 0 : MACH_SEND_TIMEOUT | MACH_RCV_TIMEOUT;
        mach_msg_return_t result =
            mach_msg(header, MACH_SEND_MSG | MACH_RCV_MSG | limits, size, (mach_msg_size_t)room, port, timeout, MACH_PORT_NULL);
        while (result == MACH_RCV_INTERRUPTED)
            result = mach_msg(header, MACH_RCV_MSG | limits, 0, (mach_msg_size_t)room, port, timeout, MACH_PORT_NULL);
        call->status = result == MACH_MSG_SUCCESS ? whittle_mach_replied(call) : whittle_mach_failed(call->message, result);
        /* A reply that comes after all must not be taken for the next call's. */
        if (result != MACH_MSG_SUCCESS) {
            whittle_mach_port_end(port);
            port = MACH_PORT_NULL;
        }
    }
    if (port != MACH_PORT_NULL)
        whittle_mach_port_end(__atomic_exchange_n(&client->reply, port, __ATOMIC_RELEASE));
    return call->status;
}

int whittle_mach_post(struct whittle_mach_call *call, char *at)
{
    const mach_msg_size_t size = whittle_mach_request_made(call, at, MACH_PORT_NULL);
    if (size != 0) {
        const uint32_t timeout = call->client->options.timeout;
        mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
        const mach_msg_option_t limit = timeout == 0 ? 0 : MACH_SEND_TIMEOUT;
        const mach_msg_return_t result = mach_msg(header, MACH_SEND_MSG | limit, size, 0, MACH_PORT_NULL, timeout, MACH_PORT_NULL);
        call->status = result == MACH_MSG_SUCCESS ? WHITTLE_MACH_OK : whittle_mach_failed(call->message, result);
    }
    if (call->rights != NULL)
        whittle_mach_rights_end(call->rights);
    if (call->buffer != NULL)
        whittle_mach_give(call->client, call->buffer);
    return call->status;
}

int whittle_mach_end(struct whittle_mach_call *call, const char *at)
{
    if (at == NULL && call->status == WHITTLE_MACH_OK)
        call->status = WHITTLE_MACH_CANNOT_UNMARSHAL;
    if (call->rights != NULL)
        whittle_mach_rights_end(call->rights);
    if (call->beside != NULL)
        (void)vm_deallocate(mach_task_self(), (vm_address_t)(uintptr_t)call->beside, call->beside_size);
    if (call->buffer != NULL)
        whittle_mach_give(call->client, call->buffer);
    return call->status;
}
