#include <whittle/specialize.h>
#include "tree.h"

#define NODE (const struct node)
#define NUM(x) &NODE{ .kind = NUMBER, .number = x }
#define VAR(x) &NODE{ .kind = VARIABLE, .name = x }
#define UN(op, x) &NODE{ .kind = UNARY, .operator = op, .first = x }
#define BIN(op, x, y) &NODE{ .kind = BINARY, .operator = op, .first = x, .second = y }
#define IF(x, y, z) &NODE{ .kind = CHOICE, .first = x, .second = y, .third = z }

/* amount < limit ? amount * (1 + rate) : limit + (amount - limit)^2 / (rate * limit) - -amount */
static const struct node *const tree =
    IF(BIN(LESS_THAN, VAR("amount"), VAR("limit")),
       BIN(TIMES, VAR("amount"), BIN(PLUS, NUM(1), VAR("rate"))),
       BIN(MINUS,
           BIN(PLUS, VAR("limit"), BIN(OVER, UN(SQUARE, BIN(MINUS, VAR("amount"), VAR("limit"))), BIN(TIMES, VAR("rate"), VAR("limit")))),
           UN(NEGATE, VAR("amount"))));

WHITTLE_SPECIALIZE
int price(double amount, double rate, double limit, double *result)
{
    const struct variable list[] = { { "rate", rate }, { "amount", amount }, { "limit", limit } };
    const struct variables variables = { list, 3 };
    return tree_evaluate(tree, &variables, result);
}
