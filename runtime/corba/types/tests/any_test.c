/*
 * Anys: values of every type out and in again, as bytes by hand in both orders, copied, compared, served, and
 * malformed.
 */
#include "common.h"
#include "../graph.h"
#include "../value.h"
#include <wchar.h>

WHITTLE_FIXED(5, 2)

/* What generated code has of a structure with everything in it. */
typedef struct either {
    CORBA_short _d;
    union {
        CORBA_string text;
        CORBA_long_long number;
    } _u;
} either;
typedef struct rich {
    CORBA_octet a;
    CORBA_string text;
    CORBA_sequence_CORBA_double numbers;
    CORBA_any inner;
    CORBA_TypeCode type;
    CORBA_Object object;
    either choice;
    CORBA_fixed_5_2 price;
    CORBA_wstring wide;
    CORBA_wchar letter;
    CORBA_long_double exact;
    CORBA_long grid[2][3];
    CORBA_enum color;
    CORBA_boolean is_last;
    CORBA_sequence_CORBA_string names;
} rich;

static void release_either(void *place)
{
    if (((either *)place)->_d == 1)
        whittle_release_string(&((either *)place)->_u.text);
}

static void release_rich(void *place)
{
    rich *const value = place;
    whittle_release_string(&value->text);
    whittle_release_sequence(&value->numbers);
    whittle_release_any(&value->inner);
    whittle_release_typecode(&value->type);
    whittle_release_object(&value->object);
    release_either(&value->choice);
    whittle_release_wstring(&value->wide);
    whittle_release_sequence(&value->names);
}

#define OF(c_type) .size = sizeof(c_type), .alignment = _Alignof(c_type)
static const struct CORBA_TypeCode_struct doubles = {
    .kind = CORBA_tk_sequence, .content = TC_CORBA_double, .release = whittle_release_sequence,
    OF(CORBA_sequence_CORBA_double)};
static const struct CORBA_TypeCode_struct names = {
    .kind = CORBA_tk_sequence, .content = TC_CORBA_string, .release = whittle_release_sequence,
    OF(CORBA_sequence_CORBA_string)};
static const struct whittle_member either_members[] = {
    {"text", TC_CORBA_string, 1, offsetof(either, _u)}, {"number", TC_CORBA_long_long, -7, offsetof(either, _u)}};
static const struct CORBA_TypeCode_struct either_type = {
    .kind = CORBA_tk_union, .name = "Either", .repository_id = "IDL:Either:1.0", .count = 2, .members = either_members,
    .content = TC_CORBA_short, .default_index = WHITTLE_NO_DEFAULT, .release = release_either, OF(either)};
static const struct CORBA_TypeCode_struct price_type = {
    .kind = CORBA_tk_fixed, .count = 5, .scale = 2, OF(CORBA_fixed_5_2)};
static const struct CORBA_TypeCode_struct line_type = {
    .kind = CORBA_tk_array, .content = TC_CORBA_long, .count = 3, OF(CORBA_long[3])};
static const struct CORBA_TypeCode_struct grid_type = {
    .kind = CORBA_tk_array, .content = &line_type, .count = 2, OF(CORBA_long[2][3])};
static const struct whittle_member colors[] = {{.name = "red"}, {.name = "green"}, {.name = "blue"}};
static const struct CORBA_TypeCode_struct color_type = {
    .kind = CORBA_tk_enum, .name = "Color", .repository_id = "IDL:Color:1.0", .count = 3, .members = colors,
    OF(CORBA_enum)};
static const struct whittle_member rich_members[] = {
    {"a", TC_CORBA_octet, 0, offsetof(rich, a)},
    {"text", TC_CORBA_string, 0, offsetof(rich, text)},
    {"numbers", &doubles, 0, offsetof(rich, numbers)},
    {"inner", TC_CORBA_any, 0, offsetof(rich, inner)},
    {"type", TC_CORBA_TypeCode, 0, offsetof(rich, type)},
    {"object", TC_CORBA_Object, 0, offsetof(rich, object)},
    {"choice", &either_type, 0, offsetof(rich, choice)},
    {"price", &price_type, 0, offsetof(rich, price)},
    {"wide", TC_CORBA_wstring, 0, offsetof(rich, wide)},
    {"letter", TC_CORBA_wchar, 0, offsetof(rich, letter)},
    {"exact", TC_CORBA_long_double, 0, offsetof(rich, exact)},
    {"grid", &grid_type, 0, offsetof(rich, grid)},
    {"color", &color_type, 0, offsetof(rich, color)},
    {"is_last", TC_CORBA_boolean, 0, offsetof(rich, is_last)},
    {"names", &names, 0, offsetof(rich, names)}};
static const struct CORBA_TypeCode_struct rich_type = {
    .kind = CORBA_tk_struct, .name = "Rich", .repository_id = "IDL:Rich:1.0", .count = 15, .members = rich_members,
    .release = release_rich, OF(rich)};

static rich *a_rich(void)
{
    rich *const value = whittle_corba_new(sizeof *value, 1, release_rich);
    value->a = 200;
    value->text = CORBA_string_dup("some text");
    value->numbers = (CORBA_sequence_CORBA_double){3, 2, CORBA_sequence_CORBA_double_allocbuf(3), CORBA_TRUE};
    value->numbers._buffer[0] = 0.5;
    value->numbers._buffer[1] = -1e300;
    value->inner = (CORBA_any){&color_type, CORBA_long__alloc(), CORBA_TRUE};
    *(CORBA_long *)value->inner._value = 2;
    value->type = &rich_type;
    value->object = an_object(77);
    value->choice._d = 1;
    value->choice._u.text = CORBA_string_dup("chosen");
    value->price = (CORBA_fixed_5_2){5, 2, {0}};
    CORBA_fixed_set(&value->price, -9, 99);
    value->wide = CORBA_wstring_dup(L"w\u00efde");
    value->letter = L'\u03a9';
    value->exact = 1.0L / 3;
    for (int index = 0; index < 6; index++)
        value->grid[index / 3][index % 3] = index - 3;
    value->color = 1;
    value->is_last = CORBA_TRUE;
    value->names = (CORBA_sequence_CORBA_string){40, 40, CORBA_sequence_CORBA_string_allocbuf(40), CORBA_TRUE};
    for (int index = 0; index < 40; index++)
        value->names._buffer[index] = CORBA_string_dup(index % 2 ? "odd" : "");
    return value;
}

/* The value of a type that this program has, out of a message: usable as the C structure. */
static void check_rich(const rich *value)
{
    CHECK(value->a == 200 && strcmp(value->text, "some text") == 0 && value->numbers._buffer[1] == -1e300);
    CHECK(*(CORBA_long *)value->inner._value == 2 && strcmp(value->choice._u.text, "chosen") == 0);
    CHECK(CORBA_fixed_integer_part(&value->price) == -9 && wcscmp(value->wide, L"w\u00efde") == 0);
    CHECK(value->letter == L'\u03a9' && value->grid[1][2] == 2 && value->color == 1 && value->is_last == 1);
    CHECK(value->exact == 1.0L / 3 && value->names._length == 40 && strcmp(value->names._buffer[39], "odd") == 0);
}

static void test_everything(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const CORBA_any any = {&rich_type, a_rich(), CORBA_TRUE};
    struct message message;
    for (size_t skew = 0; skew < 9; skew++) {
        message_begin(&message, skew);
        message.at = whittle_cdr_out_any(&message.out, message.at, &any);
        const size_t size = message_size(&message);
        for (size_t cut = skew == 0 ? 0 : size; cut <= size; cut++) {
            char *const there = exactly(message.out.base, cut);
            CORBA_any read, copy;
            struct whittle_cdr_in in = reads(there, cut);
            const char *const end = whittle_cdr_in_any(&in, there, &read, false);
            CHECK((end != NULL) == (cut == size));
            if (end != NULL) {
                CHECK(end == there + size && CORBA_TypeCode_equal(read._type, &rich_type, &ev));
                check_rich(read._value);
                CHECK(CORBA_any_equal(&any, &read) && CORBA_any_equal(&read, &any));
                CHECK(CORBA_any__copy(&copy, &read));
                whittle_release_any(&read);
                check_rich(copy._value);
                CHECK(CORBA_any_equal(&copy, &any));
                ((rich *)copy._value)->grid[1][1]++;
                CHECK(!CORBA_any_equal(&copy, &any));
                struct message again;
                message_begin(&again, 0);
                ((rich *)copy._value)->grid[1][1]--;
                again.at = whittle_cdr_out_any(&again.out, again.at, &copy);
                CHECK(message_size(&again) == size && memcmp(again.out.base, there, size) == 0);
                message_end(&again);
                whittle_release_any(&copy);
            }
            CHECK(read._value == NULL && read._type == NULL);
            free(there);
        }
        message_end(&message);
    }
    CHECK(objects == 1);
    CORBA_any gone = any;
    whittle_release_any(&gone);
    CHECK(objects == 0);
}

/* A value from a message outlives its any, and goes by CORBA_free alone. */
static void test_taken_values(void)
{
    const CORBA_any any = {&rich_type, a_rich(), CORBA_TRUE};
    struct message message;
    message_begin(&message, 0);
    message.at = whittle_cdr_out_any(&message.out, message.at, &any);
    CORBA_any read;
    struct whittle_cdr_in in = reads(message.out.base, message_size(&message));
    CHECK(whittle_cdr_in_any(&in, in.base, &read, false) != NULL);
    rich *const taken = read._value;
    CORBA_any_set_release(&read, CORBA_FALSE);
    whittle_release_any(&read);
    check_rich(taken);
    CORBA_free(taken);

    struct whittle_cdr_in server = serves(message.out.base, message_size(&message));
    CHECK(whittle_cdr_in_any(&server, server.base, &read, false) != NULL);
    check_rich(read._value);
    CORBA_any kept;
    CHECK(!read._release && CORBA_any__copy(&kept, &read));
    serve_end();
    check_rich(kept._value);
    whittle_release_any(&kept);
    CORBA_any gone = any;
    whittle_release_any(&gone);
    message_end(&message);
    CHECK(objects == 0);
}

/* Bytes by hand: read in both orders, written in this machine's. */
static CORBA_any read_bytes(const char *text)
{
    CORBA_any reads_as[2];
    for (int order = 0; order < 2; order++) {
        char bytes[4096];
        const size_t size = bytes_of(text, order, bytes, sizeof bytes);
        for (size_t cut = 0; cut <= size; cut++) {
            char *const there = exactly(bytes, cut);
            struct whittle_cdr_in in = reads(there, cut);
            const char *const end = whittle_cdr_in_any(&in, there, &reads_as[order], order != host_is_little());
            CHECK((end != NULL) == (cut == size));
            free(there);
        }
    }
    CHECK(CORBA_any_equal(&reads_as[0], &reads_as[1]));
    struct message message;
    message_begin(&message, 5);
    message.at = whittle_cdr_out_any(&message.out, message.at, &reads_as[0]);
    check_bytes(&message, text);
    message_end(&message);
    whittle_release_any(&reads_as[1]);
    return reads_as[0];
}

static void test_bytes(void)
{
    CORBA_any any = read_bytes("w3 w-5");
    CHECK(any._type == TC_CORBA_long && *(CORBA_long *)any._value == -5);
    whittle_release_any(&any);
    any = read_bytes("w23 .... q-5000000000");
    CHECK(*(CORBA_long_long *)any._value == -5000000000);
    whittle_release_any(&any);
    any = read_bytes("w7 .... q4611686018427387904");
    CHECK(*(CORBA_double *)any._value == 2.0);
    whittle_release_any(&any);
    any = read_bytes("w18 w5 \"hello\"");
    CHECK(strcmp(*(CORBA_string *)any._value, "hello") == 0);
    whittle_release_any(&any);
    any = read_bytes("w8 01");
    CHECK(*(CORBA_boolean *)any._value == 1);
    whittle_release_any(&any);
    any = read_bytes("w20 w16 o... w18 w0 w2 \"a\" .. \"b\"");
    CHECK(strcmp(((CORBA_string *)any._value)[1], "b") == 0);
    whittle_release_any(&any);
    any = read_bytes("w0");
    CHECK(any._type == TC_CORBA_null && any._value == NULL);
    whittle_release_any(&any);
    any = read_bytes("w11 w2 h-2");
    CHECK(*(CORBA_short *)((CORBA_any *)any._value)->_value == -2);
    whittle_release_any(&any);
    any = read_bytes("w12 w19 w12 o... w10 w4");
    CHECK((*(CORBA_TypeCode *)any._value)->content == TC_CORBA_octet);
    whittle_release_any(&any);
    any = read_bytes("w28 h5 h2 12 34 5d");
    CHECK(CORBA_fixed_integer_part(any._value) == -123);
    whittle_release_any(&any);
    /* An exception: its id, then its members. The octet's structure is padded in C, and in the message. */
    any = read_bytes("w22 w72 o... \"IDL:Bad:1.0\" \"Bad\" w3 \"code\" ... w10 \"at\" . w5 \"far\" w23"
                     "\"IDL:Bad:1.0\" 07 ... w9 q10");
    whittle_release_any(&any);
}

static void check_refused(const char *text)
{
    for (int order = 0; order < 2; order++) {
        char bytes[4096];
        const size_t size = bytes_of(text, order, bytes, sizeof bytes);
        CORBA_any read;
        struct whittle_cdr_in in = reads(bytes, size);
        CHECK(whittle_cdr_in_any(&in, bytes, &read, order != host_is_little()) == NULL);
        CHECK(read._type == NULL && read._value == NULL);
    }
}

static void test_refused(void)
{
    check_refused("w18 w4 \"hello\"");                              /* longer than its bound */
    check_refused("w19 w12 o... w3 w1 w2 w1 w2");
    check_refused("w19 w12 o... w10 w0 w-1 00");                    /* more than there is */
    check_refused("w19 w16 o... w18 w0 w0 w-1 w1 00");
    check_refused("w20 w12 o... w10 w2000000000 00");               /* values too large for memory */
    check_refused("w31 w20 o... \"\" ... \"\" ...");                /* native: no values */
    check_refused("w17 w30 o... \"\" ... \"\" ... w1 \"e\" .. w1");   /* no such enumerator */
    check_refused("w28 h40 h2 00 00 00 00 00 00 00 00");
    /* A union whose one octet would make a megabyte. */
    check_refused("w16 w64 o... \"\" ... \"\" ... w10 w-1 w1 01 ... \"m\" .. w20 w12 o... w10 w1000000 00");
    check_refused("w13 w0");                                        /* nobody has Principals any more */
}

/* Anys in anys, as deep as a message is long. */
static void test_depth(void)
{
    for (int deep = 900; deep < 4000; deep += 1000) {
        static char bytes[4 * 4001];
        uint32_t kind = CORBA_tk_any;
        for (int level = 0; level < deep; level++)
            memcpy(bytes + 4 * level, &kind, 4);
        memset(bytes + 4 * deep, 0, 4);
        CORBA_any read, copy;
        struct whittle_cdr_in in = reads(bytes, 4 * (size_t)deep + 4);
        const bool is_read = whittle_cdr_in_any(&in, bytes, &read, false) != NULL;
        CHECK(is_read == (deep == 900));
        if (is_read) {
            CHECK(CORBA_any__copy(&copy, &read) && CORBA_any_equal(&copy, &read));
            whittle_release_any(&copy);
        }
        whittle_release_any(&read);
    }
}

/* What only this side could do wrong. */
static void test_unwritable(void)
{
    CORBA_string none = NULL;
    either odd = {5, {0}};
    CORBA_sequence_CORBA_double holes = {1, 1, NULL, CORBA_FALSE};
    const CORBA_any anys[] = {{TC_CORBA_string, &none, CORBA_FALSE}, {TC_CORBA_long, NULL, CORBA_FALSE},
                              {&doubles, &holes, CORBA_FALSE}, {TC_CORBA_Principal, &odd, CORBA_FALSE}};
    struct message message;
    message_begin(&message, 0);
    for (int index = 0; index < 4; index++)
        CHECK(whittle_cdr_out_any(&message.out, message.out.base, &anys[index]) == NULL);
    const CORBA_any empty = {NULL, NULL, CORBA_FALSE}, neither = {&either_type, &odd, CORBA_FALSE};
    message.at = whittle_cdr_out_any(&message.out, message.out.base, &empty);
    check_bytes(&message, "w0");
    CHECK(whittle_cdr_out_any(&message.out, message.out.base, &neither) != NULL);
    message_end(&message);
}

int main(void)
{
    test_everything();
    test_taken_values();
    test_bytes();
    test_refused();
    test_depth();
    test_unwritable();
    return 0;
}
