/* Clients and servers by the functions of <rpc/rpc.h>: what they get when something is wrong, who calls, sockets of the user's. */
#include <rpc/rpc.h>
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM = 0x20001234, VERSION = 3, ADD = 1, WHO = 2, SLOW = 3, NEVER = 4, LENGTH = 5, WEAK = 6, BROKEN = 7, STOP = 8, COUNTED = 9 };
static const struct timeval patience = {10, 0};

struct pair { int one, two; };

static bool_t pair(XDR *xdrs, struct pair *value)
{
    return xdr_int(xdrs, &value->one) && xdr_int(xdrs, &value->two);
}

static bool_t nothing(XDR *xdrs, void *value)
{
    (void)xdrs;
    (void)value;
    return TRUE;
}

static bool_t impossible(XDR *xdrs, void *value)
{
    (void)value;
    return xdrs->x_op == XDR_FREE;
}
#define ROUTINE(function) ((xdrproc_t)(void (*)(void))(function))

static int counted;        /* by calls without replies */

static void who(const struct svc_req *request, SVCXPRT *transport)
{
    int uid = -1;
    if (request->rq_cred.oa_flavor == AUTH_SYS) {
        const struct authsys_parms *const parms = (const struct authsys_parms *)request->rq_clntcred;
        uid = (int)parms->aup_uid + (int)parms->aup_len * 1000 + (strcmp(parms->aup_machname, "somewhere") == 0 ? 0 : 1000000);
    }
    CHECK(svc_getcaller(transport)->sin_family == AF_INET && svc_getrpccaller(transport)->len == sizeof(struct sockaddr_in));
    CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &uid));
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    struct pair numbers = {0, 0};
    char *text = NULL;
    int answer = 0;
    CHECK(request->rq_prog == PROGRAM && request->rq_vers == VERSION && request->rq_xprt == transport);
    switch (request->rq_proc) {
    case NULLPROC: CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL)); return;
    case ADD:
        if (!svc_getargs(transport, ROUTINE(pair), &numbers)) {
            svcerr_decode(transport);
            return;
        }
        answer = numbers.one + numbers.two;
        CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &answer) && !svc_sendreply(transport, ROUTINE(xdr_int), &answer));
        return;
    case WHO: who(request, transport); return;
    case SLOW:
        usleep(300000);
        CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &answer));
        return;
    case NEVER: return;
    case LENGTH:
        CHECK(svc_getargs(transport, ROUTINE(xdr_wrapstring), &text));
        CHECK(svc_sendreply(transport, ROUTINE(xdr_wrapstring), &text) && svc_freeargs(transport, ROUTINE(xdr_wrapstring), &text));
        return;
    case WEAK: svcerr_weakauth(transport); return;
    case BROKEN:
        CHECK(!svc_sendreply(transport, ROUTINE(impossible), NULL));
        svcerr_systemerr(transport);
        return;
    case STOP:
        CHECK(svc_sendreply(transport, ROUTINE(nothing), NULL));
        svc_exit();
        return;
    case COUNTED:
        if (svc_getargs(transport, ROUTINE(xdr_int), &answer) && answer == 0)
            CHECK(svc_sendreply(transport, ROUTINE(xdr_int), &counted));
        else
            counted++;
        return;
    default: svcerr_noproc(transport);
    }
}

/* A bound socket of the user's. */
static int bound(int type, struct sockaddr_in *address)
{
    socklen_t size = sizeof *address;
    const int fd = socket(AF_INET, type, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    CHECK(fd >= 0 && bind(fd, (struct sockaddr *)address, sizeof *address) == 0);
    CHECK(getsockname(fd, (struct sockaddr *)address, &size) == 0);
    return fd;
}

static CLIENT *client_at(const char *scheme, struct sockaddr_in *address, u_long version)
{
    int fd = RPC_ANYSOCK;
    const struct timeval again = {1, 0};
    CLIENT *const client = strcmp(scheme, "tcp") == 0 ? clnttcp_create(address, PROGRAM, (rpcvers_t)version, &fd, 0, 0)
                                                      : clntudp_create(address, PROGRAM, (rpcvers_t)version, again, &fd);
    CHECK(client != NULL && fd >= 0);
    return client;
}

static enum clnt_stat add(CLIENT *client, int *sum)
{
    struct pair numbers = {40, 2};
    return clnt_call(client, ADD, ROUTINE(pair), &numbers, ROUTINE(xdr_int), sum, patience);
}

static void refusals(CLIENT *client)
{
    struct rpc_err error;
    int sum = 0;
    const struct timeval short_time = {0, 50000}, none = {0, 0};
    const u_int wrong = 99, right = VERSION;
    CHECK(add(client, &sum) == RPC_SUCCESS && sum == 42);
    CHECK(clnt_call(client, 77, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_PROCUNAVAIL);
    CHECK(strstr(clnt_sperror(client, "call"), "call: RPC: ") == clnt_sperror(client, "call"));
    CHECK(clnt_call(client, ADD, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &sum, patience) == RPC_CANTDECODEARGS);
    CHECK(clnt_call(client, ADD, ROUTINE(impossible), NULL, ROUTINE(xdr_int), &sum, patience) == RPC_CANTENCODEARGS);
    struct pair numbers = {1, 2};
    CHECK(clnt_call(client, ADD, ROUTINE(pair), &numbers, ROUTINE(pair), &numbers, patience) == RPC_CANTDECODERES);
    CHECK(clnt_call(client, WEAK, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_AUTHERROR);
    clnt_geterr(client, &error);
    CHECK(error.re_status == RPC_AUTHERROR && error.re_why == AUTH_TOOWEAK);
    CHECK(clnt_call(client, BROKEN, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_SYSTEMERROR);
    CHECK(clnt_call(client, SLOW, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &sum, short_time) == RPC_TIMEDOUT);
    CHECK(clnt_call(client, NEVER, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, none) == RPC_TIMEDOUT);
    CHECK(clnt_control(client, CLSET_VERS, (void *)(uintptr_t)&wrong) && add(client, &sum) == RPC_PROGVERSMISMATCH);
    clnt_geterr(client, &error);
    CHECK(error.re_vers.low == VERSION && error.re_vers.high == VERSION);
    CHECK(clnt_control(client, CLSET_VERS, (void *)(uintptr_t)&right));
    CHECK(clnt_control(client, CLSET_PROG, (void *)(uintptr_t)&wrong) && add(client, &sum) == RPC_PROGUNAVAIL);
    const u_int program = PROGRAM;
    CHECK(clnt_control(client, CLSET_PROG, (void *)(uintptr_t)&program) && add(client, &sum) == RPC_SUCCESS);
    clnt_geterr(client, &error);
    CHECK(error.re_status == RPC_SUCCESS);
}

static void controls(CLIENT *client, const struct sockaddr_in *address)
{
    struct timeval time = {0, 60000}, found;
    struct sockaddr_in there;
    int sum;
    CHECK(clnt_control(client, CLSET_TIMEOUT, &time) && clnt_control(client, CLGET_TIMEOUT, &found) && found.tv_usec == 60000);
    CHECK(clnt_call(client, NEVER, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_TIMEDOUT);
    time = patience;
    CHECK(clnt_control(client, CLSET_TIMEOUT, &time) && add(client, &sum) == RPC_SUCCESS);
    CHECK(clnt_control(client, CLGET_SERVER_ADDR, &there) && there.sin_port == address->sin_port);
    CHECK(!clnt_control(client, 4711, NULL));
}

static void credentials(CLIENT *client)
{
    gid_t groups[2] = {5, 6};
    char machine[] = "somewhere";
    int uid;
    AUTH *const none = client->cl_auth;
    CHECK(clnt_call(client, WHO, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &uid, patience) == RPC_SUCCESS && uid == -1);
    client->cl_auth = authsys_create(machine, 77, 88, 2, groups);
    CHECK(client->cl_auth != NULL);
    CHECK(clnt_call(client, WHO, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &uid, patience) == RPC_SUCCESS && uid == 2077);
    auth_destroy(client->cl_auth);
    client->cl_auth = none;
    CHECK(clnt_call(client, WHO, ROUTINE(nothing), NULL, ROUTINE(xdr_int), &uid, patience) == RPC_SUCCESS && uid == -1);
    auth_destroy(none);
}

/* Calls without replies arrive in order, with what follows them. */
static void batches(CLIENT *client)
{
    const struct timeval none = {0, 0};
    int one = 1, zero = 0, before, after;
    CHECK(clnt_call(client, COUNTED, ROUTINE(xdr_int), &zero, ROUTINE(xdr_int), &before, patience) == RPC_SUCCESS);
    for (int count = 0; count < 1000; count++)
        CHECK(clnt_call(client, COUNTED, ROUTINE(xdr_int), &one, NULL_xdrproc_t, NULL, none) == RPC_SUCCESS);
    CHECK(clnt_call(client, COUNTED, ROUTINE(xdr_int), &zero, ROUTINE(xdr_int), &after, patience) == RPC_SUCCESS && after - before == 1000);
}

/* Longer than any room that there was: once, and again with the room that is left of it. */
static void long_values(CLIENT *client, size_t length)
{
    char *const text = (char *)malloc(length + 1);
    CHECK(text != NULL);
    memset(text, 'x', length);
    text[length] = 0;
    for (int round = 0; round < 3; round++) {
        char *sent = text, *back = NULL;
        CHECK(clnt_call(client, LENGTH, ROUTINE(xdr_wrapstring), &sent, ROUTINE(xdr_wrapstring), &back, patience) == RPC_SUCCESS);
        CHECK(strcmp(back, text) == 0 && clnt_freeres(client, ROUTINE(xdr_wrapstring), &back) && back == NULL);
    }
    free(text);
}

static void *many_calls(void *context)
{
    int sum;
    for (int count = 0; count < 500; count++)
        CHECK(add((CLIENT *)context, &sum) == RPC_SUCCESS && sum == 42);
    return NULL;
}

static void threads(CLIENT *client)
{
    pthread_t all[4];
    for (int index = 0; index < 4; index++)
        CHECK(pthread_create(&all[index], NULL, many_calls, client) == 0);
    for (int index = 0; index < 4; index++)
        CHECK(pthread_join(all[index], NULL) == 0);
}

/* What the create functions say when there is nobody. */
static void nobody(void)
{
    struct sockaddr_in address;
    int fd = bound(SOCK_STREAM, &address);
    close(fd);
    fd = RPC_ANYSOCK;
    CHECK(clnttcp_create(&address, PROGRAM, VERSION, &fd, 0, 0) == NULL);
    CHECK(rpc_createerr.cf_stat == RPC_SYSTEMERROR && rpc_createerr.cf_error.re_errno == ECONNREFUSED);
    CHECK(strstr(clnt_spcreateerror("there"), "there: RPC: ") != NULL);
    CHECK(clnt_create("127.0.0.1", PROGRAM, VERSION, "ops pigeons") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNPROTO);
    CHECK(clnt_create("no.such.host.invalid", PROGRAM, VERSION, "tcp") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNHOST);
    CHECK(clnt_create(NULL, PROGRAM, VERSION, "tcp") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNHOST);
    CHECK(clnt_vc_create(-1, NULL, PROGRAM, VERSION, 0, 0) == NULL && rpc_createerr.cf_stat == RPC_SYSTEMERROR);
}

/* A connection that the user made, and keeps. */
static void own_socket(struct sockaddr_in *address)
{
    struct netbuf where = {sizeof *address, sizeof *address, address};
    int sum, found;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    CLIENT *const client = clnt_vc_create(fd, &where, PROGRAM, VERSION, 0, 0);
    CHECK(client != NULL && add(client, &sum) == RPC_SUCCESS && sum == 42);
    CHECK(clnt_control(client, CLGET_FD, &found) && found == fd);
    clnt_destroy(client);
    CHECK(close(fd) == 0);
}

int main(void)
{
    struct sockaddr_in stream, datagram;
    const int listener = bound(SOCK_STREAM, &stream), receiver = bound(SOCK_DGRAM, &datagram);
    const pid_t server = fork();
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        SVCXPRT *const one = svctcp_create(listener, 0, 0), *const other = svcudp_create(receiver);
        CHECK(one != NULL && one->xp_port == ntohs(stream.sin_port) && svc_register(one, PROGRAM, VERSION, dispatch, 0));
        CHECK(other != NULL && other->xp_port == ntohs(datagram.sin_port) && svc_register(other, PROGRAM, VERSION, dispatch, 0));
        CHECK(!svc_register(one, PROGRAM, VERSION, NULL, 0));
        svc_run();
        svc_destroy(one);
        svc_destroy(other);
        exit(0);
    }
    CHECK(listen(listener, 5) == 0);    /* what connects before the server has begun waits */
    CLIENT *const client = client_at("tcp", &stream, VERSION), *const by_datagrams = client_at("udp", &datagram, VERSION);
    refusals(client);
    refusals(by_datagrams);
    batches(client);
    controls(client, &stream);
    credentials(client);
    credentials(by_datagrams);
    long_values(client, 100);
    long_values(client, 3000000);
    long_values(by_datagrams, 30000);
    threads(client);
    own_socket(&stream);
    nobody();
    CHECK(clnt_call(client, STOP, ROUTINE(nothing), NULL, ROUTINE(nothing), NULL, patience) == RPC_SUCCESS);
    clnt_destroy(client);
    clnt_destroy(by_datagrams);
    int status;
    CHECK(waitpid(server, &status, 0) == server && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    puts("calls: ok");
    return 0;
}
