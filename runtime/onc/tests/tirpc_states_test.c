/* SPDX-License-Identifier: MIT-0 */
/*
 * Every way in which a call can be rejected, or accepted and not served (RFC 5531, section 9), between libtirpc and us, with either as
 * the server, over every transport: what each of itself says of calls that it cannot serve, and what its servers' functions can say.
 */
#include "scripted.h"
#include "tirpc.h"
#include <netinet/in.h>
#include <sys/socket.h>

enum { ABSENT_PROCEDURE = 77, REASONS = 15 };
static const struct timeval patience = {30, 0};

/* Their server: what procedure 7 is given, it says. */
static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    struct pair pair = {0, 0};
    int status = 0;
    if (request->rq_proc == SAMPLE_NOTHING) {
        svc_sendreply(transport, XDR_OF(xdr_void), NULL);
    } else if (request->rq_proc == SAMPLE_ADD) {
        if (!svc_getargs(transport, XDR_OF(xdr_pair), (caddr_t)&pair))
            svcerr_decode(transport);
        else
            svc_sendreply(transport, XDR_OF(xdr_int), (caddr_t)&pair.left);
    } else if (request->rq_proc == SAMPLE_FAIL) {
        CHECK(svc_getargs(transport, XDR_OF(xdr_int), (caddr_t)&status));
        theirs_fail(transport, status);
    } else {
        svcerr_noproc(transport);
    }
}

/* A call without arguments. */
static int asked(struct whittle_onc_client *client, uint32_t program, uint32_t version, uint32_t procedure)
{
    struct whittle_onc_call call;
    char *const at = whittle_onc_begin(&call, client, program, version, procedure);
    const char *const end = whittle_onc_exchange(&call, at) == WHITTLE_ONC_OK ? call.at : NULL;
    return whittle_onc_end(&call, end);
}

static void versions_are(struct whittle_onc_client *client, uint32_t lowest, uint32_t highest)
{
    uint32_t low, high;
    whittle_onc_client_versions(client, &low, &high);
    CHECK(low == lowest && high == highest);
}

static void our_client(const char *address)
{
    static const struct whittle_onc_client_options patient = {.timeout = 60000};
    struct whittle_onc_client *const client = client_of(address, &patient);
    GOOD(asked(client, SAMPLE_PROGRAM, SAMPLE_ONE, SAMPLE_NOTHING));
    IS(asked(client, SAMPLE_PROGRAM + 1, SAMPLE_ONE, SAMPLE_NOTHING), WHITTLE_ONC_PROGRAM_UNAVAILABLE);
    IS(asked(client, SAMPLE_PROGRAM, 9, SAMPLE_NOTHING), WHITTLE_ONC_PROGRAM_MISMATCH);
    versions_are(client, 1, 1);
    IS(asked(client, SAMPLE_PROGRAM, SAMPLE_ONE, ABSENT_PROCEDURE), WHITTLE_ONC_PROCEDURE_UNAVAILABLE);
    /* Behind a datagram libtirpc reads what an earlier one left. */
    if (strncmp(address, "udp", 3) != 0)
        IS(asked(client, SAMPLE_PROGRAM, SAMPLE_ONE, SAMPLE_ADD), WHITTLE_ONC_GARBAGE_ARGUMENTS);
    for (int status = WHITTLE_ONC_RPC_MISMATCH; status >= WHITTLE_ONC_SYSTEM_ERROR; status--) {
        IS(sample_fail(client, status), status);
        if (status == WHITTLE_ONC_RPC_MISMATCH)
            versions_are(client, 4, 7);
        if (status == WHITTLE_ONC_PROGRAM_MISMATCH)
            versions_are(client, 3, 5);
    }
    for (int reason = 0; reason < REASONS; reason++)
        IS(sample_fail(client, WHITTLE_ONC_AUTH_FAILED_SO - reason), WHITTLE_ONC_AUTH_FAILED_SO - reason);
    GOOD(asked(client, SAMPLE_PROGRAM, SAMPLE_ONE, SAMPLE_NOTHING));
    whittle_onc_client_close(client);
}

static enum clnt_stat ask(CLIENT *client, rpcproc_t procedure)
{
    return clnt_call(client, procedure, XDR_OF(xdr_void), NULL, XDR_OF(xdr_void), NULL, patience);
}

static enum clnt_stat mapped(CLIENT *client, int status)
{
    return clnt_call(client, SAMPLE_FAIL, XDR_OF(xdr_int), (caddr_t)&status, XDR_OF(xdr_void), NULL, patience);
}

static enum auth_stat reason_of(CLIENT *client)
{
    struct rpc_err error;
    clnt_geterr(client, &error);
    return error.re_why;
}

/* A client of a program, or version, that is not there. */
static void not_there(const char *address, uint32_t program, uint32_t version, enum clnt_stat wanted)
{
    CLIENT *const client = client_of_theirs(address, program, version);
    struct rpc_err error;
    CHECK(ask(client, SAMPLE_NOTHING) == wanted);
    clnt_geterr(client, &error);
    CHECK(wanted != RPC_PROGVERSMISMATCH || (error.re_vers.low == 1 && error.re_vers.high == 1));
    clnt_destroy(client);
}

static void their_client(const char *address)
{
    CLIENT *const client = client_of_theirs(address, SAMPLE_PROGRAM, SAMPLE_ONE);
    CHECK(ask(client, SAMPLE_NOTHING) == RPC_SUCCESS);
    not_there(address, SAMPLE_PROGRAM + 1, SAMPLE_ONE, RPC_PROGUNAVAIL);
    not_there(address, SAMPLE_PROGRAM, 9, RPC_PROGVERSMISMATCH);
    CHECK(ask(client, ABSENT_PROCEDURE) == RPC_PROCUNAVAIL);
    CHECK(ask(client, SAMPLE_ADD) == RPC_CANTDECODEARGS);
    CHECK(mapped(client, WHITTLE_ONC_PROGRAM_UNAVAILABLE) == RPC_PROGUNAVAIL);
    CHECK(mapped(client, WHITTLE_ONC_PROCEDURE_UNAVAILABLE) == RPC_PROCUNAVAIL);
    CHECK(mapped(client, WHITTLE_ONC_GARBAGE_ARGUMENTS) == RPC_CANTDECODEARGS);
    CHECK(mapped(client, WHITTLE_ONC_SYSTEM_ERROR) == RPC_SYSTEMERROR);
    for (int reason = 0; reason < REASONS; reason++) {
        CHECK(mapped(client, WHITTLE_ONC_AUTH_FAILED_SO - reason) == RPC_AUTHERROR);
        CHECK(reason_of(client) == (enum auth_stat)reason);
    }
    CHECK(ask(client, SAMPLE_NOTHING) == RPC_SUCCESS);
    clnt_destroy(client);
}

/* Our server's address, for who stands before it. */
static const char *behind;

/* Makes one call one of another version of RPC. */
static void of_version_three(int fd, int turn)
{
    char bytes[1000];
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    const bool datagrams = strncmp(behind, "udp", 3) == 0;
    const size_t mark = datagrams ? 0 : 4;
    const int server = peer_connect(behind);
    (void)turn;
    const ssize_t asked_size = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&name, &size);
    CHECK(asked_size == (ssize_t)mark + 40 && whittle_get32(bytes + mark + 8) == 2);
    whittle_put32(bytes + mark + 8, 3);
    CHECK(send(server, bytes, (size_t)asked_size, 0) == asked_size);
    const ssize_t said = recv(server, bytes, sizeof bytes, 0);
    CHECK(said == (ssize_t)mark + 24);
    CHECK(datagrams ? sendto(fd, bytes, (size_t)said, 0, (struct sockaddr *)&name, size) == said : send(fd, bytes, (size_t)said, 0) == said);
    if (!datagrams)
        CHECK(recv(fd, bytes, sizeof bytes, 0) == 0);
    close(server);
}

static void another_version_of_rpc(const char *address)
{
    struct scripted before;
    struct rpc_err error;
    behind = address;
    scripted_open(&before, strncmp(address, "udp", 3) == 0, of_version_three);
    CLIENT *const client = client_of_theirs(before.address, SAMPLE_PROGRAM, SAMPLE_ONE);
    CHECK(ask(client, SAMPLE_NOTHING) == RPC_VERSMISMATCH);
    clnt_geterr(client, &error);
    CHECK(error.re_vers.low == 2 && error.re_vers.high == 2);
    clnt_destroy(client);
    scripted_close(&before);
}

/* Each reason, from whoever decides about callers: no function is called. */
static uint32_t answer_of_judge;

static uint32_t judge(void *context, const struct whittle_onc_caller *caller)
{
    (void)context;
    return caller->procedure == SAMPLE_NOTHING ? __atomic_load_n(&answer_of_judge, __ATOMIC_RELAXED) : 0;
}

static void judged(const char *address)
{
    CLIENT *const client = client_of_theirs(address, SAMPLE_PROGRAM, SAMPLE_ONE);
    for (uint32_t reason = 1; reason < REASONS; reason++) {
        __atomic_store_n(&answer_of_judge, reason, __ATOMIC_RELAXED);
        CHECK(ask(client, SAMPLE_NOTHING) == RPC_AUTHERROR && reason_of(client) == (enum auth_stat)reason);
    }
    __atomic_store_n(&answer_of_judge, 0, __ATOMIC_RELAXED);
    CHECK(ask(client, SAMPLE_NOTHING) == RPC_SUCCESS);
    clnt_destroy(client);
}

static void our_server(const char *folder, uint32_t workers)
{
    char local[110];
    const struct whittle_onc_server_options options = {.workers = workers}, judging = {.workers = workers, .authenticate = judge};
    const char *const addresses[] = {"tcp://127.0.0.1", "udp://127.0.0.1", local, NULL};
    struct running running;
    snprintf(local, sizeof local, "unix:%s/states-%d.sock", folder, (int)getpid());
    running_open(&running, &options, addresses);
    for (int index = 0; index < 3; index++)
        their_client(index == 2 ? local : running_at(&running, index == 0 ? "tcp" : "udp"));
    another_version_of_rpc(running_at(&running, "tcp"));
    another_version_of_rpc(running_at(&running, "udp"));
    running_close(&running);
    running_open(&running, &judging, addresses);
    for (int index = 0; index < 3; index++)
        judged(index == 2 ? local : running_at(&running, index == 0 ? "tcp" : "udp"));
    running_close(&running);
}

int main(int count, char **arguments)
{
    struct theirs theirs;
    CHECK(count > 1);
    theirs_open(&theirs, arguments[1], dispatch);
    our_client(theirs.tcp);
    our_client(theirs.udp);
    our_client(theirs.local);
    theirs_close(&theirs);
    our_server(arguments[1], 0);
    our_server(arguments[1], 2);
    return 0;
}
