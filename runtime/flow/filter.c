/* SPDX-License-Identifier: MIT-0 */
/*
 * Conditions as data: what a subscriber wants where the sender was not built with it. In comes a program of a few operations in postfix
 * form, from another process: it is looked at as a whole before it is used, and then asked of each packet. Source: Eisenhauer, Bustamante
 * and Schwan, "Event Services for High Performance Computing" (filters that are sent to the source); Mogul, Rashid and Accetta, "The
 * Packet Filter" (a stack machine whose programs are checked when they come).
 *
 * An operation is a byte, and what belongs to it, little-endian: INTEGER, LARGE (above the greatest of 63 bits) and FLOAT have 8 bytes;
 * TEXT a length of 2, and so many; FIELD the field's number of 2, how many elements of 1, and the number of each of 4. Each pushes a value.
 * NOT, AND and OR take truth values; comparisons take two values, of which the second stands above the first.
 */
#include "condition.h"
#include <math.h>
#include <string.h>

enum { WHITTLE_FLOW_FILTER_DEPTH = 72 };
enum whittle_flow_sort { WHITTLE_FLOW_IS_INTEGER, WHITTLE_FLOW_IS_LARGE, WHITTLE_FLOW_IS_FLOAT, WHITTLE_FLOW_IS_TEXT, WHITTLE_FLOW_IS_TRUTH };

/* `number` of LARGE has no sign; a text has `bytes`. */
struct whittle_flow_value {
    enum whittle_flow_sort sort;
    bool truth;
    uint64_t number;
    double fraction;
    const char *text;
    size_t bytes;
};

/* A program while it is gone through. */
struct whittle_flow_steps {
    const struct whittle_flow_field *fields;
    size_t field_count;
    const uint8_t *code;
    size_t bytes, at;
};

/* As both ends say it; what comes from the other end may be any number. */
const char *whittle_flow_refusal_text(uint64_t refusal)
{
    static const char *const all[] = {
        [WHITTLE_FLOW_REFUSED_NOT_A_CHANNEL] = "packets of this edge go to one receiver",
        [WHITTLE_FLOW_REFUSED_OTHER_PACKETS] = "it is asked of other packets",
        [WHITTLE_FLOW_REFUSED_TOO_LONG] = "it is too long",
        [WHITTLE_FLOW_REFUSED_UNKNOWN_OPERATION] = "it has an operation that is not known",
        [WHITTLE_FLOW_REFUSED_NO_TRUTH] = "it does not come to one truth value",
        [WHITTLE_FLOW_REFUSED_TOO_DEEP] = "its conditions stand too deep in each other",
        [WHITTLE_FLOW_REFUSED_TOO_FEW_OPERANDS] = "an operation has too little before it",
        [WHITTLE_FLOW_REFUSED_JOINS_NO_TRUTH] = "it joins what is no truth value",
        [WHITTLE_FLOW_REFUSED_CANNOT_COMPARE] = "it compares what cannot be compared so",
        [WHITTLE_FLOW_REFUSED_NO_NUMBER] = "it compares with what is no number",
        [WHITTLE_FLOW_REFUSED_CUT_NUMBER] = "it ends within a number",
        [WHITTLE_FLOW_REFUSED_CUT_TEXT] = "it ends within a text",
        [WHITTLE_FLOW_REFUSED_CUT_FIELD] = "it ends within a field",
        [WHITTLE_FLOW_REFUSED_NO_SUCH_FIELD] = "it names a field that packets have not",
        [WHITTLE_FLOW_REFUSED_NO_ELEMENT] = "it does not say which element of an array it means",
        [WHITTLE_FLOW_REFUSED_ELEMENT_BEHIND_END] = "it names an element behind the end of an array",
    };
    return refusal < sizeof all / sizeof *all && all[refusal] != NULL ? all[refusal] : "for a reason that is not known here";
}

static uint64_t whittle_flow_little(const uint8_t *from, size_t bytes)
{
    uint64_t number = 0;
    while (bytes-- > 0)
        number = number << 8 | from[bytes];
    return number;
}

/* The next `bytes` of the program. NULL: it ends before. */
static const uint8_t *whittle_flow_step_over(struct whittle_flow_steps *steps, size_t bytes)
{
    if (steps->bytes - steps->at < bytes)
        return NULL;
    steps->at += bytes;
    return steps->code + (steps->at - bytes);
}

/* What behind FIELD says: the field, and where it stands in a packet; or why there is no such. */
static enum whittle_flow_refusal whittle_flow_find_field(struct whittle_flow_steps *steps, const struct whittle_flow_field **field, size_t *offset)
{
    const uint8_t *const head = whittle_flow_step_over(steps, 3);
    const uint64_t number = head != NULL ? whittle_flow_little(head, 2) : 0;
    if (head == NULL)
        return WHITTLE_FLOW_REFUSED_CUT_FIELD;
    if (number >= steps->field_count)
        return WHITTLE_FLOW_REFUSED_NO_SUCH_FIELD;
    *field = &steps->fields[number];
    *offset = (*field)->offset;
    if (head[2] != (*field)->dimensions)
        return WHITTLE_FLOW_REFUSED_NO_ELEMENT;
    for (size_t n = 0; n < (*field)->dimensions; n++) {
        const uint8_t *const at = whittle_flow_step_over(steps, 4);
        if (at == NULL)
            return WHITTLE_FLOW_REFUSED_CUT_FIELD;
        if (whittle_flow_little(at, 4) >= (*field)->dimension[n].count)
            return WHITTLE_FLOW_REFUSED_ELEMENT_BEHIND_END;
        *offset += (size_t)whittle_flow_little(at, 4) * (*field)->dimension[n].stride;
    }
    return WHITTLE_FLOW_NOT_REFUSED;
}

static void whittle_flow_signed(struct whittle_flow_value *value, int64_t number)
{
    value->sort = WHITTLE_FLOW_IS_INTEGER;
    value->number = (uint64_t)number;
}

static void whittle_flow_unsigned(struct whittle_flow_value *value, uint64_t number)
{
    value->sort = number > INT64_MAX ? WHITTLE_FLOW_IS_LARGE : WHITTLE_FLOW_IS_INTEGER;
    value->number = number;
}

static uint64_t whittle_flow_unsigned_of(const void *place, size_t bytes)
{
    uint8_t byte;
    uint16_t word;
    uint32_t half;
    uint64_t whole;
    switch (bytes) {
    case 1: memcpy(&byte, place, 1); return byte;
    case 2: memcpy(&word, place, 2); return word;
    case 4: memcpy(&half, place, 4); return half;
    default: memcpy(&whole, place, 8); return whole;
    }
}

static int64_t whittle_flow_signed_of(const void *place, size_t bytes)
{
    const unsigned shift = 64u - 8u * (unsigned)bytes;
    return (int64_t)(whittle_flow_unsigned_of(place, bytes) << shift) >> shift;
}

static void whittle_flow_float_of(struct whittle_flow_value *value, const void *place, size_t bytes)
{
    float narrow;
    value->sort = WHITTLE_FLOW_IS_FLOAT;
    if (bytes == sizeof narrow) {
        memcpy(&narrow, place, sizeof narrow);
        value->fraction = (double)narrow;
    } else
        memcpy(&value->fraction, place, sizeof value->fraction);
}

/* What a field holds; of no packet, of which sort it is. */
static void whittle_flow_value_of(struct whittle_flow_value *value, const struct whittle_flow_field *field, const unsigned char *packet, size_t offset)
{
    static const unsigned char none[8];
    const unsigned char *const place = packet != NULL ? packet + offset : none;
    const size_t bytes = field->bytes;
    switch (field->kind) {
    case WHITTLE_FLOW_SIGNED:
    case WHITTLE_FLOW_ENUMERATION: whittle_flow_signed(value, whittle_flow_signed_of(place, bytes)); break;
    case WHITTLE_FLOW_UNSIGNED:
    case WHITTLE_FLOW_CHARACTER: whittle_flow_unsigned(value, whittle_flow_unsigned_of(place, bytes)); break;
    case WHITTLE_FLOW_FLOAT: whittle_flow_float_of(value, place, bytes); break;
    case WHITTLE_FLOW_TRUTH:
        value->sort = WHITTLE_FLOW_IS_TRUTH;
        value->truth = whittle_flow_unsigned_of(place, bytes) != 0;
        break;
    case WHITTLE_FLOW_POINTED_TEXT:
        value->sort = WHITTLE_FLOW_IS_TEXT;
        value->text = NULL;
        if (packet != NULL)
            memcpy(&value->text, place, sizeof value->text);
        value->text = value->text != NULL ? value->text : "";
        value->bytes = strlen(value->text);
        break;
    default:
        value->sort = WHITTLE_FLOW_IS_TEXT;
        value->text = packet != NULL ? (const char *)place : "";
        value->bytes = packet != NULL ? strnlen(value->text, bytes) : 0;
    }
}

/* The value that an operation pushes; or why it makes no sense. */
static enum whittle_flow_refusal whittle_flow_push_value(struct whittle_flow_steps *steps, uint8_t operation, const unsigned char *packet, struct whittle_flow_value *value)
{
    const struct whittle_flow_field *field;
    const uint8_t *from;
    enum whittle_flow_refusal why;
    size_t offset;
    memset(value, 0, sizeof *value);
    switch (operation) {
    case WHITTLE_FLOW_OP_TRUE:
    case WHITTLE_FLOW_OP_FALSE:
        value->sort = WHITTLE_FLOW_IS_TRUTH;
        value->truth = operation == WHITTLE_FLOW_OP_TRUE;
        return WHITTLE_FLOW_NOT_REFUSED;
    case WHITTLE_FLOW_OP_FIELD:
        if ((why = whittle_flow_find_field(steps, &field, &offset)) == WHITTLE_FLOW_NOT_REFUSED)
            whittle_flow_value_of(value, field, packet, offset);
        return why;
    case WHITTLE_FLOW_OP_TEXT:
        if ((from = whittle_flow_step_over(steps, 2)) == NULL)
            return WHITTLE_FLOW_REFUSED_CUT_TEXT;
        value->sort = WHITTLE_FLOW_IS_TEXT;
        value->bytes = (size_t)whittle_flow_little(from, 2);
        value->text = (const char *)whittle_flow_step_over(steps, value->bytes);
        return value->text != NULL ? WHITTLE_FLOW_NOT_REFUSED : WHITTLE_FLOW_REFUSED_CUT_TEXT;
    default:
        if ((from = whittle_flow_step_over(steps, 8)) == NULL)
            return WHITTLE_FLOW_REFUSED_CUT_NUMBER;
        whittle_flow_unsigned(value, whittle_flow_little(from, 8));
        if (operation == WHITTLE_FLOW_OP_INTEGER)
            value->sort = WHITTLE_FLOW_IS_INTEGER;
        if (operation != WHITTLE_FLOW_OP_FLOAT)
            return WHITTLE_FLOW_NOT_REFUSED;
        memcpy(&value->fraction, &value->number, sizeof value->fraction);
        value->sort = WHITTLE_FLOW_IS_FLOAT;
        return isfinite(value->fraction) ? WHITTLE_FLOW_NOT_REFUSED : WHITTLE_FLOW_REFUSED_NO_NUMBER;
    }
}

static bool whittle_flow_is_number(const struct whittle_flow_value *value)
{
    return value->sort <= WHITTLE_FLOW_IS_FLOAT;
}

/* Of two whole numbers: below 0, 0 or above. One without a sign that is LARGE is above all that have one. */
static int whittle_flow_order(const struct whittle_flow_value *one, const struct whittle_flow_value *other)
{
    if (one->sort != other->sort)
        return one->sort == WHITTLE_FLOW_IS_LARGE ? 1 : -1;
    if (one->sort == WHITTLE_FLOW_IS_LARGE)
        return (one->number > other->number) - (one->number < other->number);
    return ((int64_t)one->number > (int64_t)other->number) - ((int64_t)one->number < (int64_t)other->number);
}

static double whittle_flow_fraction(const struct whittle_flow_value *value)
{
    if (value->sort == WHITTLE_FLOW_IS_FLOAT)
        return value->fraction;
    return value->sort == WHITTLE_FLOW_IS_LARGE ? (double)value->number : (double)(int64_t)value->number;
}

static bool whittle_flow_compare_fractions(uint8_t operation, double one, double other)
{
    switch (operation) {
    case WHITTLE_FLOW_OP_EQUAL: return one == other;
    case WHITTLE_FLOW_OP_NOT_EQUAL: return one != other;
    case WHITTLE_FLOW_OP_LESS: return one < other;
    case WHITTLE_FLOW_OP_AT_MOST: return one <= other;
    case WHITTLE_FLOW_OP_GREATER: return one > other;
    default: return one >= other;
    }
}

static bool whittle_flow_compare(uint8_t operation, const struct whittle_flow_value *one, const struct whittle_flow_value *other)
{
    const bool same_text = one->bytes == other->bytes && memcmp(one->text != NULL ? one->text : "", other->text != NULL ? other->text : "", one->bytes) == 0;
    if (one->sort == WHITTLE_FLOW_IS_TEXT)
        return same_text == (operation == WHITTLE_FLOW_OP_EQUAL);
    if (one->sort == WHITTLE_FLOW_IS_TRUTH)
        return (one->truth == other->truth) == (operation == WHITTLE_FLOW_OP_EQUAL);
    if (one->sort == WHITTLE_FLOW_IS_FLOAT || other->sort == WHITTLE_FLOW_IS_FLOAT)
        return whittle_flow_compare_fractions(operation, whittle_flow_fraction(one), whittle_flow_fraction(other));
    return whittle_flow_compare_fractions(operation, whittle_flow_order(one, other), 0);
}

/* Takes the operands of an operation from the top of the stack, and puts its result there; or why it cannot. */
static enum whittle_flow_refusal whittle_flow_apply(uint8_t operation, struct whittle_flow_value *stack, size_t *depth)
{
    const size_t operands = operation == WHITTLE_FLOW_OP_NOT ? 1 : 2;
    if (*depth < operands)
        return WHITTLE_FLOW_REFUSED_TOO_FEW_OPERANDS;
    struct whittle_flow_value *const one = &stack[*depth - operands], *const last = &stack[*depth - 1];
    const bool truths = one->sort == WHITTLE_FLOW_IS_TRUTH && last->sort == WHITTLE_FLOW_IS_TRUTH;
    bool truth;
    if (operation < WHITTLE_FLOW_OP_EQUAL) {
        if (!truths)
            return WHITTLE_FLOW_REFUSED_JOINS_NO_TRUTH;
        truth = operation == WHITTLE_FLOW_OP_NOT ? !one->truth : operation == WHITTLE_FLOW_OP_AND ? one->truth && last->truth : one->truth || last->truth;
    } else {
        const bool ordered = operation > WHITTLE_FLOW_OP_NOT_EQUAL, numbers = whittle_flow_is_number(one) && whittle_flow_is_number(last);
        if (!numbers && (ordered || one->sort != last->sort))
            return WHITTLE_FLOW_REFUSED_CANNOT_COMPARE;
        truth = whittle_flow_compare(operation, one, last);
    }
    *depth -= operands - 1;
    memset(one, 0, sizeof *one);
    one->sort = WHITTLE_FLOW_IS_TRUTH;
    one->truth = truth;
    return WHITTLE_FLOW_NOT_REFUSED;
}

/* Goes through a program; of no packet, to see whether it makes sense; why it does not, or whether the condition holds. */
static enum whittle_flow_refusal whittle_flow_filter_run(struct whittle_flow_steps *steps, const unsigned char *packet, bool *holds)
{
    struct whittle_flow_value stack[WHITTLE_FLOW_FILTER_DEPTH];
    size_t depth = 0;
    enum whittle_flow_refusal why = WHITTLE_FLOW_NOT_REFUSED;
    while (why == WHITTLE_FLOW_NOT_REFUSED && steps->at < steps->bytes) {
        const uint8_t operation = steps->code[steps->at++];
        if (operation == 0 || (operation > WHITTLE_FLOW_OP_OR && operation < WHITTLE_FLOW_OP_EQUAL) || operation > WHITTLE_FLOW_OP_AT_LEAST)
            return WHITTLE_FLOW_REFUSED_UNKNOWN_OPERATION;
        if (operation > WHITTLE_FLOW_OP_FIELD)
            why = whittle_flow_apply(operation, stack, &depth);
        else if (depth == WHITTLE_FLOW_FILTER_DEPTH)
            return WHITTLE_FLOW_REFUSED_TOO_DEEP;
        else
            why = whittle_flow_push_value(steps, operation, packet, &stack[depth++]);
    }
    if (why == WHITTLE_FLOW_NOT_REFUSED && (depth != 1 || stack[0].sort != WHITTLE_FLOW_IS_TRUTH))
        return WHITTLE_FLOW_REFUSED_NO_TRUTH;
    *holds = why == WHITTLE_FLOW_NOT_REFUSED && stack[0].truth;
    return why;
}

/* Why a program is none for packets with these fields, if so. */
enum whittle_flow_refusal whittle_flow_filter_fault(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes)
{
    struct whittle_flow_steps steps = {fields, field_count, code, bytes, 0};
    bool holds;
    if (bytes > WHITTLE_FLOW_FILTER_MOST)
        return WHITTLE_FLOW_REFUSED_TOO_LONG;
    return whittle_flow_filter_run(&steps, NULL, &holds);
}

/* Whether a packet, which is a value of its type, is wanted by a program that makes sense for its fields. */
bool whittle_flow_filter_holds(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes, const void *packet)
{
    struct whittle_flow_steps steps = {fields, field_count, code, bytes, 0};
    bool holds = false;
    return whittle_flow_filter_run(&steps, packet, &holds) == WHITTLE_FLOW_NOT_REFUSED && holds;
}
