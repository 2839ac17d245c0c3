/*
 * ntirpc, the descendant of libtirpc that nfs-ganesha uses, with rpcgen's routines. The functions and the dispatch that rpcgen
 * writes are not for it: calls are made and served as its own programs do.
 */
#include "driver.h"
#include "flick.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <rpc/svc_auth.h>
#include <rpc/svc_rqst.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 1 << 20, UNDER_WAY = 64 };

union arguments { intseq ints; rectseq rects; direntseq dirents; };
struct request { struct svc_req base; union arguments arguments; };

static CLIENT *client;
static AUTH *nobody;
static rpcproc_t procedure;
static xdrproc_t routine;
static union arguments arguments;
static const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;

static struct svc_req *begin(SVCXPRT *transport, XDR *xdrs)
{
    struct request *const request = calloc(1, sizeof *request);
    SVC_REF(transport, SVC_REF_FLAG_NONE);
    request->base.rq_xprt = transport;
    request->base.rq_xdrs = xdrs;
    request->base.rq_refcnt = 1;
    return &request->base;
}

static void end(struct svc_req *request, enum xprt_stat status)
{
    (void)status;
    SVC_RELEASE(request->rq_xprt, SVC_RELEASE_FLAG_NONE);
    free(request);
}

static void start(void)
{
    svc_init_params parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.alloc_cb = begin;
    parameters.free_cb = end;
    parameters.flags = SVC_INIT_EPOLL | SVC_INIT_NOREG_XPRTS;
    parameters.max_events = 64;
    parameters.ioq_thrd_max = 4;
    if (!svc_init(&parameters))
        driver_fail("ntirpc does not start");
    nobody = authnone_ncreate();
}

static xdrproc_t routine_of(rpcproc_t number)
{
    switch (number) {
    case SEND_INTS: return (xdrproc_t)xdr_intseq;
    case SEND_RECTS: return (xdrproc_t)xdr_rectseq;
    case SEND_DIRENTS: return (xdrproc_t)xdr_direntseq;
    default: return nothing;
    }
}

static enum xprt_stat serve(struct svc_req *request)
{
    struct request *const whole = (struct request *)(void *)request;
    const xdrproc_t decode = routine_of(request->rq_msg.cb_proc);
    request->rq_msg.rm_xdr.where = &whole->arguments;
    request->rq_msg.rm_xdr.proc = decode;
    bool is_over = false;
    const enum auth_stat refused = svc_auth_authenticate(request, &is_over);
    if (refused != AUTH_OK)
        return svcerr_auth(request, refused);
    if (!SVCAUTH_CHECKSUM(request))
        return svcerr_decode(request);
    request->rq_msg.RPCM_ack.ar_results.where = NULL;
    request->rq_msg.RPCM_ack.ar_results.proc = nothing;
    const enum xprt_stat status = svc_sendreply(request);
    xdr_free(decode, &whole->arguments);
    return status;
}

static enum xprt_stat welcome(SVCXPRT *transport)
{
    const int on = 1;
    setsockopt(transport->xp_fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    transport->xp_dispatch.process_cb = serve;
    return SVC_STAT(transport->xp_parent);
}

static int line(const char *host, uint16_t port, int is_server)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (inet_pton(AF_INET, host, &at.sin_addr) != 1)
        driver_fail("TCP alone");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (is_server ? bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 8) : connect(fd, (struct sockaddr *)&at, sizeof at))
        driver_fail("no connection");
    return fd;
}

void participant_serve(const char *host, uint16_t port, const char *path)
{
    uint32_t channel = 0;
    if (path != NULL)
        driver_fail("TCP alone");
    start();
    SVCXPRT *const transport = svc_vc_ncreatef(line(host, port, 1), PIECE, PIECE, SVC_CREATE_FLAG_CLOSE | SVC_CREATE_FLAG_LISTEN);
    if (transport == NULL)
        driver_fail("cannot serve");
    transport->xp_dispatch.rendezvous_cb = welcome;
    if (svc_rqst_new_evchan(&channel, NULL, SVC_RQST_FLAG_NONE) != 0 || svc_rqst_evchan_reg(channel, transport, SVC_RQST_FLAG_XPRT_UREG) != 0)
        driver_fail("cannot listen");
    driver_ready();
    for (;;)
        pause();
}

void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data)
{
    struct sockaddr_storage at = {0};
    struct netbuf where = {sizeof at, sizeof at, &at};
    (void)path;
    start();
    client = clnt_vc_ncreatef(line(host, port, 0), &where, FLICK, FLICK_1, PIECE, PIECE, CLNT_CREATE_FLAG_CLOSE);
    if (CLNT_FAILURE(client))
        driver_fail("no client");
    procedure = (rpcproc_t)data->workload;
    routine = routine_of(procedure);
    if (data->workload == INTS)
        arguments.ints = (intseq){data->count, (int *)data->items.ints};
    if (data->workload == RECTS)
        arguments.rects = (rectseq){data->count, (rect *)(void *)data->items.rects};
    if (data->workload != DIRENTS)
        return;
    arguments.dirents = (direntseq){data->count, calloc(data->count + 1, sizeof(direntry))};
    for (uint32_t i = 0; i < data->count; i++) {
        const struct dirent_item *const item = &data->items.dirents[i];
        arguments.dirents.direntseq_val[i].name = item->name;
        memcpy(arguments.dirents.direntseq_val[i].info.fields, item->fields, sizeof item->fields);
        memcpy(arguments.dirents.direntseq_val[i].info.tag, item->tag, sizeof item->tag);
    }
}

static struct clnt_req *ask(void)
{
    struct clnt_req *const request = calloc(1, sizeof *request);
    clnt_req_fill(request, client, nobody, procedure, routine, &arguments, nothing, NULL);
    if (clnt_req_setup(request, (struct timespec){25, 0}) != RPC_SUCCESS)
        driver_fail("a call is not set up");
    request->cc_refreshes = 1;
    return request;
}

void participant_call(void)
{
    struct clnt_req *const request = ask();
    const enum clnt_stat status = CLNT_CALL_WAIT(request);
    if (status != RPC_SUCCESS)
        driver_fail(clnt_sperrno(status));
    clnt_req_release(request);
}

static sem_t room;

static void answered(struct clnt_req *request)
{
    if (request->cc_error.re_status != RPC_SUCCESS)
        driver_fail("a call in the pipeline");
    clnt_req_release(request);
    sem_post(&room);
}

/* Up to 64 calls are under way. */
int participant_pipeline(long count)
{
    sem_init(&room, 0, UNDER_WAY);
    for (long n = 0; n < count; n++) {
        sem_wait(&room);
        struct clnt_req *const request = ask();
        request->cc_process_cb = answered;
        if (CLNT_CALL_BACK(request) != RPC_SUCCESS)
            driver_fail("a call is not made");
    }
    for (int n = 0; n < UNDER_WAY; n++)
        sem_wait(&room);
    return 1;
}
