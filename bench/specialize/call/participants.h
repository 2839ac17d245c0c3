/*
 * Who takes part: the functions of each, one for each size of array. Two more mark the limits, with the library's own
 * code around them: `limit` moves streams over the array and touches nothing, `copy` copies the array as it is.
 */
#include <netinet/in.h>
#include <rpc/rpc.h>
#include <string.h>

enum { PROGRAM = 0x20000077, SENDING = 60800, BUFFER = 65000, SIZE_COUNT = 7, MOST = 15000 };

/* An array may begin at any cache line of a page: where it lies beside a buffer, copying takes more or less time. */
enum { LINE = 16, LINES = 64, ROOM = MOST + LINE * LINES };

typedef enum clnt_stat call(CLIENT *, int *arguments, int *results, struct timeval timeout);
typedef void answer(SVCXPRT *, int *values);

struct participant {
    /* Make a client's authenticator and a transport's operations the participant's own. */
    AUTH *(*authenticator)(void);
    void (*adopt)(SVCXPRT *);
    call *call[SIZE_COUNT];
    answer *answer[SIZE_COUNT];
};

#define SIZES(DO, WHO) DO(WHO, 20) DO(WHO, 100) DO(WHO, 250) DO(WHO, 500) DO(WHO, 1000) DO(WHO, 2000) DO(WHO, 15000)
static const int sizes[] = {20, 100, 250, 500, 1000, 2000, 15000};

#define DECLARE(WHO, N)                                                                                                \
    extern call WHO##_call_##N;                                                                                        \
    extern answer WHO##_answer_##N;
#define DECLARE_ALL(WHO)                                                                                               \
    extern AUTH *WHO##_authnone_create(void);                                                                          \
    extern void WHO##_adopt(SVCXPRT *);                                                                                \
    SIZES(DECLARE, WHO)
DECLARE_ALL(tirpc)
DECLARE_ALL(whittle)

extern CLIENT *tirpc_clnt_dg_create(int, const struct netbuf *, rpcprog_t, rpcvers_t, u_int, u_int);
extern SVCXPRT *tirpc_svc_dg_create(int, u_int, u_int);
extern bool_t tirpc_svc_reg(SVCXPRT *, rpcprog_t, rpcvers_t, void (*)(struct svc_req *, SVCXPRT *), const void *);
extern void tirpc_svc_run(void);

/* As many integers as the call in hand has. */
static unsigned integers;

static bool_t skip(XDR *xdrs, int *values)
{
    (void)values;
    return XDR_INLINE(xdrs, integers * 4) != NULL;
}

static bool_t copy(XDR *xdrs, int *values)
{
    int32_t *message = XDR_INLINE(xdrs, integers * 4);
    if (message == NULL)
        return FALSE;
    if (xdrs->x_op == XDR_ENCODE)
        memcpy(message, values, integers * 4);
    else
        memcpy(values, message, integers * 4);
    return TRUE;
}

#define BY(WHO, ROUTINE)                                                                                               \
    static enum clnt_stat WHO##_call(CLIENT *client, int *arguments, int *results, struct timeval timeout)             \
    {                                                                                                                  \
        return CLNT_CALL(client, integers, (xdrproc_t)ROUTINE, (caddr_t)arguments, (xdrproc_t)ROUTINE,                 \
                         (caddr_t)results, timeout);                                                                   \
    }                                                                                                                  \
    static void WHO##_answer(SVCXPRT *transport, int *values)                                                          \
    {                                                                                                                  \
        if (svc_getargs(transport, (xdrproc_t)ROUTINE, (caddr_t)values))                                               \
            svc_sendreply(transport, (xdrproc_t)ROUTINE, (caddr_t)values);                                             \
    }
BY(limit, skip)
BY(copy, copy)

enum { TIRPC, WHITTLE, LIMIT, COPY, PARTICIPANTS };
#define CALL_OF(WHO, N) WHO##_call_##N,
#define ANSWER_OF(WHO, N) WHO##_answer_##N,
#define SAME_CALL(WHO, N) WHO##_call,
#define SAME_ANSWER(WHO, N) WHO##_answer,
static const struct participant participants[PARTICIPANTS] = {
    {tirpc_authnone_create, tirpc_adopt, {SIZES(CALL_OF, tirpc)}, {SIZES(ANSWER_OF, tirpc)}},
    {whittle_authnone_create, whittle_adopt, {SIZES(CALL_OF, whittle)}, {SIZES(ANSWER_OF, whittle)}},
    {tirpc_authnone_create, tirpc_adopt, {SIZES(SAME_CALL, limit)}, {SIZES(SAME_ANSWER, limit)}},
    {tirpc_authnone_create, tirpc_adopt, {SIZES(SAME_CALL, copy)}, {SIZES(SAME_ANSWER, copy)}},
};
