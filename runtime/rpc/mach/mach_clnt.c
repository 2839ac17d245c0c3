/* SPDX-License-Identifier: MIT-0 */
/* Clients: made of a port or of a name, asked, and destroyed. */
#include "mach_rpc_parts.h"
#include <errno.h>

#define WHITTLE_RPC_PATIENCES 16        /* most of them: beyond, calls have the next longer */

/* One more, which any number of threads may make at a time; NULL: `status` says why not. */
static struct whittle_rpc_patience *whittle_rpc_patience_new(struct whittle_rpc_client *own, uint32_t span, int *status)
{
    const struct whittle_mach_client_options options = {.timeout = span};
    struct whittle_rpc_patience *const added = (struct whittle_rpc_patience *)calloc(1, sizeof *added);
    *status = WHITTLE_MACH_NO_MEMORY;
    if (added != NULL)
        added->client = whittle_mach_client_open(own->port, &options, status);
    if (added == NULL || added->client == NULL) {
        free(added);
        return NULL;
    }
    added->span = span;
    added->next = __atomic_load_n(&own->patiences, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&own->patiences, &added->next, added, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        ;
    return added;
}

struct whittle_mach_client *whittle_rpc_client_within(struct whittle_rpc_client *own, uint32_t span)
{
    const struct whittle_rpc_patience *const all = __atomic_load_n(&own->patiences, __ATOMIC_ACQUIRE), *longer = all;
    int count = 0, status;
    for (const struct whittle_rpc_patience *each = all; each != NULL; each = each->next, count++) {
        if (each->span == span)
            return each->client;
        if (longer->span < span ? each->span > longer->span : each->span > span && each->span < longer->span)
            longer = each;
    }
    const struct whittle_rpc_patience *const added = count < WHITTLE_RPC_PATIENCES ? whittle_rpc_patience_new(own, span, &status) : NULL;
    return added != NULL ? added->client : longer->client;
}

CLIENT *clntmach_create(mach_port_t server, rpcprog_t program, rpcvers_t version)
{
    int status = WHITTLE_MACH_NO_MEMORY;
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)calloc(1, sizeof *own);
    if (own != NULL)
        own->port = server;
    if (own == NULL || whittle_rpc_patience_new(own, WHITTLE_RPC_PATIENCE, &status) == NULL) {
        const enum clnt_stat why = status == WHITTLE_MACH_BAD_PORT ? RPC_UNKNOWNADDR : RPC_SYSTEMERROR;
        const struct rpc_err error = {why, {why == RPC_SYSTEMERROR ? ENOMEM : 0}};
        whittle_rpc_not_created(why, &error);
        free(own);
        return NULL;
    }
    own->program = program;
    own->version = version;
    own->found = MACH_PORT_NULL;
    own->base.cl_auth = authnone_create();
    own->base.cl_netid = (char *)(uintptr_t)"mach";
    own->base.cl_private = own;
    return &own->base;
}

/* The time is that of calls: none is spent here. */
CLIENT *clnt_create_timed(const char *host, rpcprog_t program, rpcvers_t version, const char *network, const struct timeval *timeout)
{
    if (network == NULL || strcmp(network, "mach") != 0) {
        whittle_rpc_not_created(RPC_UNKNOWNPROTO, NULL);
        return NULL;
    }
    const mach_port_t port = host == NULL || rpc_mach_find == NULL ? MACH_PORT_NULL : rpc_mach_find(host, program, version);
    if (port == MACH_PORT_NULL) {
        whittle_rpc_not_created(RPC_UNKNOWNHOST, NULL);
        return NULL;
    }
    CLIENT *const client = clntmach_create(port, program, version);
    if (client == NULL) {
        (void)mach_port_deallocate(mach_task_self(), port);
        return NULL;
    }
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    own->found = port;
    own->has_patience = timeout != NULL;
    if (timeout != NULL)
        own->patience = *timeout;
    return client;
}

void clnt_destroy(CLIENT *client)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    while (own->patiences != NULL) {
        struct whittle_rpc_patience *const first = own->patiences;
        own->patiences = first->next;
        whittle_mach_client_close(first->client);
        free(first);
    }
    if (own->found != MACH_PORT_NULL)
        (void)mach_port_deallocate(mach_task_self(), own->found);
    free(own);
}

bool_t clnt_control(CLIENT *client, u_int what, void *with)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    switch (what) {
    case CLSET_TIMEOUT:
        own->patience = *(const struct timeval *)with;
        own->has_patience = true;
        return TRUE;
    case CLGET_TIMEOUT: *(struct timeval *)with = own->patience; return own->has_patience;
    case CLGET_VERS: *(uint32_t *)with = own->version; return TRUE;
    case CLSET_VERS: own->version = *(const uint32_t *)with; return TRUE;
    case CLGET_PROG: *(uint32_t *)with = own->program; return TRUE;
    case CLSET_PROG: own->program = *(const uint32_t *)with; return TRUE;
    default: return FALSE;
    }
}
