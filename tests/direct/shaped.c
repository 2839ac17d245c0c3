/*
 * shaped.x as shaped.pres has it: a server (`serve ADDRESS`) that prints where it is, a client of the server at an address; or, with `damage`, both, with messages
 * that end too early or hold what nobody wrote between them. Sanitizers look on.
 */
#include "shaped.h"
#include "shaped_own.h"
#include "carrier.h"
#include "relay.h"

static uint32_t seed;
static bool is_damaged;
static struct CARRIER(server) *server;

#define SERVE(name, is_good, make, ...)                                                                                                      \
    static int name(void *context, __VA_ARGS__)                                                                                              \
    {                                                                                                                                        \
        (void)context;                                                                                                                       \
        bool const is_same = is_good;                                                                                                        \
        expect(is_damaged || is_same, #name, seed);                                                                                          \
        make;                                                                                                                                \
        return 0;                                                                                                                            \
    }
SERVE(send_entry, sh_is_entry(seed, argument), sh_make_entry(seed, result), const struct sh_entry *argument, struct sh_entry *result)
SERVE(mirror, is_bytes(argument, argument_length, seed, 1, 99), sh_make_text(seed, 2, 99, result), const char *argument, uint32_t argument_length,
      sh_line *result)
SERVE(send_name, is_text(argument, seed, 1, 8), sh_make_name(seed, 2, answer), const char *argument, char *answer)
SERVE(send_digest, sh_is_digest(seed, 1, argument), sh_make_digest(seed, 2, result), const struct sh_digest *argument, struct sh_digest *result)
SERVE(send_numbers, sh_is_numbers(seed, 1, argument), sh_make_numbers(seed, 2, result), const struct sh_numbers *argument,
      struct sh_numbers *result)
SERVE(send_names, sh_is_names(seed, 1, argument), sh_make_names(seed, 2, result), const struct sh_names *argument, struct sh_names *result)
SERVE(send_lines, sh_is_lines(seed, 1, argument), sh_make_lines(seed, 2, result), const struct sh_lines *argument, struct sh_lines *result)
SERVE(send_entries, sh_is_entries(seed, given, given_length), sh_make_entries(seed, result), const struct sh_entry *given, uint32_t given_length,
      struct sh_entries *result)
SERVE(send_answer, sh_is_answer(seed, argument), sh_make_answer(seed, result), const struct sh_reply *argument, struct sh_reply *result)

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

static const struct sh_shaped_operations operations = {
    use, send_entry, mirror, send_name, send_digest, send_numbers, send_names, send_lines, send_entries, send_answer, shut_down};

static void nothing_free(void *value) { (void)value; }
#define sh_digest_free nothing_free
#define sh_numbers_free nothing_free
#define sh_names_free nothing_free

/* The call's status; where it fails the results are empty, whatever was there before. */
#define TRY(name, T, type, is_good, make, ...)                                                                                               \
    static int try_##name(struct CARRIER(client) *client)                                                                                 \
    {                                                                                                                                        \
        static const T nothing;                                                                                                              \
        T sent, result;                                                                                                                      \
        memset(&sent, 0, sizeof sent);                                                                                                       \
        memset(&result, 0x55, sizeof result);                                                                                                \
        make;                                                                                                                                \
        int const status = sh_shaped_##name(client, __VA_ARGS__);                                                                            \
        bool const is_same = status == 0 && (is_good);                                                                                       \
        expect(is_damaged || is_same, "what " #name " answers", seed);                                                                       \
        expect(status == 0 || memcmp(&result, &nothing, sizeof nothing) == 0, #name ": results are not empty", seed);                        \
        if (status == 0)                                                                                                                     \
            type##_free(&result);                                                                                                            \
        type##_free(&sent);                                                                                                                  \
        return status;                                                                                                                       \
    }
/* The results lie in the reply, which lasts beyond other calls. */
#define TRY_LENT(name, T, type, is_good, make, ...)                                                                                          \
    static int try_##name(struct CARRIER(client) *client)                                                                                 \
    {                                                                                                                                        \
        static const T nothing;                                                                                                              \
        T sent, result, other;                                                                                                               \
        struct CARRIER(reply) *reply, *other_reply;                                                                                       \
        memset(&sent, 0, sizeof sent);                                                                                                       \
        memset(&result, 0x55, sizeof result);                                                                                                \
        make;                                                                                                                                \
        int const status = sh_shaped_##name(client, __VA_ARGS__, &result, &reply);                                                           \
        if (!is_damaged && sh_shaped_##name(client, __VA_ARGS__, &other, &other_reply) == 0)                                                 \
            CARRIER(reply_free)(other_reply);                                                                                             \
        bool const is_same = status == 0 && (is_good);                                                                                       \
        expect(is_damaged || is_same, "what " #name " answers", seed);                                                                       \
        expect(status == 0 || memcmp(&result, &nothing, sizeof nothing) == 0, #name ": results are not empty", seed);                        \
        expect((status == 0) == (reply != NULL), #name ": there is a reply where there are results", seed);                                  \
        CARRIER(reply_free)(reply);                                                                                                       \
        type##_free(&sent);                                                                                                                  \
        return status;                                                                                                                       \
    }
TRY(send_entry, struct sh_entry, sh_entry, sh_is_entry(seed, &result), sh_make_entry(seed, &sent), &sent, &result)
TRY(mirror, struct whittle_text, whittle_text, sh_is_text(seed, 2, 99, &result), sh_make_text(seed, 1, 99, &sent), sent.items, sent.length, &result)
TRY(send_name, sh_name, nothing, is_text(result, seed, 2, 8), sh_make_name(seed, 1, sent), sent, result)
TRY(send_digest, struct sh_digest, sh_digest, sh_is_digest(seed, 2, &result), sh_make_digest(seed, 1, &sent), &sent, &result)
TRY(send_numbers, struct sh_numbers, sh_numbers, sh_is_numbers(seed, 2, &result), sh_make_numbers(seed, 1, &sent), &sent, &result)
TRY(send_names, struct sh_names, sh_names, sh_is_names(seed, 2, &result), sh_make_names(seed, 1, &sent), &sent, &result)
TRY_LENT(send_lines, struct sh_lines, sh_lines, sh_is_lines(seed, 2, &result), sh_make_lines(seed, 1, &sent), &sent)
TRY_LENT(send_entries, struct sh_entries, sh_entries, sh_is_entries(seed, result.items, result.length), sh_make_entries(seed, &sent), sent.items,
         sent.length)
TRY_LENT(send_answer, struct sh_reply, sh_reply, sh_is_answer(seed, &result), sh_make_answer(seed, &sent), &sent)

static int (*const tries[])(struct CARRIER(client) *client) = {
    try_send_entry, try_mirror, try_send_name, try_send_digest, try_send_numbers, try_send_names, try_send_lines, try_send_entries, try_send_answer};
enum { TRIES = sizeof tries / sizeof *tries };

/* What cannot be sent is not, and says so. */
static void refuse(struct CARRIER(client) *client)
{
    struct sh_numbers numbers = {.length = 7}, back;
    expect(sh_shaped_send_numbers(client, &numbers, &back) == CANNOT_MARSHAL, "more items than there is room for", 0);
    struct sh_names names = {.length = 1}, names_back;
    memset(names.items[0], 'x', sizeof names.items[0]);
    expect(sh_shaped_send_names(client, &names, &names_back) == CANNOT_MARSHAL, "a text without an end", 0);
    sh_name name;
    expect(sh_shaped_send_name(client, "123456789", name) == CANNOT_MARSHAL, "a text that is too long", 0);
    sh_line line;
    expect(sh_shaped_mirror(client, NULL, 1, &line) == CANNOT_MARSHAL, "a length without a text", 0);
    struct sh_entries entries;
    struct CARRIER(reply) *reply;
    expect(sh_shaped_send_entries(client, NULL, 1, &entries, &reply) == CANNOT_MARSHAL, "a count without items", 0);
    struct sh_entry many[4];
    memset(many, 0, sizeof many);
    expect(sh_shaped_send_entries(client, many, 4, &entries, &reply) == CANNOT_MARSHAL, "more items than there may be", 0);
}

static int ask(const char *address)
{
    struct CARRIER(client) *const client = CARRIER(client_open)(address, NULL, NULL);
    if (client == NULL)
        return 1;
    for (seed = 0; seed < 60; seed++) {
        expect(sh_shaped_use(client, seed) == 0, "use", seed);
        for (int i = 0; i < TRIES; i++)
            tries[i](client);
    }
    refuse(client);
    sh_shaped_shut_down(client);
    CARRIER(client_close)(client);
    return failures == 0 ? 0 : 1;
}

static bool begun(const char *address)
{
    server = CARRIER(server_new)(NULL);
    return server != NULL && sh_shaped_serve(server, &operations, NULL) == 0 && CARRIER(server_listen)(server, address) == 0;
}

static int serve(const char *address)
{
    if (!begun(address))
        return 1;
    puts(ADDRESS(server, 0));
    fflush(stdout);
    CARRIER(server_run)(server);
    CARRIER(server_free)(server);
    return failures == 0 ? 0 : 1;
}

static void *serving(void *unused)
{
    CARRIER(server_run)(server);
    return unused;
}

/* Both messages of each call: cut at all places, and words in them overwritten. */
static void damage(struct CARRIER(client) *client)
{
    static const uint32_t words[] = {0xffffffff, 0, 1, 0x7fffffff, 0x01000000, 9};
    for (int i = 0; i < TRIES; i++) {
        relay.how = NOTHING;
        expect(tries[i](client) == 0, "a good call", seed);
        uint32_t const lengths[2] = {relay.lengths[REQUEST], relay.lengths[RESPONSE]}, begins[2] = {relay.begins[REQUEST], relay.begins[RESPONSE]};
        for (int which = REQUEST; which <= RESPONSE; which++) {
            relay.which = which;
            for (relay.at = begins[which]; relay.at < lengths[which]; relay.at += 4) {
                relay.how = CUT;
                int const expected = which == REQUEST ? BAD_REQUEST : BAD_RESULTS;
                expect(tries[i](client) == expected, "a message that was cut", seed);
                relay.how = OVERWRITE;
                relay.with = htonl(words[(relay.at / 4 + seed) % 6]);
                (void)tries[i](client);
            }
        }
    }
}

/* A text with its length may hold zeros; where texts end with zero nothing is behind them. */
static void zeros(struct CARRIER(client) *client)
{
    struct sh_lines sent = {1, &(struct whittle_text){5, (char[]){'a', ZERO[0], 'b', ZERO[0], ZERO[0]}}}, result;
    is_damaged = true;
    relay.how = NOTHING;
    struct CARRIER(reply) *reply;
    expect(sh_shaped_send_lines(client, &sent, &result, &reply) == 0, "zeros in a text with its length", 0);
    CARRIER(reply_free)(reply);
}

static int damaged(void)
{
    pthread_t threads[2];
    if (!begun("tcp://127.0.0.1") || !relay_begin(&threads[0], (uint16_t)PORT(server)))
        return 1;
    pthread_create(&threads[1], NULL, serving, NULL);
    char address[60];
    snprintf(address, sizeof address, REFERENCE, relay.port, "sh_shaped");
    struct CARRIER(client) *const client = CARRIER(client_open)(address, NULL, NULL);
    is_damaged = true;
    for (seed = 1; client != NULL && seed < 7; seed++)
        damage(client);
    zeros(client);
    CARRIER(client_close)(client);
    CARRIER(server_stop)(server);
    pthread_join(threads[1], NULL);
    relay_end(threads[0]);
    CARRIER(server_free)(server);
    return failures == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "damage") == 0)
        return damaged();
    if (argc > 2 && strcmp(argv[1], "serve") == 0)
        return serve(argv[2]);
    return argc > 1 ? ask(argv[1]) : serve("tcp://127.0.0.1");
}
