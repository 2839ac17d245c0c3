/* SPDX-License-Identifier: MIT-0 */
/*
 * A condition that is given when a program starts, from its text to a program that a sender takes (filter.c): the language is that of
 * `where` in a flow, and so is what is refused (comparison.c). Out comes the program, or the first place that makes no sense, with what
 * could stand there. Parentheses and `not` stand in each other to a bound, so that reading needs a bounded stack.
 */
#include "condition.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WHITTLE_FLOW_MOST_NESTED = 64, WHITTLE_FLOW_MOST_VALUES = 256, WHITTLE_FLOW_MOST_STEPS = 8 };
static const char whittle_flow_a_value[] = "a field, a number, a text, `true`, `false`, `not` or `(`";

/* The operation of the comparison that stands here; 0: none does. */
static uint8_t whittle_flow_comparison(struct whittle_flow_condition *condition)
{
    static const struct { const char *word; uint8_t operation; } all[] = {
        {"==", WHITTLE_FLOW_OP_EQUAL}, {"!=", WHITTLE_FLOW_OP_NOT_EQUAL}, {"<", WHITTLE_FLOW_OP_LESS}, {"<=", WHITTLE_FLOW_OP_AT_MOST},
        {">", WHITTLE_FLOW_OP_GREATER}, {">=", WHITTLE_FLOW_OP_AT_LEAST},
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        if (whittle_flow_is_at(condition, all[n].word))
            return all[n].operation;
    return 0;
}

static bool whittle_flow_read_number(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    const bool is_negative = whittle_flow_skip_token(condition, "-");
    const char *const at = whittle_flow_next_token(condition), *const end = whittle_flow_piece(at);
    char *rest = NULL;
    if (!whittle_flow_is_digit(*at) && (*at != '.' || !whittle_flow_is_digit(at[1]))) {
        condition->at = is_negative ? side->at : at;
        return whittle_flow_expected(condition, whittle_flow_a_value);
    }
    const bool is_float = memchr(at, '.', (size_t)(end - at)) != NULL
        || (at[1] != 'x' && at[1] != 'X' && (memchr(at, 'e', (size_t)(end - at)) != NULL || memchr(at, 'E', (size_t)(end - at)) != NULL));
    side->form = is_float ? WHITTLE_FLOW_A_FRACTION : WHITTLE_FLOW_AN_INTEGER;
    if (is_float)
        side->fraction = strtod(at, &rest) * (is_negative ? -1 : 1);
    else if (!whittle_flow_whole_number(at, end, &side->magnitude))
        return whittle_flow_condition_error(condition, at, "expected a number that a field can hold, without zeros before it, found `%.*s`", end - at < 40 ? (int)(end - at) : 40, at);
    if (is_float && (rest != end || !isfinite(side->fraction)))
        return whittle_flow_condition_error(condition, at, "expected a number that a field can hold, found `%.*s`", end - at < 40 ? (int)(end - at) : 40, at);
    side->negative = is_negative && side->magnitude != 0;
    condition->at = end;
    return true;
}

static bool whittle_flow_read_text(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    const char mark = *side->at, *const end = whittle_flow_piece(side->at);
    unsigned char character[8] = {0};
    const size_t bytes = whittle_flow_spelled(side->at, end, (char *)character, sizeof character);
    if (end - side->at < 2 || end[-1] != mark)
        return whittle_flow_condition_error(condition, side->at, "expected a `%c` where this ends", mark);
    if (bytes == SIZE_MAX)
        return whittle_flow_condition_error(condition, side->at, "expected escapes that C has, for characters of ASCII (others stand for themselves)");
    condition->at = end;
    side->form = mark == '"' ? WHITTLE_FLOW_A_TEXT : WHITTLE_FLOW_A_CHARACTER;
    if (mark == '"')
        return true;
    size_t length = 1;
    while (length < bytes && length < sizeof character && (character[length] & 0xc0) == 0x80)
        length++;
    if (bytes != length)
        return whittle_flow_condition_error(condition, side->at, "expected one character between `'`");
    side->magnitude = bytes == 1 ? character[0] : 128;   /* above all that one byte of ASCII says */
    return true;
}

/* A path into the packet, and the number of the field that it names; a word by itself may be an enumeration's. */
static bool whittle_flow_read_field(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    char name[256];
    uint8_t program[3 + 4 * WHITTLE_FLOW_MOST_STEPS];
    uint64_t element[WHITTLE_FLOW_MOST_STEPS];
    size_t length = 0, elements = 0, steps = 0;
    side->form = WHITTLE_FLOW_A_WORD;
    for (const char *end = whittle_flow_piece(condition->at);; end = whittle_flow_piece(condition->at)) {
        const size_t more = (size_t)(end - condition->at);
        if (length + more + 4 > sizeof name)
            return whittle_flow_condition_error(condition, side->at, "expected the name of a field, which is never so long");
        memcpy(name + length, condition->at, more);
        length += more;
        condition->at = side->end = end;
        while (whittle_flow_skip_token(condition, "[")) {
            const char *const at = whittle_flow_next_token(condition);
            if (elements == WHITTLE_FLOW_MOST_STEPS || !whittle_flow_whole_number(at, whittle_flow_piece(at), &element[elements++]))
                return whittle_flow_expected(condition, "the place of an element: a whole number");
            condition->at = whittle_flow_piece(at);
            if (!whittle_flow_skip_token(condition, "]"))
                return whittle_flow_expected(condition, "`]`");
            memcpy(name + length, "[]", 2);
            length += 2;
            side->end = condition->at;
            if (length + 4 > sizeof name)
                break;
        }
        if (!whittle_flow_skip_token(condition, "."))
            break;
        if (!whittle_flow_is_letter(*whittle_flow_next_token(condition)))
            return whittle_flow_expected(condition, "the name of a member, or `count`");
        name[length++] = '.';
        steps++;
    }
    name[length] = '\0';
    size_t number = 0;
    while (number < condition->field_count && strcmp(condition->fields[number].name, name) != 0)
        number++;
    if (number == condition->field_count)
        return (steps == 0 && elements == 0) || whittle_flow_no_field(condition, side);
    const struct whittle_flow_field *const field = side->field = &condition->fields[number];
    side->form = WHITTLE_FLOW_A_FIELD;
    program[0] = (uint8_t)number;
    program[1] = (uint8_t)(number >> 8);
    program[2] = (uint8_t)elements;
    for (size_t n = 0; n < elements; n++) {
        if (element[n] >= field->dimension[n].count)
            return whittle_flow_condition_error(condition, side->at, "expected an element from 0 to %u, found %llu", (unsigned)field->dimension[n].count - 1,
                (unsigned long long)element[n]);
        for (unsigned byte = 0; byte < 4; byte++)
            program[3 + 4 * n + byte] = (uint8_t)(element[n] >> 8 * byte);
    }
    return whittle_flow_emit(condition, WHITTLE_FLOW_OP_FIELD, program, 3 + 4 * elements);
}

static bool whittle_flow_read_any(struct whittle_flow_condition *condition, struct whittle_flow_side *side);
static bool whittle_flow_read_one(struct whittle_flow_condition *condition, struct whittle_flow_side *side);

/* What stands within something, unless that is within too much. */
static bool whittle_flow_read_nested(struct whittle_flow_condition *condition, struct whittle_flow_side *side,
    bool (*inner)(struct whittle_flow_condition *, struct whittle_flow_side *))
{
    if (++condition->depth > WHITTLE_FLOW_MOST_NESTED)
        return whittle_flow_condition_error(condition, condition->at, "at most %d conditions may stand in each other", (int)WHITTLE_FLOW_MOST_NESTED);
    const bool done = inner(condition, side);
    condition->depth--;
    return done;
}

static bool whittle_flow_read_value(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    const char *const at = whittle_flow_next_token(condition);
    bool done;
    memset(side, 0, sizeof *side);
    side->at = at;
    side->from = condition->bytes;
    if (++condition->values > WHITTLE_FLOW_MOST_VALUES)
        return whittle_flow_condition_error(condition, at, "a condition has at most %d values", (int)WHITTLE_FLOW_MOST_VALUES);
    if (whittle_flow_skip_token(condition, "(")) {
        if (!whittle_flow_read_nested(condition, side, whittle_flow_read_any))
            return false;
        return whittle_flow_skip_token(condition, ")") || whittle_flow_expected(condition, "`)`, `and` or `or`");
    }
    if (whittle_flow_is_at(condition, "and") || whittle_flow_is_at(condition, "or"))
        return whittle_flow_expected(condition, whittle_flow_a_value);
    if (whittle_flow_is_at(condition, "true") || whittle_flow_is_at(condition, "false")) {
        side->form = WHITTLE_FLOW_A_TRUTH;
        condition->at = whittle_flow_piece(at);
        done = whittle_flow_emit(condition, *at == 't' ? WHITTLE_FLOW_OP_TRUE : WHITTLE_FLOW_OP_FALSE, NULL, 0);
    } else if (whittle_flow_is_letter(*at))
        done = whittle_flow_read_field(condition, side);
    else if (*at == '"' || *at == '\'')
        done = whittle_flow_read_text(condition, side);
    else
        done = whittle_flow_read_number(condition, side);
    side->end = side->form == WHITTLE_FLOW_A_FIELD || side->form == WHITTLE_FLOW_A_WORD ? side->end : condition->at;
    side->to = condition->bytes;
    return done;
}

/* What has just been read is a condition. */
static bool whittle_flow_read_holds(struct whittle_flow_condition *condition, struct whittle_flow_side *side, const char *at, size_t from)
{
    memset(side, 0, sizeof *side);
    side->form = WHITTLE_FLOW_A_CONDITION;
    side->at = at;
    side->end = condition->at;
    side->from = from;
    side->to = condition->bytes;
    return true;
}

/* `not` a condition, a comparison, or what is true by itself. */
static bool whittle_flow_read_one(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    const char *const at = whittle_flow_next_token(condition);
    const size_t from = condition->bytes;
    struct whittle_flow_side right;
    if (whittle_flow_skip_token(condition, "not"))
        return whittle_flow_read_nested(condition, side, whittle_flow_read_one) && whittle_flow_must_hold(condition, side)
            && whittle_flow_emit(condition, WHITTLE_FLOW_OP_NOT, NULL, 0) && whittle_flow_read_holds(condition, side, at, from);
    if (!whittle_flow_read_value(condition, side))
        return false;
    const uint8_t operation = whittle_flow_comparison(condition);
    if (operation == 0)
        return true;
    condition->at = whittle_flow_piece(condition->at);
    if (!whittle_flow_read_value(condition, &right))
        return false;
    if (whittle_flow_comparison(condition) != 0)
        return whittle_flow_expected(condition, "`and`: `a < b < c` is written `a < b and b < c`");
    return whittle_flow_join(condition, operation, side, &right) && whittle_flow_read_holds(condition, side, at, from);
}

/* Several with a word between them, or the only one. */
static bool whittle_flow_read_joined(struct whittle_flow_condition *condition, struct whittle_flow_side *side, const char *word, uint8_t operation,
    bool (*one)(struct whittle_flow_condition *, struct whittle_flow_side *))
{
    const char *const at = whittle_flow_next_token(condition);
    const size_t from = condition->bytes;
    struct whittle_flow_side next;
    if (!one(condition, side))
        return false;
    while (whittle_flow_is_at(condition, word)) {
        if (!whittle_flow_must_hold(condition, side))
            return false;
        whittle_flow_skip_token(condition, word);
        if (!one(condition, &next) || !whittle_flow_must_hold(condition, &next) || !whittle_flow_emit(condition, operation, NULL, 0))
            return false;
        whittle_flow_read_holds(condition, side, at, from);
    }
    return true;
}

static bool whittle_flow_read_all(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    return whittle_flow_read_joined(condition, side, "and", WHITTLE_FLOW_OP_AND, whittle_flow_read_one);
}

static bool whittle_flow_read_any(struct whittle_flow_condition *condition, struct whittle_flow_side *side)
{
    return whittle_flow_read_joined(condition, side, "or", WHITTLE_FLOW_OP_OR, whittle_flow_read_all);
}

bool whittle_flow_condition_read(struct whittle_flow_condition *condition)
{
    struct whittle_flow_side side;
    condition->at = condition->text;
    if (!whittle_flow_read_any(condition, &side))
        return false;
    if (*whittle_flow_next_token(condition) != '\0')
        return whittle_flow_expected(condition, "`and`, `or`, a comparison such as `==`, or the end");
    if (!whittle_flow_must_hold(condition, &side))
        return false;
    const enum whittle_flow_refusal why = whittle_flow_filter_fault(condition->fields, condition->field_count, condition->code, condition->bytes);
    return why == WHITTLE_FLOW_NOT_REFUSED || whittle_flow_condition_error(condition, condition->text, "no sender takes it: %s", whittle_flow_refusal_text(why));
}
