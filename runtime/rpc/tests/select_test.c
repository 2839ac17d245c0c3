/* Loops of the program's own, by select and by poll, beside a descriptor of its own. */
#include <rpc/rpc.h>
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM = 0x20001237, VERSION = 1, DOUBLE = 1, NESTED = 2, STOP = 3, PORT = 4 };
static const struct timeval patience = {20, 0};
#define ROUTINE(function) ((xdrproc_t)(void (*)(void))(function))

static bool_t nothing(XDR *xdrs, void *value)
{
    (void)xdrs;
    (void)value;
    return TRUE;
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    int value;
    switch (request->rq_proc) {
    case DOUBLE:
        CHECK(svc_getargs(transport, ROUTINE(xdr_int), &value));
        value *= 2;
        CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &value));
        return;
    case PORT:
        value = ntohs(svc_getcaller(transport)->sin_port);
        CHECK(svc_getrpccaller(transport)->len == sizeof(struct sockaddr_in) && svc_sendreply(transport, ROUTINE(xdr_int), &value));
        return;
    case STOP: svc_exit(); break;
    case NESTED: svc_getreqset(&svc_fdset); break;   /* what is served already is not served inside itself */
    default: break;
    }
    CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL));
}

static int bound(int kind, struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    const int fd = socket(AF_INET, kind, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)address, size) == 0 && getsockname(fd, (struct sockaddr *)address, &size) == 0);
    return fd;
}

/* What the program's own descriptor brought, until svc_exit has returned. */
static int by_select(int own, int width)
{
    int bytes = 0;
    char byte;
    while (svc_maxfd >= 0) {
        fd_set readable = svc_fdset;
        struct timeval pause = {20, 0};
        FD_SET(own, &readable);
        const int ready = select(width == 0 ? (svc_maxfd > own ? svc_maxfd : own) + 1 : width, &readable, NULL, NULL, &pause);
        CHECK(ready > 0);
        if (FD_ISSET(own, &readable)) {
            CHECK(read(own, &byte, 1) == 1);
            bytes++;
            FD_CLR(own, &readable);
        }
        svc_getreqset(&readable);
    }
    return bytes;
}

static int by_poll(int own)
{
    int bytes = 0;
    char byte;
    while (svc_max_pollfd > 0) {
        const int count = svc_max_pollfd;
        struct pollfd *const all = calloc((size_t)count + 1, sizeof *all);
        CHECK(all != NULL);
        memcpy(all, svc_pollfd, (size_t)count * sizeof *all);
        all[count] = (struct pollfd){.fd = own, .events = POLLIN};
        int ready = poll(all, (nfds_t)count + 1, 20000);
        CHECK(ready > 0);
        if (all[count].revents != 0) {
            CHECK(read(own, &byte, 1) == 1);
            bytes++;
            ready--;
        }
        if (ready > 0)
            svc_getreq_poll(all, ready);
        free(all);
    }
    svc_getreq_poll(NULL, 0);       /* what svc_exit left is put away */
    return bytes;
}

/* Programs look for the sockets that they brought. */
static void are_watched(int listener, int receiver)
{
    CHECK(FD_ISSET(listener, &svc_fdset) && FD_ISSET(receiver, &svc_fdset) && svc_max_pollfd >= 3 && svc_maxfd < FD_SETSIZE);
}

enum loop { SELECT_ALL, SELECT_HIGHEST, POLL, POLL_BEYOND };

static void serve(enum loop loop, int listener, int receiver, int own)
{
    int all[FD_SETSIZE], taken = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    CHECK(svc_maxfd == -1 && svc_max_pollfd == 0);
    /* With every small number taken the server's descriptors are beyond what an fd_set holds. */
    while (loop == POLL_BEYOND && (taken == 0 || all[taken - 1] < FD_SETSIZE - 1))
        CHECK((all[taken++] = fcntl(own, F_DUPFD, 0)) >= 0);
    SVCXPRT *const one = svctcp_create(listener, 0, 0), *const other = svcudp_create(receiver);
    CHECK(one != NULL && other != NULL);
    CHECK(svc_register(one, PROGRAM, VERSION, dispatch, 0) && svc_register(other, PROGRAM, VERSION, dispatch, 0));
    are_watched(listener, receiver);
    for (int index = 0; index < taken; index++)
        close(all[index]);
    CHECK((loop < POLL ? by_select(own, loop == SELECT_ALL ? FD_SETSIZE : 0) : by_poll(own)) == 2);
    CHECK(svc_maxfd == -1 && svc_max_pollfd == 0);
    svc_getreqset(&svc_fdset);      /* of no server */
    svc_destroy(one);
    svc_destroy(other);
    exit(0);
}

static void doubles(CLIENT *client, int given)
{
    int result = 0;
    CHECK(clnt_call(client, DOUBLE, ROUTINE(xdr_int), &given, ROUTINE(xdr_int), &result, patience) == RPC_SUCCESS && result == 2 * given);
}

/* Each call knows whose connection it came over, or who sent its datagram. */
static void distinguished(CLIENT *client, int fd)
{
    struct sockaddr_in own;
    socklen_t size = sizeof own;
    int result = 0;
    CHECK(getsockname(fd, (struct sockaddr *)&own, &size) == 0);
    CHECK(clnt_call(client, PORT, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &result, patience) == RPC_SUCCESS && result == ntohs(own.sin_port));
}

static void one_loop(enum loop loop)
{
    int own[2], status;
    struct sockaddr_in stream, datagram;
    const int listener = bound(SOCK_STREAM, &stream), receiver = bound(SOCK_DGRAM, &datagram);
    CHECK(listen(listener, 5) == 0 && pipe(own) == 0);
    const pid_t server = fork();
    CHECK(server >= 0);
    if (server == 0)
        serve(loop, listener, receiver, own[0]);
    int fds[3] = {RPC_ANYSOCK, RPC_ANYSOCK, RPC_ANYSOCK};
    CLIENT *const first = clnttcp_create(&stream, PROGRAM, VERSION, &fds[0], 0, 0), *const second = clnttcp_create(&stream, PROGRAM, VERSION, &fds[1], 0, 0);
    CLIENT *const third = clntudp_create(&datagram, PROGRAM, VERSION, (struct timeval){1, 0}, &fds[2]);
    CHECK(first != NULL && second != NULL && third != NULL);
    CLIENT *const clients[3] = {first, second, third};
    for (int turn = 0; turn < 200; turn++) {
        CHECK(turn % 100 != 50 || write(own[1], "x", 1) == 1);
        doubles(first, turn);
        doubles(second, 1000 + turn);
        doubles(third, 2000 + turn);
    }
    for (int which = 0; which < 3; which++)
        distinguished(clients[which], fds[which]);
    CHECK(clnt_call(first, NESTED, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_SUCCESS);
    CHECK(clnt_call(second, STOP, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_SUCCESS);
    clnt_destroy(first);
    clnt_destroy(second);
    clnt_destroy(third);
    CHECK(waitpid(server, &status, 0) == server && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(listener);
    close(receiver);
    close(own[0]);
    close(own[1]);
}

int main(void)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    one_loop(SELECT_ALL);
    one_loop(SELECT_HIGHEST);
    one_loop(POLL);
    limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
    if (limit.rlim_cur > FD_SETSIZE + 100 && setrlimit(RLIMIT_NOFILE, &limit) == 0)
        one_loop(POLL_BEYOND);
    puts("select: ok");
    return 0;
}
