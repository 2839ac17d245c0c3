/*
 * Messages that end too early, or hold what nobody wrote, at every place of every type. Whatever fails leaves empty results and nothing allocated:
 * sanitizers look on.
 */
#include "samples.h"
#include "carrier.h"
#include "relay.h"

static uint32_t seed;
static int failures;

/* The server: reads all that it is given, and answers as the seed says. */
#define SERVE(name, given, lies, T, each)                                                                                                    \
    static int serve_##name(void *context, given argument, T *result)                                                                        \
    {                                                                                                                                        \
        (void)context;                                                                                                                       \
        struct walk asked = walk_of(seed), answered = asked;                                                                                 \
        asked.is_quiet = true;                                                                                                               \
        answered.is_making = true;                                                                                                           \
        each(&asked, (T *)lies);                                                                                                             \
        each(&answered, result);                                                                                                             \
        return 0;                                                                                                                            \
    }
#define SERVE_SIMPLE(name, T, each) SERVE(name, T, &argument, T, each)
#define SERVE_TEXT(name, T, each) SERVE(name, const char *, &argument, T, each)
#define SERVE_RECORD(name, T, type) SERVE(name, const T *, argument, T, walk_##type)
PROCEDURES(SERVE_SIMPLE, SERVE_TEXT, SERVE_RECORD)
SERVE(chain, const struct list *, &argument, chain, walk_chain)

#define SERVED(name, ...) .send_##name = serve_##name,
static const struct every_operations operations = {PROCEDURES(SERVED, SERVED, SERVED).send_chain = serve_chain};

static void nothing_to_free(void *value) { (void)value; }
static void text_free(char **value) { free(*value); }
#define point_free nothing_to_free
#define rect_free nothing_to_free
#define mixed_free nothing_to_free
#define flag_free nothing_to_free

/* The client: what is in the results before must not be there when the call fails. */
#define TRY(name, T, each, given, release)                                                                                                    \
    static int try_##name(struct CARRIER(client) *client)                                                                                 \
    {                                                                                                                                        \
        static const T nothing;                                                                                                              \
        struct walk walk = walk_of(seed);                                                                                                    \
        T sent, received;                                                                                                                    \
        memset(&sent, 0, sizeof sent);                                                                                                       \
        memset(&received, 0x55, sizeof received);                                                                                            \
        walk.is_making = true;                                                                                                               \
        each(&walk, &sent);                                                                                                                  \
        int const status = every_send_##name(client, given, &received);                                                                      \
        if (status == 0)                                                                                                                     \
            release(&received);                                                                                                               \
        else if (memcmp(&received, &nothing, sizeof nothing) != 0)                                                                           \
            failures++, fprintf(stderr, "%s: results are not empty\n", #name);                                                               \
        release(&sent);                                                                                                                       \
        return status;                                                                                                                       \
    }
#define TRY_SIMPLE(name, T, each) TRY(name, T, each, sent, nothing_to_free)
#define TRY_TEXT(name, T, each) TRY(name, T, each, sent, text_free)
#define TRY_RECORD(name, T, type) TRY(name, T, walk_##type, &sent, type##_free)
PROCEDURES(TRY_SIMPLE, TRY_TEXT, TRY_RECORD)
TRY(chain, chain, walk_chain, sent, chain_free)

#define TRIED(name, ...) {#name, try_##name},
static const struct procedure {
    const char *name;
    int (*try)(struct CARRIER(client) *client);
} procedures[] = {PROCEDURES(TRIED, TRIED, TRIED){"chain", try_chain}};

static void expect(const struct procedure *procedure, struct CARRIER(client) *client, int expected)
{
    int const status = procedure->try(client);
    if (status != expected && failures++ < 20)
        fprintf(stderr, "%s, seed %u, %s cut at %u: %s\n", procedure->name, seed, relay.which == RESPONSE ? "the reply" : "the request", relay.at,
                CARRIER(text)(status));
}

/* Both messages of a call: cut at places all over them, and words in them overwritten. */
static void damage(const struct procedure *procedure, struct CARRIER(client) *client)
{
    static const uint32_t words[] = {0xffffffff, 0, 1, 0x7fffffff, 0x01000000};
    relay.how = NOTHING;
    expect(procedure, client, 0);
    uint32_t const lengths[2] = {relay.lengths[REQUEST], relay.lengths[RESPONSE]}, begins[2] = {relay.begins[REQUEST], relay.begins[RESPONSE]};
    for (int which = REQUEST; which <= RESPONSE; which++) {
        uint32_t const begin = begins[which];
        uint32_t const step = ((lengths[which] - begin) / 150 + 1) * 4;
        relay.which = which;
        for (relay.at = begin; relay.at < lengths[which]; relay.at += step) {
            relay.how = CUT;
            int bad_reply = BAD_RESULTS;
#ifdef FLUKE
            /* No server sends fewer words than there are registers. */
            if (relay.at < 8 * WHITTLE_FLUKE_REGISTERS)
                bad_reply = WHITTLE_FLUKE_BAD_REPLY;
#endif
            expect(procedure, client, which == REQUEST ? BAD_REQUEST : bad_reply);
            relay.how = OVERWRITE;
            relay.with = htonl(words[relay.at / step % 5]);
            (void)procedure->try(client);
        }
    }
}

static void *serving(void *server)
{
#ifdef FLUKE
    if (every_serve(server, &operations, NULL) != 0)
        failures++;
#else
    CARRIER(server_run)(server);
#endif
    return NULL;
}

#ifdef FLUKE
int main(void)
{
    pthread_t threads[2];
    struct whittle_fluke_server server = {whittle_fluke_port_new()};
    if (!relay_begin(&threads[0], server.port))
        return 1;
    struct whittle_fluke_client client = {relay.port};
    pthread_create(&threads[1], NULL, serving, &server);
    for (seed = 0; seed < 4; seed++)
        for (size_t i = 0; i < sizeof procedures / sizeof *procedures; i++)
            damage(&procedures[i], &client);
    relay_end(threads[0]);
    whittle_fluke_port_close(server.port);
    pthread_join(threads[1], NULL);
    whittle_fluke_port_free(server.port);
    return failures == 0 ? 0 : 1;
}
#else
int main(void)
{
    pthread_t threads[2];
    struct CARRIER(server) *const server = CARRIER(server_new)(NULL);
    if (server == NULL || every_serve(server, &operations, NULL) != 0 || CARRIER(server_listen)(server, "tcp://127.0.0.1") != 0)
        return 1;
    if (!relay_begin(&threads[0], (uint16_t)PORT(server)))
        return 1;
    pthread_create(&threads[1], NULL, serving, server);
#ifdef MACH
    struct CARRIER(client) *const client = CARRIER(client_open)(ADDRESS(server, 0), NULL, NULL);
#else
    char address[60];
    snprintf(address, sizeof address, REFERENCE, relay.port, "every");
    struct CARRIER(client) *const client = CARRIER(client_open)(address, NULL, NULL);
#endif
    for (seed = 0; client != NULL && seed < 4; seed++)
        for (size_t i = 0; i < sizeof procedures / sizeof *procedures; i++)
            damage(&procedures[i], client);
    CARRIER(client_close)(client);
    CARRIER(server_stop)(server);
    pthread_join(threads[1], NULL);
    relay_end(threads[0]);
    CARRIER(server_free)(server);
    return client != NULL && failures == 0 ? 0 : 1;
}
#endif
