/* All of zeros.x, client and server in one process: arrays of no items and items of no bytes arrive, what is beside them is what it was. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "zeros.h"
#include "carrier.h"
#include "expect.h"

static void *some(size_t count, size_t size)
{
    void *const made = calloc(count, size == 0 ? 1 : size);
    if (made == NULL)
        abort();
    return made;
}

static void make_gap(struct gap *value, int n)
{
    value->before = n;
    value->after = -n * INT64_C(0x100000001);
}
static bool is_gap(const struct gap *value, int n)
{
    struct gap wanted;
    make_gap(&wanted, n);
    return value->before == wanted.before && value->after == wanted.after;
}

static void make_places(struct places *value, int n)
{
    value->number = 7 * n;
    make_gap(&value->gaps[0], n);
    make_gap(&value->gaps[1], n + 1);
}
static bool is_places(const struct places *value, int n)
{
    return value->number == 7 * n && is_gap(&value->gaps[0], n) && is_gap(&value->gaps[1], n + 1);
}

static void make_many(struct many *value, int n)
{
    *value = (struct many){.gaps.length = (uint32_t)n, .things.length = 3 * (uint32_t)n, .bytes.length = 4, .words.length = 1, .ends = n};
    value->gaps.items = some((size_t)n, sizeof *value->gaps.items);
    for (int i = 0; i < n; i++)
        make_gap(&value->gaps.items[i], i);
    value->things.items = some(1, sizeof *value->things.items);
    value->bytes.items = some(1, sizeof *value->bytes.items);
    value->words.items = some(1, sizeof *value->words.items);
}
static bool is_many(const struct many *value, int n)
{
    bool same = value->gaps.length == (uint32_t)n && value->things.length == 3 * (uint32_t)n && value->bytes.length == 4;
    same = same && value->words.length == 1 && value->ends == n && (n == 0 || value->things.items != NULL) && value->bytes.items != NULL;
    for (int i = 0; i < n && same; i++)
        same = is_gap(&value->gaps.items[i], i);
    return same;
}

static void make_choice(struct choice *value, int n)
{
    memset(value, 0, sizeof *value);
    value->kind = n;
    if (n > 2)
        make_gap(&value->u.other, n);
}
static bool is_choice(const struct choice *value, int n) { return value->kind == n && (n <= 2 || is_gap(&value->u.other, n)); }

static void make_bounds(struct bounds *value, int n)
{
    *value = (struct bounds){.text = some(1, 1), .thing = n % 2 == 0 ? NULL : some(1, 1), .choices.length = (uint32_t)n};
    value->choices.items = some((size_t)n + 1, sizeof *value->choices.items);
    for (int i = 0; i < n; i++)
        make_choice(&value->choices.items[i], i + 1);
}
static bool is_bounds(const struct bounds *value, int n)
{
    bool same = value->bytes.length == 0 && value->words.length == 0 && value->text[0] == 0 && (value->thing == NULL) == (n % 2 == 0);
    same = same && value->choices.length == (uint32_t)n;
    for (int i = 0; i < n && same; i++)
        same = is_choice(&value->choices.items[i], i + 1);
    return same;
}

/* The server's values are one further than the client's. */
#define SERVED(name)                                                                                                                         \
    static int serve_##name(void *context, const struct name *argument, struct name *result)                                                 \
    {                                                                                                                                        \
        int const n = *(int *)context;                                                                                                       \
        EXPECT(is_##name(argument, n));                                                                                                      \
        make_##name(result, n + 1);                                                                                                          \
        return 0;                                                                                                                            \
    }
SERVED(gap)
SERVED(places)
SERVED(many)
SERVED(choice)
SERVED(bounds)

static int serve_nothing(void *context, const struct nothing *argument, struct nothing *result)
{
    (void)context;
    EXPECT(argument != NULL && result != NULL);
    return 0;
}
static int serve_none(void *context, const uint8_t *argument, uint8_t *result)
{
    (void)context;
    EXPECT(argument != NULL && result != NULL);
    return 0;
}
static int serve_all(void *context, const struct nothing *thing, const uint8_t *bytes, int32_t number, const struct nothing *things,
                     struct nothing *result)
{
    EXPECT(thing != NULL && bytes != NULL && things != NULL && result != NULL);
    return number == *(int *)context ? 0 : -1;
}

static const struct zeros_operations operations = {
    .send_gap = serve_gap, .send_nothing = serve_nothing, .send_none = serve_none, .send_places = serve_places,
    .send_many = serve_many, .send_choice = serve_choice, .send_bounds = serve_bounds, .send_all = serve_all,
};

static void nothing_to_free(void *value) { (void)value; }

#define TRY(name, release)                                                                                                                    \
    do {                                                                                                                                     \
        struct name sent, received;                                                                                                          \
        make_##name(&sent, n);                                                                                                               \
        memset(&received, 0x55, sizeof received);                                                                                            \
        EXPECT(zeros_send_##name(client, &sent, &received) == 0 && is_##name(&received, n + 1));                                             \
        release(&received);                                                                                                                   \
        release(&sent);                                                                                                                       \
    } while (0)

static void try(struct CARRIER(client) *client, int n)
{
    struct { struct nothing thing; none bytes; no_things things; char behind; } here = {.behind = 'b'};
    TRY(gap, nothing_to_free);
    TRY(places, nothing_to_free);
    TRY(many, many_free);
    TRY(choice, nothing_to_free);
    TRY(bounds, bounds_free);
    EXPECT(zeros_send_nothing(client, &here.thing, &here.thing) == 0);
    EXPECT(zeros_send_none(client, here.bytes, here.bytes) == 0);
    EXPECT(zeros_send_all(client, &here.thing, here.bytes, n, here.things, here.things) == 0);
    EXPECT(zeros_send_all(client, &here.thing, here.bytes, n + 1, here.things, here.things) == FAILED);
    EXPECT(here.behind == 'b');
    /* Items of nothing take nothing of a message: there may be so many, and no more. */
    struct many many, got;
    make_many(&many, n);
    many.things.length = 40000;
    EXPECT(zeros_send_many(client, &many, &got) == BAD_REQUEST && got.gaps.items == NULL);
    many_free(&many);
}

static void *serving(void *server)
{
    CARRIER(server_run)(server);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int n = 0;
    struct CARRIER(server) *const server = CARRIER(server_new)(NULL);
    if (zeros_serve(server, &operations, &n) != 0 || CARRIER(server_listen)(server, "tcp://127.0.0.1") != 0)
        return 1;
    pthread_create(&thread, NULL, serving, server);
    struct CARRIER(client) *const client = CARRIER(client_open)(ADDRESS(server, 0), NULL, NULL);
    for (; client != NULL && n < 4; n++)
        try(client, n);
    CARRIER(client_close)(client);
    CARRIER(server_stop)(server);
    pthread_join(thread, NULL);
    CARRIER(server_free)(server);
    return client != NULL && failures == 0 ? 0 : 1;
}
