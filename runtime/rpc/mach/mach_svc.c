/* SPDX-License-Identifier: MIT-0 */
/* Servers: programs, and the ports that they are called at. One thread serves. */
#include "mach_rpc_parts.h"

static struct whittle_mach_server *whittle_rpc_server;
static struct whittle_rpc_program *whittle_rpc_programs, *whittle_rpc_forgotten;
static size_t whittle_rpc_places;
static SVCXPRT *whittle_rpc_own_place;      /* svc_create's, for all programs */

/* Nobody serves it: the program has other versions, or is not here. */
static void whittle_rpc_mach_unserved(const SVCXPRT *transport, uint32_t program)
{
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (const struct whittle_rpc_program *each = whittle_rpc_programs; each != NULL; each = each->next)
        if (each->program == program) {
            lowest = each->version < lowest ? each->version : lowest;
            highest = each->version > highest ? each->version : highest;
        }
    if (lowest > highest)
        svcerr_noprog((SVCXPRT *)(uintptr_t)transport);
    else
        svcerr_progvers((SVCXPRT *)(uintptr_t)transport, lowest, highest);
}

static void whittle_rpc_free_programs(struct whittle_rpc_program **programs)
{
    while (*programs != NULL) {
        struct whittle_rpc_program *const own = *programs;
        *programs = own->next;
        free(own);
    }
}

static void whittle_rpc_mach_dispatch(const void *operations, void *context, struct whittle_mach_request *request)
{
    (void)operations;
    (void)context;
    if (request->id != WHITTLE_RPC_MACH_ID) {
        whittle_mach_unknown(request);
        return;
    }
    if ((size_t)(request->in.end - request->at) < WHITTLE_RPC_MACH_HEAD) {
        whittle_mach_garbage(request);
        return;
    }
    const uint32_t program = whittle_rpc_mach_word(request->at, 0), version = whittle_rpc_mach_word(request->at, 1);
    struct whittle_rpc_program *found = whittle_rpc_programs;
    while (found != NULL && (found->program != program || found->version != version))
        found = found->next;
    struct whittle_rpc_transport transport;
    memset(&transport, 0, sizeof transport);
    transport.base.xp_fd = -1;
    transport.base.xp_netid = (char *)(uintptr_t)"mach";
    transport.program = found;
    transport.request = request;
    struct svc_req called = {program, version, whittle_rpc_mach_word(request->at, 2), {AUTH_NONE, NULL, 0}, NULL, &transport.base};
    if (found == NULL)
        whittle_rpc_mach_unserved(&transport.base, program);
    else
        found->dispatch(&called, &transport.base);
    whittle_rpc_free_programs(&whittle_rpc_forgotten);
}

/* Made by whoever needs it first. */
static struct whittle_mach_server *whittle_rpc_server_get(void)
{
    static const struct whittle_mach_server_options options = {.longest = 64 << 20};
    if (whittle_rpc_server == NULL)
        whittle_rpc_server = whittle_mach_server_new(&options);
    return whittle_rpc_server;
}

SVCXPRT *svcmach_create(mach_port_t port)
{
    static const struct whittle_mach_interface all = {whittle_rpc_mach_dispatch, false};
    struct whittle_mach_server *const server = whittle_rpc_server_get();
    struct whittle_rpc_transport *const own = server == NULL ? NULL : (struct whittle_rpc_transport *)calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    whittle_mach_server_use(server, port);
    if (whittle_mach_serve(server, &all, NULL, NULL) != WHITTLE_MACH_OK) {
        whittle_mach_server_use(server, MACH_PORT_NULL);
        free(own);
        return NULL;
    }
    own->base.xp_fd = -1;
    own->base.xp_netid = (char *)(uintptr_t)"mach";
    own->port = whittle_mach_server_port(server, whittle_rpc_places++);
    return &own->base;
}

mach_port_t svcmach_port(const SVCXPRT *transport)
{
    return whittle_rpc_own(transport)->port;
}

/* Where it served it goes on serving, until svc_run returns. */
void svc_destroy(SVCXPRT *transport)
{
    if (whittle_rpc_own(transport)->request == NULL)
        free(transport);
}

/* A program is served once, at all the process's ports. */
static bool whittle_rpc_serve(uint32_t program, uint32_t version, void (*dispatch)(struct svc_req *, SVCXPRT *))
{
    for (const struct whittle_rpc_program *each = whittle_rpc_programs; each != NULL; each = each->next)
        if (each->program == program && each->version == version)
            return each->dispatch == dispatch;
    struct whittle_rpc_program *const own = (struct whittle_rpc_program *)calloc(1, sizeof *own);
    if (own == NULL)
        return false;
    *own = (struct whittle_rpc_program){program, version, dispatch, 0, whittle_rpc_programs};
    whittle_rpc_programs = own;
    return true;
}

/* No port mapper knows ports of Mach's: there is nobody to register with. */
bool_t svc_register(SVCXPRT *transport, u_long program, u_long version, void (*dispatch)(struct svc_req *, SVCXPRT *), int protocol)
{
    (void)transport;
    return protocol == 0 && whittle_rpc_serve((uint32_t)program, (uint32_t)version, dispatch);
}

bool_t svc_reg(SVCXPRT *transport, rpcprog_t program, rpcvers_t version, void (*dispatch)(struct svc_req *, SVCXPRT *), const struct netconfig *network)
{
    (void)transport;
    return network == NULL && whittle_rpc_serve(program, version, dispatch);
}

int svc_create(void (*dispatch)(struct svc_req *, SVCXPRT *), rpcprog_t program, rpcvers_t version, const char *networks)
{
    if (networks == NULL || strcmp(networks, "mach") != 0 || rpc_mach_offer == NULL)
        return 0;
    if (whittle_rpc_own_place == NULL)
        whittle_rpc_own_place = svcmach_create(MACH_PORT_NULL);
    return whittle_rpc_own_place != NULL && whittle_rpc_serve(program, version, dispatch)
        && rpc_mach_offer(svcmach_port(whittle_rpc_own_place), program, version);
}

/* It is not called any more; who makes it forgotten may be serving a call of it. */
void svc_unreg(rpcprog_t program, rpcvers_t version)
{
    for (struct whittle_rpc_program **place = &whittle_rpc_programs; *place != NULL; place = &(*place)->next) {
        struct whittle_rpc_program *const own = *place;
        if (own->program == program && own->version == version) {
            *place = own->next;
            own->next = whittle_rpc_forgotten;
            whittle_rpc_forgotten = own;
            return;
        }
    }
}

void svc_unregister(u_long program, u_long version)
{
    svc_unreg((rpcprog_t)program, (rpcvers_t)version);
}

/* What the process serves ends with it. */
void svc_run(void)
{
    struct whittle_mach_server *const server = whittle_rpc_server_get();
    if (server == NULL)
        return;
    (void)whittle_mach_server_run(server);
    free(whittle_rpc_own_place);
    whittle_rpc_own_place = NULL;
    whittle_rpc_places = 0;
    whittle_rpc_free_programs(&whittle_rpc_programs);
    whittle_rpc_server = NULL;
    whittle_mach_server_free(server);
}

void svc_exit(void)
{
    if (whittle_rpc_server != NULL)
        whittle_mach_server_stop(whittle_rpc_server);
}
