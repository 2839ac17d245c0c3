/* bank.idl between threads of one process: several clients and servers, references, what is gone, and messages that no stub sends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bank.h"
#include "expect.h"

enum { CLIENTS = 4, ROUNDS = 400, COUNTERS = 3 };

/* The server. */
struct counter {
    struct whittle_fluke_server server;
    pthread_t thread;
    int32_t value;
};
static struct counter counters[COUNTERS];

static int add(void *context, int32_t by, int32_t *result)
{
    *result = __atomic_add_fetch(&((struct counter *)context)->value, by, __ATOMIC_RELAXED);
    return 0;
}
static int reset(void *context) { return __atomic_store_n(&((struct counter *)context)->value, 0, __ATOMIC_RELAXED), 0; }
static const struct Counter_operations counter_operations = {add, reset};

static int get_title(void *context, char **result) { return (void)context, *result = strdup("a bank"), 0; }
static int four(void *context, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *e, uint64_t *f, uint64_t *g, uint64_t *h)
{
    const uint64_t sum = a + b + c + d;
    *e = a ^ sum, *f = b ^ sum, *g = c ^ sum, *h = d ^ sum;
    return (void)context, 0;
}
static int hundred(void *context, const Bank_Long_list given, Bank_Long_list changed)
{
    for (int i = 0; i < 100; i++)
        changed[i] = given[i] * 3 + (uint64_t)i;
    return (void)context, 0;
}
static int mixed(void *context, const char *text, int16_t number, char **copy, bool *is_long, int32_t *result)
{
    *copy = strdup(text);
    *is_long = strlen(text) > 10;
    *result = number * 2;
    return (void)context, 0;
}
static int many(void *context, const struct Bank_Words *given, struct Bank_Words *result)
{
    (void)context;
    result->items = calloc(given->length + 1, sizeof *result->items);
    if (result->items == NULL)
        return -1;
    result->length = given->length;
    for (uint32_t i = 0; i < given->length; i++)
        result->items[i] = ~given->items[i];
    return 0;
}
static int opened(void *context, const char *name, whittle_fluke_object *result, union Bank_open_exceptions *exceptions)
{
    (void)context;
    const int which = name[0] - '0';
    if (which >= 0 && which < COUNTERS && name[1] == 0)
        return *result = counters[which].server.port, 0;
    exceptions->Bank_Unknown.name = strdup(name);
    exceptions->Bank_Unknown.code = -7;
    return Bank_open_raises_Bank_Unknown;
}
static int use(void *context, whittle_fluke_object which, int32_t by, int32_t *result)
{
    struct whittle_fluke_client client = {which};
    return (void)context, Counter_add(&client, by, result);
}
static int same(void *context, whittle_fluke_object which, whittle_fluke_object *result) { return (void)context, *result = which, 0; }
static int either(void *context, whittle_fluke_object first, whittle_fluke_object second, bool which, whittle_fluke_object *result)
{
    return (void)context, *result = which ? second : first, 0;
}
static int all(void *context, uint32_t count, struct Bank_Counters *result)
{
    (void)context;
    result->items = count > 100 ? NULL : calloc(count + 1, sizeof *result->items);
    if (result->items == NULL)
        return -1;
    result->length = count;
    for (uint32_t i = 0; i < count; i++)
        result->items[i] = counters[i % COUNTERS].server.port;
    return 0;
}
static const struct Bank_operations operations = {
    .get_title = get_title, .four = four, .hundred = hundred, .mixed = mixed, .many = many, .open = opened, .use = use, .same = same,
    .either = either, .all = all,
};

static void *serve_counter(void *counter)
{
    EXPECT(Counter_serve(&((struct counter *)counter)->server, &counter_operations, counter) == 0);
    return NULL;
}
static void *serve_bank(void *server)
{
    EXPECT(Bank_serve(server, &operations, NULL) == 0);
    return NULL;
}

/* The client. */
static void try_words(struct whittle_fluke_client *client)
{
    uint64_t e, f, g, h;
    EXPECT(Bank_four(client, 11, 22, 33, 44, &e, &f, &g, &h) == 0 && e == (11 ^ 110) && f == (22 ^ 110) && g == (33 ^ 110) && h == (44 ^ 110));
    Bank_Long_list list, changed;
    for (int i = 0; i < 100; i++)
        list[i] = 1000 + (uint64_t)i;
    EXPECT(Bank_hundred(client, list, changed) == 0);
    for (int i = 0; i < 100; i++)
        EXPECT(changed[i] == (1000 + (uint64_t)i) * 3 + (uint64_t)i);
    char *text = NULL;
    bool is_long = false;
    int32_t number = 0;
    EXPECT(Bank_mixed(client, "short", -5, &text, &is_long, &number) == 0 && strcmp(text, "short") == 0 && !is_long && number == -10);
    free(text);
    EXPECT(Bank_mixed(client, "a text of more bytes than registers hold", 7, &text, &is_long, &number) == 0);
    EXPECT(strcmp(text, "a text of more bytes than registers hold") == 0 && is_long && number == 14);
    free(text);
    EXPECT(Bank_get_title(client, &text) == 0 && strcmp(text, "a bank") == 0);
    free(text);
    /* An heir answers as what it inherits from. */
    EXPECT(Named_get_title(client, &text) == 0 && strcmp(text, "a bank") == 0);
    free(text);
    EXPECT(Bank_wait_a_little(client) == WHITTLE_FLUKE_UNKNOWN_OPERATION);
}

static void try_many(struct whittle_fluke_client *client, uint32_t count)
{
    struct Bank_Words words = {count, calloc(count + 1, sizeof(uint64_t))}, result;
    for (uint32_t i = 0; words.items != NULL && i < count; i++)
        words.items[i] = i;
    EXPECT(Bank_many(client, &words, &result) == 0 && result.length == count);
    for (uint32_t i = 0; i < result.length; i++)
        EXPECT(result.items[i] == ~(uint64_t)i);
    Bank_Words_free(&words);
    Bank_Words_free(&result);
}

static void try_references(struct whittle_fluke_client *client)
{
    union Bank_open_exceptions raised;
    struct whittle_fluke_client counter = {NULL};
    whittle_fluke_object again = NULL, other = NULL;
    int32_t value = 0, used = 0;
    EXPECT(Bank_open(client, "none", &counter.object, NULL) == Bank_open_raises_Bank_Unknown && counter.object == NULL);
    EXPECT(Bank_open(client, "9", &counter.object, &raised) == Bank_open_raises_Bank_Unknown);
    EXPECT(strcmp(raised.Bank_Unknown.name, "9") == 0 && raised.Bank_Unknown.code == -7);
    Bank_Unknown_free(&raised.Bank_Unknown);
    EXPECT(Bank_open(client, "1", &counter.object, &raised) == 0 && counter.object != NULL);
    EXPECT(Counter_add(&counter, 3, &value) == 0);
    EXPECT(Bank_use(client, counter.object, 0, &used) == 0);
    EXPECT(Bank_use(client, NULL, 0, &used) == WHITTLE_FLUKE_SYSTEM_ERROR);
    EXPECT(Bank_same(client, counter.object, &again) == 0 && again == counter.object);
    whittle_fluke_object_free(again);
    EXPECT(Bank_same(client, NULL, &again) == 0 && again == NULL);
    EXPECT(Bank_either(client, counter.object, client->object, true, &other) == 0 && other == client->object);
    whittle_fluke_object_free(other);
    EXPECT(Bank_either(client, counter.object, counter.object, false, &other) == 0 && other == counter.object);
    whittle_fluke_object_free(other);
    EXPECT(Counter_reset(&counter) == 0);
    whittle_fluke_object_free(counter.object);
    struct Bank_Counters got;
    EXPECT(Bank_all(client, WHITTLE_FLUKE_OBJECTS, &got) == 0 && got.length == WHITTLE_FLUKE_OBJECTS);
    for (uint32_t i = 0; i < got.length; i++)
        whittle_fluke_object_free(got.items[i]);
    Bank_Counters_free(&got);
    /* More than a message carries. */
    EXPECT(Bank_all(client, WHITTLE_FLUKE_OBJECTS + 1, &got) == WHITTLE_FLUKE_SYSTEM_ERROR && got.length == 0);
}

static void *be_client(void *object)
{
    struct whittle_fluke_client client = {object};
    for (int round = 0; round < ROUNDS; round++) {
        try_words(&client);
        if (round % 50 == 0) {
            try_references(&client);
            try_many(&client, (uint32_t)round * 3);
        }
    }
    return NULL;
}

/* What no stub sends. */
static int raw(whittle_fluke_object object, struct whittle_fluke_message *request, uint64_t *code)
{
    uint64_t room[WHITTLE_FLUKE_ROOM];
    struct whittle_fluke_message reply = {.words = room, .room = WHITTLE_FLUKE_ROOM, .most = WHITTLE_FLUKE_LONGEST};
    const int status = whittle_fluke_kernel_call(object, request, &reply);
    *code = reply.code;
    if (status == 0)
        whittle_fluke_kernel_drop(&reply);
    free(reply.owned);
    return status;
}

/* The server answers with whatever it is told to: more words than wanted, references that nobody asked for, places of none. */
static struct whittle_fluke_message said;
static void say(const void *served, const struct whittle_fluke_message *request, struct whittle_fluke_message *reply, uint64_t a, uint64_t b,
                uint64_t c, uint64_t d)
{
    (void)served, (void)request, (void)a, (void)b, (void)c, (void)d;
    reply->code = said.code;
    reply->count = said.count;
    memcpy(reply->first, said.first, sizeof reply->first);
    if (said.count > WHITTLE_FLUKE_REGISTERS && (reply->owned = calloc(said.count, 8)) != NULL)
        reply->words = reply->owned;
    reply->object_count = said.object_count;
    memcpy(reply->objects, said.objects, sizeof reply->objects);
}
static void *serve_lies(void *port)
{
    EXPECT(whittle_fluke_kernel_serve(port, say, NULL) == 0);
    return NULL;
}

static void try_lies(void)
{
    struct whittle_fluke_client client = {whittle_fluke_port_new()};
    pthread_t thread;
    uint64_t e, f, g, h;
    whittle_fluke_object object;
    struct Bank_Counters got;
    pthread_create(&thread, NULL, serve_lies, client.object);
    for (size_t count = 0; count < 4; count++) {
        said.count = count;
        e = 5;
        EXPECT(Bank_four(&client, 1, 2, 3, 4, &e, &f, &g, &h) == WHITTLE_FLUKE_BAD_REPLY && e == 0);
    }
    said.count = 500;
    EXPECT(Bank_four(&client, 1, 2, 3, 4, &e, &f, &g, &h) == WHITTLE_FLUKE_BAD_REPLY);
    said.count = 4;
    said.code = 77;
    EXPECT(Bank_four(&client, 1, 2, 3, 4, &e, &f, &g, &h) == WHITTLE_FLUKE_BAD_REPLY);
    said.code = 0;
    said.object_count = 2;
    said.objects[0] = said.objects[1] = client.object;
    EXPECT(Bank_four(&client, 1, 2, 3, 4, &e, &f, &g, &h) == 0);
    said.first[0] = 3;
    EXPECT(Bank_same(&client, NULL, &object) == WHITTLE_FLUKE_CANNOT_UNMARSHAL && object == NULL);
    said.first[0] = UINT64_MAX;
    EXPECT(Bank_same(&client, NULL, &object) == WHITTLE_FLUKE_CANNOT_UNMARSHAL && object == NULL);
    /* One reference in two places, and more places than the reply has. */
    uint32_t places[8] = {2, 1, 1};
    memcpy(said.first, places, sizeof places);
    EXPECT(Bank_all(&client, 1, &got) == WHITTLE_FLUKE_CANNOT_UNMARSHAL && got.items == NULL);
    places[0] = 0x7fffffff;
    memcpy(said.first, places, sizeof places);
    EXPECT(Bank_all(&client, 1, &got) == WHITTLE_FLUKE_CANNOT_UNMARSHAL && got.items == NULL);
    whittle_fluke_port_close(client.object);
    pthread_join(thread, NULL);
    EXPECT(Bank_four(&client, 1, 2, 3, 4, &e, &f, &g, &h) == WHITTLE_FLUKE_GONE);
    whittle_fluke_port_free(client.object);
}

static void try_hostile(whittle_fluke_object bank)
{
    struct whittle_fluke_message request = {.code = 1};
    uint64_t code = 0, words[200] = {0};
    EXPECT(raw(bank, &request, &code) == 0 && code == -WHITTLE_FLUKE_UNKNOWN_OPERATION);
    request.code = UINT64_MAX;
    EXPECT(raw(bank, &request, &code) == 0 && code == -WHITTLE_FLUKE_UNKNOWN_OPERATION);
    /* Every operation, with every count of words, of every byte. */
    static const char *const names[] = {"_get_title", "four", "hundred", "mixed", "many", "open", "use", "same", "either", "all"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t hash = 0x811c9dc5;
        for (const char *c = names[i]; *c != 0; c++)
            hash = (hash ^ (uint8_t)*c) * 0x01000193;
        request.code = hash;
        for (request.count = 0; request.count < 130; request.count++) {
            for (int byte = 0; byte < 256; byte += 51) {
                memset(words, byte, sizeof words);
                memset(request.first, byte, sizeof request.first);
                request.words = words;
                request.object_count = byte == 51;
                request.objects[0] = bank;
                EXPECT(raw(bank, &request, &code) == 0);
                if (i == 1)
                    EXPECT(code == (request.count == 4 ? 0 : (uint64_t)-WHITTLE_FLUKE_BAD_ARGUMENTS));
            }
        }
    }
}

int main(void)
{
    struct whittle_fluke_server bank = {whittle_fluke_port_new()};
    struct whittle_fluke_client client = {whittle_fluke_port_object(bank.port)}, nobody = {NULL};
    pthread_t servers[2], clients[CLIENTS];
    char *text = NULL;
    EXPECT(Bank_get_title(&nobody, &text) == WHITTLE_FLUKE_GONE && text == NULL);
    for (int i = 0; i < COUNTERS; i++) {
        counters[i].server.port = whittle_fluke_port_new();
        pthread_create(&counters[i].thread, NULL, serve_counter, &counters[i]);
    }
    /* Clients that come before the server wait for it. */
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, be_client, client.object);
    pthread_create(&servers[0], NULL, serve_bank, &bank);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    EXPECT(Bank_serve(&bank, &operations, NULL) == WHITTLE_FLUKE_SERVED);
    try_many(&client, 100000);
    struct Bank_Words too_many = {WHITTLE_FLUKE_LONGEST, calloc(WHITTLE_FLUKE_LONGEST, 8)}, result;
    EXPECT(Bank_many(&client, &too_many, &result) == WHITTLE_FLUKE_TOO_LARGE && result.items == NULL);
    Bank_Words_free(&too_many);
    try_hostile(client.object);
    try_lies();
    /* Whoever calls while the server ends is answered, or told. */
    whittle_fluke_port_close(bank.port);
    pthread_join(servers[0], NULL);
    EXPECT(Bank_get_title(&client, &text) == WHITTLE_FLUKE_GONE && text == NULL);
    whittle_fluke_port_free(bank.port);
    EXPECT(Bank_get_title(&client, &text) == WHITTLE_FLUKE_GONE);
    whittle_fluke_object_free(client.object);
    for (int i = 0; i < COUNTERS; i++) {
        whittle_fluke_port_close(counters[i].server.port);
        pthread_join(counters[i].thread, NULL);
        whittle_fluke_port_free(counters[i].server.port);
    }
    return failures == 0 ? 0 : 1;
}
