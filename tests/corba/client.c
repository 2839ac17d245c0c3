/*
 * A client in C for every.idl: calls every operation of the object that the first argument refers to, and looks at what comes
 * back, and shuts the server down. With `narrow` behind it nothing wide is sent, which GIOP before 1.2
 * may not carry; with `small` nothing of many kilobytes either, which omniORB splits into what it cannot read in GIOP 1.1. With
 * `plain` nothing is that has no form in the plain style, and with
 * `jacorb` all is sent but what JacORB does not pass on: it leaves zeros out before fixed-point numbers, and forgets which label a
 * union has that no case names.
 */
#define _GNU_SOURCE
#include "samples.h"
#include <unistd.h>

static CORBA_Environment ev;
static Every_Echo echo;
static int failures;
static int has_wide = 1;
static int is_jacorb, is_plain;
static CORBA_unsigned_long many = 100000;

static void expect(int holds, const char *what)
{
    if (ev._major != CORBA_NO_EXCEPTION) {
        fprintf(stderr, "%s: %s\n", what, CORBA_exception_id(&ev));
        CORBA_exception_free(&ev);
        failures++;
    } else if (!holds) {
        fprintf(stderr, "%s: other values came back\n", what);
        failures++;
    }
}

#define VALUES(operation, T, first, second)                                                                                \
    do {                                                                                                                   \
        T a = first, b = second, c = first;                                                                                \
        const T before = b, result = Every_Echo_##operation(echo, a, &b, &c, &ev);                                         \
        expect(memcmp(&result, &a, sizeof a) == 0 && memcmp(&b, &a, sizeof a) == 0 && memcmp(&c, &before, sizeof c) == 0,  \
               #operation);                                                                                                \
    } while (0)
#define FIXED(operation, T, ...)                                                                                           \
    do {                                                                                                                   \
        T values[2] = {__VA_ARGS__}, b = values[1], c;                                                                     \
        memset(&c, 0, sizeof c);                                                                                           \
        const T result = Every_Echo_##operation(echo, &values[0], &b, &c, &ev);                                            \
        expect(is_equal(TC_##T, &result, &values[0]) && is_equal(TC_##T, &b, &values[0]) &&                                \
                   is_equal(TC_##T, &c, &values[1]), #operation);                                                          \
    } while (0)
/* `first` and `second` are statements that fill `it`. */
#define VARIABLE(operation, T, first, second)                                                                              \
    do {                                                                                                                   \
        T *a = T##__alloc(), *b = T##__alloc(), *c = NULL, *it = a;                                                        \
        first;                                                                                                             \
        it = b;                                                                                                            \
        second;                                                                                                            \
        T *const before = (T *)copy_of(TC_##T, b);                                                                         \
        T *const result = Every_Echo_##operation(echo, a, b, &c, &ev);                                                     \
        expect(result != NULL && c != NULL && is_equal(TC_##T, result, a) && is_equal(TC_##T, b, a) &&                     \
                   is_equal(TC_##T, c, before), #operation);                                                               \
        CORBA_free(a), CORBA_free(b), CORBA_free(c), CORBA_free(before), CORBA_free(result);                               \
    } while (0)
static void numbers(void)
{
    VALUES(a_short, CORBA_short, -2, 0x1234);
    VALUES(a_long, CORBA_long, -3, 0x12345678);
    VALUES(a_long_long, CORBA_long_long, -4, 0x123456789abcdef0LL);
    VALUES(a_ushort, CORBA_unsigned_short, 0xfffe, 1);
    VALUES(a_ulong, CORBA_unsigned_long, 0xfffffffe, 1);
    VALUES(a_ulong_long, CORBA_unsigned_long_long, 0xfffffffffffffffeULL, 1);
    VALUES(a_float, CORBA_float, 1.5f, -0.25f);
    VALUES(a_double, CORBA_double, 2.5e-300, -1e300);
    VALUES(a_char, CORBA_char, 'x', ' ');
    if (has_wide)
        VALUES(a_wchar, CORBA_wchar, 0x20ac, 'w');
    VALUES(a_boolean, CORBA_boolean, CORBA_TRUE, CORBA_FALSE);
    VALUES(an_octet, CORBA_octet, 255, 0);
    VALUES(a_color, Every_Color, Every_blue, Every_green);
}

static void records(void)
{
    FIXED(a_point, Every_Point, {1, -2}, {3, 4});
    FIXED(a_mixed, Every_Mixed, {1, 2.5, CORBA_TRUE, -4, 5, 'c', 6.5f, 7}, {255, -1.0, CORBA_FALSE, 4, -5, ' ', 0.0f, 0});
    FIXED(a_flag, Every_Flag, {CORBA_TRUE, {7}}, {CORBA_FALSE, {0}});
    if (is_plain)
        (void)0;
    else if (is_jacorb)
        FIXED(a_price, Every_Price, {7, 2, {0x12, 0x34, 0x56, 0x7c}}, {7, 2, {0x98, 0x76, 0x54, 0x3d}});
    else
        FIXED(a_price, Every_Price, {7, 2, {0x12, 0x34, 0x56, 0x7c}}, {7, 2, {0x00, 0x00, 0x10, 0x0d}});
    if (has_wide)
        VARIABLE(a_person, Every_Person, *it = person(1), *it = person(0));
    VARIABLE(a_tree, Every_Tree, *it = tree(4), *it = tree(0));
    VARIABLE(a_shape, Every_Shape, (it->_d = Every_red, it->_u.at.x = 1, it->_u.at.y = 2),
             (it->_d = Every_blue, it->_u.text = CORBA_string_dup("sky")));
    if (has_wide)
        VARIABLE(a_wide, Every_Wide, (it->_d = -1, it->_u.who = person(1)), (it->_d = is_jacorb ? 0 : 99, it->_u.any_other = 0.5));
    VARIABLE(a_key, Every_Key, (it->_d = 'a', it->_u.first = CORBA_string_dup("one")), (it->_d = is_jacorb ? 'b' : 'z'));
}

static void texts(void)
{
    CORBA_char *b = CORBA_string_dup("before"), *c = NULL;
    CORBA_char *result = Every_Echo_a_string(echo, "a text", &b, &c, &ev);
    expect(result != NULL && strcmp(result, "a text") == 0 && strcmp(b, "a text") == 0 && strcmp(c, "before") == 0, "a_string");
    CORBA_free(result), CORBA_free(c);
    result = Every_Echo_a_short_text(echo, "12345678", &b, &c, &ev);
    expect(result != NULL && strcmp(result, "12345678") == 0 && strcmp(b, result) == 0 && strcmp(c, "a text") == 0, "a_short_text");
    CORBA_free(result), CORBA_free(c);
    result = Every_Echo_a_short_text(echo, "123456789", &b, &c, &ev);
    if (result != NULL || strcmp(CORBA_exception_id(&ev), ex_CORBA_MARSHAL) != 0)
        expect(0, "a text above its bound");
    CORBA_exception_free(&ev);
    CORBA_free(b);
    if (!has_wide)
        return;
    CORBA_wchar *wa = wide("w\xef" "de"), *wb = wide(""), *wc = NULL, *wr = Every_Echo_a_wstring(echo, wa, &wb, &wc, &ev);
    expect(wr != NULL && is_equal(TC_CORBA_wstring, &wr, &wa) && is_equal(TC_CORBA_wstring, &wb, &wa) && wc[0] == 0, "a_wstring");
    CORBA_free(wa), CORBA_free(wb), CORBA_free(wc), CORBA_free(wr);
}

static void sequences(void)
{
#define FILL(T, count, item)                                                                                               \
    do {                                                                                                                   \
        it->_buffer = T##_allocbuf(count);                                                                                 \
        it->_length = it->_maximum = (count);                                                                              \
        it->_release = CORBA_TRUE;                                                                                         \
        for (CORBA_unsigned_long i = 0; i < (count); i++)                                                                  \
            it->_buffer[i] = (item);                                                                                       \
    } while (0)
    VARIABLE(some_longs, Every_Longs, FILL(Every_Longs, many, (CORBA_long)(i * 2654435761u)), (void)0);
    VARIABLE(some_doubles, Every_Doubles, FILL(Every_Doubles, many / 80, i / 3.0), (void)0);
    VARIABLE(some_shorts, Every_Shorts, FILL(Every_Shorts, many / 80, (CORBA_short)(i * 77)), FILL(Every_Shorts, 3, 1));
    VARIABLE(some_octets, Every_Octets, FILL(Every_Octets, many - 1, (CORBA_octet)i), FILL(Every_Octets, 1, 9));
    VARIABLE(some_flags, Every_Flags, FILL(Every_Flags, 13, i % 3 == 0), (void)0);
    VARIABLE(some_texts, Every_Texts, FILL(Every_Texts, 3, CORBA_string_dup(i == 1 ? "" : "item")), (void)0);
    VARIABLE(some_rects, Every_Rects, FILL(Every_Rects, many / 80, ((Every_Rect){{(CORBA_long)i, 1}, {2, 3}})), (void)0);
    if (has_wide)
        VARIABLE(some_people, Every_People, FILL(Every_People, 50, person(i % 2)), FILL(Every_People, 1, person(1)));
    VARIABLE(some_colors, Every_Colors, FILL(Every_Colors, 9, (Every_Color)(i % 3)), (void)0);
    VARIABLE(some_lists, Every_Lists,
             FILL(Every_Lists, 3, ((Every_Longs){0, 0, NULL, CORBA_TRUE})), (void)0);
}

static void arrays(void)
{
    Every_Grid grid = {{1, 2, 3}, {4, 5, 6}}, other = {{0}}, out;
    Every_Grid_slice *result = Every_Echo_a_grid(echo, (const Every_Grid_slice *)grid, other, out, &ev);
    expect(result != NULL && memcmp(result, grid, sizeof grid) == 0 && memcmp(other, grid, sizeof grid) == 0 && out[1][2] == 0, "a_grid");
    CORBA_free(result);
    Every_Key16 key = "0123456789abcde", other_key = {0}, out_key;
    Every_Key16_slice *key_result = Every_Echo_a_key16(echo, key, other_key, out_key, &ev);
    expect(key_result != NULL && memcmp(key_result, key, 16) == 0 && memcmp(other_key, key, 16) == 0 && out_key[0] == 0, "a_key16");
    CORBA_free(key_result);
    Every_Corners corners = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, other_corners = {{0, 0}}, out_corners;
    Every_Corners_slice *corner_result = Every_Echo_some_corners(echo, corners, other_corners, out_corners, &ev);
    expect(corner_result != NULL && memcmp(corner_result, corners, sizeof corners) == 0 && other_corners[3].y == 8 && out_corners[0].x == 0, "some_corners");
    CORBA_free(corner_result);
    Every_Words_slice *a = Every_Words__alloc(), *b = Every_Words__alloc(), *c = NULL;
    for (int i = 0; i < 2; i++)
        a[i] = CORBA_string_dup(i ? "right" : "left"), b[i] = CORBA_string_dup("none");
    Every_Words_slice *words = Every_Echo_some_words(echo, (const Every_Words_slice *)a, b, &c, &ev);
    expect(words != NULL && strcmp(words[1], "right") == 0 && strcmp(b[0], "left") == 0 && strcmp(c[0], "none") == 0, "some_words");
    CORBA_free(a), CORBA_free(b), CORBA_free(c), CORBA_free(words);
}

static void anys(void)
{
    VARIABLE(an_any, CORBA_any, (it->_type = TC_Every_Tree, it->_value = Every_Tree__alloc(), *(Every_Tree *)it->_value = tree(2), it->_release = CORBA_TRUE),
             (it->_type = TC_CORBA_null, it->_value = NULL));
    VARIABLE(an_any, CORBA_any, (it->_type = TC_Every_Wide, it->_value = Every_Wide__alloc(), ((Every_Wide *)it->_value)->_d = 7, it->_release = CORBA_TRUE),
             (it->_type = TC_Every_Color, it->_value = Every_Color__alloc(), *(Every_Color *)it->_value = Every_green, it->_release = CORBA_TRUE));
    VARIABLE(some_anys, Every_Anys,
             FILL(Every_Anys, 4, ((CORBA_any){TC_CORBA_string, copy_of(TC_CORBA_string, &(CORBA_char *){"text"}), CORBA_TRUE})), (void)0);
}

static void objects(void)
{
    Every_Echo b = CORBA_OBJECT_NIL, c = echo, result = Every_Echo_an_echo(echo, echo, &b, &c, &ev);
    expect(result != NULL && CORBA_Object_is_equivalent(result, echo, &ev) && CORBA_Object_is_equivalent(b, echo, &ev) && c == CORBA_OBJECT_NIL, "an_echo");
    CORBA_char *title = Every_Named__get_title(result, &ev);
    expect(title != NULL && strcmp(title, "every construct") == 0, "title");
    CORBA_free(title);
    CORBA_Object_release(result, &ev), CORBA_Object_release(b, &ev);
    b = CORBA_OBJECT_NIL;
    result = Every_Echo_an_object(echo, CORBA_OBJECT_NIL, &b, &c, &ev);
    expect(result == CORBA_OBJECT_NIL && b == CORBA_OBJECT_NIL && c == CORBA_OBJECT_NIL, "an_object");
    expect(CORBA_Object_is_a(echo, "IDL:example.org/Every/Sized:1.0", &ev), "is_a");
    expect(!CORBA_Object_is_a(echo, "IDL:example.org/Every/Other:1.0", &ev), "is_a of another");
    expect(!CORBA_Object_non_existent(echo, &ev), "non_existent");
}

static void raised(CORBA_long how, CORBA_exception_type major, const char *id)
{
    Every_Echo_fails(echo, how, &ev);
    if (ev._major != major || strcmp(CORBA_exception_id(&ev), id) != 0) {
        fprintf(stderr, "fails(%d): %s\n", (int)how, ev._major ? CORBA_exception_id(&ev) : "nothing raised");
        failures++;
    } else if (how == 1) {
        const Every_Refused *const refused = (const Every_Refused *)CORBA_exception_value(&ev);
        failures += strcmp(refused->why, "because") != 0 || refused->code != 42;
    }
    CORBA_exception_free(&ev);
}

static void exceptions_and_attributes(void)
{
    Every_Echo_fails(echo, 0, &ev);
    expect(1, "fails");
    raised(1, CORBA_USER_EXCEPTION, ex_Every_Refused);
    raised(2, CORBA_USER_EXCEPTION, ex_Every_Empty);
    raised(3, CORBA_SYSTEM_EXCEPTION, ex_CORBA_NO_PERMISSION);
    const Every_Point extent = {30, 40};
    Every_Sized__set_extent(echo, &extent, &ev);
    const Every_Point got = Every_Echo__get_extent(echo, &ev);
    expect(got.x == 30 && got.y == 40, "extent");
    Every_Echo__set_limit(echo, 11, &ev);
    expect(Every_Echo__get_limit(echo, &ev) == 11, "limit");
    Every_Echo_remember(echo, "this", &ev);
    /* Nobody promises that what was sent one way has arrived before what is sent next. */
    CORBA_char *text = Every_Echo_remembered(echo, &ev);
    for (int tries = 0; tries < 100 && text != NULL && text[0] == 0; tries++) {
        CORBA_free(text);
        usleep(10000);
        text = Every_Echo_remembered(echo, &ev);
    }
    expect(text != NULL && strcmp(text, "this") == 0, "a one-way");
    CORBA_free(text);
}

int main(int argc, char **argv)
{
    CORBA_exception_init(&ev);
    CORBA_ORB orb = CORBA_ORB_init(&argc, argv, "", &ev);
    echo = argc > 1 ? CORBA_ORB_string_to_object(orb, argv[1], &ev) : CORBA_OBJECT_NIL;
    expect(echo != CORBA_OBJECT_NIL, "the reference");
    if (failures > 0)
        return 1;
    is_jacorb = argc > 2 && strcmp(argv[2], "jacorb") == 0;
    is_plain = argc > 2 && strcmp(argv[2], "plain") == 0;
    has_wide = argc < 3 || is_jacorb;
    if (argc > 2 && strcmp(argv[2], "small") == 0)
        many = 100;
    numbers();
    records();
    texts();
    sequences();
    arrays();
    if (!is_plain)
        anys();
    objects();
    exceptions_and_attributes();
    Every_Echo_shut_down(echo, &ev);
    CORBA_exception_free(&ev);
    CORBA_Object_release(echo, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    puts(failures == 0 ? "all of it came back" : "not all of it came back");
    return failures > 0;
}
