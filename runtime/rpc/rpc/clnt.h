/* SPDX-License-Identifier: MIT-0 */
/* Clients: calls to a program at a server. */
#ifndef WHITTLE_RPC_CLNT_H
#define WHITTLE_RPC_CLNT_H
#include "auth.h"
#include <sys/un.h>
#ifdef __cplusplus
extern "C" {
#endif

enum clnt_stat {
    RPC_SUCCESS = 0,
    RPC_CANTENCODEARGS = 1, RPC_CANTDECODERES = 2, RPC_CANTSEND = 3, RPC_CANTRECV = 4, RPC_TIMEDOUT = 5,
    RPC_VERSMISMATCH = 6, RPC_AUTHERROR = 7, RPC_PROGUNAVAIL = 8, RPC_PROGVERSMISMATCH = 9, RPC_PROCUNAVAIL = 10,
    RPC_CANTDECODEARGS = 11, RPC_SYSTEMERROR = 12,
    RPC_UNKNOWNHOST = 13, RPC_RPCBFAILURE = 14, RPC_PMAPFAILURE = 14, RPC_PROGNOTREGISTERED = 15, RPC_FAILED = 16,
    RPC_UNKNOWNPROTO = 17, RPC_INTR = 18, RPC_UNKNOWNADDR = 19, RPC_TLIERROR = 20
};

struct rpc_err {
    enum clnt_stat re_status;
    union {
        int RE_errno;
        enum auth_stat RE_why;
        struct { rpcvers_t low, high; } RE_vers;
    } ru;
};
#define re_errno ru.RE_errno
#define re_why ru.RE_why
#define re_vers ru.RE_vers

/* cl_auth may be set to another one, while no other thread calls. */
typedef struct CLIENT CLIENT;
struct CLIENT {
    AUTH *cl_auth;
    char *cl_netid, *cl_tp;
    void *cl_private;
};

/*
 * Networks: "tcp", "udp", "tcp6", "udp6", "unix", and their classes: "netpath", "visible", "circuit_v", "datagram_n", … Not libtirpc's
 * are "shm", to this machine through shared memory, "auto", which is "shm" where such a server is here and "tcp" otherwise, and hosts
 * that are addresses: "shm:NAME", "auto:NAME@HOST:PORT".
 */
CLIENT *clnt_create(const char *host, rpcprog_t program, rpcvers_t version, const char *network);
CLIENT *clnt_create_timed(const char *host, rpcprog_t program, rpcvers_t version, const char *network, const struct timeval *timeout);
/* The newest version that both have. */
CLIENT *clnt_create_vers(const char *host, rpcprog_t program, rpcvers_t *version, rpcvers_t low, rpcvers_t high, const char *network);
/* At an address; port 0: rpcbind is asked. *socket is RPC_ANYSOCK, or a socket to use. Sizes of buffers are taken and not used. */
#define RPC_ANYSOCK (-1)
#define RPC_ANYFD (-1)
#define UDPMSGSIZE 8800
CLIENT *clnttcp_create(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, int *socket, u_int send, u_int receive);
CLIENT *clntudp_create(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, struct timeval again, int *socket);
CLIENT *clntudp_bufcreate(struct sockaddr_in *address, rpcprog_t program, rpcvers_t version, struct timeval again, int *socket, u_int send,
                          u_int receive);
CLIENT *clntunix_create(struct sockaddr_un *address, rpcprog_t program, rpcvers_t version, int *socket, u_int send, u_int receive);
/* Over a socket: a connected one, or one for datagrams. */
CLIENT *clnt_vc_create(int socket, const struct netbuf *address, rpcprog_t program, rpcvers_t version, u_int send, u_int receive);
CLIENT *clnt_dg_create(int socket, const struct netbuf *address, rpcprog_t program, rpcvers_t version, u_int send, u_int receive);

/* Without patience and without a routine for results: sent with what follows it, and no reply is waited for. */
enum clnt_stat clnt_call(CLIENT *client, rpcproc_t procedure, xdrproc_t arguments, void *from, xdrproc_t results, void *to,
                         struct timeval patience);
void clnt_geterr(CLIENT *client, struct rpc_err *error);
bool_t clnt_freeres(CLIENT *client, xdrproc_t results, void *from);
bool_t clnt_control(CLIENT *client, u_int what, void *with);
void clnt_abort(CLIENT *client);        /* calls under way fail, soon */
void clnt_destroy(CLIENT *client);
#define CLNT_CALL clnt_call
#define CLNT_GETERR clnt_geterr
#define CLNT_FREERES clnt_freeres
#define CLNT_CONTROL clnt_control
#define CLNT_DESTROY clnt_destroy

/* Of clnt_control: what `with` points to. */
enum {
    CLSET_TIMEOUT = 1, CLGET_TIMEOUT = 2,               /* struct timeval: instead of what calls say */
    CLGET_SERVER_ADDR = 3,                              /* struct sockaddr_in or the like */
    CLSET_RETRY_TIMEOUT = 4, CLGET_RETRY_TIMEOUT = 5,   /* struct timeval: after which a datagram is sent again */
    CLGET_FD = 6,                                       /* int; -1 where there is none yet */
    CLGET_SVC_ADDR = 7,                                 /* struct netbuf, which points into the client */
    CLSET_FD_CLOSE = 8, CLSET_FD_NCLOSE = 9,            /* whether the socket is closed with the client */
    CLGET_XID = 10, CLSET_XID = 11, CLGET_VERS = 12, CLSET_VERS = 13, CLGET_PROG = 14, CLSET_PROG = 15  /* uint32_t */
};

/* The last failure of a create function in this thread. */
struct rpc_createerr {
    enum clnt_stat cf_stat;
    struct rpc_err cf_error;
};
typedef struct rpc_createerr whittle_rpc_creation;
whittle_rpc_creation *whittle_rpc_createerr(void);
#define rpc_createerr (*whittle_rpc_createerr())
#define get_rpc_createerr() (*whittle_rpc_createerr())

/* Failures in words: on standard error, or as a text that lives until the next one of this thread. */
void clnt_perror(CLIENT *client, const char *about);
char *clnt_sperror(CLIENT *client, const char *about);
void clnt_pcreateerror(const char *about);
char *clnt_spcreateerror(const char *about);
void clnt_perrno(enum clnt_stat status);
char *clnt_sperrno(enum clnt_stat status);

/* A call by itself: a client that is made for it. */
enum clnt_stat rpc_call(const char *host, rpcprog_t program, rpcvers_t version, rpcproc_t procedure, xdrproc_t arguments, const char *from,
                        xdrproc_t results, char *to, const char *network);
int callrpc(const char *host, int program, int version, int procedure, xdrproc_t arguments, char *from, xdrproc_t results, char *to);
#ifdef __cplusplus
}
#endif
#endif
