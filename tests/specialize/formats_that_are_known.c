/* A formatter with a list of variable arguments and a fixed format: the format is gone, and so is the list.
 * Not in the residual: va_, switch, *f
 */
#include <stdarg.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static char *put_number(char *out, unsigned long v, unsigned base, int width, char pad)
{
    char digits[40];
    int n = 0;

    do {
        digits[n++] = "0123456789abcdef"[v % base];
        v /= base;
    } while (v);
    while (n < width)
        digits[n++] = pad;
    while (n)
        *out++ = digits[--n];
    return out;
}

static int format(char *out, const char *f, va_list ap)
{
    char *start = out;

    for (; *f; f++) {
        char pad = ' ';
        int width = 0;

        if (*f != '%') {
            *out++ = *f;
            continue;
        }
        f++;
        while (*f == '-' || *f == '0' || *f == '+') {
            if (*f == '0')
                pad = '0';
            f++;
        }
        while (*f >= '0' && *f <= '9')
            width = width * 10 + (*f++ - '0');
        switch (*f) {
        case 'd': {
            long v = va_arg(ap, int);

            if (v < 0)
                *out++ = '-';
            out = put_number(out, (unsigned long)(v < 0 ? -v : v), 10, width, pad);
            break;
        }
        case 'x': out = put_number(out, va_arg(ap, unsigned), 16, width, pad); break;
        case 'f': out = put_number(out, (unsigned long)va_arg(ap, double), 10, width, pad); break;
        case 's':
            for (const char *s = va_arg(ap, const char *); *s; s++)
                *out++ = *s;
            break;
        case 'c': *out++ = (char)va_arg(ap, int); break;
        default: *out++ = *f;
        }
    }
    *out = 0;
    return (int)(out - start);
}

static int print(char *out, const char *f, ...)
{
    va_list ap, again;
    int n;

    va_start(ap, f);
    va_copy(again, ap);
    n = format(out, f, ap);
    va_end(ap);
    n += format(out + n, f, again);
    va_end(again);
    return n;
}

int main(void)
{
    char out[256];
    char name[3] = {0, 0, 0};
    unsigned sum = 0;
    int n;

    name[0] = (char)('a' + (law_input(0, 3) & 15));
    name[1] = (char)(law_input(1, 0) & 1 ? 'z' : 0);
    n = print(out, "name=%s %05d%%%c id=%08x %3f\n", name, (int)law_input(2, -77), '!', (unsigned)law_input(3, 255), 3.5);
    law_output("length", n);
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (unsigned char)out[i];
    law_output("sum", sum);
    return 0;
}
