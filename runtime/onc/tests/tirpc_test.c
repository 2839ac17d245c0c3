/* SPDX-License-Identifier: MIT-0 */
/* Our client and libtirpc's server, our server and libtirpc's client: over every transport, in every state that a reply can be in. */
#include "check.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <rpc/rpc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

struct block {
    u_int size;
    char *bytes;
};

static bool_t xdr_block(XDR *xdr, struct block *block)
{
    return xdr_bytes(xdr, &block->bytes, &block->size, ~0u);
}

struct pair {
    int left, right;
};

static bool_t xdr_pair(XDR *xdr, struct pair *pair)
{
    return xdr_int(xdr, &pair->left) && xdr_int(xdr, &pair->right);
}

static const struct timeval patience = {10, 0};
#define XDR_OF(routine) ((xdrproc_t)(void (*)(void))(routine))

/* libtirpc's server: what procedure 7 is told, it says. */
static void fail(SVCXPRT *transport, int status)
{
    switch (status) {
    case WHITTLE_ONC_PROGRAM_UNAVAILABLE: svcerr_noprog(transport); break;
    case WHITTLE_ONC_PROGRAM_MISMATCH: svcerr_progvers(transport, 3, 5); break;
    case WHITTLE_ONC_PROCEDURE_UNAVAILABLE: svcerr_noproc(transport); break;
    case WHITTLE_ONC_GARBAGE_ARGUMENTS: svcerr_decode(transport); break;
    case WHITTLE_ONC_SYSTEM_ERROR: svcerr_systemerr(transport); break;
    default: svcerr_auth(transport, (enum auth_stat)(WHITTLE_ONC_AUTH_FAILED_SO - status)); break;
    }
}

static u_int who(const struct svc_req *request)
{
    const struct authunix_parms *const unix_parameters = (const struct authunix_parms *)request->rq_clntcred;
    return request->rq_cred.oa_flavor == AUTH_SYS ? 1000000 + unix_parameters->aup_uid : 0;
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    struct pair pair = {0, 0};
    struct block block = {0, NULL};
    u_int number = 0;
    switch (request->rq_proc) {
    case SAMPLE_NOTHING: svc_sendreply(transport, XDR_OF(xdr_void), NULL); break;
    case SAMPLE_ADD:
        if (!svc_getargs(transport, XDR_OF(xdr_pair), (caddr_t)&pair)) {
            svcerr_decode(transport);
            return;
        }
        pair.left += pair.right;
        svc_sendreply(transport, XDR_OF(xdr_int), (caddr_t)&pair.left);
        break;
    case SAMPLE_UPLOAD:
        CHECK(svc_getargs(transport, XDR_OF(xdr_block), (caddr_t)&block));
        svc_sendreply(transport, XDR_OF(xdr_u_int), (caddr_t)&block.size);
        svc_freeargs(transport, XDR_OF(xdr_block), (caddr_t)&block);
        break;
    case SAMPLE_DOWNLOAD:
        CHECK(svc_getargs(transport, XDR_OF(xdr_u_int), (caddr_t)&block.size));
        block.bytes = calloc(block.size + 1, 1);
        svc_sendreply(transport, XDR_OF(xdr_block), (caddr_t)&block);
        free(block.bytes);
        break;
    case SAMPLE_FAIL:
        CHECK(svc_getargs(transport, XDR_OF(xdr_int), (caddr_t)&number));
        fail(transport, (int)number);
        break;
    case SAMPLE_WHO:
        number = who(request);
        svc_sendreply(transport, XDR_OF(xdr_u_int), (caddr_t)&number);
        break;
    default: svcerr_noproc(transport); break;
    }
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

static pid_t server_of_theirs(uint16_t ports[2], const char *path)
{
    const int tcp = bound(SOCK_STREAM, &ports[0]), udp = bound(SOCK_DGRAM, &ports[1]), local = bound_local(path);
    const pid_t child = fork();
    if (child != 0) {
        close(tcp);
        close(udp);
        close(local);
        return child;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    SVCXPRT *const all[3] = {svc_vc_create(tcp, 0, 0), svc_dg_create(udp, 0, 0), svc_vc_create(local, 0, 0)};
    for (int index = 0; index < 3; index++)
        CHECK(all[index] != NULL && svc_reg(all[index], SAMPLE_PROGRAM, SAMPLE_ONE, dispatch, NULL));
    svc_run();
    _exit(0);
}

static void our_client(const char *address, const struct whittle_onc_client_options *options, uint32_t user, uint32_t most)
{
    static char bytes[1000000];
    struct whittle_onc_client *const client = client_of(address, options);
    int32_t sum;
    uint32_t count;
    for (int32_t index = 0; index < 50; index++) {
        GOOD(sample_nothing(client));
        GOOD(sample_add(client, index, -100, &sum));
        CHECK(sum == index - 100);
    }
    for (uint32_t size = 0; size <= most; size = size * 4 + 1) {
        char *got = NULL;
        GOOD(sample_upload(client, bytes, size, &count));
        CHECK(count == size);
        GOOD(sample_download(client, size, &got, &count));
        CHECK(count == size);
        free(got);
    }
    for (int status = WHITTLE_ONC_PROGRAM_UNAVAILABLE; status >= WHITTLE_ONC_SYSTEM_ERROR; status--)
        IS(sample_fail(client, status), status);
    uint32_t lowest, highest;
    IS(sample_fail(client, WHITTLE_ONC_PROGRAM_MISMATCH), WHITTLE_ONC_PROGRAM_MISMATCH);
    whittle_onc_client_versions(client, &lowest, &highest);
    CHECK(lowest == 3 && highest == 5);
    for (int reason = 0; reason <= 14; reason++)
        IS(sample_fail(client, WHITTLE_ONC_AUTH_FAILED_SO - reason), WHITTLE_ONC_AUTH_FAILED_SO - reason);
    GOOD(sample_who(client, &count));
    CHECK(count == user);
    whittle_onc_client_close(client);
}

static void our_clients(const char *folder)
{
    static const uint32_t groups[3] = {5, 6, 7};
    const struct whittle_onc_identity identity = {1, "here", 4711, 12, 3, groups};
    const struct whittle_onc_client_options nobody = {.longest = 0}, system = {.system = true, .identity = &identity}, pieces = {.fragment = 9},
                                            self = {.system = true};
    char path[100], tcp[64], udp[64], local[110];
    uint16_t ports[2];
    snprintf(path, sizeof path, "%s/tirpc.sock", folder);
    const pid_t child = server_of_theirs(ports, path);
    snprintf(tcp, sizeof tcp, "tcp://127.0.0.1:%u", ports[0]);
    snprintf(udp, sizeof udp, "udp://127.0.0.1:%u", ports[1]);
    snprintf(local, sizeof local, "unix:%s", path);
    our_client(tcp, &nobody, 0, 1000000);
    our_client(tcp, &system, 1004711, 100000);
    our_client(tcp, &pieces, 0, 3000);
    our_client(udp, &nobody, 0, 8000);
    our_client(udp, &self, 1000000 + geteuid(), 8000);
    our_client(local, &system, 1004711, 1000000);
    kill(child, SIGKILL);
    unlink(path);
}

/* libtirpc's client, of one socket. */
static CLIENT *client_of_theirs(const char *address, uint32_t version)
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
    CLIENT *const client = datagrams ? clnt_dg_create(fd, &buffer, SAMPLE_PROGRAM, version, 0, 0)
                                     : clnt_vc_create(fd, &buffer, SAMPLE_PROGRAM, version, 0, 0);
    CHECK(client != NULL);
    clnt_control(client, CLSET_FD_CLOSE, NULL);
    return client;
}

static enum clnt_stat told(CLIENT *client, int status)
{
    return clnt_call(client, SAMPLE_FAIL, XDR_OF(xdr_int), (caddr_t)&status, XDR_OF(xdr_void), NULL, patience);
}

static void their_states(CLIENT *client)
{
    struct rpc_err error;
    CHECK(told(client, WHITTLE_ONC_PROGRAM_UNAVAILABLE) == RPC_PROGUNAVAIL);
    CHECK(told(client, WHITTLE_ONC_PROCEDURE_UNAVAILABLE) == RPC_PROCUNAVAIL);
    CHECK(told(client, WHITTLE_ONC_GARBAGE_ARGUMENTS) == RPC_CANTDECODEARGS);
    CHECK(told(client, WHITTLE_ONC_SYSTEM_ERROR) == RPC_SYSTEMERROR);
    CHECK(clnt_call(client, 77, XDR_OF(xdr_void), NULL, XDR_OF(xdr_void), NULL, patience) == RPC_PROCUNAVAIL);
    CHECK(clnt_call(client, SAMPLE_ADD, XDR_OF(xdr_void), NULL, XDR_OF(xdr_void), NULL, patience) == RPC_CANTDECODEARGS);
    for (int reason = 1; reason <= 7; reason++) {
        CHECK(told(client, WHITTLE_ONC_AUTH_FAILED_SO - reason) == RPC_AUTHERROR);
        clnt_geterr(client, &error);
        CHECK(error.re_why == (enum auth_stat)reason);
    }
}

static void their_client(const char *address, u_int most)
{
    static char bytes[2000000];
    CLIENT *const client = client_of_theirs(address, SAMPLE_ONE), *const other = client_of_theirs(address, 9);
    struct rpc_err error;
    u_int user = 0;
    for (int index = 0; index < 50; index++) {
        struct pair pair = {index, 1000};
        int sum = 0;
        CHECK(clnt_call(client, SAMPLE_NOTHING, XDR_OF(xdr_void), NULL, XDR_OF(xdr_void), NULL, patience) == RPC_SUCCESS);
        CHECK(clnt_call(client, SAMPLE_ADD, XDR_OF(xdr_pair), (caddr_t)&pair, XDR_OF(xdr_int), (caddr_t)&sum, patience) == RPC_SUCCESS);
        CHECK(sum == index + 1000);
    }
    for (u_int index = 0; index < sizeof bytes; index++)
        bytes[index] = (char)(index % 251);
    for (u_int size = 1; size <= most; size *= 5) {
        struct block block = {size, bytes}, got = {0, NULL};
        u_int taken = 0;
        CHECK(clnt_call(client, SAMPLE_UPLOAD, XDR_OF(xdr_block), (caddr_t)&block, XDR_OF(xdr_u_int), (caddr_t)&taken, patience) == RPC_SUCCESS);
        CHECK(taken == size);
        CHECK(clnt_call(client, SAMPLE_DOWNLOAD, XDR_OF(xdr_u_int), (caddr_t)&size, XDR_OF(xdr_block), (caddr_t)&got, patience) == RPC_SUCCESS);
        CHECK(got.size == size && memcmp(got.bytes, bytes, size) == 0);
        free(got.bytes);
    }
    their_states(client);
    CHECK(clnt_call(other, SAMPLE_NOTHING, XDR_OF(xdr_void), NULL, XDR_OF(xdr_void), NULL, patience) == RPC_PROGVERSMISMATCH);
    clnt_geterr(other, &error);
    CHECK(error.re_vers.low == 1 && error.re_vers.high == 1);
    char here[] = "here";
    gid_t groups[2] = {3, 4};
    auth_destroy(client->cl_auth);
    client->cl_auth = authunix_create(here, 815, 1, 2, groups);
    CHECK(clnt_call(client, SAMPLE_WHO, XDR_OF(xdr_void), NULL, XDR_OF(xdr_u_int), (caddr_t)&user, patience) == RPC_SUCCESS);
    CHECK(user == 1000815);
    auth_destroy(client->cl_auth);
    client->cl_auth = authnone_create();
    clnt_destroy(client);
    clnt_destroy(other);
}

static void their_clients(const char *folder, uint32_t workers, uint32_t fragment)
{
    char local[110];
    const struct whittle_onc_server_options options = {.workers = workers, .fragment = fragment};
    struct running running;
    snprintf(local, sizeof local, "unix:%s/ours.sock", folder);
    const char *const addresses[] = {"tcp://127.0.0.1", "udp://127.0.0.1", local, NULL};
    running_open(&running, &options, addresses);
    their_client(running_at(&running, "tcp:"), 2000000);
    their_client(running_at(&running, "udp:"), 8000);
    their_client(local, 2000000);
    running_close(&running);
    CHECK(access(local + 5, F_OK) != 0);
}

int main(int count, char **arguments)
{
    CHECK(count > 1);
    our_clients(arguments[1]);
    their_clients(arguments[1], 0, 0);
    their_clients(arguments[1], 2, 1000);
    return 0;
}
