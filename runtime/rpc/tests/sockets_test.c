/* Unix sockets; who calls, found anew; and what a dispatch does to the server that called it. */
#include <rpc/rpc.h>
#include "check.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM = 0x20001235, OTHER = 0x20001236, VERSION = 1, WHO = 1, HANG_UP = 2, FORGET = 3, STOP = 4 };
static const struct timeval patience = {10, 0};
#define ROUTINE(function) ((xdrproc_t)(void (*)(void))(function))

/* What is freed is given to whoever asks next, as it is without a sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}

static bool_t nothing(XDR *xdrs, void *value)
{
    (void)xdrs;
    (void)value;
    return TRUE;
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    int uid = -1;
    switch (request->rq_proc) {
    case NULLPROC: CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL)); return;
    case WHO:
        if (request->rq_cred.oa_flavor == AUTH_SYS)
            uid = (int)((const struct authsys_parms *)request->rq_clntcred)->aup_uid;
        CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &uid));
        return;
    case HANG_UP:
        CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL));
        svc_destroy(transport);
        return;
    case FORGET:
        svc_unreg(request->rq_prog, request->rq_vers);
        CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL));
        return;
    case STOP:
        CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL));
        svc_exit();
        return;
    default: svcerr_noproc(transport);
    }
}

/* In a process of its own; when this returns it listens. */
static pid_t serve(char *path, bool own)
{
    int ready[2];
    char byte = 0;
    CHECK(pipe(ready) == 0);
    const pid_t server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        SVCXPRT *const transport = svcunix_create(own ? socket(AF_UNIX, SOCK_STREAM, 0) : RPC_ANYSOCK, 0, 0, path);
        CHECK(transport != NULL && svc_register(transport, PROGRAM, VERSION, dispatch, 0));
        CHECK(svc_register(transport, OTHER, VERSION, dispatch, 0) && write(ready[1], &byte, 1) == 1);
        svc_run();
        svc_destroy(transport);
        exit(0);
    }
    CHECK(server > 0 && read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    close(ready[1]);
    return server;
}

static void ends(pid_t server)
{
    int status;
    CHECK(waitpid(server, &status, 0) == server && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static CLIENT *client_of(const char *path, u_long program)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = RPC_ANYSOCK;
    CHECK(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path));
    CLIENT *const client = clntunix_create(&address, (rpcprog_t)program, VERSION, &fd, 0, 0);
    CHECK(client != NULL && fd >= 0);
    return client;
}

static enum clnt_stat ask(CLIENT *client, u_long procedure)
{
    return clnt_call(client, (rpcproc_t)procedure, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience);
}

/* An identity that takes the place of one that is gone may lie where that lay. */
static void identities(CLIENT *client)
{
    char machine[] = "here";
    AUTH *const none = client->cl_auth;
    for (int turn = 1; turn < 100; turn++) {
        int uid = -1;
        client->cl_auth = authsys_create(machine, (uid_t)turn, 0, 0, NULL);
        CHECK(clnt_call(client, WHO, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &uid, patience) == RPC_SUCCESS && uid == turn);
        auth_destroy(client->cl_auth);
    }
    client->cl_auth = none;
}

/* A path may fill all of its room: nothing is read behind it. */
static void long_path(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = RPC_ANYSOCK;
    memset(address.sun_path, 'x', sizeof address.sun_path);
    CHECK(clntunix_create(&address, PROGRAM, VERSION, &fd, 0, 0) == NULL && rpc_createerr.cf_stat != RPC_SUCCESS);
}

/* Paths are what they are, whatever they begin with. A socket of the program's own is bound to one. */
static void one_path(char *path, bool own)
{
    const pid_t server = serve(path, own);
    CLIENT *const client = client_of(path, PROGRAM);
    CHECK(access(path, F_OK) == 0 && ask(client, STOP) == RPC_SUCCESS);
    clnt_destroy(client);
    ends(server);
    CHECK(own ? unlink(path) == 0 : access(path, F_OK) != 0);     /* who brings the socket has its path, too */
}

/* The connection of a call that is served ends behind its reply; those of others stay. */
static void hung_up(const char *path)
{
    char byte;
    int fd;
    CLIENT *const client = client_of(path, PROGRAM), *const other = client_of(path, PROGRAM);
    CHECK(ask(other, NULLPROC) == RPC_SUCCESS && ask(client, HANG_UP) == RPC_SUCCESS);
    CHECK(clnt_control(client, CLGET_FD, &fd) && recv(fd, &byte, 1, MSG_WAITALL) == 0);
    CHECK(ask(other, NULLPROC) == RPC_SUCCESS && ask(client, NULLPROC) == RPC_SUCCESS);
    clnt_destroy(other);
    clnt_destroy(client);
}

/* A program that goes while it is called answers first. */
static void forgotten(const char *path)
{
    CLIENT *const client = client_of(path, OTHER);
    CHECK(ask(client, FORGET) == RPC_SUCCESS && ask(client, NULLPROC) == RPC_PROGUNAVAIL);
    clnt_destroy(client);
}

int main(void)
{
    char folder[64], path[] = "socket", strange[] = "@strange";
    snprintf(folder, sizeof folder, "/tmp/whittle-rpc-%d", (int)getpid());
    CHECK(mkdir(folder, 0700) == 0 && chdir(folder) == 0);
    one_path(strange, false);
    one_path(strange, true);
    const pid_t server = serve(path, false);
    CLIENT *const client = client_of(path, PROGRAM);
    identities(client);
    long_path();
    hung_up(path);
    forgotten(path);
    CHECK(ask(client, STOP) == RPC_SUCCESS);
    clnt_destroy(client);
    ends(server);
    CHECK(rmdir(folder) == 0);
    puts("sockets: ok");
    return 0;
}
