/* SPDX-License-Identifier: MIT-0 */
/* libtirpc's ends: tirpc.h. */
#include "tirpc.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

bool_t xdr_pair(XDR *xdr, struct pair *pair)
{
    return xdr_int(xdr, &pair->left) && xdr_int(xdr, &pair->right);
}

static int bound(int type, uint16_t *port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    const int fd = socket(AF_INET, type, 0);
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)&name, sizeof name) == 0 && getsockname(fd, (struct sockaddr *)&name, &size) == 0);
    CHECK(type != SOCK_STREAM || listen(fd, 5) == 0);
    *port = ntohs(name.sin_port);
    return fd;
}

static int bound_local(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    unlink(path);
    CHECK(bind(fd, (struct sockaddr *)&name, sizeof name) == 0 && listen(fd, 5) == 0);
    return fd;
}

void theirs_open(struct theirs *theirs, const char *folder, void (*dispatch)(struct svc_req *request, SVCXPRT *transport))
{
    uint16_t ports[2];
    snprintf(theirs->local, sizeof theirs->local, "unix:%s/tirpc-%d.sock", folder, (int)getpid());
    const int tcp = bound(SOCK_STREAM, &ports[0]), udp = bound(SOCK_DGRAM, &ports[1]), local = bound_local(theirs->local + 5);
    snprintf(theirs->tcp, sizeof theirs->tcp, "tcp://127.0.0.1:%u", ports[0]);
    snprintf(theirs->udp, sizeof theirs->udp, "udp://127.0.0.1:%u", ports[1]);
    theirs->process = fork();
    if (theirs->process != 0) {
        close(tcp);
        close(udp);
        close(local);
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    SVCXPRT *const all[3] = {svc_vc_create(tcp, 0, 0), svc_dg_create(udp, 0, 0), svc_vc_create(local, 0, 0)};
    for (int index = 0; index < 3; index++)
        CHECK(all[index] != NULL && svc_reg(all[index], SAMPLE_PROGRAM, SAMPLE_ONE, dispatch, NULL));
    svc_run();
    _exit(0);
}

void theirs_close(struct theirs *theirs)
{
    kill(theirs->process, SIGKILL);
    unlink(theirs->local + 5);
}

/* libtirpc has no function for it, but what sends it. */
static void refuse_version(SVCXPRT *transport)
{
    struct rpc_msg reply = {.rm_direction = REPLY};
    reply.rm_reply.rp_stat = MSG_DENIED;
    reply.rjcted_rply.rj_stat = RPC_MISMATCH;
    reply.rjcted_rply.rj_vers.low = 4;
    reply.rjcted_rply.rj_vers.high = 7;
    SVC_REPLY(transport, &reply);
}

void theirs_fail(SVCXPRT *transport, int status)
{
    switch (status) {
    case WHITTLE_ONC_RPC_MISMATCH: refuse_version(transport); break;
    case WHITTLE_ONC_PROGRAM_UNAVAILABLE: svcerr_noprog(transport); break;
    case WHITTLE_ONC_PROGRAM_MISMATCH: svcerr_progvers(transport, 3, 5); break;
    case WHITTLE_ONC_PROCEDURE_UNAVAILABLE: svcerr_noproc(transport); break;
    case WHITTLE_ONC_GARBAGE_ARGUMENTS: svcerr_decode(transport); break;
    case WHITTLE_ONC_SYSTEM_ERROR: svcerr_systemerr(transport); break;
    default: svcerr_auth(transport, (enum auth_stat)(WHITTLE_ONC_AUTH_FAILED_SO - status)); break;
    }
}

CLIENT *client_of_theirs(const char *address, uint32_t program, uint32_t version)
{
    union { struct sockaddr any; struct sockaddr_in four; struct sockaddr_un local; } name = {.any.sa_family = AF_UNIX};
    socklen_t size = sizeof name.local;
    const bool datagrams = strncmp(address, "udp", 3) == 0;
    if (strncmp(address, "unix:", 5) == 0) {
        snprintf(name.local.sun_path, sizeof name.local.sun_path, "%s", address + 5);
    } else {
        name.four = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                         .sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1))};
        size = sizeof name.four;
    }
    const int fd = socket(name.any.sa_family, datagrams ? SOCK_DGRAM : SOCK_STREAM, 0);
    struct netbuf buffer = {size, size, &name};
    CHECK(fd >= 0 && (datagrams || connect(fd, &name.any, size) == 0));
    CLIENT *const client = datagrams ? clnt_dg_create(fd, &buffer, program, version, 0, 0) : clnt_vc_create(fd, &buffer, program, version, 0, 0);
    CHECK(client != NULL);
    clnt_control(client, CLSET_FD_CLOSE, NULL);
    return client;
}
