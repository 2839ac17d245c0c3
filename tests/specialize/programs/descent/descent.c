/* An evaluator by recursive descent that computes while it reads. */
#include "descent.h"
#include <ctype.h>
#include <stddef.h>

struct reader {
    const char *at;
    const struct binding *bindings;
    int count;
    const char *error;
};

static int sum(struct reader *reader);

static void fail(struct reader *reader, const char *message)
{
    if (reader->error == NULL)
        reader->error = message;
}

static void skip(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static int accept(struct reader *reader, char c)
{
    skip(reader);
    if (*reader->at != c)
        return 0;
    reader->at++;
    return 1;
}

static int number(struct reader *reader)
{
    unsigned value = 0;
    while (isdigit((unsigned char)*reader->at))
        value = 10 * value + (unsigned)(*reader->at++ - '0');
    return (int)value;
}

static int variable(struct reader *reader)
{
    const char letter = *reader->at++;
    for (int i = 0; i < reader->count; i++)
        if (reader->bindings[i].letter == letter)
            return reader->bindings[i].value;
    fail(reader, "no such variable");
    return 0;
}

static int factor(struct reader *reader)
{
    if (accept(reader, '-'))
        return (int)(0u - (unsigned)factor(reader));
    if (accept(reader, '(')) {
        const int value = sum(reader);
        if (!accept(reader, ')'))
            fail(reader, ") expected");
        return value;
    }
    skip(reader);
    if (isdigit((unsigned char)*reader->at))
        return number(reader);
    if (isalpha((unsigned char)*reader->at))
        return variable(reader);
    fail(reader, "number, variable or ( expected");
    return 0;
}

static int product(struct reader *reader)
{
    int value = factor(reader);
    for (;;) {
        if (accept(reader, '*')) {
            value = (int)((unsigned)value * (unsigned)factor(reader));
        } else if (accept(reader, '/')) {
            const int divisor = factor(reader);
            if (divisor == 0)
                fail(reader, "division by zero");
            else
                value = divisor == -1 ? (int)(0u - (unsigned)value) : value / divisor;
        } else if (accept(reader, '%')) {
            const int divisor = factor(reader);
            if (divisor == 0)
                fail(reader, "division by zero");
            else
                value = divisor == -1 ? 0 : value % divisor;
        } else {
            return value;
        }
    }
}

static int sum(struct reader *reader)
{
    int value = product(reader);
    for (;;) {
        if (accept(reader, '+'))
            value = (int)((unsigned)value + (unsigned)product(reader));
        else if (accept(reader, '-'))
            value = (int)((unsigned)value - (unsigned)product(reader));
        else
            return value;
    }
}

int evaluate(const char *text, const struct binding *bindings, int count, int *result, const char **message)
{
    struct reader reader = { text, bindings, count, NULL };
    const int value = sum(&reader);
    skip(&reader);
    if (*reader.at != '\0')
        fail(&reader, "end expected");
    if (message != NULL)
        *message = reader.error;
    if (reader.error != NULL)
        return -1;
    *result = value;
    return 0;
}
