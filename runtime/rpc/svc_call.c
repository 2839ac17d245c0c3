/* SPDX-License-Identifier: MIT-0 */
/* A call as a dispatch of rpcgen's sees it: its arguments decoded where they arrived, its results encoded straight into the reply. */
#include "svc_inner.h"

const char *whittle_rpc_network_of(const struct whittle_net_listener *listener)
{
    const bool six = listener->name.storage.ss_family == AF_INET6;
    if (listener->ops == &whittle_net_memory_ops)
        return "shm";
    return listener->transport == WHITTLE_NET_UNIX ? "unix" : listener->transport == WHITTLE_NET_UDP ? six ? "udp6" : "udp" : six ? "tcp6" : "tcp";
}

/* Who calls, as AUTH_SYS says. */
static void whittle_rpc_parms(const struct whittle_onc_identity *identity, struct authsys_parms *parms, gid_t *groups)
{
    for (uint32_t index = 0; index < identity->group_count; index++)
        groups[index] = (gid_t)identity->groups[index];
    *parms = (struct authsys_parms){
        identity->stamp, (char *)(uintptr_t)identity->machine, (uid_t)identity->uid, (gid_t)identity->gid, identity->group_count, groups};
}

static void whittle_rpc_caller(struct whittle_rpc_transport *transport, const struct whittle_onc_caller *caller)
{
    SVCXPRT *const base = &transport->base;
    const size_t size = caller->address == NULL ? 0 : caller->address_size;
    if (size != 0)
        memcpy(&transport->name.storage, caller->address, size);
    else
        transport->name.storage.ss_family = AF_UNSPEC;
    memcpy(&base->xp_raddr, &transport->name.storage, sizeof base->xp_raddr);
    base->xp_addrlen = (int)(size < sizeof base->xp_raddr ? size : sizeof base->xp_raddr);
    base->xp_rtaddr = (struct netbuf){sizeof transport->name.storage, (unsigned)size, &transport->name.storage};
    base->xp_netid = (char *)(uintptr_t)(caller->datagram ? "udp" : "tcp");
}

void whittle_rpc_dispatch(const void *operations, void *context, struct whittle_onc_request *request)
{
    struct whittle_rpc_program *const program = (struct whittle_rpc_program *)context;
    const struct whittle_onc_caller *const caller = whittle_onc_caller();
    struct whittle_rpc_transport transport;
    struct authsys_parms parms;
    gid_t groups[NGRPS];
    (void)operations;
    memset(&transport.base, 0, sizeof transport.base);
    transport.program = program;
    transport.request = request;
    transport.base.xp_fd = request->connection == NULL ? -1 : request->connection->source.fd;
    whittle_rpc_caller(&transport, caller);
    struct svc_req called = {
        caller->program, caller->version, caller->procedure,
        {(enum_t)caller->flavor, (caddr_t)(uintptr_t)caller->credential, caller->credential_size}, NULL, &transport.base};
    if (caller->flavor == AUTH_SYS) {
        whittle_rpc_parms(&caller->identity, &parms, groups);
        called.rq_clntcred = &parms;
    }
    program->dispatch(&called, &transport.base);
    whittle_rpc_forgotten_free();
}

/* NULL: no call is served over it. */
static struct whittle_onc_request *whittle_rpc_request(const SVCXPRT *transport)
{
    return ((const struct whittle_rpc_transport *)(const void *)transport)->request;
}

/* Arguments count towards the server's memory until the call is over. */
static bool whittle_rpc_request_charge(void *whose, size_t size)
{
    struct whittle_onc_request *const request = (struct whittle_onc_request *)whose;
    return whittle_net_arena_charge(&request->arena, &request->server->net.pool, size, 1);
}

bool_t svc_getargs(SVCXPRT *transport, xdrproc_t arguments, void *to)
{
    struct whittle_onc_request *const request = whittle_rpc_request(transport);
    const struct whittle_rpc_account account = {whittle_rpc_request_charge, request};
    return request != NULL && whittle_rpc_read(request->at, request->in.end, &account, arguments, to);
}

bool_t svc_freeargs(SVCXPRT *transport, xdrproc_t arguments, void *from)
{
    (void)transport;
    XDR xdrs = {XDR_FREE, NULL, NULL, NULL, NULL, 0, NULL};
    return whittle_rpc_apply(arguments, &xdrs, from);
}

bool_t svc_sendreply(SVCXPRT *transport, xdrproc_t results, void *from)
{
    struct whittle_rpc_transport *const own = (struct whittle_rpc_transport *)(void *)transport;
    struct whittle_onc_request *const request = own->request;
    if (request == NULL || request->answered)
        return FALSE;
    /* A datagram has no room for what connections may have carried. */
    size_t *const usual = request->connection == NULL ? NULL : &own->program->usual;
    char *const at = whittle_rpc_write(&request->out, whittle_onc_reply(request), results, from, usual);
    if (at != NULL)
        whittle_onc_answer(request, at);
    return at != NULL;
}

struct netbuf *svc_getrpccaller(const SVCXPRT *transport)
{
    return (struct netbuf *)(uintptr_t)&transport->xp_rtaddr;
}

struct sockaddr_in *svc_getcaller(const SVCXPRT *transport)
{
    return (struct sockaddr_in *)(uintptr_t)&transport->xp_raddr;
}

void svcerr_decode(SVCXPRT *transport)
{
    whittle_onc_garbage(whittle_rpc_request(transport));
}

void svcerr_noproc(SVCXPRT *transport)
{
    whittle_onc_unknown(whittle_rpc_request(transport));
}

void svcerr_systemerr(SVCXPRT *transport)
{
    whittle_onc_refuse(whittle_rpc_request(transport), WHITTLE_ONC_SYSTEM_ERROR);
}

void svcerr_auth(SVCXPRT *transport, enum auth_stat why)
{
    whittle_onc_refuse_caller(whittle_rpc_request(transport), (uint32_t)why);
}

void svcerr_weakauth(SVCXPRT *transport)
{
    svcerr_auth(transport, AUTH_TOOWEAK);
}

void svcerr_noprog(SVCXPRT *transport)
{
    whittle_onc_refuse(whittle_rpc_request(transport), WHITTLE_ONC_PROGRAM_UNAVAILABLE);
}

void svcerr_progvers(SVCXPRT *transport, rpcvers_t lowest, rpcvers_t highest)
{
    whittle_onc_refuse_versions(whittle_rpc_request(transport), true, lowest, highest);
}
