/*
 * TypeCodes: as bytes that were written by hand from the specification, in both orders; asked, compared, and malformed.
 */
#include "../graph.h"
#include "common.h"

#define A_TYPE(of_kind, ...)                                                                                           \
    {                                                                                                                  \
        .kind = CORBA_tk_##of_kind, .size = 1, .alignment = 1, __VA_ARGS__        \
    }

extern const struct CORBA_TypeCode_struct node;
static const struct CORBA_TypeCode_struct nodes = A_TYPE(sequence, .content = &node);
static const struct whittle_member node_members[] = {{"value", TC_CORBA_long, 0, 0}, {"kids", &nodes, 0, 8}};
const struct CORBA_TypeCode_struct node =
    A_TYPE(struct, .name = "Node", .repository_id = "IDL:Node:1.0", .count = 2, .members = node_members);
#define NODE                                                                                                           \
    "w15 w92 o...  \"IDL:Node:1.0\" ... \"Node\" ... w2 \"value\" .. w3"                                               \
    "\"kids\" ... w19 w16 o... w-1 w-92 w0"

static const struct whittle_member choice_members[] = {{"one", TC_CORBA_octet, 1, 8},
                                                       {"rest", TC_CORBA_string, 0, 8},
                                                       {"far", TC_CORBA_boolean, -2, 8}};
static const struct CORBA_TypeCode_struct choice =
    A_TYPE(union, .name = "Choice", .repository_id = "IDL:C:1.0", .count = 3, .members = choice_members,
           .content = TC_CORBA_long_long, .default_index = 1);
/* Labels begin at multiples of 8 of the encapsulation. */
#define CHOICE                                                                                                         \
    "w16 w124 o... \"IDL:C:1.0\" .. \"Choice\" . w23 w1 w3 .... q1 \"one\" w10"                                        \
    ".... q0 \"rest\" ... w18 w0 ....  q-2 \"far\" w8"

static const struct whittle_member color_members[] = {{.name = "red"}, {.name = "blue"}};
static const struct CORBA_TypeCode_struct color =
    A_TYPE(enum, .name = "Color", .repository_id = "IDL:Color:1.0", .count = 2, .members = color_members);
static const struct CORBA_TypeCode_struct paint = A_TYPE(alias, .name = "Paint", .content = &color);
static const struct CORBA_TypeCode_struct row = A_TYPE(array, .count = 3, .content = &paint);
static const struct CORBA_TypeCode_struct money = A_TYPE(fixed, .count = 9, .scale = 2);
static const struct whittle_member pair_members[] = {
    {"left", &row, 0, 0}, {"right", &paint, 0, 0}, {"price", &money, 0, 0}, {"times", &row, 0, 0}};
static const struct CORBA_TypeCode_struct pair =
    A_TYPE(except, .name = "", .repository_id = "IDL:P:1.0", .count = 4, .members = pair_members);
#define COLOR "w17 w57 o... \"IDL:Color:1.0\" .. \"Color\" .. w2 \"red\" \"blue\""
/* What was there before is pointed to, from within encapsulations, too. */
#define PAIR                                                                                                           \
    "w22 w220 o... \"IDL:P:1.0\" .. \"\" ... w4"                                                                       \
    "\"left\" ... w20 w108 o... w21 w89 o... \"\" ... \"Paint\" .. " COLOR "... w3"                                    \
    "\"right\" .. w-1 w-120 \"price\" .. w28 h9 h2 \"times\" .. w-1 w-172"

/* One type and its bytes: read in both orders, from memory of any alignment, and written. */
static void check_type(CORBA_TypeCode type, const char *text)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (int order = 0; order < 2; order++) {
        for (size_t skew = 0; skew < 3; skew++) {
            char storage[4096] = {0};
            const size_t size = bytes_of(text, order, storage + skew, sizeof storage - skew);
            for (size_t cut = 0; cut <= size; cut++) {
                char *const bytes = exactly(storage, skew + cut);
                struct whittle_cdr_in in = reads(bytes + skew, cut);
                CORBA_TypeCode read = TC_CORBA_long;
                const char *const end = whittle_cdr_in_typecode(&in, in.base, &read, order != host_is_little());
                if (cut < size) {
                    CHECK(end == NULL && read == NULL);
                    free(bytes);
                    continue;
                }
                CHECK(end == bytes + skew + size);
                CHECK(CORBA_TypeCode_equal(read, type, &ev) && CORBA_TypeCode_equal(type, read, &ev));
                CHECK(CORBA_TypeCode_equivalent(read, type, &ev));
                struct message message;
                message_begin(&message, skew);
                message.at = whittle_cdr_out_typecode(&message.out, message.at, &read);
                check_bytes(&message, text);
                message_end(&message);
                whittle_release_typecode(&read);
                CHECK(read == NULL);
                free(bytes);
            }
        }
    }
    struct message message;
    message_begin(&message, 0);
    message.at = whittle_cdr_out_typecode(&message.out, message.at, &type);
    check_bytes(&message, text);
    message_end(&message);
}

/* What a message says, which must be refused. */
static void check_refused(const char *text)
{
    for (int order = 0; order < 2; order++) {
        char bytes[4096];
        const size_t size = bytes_of(text, order, bytes, sizeof bytes);
        struct whittle_cdr_in in = reads(bytes, size);
        CORBA_TypeCode read = NULL;
        CHECK(whittle_cdr_in_typecode(&in, bytes, &read, order != host_is_little()) == NULL && read == NULL);
    }
}

static CORBA_TypeCode read_type(const char *text)
{
    char bytes[4096];
    struct whittle_cdr_in in = reads(bytes, bytes_of(text, host_is_little(), bytes, sizeof bytes));
    CORBA_TypeCode read = NULL;
    CHECK(whittle_cdr_in_typecode(&in, bytes, &read, false) != NULL);
    return read;
}

static void test_bytes(void)
{
    CORBA_TypeCode const basic[] = {
        TC_null, TC_void, TC_short, TC_long, TC_unsigned_short, TC_unsigned_long, TC_float, TC_double, TC_boolean,
        TC_char, TC_octet, TC_any, TC_TypeCode, TC_Principal};
    CORBA_TypeCode const newer[] = {TC_long_long, TC_unsigned_long_long, TC_long_double, TC_wchar};
    char text[16];
    for (int kind = 0; kind < 14; kind++) {
        snprintf(text, sizeof text, "w%d", kind);
        check_type(basic[kind], text);
    }
    for (int kind = 0; kind < 4; kind++) {
        snprintf(text, sizeof text, "w%d", 23 + kind);
        check_type(newer[kind], text);
    }
    check_type(TC_string, "w18 w0");
    check_type(TC_wstring, "w27 w0");
    check_type(TC_Object, "w14 w51 o... \"IDL:omg.org/CORBA/Object:1.0\" ... \"Object\"");
    check_type(&money, "w28 h9 h2");
    check_type(&node, NODE);
    check_type(&choice, CHOICE);
    check_type(&color, COLOR);
    check_type(&pair, PAIR);
}

/* Encapsulations have orders of their own: an array of sequences, the one's inside the other's. */
static void test_mixed_orders(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    static const struct CORBA_TypeCode_struct words = A_TYPE(sequence, .count = 7, .content = TC_CORBA_unsigned_long);
    static const struct CORBA_TypeCode_struct table = A_TYPE(array, .count = 2, .content = &words);
    for (int orders = 0; orders < 4; orders++) {
        char text[128];
        snprintf(text, sizeof text, "w20 w28 %s... w19 w12 %s... w5 w7 < w2 <", orders & 1 ? "L" : "B",
                 orders & 2 ? "L" : "B");
        CORBA_TypeCode read = read_type(text);
        CHECK(CORBA_TypeCode_equal(read, &table, &ev));
        whittle_release_typecode(&read);
    }
}

static void expect(CORBA_Environment *ev, const char *id)
{
    CHECK(ev->_major == CORBA_USER_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0);
    CORBA_exception_free(ev);
}

static void check_text(CORBA_char *text, const char *expected)
{
    CHECK(text != NULL && strcmp(text, expected) == 0);
    CORBA_free(text);
}

static void test_operations(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_TypeCode read = read_type(CHOICE);
    CHECK(CORBA_TypeCode_kind(read, &ev) == CORBA_tk_union && CORBA_TypeCode_member_count(read, &ev) == 3);
    check_text(CORBA_TypeCode_id(read, &ev), "IDL:C:1.0");
    check_text(CORBA_TypeCode_name(read, &ev), "Choice");
    check_text(CORBA_TypeCode_member_name(read, 1, &ev), "rest");
    CHECK(CORBA_TypeCode_default_index(read, &ev) == 1);
    CHECK(CORBA_TypeCode_discriminator_type(read, &ev) == TC_long_long);
    CHECK(CORBA_TypeCode_member_type(read, 0, &ev) == TC_octet);
    CORBA_any *label = CORBA_TypeCode_member_label(read, 2, &ev);
    CHECK(label->_type == TC_long_long && *(CORBA_long_long *)label->_value == -2);
    CORBA_free(label);
    label = CORBA_TypeCode_member_label(read, 1, &ev);
    CHECK(label->_type == TC_octet && *(CORBA_octet *)label->_value == 0);
    CORBA_free(label);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
    CHECK(CORBA_TypeCode_member_name(read, 3, &ev) == NULL);
    expect(&ev, ex_CORBA_TypeCode_Bounds);
    CHECK(CORBA_TypeCode_length(read, &ev) == 0);
    expect(&ev, ex_CORBA_TypeCode_BadKind);
    CHECK(CORBA_TypeCode_content_type(TC_long, &ev) == NULL);
    expect(&ev, ex_CORBA_TypeCode_BadKind);
    CHECK(CORBA_TypeCode_fixed_digits(&money, &ev) == 9 && CORBA_TypeCode_fixed_scale(&money, &ev) == 2);
    CHECK(CORBA_TypeCode_length(&row, &ev) == 3 && CORBA_TypeCode_content_type(&row, &ev) == &paint);
    whittle_release_typecode(&read);
}

/* The same character, whether a compiler calls it -1 or 255. */
static void test_signs_of_labels(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    static const struct whittle_member minus[] = {{"last", TC_CORBA_long, -1, 4}};
    static const struct CORBA_TypeCode_struct by_character =
        A_TYPE(union, .name = "", .repository_id = "", .count = 1, .members = minus, .content = TC_CORBA_char,
               .default_index = WHITTLE_NO_DEFAULT);
    CORBA_TypeCode read = read_type("w16 w52 o... \"\" ... \"\" ... w9 w-1 w1 ff ... \"last\" ... w3");
    CHECK(CORBA_TypeCode_equal(read, &by_character, &ev) && CORBA_TypeCode_equal(&by_character, read, &ev));
    const CORBA_octet last = 255, other = 254;
    CHECK(whittle_chosen(&by_character, &last) == minus && whittle_chosen(&by_character, &other) == NULL);
    whittle_release_typecode(&read);
}

/* A part keeps alive all that it reaches, which may be the whole. */
static void test_parts_outlive_the_whole(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_TypeCode whole = read_type(NODE);
    CORBA_TypeCode part = CORBA_TypeCode_member_type(whole, 1, &ev);
    whittle_release_typecode(&whole);
    CORBA_TypeCode again = CORBA_TypeCode_content_type(part, &ev);
    whittle_release_typecode(&part);
    CHECK(CORBA_TypeCode_equal(again, &node, &ev));
    check_text(CORBA_TypeCode_name(again, &ev), "Node");
    whittle_release_typecode(&again);
}

static void test_equivalence(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CHECK(!CORBA_TypeCode_equal(&paint, &color, &ev) && CORBA_TypeCode_equivalent(&paint, &color, &ev));
    CHECK(!CORBA_TypeCode_equivalent(&node, &color, &ev) && !CORBA_TypeCode_equal(TC_long, TC_short, &ev));
    CORBA_TypeCode compact = CORBA_TypeCode_get_compact_typecode(&node, &ev);
    CHECK(CORBA_TypeCode_equivalent(compact, &node, &ev) && !CORBA_TypeCode_equal(compact, &node, &ev));
    check_text(CORBA_TypeCode_name(compact, &ev), "");
    check_text(CORBA_TypeCode_member_name(compact, 1, &ev), "");
    check_text(CORBA_TypeCode_id(compact, &ev), "IDL:Node:1.0");
    whittle_release_typecode(&compact);
    CHECK(CORBA_TypeCode_get_compact_typecode(TC_long, &ev) == TC_long);
}

/* What C makes of the mapping's declarations is what is reckoned from the message. */
static void test_layout(void)
{
    struct inner { CORBA_octet a; CORBA_double b; };
    struct outer {
        CORBA_char a;
        struct { CORBA_boolean _d; union { CORBA_long_double x; CORBA_octet y; } _u; } b;
        struct inner c[3];
        struct { CORBA_unsigned_short _digits; CORBA_short _scale; CORBA_char _value[3]; } d;
        CORBA_any e;
        CORBA_sequence_long f;
        CORBA_octet g;
    };
    CORBA_TypeCode read = read_type(
        "w15 w264 o... \"\" ... \"\" ... w7"
        "\"a\" .. w9 \"b\" .. w16 w64 o... \"\" ... \"\" ... w8 w-1 w2 01 ... \"x\" .. w25 .... \"y\" .. w10"
        "\"c\" .. w20 w64 o... w15 w48 o... \"\" ... \"\" ... w2 \"a\" .. w10 \"b\" .. w7 w3"
        "\"d\" .. w28 h4 h2 \"e\" .. w11 \"f\" .. w19 w12 o... w3 w0 \"g\" .. w10");
    CHECK(read->size == sizeof(struct outer) && read->alignment == _Alignof(struct outer));
    const size_t offsets[] = {offsetof(struct outer, a), offsetof(struct outer, b), offsetof(struct outer, c),
                              offsetof(struct outer, d), offsetof(struct outer, e), offsetof(struct outer, f),
                              offsetof(struct outer, g)};
    for (int index = 0; index < 7; index++)
        CHECK(read->members[index].offset == offsets[index]);
    CHECK(read->members[1].type->members[0].offset == offsetof(struct outer, b._u) - offsetof(struct outer, b));
    whittle_release_typecode(&read);
}

static void test_refused(void)
{
    check_refused("w37");                                                   /* no such kind */
    check_refused("w-1 w-4");                                               /* indirections to nothing */
    check_refused("w-1 w-8");
    check_refused("w19 w16 o... w-1 w12 w0");
    check_refused("w19 w0 w0");                                             /* encapsulations without their order */
    check_refused("w19 w400 o... w3 w0");                                   /* ... longer than the message */
    check_refused("w20 w16 o... w-1 w-16 w2");                              /* an array of itself */
    check_refused("w21 w28 o... \"\" ... \"\" ... w-1 w-32");               /* an alias of itself */
    check_refused("w15 w40 o... \"\" ... \"\" ... w1 \"m\" .. w-1 w-44");   /* a structure with itself inside */
    check_refused("w15 w24 o... \"\" ... \"\" ... w1000000000");            /* more members than there are bytes */
    check_refused("w17 w24 o... \"\" ... \"\" ... w-1");
    check_refused("w14 w20 o... w4 61 62 63 64 \"\" ...");                  /* a text without its end */
    check_refused("w14 w20 o... w4 61 .. 00 \"\" ...");                     /* ... with two */
    check_refused("w16 w36 o... \"\" ... \"\" ... w7 w-1 w0 ....");         /* chosen by a double */
    check_refused("w16 w32 o... \"\" ... \"\" ... w3 w5 w0");               /* a default that is no member */
}

/* Types inside of types: 64 are enough, and no message makes whoever walks them go deeper. */
static void test_depth(void)
{
    for (int deep = 60; deep < 70; deep++) {
        static char bytes[65536];
        char *at = bytes;
        for (int level = 0; level < deep; level++) {
            const uint32_t words[3] = {CORBA_tk_sequence, (uint32_t)(16 * (deep - level) - 4), host_is_little()};
            memcpy(at, words, 12);
            at[8] = host_is_little();
            at += 12;
        }
        const uint32_t element = CORBA_tk_octet;
        memcpy(at, &element, 4);
        memset(at + 4, 0, 4 * (size_t)deep);
        struct whittle_cdr_in in = reads(bytes, 16 * (size_t)deep + 4);
        CORBA_TypeCode read = NULL;
        CHECK((whittle_cdr_in_typecode(&in, bytes, &read, false) != NULL) == (deep <= 64));
        whittle_release_typecode(&read);
    }
    /* Side by side, each containing the one before. */
    for (int wide = 60; wide < 70; wide++) {
        static char bytes[65536];
        char *at = bytes;
        uint32_t words[] = {CORBA_tk_struct, 0, 0, 1, 0, 1, 0, (uint32_t)wide};
        memcpy(at, words, sizeof words);
        at[8] = host_is_little();
        at += sizeof words;
        const char *before = NULL;
        for (int member = 0; member < wide; member++) {
            const uint32_t array[] = {1, 0, CORBA_tk_array, before == NULL ? 12 : 16, 0};
            memcpy(at, array, sizeof array);
            at[16] = host_is_little();
            const char *const kind = at + 8;
            at += sizeof array;
            uint32_t element[] = {CORBA_tk_octet, 1, 0};
            size_t size = 8;
            if (before != NULL) {
                element[0] = UINT32_MAX;
                element[1] = (uint32_t)(before - at - 4);
                element[2] = 1;
                size = 12;
            }
            memcpy(at, element, size);
            at += size;
            before = kind;
        }
        const uint32_t length = (uint32_t)(at - bytes - 8);
        memcpy(bytes + 4, &length, 4);
        struct whittle_cdr_in in = reads(bytes, (size_t)(at - bytes));
        CORBA_TypeCode read = NULL;
        CHECK((whittle_cdr_in_typecode(&in, bytes, &read, false) != NULL) == (wide < 64));
        whittle_release_typecode(&read);
    }
}

/* A server's parameters go with the request. */
static void test_served(void)
{
    char bytes[512];
    struct whittle_cdr_in in = serves(bytes, bytes_of(NODE, host_is_little(), bytes, sizeof bytes));
    CORBA_TypeCode read = NULL;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CHECK(whittle_cdr_in_typecode(&in, bytes, &read, false) != NULL);
    CORBA_TypeCode kept = whittle_typecode_duplicate(read);
    serve_end();
    CHECK(CORBA_TypeCode_equal(kept, &node, &ev));
    whittle_release_typecode(&kept);
}

/* A message may hold a type in every eight bytes: each must take about as much as it says. */
static void test_small_types_are_small(void)
{
    char bytes[400];
    const size_t size = bytes_of("w18 w1", host_is_little(), bytes, sizeof bytes);
    char *const message = exactly(bytes, size);
    struct whittle_cdr_in in = reads(message, size);
    CORBA_TypeCode type = NULL;
    CHECK(whittle_cdr_in_typecode(&in, message, &type, false) != NULL);
    CHECK(type->graph != NULL && type->graph->pieces->next == NULL && type->graph->pieces->size < 256);
    whittle_release_typecode(&type);
    free(message);
}

int main(void)
{
    test_small_types_are_small();
    test_bytes();
    test_mixed_orders();
    test_operations();
    test_signs_of_labels();
    test_parts_outlive_the_whole();
    test_equivalence();
    test_layout();
    test_refused();
    test_depth();
    test_served();
    return 0;
}
