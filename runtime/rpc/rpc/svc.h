/* SPDX-License-Identifier: MIT-0 */
/* Servers: programs, what they are called over, and the loop that serves. There is one server in a process. */
#ifndef WHITTLE_RPC_SVC_H
#define WHITTLE_RPC_SVC_H
#include "auth.h"
#include <poll.h>
#include <sys/select.h>
#ifdef __cplusplus
extern "C" {
#endif

/* What a server listens at; and, while a call is served, how it is answered: it ends with the dispatch. */
typedef struct SVCXPRT SVCXPRT;
struct SVCXPRT {
    int xp_fd;
    u_short xp_port;                    /* that it listens at */
    char *xp_netid;
    struct netbuf xp_ltaddr, xp_rtaddr; /* this end's address, the caller's */
    struct sockaddr_in6 xp_raddr;       /* the caller's; of IPv4, as a sockaddr_in */
    int xp_addrlen;
    struct opaque_auth xp_verf;
    void *xp_p1;                        /* the run time's */
};

struct svc_req {
    rpcprog_t rq_prog;
    rpcvers_t rq_vers;
    rpcproc_t rq_proc;
    struct opaque_auth rq_cred;         /* as it came */
    void *rq_clntcred;                  /* of AUTH_SYS: a struct authsys_parms */
    SVCXPRT *rq_xprt;
};
#define NULLPROC ((rpcproc_t)0)

/* Sockets: RPC_ANYSOCK, or one to use. Sizes of buffers are taken and not used. */
SVCXPRT *svctcp_create(int socket, u_int send, u_int receive);
SVCXPRT *svcudp_create(int socket);
SVCXPRT *svcudp_bufcreate(int socket, u_int send, u_int receive);
SVCXPRT *svcunix_create(int socket, u_int send, u_int receive, char *path);
/* Through shared memory, for processes of this user on this machine: who calls gives `shm:NAME` as the host (not libtirpc's). */
SVCXPRT *svcshm_create(const char *name);
SVCXPRT *svc_vc_create(int socket, u_int send, u_int receive);
SVCXPRT *svc_dg_create(int socket, u_int send, u_int receive);
SVCXPRT *svc_fd_create(int connection, u_int send, u_int receive);
#define svcfd_create svc_fd_create
void svc_destroy(SVCXPRT *transport);
#define SVC_DESTROY svc_destroy

/* A program that `dispatch` serves. Protocol IPPROTO_TCP or IPPROTO_UDP: it is registered with rpcbind; 0: it is not. */
bool_t svc_register(SVCXPRT *transport, u_long program, u_long version, void (*dispatch)(struct svc_req *, SVCXPRT *), int protocol);
void svc_unregister(u_long program, u_long version);
struct netconfig;
/* It is registered with rpcbind where there is a network's entry; these headers make none: pass NULL, or use svc_create. */
bool_t svc_reg(SVCXPRT *transport, rpcprog_t program, rpcvers_t version, void (*dispatch)(struct svc_req *, SVCXPRT *),
               const struct netconfig *network);
void svc_unreg(rpcprog_t program, rpcvers_t version);
/* Over all networks of a class, known to rpcbind; how many there are. "shm": through shared memory, by the program's number; "auto": and by TCP. */
int svc_create(void (*dispatch)(struct svc_req *, SVCXPRT *), rpcprog_t program, rpcvers_t version, const char *networks);

/*
 * Instead of svc_run, a loop of the program's own: it waits for these descriptors beside others, and then calls one of these functions, which
 * serve what has come, without waiting. They read what they are given no further than that. One descriptor stands for all connections. What is
 * beyond FD_SETSIZE is in svc_pollfd only. Called by a dispatch they do nothing.
 */
extern fd_set svc_fdset;
extern int svc_maxfd;                   /* the highest of them; -1: none */
extern struct pollfd *svc_pollfd;
extern int svc_max_pollfd;              /* how many; 0 after svc_exit */
void svc_getreqset(fd_set *ready);
void svc_getreq(int ready);
void svc_getreq_common(int fd);
void svc_getreq_poll(struct pollfd *ready, int count);

void svc_run(void);
void svc_exit(void);                    /* any thread may, and a signal's handler */

/* While a call is served. */
bool_t svc_getargs(SVCXPRT *transport, xdrproc_t arguments, void *to);
bool_t svc_freeargs(SVCXPRT *transport, xdrproc_t arguments, void *from);
bool_t svc_sendreply(SVCXPRT *transport, xdrproc_t results, void *from);
struct netbuf *svc_getrpccaller(const SVCXPRT *transport);
struct sockaddr_in *svc_getcaller(const SVCXPRT *transport);
#define SVC_GETARGS svc_getargs
#define SVC_FREEARGS svc_freeargs
/* Instead of results. */
void svcerr_decode(SVCXPRT *transport);
void svcerr_noproc(SVCXPRT *transport);
void svcerr_systemerr(SVCXPRT *transport);
void svcerr_auth(SVCXPRT *transport, enum auth_stat why);
void svcerr_weakauth(SVCXPRT *transport);
void svcerr_noprog(SVCXPRT *transport);
void svcerr_progvers(SVCXPRT *transport, rpcvers_t lowest, rpcvers_t highest);
#ifdef __cplusplus
}
#endif
#endif
