/*
 * Conditions that a program is given when it starts: from their text to a program, as the flow's own are; with each operator, each type of
 * fields, and each mistake in its place. No text whatever makes the reader read behind its end, and what it takes, a sender takes.
 * Seeded: where_test [SEED].
 */
#include "../condition.h"
#include "common.h"
#include <stdlib.h>
#include <string.h>

enum kind { QUIET = -1, LOUD = 3, DEAF = 1000 };
struct inner { int16_t x; uint8_t bytes[3]; };
struct packet {
    uint32_t number;
    double warmth;
    float narrow;
    bool is_open, is_wet;
    char place[8];
    const char *name;
    struct inner at[4];
    uint64_t big;
    int8_t small;
    int64_t wide;
    enum kind kind, before;
    char letter, other;
    uint32_t q_count;
};
static const struct whittle_flow_member members[] = {{"QUIET", QUIET}, {"LOUD", LOUD}, {"DEAF", DEAF}};
#define FIELD(path, called, sort, count, bound, ...) \
    {offsetof(struct packet, path), sizeof(((struct packet *)0)->path), WHITTLE_FLOW_##sort, count, __VA_ARGS__, called, bound, NULL, 0}
#define ENUMERATION(path) {offsetof(struct packet, path), sizeof(enum kind), WHITTLE_FLOW_ENUMERATION, 0, {{0, 0}}, #path, 0, members, 3}
static const struct whittle_flow_field fields[] = {
    FIELD(number, "number", UNSIGNED, 0, 0, {{0, 0}}), FIELD(warmth, "warmth", FLOAT, 0, 0, {{0, 0}}),
    FIELD(narrow, "narrow", FLOAT, 0, 0, {{0, 0}}), FIELD(is_open, "is_open", TRUTH, 0, 0, {{0, 0}}),
    FIELD(is_wet, "is_wet", TRUTH, 0, 0, {{0, 0}}), FIELD(place, "place", TEXT, 0, 7, {{0, 0}}),
    FIELD(name, "name", POINTED_TEXT, 0, 0, {{0, 0}}), FIELD(at[0].x, "at[].x", SIGNED, 1, 0, {{4, sizeof(struct inner)}}),
    FIELD(at[0].bytes[0], "at[].bytes[]", UNSIGNED, 2, 0, {{4, sizeof(struct inner)}, {3, 1}}),
    FIELD(big, "big", UNSIGNED, 0, 0, {{0, 0}}), FIELD(small, "small", SIGNED, 0, 0, {{0, 0}}),
    FIELD(wide, "wide", SIGNED, 0, 0, {{0, 0}}), ENUMERATION(kind), ENUMERATION(before),
    FIELD(letter, "letter", CHARACTER, 0, 0, {{0, 0}}), FIELD(other, "other", CHARACTER, 0, 0, {{0, 0}}),
    FIELD(q_count, "q.count", UNSIGNED, 0, 9, {{0, 0}}),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const struct packet packet = {.number = 7, .warmth = 1.5, .narrow = 0.1f, .is_open = true, .place = "a \"b\"", .name = "sea",
    .at[2] = {-3, {1, 2, 200}}, .big = UINT64_MAX, .small = -1, .wide = INT64_MIN, .kind = LOUD, .before = QUIET, .letter = 'A', .other = 'b', .q_count = 2};

/* In memory of its own size, so that a byte too far is seen. */
static struct whittle_flow_condition *read_text(const char *text)
{
    struct whittle_flow_condition *const condition = calloc(1, sizeof *condition);
    condition->fields = fields;
    condition->field_count = FIELDS;
    condition->packet = "packet";
    condition->text = strdup(text);
    whittle_flow_condition_read(condition);
    return condition;
}

static void release(struct whittle_flow_condition *condition)
{
    free((void *)(uintptr_t)condition->text);
    free(condition);
}

static void comes_to(bool expected, const char *text)
{
    struct whittle_flow_condition *const condition = read_text(text);
    CHECK(condition->wrong == NULL, "%s: %d: %s", text, (int)(condition->wrong - condition->text) + 1, condition->why);
    const bool holds = whittle_flow_filter_holds(fields, FIELDS, condition->code, condition->bytes, &packet);
    CHECK(holds == expected, "%s: it came to %d", text, holds);
    release(condition);
}

static void each_comparison_is_read(void)
{
    static const char *const hold[] = {
        "number == 7", "number != 8", "number < 8", "number <= 7", "number > 6", "number >= 7", "7 == number", "8 > number", "6 < number", "7 >= number", "7 <= number",
        "number == 0x7", "number > 6.5", "6.5 < number", "number == 7.0", "number < 1e3",
        "warmth == 1.5", "warmth > 1", "warmth < 2", "-1 < warmth", "warmth >= -2.5e-3", "narrow == 0.1", "narrow != warmth", "warmth < number", "narrow > at[2].x",
        "is_open", "not is_wet", "is_open == true", "is_open != false", "is_open != is_wet", "true == is_open", "(number == 7) == is_open", "(number == 8) == (number == 9)",
        "place == \"a \\\"b\\\"\"", "place != \"\"", "\"sea\" == name", "name == \"\\x73e\\141\"", "name != place",
        "at[2].x == -3", "at[2].x < 0", "at[0].x > -1", "at[2].bytes[2] == 200", "at [ 2 ] . bytes [ 0 ] == 1", "at[2].x < number", "at[1].bytes[0] == '\\0'",
        "big == 18446744073709551615", "big > 9223372036854775808", "big >= number", "small == -1", "small < at[3].x", "small < number", "number > small",
        "wide < -9223372036854775807", "wide <= -5", "wide < small",
        "kind == LOUD", "LOUD == kind", "kind != DEAF", "before == QUIET", "kind != before",
        "letter == 'A'", "letter < 'B'", "letter == 65", "'\\x41' == letter", "letter < other", "letter < warmth or letter > warmth",
        "q.count == 2", "q.count >= 1", "q.count < number",
        "number == 7 and is_open", "number == 8 or is_open", "is_wet or is_wet or is_open", "is_open and is_open and not is_wet", "not is_wet and is_open or is_wet",
        "is_open or is_wet and is_wet", "(is_open or is_wet) and not (is_wet and is_open)", "not not is_open", "\tnumber\n==\r7 ", "not number == 8",
    };
    static const char *const fail[] = {
        "number == 8", "not is_open", "is_wet and is_open", "(is_open or is_open) and is_wet", "place == \"a\"", "kind == QUIET", "letter > 'A'", "warmth < 1.5", "big < 7",
        "wide > 0", "not (number == 7)", "not is_open or is_wet", "at[0].x != 0", "q.count > 2",
    };
    for (size_t n = 0; n < sizeof hold / sizeof *hold; n++)
        comes_to(true, hold[n]);
    for (size_t n = 0; n < sizeof fail / sizeof *fail; n++)
        comes_to(false, fail[n]);
}

static void each_mistake_has_its_place(void)
{
    static const struct { int column; const char *text, *why; } all[] = {
        {1, "", "expected a field, a number, a text, `true`, `false`, `not` or `(`, found the end"},
        {10, "number > ", "expected a field, a number, a text"},
        {12, "number > 3 && is_open", "expected `and`, `or`, a comparison such as `==`, or the end, found `&&`"},
        {8, "number = 3", "found `=`"},
        {9, "is_open || is_wet", "found `||`"},
        {1, "!is_open", "found `!`"},
        {12, "1 < number < 3", "`a < b < c` is written `a < b and b < c`"},
        {17, "(number == 7    ", "expected `)`, `and` or `or`, found the end"},
        {12, "number == 7)", "found `)`"},
        {1, "speed > 3", "`packet` has no `speed` that can be compared: there is `number`"},
        {5, "not speed", "`packet` has no `speed`"},
        {1, "at.x == 3", "`packet` has no `at.x` that can be compared: there is `at[].x`, `at[].bytes[]`"},
        {1, "at[2] == 3", "has no `at[2]`"},
        {1, "q == 2", "there is `q.count`"},
        {1, "at[4].x == 3", "expected an element from 0 to 3, found 4"},
        {4, "at[x].x == 3", "expected the place of an element"},
        {4, "at[01].x == 3", "expected the place of an element"},
        {8, "number.", "expected the name of a member"},
        {7, "number", "expected a comparison"},
        {9, "number. ", "expected the name of a member"},
        {11, "number == 010", "without zeros before it"},
        {11, "number == 99999999999999999999", "expected a number that a field can hold"},
        {10, "warmth > 1e999", "expected a number that a field can hold"},
        {11, "number == 1z", "expected a number"},
        {11, "number == -", "found `-`"},
        {1, "number >= 0", "comes out the same for every packet: the field is a whole number from 0 to 4294967295"},
        {1, "number == -1", "comes out the same"},
        {1, "0 <= number", "comes out the same"},
        {1, "number == 2.5", "comes out the same"},
        {1, "number < 4294967296", "comes out the same"},
        {1, "small > 127", "a whole number from -128 to 127"},
        {1, "small <= 127.5", "comes out the same"},
        {1, "wide >= -9223372036854775808", "from -9223372036854775808 to 9223372036854775807"},
        {1, "q.count > 9", "from 0 to 9"},
        {1, "narrow < 1e39", "holds no number so large"},
        {1, "number == number", "both sides are the same"},
        {1, "at[1].x < at[1].x", "both sides are the same"},
        {1, "is_open == is_open", "both sides are the same"},
        {1, "place < \"b\"", "a text has no order"},
        {1, "name <= place", "a text has no order"},
        {1, "kind < LOUD", "has no order"},
        {1, "is_open > false", "has no order"},
        {9, "kind == FAINT", "expected a member of the enumeration: `QUIET`, `LOUD`, `DEAF`"},
        {9, "kind == 3", "expected a member of the enumeration"},
        {11, "number == LOUD", "has no `LOUD`"},
        {1, "number == \"7\"", "a whole number without a sign and a text cannot be compared"},
        {1, "\"7\" == number", "a text and a whole number without a sign cannot be compared"},
        {1, "number == 'A'", "and a character cannot be compared"},
        {1, "number == is_open", "cannot be compared"},
        {1, "number == letter", "cannot be compared"},
        {1, "kind == number", "cannot be compared"},
        {1, "wide < big", "no number of C holds all values of both"},
        {1, "wide < warmth", "does not hold all numbers of 64 bits"},
        {11, "letter == '\xc3\xa9'", "one byte, and this one takes several"},
        {11, "letter == 'ab'", "expected one character between `'`"},
        {11, "letter == ''", "expected one character between `'`"},
        {11, "letter == 'a", "expected a `'` where this ends"},
        {10, "place == \"a", "expected a `\"` where this ends"},
        {10, "place == \"a\\", "expected a `\"` where this ends"},
        {10, "place == \"\\q\"", "expected escapes that C has"},
        {10, "place == \"\\xff\"", "expected escapes that C has"},
        {10, "place == \"12345678\"", "longer than the field may be"},
        {9, "name == \"a\\0\"", "no text of a packet holds NUL"},
        {1, "3 == 4", "compares no field of the packet"},
        {1, "true", "compares no field of the packet"},
        {14, "is_open and (true)", "compares no field of the packet"},
        {12, "is_open and", "found the end"},
        {1, "and is_open", "found `and`"},
        {1, "\xc3\xa9 == 3", "found `\xc3\xa9`"},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        struct whittle_flow_condition *const condition = read_text(all[n].text);
        CHECK(condition->wrong != NULL, "%s: taken", all[n].text);
        const int column = (int)(condition->wrong - condition->text) + 1;
        CHECK(strstr(condition->why, all[n].why) != NULL, "%s: %s", all[n].text, condition->why);
        CHECK(column == all[n].column, "%s: column %d: %s", all[n].text, column, condition->why);
        release(condition);
    }
}

/* What is repeated so often between an opening and an end. */
static char *repeated(const char *piece, unsigned times, const char *end, const char *closing)
{
    const size_t bytes = strlen(piece) * times + strlen(end) + strlen(closing) * times + 1;
    char *const text = malloc(bytes), *at = text;
    for (unsigned n = 0; n < times; n++)
        at = stpcpy(at, piece);
    at = stpcpy(at, end);
    for (unsigned n = 0; n < times; n++)
        at = stpcpy(at, closing);
    return text;
}

static void size_has_bounds(void)
{
    static const struct { const char *piece; unsigned times; const char *end, *closing, *why; } all[] = {
        {"(", 64, "is_open", ")", NULL}, {"(", 65, "is_open", ")", "at most 64 conditions may stand in each other"},
        {"not ", 64, "is_open", "", NULL}, {"not ", 100000, "is_open", "", "at most 64"}, {"(", 100000, "is_open", ")", "at most 64"},
        {"is_open == (", 60, "is_open", " and is_wet)", NULL},
        {"is_wet or ", 150, "is_open", "", NULL}, {"is_wet or ", 256, "is_open", "", "more than 1000 bytes as data"},
        {"true == ", 300, "is_open", "", "is written"}, {"not (is_wet and ", 32, "is_open", ")", NULL},
        {"number != 3 and ", 90, "is_open", "", "more than 1000 bytes as data"},
        {"a", 1000, " == 3", "", "never so long"}, {"a.", 1000, "b == 3", "", "never so long"}, {"at[2]", 1, "[2][2][2][2][2][2][2][2] == 3", "", "expected the place"},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        char *const text = repeated(all[n].piece, all[n].times, all[n].end, all[n].closing);
        struct whittle_flow_condition *const condition = read_text(text);
        if (all[n].why == NULL)
            CHECK(condition->wrong == NULL, "%.40s: %s", text, condition->why);
        else
            CHECK(condition->wrong != NULL && strstr(condition->why, all[n].why) != NULL, "%.40s: %s", text, condition->wrong != NULL ? condition->why : "taken");
        release(condition);
        free(text);
    }
}

static void any_text_does_no_harm(void)
{
    static const char *const pieces[] = {"number", "warmth", "narrow", "is_open", "place", "name", "at[2].x", "at[1].bytes[2]", "big", "small", "wide", "kind", "letter",
        "q.count", "LOUD", "3", "-1", "0.1", "\"a\"", "'A'", "true", "false", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "(", ")", "==", "and", "or", ".", "[", "]",
        "0x", "1e", "'", "\"", "\\", "&&", "-", "\x80"};
    unsigned taken = 0;
    for (unsigned turn = 0; turn < 100000; turn++) {
        char text[400] = "";
        for (unsigned steps = any(12); steps > 0; steps--) {
            strcat(text, pieces[any(any(4) == 0 ? sizeof pieces / sizeof *pieces : 36)]);
            if (any(6) != 0)
                strcat(text, " ");
        }
        for (unsigned odd = any(10) == 0 ? any(4) : 0; odd > 0 && text[0] != '\0'; odd--)
            text[any((uint32_t)strlen(text))] = (char)(1 + any(255));
        struct whittle_flow_condition *const condition = read_text(text);
        CHECK(condition->wrong == NULL || (condition->wrong >= condition->text && condition->wrong <= condition->text + strlen(text)), "%s: no place", text);
        if (condition->wrong == NULL) {
            const enum whittle_flow_refusal why = whittle_flow_filter_fault(fields, FIELDS, condition->code, condition->bytes);
            CHECK(why == WHITTLE_FLOW_NOT_REFUSED, "%s: %s", text, whittle_flow_refusal_text(why));
            (void)whittle_flow_filter_holds(fields, FIELDS, condition->code, condition->bytes, &packet);
            taken++;
        }
        release(condition);
    }
    CHECK(taken > 200, "of 100,000 only %u made sense", taken);
}

int main(int argc, char **argv)
{
    seed_numbers(argc > 1 ? strtoull(argv[1], NULL, 0) : 20261128u);
    each_comparison_is_read();
    each_mistake_has_its_place();
    size_has_bounds();
    any_text_does_no_harm();
    return 0;
}
