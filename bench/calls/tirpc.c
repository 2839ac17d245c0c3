/*
 * libtirpc with the stubs that rpcgen makes, or whittle in rpcgen's style: the client's functions and the routines are
 * theirs, the server's dispatch is written as rpcgen's is.
 */
#include "driver.h"
#include "flick.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static CLIENT *client;
static enum workload workload;
static intseq ints;
static rectseq rects;
static direntseq dirents;

static int line(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* As whittle and rpcgen write it, but that the procedures do nothing. */
static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    union { intseq ints; rectseq rects; direntseq dirents; } argument;
    static char result;
    xdrproc_t decode;
    switch (request->rq_proc) {
    case NULLPROC:
        svc_sendreply(transport, (xdrproc_t)(void (*)(void))xdr_void, NULL);
        return;
    case SEND_INTS: decode = (xdrproc_t)(void (*)(void))xdr_intseq; break;
    case SEND_RECTS: decode = (xdrproc_t)(void (*)(void))xdr_rectseq; break;
    case SEND_DIRENTS: decode = (xdrproc_t)(void (*)(void))xdr_direntseq; break;
    default: svcerr_noproc(transport); return;
    }
    memset(&argument, 0, sizeof argument);
    if (!svc_getargs(transport, decode, (caddr_t)&argument)) {
        svcerr_decode(transport);
        return;
    }
    svc_sendreply(transport, (xdrproc_t)(void (*)(void))xdr_void, &result);
    svc_freeargs(transport, decode, (caddr_t)&argument);
}

void participant_serve(const char *host, uint16_t port, const char *path)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (path != NULL || inet_pton(AF_INET, host, &at.sin_addr) != 1)
        driver_fail("TCP alone");
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 8) != 0)
        driver_fail("cannot listen");
    driver_ready();
    /* A process for each connection: libtirpc's own listener leaves Nagle's algorithm on. */
    for (;;) {
        const int fd = line(accept(listener, NULL, NULL));
        if (fork() == 0) {
            /* svc_run goes on without a connection: until the server is killed. */
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            close(listener);
            SVCXPRT *const transport = svc_fd_create(fd, 0, 0);
            if (transport == NULL || !svc_register(transport, FLICK, FLICK_1, dispatch, 0))
                driver_fail("cannot serve");
            svc_run();
            exit(0);
        }
        close(fd);
    }
}

void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct netbuf where = {sizeof at, sizeof at, &at};
    const int fd = line(socket(AF_INET, SOCK_STREAM, 0));
    if (path != NULL || inet_pton(AF_INET, host, &at.sin_addr) != 1 || connect(fd, (struct sockaddr *)&at, sizeof at) != 0)
        driver_fail("no connection");
    client = clnt_vc_create(fd, &where, FLICK, FLICK_1, 0, 0);
    if (client == NULL)
        driver_fail("no client");
    workload = data->workload;
    ints = (intseq){data->count, (int *)data->items.ints};
    rects = (rectseq){data->count, (rect *)(void *)data->items.rects};
    dirents = (direntseq){data->count, calloc(data->count + 1, sizeof(direntry))};
    for (uint32_t i = 0; workload == DIRENTS && i < data->count; i++) {
        const struct dirent_item *const item = &data->items.dirents[i];
        dirents.direntseq_val[i].name = item->name;
        memcpy(dirents.direntseq_val[i].info.fields, item->fields, sizeof item->fields);
        memcpy(dirents.direntseq_val[i].info.tag, item->tag, sizeof item->tag);
    }
}

void participant_call(void)
{
    const struct timeval patience = {25, 0};
    const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    int done = 0;
    switch (workload) {
    case NOTHING: done = clnt_call(client, NULLPROC, nothing, NULL, nothing, NULL, patience) == RPC_SUCCESS; break;
    case INTS: done = send_ints_1(&ints, client) != NULL; break;
    case RECTS: done = send_rects_1(&rects, client) != NULL; break;
    case DIRENTS: done = send_dirents_1(&dirents, client) != NULL; break;
    }
    if (!done)
        driver_fail(clnt_sperror(client, "call"));
}

int participant_pipeline(long count)
{
    for (long n = 0; n < count; n++)
        participant_call();
    return 1;
}
