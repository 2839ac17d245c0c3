/* SPDX-License-Identifier: MIT-0 */
/* Requests as they come: their headers read, and whom they are for. Source: RFC 5531, section 9. */
#include "server.h"

static __thread struct whittle_onc_request *whittle_onc_current;

const struct whittle_onc_caller *whittle_onc_caller(void)
{
    struct whittle_onc_request *const request = whittle_onc_current;
    if (request == NULL)
        return NULL;
    whittle_onc_caller_address(request);
    return &request->caller;
}

int whittle_onc_serve(struct whittle_onc_server *server, const struct whittle_onc_program *program, const void *operations, void *context)
{
    struct whittle_onc_service *const more =
        (struct whittle_onc_service *)realloc(server->services, (server->service_count + 1) * sizeof *more);
    if (more == NULL)
        return WHITTLE_ONC_NO_MEMORY;
    server->services = more;
    more[server->service_count++] = (struct whittle_onc_service){program, operations, context};
    return WHITTLE_ONC_OK;
}

/* There is the program, but not in this version; or there is none. */
WHITTLE_NET_COLD static void whittle_onc_unserved(struct whittle_onc_request *request)
{
    const struct whittle_onc_server *const server = request->server;
    uint32_t lowest = UINT32_MAX, highest = 0;
    bool found = false;
    for (size_t index = 0; index < server->service_count; index++) {
        const struct whittle_onc_program *const each = server->services[index].program;
        if (each->program != request->caller.program)
            continue;
        found = true;
        lowest = each->version < lowest ? each->version : lowest;
        highest = each->version > highest ? each->version : highest;
    }
    if (found)
        whittle_onc_refuse_versions(request, true, lowest, highest);
    else
        whittle_onc_refuse(request, WHITTLE_ONC_PROGRAM_UNAVAILABLE);
}

static void whittle_onc_dispatch(struct whittle_onc_request *request)
{
    const struct whittle_onc_server *const server = request->server;
    struct whittle_onc_request *const outer = whittle_onc_current;
    for (size_t index = 0; index < server->service_count; index++) {
        const struct whittle_onc_service *const service = &server->services[index];
        if (service->program->program != request->caller.program || service->program->version != request->caller.version)
            continue;
        whittle_onc_current = request;
        service->program->dispatch(service->operations, service->context, request);
        whittle_onc_current = outer;
        return;
    }
    whittle_onc_unserved(request);
}

/* Credential and verifier, which end where the arguments begin. 0, or why the caller is not served. */
static uint32_t whittle_onc_read_caller(struct whittle_onc_request *request, const char *at)
{
    enum { BAD_CREDENTIAL = 1, BAD_VERIFIER = 3 };
    const char *const end = request->in.end;
    const uint32_t size = whittle_get32(at + 4);
    request->caller.flavor = whittle_get32(at);
    request->caller.credential = at + 8;
    request->caller.credential_size = size;
    if (size > WHITTLE_ONC_AUTH_BYTES || (size_t)(end - at) < 16 + whittle_pad4(size))
        return BAD_CREDENTIAL;
    at += 8 + whittle_pad4(size);
    const uint32_t verifier = whittle_get32(at + 4);
    if (verifier > WHITTLE_ONC_AUTH_BYTES || (size_t)(end - at) < 8 + whittle_pad4(verifier))
        return BAD_VERIFIER;
    request->at = at + 8 + whittle_pad4(verifier);
    if (request->caller.flavor == WHITTLE_ONC_AUTH_NONE && request->server->options.authenticate == NULL)
        return 0;
    return whittle_onc_check_caller(request);
}

/* Field by field: most of it is storage that is seldom used. */
static void whittle_onc_request_open(struct whittle_onc_request *request, struct whittle_onc_server *server,
                                     struct whittle_net_connection *connection, const void *datagram, const struct whittle_net_message *message)
{
    request->in = (struct whittle_xdr_in){.end = message->end, .borrow = true, .allocate = whittle_onc_arena};
    request->out = (struct whittle_xdr_out){NULL, NULL, NULL, NULL, 0};
    request->server = server;
    request->connection = connection;
    request->datagram = datagram;
    request->output = (struct whittle_net_output){.buffer = NULL};
    whittle_net_arena_open(&request->arena, server->net.options.decoded);
    request->answered = false;
    request->caller.address = NULL;
    request->caller.address_size = 0;
    request->caller.datagram = connection == NULL;
}

/* false: it is no call. */
static bool whittle_onc_request_read(struct whittle_onc_request *request, const char *base)
{
    const size_t size = (size_t)(request->in.end - base);
    if (size < 12 || whittle_get32(base + 4) != WHITTLE_ONC_CALL)
        return false;
    request->xid = whittle_get32(base);
    if (whittle_get32(base + 8) != WHITTLE_ONC_VERSION) {
        whittle_onc_refuse_versions(request, false, WHITTLE_ONC_VERSION, WHITTLE_ONC_VERSION);
        return true;
    }
    if (size < WHITTLE_ONC_CALL_HEADER)
        return false;
    request->caller.program = whittle_get32(base + 12);
    request->caller.version = whittle_get32(base + 16);
    request->caller.procedure = request->procedure = whittle_get32(base + 20);
    const uint32_t reason = whittle_onc_read_caller(request, base + 24);
    if (reason != 0)
        whittle_onc_refuse_caller(request, reason);
    else
        whittle_onc_dispatch(request);
    return true;
}

WHITTLE_NET_HOT static void whittle_onc_request_close(struct whittle_onc_request *request, struct whittle_net_message *message)
{
    struct whittle_net_server *const net = &request->server->net;
    whittle_net_output_drop(net, &request->output);
    whittle_net_arena_close(&request->arena, &net->pool);
    whittle_net_buffer_give(&net->pool, message->buffer);
}

WHITTLE_NET_HOT bool whittle_onc_serve_message(struct whittle_onc_server *server, struct whittle_net_connection *connection, const void *datagram,
                               struct whittle_net_message *message)
{
    struct whittle_onc_request request;
    whittle_onc_request_open(&request, server, connection, datagram, message);
    const bool good = whittle_onc_request_read(&request, message->base);
    whittle_onc_request_close(&request, message);
    return good;
}

void whittle_onc_refuse_message(struct whittle_net_server *net, struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    struct whittle_onc_request request;
    whittle_onc_request_open(&request, (struct whittle_onc_server *)(void *)net, connection, NULL, message);
    if (message->end - message->base >= WHITTLE_ONC_CALL_HEADER && whittle_get32(message->base + 4) == WHITTLE_ONC_CALL) {
        request.xid = whittle_get32(message->base);
        whittle_onc_refuse(&request, WHITTLE_ONC_SYSTEM_ERROR);
    }
    whittle_onc_request_close(&request, message);
}

void *whittle_onc_arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_request *const request =
        (struct whittle_onc_request *)(void *)((char *)in - offsetof(struct whittle_onc_request, in));
    return whittle_net_arena_take(&request->arena, &request->server->net.pool, size, count, release != NULL);
}

void *whittle_onc_heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_request *const request =
        (struct whittle_onc_request *)(void *)((char *)in - offsetof(struct whittle_onc_request, in));
    (void)release;
    return whittle_net_arena_charge(&request->arena, &request->server->net.pool, size, count) ? malloc(size * count) : NULL;
}
