/* Over libtirpc: what the other run times have for clients and servers, in its words. One program each (PROGRAM, VERSION); with -DUDP by datagrams. */
#ifndef CARRIER_TIRPC_H
#define CARRIER_TIRPC_H
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CARRIER(name) whittle_tirpc_##name
typedef const char *server_address;
#define whittle_tirpc_client __rpc_client
#define whittle_tirpc_server __rpc_svcxprt
#define ADDRESS whittle_tirpc_server_address
#define OBJECT(address, ev) whittle_tirpc_object(whittle_tirpc_client_open(address, NULL, NULL), ev)
#define PORT(server) (unsigned)(server)->xp_port
#define NOBODY(ev) whittle_tirpc_object(NULL, ev)
#define REFERENCE "tcp://127.0.0.1:%u%.0s"
#define ZERO "\0"
#ifndef PROGRAM
#define PROGRAM EVERY_PROGRAM
#define VERSION EVERY_VERSION
#endif
enum {
    NO_MEMORY = -RPC_SYSTEMERROR,
    FAILED = -RPC_SYSTEMERROR,
    REFUSED = -RPC_AUTHERROR,
    NOT_THERE = -RPC_PROCUNAVAIL,
    UNWRITTEN = -RPC_SYSTEMERROR,
    CANNOT_MARSHAL = -RPC_CANTENCODEARGS,
    BAD_REQUEST = -RPC_CANTDECODEARGS,
    BAD_RESULTS = -RPC_CANTDECODERES
};

/* Kind and port of an address: "udp://127.0.0.1:4711". */
static inline CLIENT *whittle_tirpc_client_open(const char *address, const void *options, int *status)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int socket = RPC_ANYSOCK;
    (void)options;
    CLIENT *const client = strncmp(address, "udp", 3) == 0
                               ? clntudp_create(&to, PROGRAM, VERSION, (struct timeval){.tv_sec = 5}, &socket)
                               : clnttcp_create(&to, PROGRAM, VERSION, &socket, 0, 0);
    if (status != NULL)
        *status = client == NULL ? -(int)rpc_createerr.cf_stat : 0;
    return client;
}
static inline void whittle_tirpc_client_close(CLIENT *client)
{
    if (client != NULL)
        clnt_destroy(client);
}

static inline SVCXPRT *whittle_tirpc_server_new(const void *options)
{
    (void)options;
#ifdef UDP
    return svcudp_create(RPC_ANYSOCK);
#else
    return svctcp_create(RPC_ANYSOCK, 0, 0);
#endif
}
static inline int whittle_tirpc_server_listen(SVCXPRT *server, const char *address) { return (void)server, (void)address, 0; }
static inline const char *whittle_tirpc_server_address(const SVCXPRT *server, size_t index)
{
    static char address[60];
    (void)index;
#ifdef UDP
    snprintf(address, sizeof address, "udp://127.0.0.1:%d", (int)server->xp_port);
#else
    snprintf(address, sizeof address, "tcp://127.0.0.1:%d", (int)server->xp_port);
#endif
    return address;
}

/* svc_run is not to be ended by another thread. */
static int is_stopped;
static inline void whittle_tirpc_server_stop(SVCXPRT *server)
{
    (void)server;
    __atomic_store_n(&is_stopped, 1, __ATOMIC_RELEASE);
}
static inline int whittle_tirpc_server_run(SVCXPRT *server)
{
    (void)server;
    while (!__atomic_load_n(&is_stopped, __ATOMIC_ACQUIRE)) {
        struct pollfd ready[64];
        int const count = svc_max_pollfd < 64 ? svc_max_pollfd : 64;
        memcpy(ready, svc_pollfd, (size_t)count * sizeof *ready);
        int const some = poll(ready, (nfds_t)count, 20);
        if (some > 0)
            svc_getreq_poll(ready, some);
    }
    return 0;
}
static inline void whittle_tirpc_server_free(SVCXPRT *server)
{
    for (int i = 0; i < svc_max_pollfd; i++)
        if (svc_pollfd[i].fd >= 0 && svc_pollfd[i].fd != server->xp_fd) {
            struct pollfd gone = {svc_pollfd[i].fd, POLLIN, POLLIN};
            svc_getreq_poll(&gone, 1);  /* the client's end is there: its transport goes */
        }
    svc_destroy(server);
}
#endif
