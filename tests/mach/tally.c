/*
 * rpcgen's style over ports: the main that was written serves, found by its numbers; values of all sizes, threads, what a server refuses,
 * and requests and replies that are damaged. Whatever they bring is released: kernel.c counts rights and memory.
 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "tally.h"
#include "whittle_mach_rpc.h"
#include <mach.h>
#include "expect.h"

/* The program's names of ports: one host. */
static mach_port_t offered;
bool rpc_mach_offer(mach_port_t port, rpcprog_t program, rpcvers_t version)
{
    EXPECT(program == TALLY && (version == TALLY_1 || version == TALLY_2) && (offered == MACH_PORT_NULL || offered == port));
    __atomic_store_n(&offered, port, __ATOMIC_RELEASE);
    return true;
}
mach_port_t rpc_mach_find(const char *host, rpcprog_t program, rpcvers_t version)
{
    mach_port_t port = MACH_PORT_NULL;
    (void)program, (void)version;
    if (strcmp(host, "here") != 0)
        return MACH_PORT_NULL;
    while ((port = __atomic_load_n(&offered, __ATOMIC_ACQUIRE)) == MACH_PORT_NULL)
        sched_yield();
    EXPECT(mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS);
    return port;
}

int *tally_add_1_svc(int *argp, struct svc_req *rqstp)
{
    static int sum;
    EXPECT(rqstp->rq_prog == TALLY && strcmp(rqstp->rq_xprt->xp_netid, "mach") == 0);
    sum = *argp + (int)rqstp->rq_vers;
    return &sum;
}
int *tally_add_2_svc(int *argp, struct svc_req *rqstp) { return tally_add_1_svc(argp, rqstp); }
found *tally_find_2_svc(char **argp, struct svc_req *rqstp)
{
    static int amounts[] = {3, -4};
    static found found;
    (void)rqstp;
    found.known = strcmp(*argp, "coal") == 0;
    if (found.known)
        found.found_u.entry = (entry){(char *)"coal", {2, amounts}};
    return &found;
}
ledger *tally_turn_2_svc(ledger *argp, struct svc_req *rqstp)
{
    (void)rqstp;
    return argp;
}
void *tally_refuse_2_svc(int *argp, struct svc_req *rqstp)
{
    SVCXPRT *const to = rqstp->rq_xprt;
    switch (*argp) {
    case 0: svcerr_systemerr(to); break;
    case 1: svcerr_weakauth(to); break;
    case 2: svcerr_noprog(to); break;
    default: break;     /* and nothing is said */
    }
    return NULL;
}
void *tally_end_2_svc(void *argp, struct svc_req *rqstp)
{
    static char nothing;
    (void)argp, (void)rqstp;
    svc_exit();
    return &nothing;
}

/* What was generated for the server: its main ends the thread. */
static _Noreturn void left(int code)
{
    EXPECT(code == 1);
    pthread_exit(NULL);
}
#define main serving_main
#define exit left
#include "tally_svc.c"
#undef main
#undef exit
static void *serving(void *none)
{
    (void)none;
    serving_main();
    return NULL;
}

static enum clnt_stat last(CLIENT *client)
{
    struct rpc_err error;
    clnt_geterr(client, &error);
    return error.re_status;
}

static void turned(CLIENT *client, unsigned count)
{
    int *const amounts = calloc(count + 1, sizeof *amounts);
    for (unsigned i = 0; i < count; i++)
        amounts[i] = (int)(i * 2654435761u);
    entry entries[2] = {{(char *)"", {count, amounts}}, {(char *)"iron", {0, NULL}}};
    ledger before = {{0, NULL}, -1, NULL}, given = {{2, entries}, (int64_t)1 << 40, &before};
    ledger *const got = tally_turn_2(&given, client);
    EXPECT(got != NULL);
    if (got != NULL) {
        EXPECT(got->entries.entries_len == 2 && got->sum == (int64_t)1 << 40 && got->before != NULL && got->before->sum == -1);
        const entry *const first = got->entries.entries_val;
        EXPECT(first->name[0] == 0 && strcmp(first[1].name, "iron") == 0 && first->amounts.amounts_len == count);
        EXPECT(count == 0 || memcmp(first->amounts.amounts_val, amounts, count * sizeof *amounts) == 0);
        EXPECT(clnt_freeres(client, (xdrproc_t)xdr_ledger, got));
    }
    free(amounts);
}

static void *calling(void *unused)
{
    (void)unused;
    CLIENT *const client = clnt_create("here", TALLY, TALLY_1, "mach");
    const struct timeval patience = {25, 0};
    for (int i = 0; client != NULL && i < 200; i++) {
        int sum = 0;
        EXPECT(clnt_call(client, TALLY_ADD, (xdrproc_t)xdr_int, &i, (xdrproc_t)xdr_int, &sum, patience) == RPC_SUCCESS && sum == i + 1);
    }
    clnt_destroy(client);
    return NULL;
}

static void values(CLIENT *client)
{
    static const unsigned counts[] = {0, 1, 200, 300, 2000, 16000, 16384, 17000, TALLY_MOST, 5};
    char *coal = (char *)"coal", *gold = (char *)"gold";
    int five = 5;
    const int *const sum = tally_add_2(&five, client);
    EXPECT(sum != NULL && *sum == 7);
    found *got = tally_find_2(&coal, client);
    EXPECT(got != NULL && got->known && got->found_u.entry.amounts.amounts_val[1] == -4);
    EXPECT(got != NULL && clnt_freeres(client, (xdrproc_t)xdr_found, got));
    got = tally_find_2(&gold, client);
    EXPECT(got != NULL && !got->known);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        turned(client, counts[i]);
}

static void refusals(CLIENT *client)
{
    static const enum clnt_stat expected[] = {RPC_SYSTEMERROR, RPC_AUTHERROR, RPC_PROGUNAVAIL, RPC_SYSTEMERROR};
    const struct timeval patience = {25, 0}, none = {0, 0};
    const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    struct rpc_err error;
    for (int i = 0; i < 4; i++)
        EXPECT(tally_refuse_2(&i, client) == NULL && last(client) == expected[i]);
    EXPECT(clnt_call(client, 0, nothing, NULL, nothing, NULL, patience) == RPC_SUCCESS);
    EXPECT(clnt_call(client, 9, nothing, NULL, nothing, NULL, patience) == RPC_PROCUNAVAIL);
    EXPECT(clnt_call(client, TALLY_TURN, nothing, NULL, nothing, NULL, patience) == RPC_CANTDECODEARGS);
    EXPECT(clnt_call(client, 0, nothing, NULL, (xdrproc_t)xdr_int, &(int){0}, patience) == RPC_CANTDECODERES);
    EXPECT(clnt_call(client, 0, nothing, NULL, NULL_xdrproc_t, NULL, none) == RPC_SUCCESS);
    EXPECT(clnt_call(client, 0, nothing, NULL, nothing, NULL, none) == RPC_TIMEDOUT);
    char long_name[80];
    memset(long_name, 'x', sizeof long_name);
    long_name[79] = 0;
    entry too_long = {long_name, {0, NULL}};
    EXPECT(tally_turn_2(&(ledger){{1, &too_long}, 0, NULL}, client) == NULL && last(client) == RPC_CANTENCODEARGS);
    uint32_t version = 9;
    EXPECT(clnt_control(client, CLSET_VERS, &version) && tally_add_2(&(int){1}, client) == NULL);
    clnt_geterr(client, &error);
    EXPECT(error.re_status == RPC_PROGVERSMISMATCH && error.re_vers.low == 1 && error.re_vers.high == 2);
    EXPECT(strstr(clnt_sperror(client, "tally"), "from 1 to 2") != NULL);
    version = TALLY + 1;
    EXPECT(clnt_control(client, CLSET_PROG, &version) && tally_add_2(&(int){1}, client) == NULL && last(client) == RPC_PROGUNAVAIL);
    version = TALLY;
    EXPECT(clnt_control(client, CLSET_PROG, &version));
    version = TALLY_2;
    EXPECT(clnt_control(client, CLSET_VERS, &version) && tally_add_2(&(int){1}, client) != NULL && last(client) == RPC_SUCCESS);
    EXPECT(clnt_create("elsewhere", TALLY, TALLY_1, "mach") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNHOST);
    EXPECT(clnt_create("here", TALLY, TALLY_1, "tcp") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNPROTO);
    EXPECT(clntmach_create(MACH_PORT_NULL, TALLY, TALLY_1) == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNADDR);
    /* More patiences than a client keeps apart. */
    for (int i = 1; i <= 40; i++)
        EXPECT(clnt_call(client, 0, nothing, NULL, nothing, NULL, (struct timeval){i * 37 % 41 + 5, 0}) == RPC_SUCCESS);
    rpcvers_t best = 0;
    CLIENT *const newest = clnt_create_vers("here", TALLY, &best, 1, 9, "mach");
    EXPECT(newest != NULL && best == 2);
    clnt_destroy(newest);
}

/* Of the messages one way a byte is changed, or the last ones are missing. */
static bool is_reply;
static unsigned place, cut;
static void damage(mach_msg_header_t *header)
{
    const size_t head = sizeof *header + sizeof(mach_msg_type_long_t);
    mach_msg_type_long_t *const type = (mach_msg_type_long_t *)(void *)(header + 1);
    if ((header->msgh_remote_port == MACH_PORT_NULL) != is_reply || header->msgh_size < head)
        return;
    char *const bytes = (char *)header + head;
    if (cut != 0 && type->msgtl_number >= cut)
        type->msgtl_number -= cut;
    else if (place < header->msgh_size - head)
        bytes[place] = (char)(bytes[place] ^ 0x55);
}

static void damaged(CLIENT *client)
{
    int amounts[] = {1, 2};
    entry entries[] = {{(char *)"tin", {2, amounts}}};
    const struct timeval patience = {5, 0};
    for (int way = 0; way < 2; way++)
        for (unsigned at = 0; at < 120; at++) {
            ledger got, given = {{1, entries}, 7, NULL};
            memset(&got, 0, sizeof got);
            is_reply = way == 1;
            place = at;
            cut = at < 60 ? 0 : at - 59;
            mach_transit = damage;
            clnt_call(client, TALLY_TURN, (xdrproc_t)xdr_ledger, &given, (xdrproc_t)xdr_ledger, &got, patience);
            mach_transit = NULL;
            xdr_free((xdrproc_t)xdr_ledger, &got);
        }
    EXPECT(tally_add_2(&(int){1}, client) != NULL);
}

/* Requests without all of the three words that they begin with, and replies without all that their first word promises. */
static void cut_short(CLIENT *client)
{
    const struct timeval patience = {5, 0};
    const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    uint32_t version;
    place = UINT_MAX;
    for (int way = 0; way < 3; way++) {
        is_reply = way > 0;
        version = way == 2 ? 9 : TALLY_2;
        clnt_control(client, CLSET_VERS, &version);
        for (cut = 1; cut <= (way == 1 ? 4 : 12); cut++) {
            mach_transit = damage;
            const enum clnt_stat status = clnt_call(client, 0, nothing, NULL, nothing, NULL, patience);
            mach_transit = NULL;
            EXPECT(status == (is_reply ? RPC_CANTDECODERES : RPC_CANTDECODEARGS));
        }
    }
    version = TALLY_2;
    clnt_control(client, CLSET_VERS, &version);
}

/* Nobody serves the port: calls wait as long as each of them may, and no longer. */
static void unserved(void)
{
    const struct timeval moment = {0, 20000}, patience = {0, 30000}, none = {0, 0};
    const xdrproc_t nothing = (xdrproc_t)(void (*)(void))xdr_void;
    mach_port_t port;
    EXPECT(mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &port) == KERN_SUCCESS);
    EXPECT(mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS);
    CLIENT *const client = clntmach_create(port, TALLY, TALLY_2);
    EXPECT(clnt_call(client, 0, nothing, NULL, nothing, NULL, moment) == RPC_TIMEDOUT);
    EXPECT(clnt_call(client, 0, nothing, NULL, NULL_xdrproc_t, NULL, none) == RPC_SUCCESS);
    EXPECT(clnt_control(client, CLSET_TIMEOUT, (void *)(uintptr_t)&patience));
    EXPECT(tally_add_2(&(int){1}, client) == NULL && last(client) == RPC_TIMEDOUT);
    clnt_destroy(client);
    EXPECT(mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1) == KERN_SUCCESS);
    EXPECT(mach_port_deallocate(mach_task_self(), port) == KERN_SUCCESS);
}

int main(void)
{
    pthread_t server, callers[3];
    const unsigned before = mach_left();
    pthread_create(&server, NULL, serving, NULL);
    CLIENT *const client = clnt_create("here", TALLY, TALLY_2, "mach");
    EXPECT(client != NULL && strcmp(client->cl_netid, "mach") == 0);
    while (tally_add_2(&(int){1}, client) == NULL)      /* until both versions are there */
        sched_yield();
    values(client);
    refusals(client);
    for (int i = 0; i < 3; i++)
        pthread_create(&callers[i], NULL, calling, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(callers[i], NULL);
    damaged(client);
    cut_short(client);
    EXPECT(tally_end_2(NULL, client) != NULL);
    pthread_join(server, NULL);
    unserved();
    EXPECT(tally_add_2(&(int){1}, client) == NULL && last(client) == RPC_CANTSEND);
    clnt_destroy(client);
    EXPECT(mach_left() == before);
    return failures != 0;
}
