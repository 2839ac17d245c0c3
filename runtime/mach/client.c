/* SPDX-License-Identifier: MIT-0 */
/*
 * Clients and their calls. Small messages lie on the caller's stack, and one system call sends the request and receives the reply, with no
 * option that would keep the kernel off its short way: what does not fit in the caller's room, the server sends out of line.
 */
#include "server.h"

struct whittle_mach_client {
    mach_port_t server;
    struct whittle_mach_client_options options;
    mach_msg_option_t limits;                   /* the timeout's, of the system call that sends and receives */
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
    client->limits = of->timeout == 0 ? 0 : MACH_SEND_TIMEOUT | MACH_RCV_TIMEOUT;
    if (of->inlined == 0 || of->inlined > WHITTLE_MACH_INLINE - WHITTLE_MACH_PREFIX)
        of->inlined = WHITTLE_MACH_INLINE - WHITTLE_MACH_PREFIX;
    return client;
}

const struct whittle_mach_client_options *whittle_mach_client_options(const struct whittle_mach_client *client)
{
    return &client->options;
}

WHITTLE_COLD void whittle_mach_port_end(mach_port_t port)
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
static struct whittle_mach_buffer *whittle_mach_buffer_take(struct whittle_mach_client *client, size_t room)
{
    struct whittle_mach_buffer *const kept = __atomic_exchange_n(&client->buffer, NULL, __ATOMIC_ACQUIRE);
    if (kept != NULL && kept->room >= room)
        return kept;
    free(kept);
    return whittle_mach_buffer_new(room);
}

/* The largest that calls need is kept, as long as it is not very large. */
WHITTLE_COLD void whittle_mach_buffer_keep(struct whittle_mach_client *client, struct whittle_mach_buffer *buffer)
{
    if (buffer->room <= 2 * WHITTLE_MACH_ROOM)
        buffer = __atomic_exchange_n(&client->buffer, buffer, __ATOMIC_RELEASE);
    free(buffer);
}

static void whittle_mach_set_message(struct whittle_mach_call *call, char *message, size_t room)
{
    call->message = message;
    call->room = room;
    call->out.base = message + WHITTLE_MACH_HEAD + WHITTLE_MACH_PREFIX;
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
    struct whittle_mach_buffer *const buffer = whittle_mach_buffer_take(call->client, least > doubled ? least : doubled);
    if (buffer == NULL) {
        call->status = WHITTLE_MACH_NO_MEMORY;
        return NULL;
    }
    memcpy(buffer->message, call->message, used);
    free(call->buffer);
    call->buffer = buffer;
    whittle_mach_set_message(call, buffer->message, buffer->room);
    return buffer->message + used;
}

char *whittle_mach_begin(struct whittle_mach_call *call, struct whittle_mach_client *client, uint32_t id)
{
    const size_t likely = __atomic_load_n(&client->likely, __ATOMIC_RELAXED);
    call->client = client;
    call->id = id;
    call->status = WHITTLE_MACH_OK;
    call->out_of_line = NULL;
    call->lent = NULL;
    call->rights = NULL;
    call->buffer = likely == 0 ? NULL : whittle_mach_buffer_take(client, likely);
    call->out.grow = whittle_mach_grow;
    call->out.refer = NULL;
    call->out.depth = call->out.level = 0;
    if (call->buffer == NULL)
        whittle_mach_set_message(call, call->first + WHITTLE_MACH_SHIFT, WHITTLE_MACH_LEAST);
    else
        whittle_mach_set_message(call, call->buffer->message, call->buffer->room);
    return call->out.base;
}

/* The header of a request, but for what describes its bytes. */
WHITTLE_IN_PLACE void whittle_mach_write_header(char *message, mach_port_t server, uint32_t id, mach_port_t reply)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)message;
    header->msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_COPY_SEND, reply == MACH_PORT_NULL ? 0 : MACH_MSG_TYPE_MAKE_SEND_ONCE);
    header->msgh_remote_port = server;
    header->msgh_local_port = reply;
    header->msgh_seqno = 0;
    header->msgh_id = (mach_msg_id_t)id;
}

/* Before the bytes: the reply comes where the request was. */
WHITTLE_IN_PLACE void whittle_mach_write_prefix(char *bytes, size_t room, mach_port_t reply)
{
    const struct whittle_mach_prefix prefix = {reply == MACH_PORT_NULL ? 0 : (uint32_t)room, 0};
    memcpy(bytes, &prefix, sizeof prefix);
}

/* A request whose bytes are out of line, that carries rights, or that could not be written. */
WHITTLE_COLD mach_msg_size_t whittle_mach_request_out_of_line(struct whittle_mach_call *call, char *at, mach_port_t reply)
{
    const size_t more = call->rights == NULL ? 0 : whittle_mach_rights_size(call->rights);
    if (at != NULL && more > (size_t)(call->out.end - at))
        at = whittle_mach_grow(&call->out, at, more);
    if (at == NULL) {
        call->status = call->status == 0 ? WHITTLE_MACH_CANNOT_MARSHAL : call->status;
        return 0;
    }
    char *const bytes = call->message + WHITTLE_MACH_HEAD;
    const size_t n = (size_t)(at - bytes);
    const bool is_inline = n - WHITTLE_MACH_PREFIX + more <= call->client->options.inlined;
    if (!is_inline) {
        call->message = call->first + WHITTLE_MACH_SHIFT;
        call->room = WHITTLE_MACH_LEAST;
    }
    whittle_mach_write_prefix(bytes, call->room, reply);
    whittle_mach_write_header(call->message, call->client->server, call->id, reply);
    const mach_msg_size_t size = whittle_mach_describe(call->message, is_inline ? NULL : bytes, n);
    return more == 0 ? size : whittle_mach_rights_put(call->rights, call->message);
}

/* The request, whole. How long its message is; 0: it cannot be sent. */
WHITTLE_IN_PLACE mach_msg_size_t whittle_mach_finish_request(struct whittle_mach_call *call, char *at, mach_port_t reply)
{
    /* Read once: the compiler takes it that bytes of a message may be anything of the call's. */
    const struct whittle_mach_client *const client = call->client;
    char *const message = call->message, *const bytes = message + WHITTLE_MACH_HEAD;
    const size_t room = call->room;
    const mach_port_t server = client->server;
    const uint32_t id = call->id;
    /* Without an end it is longer than anything. */
    const size_t n = (uintptr_t)at - (uintptr_t)bytes;
    if (n - WHITTLE_MACH_PREFIX > client->options.inlined || whittle_mach_rights_go(call->rights))
        return whittle_mach_request_out_of_line(call, at, reply);
    whittle_mach_write_prefix(bytes, room, reply);
    whittle_mach_write_header(message, server, id, reply);
    return whittle_mach_describe(message, NULL, n);
}

/* Memory for what results hold. */
static void *whittle_mach_allocate_results(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)in - offsetof(struct whittle_mach_call, in));
    if (size > call->decoded / count)
        return NULL;
    call->decoded -= size * count;
    return release == NULL ? malloc(size * count) : calloc(count, size);
}

/* A reply whose bytes are not inline, or that is none. Where the bytes are; NULL: there are none, and the call's status says why. */
WHITTLE_COLD const char *whittle_mach_check_other_reply(struct whittle_mach_call *call, size_t *n)
{
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
    const bool is_reply = header->msgh_id == whittle_mach_reply_id(call->id);
    bool is_out_of_line;
    /* Nobody is to answer a reply. */
    if (header->msgh_remote_port != MACH_PORT_NULL) {
        whittle_mach_discard(call->message);
        call->status = WHITTLE_MACH_BAD_REPLY;
        return NULL;
    }
    if (header->msgh_id == MACH_NOTIFY_SEND_ONCE && header->msgh_size == sizeof *header) {
        call->status = WHITTLE_MACH_LOST;
        return NULL;
    }
    const char *const bytes = is_reply ? whittle_mach_bytes(call->message, n, &is_out_of_line, call->rights) : NULL;
    if (bytes == NULL && is_reply && !(header->msgh_bits & MACH_MSGH_BITS_COMPLEX)) {
        call->status = whittle_mach_refused(call->message);
        return NULL;
    }
    if (bytes == NULL || (is_out_of_line && *n > call->client->options.longest)) {
        whittle_mach_discard(call->message);
        if (call->rights != NULL)
            call->rights->out_of_line = NULL, call->rights->received_count = 0;
        call->status = bytes == NULL ? WHITTLE_MACH_BAD_REPLY : WHITTLE_MACH_TOO_LARGE;
        return NULL;
    }
    if (is_out_of_line) {
        call->out_of_line = (void *)(uintptr_t)bytes;
        call->out_of_line_size = *n;
        const size_t likely = whittle_mach_round_up(*n + header->msgh_size);
        if (*n <= WHITTLE_MACH_INLINE && likely > WHITTLE_MACH_LEAST)
            __atomic_store_n(&call->client->likely, likely, __ATOMIC_RELAXED);
    }
    return bytes;
}

/* Checks the reply. Where its bytes are, and how many. */
WHITTLE_IN_PLACE const char *whittle_mach_check_reply(struct whittle_mach_call *call, size_t *n)
{
    const struct whittle_mach_head *const head = (const struct whittle_mach_head *)(const void *)call->message;
    const size_t size = head->header.msgh_size, number = head->type.msgtl_number;
    if (head->header.msgh_remote_port != MACH_PORT_NULL || head->header.msgh_id != whittle_mach_reply_id(call->id)
        || (head->header.msgh_bits & MACH_MSGH_BITS_COMPLEX) != 0 || size < WHITTLE_MACH_HEAD
        || !whittle_mach_type_is(&head->type, &whittle_mach_inline_type) || number > size - WHITTLE_MACH_HEAD)
        return whittle_mach_check_other_reply(call, n);
    *n = number;
    return call->message + WHITTLE_MACH_HEAD;
}

/* What the kernel says of a message that was not exchanged. */
static int whittle_mach_status_of_result(char *message, mach_msg_return_t result)
{
    switch (result & ~(mach_msg_return_t)MACH_MSG_MASK) {
    case MACH_SEND_INVALID_DEST: return WHITTLE_MACH_BAD_PORT;
    case MACH_SEND_INTERRUPTED: whittle_mach_discard_returned(message); return WHITTLE_MACH_KERNEL;
    case MACH_SEND_TIMED_OUT: whittle_mach_discard_returned(message); return WHITTLE_MACH_TIMED_OUT;
    case MACH_RCV_TIMED_OUT: return WHITTLE_MACH_TIMED_OUT;
    case MACH_SEND_NO_BUFFER: return WHITTLE_MACH_NO_MEMORY;
    case MACH_RCV_TOO_LARGE: return WHITTLE_MACH_TOO_LARGE;
    default: return WHITTLE_MACH_KERNEL;
    }
}

/* What the system call did not do, begun again where it was interrupted. Whether there is a reply after all. */
WHITTLE_COLD bool whittle_mach_retry_receive(struct whittle_mach_call *call, mach_port_t port, mach_msg_return_t result)
{
    struct whittle_mach_client *const client = call->client;
    mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
    while (result == MACH_RCV_INTERRUPTED)
        result = mach_msg(header, MACH_RCV_MSG | client->limits, 0, (mach_msg_size_t)call->room, port, client->options.timeout, MACH_PORT_NULL);
    if (result == MACH_MSG_SUCCESS) {
        whittle_mach_port_end(__atomic_exchange_n(&client->reply, port, __ATOMIC_RELEASE));
        return true;
    }
    call->status = whittle_mach_status_of_result(call->message, result);
    /* A reply that comes after all must not be taken for the next call's. */
    whittle_mach_port_end(port);
    return false;
}

/* Sends what ends at `at`, and receives. Whether there is a reply; the call's status says why not. */
WHITTLE_IN_PLACE bool whittle_mach_send_and_receive(struct whittle_mach_call *call, char *at)
{
    struct whittle_mach_client *const client = call->client;
    mach_port_t port = __atomic_exchange_n(&client->reply, MACH_PORT_NULL, __ATOMIC_ACQUIRE);
    if (port == MACH_PORT_NULL)
        port = mach_reply_port();
    if (port == MACH_PORT_NULL) {
        call->status = WHITTLE_MACH_NO_MEMORY;
        return false;
    }
    const mach_msg_size_t size = whittle_mach_finish_request(call, at, port);
    if (size != 0) {
        const mach_msg_return_t result =
            mach_msg((mach_msg_header_t *)(void *)call->message, MACH_SEND_MSG | MACH_RCV_MSG | client->limits, size,
                     (mach_msg_size_t)call->room, port, client->options.timeout, MACH_PORT_NULL);
        if (result != MACH_MSG_SUCCESS)
            return whittle_mach_retry_receive(call, port, result);
    }
    port = __atomic_exchange_n(&client->reply, port, __ATOMIC_RELEASE);
    if (port != MACH_PORT_NULL)
        whittle_mach_port_end(port);
    return size != 0;
}

int whittle_mach_exchange(struct whittle_mach_call *call, char *at)
{
    size_t n;
    if (!whittle_mach_send_and_receive(call, at))
        return call->status;
    const char *const bytes = whittle_mach_check_reply(call, &n);
    if (bytes == NULL)
        return call->status;
    call->in = (struct whittle_cdr_in){bytes, bytes + n, 0, 0, false, whittle_mach_allocate_results, 0, NULL, NULL, 0};
    call->at = bytes;
    call->decoded = call->client->options.decoded;
    return WHITTLE_MACH_OK;
}

/* What a call has beside its message on the stack. */
WHITTLE_COLD void whittle_mach_release_call(struct whittle_mach_call *call)
{
    if (call->rights != NULL)
        whittle_mach_rights_end(call->rights);
    if (call->out_of_line != NULL)
        (void)vm_deallocate(mach_task_self(), (vm_address_t)(uintptr_t)call->out_of_line, call->out_of_line_size);
    if (call->buffer != NULL)
        whittle_mach_buffer_keep(call->client, call->buffer);
}

WHITTLE_IN_PLACE int whittle_mach_finish_call(struct whittle_mach_call *call)
{
    if (call->rights != NULL || call->out_of_line != NULL || call->buffer != NULL)
        whittle_mach_release_call(call);
    return call->status;
}

int whittle_mach_command(struct whittle_mach_call *call, char *at)
{
    size_t n;
    if (whittle_mach_send_and_receive(call, at))
        (void)whittle_mach_check_reply(call, &n);
    return whittle_mach_finish_call(call);
}

int whittle_mach_post(struct whittle_mach_call *call, char *at)
{
    const mach_msg_size_t size = whittle_mach_finish_request(call, at, MACH_PORT_NULL);
    if (size != 0) {
        const uint32_t timeout = call->client->options.timeout;
        mach_msg_header_t *const header = (mach_msg_header_t *)(void *)call->message;
        const mach_msg_option_t limit = call->client->limits & MACH_SEND_TIMEOUT;
        const mach_msg_return_t result = mach_msg(header, MACH_SEND_MSG | limit, size, 0, MACH_PORT_NULL, timeout, MACH_PORT_NULL);
        call->status = result == MACH_MSG_SUCCESS ? WHITTLE_MACH_OK : whittle_mach_status_of_result(call->message, result);
    }
    return whittle_mach_finish_call(call);
}

int whittle_mach_end(struct whittle_mach_call *call, const char *at)
{
    if (at == NULL && call->status == WHITTLE_MACH_OK)
        call->status = WHITTLE_MACH_CANNOT_UNMARSHAL;
    return whittle_mach_finish_call(call);
}
