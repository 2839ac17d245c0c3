/* What a program under test sees of the outside: inputs that the environment may replace (LAW_INPUTS="0=17 3=-1",
 * LAW_REALS="2=0.5"), and outputs that are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text after `number=` in an environment variable, if it is there. */
static const char *given(const char *variable, int number)
{
    const char *at = getenv(variable);
    char *end;

    while (at != NULL && *at != '\0') {
        if (strtol(at, &end, 10) == number && *end == '=')
            return end + 1;
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    return NULL;
}

static long long input(int number, long long usual)
{
    const char *text = given("LAW_INPUTS", number);

    return text == NULL ? usual : strtoll(text, NULL, 10);
}

/* A program that is specialized twice has this function itself, and calls the other one. */
__attribute__((weak)) long long law_input(int number, long long usual)
{
    return input(number, usual);
}

long long law_more_input(int number, long long usual)
{
    return input(number, usual);
}

double law_real(int number, double usual)
{
    const char *text = given("LAW_REALS", number);

    return text == NULL ? usual : strtod(text, NULL);
}

void law_output(const char *name, long long value)
{
    printf("%s = %lld\n", name, value);
}
