/* shaped.x as it usually is, in the plain style or rpcgen's (RPCGEN): a server that prints where it is, or a client of the server at an address. */
#include "shaped.h"
#include "shaped_usual.h"

static uint32_t seed;

#ifdef RPCGEN
#include <arpa/inet.h>
#define THE(argument) (&argument)

int shaped_1_freeresult(SVCXPRT *transport, xdrproc_t routine, caddr_t result)
{
    (void)transport;
    xdr_free(routine, result);
    return 1;
}
#else
#include "carrier.h"
static struct CARRIER(server) *server;
#define THE(argument) (argument)
#endif

#ifdef RPCGEN
#define SERVE(name, given, T, is_good, make)                                                                                                 \
    bool_t name##_1_svc(T argument, T *result, struct svc_req *request)                                                                      \
    {                                                                                                                                        \
        (void)request;                                                                                                                       \
        expect(is_good, #name, seed);                                                                                                        \
        make;                                                                                                                                \
        return TRUE;                                                                                                                         \
    }
#define OF(T) T
#else
#define SERVE(name, given, T, is_good, make)                                                                                                 \
    static int name(void *context, given argument, T *result)                                                                                \
    {                                                                                                                                        \
        (void)context;                                                                                                                       \
        expect(is_good, #name, seed);                                                                                                        \
        make;                                                                                                                                \
        return 0;                                                                                                                            \
    }
#define OF(T) struct T
#endif
SERVE(send_entry, const OF(entry) *, OF(entry), is_entry(seed, THE(argument)), make_entry(seed, result))
SERVE(send_line, const char *, line, is_text(argument, seed, 1, 99), *result = made_text(seed, 2, 99))
SERVE(send_name, const char *, name, is_text(argument, seed, 1, 8), *result = made_text(seed, 2, 8))
SERVE(send_digest, const OF(digest) *, OF(digest), is_digest(seed, 1, THE(argument)), make_digest(seed, 2, result))
SERVE(send_numbers, const OF(numbers) *, OF(numbers), is_numbers(seed, 1, THE(argument)), make_numbers(seed, 2, result))
SERVE(send_names, const OF(names) *, OF(names), is_names(seed, 1, THE(argument)), make_names(seed, 2, result))
SERVE(send_lines, const OF(lines) *, OF(lines), is_lines(seed, 1, THE(argument)), make_lines(seed, 2, result))
SERVE(send_entries, const OF(entries) *, OF(entries), is_entries(seed, THE(argument)), make_entries(seed, result))
SERVE(send_answer, const OF(answer) *, OF(answer), is_answer(seed, THE(argument)), make_answer(seed, result))

#ifdef RPCGEN
bool_t use_1_svc(u_int argument, void *result, struct svc_req *request)
{
    (void)result, (void)request;
    seed = argument;
    return TRUE;
}

bool_t shut_down_1_svc(void *result, struct svc_req *request)
{
    (void)result, (void)request;
    svc_exit();
    return TRUE;
}

extern void shaped_1(struct svc_req *request, SVCXPRT *transport);

static int serve(void)
{
    SVCXPRT *const transport = svctcp_create(RPC_ANYSOCK, 0, 0);
    if (transport == NULL || !svc_register(transport, SHAPED, SHAPED_VERSION, shaped_1, 0))
        return 1;
    printf("tcp://127.0.0.1:%d\n", (int)transport->xp_port);
    fflush(stdout);
    svc_run();
    svc_destroy(transport);
    return failures == 0 ? 0 : 1;
}

typedef CLIENT *handle;
#define CALL(name, argument, result) expect(name##_1(argument, result, client) == RPC_SUCCESS, #name, seed)
#define GIVEN(value) value
#define FREE(type, value) xdr_free((xdrproc_t)xdr_##type, (char *)(value))

static handle opened(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int socket = RPC_ANYSOCK;
    return clnttcp_create(&to, SHAPED, SHAPED_VERSION, &socket, 0, 0);
}
#define closed(client) clnt_destroy(client)
#define shaped_use(client, seed) use_1(seed, NULL, client)
#define shaped_shut_down(client) shut_down_1(NULL, client)
#else
static int use(void *context, uint32_t argument)
{
    (void)context;
    seed = argument;
    return 0;
}

static int shut_down(void *context)
{
    (void)context;
    CARRIER(server_stop)(server);
    return 0;
}

static const struct shaped_operations operations = {
    use, send_entry, send_line, send_name, send_digest, send_numbers, send_names, send_lines, send_entries, send_answer, shut_down};

static int serve(void)
{
    server = CARRIER(server_new)(NULL);
    if (shaped_serve(server, &operations, NULL) != 0 || CARRIER(server_listen)(server, "tcp://127.0.0.1") != 0)
        return 1;
    puts(ADDRESS(server, 0));
    fflush(stdout);
    CARRIER(server_run)(server);
    CARRIER(server_free)(server);
    return failures == 0 ? 0 : 1;
}

typedef struct CARRIER(client) *handle;
#define CALL(name, argument, result) expect(shaped_##name(client, argument, result) == 0, #name, seed)
#define GIVEN(value) &value
#define FREE(type, value) type##_free(value)
#define opened(address) CARRIER(client_open)(address, NULL, NULL)
#define closed(client) CARRIER(client_close)(client)
#endif

#define TRY(T, name, make, is_good)                                                                                                          \
    do {                                                                                                                                     \
        OF(T) sent, result;                                                                                                                  \
        memset(&result, 0, sizeof result);                                                                                                   \
        make;                                                                                                                                \
        CALL(name, GIVEN(sent), &result);                                                                                                    \
        expect(is_good, "what " #name " answers", seed);                                                                                     \
        FREE(T, &sent);                                                                                                                      \
        FREE(T, &result);                                                                                                                    \
    } while (0)
#define TRY_TEXT(name, most)                                                                                                                 \
    do {                                                                                                                                     \
        char *const sent = made_text(seed, 1, most), *result = NULL;                                                                         \
        CALL(name, sent, &result);                                                                                                           \
        expect(is_text(result, seed, 2, most), "what " #name " answers", seed);                                                              \
        free(sent);                                                                                                                          \
        free(result);                                                                                                                        \
    } while (0)

static int ask(const char *address)
{
    handle const client = opened(address);
    for (seed = 0; client != NULL && seed < 60; seed++) {
        shaped_use(client, seed);
        TRY(entry, send_entry, make_entry(seed, &sent), is_entry(seed, &result));
        TRY_TEXT(send_line, 99);
        TRY_TEXT(send_name, 8);
        TRY(digest, send_digest, make_digest(seed, 1, &sent), is_digest(seed, 2, &result));
        TRY(numbers, send_numbers, make_numbers(seed, 1, &sent), is_numbers(seed, 2, &result));
        TRY(names, send_names, make_names(seed, 1, &sent), is_names(seed, 2, &result));
        TRY(lines, send_lines, make_lines(seed, 1, &sent), is_lines(seed, 2, &result));
        TRY(entries, send_entries, make_entries(seed, &sent), is_entries(seed, &result));
        TRY(answer, send_answer, make_answer(seed, &sent), is_answer(seed, &result));
    }
    if (client == NULL)
        return 1;
    shaped_shut_down(client);
    closed(client);
    return failures == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    return argc > 1 ? ask(argv[1]) : serve();
}
