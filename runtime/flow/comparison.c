/* SPDX-License-Identifier: MIT-0 */
/*
 * What may be compared with what, of a condition that is read when a program starts: the rules of `where` in a flow (docs/guides/describe-a-flow.md),
 * so that one text means the same in both places. In come two sides, out goes their comparison as a program; what is never alike, and
 * what comes out the same for every packet, is refused.
 */
#include "condition.h"
#include <math.h>
#include <string.h>

bool whittle_flow_emit(struct whittle_flow_condition *condition, uint8_t operation, const void *more, size_t bytes)
{
    if (sizeof condition->code - condition->bytes < 1 + bytes)
        return whittle_flow_condition_error(condition, condition->at, "up to here it takes more than %d bytes as data", (int)sizeof condition->code);
    condition->code[condition->bytes++] = operation;
    if (bytes > 0)
        memcpy(condition->code + condition->bytes, more, bytes);
    condition->bytes += bytes;
    return true;
}

bool whittle_flow_emit_number(struct whittle_flow_condition *condition, uint8_t operation, uint64_t number)
{
    uint8_t little[8];
    for (unsigned byte = 0; byte < 8; byte++)
        little[byte] = (uint8_t)(number >> 8 * byte);
    return whittle_flow_emit(condition, operation, little, sizeof little);
}

static bool whittle_flow_emit_fraction(struct whittle_flow_condition *condition, const char *at, double fraction, bool is_narrow)
{
    uint64_t bits;
    fraction = is_narrow ? (double)(float)fraction : fraction;
    if (!isfinite(fraction))
        return whittle_flow_condition_error(condition, at, "this comparison comes out the same for every packet: the field holds no number so large");
    memcpy(&bits, &fraction, sizeof bits);
    return whittle_flow_emit_number(condition, WHITTLE_FLOW_OP_FLOAT, bits);
}

/* How messages call what a field holds, or what stands there. */
static const char *whittle_flow_called(const struct whittle_flow_side *side)
{
    static const char *const kinds[] = {
        [WHITTLE_FLOW_SIGNED] = "a whole number", [WHITTLE_FLOW_UNSIGNED] = "a whole number without a sign", [WHITTLE_FLOW_FLOAT] = "a number with a fraction",
        [WHITTLE_FLOW_TRUTH] = "a truth value", [WHITTLE_FLOW_TEXT] = "a text", [WHITTLE_FLOW_POINTED_TEXT] = "a text",
        [WHITTLE_FLOW_CHARACTER] = "a character", [WHITTLE_FLOW_ENUMERATION] = "a member of an enumeration",
    };
    switch (side->form) {
    case WHITTLE_FLOW_A_FIELD: return kinds[side->field->kind];
    case WHITTLE_FLOW_A_CONDITION:
    case WHITTLE_FLOW_A_TRUTH: return "a truth value";
    case WHITTLE_FLOW_A_TEXT: return "a text";
    case WHITTLE_FLOW_A_CHARACTER: return "a character";
    case WHITTLE_FLOW_A_WORD: return "a word";
    default: return "a number";
    }
}

/* Adds ``, `name` `` to a list, as long as there is room for it. */
static void whittle_flow_list(char *list, size_t room, const char *name)
{
    const size_t length = strlen(list);
    if (length + strlen(name) + 6 < room)
        snprintf(list + length, room - length, "%s`%s`", length > 0 ? ", " : "", name);
}

/* A path or a word that names nothing: what there is instead, within its first part where that exists. */
bool whittle_flow_no_field(struct whittle_flow_condition *condition, const struct whittle_flow_side *side)
{
    char known[240] = "";
    size_t first = 0;
    const int length = side->end - side->at < 60 ? (int)(side->end - side->at) : 60;
    while (side->at + first < side->end && strchr(".[ \t", side->at[first]) == NULL)
        first++;
    for (int turn = 0; turn < 2 && known[0] == '\0'; turn++)
        for (size_t n = 0; n < condition->field_count; n++) {
            const char *const name = condition->fields[n].name;
            if (turn > 0 || (strncmp(name, side->at, first) == 0 && (name[first] == '.' || name[first] == '[' || name[first] == '\0')))
                whittle_flow_list(known, sizeof known, name);
        }
    return whittle_flow_condition_error(condition, side->at, "`%s` has no `%.*s` that can be compared: there is %s", condition->packet, length, side->at, known);
}

static bool whittle_flow_is_truth(const struct whittle_flow_side *side)
{
    return side->form == WHITTLE_FLOW_A_CONDITION || side->form == WHITTLE_FLOW_A_TRUTH
        || (side->form == WHITTLE_FLOW_A_FIELD && side->field->kind == WHITTLE_FLOW_TRUTH);
}

/* What stands where something must hold. */
bool whittle_flow_must_hold(struct whittle_flow_condition *condition, const struct whittle_flow_side *side)
{
    if (side->form == WHITTLE_FLOW_A_TRUTH)
        return whittle_flow_condition_error(condition, side->at, "this compares no field of the packet: name one on one side");
    if (side->form == WHITTLE_FLOW_A_WORD)
        return whittle_flow_no_field(condition, side);
    return whittle_flow_is_truth(side)
        || whittle_flow_condition_error(condition, side->end, "expected a comparison such as `== 0` behind %s", whittle_flow_called(side));
}

static bool whittle_flow_different(struct whittle_flow_condition *condition, const struct whittle_flow_side *left, const struct whittle_flow_side *right, const char *help)
{
    const struct whittle_flow_side *const one = left->at < right->at ? left : right, *const other = one == left ? right : left;
    return whittle_flow_condition_error(condition, one->at, "%s and %s cannot be compared%s", whittle_flow_called(one), whittle_flow_called(other), help);
}

static bool whittle_flow_must_be_equality(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *side)
{
    return operation <= WHITTLE_FLOW_OP_NOT_EQUAL
        || whittle_flow_condition_error(condition, side->at, "%s has no order: expected `==` or `!=`", whittle_flow_called(side));
}

static bool whittle_flow_is_whole(const struct whittle_flow_field *field)
{
    return field->kind == WHITTLE_FLOW_SIGNED || field->kind == WHITTLE_FLOW_UNSIGNED;
}

/* The ends of a field's values; of one with a sign the least is -1 - most. */
static uint64_t whittle_flow_most(const struct whittle_flow_field *field)
{
    if (field->most != 0)
        return field->most;
    return UINT64_MAX >> (64 - 8 * field->bytes + (field->kind == WHITTLE_FLOW_SIGNED));
}

static bool whittle_flow_always(struct whittle_flow_condition *condition, const struct whittle_flow_side *left, const struct whittle_flow_side *right,
    const struct whittle_flow_field *field)
{
    const bool has_sign = field->kind == WHITTLE_FLOW_SIGNED;
    const uint64_t most = whittle_flow_most(field);
    return whittle_flow_condition_error(condition, left->at < right->at ? left->at : right->at,
        "this comparison comes out the same for every packet: the field is a whole number from %s%llu to %llu", has_sign ? "-" : "",
        has_sign ? (unsigned long long)most + 1 : 0, (unsigned long long)most);
}

/* Whether a comparison with a number may come out either way: where it stands to the least and the greatest value, below 0, 0 or above. */
static bool whittle_flow_may_differ(uint8_t operation, int to_least, int to_most)
{
    switch (operation) {
    case WHITTLE_FLOW_OP_EQUAL:
    case WHITTLE_FLOW_OP_NOT_EQUAL: return to_least >= 0 && to_most <= 0;
    case WHITTLE_FLOW_OP_LESS:
    case WHITTLE_FLOW_OP_AT_LEAST: return to_least > 0 && to_most <= 0;
    default: return to_least >= 0 && to_most < 0;
    }
}

static bool whittle_flow_can_come_out(uint8_t operation, const struct whittle_flow_field *field, const struct whittle_flow_side *said)
{
    const uint64_t most = whittle_flow_most(field), least = field->kind == WHITTLE_FLOW_SIGNED ? most + 1 : 0, number = said->magnitude;   /* the least, without its sign */
    const int to_least = said->negative ? (number < least) - (number > least) : number > 0 || least > 0;
    return whittle_flow_may_differ(operation, to_least, said->negative ? -1 : (number > most) - (number < most));
}

/* Without libm, which programs need not be linked with. Beyond 2^53 every number is whole. */
static bool whittle_flow_has_no_fraction(double number)
{
    const double all_whole = 9007199254740992.0;
    return number >= all_whole || number <= -all_whole || number == (double)(int64_t)number;
}

static bool whittle_flow_may_come_near(uint8_t operation, const struct whittle_flow_field *field, double number)
{
    const double most = (double)whittle_flow_most(field), least = field->kind == WHITTLE_FLOW_SIGNED ? -most - 1 : 0;
    if (operation <= WHITTLE_FLOW_OP_NOT_EQUAL && !whittle_flow_has_no_fraction(number))
        return false;
    return whittle_flow_may_differ(operation, (number > least) - (number < least), (number > most) - (number < most));
}

/* A field, and what the condition says of it; the operation is as if the field stood first. */
static bool whittle_flow_with_said(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *value, const struct whittle_flow_side *said)
{
    const struct whittle_flow_field *const field = value->field;
    const bool is_whole = whittle_flow_is_whole(field), is_narrow = field->bytes == sizeof(float);
    const bool is_number = said->form == WHITTLE_FLOW_AN_INTEGER || (said->form == WHITTLE_FLOW_A_CHARACTER && (field->kind == WHITTLE_FLOW_CHARACTER || field->bytes == 1));
    char text[2 + WHITTLE_FLOW_FILTER_MOST];
    const char *const at = value->at < said->at ? value->at : said->at;
    if ((is_whole || field->kind == WHITTLE_FLOW_CHARACTER) && is_number) {
        if (said->form == WHITTLE_FLOW_A_CHARACTER && said->magnitude > 127)
            return whittle_flow_condition_error(condition, said->at, "this comparison comes out the same for every packet: a character of a packet is one byte, and this one takes several");
        if (!whittle_flow_can_come_out(operation, field, said))
            return whittle_flow_always(condition, value, said, field);
        return whittle_flow_emit_number(condition, !said->negative && said->magnitude > INT64_MAX ? WHITTLE_FLOW_OP_LARGE : WHITTLE_FLOW_OP_INTEGER,
            said->negative ? 0 - said->magnitude : said->magnitude);
    }
    if (is_whole && said->form == WHITTLE_FLOW_A_FRACTION)
        return whittle_flow_may_come_near(operation, field, said->fraction) ? whittle_flow_emit_fraction(condition, at, said->fraction, false)
                                                                          : whittle_flow_always(condition, value, said, field);
    if (field->kind == WHITTLE_FLOW_FLOAT && said->form == WHITTLE_FLOW_AN_INTEGER)
        return whittle_flow_emit_fraction(condition, at, (double)said->magnitude * (said->negative ? -1 : 1), is_narrow);
    if (field->kind == WHITTLE_FLOW_FLOAT && said->form == WHITTLE_FLOW_A_FRACTION)
        return whittle_flow_emit_fraction(condition, at, said->fraction, is_narrow);
    if ((field->kind == WHITTLE_FLOW_TEXT || field->kind == WHITTLE_FLOW_POINTED_TEXT) && said->form == WHITTLE_FLOW_A_TEXT) {
        const size_t bytes = whittle_flow_spelled(said->at, said->end, text + 2, sizeof text - 2);
        if (!whittle_flow_must_be_equality(condition, operation, value))
            return false;
        if (memchr(text + 2, '\0', bytes < sizeof text - 2 ? bytes : sizeof text - 2) != NULL)
            return whittle_flow_condition_error(condition, said->at, "this comparison comes out the same for every packet: no text of a packet holds NUL");
        if (bytes > sizeof text - 2 || (field->most != 0 && bytes > field->most))
            return whittle_flow_condition_error(condition, said->at, "this comparison comes out the same for every packet: the text is longer than the field may be");
        text[0] = (char)(bytes & 0xff);
        text[1] = (char)(bytes >> 8);
        return whittle_flow_emit(condition, WHITTLE_FLOW_OP_TEXT, text, 2 + bytes);
    }
    if (field->kind == WHITTLE_FLOW_ENUMERATION) {
        char known[160] = "";
        for (size_t n = 0; n < field->member_count && n < 8; n++)
            whittle_flow_list(known, sizeof known, field->members[n].name);
        return whittle_flow_condition_error(condition, said->at, "expected a member of the enumeration: %s", known);
    }
    return whittle_flow_different(condition, value, said, "");
}

/* A word that is no field's name, and a field. */
static bool whittle_flow_with_word(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *value, const struct whittle_flow_side *word)
{
    const struct whittle_flow_field *const field = value->form == WHITTLE_FLOW_A_FIELD ? value->field : NULL;
    const size_t length = (size_t)(word->end - word->at);
    if (field == NULL || field->kind != WHITTLE_FLOW_ENUMERATION)
        return whittle_flow_no_field(condition, word);
    for (size_t n = 0; n < field->member_count; n++)
        if (strlen(field->members[n].name) == length && memcmp(field->members[n].name, word->at, length) == 0)
            return whittle_flow_must_be_equality(condition, operation, value)
                && whittle_flow_emit_number(condition, WHITTLE_FLOW_OP_INTEGER, (uint64_t)field->members[n].value);
    return whittle_flow_with_said(condition, operation, value, word);
}

/* Two fields. */
static bool whittle_flow_two_fields(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *left, const struct whittle_flow_side *right)
{
    const struct whittle_flow_field *const one = left->field, *const other = right->field;
    const bool texts = (one->kind == WHITTLE_FLOW_TEXT || one->kind == WHITTLE_FLOW_POINTED_TEXT) && (other->kind == WHITTLE_FLOW_TEXT || other->kind == WHITTLE_FLOW_POINTED_TEXT);
    const bool floats = one->kind == WHITTLE_FLOW_FLOAT || other->kind == WHITTLE_FLOW_FLOAT;
    const bool wholes = whittle_flow_is_whole(one) && whittle_flow_is_whole(other), characters = one->kind == WHITTLE_FLOW_CHARACTER && other->kind == WHITTLE_FLOW_CHARACTER;
    const bool numbers = (whittle_flow_is_whole(one) || one->kind == WHITTLE_FLOW_FLOAT || one->kind == WHITTLE_FLOW_CHARACTER)
        && (whittle_flow_is_whole(other) || other->kind == WHITTLE_FLOW_FLOAT || other->kind == WHITTLE_FLOW_CHARACTER);
    const bool same_members = one->kind == WHITTLE_FLOW_ENUMERATION && other->kind == WHITTLE_FLOW_ENUMERATION && one->member_count == other->member_count
        && one->member_count > 0 && strcmp(one->members[0].name, other->members[0].name) == 0;
    if (texts || same_members)
        return whittle_flow_must_be_equality(condition, operation, left);
    if (floats && numbers) {
        if ((whittle_flow_is_whole(one) && one->bytes == 8) || (whittle_flow_is_whole(other) && other->bytes == 8))
            return whittle_flow_different(condition, left, right, ": compare each with a number: a `double` does not hold all numbers of 64 bits");
        return true;
    }
    if (characters)
        return true;
    if (!wholes)
        return whittle_flow_different(condition, left, right, "");
    const bool one_large = one->kind == WHITTLE_FLOW_UNSIGNED && one->bytes == 8, other_large = other->kind == WHITTLE_FLOW_UNSIGNED && other->bytes == 8;
    if ((one_large && other->kind == WHITTLE_FLOW_SIGNED) || (other_large && one->kind == WHITTLE_FLOW_SIGNED))
        return whittle_flow_different(condition, left, right, ": compare each with a number: no number of C holds all values of both");
    return true;
}

/* With the sides changed. */
static uint8_t whittle_flow_turned(uint8_t operation)
{
    switch (operation) {
    case WHITTLE_FLOW_OP_LESS: return WHITTLE_FLOW_OP_GREATER;
    case WHITTLE_FLOW_OP_GREATER: return WHITTLE_FLOW_OP_LESS;
    case WHITTLE_FLOW_OP_AT_MOST: return WHITTLE_FLOW_OP_AT_LEAST;
    case WHITTLE_FLOW_OP_AT_LEAST: return WHITTLE_FLOW_OP_AT_MOST;
    default: return operation;
    }
}

bool whittle_flow_join(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *left, const struct whittle_flow_side *right)
{
    const bool fields = left->form == WHITTLE_FLOW_A_FIELD && right->form == WHITTLE_FLOW_A_FIELD;
    const size_t bytes = left->to - left->from;
    uint8_t last = operation;
    bool done;
    if (fields && left->field->kind != WHITTLE_FLOW_FLOAT && bytes == right->to - right->from
        && memcmp(condition->code + left->from, condition->code + right->from, bytes) == 0)
        return whittle_flow_condition_error(condition, left->at, "this comparison comes out the same for every packet: both sides are the same");
    if (left->form == WHITTLE_FLOW_A_WORD || right->form == WHITTLE_FLOW_A_WORD)
        done = left->form == WHITTLE_FLOW_A_WORD ? whittle_flow_with_word(condition, operation, right, left) : whittle_flow_with_word(condition, operation, left, right);
    else if (whittle_flow_is_truth(left) && whittle_flow_is_truth(right))
        done = whittle_flow_must_be_equality(condition, operation, left);
    else if (whittle_flow_is_truth(left) || whittle_flow_is_truth(right))
        done = whittle_flow_different(condition, left, right, "");
    else if (fields)
        done = whittle_flow_two_fields(condition, operation, left, right);
    else if (left->form == WHITTLE_FLOW_A_FIELD)
        done = whittle_flow_with_said(condition, operation, left, right);
    else if (right->form == WHITTLE_FLOW_A_FIELD) {
        last = whittle_flow_turned(operation);  /* the field stands in the program already */
        done = whittle_flow_with_said(condition, last, right, left);
    } else
        done = whittle_flow_condition_error(condition, left->at, "this compares no field of the packet: name one on one side");
    return done && whittle_flow_emit(condition, last, NULL, 0);
}
