/* SPDX-License-Identifier: MIT-0 */
/* libtirpc's ends: a server with sample.x's program in a process of its own, and clients of one socket. */
#ifndef TIRPC_H
#define TIRPC_H
#include "check.h"
#include <rpc/rpc.h>
#include <signal.h>
#include <unistd.h>

#define XDR_OF(routine) ((xdrproc_t)(void (*)(void))(routine))

struct pair {
    int left, right;
};
bool_t xdr_pair(XDR *xdr, struct pair *pair);

/* Where it listens: over TCP, over UDP, at a path. Whoever starts it kills it. */
struct theirs {
    pid_t process;
    char tcp[64], udp[64], local[110];
};
void theirs_open(struct theirs *theirs, const char *folder, void (*dispatch)(struct svc_req *request, SVCXPRT *transport));
void theirs_close(struct theirs *theirs);
/* What their server answers when it is to fail so. */
void theirs_fail(SVCXPRT *transport, int status);

CLIENT *client_of_theirs(const char *address, uint32_t program, uint32_t version);
#endif
