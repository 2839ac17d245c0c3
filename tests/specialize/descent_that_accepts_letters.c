/* Recursive descent whose loops try one letter after the other by calls, and end where none fits: the text is read to its end.
 * Not in the residual: reader, accept
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct reader {
    const char *at;
    const int *values;
    int error;
};

static unsigned sum(struct reader *reader);

static int accept(struct reader *reader, char letter)
{
    while (*reader->at == ' ')
        reader->at++;
    if (*reader->at != letter)
        return 0;
    reader->at++;
    return 1;
}

static unsigned factor(struct reader *reader)
{
    if (accept(reader, '-'))
        return 0u - factor(reader);
    if (accept(reader, '(')) {
        const unsigned value = sum(reader);
        if (!accept(reader, ')'))
            reader->error = 1;
        return value;
    }
    return (unsigned)reader->values[*reader->at++ - 'x'];
}

static unsigned product(struct reader *reader)
{
    unsigned value = factor(reader);
    for (;;) {
        if (accept(reader, '*')) {
            value *= factor(reader);
        } else if (accept(reader, '/')) {
            const unsigned divisor = factor(reader);
            value = divisor == 0 ? 0 : value / divisor;
        } else {
            return value;
        }
    }
}

static unsigned sum(struct reader *reader)
{
    unsigned value = product(reader);
    for (;;) {
        if (accept(reader, '+'))
            value += product(reader);
        else if (accept(reader, '-'))
            value -= product(reader);
        else
            return value;
    }
}

int main(void)
{
    int values[3];
    struct reader reader = {"x*x*y * -(z/x - y) + x/z/y", values, 0};

    values[0] = (int)law_input(0, 7);
    values[1] = (int)law_input(1, 3);
    values[2] = (int)law_input(2, 100);
    law_output("value", sum(&reader));
    return 0;
}
