/*
 * Remote calls through libtirpc over TCP on the loopback, client and server on one core: linked with one set of
 * xdr_T routines, so that nothing else differs.
 * usage: calls CORE ints|dirents BYTES MILLISECONDS      prints microseconds per call
 */
#define _GNU_SOURCE
#include "flick.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOTHING ((xdrproc_t)(void (*)(void))xdr_void)

static void must(int condition, const char *what)
{
    if (!condition) {
        perror(what);
        exit(1);
    }
}

static xdrproc_t routine(int dirents)
{
    return dirents ? (xdrproc_t)(void (*)(void))xdr_direntseq : (xdrproc_t)(void (*)(void))xdr_intseq;
}

static void serve(struct svc_req *request, SVCXPRT *transport)
{
    union { intseq ints; direntseq dirents; } argument;
    const xdrproc_t decode = routine(request->rq_proc == SEND_DIRENTS);
    if (request->rq_proc == NULLPROC) {
        svc_sendreply(transport, NOTHING, NULL);
        return;
    }
    memset(&argument, 0, sizeof argument);
    if (!svc_getargs(transport, decode, (caddr_t)&argument)) {
        svcerr_decode(transport);
        return;
    }
    svc_sendreply(transport, NOTHING, NULL);
    svc_freeargs(transport, decode, (caddr_t)&argument);
}

static void be_server(int listener)
{
    const int on = 1, fd = accept(listener, NULL, NULL);
    must(fd >= 0, "accept");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    SVCXPRT *const transport = svc_fd_create(fd, 0, 0);
    must(transport != NULL && svc_register(transport, FLICK, FLICK_1, serve, 0), "register");
    svc_run();
    exit(0);
}

static CLIENT *be_client(const struct sockaddr_in *address)
{
    struct sockaddr_in copy = *address;
    struct netbuf at = {sizeof copy, sizeof copy, &copy};
    const int on = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(fd, (const struct sockaddr *)address, sizeof *address) == 0, "connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    CLIENT *const client = clnt_vc_create(fd, &at, FLICK, FLICK_1, 0, 0);
    must(client != NULL, "client");
    return client;
}

static intseq *make_ints(size_t bytes)
{
    intseq *const v = malloc(sizeof *v);
    v->intseq_len = (u_int)(bytes / 4);
    v->intseq_val = malloc(bytes + 4);
    for (u_int i = 0; i < v->intseq_len; i++)
        v->intseq_val[i] = (int)(i * 2654435761u);
    return v;
}

static direntseq *make_dirents(size_t bytes)
{
    direntseq *const v = malloc(sizeof *v);
    v->direntseq_len = (u_int)(bytes / 256);
    v->direntseq_val = calloc(v->direntseq_len, sizeof *v->direntseq_val);
    for (u_int i = 0; i < v->direntseq_len; i++) {
        v->direntseq_val[i].name = memset(malloc(117), 'a' + (int)(i % 26), 116);
        v->direntseq_val[i].name[116] = 0;
    }
    return v;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double time_calls(CLIENT *client, int dirents, void *argument, double least)
{
    const struct timeval patience = {25, 0};
    const u_int procedure = dirents ? SEND_DIRENTS : SEND_INTS;
    long calls = 0;
    double start = 0, taken = 0;
    while (taken < least) {
        if (calls == 3)
            start = now();
        must(clnt_call(client, procedure, routine(dirents), (caddr_t)argument, NOTHING, NULL, patience) ==
                 RPC_SUCCESS, "call");
        calls++;
        taken = calls > 3 ? now() - start : 0;
    }
    return taken / (double)(calls - 3);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[1]), &set);
    sched_setaffinity(0, sizeof set, &set);
    const int dirents = strcmp(argv[2], "dirents") == 0, listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    must(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0 &&
         getsockname(listener, (struct sockaddr *)&address, &size) == 0, "listen");
    const pid_t server = fork();
    if (server == 0)
        be_server(listener);
    const size_t bytes = (size_t)atol(argv[3]);
    CLIENT *const client = be_client(&address);
    void *const argument = dirents ? (void *)make_dirents(bytes) : (void *)make_ints(bytes);
    printf("%.3f\n", time_calls(client, dirents, argument, atof(argv[4]) * 1e3));
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    return 0;
}
