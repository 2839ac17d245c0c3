/* Calls all of every.x, in either style, at the address it is given (`small`: nothing large): what it sends, and what must come back, are made from seeds. */
#include "samples.h"

static struct walk walk;
static bool failed;

#ifdef RPCGEN
#include <arpa/inet.h>
typedef CLIENT *handle;
#define CALL(name, ...) (name##_1(__VA_ARGS__, client) == RPC_SUCCESS)
#define BARE_CALL(name) (name##_1(NULL, client) == RPC_SUCCESS)
#define NO_RESULT , NULL
#define THE(value) value
#define FREE(type, value) xdr_free((xdrproc_t)xdr_##type, (char *)(value))

/* tcp://127.0.0.1:port, or udp */
static CLIENT *opened(const char *address)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int socket = RPC_ANYSOCK;
    if (strncmp(address, "udp", 3) == 0)
        return clntudp_create(&to, EVERY, EVERY_VERSION, (struct timeval){.tv_sec = 5}, &socket);
    return clnttcp_create(&to, EVERY, EVERY_VERSION, &socket, 0, 0);
}
#else
#include "carrier.h"
typedef struct CARRIER(client) *handle;
static int status;
#define CALL(name, ...) ((status = every_##name(client, __VA_ARGS__)) == 0)
#define BARE_CALL(name) ((status = every_##name(client)) == 0)
#define NO_RESULT
#define THE(value) &value
#define FREE(type, value) type##_free(value)
/* What holds nothing has no function that lets go. */
static void point_free(struct point *value) { (void)value; }
static void rect_free(struct rect *value) { (void)value; }
static void mixed_free(struct mixed *value) { (void)value; }
static void flag_free(struct flag *value) { (void)value; }
#endif

static void complain(const char *what)
{
#ifdef RPCGEN
    fprintf(stderr, "%s failed\n", what);
#else
    fprintf(stderr, "%s: %s\n", what, CARRIER(text)(status));
#endif
    failed = true;
}

/* The next value is made and sent; what comes back must be the same. */
#define EXCHANGE(name, T, each, given, release)                                                                                               \
    static void try_##name(handle client)                                                                                                    \
    {                                                                                                                                        \
        struct walk back = walk;                                                                                                             \
        T sent, received;                                                                                                                    \
        memset(&sent, 0, sizeof sent);                                                                                                       \
        memset(&received, 0, sizeof received);                                                                                               \
        each(&walk, &sent);                                                                                                                  \
        back.is_making = false;                                                                                                              \
        if (!CALL(send_##name, given, &received))                                                                                                 \
            complain("send_" #name);                                                                                                          \
        else                                                                                                                                 \
            each(&back, &received);                                                                                                          \
        failed = failed || !back.is_same;                                                                                                    \
        release;                                                                                                                              \
    }
#define SIMPLE(name, T, each) EXCHANGE(name, T, each, sent, (void)0)
#define TEXT(name, T, each) EXCHANGE(name, T, each, sent, (free(sent), free(received)))
#define RECORD(name, T, type) EXCHANGE(name, T, walk_##type, THE(sent), (FREE(type, &sent), FREE(type, &received)))
PROCEDURES(SIMPLE, TEXT, RECORD)
EXCHANGE(chain, chain, walk_chain, sent, (FREE(chain, &sent), FREE(chain, &received)))

static void try_many(handle client)
{
    int32_t first = 0, result = 0;
    char *second = NULL;
    struct point third = {0, 0};
    COUNTED(ints) fourth = {0, NULL};
    double fifth = 0;
    an_int(&walk, &first);
    walk_name(&walk, &second);
    walk_point(&walk, &third);
    walk_ints(&walk, &fourth);
    a_double(&walk, &fifth);
    if (!CALL(many, first, second, THE(third), THE(fourth), fifth, &result) || result != first)
        complain("many");
    free(second);
    FREE(ints, &fourth);
}

#ifndef RPCGEN
/* An argument may lie where the result is wanted. */
static void try_in_place(handle client)
{
    struct point point = {0, 0};
    walk = walk_of(3);
    walk.is_making = true;
    walk_point(&walk, &point);
    const struct point sent = point;
    if (!CALL(use, 3) || !CALL(send_point, &point, &point) || point.x != sent.x || point.y != sent.y)
        complain("in place");
}
#endif

#define TRY(name, ...) try_##name(client);

int main(int argc, char **argv)
{
    bool const is_small = argc > 2 && strcmp(argv[2], "small") == 0;
#ifdef RPCGEN
    handle const client = opened(argv[1]);
#else
    handle const client = CARRIER(client_open)(argv[1], NULL, &status);
#endif
    if (client == NULL)
        complain(argv[1]);
    for (uint32_t seed = 0; seed < 20 && !failed; seed += is_small ? 2 : 1) {
        if (!CALL(use, seed NO_RESULT) || !BARE_CALL(nothing))
            complain("use");
        walk = walk_of(seed);
        walk.is_making = true;
        PROCEDURES(TRY, TRY, TRY)
        try_chain(client);
        try_many(client);
    }
#ifndef RPCGEN
    if (!failed)
        try_in_place(client);
#endif
    if (client != NULL && !BARE_CALL(shut_down))
        complain("shut_down");
#ifdef RPCGEN
    if (client != NULL)
        clnt_destroy(client);
#else
    CARRIER(client_close)(client);
#endif
    return failed ? 1 : 0;
}
