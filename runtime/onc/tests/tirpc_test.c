/* SPDX-License-Identifier: MIT-0 */
/* Our client and libtirpc's server, our server and libtirpc's client: messages of all sizes and callers, over every transport. */
#include "tirpc.h"

struct block {
    u_int size;
    char *bytes;
};

static bool_t xdr_block(XDR *xdr, struct block *block)
{
    return xdr_bytes(xdr, &block->bytes, &block->size, ~0u);
}

static const struct timeval patience = {30, 0};

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
    case SAMPLE_WHO:
        number = who(request);
        svc_sendreply(transport, XDR_OF(xdr_u_int), (caddr_t)&number);
        break;
    default: svcerr_noproc(transport); break;
    }
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
    struct theirs theirs;
    theirs_open(&theirs, folder, dispatch);
    our_client(theirs.tcp, &nobody, 0, 1000000);
    our_client(theirs.tcp, &system, 1004711, 100000);
    our_client(theirs.tcp, &pieces, 0, 3000);
    our_client(theirs.udp, &nobody, 0, 8000);
    our_client(theirs.udp, &self, 1000000 + geteuid(), 8000);
    our_client(theirs.local, &system, 1004711, 1000000);
    theirs_close(&theirs);
}

static void their_client(const char *address, u_int most)
{
    static char bytes[2000000];
    CLIENT *const client = client_of_theirs(address, SAMPLE_PROGRAM, SAMPLE_ONE);
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
    char here[] = "here";
    gid_t groups[2] = {3, 4};
    auth_destroy(client->cl_auth);
    client->cl_auth = authunix_create(here, 815, 1, 2, groups);
    CHECK(clnt_call(client, SAMPLE_WHO, XDR_OF(xdr_void), NULL, XDR_OF(xdr_u_int), (caddr_t)&user, patience) == RPC_SUCCESS);
    CHECK(user == 1000815);
    auth_destroy(client->cl_auth);
    client->cl_auth = authnone_create();
    clnt_destroy(client);
}

static void their_clients(const char *folder, uint32_t workers, uint32_t fragment)
{
    char local[110];
    const struct whittle_onc_server_options options = {.workers = workers, .fragment = fragment};
    struct running running;
    snprintf(local, sizeof local, "unix:%s/ours-%d.sock", folder, (int)getpid());
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
