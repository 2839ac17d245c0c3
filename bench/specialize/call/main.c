/*
 * Round trips over UDP on loopback: whoever was linked in calls in turn within each round, and nanoseconds per call are
 * printed: the median of the round by the clock, and the mean of the client's own processor time, with the system's:
 *     call-ints|call-ints-processor BYTES WHO ROUND NANOSECONDS
 * `limit` is tirpc's own call with nothing marshalled on the client's side: streams are moved over the integers. The server is libtirpc as installed.
 * usage: calls ROUNDS CALLS
 */
#include "../timing.h"
#include <netinet/in.h>
#include <rpc/rpc.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PROGRAM = 0x20000077, VERSION = 1, SENDING = 60800, MOST_CALLS = 100000, SIZE_COUNT = 7, MOST = 15000 };

typedef enum clnt_stat call(CLIENT *, int *arguments, int *results, struct timeval timeout);
typedef CLIENT *create(int, const struct netbuf *, rpcprog_t, rpcvers_t, u_int, u_int);

#define WHOS(DO) DO(tirpc) DO(whittle)
#define SIZES(DO, WHO) DO(WHO, 20) DO(WHO, 100) DO(WHO, 250) DO(WHO, 500) DO(WHO, 1000) DO(WHO, 2000) DO(WHO, 15000)
#define DECLARE(WHO, N) extern call WHO##_call_##N;
#define DECLARE_ALL(WHO) extern create WHO##_clnt_dg_create; SIZES(DECLARE, WHO)
WHOS(DECLARE_ALL)

#define CALL_OF(WHO, N) WHO##_call_##N,
#define ENTRY(WHO) {#WHO, WHO##_clnt_dg_create, {SIZES(CALL_OF, WHO)}},
static const struct { const char *who; create *create; call *call[SIZE_COUNT]; } all[] = {WHOS(ENTRY)};
enum { OTHERS = sizeof all / sizeof *all };
static const int sizes[] = {20, 100, 250, 500, 1000, 2000, 15000};

static int sent[MOST], back[MOST];
static double taken[MOST_CALLS];
static struct sockaddr_in server;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

struct array { int count; int value[MOST]; };

/* Integers as the protocol has them, as many as the procedure's number says. */
static bool_t array(XDR *xdrs, struct array *array)
{
    return xdr_vector(xdrs, (char *)array->value, (u_int)array->count, sizeof(int), (xdrproc_t)xdr_int);
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    static struct array values;
    values.count = (int)request->rq_proc;
    if (values.count > MOST || !svc_getargs(transport, (xdrproc_t)array, (caddr_t)&values)) {
        svcerr_decode(transport);
        return;
    }
    svc_sendreply(transport, (xdrproc_t)array, (caddr_t)&values);
}

/* A server on any port, in a process of its own. */
static pid_t serve(void)
{
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    server.sin_family = AF_INET;
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof server;
    if (bind(file, (struct sockaddr *)&server, length) != 0 || getsockname(file, (struct sockaddr *)&server, &length) != 0)
        fail("bind");
    const pid_t child = fork();
    if (child != 0) {
        close(file);
        return child;
    }
    pin(1);
    SVCXPRT *transport = svc_dg_create(file, 65000, 65000);
    if (transport == NULL || !svc_reg(transport, PROGRAM, VERSION, dispatch, NULL))
        exit(1);
    svc_run();
    exit(1);
}

static CLIENT *connect_to(create *create)
{
    struct sockaddr_in address = server;
    const struct netbuf where = {sizeof address, sizeof address, &address};
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    CLIENT *client = create(file, &where, PROGRAM, VERSION, SENDING, SENDING);
    if (client == NULL)
        fail("clnt_dg_create");
    return client;
}

static void check(CLIENT *client, const char *who, call *call, int count)
{
    const struct timeval patience = {5, 0};
    memset(back, 0, sizeof back);
    const enum clnt_stat status = call(client, sent, back, patience);
    if (status != RPC_SUCCESS || memcmp(sent, back, (size_t)count * sizeof *sent) != 0) {
        fprintf(stderr, "%s with %d integers: status %d\n", who, count, (int)status);
        exit(1);
    }
}

/* Ends a round: what was taken is printed. */
static void print(int integers, const char *who, int round, size_t calls, double processor)
{
    qsort(taken, calls, sizeof *taken, by_size);
    printf("call-ints %d %s %d %.0f\n", integers * 4, who, round, taken[calls / 2]);
    printf("call-ints-processor %d %s %d %.0f\n", integers * 4, who, round, processor / (double)calls);
}

static void time_calls(CLIENT *client, call *call, size_t calls, int integers, const char *who, int round)
{
    const struct timeval patience = {5, 0};
    const double begin = now(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < calls; i++) {
        const double start = now(CLOCK_MONOTONIC);
        if (call(client, sent, back, patience) != RPC_SUCCESS)
            fail("call");
        taken[i] = now(CLOCK_MONOTONIC) - start;
    }
    print(integers, who, round, calls, now(CLOCK_THREAD_CPUTIME_ID) - begin);
}

/* Moves a stream over integers. */
static bool_t skip(XDR *xdrs, unsigned *count)
{
    return XDR_INLINE(xdrs, *count * 4) != NULL;
}

static enum clnt_stat call_skipping(CLIENT *client, int *arguments, int *results, struct timeval timeout)
{
    static unsigned count;
    count = (unsigned)*arguments;
    (void)results;
    return CLNT_CALL(client, count, (xdrproc_t)skip, (caddr_t)&count, (xdrproc_t)skip, (caddr_t)&count, timeout);
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    const int rounds = atoi(arguments[1]);
    const size_t calls = (size_t)atoi(arguments[2]) < MOST_CALLS ? (size_t)atoi(arguments[2]) : MOST_CALLS;
    for (int i = 0; i < MOST; i++)
        sent[i] = i * 77777;
    const pid_t child = serve();
    pin(0);
    CLIENT *client[OTHERS];
    for (int who = 0; who < OTHERS; who++)
        client[who] = connect_to(all[who].create);
    for (int size = 0; size < SIZE_COUNT; size++) {
        const int integers = sizes[size];
        for (int who = 0; who < OTHERS; who++)
            check(client[who], all[who].who, all[who].call[size], integers);
        for (int round = 0; round < rounds; round++) {
            for (int who = 0; who < OTHERS; who++)
                time_calls(client[who], all[who].call[size], calls, integers, all[who].who, round);
            const int first = sent[0];
            sent[0] = integers;
            time_calls(client[0], call_skipping, calls, integers, "limit", round);
            sent[0] = first;
        }
    }
    kill(child, SIGTERM);
    return 0;
}
