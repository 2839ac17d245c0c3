/* SPDX-License-Identifier: MIT-0 */
/* Clients: made, by the name of a host or over a socket; asked, and destroyed. */
#include "rpc_inner.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static struct whittle_rpc_client *whittle_rpc_client_new(const char *address, const struct whittle_onc_client_options *options, int *status)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)calloc(1, sizeof *own);
    *status = WHITTLE_ONC_NO_MEMORY;
    if (own == NULL)
        return NULL;
    own->client = whittle_onc_client_open(address, options, status);
    if (own->client == NULL) {
        free(own);
        return NULL;
    }
    pthread_mutex_init(&own->lock, NULL);
    own->theirs = -1;
    own->base.cl_auth = authnone_create();
    own->base.cl_private = own;
    own->base.cl_netid = (char *)(uintptr_t)(own->client->net.datagrams ? "udp" : own->client->address.local != NULL ? "shm" : own->client->address.transport == WHITTLE_NET_UNIX ? "unix" : "tcp");
    return own;
}

/* So that who made it hears at once that nobody is there. */
static int whittle_rpc_connect(struct whittle_rpc_client *own)
{
    struct whittle_onc_client *const client = own->client;
    const uint64_t now = whittle_net_now();
    const struct whittle_onc_call call = {.client = client,
                                          .net = {.deadline = client->timeout == 0 ? 0 : now + client->timeout, .epoch = __atomic_load_n(client->net.epochs, __ATOMIC_RELAXED)},
                                          .program = own->program, .version = own->version};
    pthread_mutex_lock(&client->net.writing);
    int status = whittle_onc_client_ready(client, &call, now);
    pthread_mutex_unlock(&client->net.writing);
    return status;
}

/* A copy of the user's socket, connected. */
static int whittle_rpc_take(struct whittle_rpc_client *own, int socket)
{
    own->theirs = socket;
    return whittle_onc_client_adopt(own->client, fcntl(socket, F_DUPFD_CLOEXEC, 0));
}

CLIENT *whittle_rpc_client_at(const char *address, uint32_t program, uint32_t version, const struct whittle_onc_client_options *options,
                              int socket)
{
    int status;
    struct whittle_rpc_client *const own = address == NULL ? NULL : whittle_rpc_client_new(address, options, &status);
    if (address == NULL)
        status = WHITTLE_ONC_NO_MEMORY;
    if (own != NULL) {
        own->program = program;
        own->version = version;
        status = socket >= 0 ? whittle_rpc_take(own, socket) : whittle_rpc_connect(own);
        if (status == WHITTLE_ONC_OK)
            return &own->base;
        clnt_destroy(&own->base);
    }
    struct rpc_err error;
    whittle_rpc_explain(status, NULL, &error);
    whittle_rpc_not_created(error.re_status, &error);
    return NULL;
}

void clnt_destroy(CLIENT *client)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    whittle_onc_client_close(own->client);
    if (own->ends_theirs && own->theirs >= 0)
        close(own->theirs);
    pthread_mutex_destroy(&own->lock);
    free(own);
}

static struct timeval whittle_rpc_time(uint64_t span)
{
    return (struct timeval){(time_t)(span / 1000000000u), (suseconds_t)(span % 1000000000u / 1000u)};
}

static bool whittle_rpc_peer(struct whittle_rpc_client *own)
{
    socklen_t size = sizeof own->peer;
    if (own->client->net.stream.fd < 0 || getpeername(own->client->net.stream.fd, (struct sockaddr *)&own->peer, &size) != 0)
        return false;
    own->peer_buffer = (struct netbuf){sizeof own->peer, size, &own->peer};
    return true;
}

static void whittle_rpc_set_retry(struct whittle_onc_client *client, const struct timeval *time)
{
    client->retransmit = (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
    client->net.short_deadlines = client->net.short_deadlines || (client->net.datagrams && client->retransmit != 0 && client->retransmit <= WHITTLE_NET_SLICE);
}

bool_t clnt_control(CLIENT *client, u_int what, void *with)
{
    struct whittle_rpc_client *const own = (struct whittle_rpc_client *)client->cl_private;
    switch (what) {
    case CLSET_TIMEOUT:
        own->patience = *(const struct timeval *)with;
        own->has_patience = true;
        return TRUE;
    case CLGET_TIMEOUT: *(struct timeval *)with = own->has_patience ? own->patience : whittle_rpc_time(own->client->timeout); return TRUE;
    case CLSET_RETRY_TIMEOUT:
        if (!own->client->net.datagrams)
            return FALSE;
        whittle_rpc_set_retry(own->client, (const struct timeval *)with);
        return TRUE;
    case CLGET_RETRY_TIMEOUT: *(struct timeval *)with = whittle_rpc_time(own->client->retransmit); return own->client->net.datagrams;
    case CLGET_SERVER_ADDR:
        if (!whittle_rpc_peer(own))
            return FALSE;
        memcpy(with, &own->peer, own->peer_buffer.len);
        return TRUE;
    case CLGET_SVC_ADDR:
        if (!whittle_rpc_peer(own))
            return FALSE;
        *(struct netbuf *)with = own->peer_buffer;
        return TRUE;
    case CLGET_FD: *(int *)with = own->theirs >= 0 ? own->theirs : own->client->net.stream.fd; return TRUE;
    case CLSET_FD_CLOSE: own->ends_theirs = true; return TRUE;
    case CLSET_FD_NCLOSE: own->ends_theirs = false; return own->theirs >= 0;
    case CLGET_XID: *(uint32_t *)with = __atomic_load_n(&own->client->xid, __ATOMIC_RELAXED); return TRUE;
    case CLSET_XID: __atomic_store_n(&own->client->xid, *(const uint32_t *)with, __ATOMIC_RELAXED); return TRUE;
    case CLGET_VERS: *(uint32_t *)with = own->version; return TRUE;
    case CLSET_VERS: own->version = *(const uint32_t *)with; return TRUE;
    case CLGET_PROG: *(uint32_t *)with = own->program; return TRUE;
    case CLSET_PROG: own->program = *(const uint32_t *)with; return TRUE;
    default: return FALSE;
    }
}
