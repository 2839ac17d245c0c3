/* What a program under test sees of the outside: inputs that the environment may replace (LAW_INPUTS="0=17 3=-1",
 * LAW_REALS="2=0.5"), and outputs that are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

void law_double(const char *name, double value)
{
    unsigned long long bits;

    memcpy(&bits, &value, sizeof bits);
    printf("%s = %llx\n", name, bits);
}

/* May keep what it is given, and change it. */
void law_see(void *anything)
{
    static void *volatile seen;

    seen = anything;
}

/* A stream over a file of ten digits, and its descriptor. */
FILE *law_stream(void)
{
    FILE *file = tmpfile();

    if (file == NULL || fputs("0123456789", file) < 0 || fflush(file) != 0)
        abort();
    rewind(file);
    return file;
}

int law_file(void)
{
    return fileno(law_stream());
}

/* One end of a connection, at which a message waits. */
int law_socket(void)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || write(ends[1], "message", 7) != 7)
        abort();
    return ends[0];
}

/* How a process ends that was asked to. */
int law_ended(int child)
{
    int status = 0;

    (void)child;
    fflush(NULL);
    if (wait(&status) < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}
