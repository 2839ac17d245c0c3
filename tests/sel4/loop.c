/* The loop of a server that receives and replies, as over seL4, between threads of a process: values of every length, and hostile words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bank.h"
#include "expect.h"

struct stand_in stand_in = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .one = PTHREAD_MUTEX_INITIALIZER};
__thread seL4_IPCBuffer stand_in_buffer;

static int four(void *context, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *e, uint64_t *f, uint64_t *g, uint64_t *h)
{
    return (void)context, *e = a + 1, *f = b + 2, *g = c + 3, *h = d + 4, 0;
}
static int hundred(void *context, const Bank_Long_list given, Bank_Long_list changed)
{
    for (int i = 0; i < 100; i++)
        changed[i] = given[i] + (uint64_t)i;
    return (void)context, 0;
}
static int mixed(void *context, const char *text, int16_t number, char **copy, bool *is_long, int32_t *result)
{
    return (void)context, *copy = strdup(text), *is_long = strlen(text) > 10, *result = number * 2, 0;
}
static int many(void *context, const struct Bank_Words *given, struct Bank_Words *result)
{
    (void)context;
    result->items = calloc(given->length + 1, sizeof *result->items);
    result->length = result->items == NULL ? 0 : given->length;
    for (uint32_t i = 0; i < result->length; i++)
        result->items[i] = ~given->items[i];
    return 0;
}
static int opened(void *context, const char *name, whittle_fluke_object *result, union Bank_open_exceptions *exceptions)
{
    (void)context, (void)result;
    exceptions->Bank_Unknown.name = strdup(name);
    exceptions->Bank_Unknown.code = -7;
    return Bank_open_raises_Bank_Unknown;
}
static int added;
static int noted(void *context, int32_t by) { return (void)context, added += by, 0; }
static const struct Bank_operations operations = {.four = four, .hundred = hundred, .mixed = mixed, .many = many, .open = opened, .note = noted};

static void *serve(void *server)
{
    Bank_serve(server, &operations, NULL);
    return NULL;
}

static void try_values(struct whittle_fluke_client *client)
{
    uint64_t e, f, g, h, items[120] = {0};
    Bank_Long_list given = {0}, changed;
    char *text = NULL;
    bool is_long;
    int32_t number;
    EXPECT(Bank_four(client, 1, 2, 3, 4, &e, &f, &g, &h) == 0 && e == 2 && f == 4 && g == 6 && h == 8);
    EXPECT(Bank_hundred(client, given, changed) == 0 && changed[99] == 99 && changed[4] == 4);
    for (size_t length = 0; length < 200; length += 7) {
        char longer[200];
        memset(longer, 'x', length);
        longer[length] = 0;
        EXPECT(Bank_mixed(client, longer, 21, &text, &is_long, &number) == 0 && strcmp(text, longer) == 0 && number == 42);
        free(text);
    }
    for (uint32_t count = 0; count < 120; count++) {
        struct Bank_Words words = {count, items}, result;
        EXPECT(Bank_many(client, &words, &result) == 0 && result.length == count && (count == 0 || result.items[count - 1] == ~(uint64_t)0));
        Bank_Words_free(&result);
    }
    struct Bank_Words too_many = {120, items}, result;
    EXPECT(Bank_many(client, &too_many, &result) == WHITTLE_FLUKE_TOO_LARGE && result.items == NULL);
    union Bank_open_exceptions raised;
    whittle_fluke_object object;
    EXPECT(Bank_open(client, "some", &object, &raised) == Bank_open_raises_Bank_Unknown && strcmp(raised.Bank_Unknown.name, "some") == 0);
    Bank_Unknown_free(&raised.Bank_Unknown);
    EXPECT(Bank_note(client, 5) == 0 && Bank_note(client, 6) == 0);
    EXPECT(Bank_wait_a_little(client) == WHITTLE_FLUKE_UNKNOWN_OPERATION && added % 11 == 0);
}

static void try_hostile(void)
{
    static const char *const names[] = {"four", "hundred", "mixed", "many", "open", "use", "same", "nothing"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t hash = 0x811c9dc5;
        for (const char *c = names[i]; *c != 0; c++)
            hash = (hash ^ (uint8_t)*c) * 0x01000193;
        for (seL4_Word length = 0; length <= 127; length++)
            for (int byte = 0; byte < 256; byte += 51) {
                seL4_Word first[4];
                memset(stand_in_buffer.msg, byte, sizeof stand_in_buffer.msg);
                memset(first, byte, sizeof first);
                const seL4_Word count = length > 120 ? 120 : length;
                const seL4_MessageInfo_t tag = seL4_CallWithMRs(1, seL4_MessageInfo_new(hash, 0, byte == 51, count), first, first + 1, first + 2, first + 3);
                if (i == 0)
                    EXPECT(seL4_MessageInfo_get_label(tag) == (count == 4 ? 0 : -WHITTLE_FLUKE_BAD_ARGUMENTS));
            }
    }
}

int main(void)
{
    struct whittle_fluke_server server = {1};
    struct whittle_fluke_client client = {1};
    pthread_t thread;
    pthread_create(&thread, NULL, serve, &server);
    for (int round = 0; round < 3; round++)
        try_values(&client);
    try_hostile();
    try_values(&client);
    return failures == 0 ? 0 : 1;
}
