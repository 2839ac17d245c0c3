/* What the random calls of the C library have in common. */
#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
extern void law_double(const char *name, double value);
extern void law_see(void *anything);
extern int law_file(void), law_socket(void);
extern FILE *law_stream(void);
extern int law_ended(int child);

#define FORMAT_NUMBERS "%d|%i%%"
#define FORMAT_WIDTHS "%c%3zu|%-7d"
#define FORMAT_TEXT "<%.3s>%5zu"
#define FORMAT_FLAGS "%+d% i%#zx"
#define FORMAT_LONGS "%ld|%zu|%llx"
#define FORMAT_BYTES "%hhd%hu%X%#o"
#define FORMAT_STARS "%-*.*d|%*s"
#define FORMAT_ZERO "%.0d%.0x%#x|%05zu"

struct area {
    char bytes[24];
};

static const struct area numbers = {"12ab"}, words = {"ab ba"}, letters = {"Abc"};
static const char fixed[] = "12ab bc";
static jmp_buf place;
static ucontext_t context;
static struct sockaddr_in address;
static socklen_t address_size = sizeof address;
static long whole;

#define SIGN(call) \
    __extension__({ \
        int sign = (call); \
        (sign > 0) - (sign < 0); \
    })
#define WORD(area, at) \
    ((unsigned)(unsigned char)area.bytes[at] << 24 | (unsigned)(unsigned char)area.bytes[at + 1] << 16 | \
     (unsigned)(unsigned char)area.bytes[at + 2] << 8 | (unsigned char)area.bytes[at + 3])
#define SHOW(area) \
    (law_output(#area, WORD(area, 0)), law_output(#area, WORD(area, 4)), law_output(#area, WORD(area, 8)))

static int ended(int child)
{
    return law_ended(child);
}

/* Returns to `setjmp` a given number of times. */
static int jump(int times)
{
    volatile int count = 0;
    int back = setjmp(place);

    count++;
    if (back < times)
        longjmp(place, back + 1);
    return count;
}

static int jump_back(int times)
{
    static sigjmp_buf here;
    volatile int count = 0;
    int back = sigsetjmp(here, 1);

    count++;
    if (back < times)
        siglongjmp(here, back + 1);
    return count;
}

