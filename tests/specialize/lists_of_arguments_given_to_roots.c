/* A root is given a list of arguments that its caller began, and passes it on; where `va_list` is an array, no assignment copies it.
 * Not in the residual: *format, while
 */
#include <stdarg.h>
#include <whittle/specialize.h>

static int gathered(long *out, const char *format, va_list ap)
{
    int count = 0;

    while (*format != '\0') {
        if (*format == 'd')
            out[count++] = va_arg(ap, int);
        else if (*format == 'l')
            out[count++] = va_arg(ap, long);
        format++;
    }
    return count;
}

WHITTLE_SPECIALIZE int read_some(long *out, va_list ap)
{
    return gathered(out, "xdld", ap);
}

WHITTLE_SPECIALIZE int read_twice(long *out, va_list ap)
{
    va_list copy;
    int count;

    va_copy(copy, ap);
    count = gathered(out, "dl", copy);
    va_end(copy);
    return count + gathered(out + count, "d", ap);
}
