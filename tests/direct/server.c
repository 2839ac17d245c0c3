/* Serves every.x, in either style: what comes must be what the seed says, and so is what goes back. Prints where it is; ends when it is told to. */
#include "samples.h"

static struct walk asked = {.is_same = true, .scale = 1};

/* A value of the procedure's came: it must be the next one. Then the answer is made. */
#define CHECK_AND_MAKE(each, argument, result)                                                                                               \
    do {                                                                                                                                     \
        struct walk answered = asked;                                                                                                        \
        each(&asked, argument);                                                                                                              \
        answered.is_making = true;                                                                                                           \
        each(&answered, result);                                                                                                             \
    } while (0)

#ifdef RPCGEN
#include <arpa/inet.h>
#define FUNCTION(name, ...) bool_t name##_1_svc(__VA_ARGS__, struct svc_req *request_)
#define NO_RESULT , void *result_
#define BEGIN (void)request_
#define NOTHING (void)result_
#define DONE return asked.is_same
#define BY_ADDRESS(T) T
#define TEXT_ARGUMENT char *
#define CONSTANT
#define THE(argument) &argument

int every_1_freeresult(SVCXPRT *transport, xdrproc_t routine, caddr_t result)
{
    (void)transport;
    xdr_free(routine, result);
    return 1;
}
#else
#include "carrier.h"
static struct CARRIER(server) *server;
#define FUNCTION(name, ...) static int name(void *context_, __VA_ARGS__)
#define NO_RESULT
#define BEGIN (void)context_
#define NOTHING
#define DONE return asked.is_same ? 0 : -1
#define BY_ADDRESS(T) const T *
#define TEXT_ARGUMENT const char *
#define CONSTANT const
#define THE(argument) argument
#endif

#define SIMPLE(name, T, each)                                                                                                                \
    FUNCTION(send_##name, T argument, T *result)                                                                                             \
    {                                                                                                                                        \
        BEGIN;                                                                                                                               \
        CHECK_AND_MAKE(each, &argument, result);                                                                                             \
        DONE;                                                                                                                                \
    }
#define TEXT(name, T, each)                                                                                                                  \
    FUNCTION(send_##name, TEXT_ARGUMENT argument, T *result)                                                                                        \
    {                                                                                                                                        \
        BEGIN;                                                                                                                               \
        char *given = (char *)argument;                                                                                                      \
        CHECK_AND_MAKE(each, &given, result);                                                                                                \
        DONE;                                                                                                                                \
    }
#define RECORD(name, T, type)                                                                                                                \
    FUNCTION(send_##name, BY_ADDRESS(T) argument, T *result)                                                                                        \
    {                                                                                                                                        \
        BEGIN;                                                                                                                               \
        CHECK_AND_MAKE(walk_##type, (T *)THE(argument), result);                                                                             \
        DONE;                                                                                                                                \
    }
PROCEDURES(SIMPLE, TEXT, RECORD)

FUNCTION(send_chain, CONSTANT struct list *argument, chain *result)
{
    BEGIN;
    chain given = (chain)argument;
    CHECK_AND_MAKE(walk_chain, &given, result);
    DONE;
}

FUNCTION(use, uint32_t seed NO_RESULT)
{
    BEGIN;
    NOTHING;
    asked = walk_of(seed);
    DONE;
}

FUNCTION(many, int32_t first, TEXT_ARGUMENT second, BY_ADDRESS(struct point) third, BY_ADDRESS(COUNTED(ints)) fourth, double fifth, int32_t *result)
{
    BEGIN;
    char *given = (char *)second;
    an_int(&asked, &first);
    walk_name(&asked, &given);
    walk_point(&asked, (struct point *)THE(third));
    walk_ints(&asked, (COUNTED(ints) *)THE(fourth));
    a_double(&asked, &fifth);
    *result = first;
    DONE;
}

#ifdef RPCGEN
bool_t nothing_1_svc(void *result, struct svc_req *request)
{
    (void)result, (void)request;
    return asked.is_same;
}

bool_t shut_down_1_svc(void *result, struct svc_req *request)
{
    (void)result, (void)request;
    svc_exit();
    return TRUE;
}

extern void every_1(struct svc_req *request, SVCXPRT *transport);

int main(int argc, char **argv)
{
    bool const is_datagram = argc > 1 && strncmp(argv[1], "udp", 3) == 0;
    SVCXPRT *const transport = is_datagram ? svcudp_create(RPC_ANYSOCK) : svctcp_create(RPC_ANYSOCK, 0, 0);
    if (transport == NULL || !svc_register(transport, EVERY, EVERY_VERSION, every_1, 0))
        return 1;
    printf("%s://127.0.0.1:%d\n", is_datagram ? "udp" : "tcp", (int)transport->xp_port);
    fflush(stdout);
    svc_run();
    svc_destroy(transport);
    return asked.is_same ? 0 : 1;
}
#else
static int nothing(void *context)
{
    (void)context;
    DONE;
}

static int shut_down(void *context)
{
    (void)context;
    CARRIER(server_stop)(server);
    return 0;
}

#define SERVED(name, ...) .send_##name = send_##name,
static const struct every_operations operations = {
    PROCEDURES(SERVED, SERVED, SERVED).send_chain = send_chain,
    .use = use,
    .nothing = nothing,
    .many = many,
    .shut_down = shut_down,
};

int main(int argc, char **argv)
{
    server = CARRIER(server_new)(NULL);
    int status = server == NULL ? NO_MEMORY : every_serve(server, &operations, NULL);
    if (status == 0)
        status = CARRIER(server_listen)(server, argc > 1 ? argv[1] : "tcp://127.0.0.1");
    if (status == 0) {
        puts(ADDRESS(server, 0));
        fflush(stdout);
        status = CARRIER(server_run)(server);
    }
    if (status != 0)
        fprintf(stderr, "server: %s\n", CARRIER(text)(status));
    CARRIER(server_free)(server);
    return status == 0 && asked.is_same ? 0 : 1;
}
#endif
