#include "tree.h"

int price(double amount, double rate, double limit, double *result)
{
    if (amount < limit) {
        *result = amount * (1 + rate);
        return TREE_OK;
    }
    const double over = amount - limit, divisor = rate * limit;
    if (divisor == 0)
        return TREE_DIVISION;
    *result = limit + over * over / divisor - -amount;
    return TREE_OK;
}
