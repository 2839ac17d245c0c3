/*
 * All of calls.idl: each type in, out, in and out; exceptions, statuses, attributes, calls without replies. `ADDRESS`: client and server in
 * one process; `-s ADDRESS`: the server alone; `-c ADDRESS`: the client.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "calls.h"
#include "carrier.h"
#include "expect.h"

static char *text(int n)
{
    char *const made = malloc(16);
    if (made == NULL)
        abort();
    snprintf(made, 16, "%.*s%d", n, "abcdefg", n);
    return made;
}
static bool is_text(const char *value, int n)
{
    char *const wanted = text(n);
    bool const same = strcmp(value, wanted) == 0;
    free(wanted);
    return same;
}

/* Values by number: made, recognized, let go of. */
#define NUMBERS(name, T, from)                                                                                                               \
    static void make_##name(T *v, int n) { *v = (T)(from); }                                                                                     \
    static bool is_##name(const T *v, int n) { return *v == (T)(from); }                                                                     \
    static void free_##name(T *v) { (void)v; }
NUMBERS(a_short, int16_t, (int16_t)(n * -9000))
NUMBERS(a_huge, uint64_t, UINT64_MAX - (uint64_t)n)
NUMBERS(a_double, double, n / 3.0)
NUMBERS(a_char, char, (char)('a' + n))
NUMBERS(a_boolean, bool, n == 1)
NUMBERS(an_octet, uint8_t, (uint8_t)(255 - n))
NUMBERS(a_color, enum Calls_Color, n == 1 ? Calls_blue : Calls_green)

static void make_a_string(char **v, int n) { *v = text(n); }
static bool is_a_string(char *const *v, int n) { return is_text(*v, n); }
static void free_a_string(char **v) { free(*v); }

static void make_a_point(struct Calls_Point *v, int n) { v->x = n, v->y = -n; }
static bool is_a_point(const struct Calls_Point *v, int n) { return v->x == n && v->y == -n; }
static void free_a_point(struct Calls_Point *v) { (void)v; }

static void make_a_person(struct Calls_Person *v, int n)
{
    v->name = text(n);
    v->likes = Calls_blue;
    v->picture.length = (uint32_t)n * 3;
    v->picture.items = calloc(v->picture.length, 1);
    v->scores.length = (uint32_t)n;
    v->scores.items = calloc(v->scores.length, sizeof *v->scores.items);
    if (v->scores.length > 0)
        v->scores.items[n - 1] = -n;
}
static bool is_a_person(const struct Calls_Person *v, int n)
{
    return is_text(v->name, n) && v->likes == Calls_blue && v->picture.length == (uint32_t)n * 3 && v->picture.items[n] == 0 &&
           v->scores.length == (uint32_t)n && v->scores.items[n - 1] == -n;
}
static void free_a_person(struct Calls_Person *v) { Calls_Person_free(v); }

static void make_a_tree(struct Calls_Tree *v, int n)
{
    v->value = n;
    v->branches.length = (uint32_t)n;
    v->branches.items = n == 0 ? NULL : calloc((size_t)n, sizeof *v->branches.items);
    for (int i = 0; i < n; i++)
        make_a_tree(&v->branches.items[i], i);
}
static bool is_a_tree(const struct Calls_Tree *v, int n)
{
    bool same = v->value == n && v->branches.length == (uint32_t)n;
    for (int i = 0; same && i < n; i++)
        same = is_a_tree(&v->branches.items[i], i);
    return same;
}
static void free_a_tree(struct Calls_Tree *v) { Calls_Tree_free(v); }

static void make_a_shape(struct Calls_Shape *v, int n)
{
    v->_d = n == 1 ? Calls_red : Calls_blue;
    if (n == 1)
        make_a_point(&v->u.at, n);
    else
        v->u.text = text(n);
}
static bool is_a_shape(const struct Calls_Shape *v, int n)
{
    return n == 1 ? v->_d == Calls_red && is_a_point(&v->u.at, n) : v->_d == Calls_blue && is_text(v->u.text, n);
}
static void free_a_shape(struct Calls_Shape *v) { Calls_Shape_free(v); }

/* A number that no label names goes alone. */
static void make_an_open(struct Calls_Open *v, int n)
{
    v->_d = (int16_t)n;
    if (n == 1)
        v->u.text = text(n);
}
static bool is_an_open(const struct Calls_Open *v, int n) { return v->_d == n && (n != 1 || is_text(v->u.text, n)); }
static void free_an_open(struct Calls_Open *v) { Calls_Open_free(v); }

static void make_a_flag(struct Calls_Flag *v, int n) { v->_d = n == 1, v->u.number = n == 1 ? -7 : 0; }
static bool is_a_flag(const struct Calls_Flag *v, int n) { return v->_d == (n == 1) && (n != 1 || v->u.number == -7); }
static void free_a_flag(struct Calls_Flag *v) { (void)v; }

static void make_a_key(struct Calls_Key *v, int n)
{
    v->_d = (char)('a' + n - 1);
    if (n == 1)
        v->u.first = text(n);
    else
        v->u.second = n / 4.0;
}
static bool is_a_key(const struct Calls_Key *v, int n)
{
    return v->_d == 'a' + n - 1 && (n == 1 ? is_text(v->u.first, n) : v->u.second == n / 4.0);
}
static void free_a_key(struct Calls_Key *v) { Calls_Key_free(v); }

#define SEQUENCES(name, T, how_many, make, is)                                                                                               \
    static void make_##name(struct T *v, int n)                                                                                              \
    {                                                                                                                                        \
        v->length = (uint32_t)(how_many);                                                                                                    \
        v->items = calloc(v->length, sizeof *v->items);                                                                                      \
        for (uint32_t i = 0; i < v->length; i++)                                                                                             \
            make(&v->items[i], n);                                                                                                           \
    }                                                                                                                                        \
    static bool is_##name(const struct T *v, int n)                                                                                          \
    {                                                                                                                                        \
        bool same = v->length == (uint32_t)(how_many);                                                                                       \
        for (uint32_t i = 0; same && i < v->length; i++)                                                                                     \
            same = is(&v->items[i], n);                                                                                                      \
        return same;                                                                                                                         \
    }                                                                                                                                        \
    static void free_##name(struct T *v) { T##_free(v); }
static void make_a_long(int32_t *v, int n) { *v = n * 100000; }
static bool is_a_long(const int32_t *v, int n) { return *v == n * 100000; }
SEQUENCES(some_longs, Calls_Longs, n * 500, make_a_long, is_a_long)
SEQUENCES(some_people, Calls_People, n * 2, make_a_person, is_a_person)
SEQUENCES(some_texts, Calls_Texts, n, make_a_string, is_a_string)

static void make_a_grid(Calls_Grid *v, int n) { memset(v, n, sizeof *v); }
static bool is_a_grid(const Calls_Grid *v, int n) { return (*v)[0][0] == n * 0x01010101 && (*v)[1][2] == n * 0x01010101; }
static void free_a_grid(Calls_Grid *v) { (void)v; }
static void make_some_words(Calls_Words *v, int n) { (*v)[0] = text(n), (*v)[1] = text(n + 1); }
static bool is_some_words(const Calls_Words *v, int n) { return is_text((*v)[0], n) && is_text((*v)[1], n + 1); }
static void free_some_words(Calls_Words *v) { Calls_Words_free(v); }
static void make_a_key16(Calls_Key16 *v, int n) { memset(v, n, sizeof *v); }
static bool is_a_key16(const Calls_Key16 *v, int n) { return (*v)[0] == n && (*v)[15] == n; }
static void free_a_key16(Calls_Key16 *v) { (void)v; }
#define make_a_short_text make_a_string
#define is_a_short_text is_a_string
#define free_a_short_text free_a_string

#define OPERATIONS(SIMPLE, RECORD, ARRAY)                                                                                                    \
    SIMPLE(a_short, int16_t, int16_t) SIMPLE(a_huge, uint64_t, uint64_t) SIMPLE(a_double, double, double) SIMPLE(a_char, char, char)         \
    SIMPLE(a_boolean, bool, bool) SIMPLE(an_octet, uint8_t, uint8_t) SIMPLE(a_color, enum Calls_Color, enum Calls_Color)                     \
    SIMPLE(a_string, char *, const char *) SIMPLE(a_short_text, char *, const char *)                                                        \
    RECORD(a_point, struct Calls_Point) RECORD(a_person, struct Calls_Person) RECORD(a_tree, struct Calls_Tree)                              \
    RECORD(a_shape, struct Calls_Shape) RECORD(an_open, struct Calls_Open) RECORD(a_flag, struct Calls_Flag)                                 \
    RECORD(a_key, struct Calls_Key) RECORD(some_longs, struct Calls_Longs) RECORD(some_people, struct Calls_People)                          \
    RECORD(some_texts, struct Calls_Texts) ARRAY(a_grid, Calls_Grid) ARRAY(some_words, Calls_Words)                                          \
    ARRAY(a_key16, Calls_Key16)

/* The server: 1 came in `a`, 2 in `b`. */
#define SERVE(name, T, given, replaced, a_, b_, c_, result_)                                                                                 \
    static int name(void *context, given, replaced)                                                                                          \
    {                                                                                                                                        \
        EXPECT(context == &failures && is_##name(a_, 1) && is_##name(b_, 2));                                                                \
        make_##name(c_, 2);                                                                                                                  \
        free_##name(b_);                                                                                                                     \
        memset(b_, 0, sizeof *b_);                                                                                                           \
        make_##name(b_, 1);                                                                                                                  \
        make_##name(result_, 1);                                                                                                             \
        return 0;                                                                                                                            \
    }
#define AND ,
#define SERVE_SIMPLE(name, T, given) SERVE(name, T, given a, T *b AND T *c AND T *result, (T *)&a, b, c, result)
#define SERVE_RECORD(name, T) SERVE(name, T, const T *a, T *b AND T *c AND T *result, a, b, c, result)
#define SERVE_ARRAY(name, T) SERVE(name, T, const T a, T b AND T c AND T result, (const T *)a, (T *)b, (T *)c, (T *)result)
OPERATIONS(SERVE_SIMPLE, SERVE_RECORD, SERVE_ARRAY)

static struct CARRIER(server) *server;
static struct Calls_Point extent;
static int32_t limit;
static char *noted;

static int get_title(void *context, char **result) { return (void)context, *result = text(4), 0; }
static int get_extent(void *context, struct Calls_Point *result) { return (void)context, *result = extent, 0; }
static int set_extent(void *context, const struct Calls_Point *value) { return (void)context, extent = *value, 0; }
static int get_limit(void *context, int32_t *result) { return (void)context, *result = limit, 0; }
static int set_limit(void *context, int32_t value) { return (void)context, limit = value, 0; }

/* Whatever is asked for, a number that is no exception's among them. */
static int fails(void *context, int32_t how, union Calls_Echo_fails_exceptions *exceptions)
{
    (void)context;
    if (how == Calls_Echo_fails_raises_Calls_Refused) {
        exceptions->Calls_Refused.why = text(5);
        exceptions->Calls_Refused.code = 55;
    }
    return how;
}
static int fails_with(void *context, int32_t how, char **given, struct Calls_Longs *found, struct Calls_Point *result,
                      union Calls_Echo_fails_with_exceptions *exceptions)
{
    EXPECT(is_text(*given, 1));
    free(*given);
    *given = text(2);
    make_some_longs(found, 1);
    make_a_point(result, 3);
    /* Results that are not answered are freed all the same. */
    if (how == Calls_Echo_fails_with_raises_Calls_Refused)
        exceptions->Calls_Refused.why = text(6);
    return (void)context, how;
}
static int fails_bare(void *context, int32_t how) { return (void)context, how; }

static int remember(void *context, const char *value)
{
    (void)context;
    free(noted);
    noted = strdup(value);
#ifndef FLUKE
    if (strcmp(value, "stop") == 0)
        CARRIER(server_stop)(server);
#endif
    return 0;
}
static int remembered(void *context, char **result) { return (void)context, *result = strdup(noted == NULL ? "" : noted), 0; }
static int unwritten(void *context, char **result) { return (void)context, (void)result, 0; }

#define SERVED(name, ...) .name = name,
static const struct Calls_Echo_operations operations = {
    OPERATIONS(SERVED, SERVED, SERVED).get_title = get_title,
    .get_extent = get_extent,
    .set_extent = set_extent,
    .get_limit = get_limit,
    .set_limit = set_limit,
    .fails = fails,
    .fails_with = fails_with,
    .fails_bare = fails_bare,
    .remember = remember,
    .remembered = remembered,
    .unwritten = unwritten,
};
static const struct Calls_Sized_operations sized = {get_extent, set_extent, get_limit, set_limit};

/* The client: `b` was 2, and is 1 now. */
#define TRY(name, T, by_value, by_address, array)                                                                                            \
    static void try_##name(struct CARRIER(client) *client)                                                                                \
    {                                                                                                                                        \
        T a; T b; T c; T result;                                                                                                             \
        memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);                                                                                    \
        make_##name(&a, 1), make_##name(&b, 2);                                                                                              \
        EXPECT(Calls_Echo_##name(client, by_value a, by_address b, by_address c, by_address result) == 0);                                   \
        EXPECT(is_##name(array & b, 1) && is_##name(array & c, 2) && is_##name(array & result, 1));                                          \
        free_##name(&a), free_##name(&b), free_##name(&c), free_##name(&result);                                                             \
    }
#define TRY_SIMPLE(name, T, given) TRY(name, T, , &, )
#define TRY_RECORD(name, T) TRY(name, T, &, &, )
#define TRY_ARRAY(name, T) TRY(name, T, (const void *), , (const T *))
OPERATIONS(TRY_SIMPLE, TRY_RECORD, TRY_ARRAY)

static void try_exceptions(struct CARRIER(client) *client)
{
    union Calls_Echo_fails_exceptions raised;
    union Calls_Echo_fails_with_exceptions other;
    EXPECT(Calls_Echo_fails(client, 0, &raised) == 0);
    EXPECT(Calls_Echo_fails(client, 1, &raised) == Calls_Echo_fails_raises_Calls_Refused);
    EXPECT(is_text(raised.Calls_Refused.why, 5) && raised.Calls_Refused.code == 55);
    Calls_Refused_free(&raised.Calls_Refused);
    EXPECT(Calls_Echo_fails(client, 1, NULL) == 1);
    EXPECT(Calls_Echo_fails(client, 2, &raised) == Calls_Echo_fails_raises_Calls_Empty);
    EXPECT(Calls_Echo_fails(client, 2, NULL) == 2);
    EXPECT(Calls_Echo_fails(client, 3, &raised) == FAILED);
    EXPECT(Calls_Echo_fails(client, INT32_MAX, NULL) == FAILED);
    EXPECT(Calls_Echo_fails(client, -1, NULL) == FAILED);
    EXPECT(Calls_Echo_fails(client, REFUSED, NULL) == REFUSED);
    EXPECT(Calls_Echo_fails_bare(client, 0) == 0 && Calls_Echo_fails_bare(client, 1) == Calls_Echo_fails_bare_raises_Calls_Empty);
    EXPECT(Calls_Echo_fails_bare(client, 2) == FAILED);

    struct Calls_Longs found;
    struct Calls_Point point;
    char *given = text(1);
    for (int how = -1; how <= 3; how++) {
        int const expected = how < 0 || how == 3 ? FAILED : how;
        memset(&found, 0x55, sizeof found);
        point.x = 9;
        EXPECT(Calls_Echo_fails_with(client, how, &given, &found, &point, &other) == expected);
        if (how == Calls_Echo_fails_with_raises_Calls_Refused) {
            EXPECT(is_text(other.Calls_Refused.why, 6));
            Calls_Refused_free(&other.Calls_Refused);
        }
        /* What goes in and out stays what it was, where the call failed. */
        EXPECT(is_text(given, how == 0 ? 2 : 1));
        EXPECT(how == 0 ? is_some_longs(&found, 1) && is_a_point(&point, 3) : found.items == NULL && found.length == 0 && point.x == 0);
        Calls_Longs_free(&found);
        free(given);
        given = text(1);
    }
    free(given);
}

static void try_others(struct CARRIER(client) *client)
{
    struct Calls_Point point = {3, 4};
    int32_t number = 0;
    char *value = NULL, *b = NULL, *c = NULL;
    EXPECT(Calls_Echo_set_extent(client, &point) == 0 && Calls_Echo_set_limit(client, -12) == 0);
    point.x = 0;
    EXPECT(Calls_Echo_get_extent(client, &point) == 0 && point.x == 3 && point.y == 4);
    EXPECT(Calls_Echo_get_limit(client, &number) == 0 && number == -12);
    /* The same server, by the interface that is inherited from. A CLIENT is for one program. */
#ifdef TIRPC
    EXPECT(Calls_Sized_get_limit(client, &number) == -RPC_PROGVERSMISMATCH && number == 0);
#else
    EXPECT(Calls_Sized_get_limit(client, &number) == 0 && number == -12);
#endif
#ifdef FLUKE
    /* An heir answers to all that it inherits. */
    EXPECT(Calls_Named_get_title(client, &value) == 0 && is_text(value, 4));
    free(value);
#elif !defined IIOP && !defined MACH && !defined TIRPC
    EXPECT(Calls_Named_get_title(client, &value) == WHITTLE_ONC_PROGRAM_MISMATCH && value == NULL);
#endif
    EXPECT(Calls_Echo_get_title(client, &value) == 0 && is_text(value, 4));
    free(value);
    EXPECT(Calls_Echo_remember(client, "once") == 0 && Calls_Echo_remember(client, "twice") == 0);
    EXPECT(Calls_Echo_remembered(client, &value) == 0 && strcmp(value, "twice") == 0);
    free(value);
    EXPECT(Calls_Echo_missing(client) == NOT_THERE);
    EXPECT(Calls_Echo_unwritten(client, &value) == UNWRITTEN && value == NULL);
    /* What is not of its type is not sent. */
    b = text(1);
    EXPECT(Calls_Echo_a_short_text(client, "too long by far", &b, &c, &value) == CANNOT_MARSHAL);
    EXPECT(Calls_Echo_a_short_text(client, NULL, &b, &c, &value) == CANNOT_MARSHAL && is_text(b, 1) && value == NULL);
    struct Calls_Texts many = {4, NULL}, none = {0, NULL}, got;
    EXPECT(Calls_Echo_some_texts(client, &many, &none, &got, &got) == CANNOT_MARSHAL && got.items == NULL);
    free(b);
}

static void *serving(void *unused)
{
#ifdef FLUKE
    EXPECT(Calls_Echo_serve(server, &operations, &failures) == 0);
#else
    CARRIER(server_run)(server);
#endif
    return unused;
}

#define TRIED(name, ...) try_##name(client);

#ifdef FLUKE
int main(void)
{
    pthread_t thread;
    struct whittle_fluke_server here = {whittle_fluke_port_new()};
    struct whittle_fluke_client object = {here.port}, *const client = &object;
    server = &here;
    pthread_create(&thread, NULL, serving, NULL);
    for (int round = 0; round < 3; round++) {
        OPERATIONS(TRIED, TRIED, TRIED)
        try_exceptions(client);
        try_others(client);
    }
    whittle_fluke_port_close(here.port);
    pthread_join(thread, NULL);
    whittle_fluke_port_free(here.port);
    free(noted);
    (void)sized;
    return failures == 0 ? 0 : 1;
}
#else
static bool call(server_address address, int rounds, bool stops)
{
    struct CARRIER(client) *const client = CARRIER(client_open)(address, NULL, NULL);
    if (client == NULL)
        return false;
    while (rounds-- > 0) {
        OPERATIONS(TRIED, TRIED, TRIED)
        try_exceptions(client);
        try_others(client);
    }
    if (stops) {
        char *value = NULL;
        Calls_Echo_remember(client, "stop");
        Calls_Echo_remembered(client, &value);      /* what was sent before it is there, too */
        free(value);
    }
    CARRIER(client_close)(client);
    return failures == 0;
}

int main(int argc, char **argv)
{
    const bool serves = argc < 2 || strcmp(argv[1], "-c") != 0, calls = argc < 2 || strcmp(argv[1], "-s") != 0;
    const char *const address = argc < 2 ? "tcp://127.0.0.1" : argv[argc - 1];
    bool good = true;
    pthread_t thread;
#ifdef MACH     /* an address is a right, which another process does not have */
    (void)serves;
#else
    if (!serves)
        return call(address, 1, true) ? 0 : 1;
#endif
    server = CARRIER(server_new)(NULL);
    if (Calls_Echo_serve(server, &operations, &failures) != 0 || Calls_Sized_serve(server, &sized, NULL) != 0)
        return 1;
    if (CARRIER(server_listen)(server, address) != 0)
        return 1;
    if (calls) {
        pthread_create(&thread, NULL, serving, NULL);
        good = call(ADDRESS(server, 0), 3, false);
        CARRIER(server_stop)(server);
        pthread_join(thread, NULL);
    } else {
#ifndef MACH
        puts(ADDRESS(server, 0));
        fflush(stdout);
#endif
        CARRIER(server_run)(server);
    }
    CARRIER(server_free)(server);
    free(noted);
    return good && failures == 0 ? 0 : 1;
}
#endif
