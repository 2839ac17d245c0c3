/*
 * echo.idl in the plain style over IIOP, both sides in one program: without arguments it serves, and prints its reference; with a
 * reference it calls all of that object, of whatever ORB it is, and shuts it down. `small`: nothing of many kilobytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "echo.h"
#include "expect.h"

static uint32_t many = 100000;

/* Values are copied, and compared. */
static char *copy_text(const char *from)
{
    char *const copy = strdup(from);
    if (copy == NULL)
        abort();
    return copy;
}
#define FLAT(name, T, same)                                                                                                                  \
    static void copy_##name(T *to, const T *from) { *to = *from; }                                                                           \
    static bool same_##name(const T *x, const T *y) { return same; }                                                                         \
    __attribute__((unused)) static void free_##name(T *value) { (void)value; }
FLAT(a_short, int16_t, *x == *y)
FLAT(a_long, int32_t, *x == *y)
FLAT(a_long_long, int64_t, *x == *y)
FLAT(a_ushort, uint16_t, *x == *y)
FLAT(a_ulong, uint32_t, *x == *y)
FLAT(a_ulong_long, uint64_t, *x == *y)
FLAT(a_float, float, *x == *y)
FLAT(a_double, double, *x == *y)
FLAT(a_char, char, *x == *y)
FLAT(a_boolean, bool, *x == *y)
FLAT(an_octet, uint8_t, *x == *y)
FLAT(a_color, enum Every_Color, *x == *y)
FLAT(a_point, struct Every_Point, x->x == y->x && x->y == y->y)
FLAT(a_rect, struct Every_Rect, same_a_point(&x->least, &y->least) && same_a_point(&x->most, &y->most))
FLAT(a_mixed, struct Every_Mixed,
     x->o == y->o && x->d == y->d && x->b == y->b && x->s == y->s && x->ll == y->ll && x->ch == y->ch && x->f == y->f && x->ul == y->ul)
FLAT(a_flag, struct Every_Flag, x->_d == y->_d && (!x->_d || x->u.number == y->u.number))

static void copy_a_string(char **to, char *const *from) { *to = copy_text(*from); }
static bool same_a_string(char *const *x, char *const *y) { return strcmp(*x, *y) == 0; }
static void free_a_string(char **value) { free(*value); }
#define copy_a_short_text copy_a_string
#define same_a_short_text same_a_string
#define free_a_short_text free_a_string

#define SEQUENCE(name, T, each)                                                                                                              \
    static void copy_##name(struct T *to, const struct T *from)                                                                              \
    {                                                                                                                                        \
        to->length = from->length;                                                                                                           \
        to->items = from->length == 0 ? NULL : calloc(from->length, sizeof *to->items);                                                      \
        for (uint32_t i = 0; i < to->length; i++)                                                                                            \
            copy_##each(&to->items[i], &from->items[i]);                                                                                     \
    }                                                                                                                                        \
    static bool same_##name(const struct T *x, const struct T *y)                                                                            \
    {                                                                                                                                        \
        bool same = x->length == y->length;                                                                                                  \
        for (uint32_t i = 0; same && i < x->length; i++)                                                                                     \
            same = same_##each(&x->items[i], &y->items[i]);                                                                                  \
        return same;                                                                                                                         \
    }                                                                                                                                        \
    static void free_##name(struct T *value) { T##_free(value); }
SEQUENCE(some_longs, Every_Longs, a_long)
SEQUENCE(some_doubles, Every_Doubles, a_double)
SEQUENCE(some_shorts, Every_Shorts, a_short)
SEQUENCE(some_octets, Every_Octets, an_octet)
SEQUENCE(some_flags, Every_Flags, a_boolean)
SEQUENCE(some_texts, Every_Texts, a_string)
SEQUENCE(some_rects, Every_Rects, a_rect)
SEQUENCE(some_lists, Every_Lists, some_longs)
SEQUENCE(some_colors, Every_Colors, a_color)

static void copy_a_tree(struct Every_Tree *to, const struct Every_Tree *from)
{
    to->value = from->value;
    to->branches.length = from->branches.length;
    to->branches.items = from->branches.length == 0 ? NULL : calloc(from->branches.length, sizeof *to);
    for (uint32_t i = 0; i < from->branches.length; i++)
        copy_a_tree(&to->branches.items[i], &from->branches.items[i]);
}
static bool same_a_tree(const struct Every_Tree *x, const struct Every_Tree *y)
{
    bool same = x->value == y->value && x->branches.length == y->branches.length;
    for (uint32_t i = 0; same && i < x->branches.length; i++)
        same = same_a_tree(&x->branches.items[i], &y->branches.items[i]);
    return same;
}
static void free_a_tree(struct Every_Tree *value) { Every_Tree_free(value); }

static void copy_a_shape(struct Every_Shape *to, const struct Every_Shape *from)
{
    *to = *from;
    if (from->_d != Every_red)
        to->u.text = copy_text(from->u.text);
}
static bool same_a_shape(const struct Every_Shape *x, const struct Every_Shape *y)
{
    return x->_d == y->_d && (x->_d == Every_red ? same_a_point(&x->u.at, &y->u.at) : strcmp(x->u.text, y->u.text) == 0);
}
static void free_a_shape(struct Every_Shape *value) { Every_Shape_free(value); }

static void copy_a_key(struct Every_Key *to, const struct Every_Key *from)
{
    *to = *from;
    if (from->_d == 'a')
        to->u.first = copy_text(from->u.first);
}
static bool same_a_key(const struct Every_Key *x, const struct Every_Key *y)
{
    return x->_d == y->_d && (x->_d == 'a' ? strcmp(x->u.first, y->u.first) == 0 : x->_d != 'b' || same_a_rect(&x->u.second, &y->u.second));
}
static void free_a_key(struct Every_Key *value) { Every_Key_free(value); }

#define ARRAY(name, T)                                                                                                                       \
    static void copy_##name(T *to, const T *from) { memcpy(to, from, sizeof *to); }                                                          \
    static bool same_##name(const T *x, const T *y) { return memcmp(x, y, sizeof *x) == 0; }                                                 \
    static void free_##name(T *value) { (void)value; }
ARRAY(a_grid, Every_Grid)
ARRAY(a_key16, Every_Key16)
ARRAY(some_corners, Every_Corners)
static void copy_some_words(Every_Words *to, const Every_Words *from) { (*to)[0] = copy_text((*from)[0]), (*to)[1] = copy_text((*from)[1]); }
static bool same_some_words(const Every_Words *x, const Every_Words *y)
{
    return strcmp((*x)[0], (*y)[0]) == 0 && strcmp((*x)[1], (*y)[1]) == 0;
}
static void free_some_words(Every_Words *value) { Every_Words_free(value); }

#define OPERATIONS(SIMPLE, TEXT, RECORD, ARRAY)                                                                                              \
    SIMPLE(a_short, int16_t) SIMPLE(a_long, int32_t) SIMPLE(a_long_long, int64_t) SIMPLE(a_ushort, uint16_t) SIMPLE(a_ulong, uint32_t)       \
    SIMPLE(a_ulong_long, uint64_t) SIMPLE(a_float, float) SIMPLE(a_double, double) SIMPLE(a_char, char) SIMPLE(a_boolean, bool)              \
    SIMPLE(an_octet, uint8_t) SIMPLE(a_color, enum Every_Color) TEXT(a_string, char *) TEXT(a_short_text, char *)                            \
    RECORD(a_point, struct Every_Point) RECORD(a_mixed, struct Every_Mixed) RECORD(a_flag, struct Every_Flag)                                \
    RECORD(a_tree, struct Every_Tree) RECORD(a_shape, struct Every_Shape) RECORD(a_key, struct Every_Key)                                    \
    RECORD(some_longs, struct Every_Longs) RECORD(some_doubles, struct Every_Doubles) RECORD(some_shorts, struct Every_Shorts)               \
    RECORD(some_octets, struct Every_Octets) RECORD(some_flags, struct Every_Flags) RECORD(some_texts, struct Every_Texts)                   \
    RECORD(some_rects, struct Every_Rects) RECORD(some_lists, struct Every_Lists) RECORD(some_colors, struct Every_Colors)                   \
    ARRAY(a_grid, Every_Grid) ARRAY(a_key16, Every_Key16) ARRAY(some_corners, Every_Corners) ARRAY(some_words, Every_Words)

/* The server. */
#define SERVE(name, T, given, replaced, a_, b_, c_, result_)                                                                                 \
    static int name(void *context, given, replaced)                                                                                          \
    {                                                                                                                                        \
        (void)context;                                                                                                                       \
        memcpy(c_, b_, sizeof(T));                                                                                                           \
        copy_##name(b_, a_);                                                                                                                 \
        copy_##name(result_, a_);                                                                                                            \
        return 0;                                                                                                                            \
    }
#define AND ,
#define SERVE_SIMPLE(name, T) SERVE(name, T, T a, T *b AND T *c AND T *result, &a, b, c, result)
#define SERVE_TEXT(name, T) SERVE(name, T, const char *a, T *b AND T *c AND T *result, (char *const *)&a, b, c, result)
#define SERVE_RECORD(name, T) SERVE(name, T, const T *a, T *b AND T *c AND T *result, a, b, c, result)
#define SERVE_ARRAY(name, T) SERVE(name, T, const T a, T b AND T c AND T result, (const T *)a, (T *)b, (T *)c, (T *)result)
OPERATIONS(SERVE_SIMPLE, SERVE_TEXT, SERVE_RECORD, SERVE_ARRAY)

static struct whittle_iiop_server *server;
static struct Every_Point extent = {3, 4};
static int32_t limit = 10;
static char *noted;

/* References are texts; nil is none. */
static char *copy_reference(const char *from) { return from == NULL ? NULL : copy_text(from); }
static int an_echo(void *context, const char *a, char **b, char **c, char **result)
{
    (void)context;
    *c = *b;
    *b = copy_reference(a);
    *result = copy_reference(a);
    return 0;
}
static int gather(void *context, const struct Every_Echo_Echoes *more, const char *one, bool fails, struct Every_Echo_Echoes *result,
                  union Every_Echo_gather_exceptions *exceptions)
{
    (void)context;
    result->length = more->length + 1;
    result->items = calloc(result->length, sizeof *result->items);
    for (uint32_t i = 0; i < more->length; i++)
        result->items[i + 1] = copy_reference(more->items[i]);
    result->items[0] = copy_reference(one);
    exceptions->Every_Refused = (struct Every_Refused){fails ? copy_text("them") : NULL, 2};
    return fails ? Every_Echo_gather_raises_Every_Refused : 0;
}

static int get_title(void *context, char **result) { return (void)context, *result = copy_text("every construct"), 0; }
static int get_extent(void *context, struct Every_Point *result) { return (void)context, *result = extent, 0; }
static int set_extent(void *context, const struct Every_Point *value) { return (void)context, extent = *value, 0; }
static int get_limit(void *context, int32_t *result) { return (void)context, *result = limit, 0; }
static int set_limit(void *context, int32_t value) { return (void)context, limit = value, 0; }
static int fails(void *context, int32_t how, union Every_Echo_fails_exceptions *exceptions)
{
    (void)context;
    if (how == 3)
        return whittle_iiop_fail(WHITTLE_IIOP_NO_PERMISSION, 33, WHITTLE_IIOP_NOT_BEGUN);
    if (how == Every_Echo_fails_raises_Every_Refused)
        exceptions->Every_Refused = (struct Every_Refused){copy_text("because"), 42};
    return how;
}
static int remember(void *context, const char *text)
{
    (void)context;
    free(noted);
    noted = copy_text(text);
    return 0;
}
static int remembered(void *context, char **result) { return (void)context, *result = copy_text(noted == NULL ? "" : noted), 0; }
static int shut_down(void *context) { return (void)context, whittle_iiop_server_stop(server), 0; }

#define SERVED(name, T) .name = name,
static const struct Every_Echo_operations operations = {
    OPERATIONS(SERVED, SERVED, SERVED, SERVED).get_title = get_title,
    .get_extent = get_extent,
    .set_extent = set_extent,
    .get_limit = get_limit,
    .set_limit = set_limit,
    .fails = fails,
    .remember = remember,
    .remembered = remembered,
    .shut_down = shut_down,
    .an_echo = an_echo,
    .an_object = an_echo,
    .gather = gather,
};

static int serve(void)
{
    server = whittle_iiop_server_new(NULL);
    if (server == NULL || Every_Echo_serve(server, &operations, NULL) != 0 || whittle_iiop_server_listen(server, "127.0.0.1") != 0)
        return 1;
    puts(whittle_iiop_server_reference(server, 0));
    fflush(stdout);
    const int status = whittle_iiop_server_run(server);
    whittle_iiop_server_free(server);
    free(noted);
    return status == 0 ? 0 : 1;
}

/* The client. */
#define TRY(name, T, by_value, by_address, array)                                                                                            \
    static void try_##name(struct whittle_iiop_client *client, T const *a, T const *before)                                                  \
    {                                                                                                                                        \
        T b; T c; T result;                                                                                                                  \
        copy_##name(&b, before);                                                                                                             \
        int const status = Every_Echo_##name(client, by_value a, by_address b, by_address c, by_address result);                             \
        if (status != 0)                                                                                                                     \
            failures++, fprintf(stderr, "%s: %s\n", #name, whittle_iiop_text(status));                                                       \
        EXPECT(status != 0 || (same_##name(array & result, a) && same_##name(array & b, a) && same_##name(array & c, before)));              \
        free_##name(&b);                                                                                                                     \
        if (status == 0)                                                                                                                     \
            free_##name(&c), free_##name(&result);                                                                                           \
    }
#define TRY_SIMPLE(name, T) TRY(name, T, *, &, )
#define TRY_RECORD(name, T) TRY(name, T, , &, )
#define TRY_ARRAY(name, T) TRY(name, T, (const void *), , (const T *))
OPERATIONS(TRY_SIMPLE, TRY_SIMPLE, TRY_RECORD, TRY_ARRAY)

static void values(struct whittle_iiop_client *client)
{
#define TWO(name, T, ...) try_##name(client, &(T[2]){__VA_ARGS__}[0], &(T[2]){__VA_ARGS__}[1])
    TWO(a_short, int16_t, -2, 0x1234);
    TWO(a_long, int32_t, -3, 0x12345678);
    TWO(a_long_long, int64_t, -4, 0x123456789abcdef0);
    TWO(a_ushort, uint16_t, 0xfffe, 1);
    TWO(a_ulong, uint32_t, 0xfffffffe, 1);
    TWO(a_ulong_long, uint64_t, 0xfffffffffffffffe, 1);
    TWO(a_float, float, 1.5f, -0.25f);
    TWO(a_double, double, 2.5e-300, -1e300);
    TWO(a_char, char, 'x', ' ');
    TWO(a_boolean, bool, true, false);
    TWO(an_octet, uint8_t, 255, 0);
    TWO(a_color, enum Every_Color, Every_blue, Every_green);
    TWO(a_string, char *, "a text", "");
    TWO(a_short_text, char *, "12345678", "before");
    TWO(a_point, struct Every_Point, {1, -2}, {3, 4});
    TWO(a_mixed, struct Every_Mixed, {1, 2.5, true, -4, 5, 'c', 6.5f, 7}, {255, -1.0, false, 4, -5, ' ', 0.0f, 0});
    TWO(a_flag, struct Every_Flag, {true, {7}}, {false, {0}});
    TWO(a_shape, struct Every_Shape, {Every_red, {.at = {1, 2}}}, {Every_blue, {.text = (char *)"sky"}});
    TWO(a_key, struct Every_Key, {'a', {.first = (char *)"one"}}, {'b', {.second = {{1, 2}, {3, 4}}}});
    struct Every_Tree leaves[] = {{1, {0, NULL}}, {2, {0, NULL}}}, branch = {3, {2, leaves}};
    TWO(a_tree, struct Every_Tree, {4, {1, &branch}}, {5, {0, NULL}});
    TWO(a_grid, Every_Grid, {{1, 2, 3}, {4, 5, 6}}, {{0}});
    TWO(a_key16, Every_Key16, {1, 2, 3}, {0});
    TWO(some_corners, Every_Corners, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, {{0, 0}});
    TWO(some_words, Every_Words, {"left", "right"}, {"none", "none"});
}

static void sequences(struct whittle_iiop_client *client)
{
#define MANY(name, T, item, count, value)                                                                                                    \
    do {                                                                                                                                     \
        struct T filled = {(count), calloc((count), sizeof(item))};                                                                          \
        for (uint32_t i = 0; i < filled.length; i++)                                                                                         \
            filled.items[i] = (item)value;                                                                                                   \
        try_##name(client, &filled, &(struct T){0, NULL});                                                                                   \
        free(filled.items);                                                                                                                  \
    } while (0)
    MANY(some_longs, Every_Longs, int32_t, many, (i * 2654435761u));
    MANY(some_doubles, Every_Doubles, double, many / 80, (i / 3.0));
    MANY(some_shorts, Every_Shorts, int16_t, many / 80, (i * 77));
    MANY(some_octets, Every_Octets, uint8_t, many - 1, i);
    MANY(some_flags, Every_Flags, bool, 13, (i % 3 == 0));
    MANY(some_texts, Every_Texts, char *, 3, (i == 1 ? "" : "item"));
    MANY(some_rects, Every_Rects, struct Every_Rect, many / 80, {.least.x = (int32_t)i});
    MANY(some_colors, Every_Colors, enum Every_Color, 9, (i % 3));
    MANY(some_lists, Every_Lists, struct Every_Longs, 4, {.length = 0});
}

/* What comes back may be spelled in another way than it was sent: it is whom it reaches that counts. */
static bool is_echo(const char *reference)
{
    struct whittle_iiop_client *const client = reference == NULL ? NULL : whittle_iiop_client_open(reference, NULL, NULL);
    const int is = client == NULL ? -1 : whittle_iiop_client_is_a(client, EVERY_ECHO_ID);
    whittle_iiop_client_close(client);
    return is == 1;
}

static void references(struct whittle_iiop_client *client, const char *own)
{
    char *b = NULL, *c = NULL, *result = NULL;
    EXPECT(Every_Echo_an_echo(client, own, &b, &c, &result) == 0);
    EXPECT(is_echo(result) && is_echo(b) && c == NULL);
    free(result);
    EXPECT(Every_Echo_an_object(client, NULL, &b, &c, &result) == 0);
    EXPECT(result == NULL && b == NULL && is_echo(c));
    free(c);
    EXPECT(Every_Echo_an_echo(client, "no reference", &b, &c, &result) == WHITTLE_IIOP_MARSHAL && b == NULL && c == NULL && result == NULL);

    /* Others' servers do not have this. */
    struct Every_Echo_Echoes more = {3, (char *[]){(char *)own, NULL, (char *)own}}, all;
    union Every_Echo_gather_exceptions raised;
    const int status = Every_Echo_gather(client, &more, own, false, &all, NULL);
    if (status == WHITTLE_IIOP_BAD_OPERATION)
        return;
    EXPECT(status == 0 && all.length == 4 && is_echo(all.items[0]) && is_echo(all.items[1]) && all.items[2] == NULL && is_echo(all.items[3]));
    Every_Echo_Echoes_free(&all);
    EXPECT(Every_Echo_gather(client, &more, NULL, true, &all, &raised) == Every_Echo_gather_raises_Every_Refused && all.length == 0);
    EXPECT(strcmp(raised.Every_Refused.why, "them") == 0);
    Every_Refused_free(&raised.Every_Refused);
}

static void exceptions(struct whittle_iiop_client *client)
{
    union Every_Echo_fails_exceptions raised;
    EXPECT(Every_Echo_fails(client, 0, &raised) == 0);
    EXPECT(Every_Echo_fails(client, 1, &raised) == Every_Echo_fails_raises_Every_Refused);
    EXPECT(strcmp(raised.Every_Refused.why, "because") == 0 && raised.Every_Refused.code == 42);
    Every_Refused_free(&raised.Every_Refused);
    EXPECT(Every_Echo_fails(client, 1, NULL) == Every_Echo_fails_raises_Every_Refused);
    EXPECT(Every_Echo_fails(client, 2, &raised) == Every_Echo_fails_raises_Every_Empty);
    EXPECT(Every_Echo_fails(client, 3, &raised) == WHITTLE_IIOP_NO_PERMISSION);
    EXPECT(whittle_iiop_failure().status == WHITTLE_IIOP_NO_PERMISSION && whittle_iiop_failure().completed == WHITTLE_IIOP_NOT_BEGUN);
}

static void others(struct whittle_iiop_client *client)
{
    struct Every_Point point = {30, 40};
    int32_t number = 0;
    char *text = NULL;
    EXPECT(Every_Echo_set_extent(client, &point) == 0 && Every_Echo_set_limit(client, 11) == 0);
    EXPECT(Every_Echo_get_extent(client, &point) == 0 && point.x == 30 && point.y == 40);
    /* The same object, by an interface that it inherits from. */
    EXPECT(Every_Sized_get_limit(client, &number) == 0 && number == 11);
    EXPECT(Every_Named_get_title(client, &text) == 0 && strcmp(text, "every construct") == 0);
    free(text);
    EXPECT(whittle_iiop_client_is_a(client, EVERY_SIZED_ID) == 1 && whittle_iiop_client_is_a(client, "IDL:example.org/Every/Other:1.0") == 0);
    EXPECT(whittle_iiop_client_exists(client) == 1);
    EXPECT(Every_Echo_remember(client, "this") == 0);
    /* Nobody promises that what was sent one way has arrived before what is sent next. */
    for (int tries = 0; tries < 100; tries++) {
        EXPECT(Every_Echo_remembered(client, &text) == 0);
        if (text == NULL || text[0] != 0)
            break;
        free(text);
        text = NULL;
        usleep(10000);
    }
    EXPECT(text != NULL && strcmp(text, "this") == 0);
    free(text);
}

int main(int argc, char **argv)
{
    int status;
    if (argc < 2)
        return serve();
    if (argc > 2)
        many = 100;
    struct whittle_iiop_client *const client = whittle_iiop_client_open(argv[1], NULL, &status);
    if (client == NULL)
        return fprintf(stderr, "%s\n", whittle_iiop_text(status)), 1;
    values(client);
    sequences(client);
    references(client, argv[1]);
    exceptions(client);
    others(client);
    EXPECT(Every_Echo_shut_down(client) == 0);
    whittle_iiop_client_close(client);
    return failures == 0 ? 0 : 1;
}
