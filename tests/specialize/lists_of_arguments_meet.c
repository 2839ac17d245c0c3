/* Two ways take different numbers of variable arguments, and meet where the list ends.
 * Not in the residual: va_, format
 */
#include <stdarg.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct sink {
    long long sum;
    int room;
};

static int put(struct sink *sink, long long value)
{
    if (sink->room == 0)
        return -1;
    sink->room--;
    sink->sum = sink->sum * 31 + value;
    return 0;
}

static int write_all(struct sink *sink, const char *format, va_list *values)
{
    for (; *format != '\0'; format++) {
        if (*format == 'd') {
            if (put(sink, va_arg(*values, int)) != 0)
                goto full;
        } else if (*format == 'l') {
            if (put(sink, va_arg(*values, long)) != 0)
                goto full;
        } else if (put(sink, *format) != 0)
            goto full;
    }
    return 0;
full:
    sink->sum++;
    return -1;
}

static int print(struct sink *sink, const char *format, ...)
{
    va_list values, copy;
    va_start(values, format);
    va_copy(copy, values);
    const int status = write_all(sink, format, &copy);
    va_end(copy);
    va_end(values);
    return status;
}

int main(void)
{
    struct sink sink = {1, (int)law_input(0, 6) & 15};
    const int status = print(&sink, "d.l-d:lddldldl..dl", (int)law_input(1, 3), (long)law_input(2, 4), (int)law_input(3, 5), (long)law_input(4, 6), 1, 2, 3L, 4, 5L, 6, 7L, 8, 9L);

    law_output("status", status);
    law_output("sum", sink.sum);
    return 0;
}
