/* Functions of strings that read words where the address is aligned: how string literals, constants and variables are aligned is for
 * the residual program to decide, and what looks at an address at run time finds it so. A word may end behind its string: zeros follow
 * each, as sanitizers watch.
 * Not in the residual: "while (", "0x101010101010101"
 */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

#define Z "\0\0\0\0\0\0\0"
#define ONES ((size_t)-1 / UCHAR_MAX)
#define HAS_ZERO(x) (((x)-ONES) & ~(x) & ONES * (UCHAR_MAX / 2 + 1))
typedef size_t __attribute__((may_alias)) word;
typedef uint32_t __attribute__((may_alias)) half;

static size_t length_by_remainder(const char *text)
{
    const char *at = text;
    const word *words;
    for (; (uintptr_t)at % sizeof(size_t); at++)
        if (!*at)
            return (size_t)(at - text);
    for (words = (const void *)at; !HAS_ZERO(*words); words++)
        ;
    for (at = (const void *)words; *at; at++)
        ;
    return (size_t)(at - text);
}

static size_t length_by_mask(const char *text)
{
    const char *at = text;
    const word *words;
    while ((long)at & (sizeof(long) - 1)) {
        if (!*at)
            return (size_t)(at - text);
        at++;
    }
    words = (const word *)at;
    while (!HAS_ZERO(*words))
        words++;
    at = (const char *)words;
    while (*at)
        at++;
    return (size_t)(at - text);
}

/* The next conversion of a format, or its end; four letters at a time. */
static int next(const char *format, int at)
{
    for (;;) {
        if ((int)(intptr_t)format & 3 || ((uintptr_t)(format + at) & 3) != 0) {
            if (format[at] == '%' || format[at] == 0)
                return at;
            at++;
        } else {
            uint32_t four = *(const half *)(format + at);
            if ((((four ^ 0x25252525u) - 0x01010101u) | (four - 0x01010101u)) & ~four & 0x80808080u) {
                while (format[at] != '%' && format[at] != 0)
                    at++;
                return at;
            }
            at += 4;
        }
    }
}

static const char greeting[] = "hello, world" Z;
static const char *const numbers[] = {"one" Z, "three" Z, "eleventeen" Z};

static int format(long long *sum)
{
    static const char format[] = "[%3d] and then %-10s is %c at 0x%08lx: code %+d" Z;
    int conversions = 0;
    for (int at = next(format, 0); format[at] != 0; at = next(format, at + 1)) {
        conversions++;
        *sum = *sum * 3 + at;
    }
    return conversions;
}

/* Whatever was decided, run time finds. */
static int seen_at_run_time(const char *text, int by)
{
    return (int)((uintptr_t)(text + by) & 7) - (by & 7);
}

static int both(int by)
{
    int decided = 0;
    char own[5] = "own";
    own[by & 3] = 'x';
    if (((uintptr_t)"abc" & 7) == 0)
        decided += seen_at_run_time("abc", by);
    if (((uintptr_t)"abcdef" & 7) == 0)
        decided += seen_at_run_time("abcdef", by);
    if (((uintptr_t)"q" & 7) == 0)
        decided += seen_at_run_time("q", by);
    if (((uintptr_t)greeting & 7) == 0)
        decided += seen_at_run_time(greeting, by);
    if (((uintptr_t)own & 7) == 0)
        decided += seen_at_run_time(own, by);
    return decided * 4 + own[0] + own[2];
}

int main(void)
{
    long long sum = 0;
    int which = (int)law_input(0, 9) & 3;
    law_output("remainder", (long long)(length_by_remainder("a" Z) + length_by_remainder("abcdefgh" Z) * 3
                                        + length_by_remainder("" Z) * 5 + length_by_remainder(greeting + 3) * 7));
    law_output("mask", (long long)(length_by_mask("abcdefghijk" Z) + length_by_mask(numbers[2]) * 3
                                   + length_by_mask(numbers[which & 1]) * 5));
    law_output("format", format(&sum));
    law_output("sum", sum);
    law_output("both", both(which));
    return 0;
}
