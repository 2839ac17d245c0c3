/* SPDX-License-Identifier: MIT-0 */
/* The functions that make clients: what they are given, as an address. */
#include "rpc_inner.h"
#include <errno.h>
#include <stdio.h>
#include <sys/un.h>
#include <unistd.h>

/* What a name stands for, in the order in which they are tried. */
struct whittle_rpc_network {
    const char *name, *schemes[2];      /* NULL: none */
};
static const struct whittle_rpc_network whittle_rpc_networks[] = {
    {"tcp", {"tcp"}}, {"tcp6", {"tcp"}}, {"circuit_v", {"tcp"}}, {"circuit_n", {"tcp"}}, {"udp", {"udp"}}, {"udp6", {"udp"}},
    {"datagram_v", {"udp"}}, {"datagram_n", {"udp"}}, {"shm", {"shm"}}, {"auto", {"shm", "tcp"}}, {"netpath", {"udp", "tcp"}}, {"visible", {"udp", "tcp"}}, {"", {"udp", "tcp"}}};

char *whittle_rpc_address(const char *scheme, const struct sockaddr *name, socklen_t size)
{
    struct whittle_net_name copy = {.size = (socklen_t)(size < sizeof copy.storage ? size : sizeof copy.storage)};
    memcpy(&copy.storage, name, copy.size);
    return whittle_net_address_text(strcmp(scheme, "udp") == 0 ? WHITTLE_NET_UDP : WHITTLE_NET_TCP, &copy);
}

/* Shared memory is this machine's; programs find each other by their numbers there. */
void whittle_rpc_local_name(uint32_t program, char *address, size_t room)
{
    snprintf(address, room, "shm:rpc-%u", (unsigned)program);
}

static bool whittle_rpc_is_this_machine(const char *host)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return host[0] == 0 || strcmp(host, "localhost") == 0 || strcmp(host, "127.0.0.1") == 0 || strcmp(host, "::1") == 0 || strcmp(host, own) == 0;
}

/* malloc's; NULL: no memory, or nobody can be called there in this way. */
static char *whittle_rpc_host_address(const char *scheme, const char *host, uint32_t program)
{
    char local[32], *address = NULL;
    const bool six = strchr(host, ':') != NULL;
    whittle_rpc_local_name(program, local, sizeof local);
    if (strcmp(scheme, "shm") == 0)
        return whittle_rpc_is_this_machine(host) ? strdup(local) : NULL;
    return asprintf(&address, "%s://%s%s%s", scheme, six ? "[" : "", host, six ? "]" : "") < 0 ? NULL : address;
}

/* Such a host is an address by itself. */
static bool whittle_rpc_is_address(const char *host)
{
    return strncmp(host, "shm:", 4) == 0 || strncmp(host, "auto:", 5) == 0;
}

CLIENT *clnt_create_timed(const char *host, rpcprog_t program, rpcvers_t version, const char *network, const struct timeval *timeout)
{
    const struct whittle_rpc_network *found = whittle_rpc_networks;
    const struct whittle_onc_client_options options = {
        .timeout = timeout == NULL ? 0 : (uint32_t)(timeout->tv_sec * 1000 + timeout->tv_usec / 1000)};
    while (network != NULL && found->name[0] != 0 && strcmp(found->name, network) != 0)
        found++;
    if (network != NULL && strcmp(found->name, network) != 0) {
        whittle_rpc_not_created(RPC_UNKNOWNPROTO, NULL);
        return NULL;
    }
    if (host == NULL) {
        whittle_rpc_not_created(RPC_UNKNOWNHOST, NULL);
        return NULL;
    }
    if (whittle_rpc_is_address(host))
        return whittle_rpc_client_at(host, program, version, &options, -1);
    CLIENT *client = NULL;
    for (int index = 0; client == NULL && index < 2 && found->schemes[index] != NULL; index++) {
        char *const address = whittle_rpc_host_address(found->schemes[index], host, program);
        const bool elsewhere = address == NULL && strcmp(found->schemes[index], "shm") == 0;
        if (elsewhere)
            whittle_rpc_not_created(RPC_UNKNOWNHOST, NULL);
        else
            client = whittle_rpc_client_at(address, program, version, &options, -1);
        free(address);
    }
    return client;
}

/* The user's socket goes where it is connected to, or is to be. */
static bool whittle_rpc_is_connected(int socket, const struct sockaddr *name, socklen_t size)
{
    struct sockaddr_storage peer;
    socklen_t there = sizeof peer;
    return getpeername(socket, (struct sockaddr *)&peer, &there) == 0 || connect(socket, name, size) == 0;
}

/* `*socket` is RPC_ANYSOCK: one is made, and returned. */
static CLIENT *whittle_rpc_create_at(const char *scheme, const struct sockaddr *name, socklen_t size, uint32_t program, uint32_t version,
                                     const struct whittle_onc_client_options *options, int *socket)
{
    if (*socket >= 0 && !whittle_rpc_is_connected(*socket, name, size)) {
        const struct rpc_err error = {RPC_SYSTEMERROR, {errno}};
        whittle_rpc_not_created(RPC_SYSTEMERROR, &error);
        return NULL;
    }
    char *const address = whittle_rpc_address(scheme, name, size);
    CLIENT *const client = whittle_rpc_client_at(address, program, version, options, *socket);
    free(address);
    if (client != NULL && *socket < 0)
        *socket = ((struct whittle_rpc_client *)client->cl_private)->client->net.stream.fd;
    return client;
}

CLIENT *clnttcp_create(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, int *socket, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_create_at("tcp", (const struct sockaddr *)address, sizeof *address, program, version, NULL, socket);
}

CLIENT *clntudp_bufcreate(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, struct timeval again, int *socket, u_int send,
                          u_int receive)
{
    (void)send;
    (void)receive;
    const struct whittle_onc_client_options options = {.retransmit = (uint32_t)(again.tv_sec * 1000 + again.tv_usec / 1000)};
    return whittle_rpc_create_at("udp", (const struct sockaddr *)address, sizeof *address, program, version, &options, socket);
}

CLIENT *clntudp_create(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, struct timeval again, int *socket)
{
    return clntudp_bufcreate(address, program, version, again, socket, UDPMSGSIZE, UDPMSGSIZE);
}

CLIENT *clntunix_create(struct sockaddr_un *address, rpcprog_t program, rpcvers_t version, int *socket, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_create_at("unix", (const struct sockaddr *)address, sizeof *address, program, version, NULL, socket);
}

static CLIENT *whittle_rpc_create_over(const char *scheme, int socket, const struct netbuf *address, uint32_t program, uint32_t version)
{
    const struct rpc_err error = {RPC_SYSTEMERROR, {EBADF}};
    if (socket >= 0 && address != NULL && address->buf != NULL)
        return whittle_rpc_create_at(scheme, (const struct sockaddr *)address->buf, address->len, program, version, NULL, &socket);
    whittle_rpc_not_created(RPC_SYSTEMERROR, &error);
    return NULL;
}

CLIENT *clnt_vc_create(int socket, const struct netbuf *address, rpcprog_t program, rpcvers_t version, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_create_over("tcp", socket, address, program, version);
}

CLIENT *clnt_dg_create(int socket, const struct netbuf *address, rpcprog_t program, rpcvers_t version, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_create_over("udp", socket, address, program, version);
}
