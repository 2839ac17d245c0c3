/* SPDX-License-Identifier: MIT-0 */
/* A condition while it is read from its text, and what its two parts, condition.c and comparison.c, give each other. */
#ifndef WHITTLE_FLOW_CONDITION_H
#define WHITTLE_FLOW_CONDITION_H
#include "internal.h"

/* What stands on one side of a comparison, or holds by itself. */
enum whittle_flow_layout {
    WHITTLE_FLOW_A_FIELD, WHITTLE_FLOW_A_CONDITION, WHITTLE_FLOW_A_TRUTH, WHITTLE_FLOW_AN_INTEGER, WHITTLE_FLOW_A_FRACTION, WHITTLE_FLOW_A_TEXT,
    WHITTLE_FLOW_A_CHARACTER, WHITTLE_FLOW_A_WORD
};

/* Fields, conditions and truth values are in the program as soon as they are read; what else is said waits for what it is compared with. */
struct whittle_flow_side {
    enum whittle_flow_layout form;
    const char *at, *end;                    /* in the condition's text */
    const struct whittle_flow_field *field;
    size_t from, to;                         /* in the program */
    bool negative;
    uint64_t magnitude;                      /* of a whole number; of a character */
    double fraction;
};

struct whittle_flow_condition {
    const struct whittle_flow_field *fields;
    size_t field_count;
    const char *packet;                      /* the name of the packets' type */
    const char *text, *at;
    uint8_t code[WHITTLE_FLOW_FILTER_MOST];
    size_t bytes;
    unsigned depth, values;
    const char *wrong;                       /* where it is no condition; NULL: nowhere yet */
    char why[360];
};

/* condition.c: false, and what is wrong is in the condition. */
bool whittle_flow_condition_read(struct whittle_flow_condition *condition);

/* spelling.c */
bool whittle_flow_is_letter(char c);
bool whittle_flow_is_digit(char c);
const char *whittle_flow_next_token(struct whittle_flow_condition *condition);
const char *whittle_flow_piece(const char *at);
bool whittle_flow_is_at(struct whittle_flow_condition *condition, const char *piece);
bool whittle_flow_skip_token(struct whittle_flow_condition *condition, const char *piece);
bool whittle_flow_whole_number(const char *at, const char *end, uint64_t *number);
bool whittle_flow_expected(struct whittle_flow_condition *condition, const char *what);
bool whittle_flow_condition_error(struct whittle_flow_condition *condition, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t whittle_flow_spelled(const char *at, const char *end, char *to, size_t room);

/* comparison.c */
enum whittle_flow_operation {
    WHITTLE_FLOW_OP_INTEGER = 1, WHITTLE_FLOW_OP_LARGE, WHITTLE_FLOW_OP_FLOAT, WHITTLE_FLOW_OP_TEXT, WHITTLE_FLOW_OP_FALSE, WHITTLE_FLOW_OP_TRUE,
    WHITTLE_FLOW_OP_FIELD, WHITTLE_FLOW_OP_NOT, WHITTLE_FLOW_OP_AND, WHITTLE_FLOW_OP_OR,
    WHITTLE_FLOW_OP_EQUAL = 16, WHITTLE_FLOW_OP_NOT_EQUAL, WHITTLE_FLOW_OP_LESS, WHITTLE_FLOW_OP_AT_MOST, WHITTLE_FLOW_OP_GREATER, WHITTLE_FLOW_OP_AT_LEAST
};
bool whittle_flow_emit(struct whittle_flow_condition *condition, uint8_t operation, const void *more, size_t bytes);
bool whittle_flow_emit_number(struct whittle_flow_condition *condition, uint8_t operation, uint64_t number);
bool whittle_flow_must_hold(struct whittle_flow_condition *condition, const struct whittle_flow_side *side);
bool whittle_flow_join(struct whittle_flow_condition *condition, uint8_t operation, const struct whittle_flow_side *left, const struct whittle_flow_side *right);
bool whittle_flow_no_field(struct whittle_flow_condition *condition, const struct whittle_flow_side *side);
#endif
