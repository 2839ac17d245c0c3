/* Evaluates expression trees with variables that are looked up by name. */
#include "tree.h"
#include <string.h>

static enum tree_error look_up(const struct variables *variables, const char *name, double *result)
{
    for (int i = 0; i < variables->count; i++)
        if (strcmp(variables->list[i].name, name) == 0) {
            *result = variables->list[i].value;
            return TREE_OK;
        }
    return TREE_NO_VARIABLE;
}

static enum tree_error apply(enum operator operator, double first, double second, double *result)
{
    switch (operator) {
    case PLUS:
        *result = first + second;
        break;
    case MINUS:
        *result = first - second;
        break;
    case TIMES:
        *result = first * second;
        break;
    case OVER:
        if (second == 0)
            return TREE_DIVISION;
        *result = first / second;
        break;
    case LESS_THAN:
        *result = first < second;
        break;
    case NEGATE:
        *result = -first;
        break;
    case SQUARE:
        *result = first * first;
        break;
    }
    return TREE_OK;
}

enum tree_error tree_evaluate(const struct node *node, const struct variables *variables, double *result)
{
    double first, second = 0;
    enum tree_error error;
    switch (node->kind) {
    case NUMBER:
        *result = node->number;
        return TREE_OK;
    case VARIABLE:
        return look_up(variables, node->name, result);
    case CHOICE:
        error = tree_evaluate(node->first, variables, &first);
        if (error != TREE_OK)
            return error;
        return tree_evaluate(first != 0 ? node->second : node->third, variables, result);
    default:
        error = tree_evaluate(node->first, variables, &first);
        if (error == TREE_OK && node->kind == BINARY)
            error = tree_evaluate(node->second, variables, &second);
        if (error != TREE_OK)
            return error;
        return apply(node->operator, first, second, result);
    }
}
