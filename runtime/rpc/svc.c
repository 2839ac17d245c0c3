/* SPDX-License-Identifier: MIT-0 */
/* The process's server: what it listens at, and its programs. */
#include "rpc_inner.h"
#include "svc_inner.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct whittle_onc_server *whittle_rpc_server;
static struct whittle_rpc_program *whittle_rpc_programs, *whittle_rpc_forgotten;

/* Made by whoever needs it first. Before it runs one thread prepares it. */
static struct whittle_onc_server *whittle_rpc_server_get(void)
{
    const struct whittle_onc_server_options options = {.longest = 64 * 1024 * 1024};
    if (whittle_rpc_server != NULL)
        return whittle_rpc_server;
    struct whittle_onc_server *const server = whittle_onc_server_new(&options);
    if (server != NULL && !whittle_rpc_watch(server->net.poller.epoll)) {
        whittle_onc_server_free(server);
        return NULL;
    }
    __atomic_store_n(&whittle_rpc_server, server, __ATOMIC_RELEASE);
    return server;
}

struct whittle_onc_server *whittle_rpc_server_now(void)
{
    return __atomic_load_n(&whittle_rpc_server, __ATOMIC_ACQUIRE);
}

static const struct whittle_net_listener *whittle_rpc_last_listener(void)
{
    const struct whittle_net_listener *last = whittle_rpc_server->net.listeners;
    while (last->next != NULL)
        last = last->next;
    return last;
}

/* Of the place that was added last; NULL: no memory, or `status` is a failure. */
static SVCXPRT *whittle_rpc_transport_new(int status, int socket)
{
    struct whittle_rpc_transport *const own =
        status != WHITTLE_ONC_OK ? NULL : (struct whittle_rpc_transport *)calloc(1, sizeof *own);
    if (own == NULL)
        return NULL;
    const struct whittle_net_listener *const listener = whittle_rpc_last_listener();
    own->name = listener->name;
    own->base.xp_fd = socket >= 0 ? socket : listener->source.fd;
    own->base.xp_port = whittle_net_name_port(&own->name);
    own->base.xp_netid = (char *)(uintptr_t)whittle_rpc_network_of(listener);
    own->base.xp_ltaddr = (struct netbuf){sizeof own->name.storage, own->name.size, &own->name.storage};
    whittle_rpc_watch(own->base.xp_fd);     /* for programs that look for it; the loop does without */
    return &own->base;
}

/* At an address, or at the user's socket, of which the server has a copy. */
static SVCXPRT *whittle_rpc_listen(const char *address, int socket)
{
    struct whittle_onc_server *const server = whittle_rpc_server_get();
    if (server == NULL)
        return NULL;
    if (socket < 0)
        return whittle_rpc_transport_new(whittle_onc_server_listen(server, address), -1);
    const int copy = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    const int status = copy < 0 ? WHITTLE_ONC_CANNOT_LISTEN : whittle_onc_server_adopt(server, copy);
    if (status != WHITTLE_ONC_OK && copy >= 0)
        close(copy);
    return whittle_rpc_transport_new(status, socket);
}

SVCXPRT *svc_vc_create(int socket, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_listen("tcp://0.0.0.0", socket);
}

SVCXPRT *svc_dg_create(int socket, u_int send, u_int receive)
{
    (void)send;
    (void)receive;
    return whittle_rpc_listen("udp://0.0.0.0", socket);
}

SVCXPRT *svctcp_create(int socket, u_int send, u_int receive)
{
    return svc_vc_create(socket, send, receive);
}

SVCXPRT *svcudp_bufcreate(int socket, u_int send, u_int receive)
{
    return svc_dg_create(socket, send, receive);
}

SVCXPRT *svcudp_create(int socket)
{
    return svc_dg_create(socket, UDPMSGSIZE, UDPMSGSIZE);
}

/* The user's socket has a path already, or now this one. */
static bool whittle_rpc_path_bound(int socket, const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t size = sizeof name;
    if (getsockname(socket, (struct sockaddr *)&name, &size) != 0 || size > offsetof(struct sockaddr_un, sun_path))
        return true;    /* or it is none: then listening fails */
    const size_t length = strlen(path);
    if (length >= sizeof name.sun_path)
        return false;
    memcpy(name.sun_path, path, length);
    return bind(socket, (const struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1)) == 0;
}

SVCXPRT *svcunix_create(int socket, u_int send, u_int receive, char *path)
{
    char *address = NULL;
    (void)send;
    (void)receive;
    /* A path may begin as abstract names are written. */
    if (asprintf(&address, "unix:%s%s", path[0] == '@' ? "./" : "", path) < 0)
        return NULL;
    SVCXPRT *const transport =
        socket >= 0 && !whittle_rpc_path_bound(socket, path) ? NULL : whittle_rpc_listen(address, socket);
    free(address);
    return transport;
}

SVCXPRT *svc_fd_create(int connection, u_int send, u_int receive)
{
    struct whittle_onc_server *const server = whittle_rpc_server_get();
    struct whittle_rpc_transport *const own = (struct whittle_rpc_transport *)calloc(1, sizeof *own);
    const int copy = server == NULL || own == NULL ? -1 : fcntl(connection, F_DUPFD_CLOEXEC, 0);
    (void)send;
    (void)receive;
    if (copy < 0) {
        free(own);
        return NULL;
    }
    whittle_net_connection_open(&server->net, &whittle_net_sockets, copy, NULL);
    own->base.xp_fd = connection;
    return &own->base;
}

/* Where it listened it goes on listening: programs that want no more calls there end. That of a call is its connection's, which
   ends behind what was answered. */
void svc_destroy(SVCXPRT *transport)
{
    struct whittle_rpc_transport *const own = (struct whittle_rpc_transport *)(void *)transport;
    if (own->program == NULL) {
        whittle_rpc_unwatch(own->base.xp_fd);
        free(own);
    } else if (own->request->connection != NULL)
        shutdown(own->request->connection->source.fd, SHUT_RD);
}

/* A program is served once, over all that the process listens at. */
static bool whittle_rpc_serve(uint32_t program, uint32_t version, void (*dispatch)(struct svc_req *, SVCXPRT *))
{
    struct whittle_onc_server *const server = whittle_rpc_server_get();
    for (const struct whittle_rpc_program *each = whittle_rpc_programs; each != NULL; each = each->next)
        if (each->known.program == program && each->known.version == version)
            return each->dispatch == dispatch;
    struct whittle_rpc_program *const own = server == NULL ? NULL : (struct whittle_rpc_program *)calloc(1, sizeof *own);
    if (own == NULL)
        return false;
    own->known = (struct whittle_onc_program){program, version, whittle_rpc_dispatch};
    own->dispatch = dispatch;
    if (whittle_onc_serve(server, &own->known, NULL, own) != WHITTLE_ONC_OK) {
        free(own);
        return false;
    }
    own->next = whittle_rpc_programs;
    whittle_rpc_programs = own;
    return true;
}

bool_t svc_register(SVCXPRT *transport, u_long program, u_long version, void (*dispatch)(struct svc_req *, SVCXPRT *), int protocol)
{
    return whittle_rpc_serve((uint32_t)program, (uint32_t)version, dispatch)
        && (protocol == 0 || pmap_set(program, version, protocol, transport->xp_port));
}

bool_t svc_reg(SVCXPRT *transport, rpcprog_t program, rpcvers_t version, void (*dispatch)(struct svc_req *, SVCXPRT *),
               const struct netconfig *network)
{
    return whittle_rpc_serve(program, version, dispatch)
        && (network == NULL || whittle_rpc_bind(program, version, transport->xp_netid, transport->xp_port, true));
}

/* It is not called any more; who makes it forgotten may be serving a call of it. */
static void whittle_rpc_forget(uint32_t program, uint32_t version)
{
    for (struct whittle_rpc_program **place = &whittle_rpc_programs; *place != NULL; place = &(*place)->next) {
        struct whittle_rpc_program *const own = *place;
        if (own->known.program != program || own->known.version != version)
            continue;
        struct whittle_onc_service *const services = whittle_rpc_server->services;
        for (size_t index = 0; index < whittle_rpc_server->service_count; index++)
            if (services[index].program == &own->known) {
                services[index] = services[--whittle_rpc_server->service_count];
                break;
            }
        *place = own->next;
        own->next = whittle_rpc_forgotten;
        whittle_rpc_forgotten = own;
        return;
    }
}

void svc_unregister(u_long program, u_long version)
{
    pmap_unset(program, version);
    whittle_rpc_forget((uint32_t)program, (uint32_t)version);
}

void svc_unreg(rpcprog_t program, rpcvers_t version)
{
    static const char *const networks[] = {"tcp", "udp", "tcp6", "udp6"};
    for (size_t index = 0; index < sizeof networks / sizeof *networks; index++)
        whittle_rpc_bind(program, version, networks[index], 0, false);
    whittle_rpc_forget(program, version);
}

SVCXPRT *svcshm_create(const char *name)
{
    char *address = NULL;
    if (asprintf(&address, "shm:%s", name) < 0)
        return NULL;
    SVCXPRT *const transport = whittle_rpc_listen(address, -1);
    free(address);
    return transport;
}

/* Through shared memory, which rpcbind knows nothing of: by the program's number. */
static int whittle_rpc_create_local(void (*dispatch)(struct svc_req *, SVCXPRT *), uint32_t program, uint32_t version)
{
    char address[32];
    whittle_rpc_local_name(program, address, sizeof address);
    const struct whittle_onc_server *const server = whittle_rpc_server_get();
    const struct whittle_net_listener *each = server == NULL ? NULL : server->net.listeners;
    while (each != NULL && strcmp(each->text, address) != 0)    /* other versions of it are there already */
        each = each->next;
    return (each != NULL || whittle_rpc_listen(address, -1) != NULL) && whittle_rpc_serve(program, version, dispatch);
}

int svc_create(void (*dispatch)(struct svc_req *, SVCXPRT *), rpcprog_t program, rpcvers_t version, const char *networks)
{
    static const struct { const char *name, *address; } all[] = {
        {"udp", "udp://0.0.0.0"}, {"tcp", "tcp://0.0.0.0"}, {"udp6", "udp://[::]"}, {"tcp6", "tcp://[::]"}};
    const bool both = networks != NULL && strcmp(networks, "auto") == 0;
    const char *const wanted = networks == NULL ? "netpath" : both ? "tcp" : networks;
    int count = both || strcmp(wanted, "shm") == 0 ? whittle_rpc_create_local(dispatch, program, version) : 0;
    for (size_t index = 0; index < sizeof all / sizeof *all; index++) {
        const bool streams = all[index].name[0] == 't';
        const bool chosen = strcmp(wanted, all[index].name) == 0 || strcmp(wanted, "netpath") == 0 || strcmp(wanted, "visible") == 0
            || strncmp(wanted, streams ? "circuit_" : "datagram_", streams ? 8 : 9) == 0;
        SVCXPRT *const transport = chosen ? whittle_rpc_listen(all[index].address, -1) : NULL;
        if (transport == NULL || !whittle_rpc_serve(program, version, dispatch))
            continue;
        whittle_rpc_bind(program, version, all[index].name, 0, false);
        count += whittle_rpc_bind(program, version, all[index].name, transport->xp_port, true);
    }
    return count;
}

static void whittle_rpc_free_programs(struct whittle_rpc_program **programs)
{
    while (*programs != NULL) {
        struct whittle_rpc_program *const own = *programs;
        *programs = own->next;
        free(own);
    }
}

void whittle_rpc_forgotten_free(void)
{
    whittle_rpc_free_programs(&whittle_rpc_forgotten);
}

void whittle_rpc_server_end(void)
{
    struct whittle_onc_server *const server = whittle_rpc_server;
    __atomic_store_n(&whittle_rpc_server, NULL, __ATOMIC_RELEASE);
    whittle_rpc_unwatch_all();
    whittle_rpc_free_programs(&whittle_rpc_programs);
    whittle_rpc_forgotten_free();
    whittle_onc_server_free(server);
}

void svc_run(void)
{
    struct whittle_onc_server *const server = whittle_rpc_server_get();
    if (server == NULL || !whittle_rpc_begin_serving())
        return;
    whittle_onc_server_run(server);
    whittle_rpc_server_end();
    whittle_rpc_end_serving();
}

void svc_exit(void)
{
    struct whittle_onc_server *const server = whittle_rpc_server_now();
    __atomic_store_n(&svc_max_pollfd, 0, __ATOMIC_RELAXED);
    if (server != NULL)
        whittle_onc_server_stop(server);
}
