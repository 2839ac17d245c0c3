/* Functions as they are (original_NAME) and specialized (NAME): streams, buffers and what others saw are the same. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "stream.h"

#define FUNCTIONS(DO)                                                                                                  \
    DO(put_fifty) DO(put_some) DO(put_plainly) DO(put_and_tell) DO(put_and_keep) DO(put_and_leave) DO(put_twice)

typedef int function(struct stream *stream, const unsigned *words, unsigned count);
#define DECLARE(NAME) function original_##NAME, NAME;
FUNCTIONS(DECLARE)
#define ENTRY(NAME) {#NAME, original_##NAME, NAME},
static const struct { const char *name; function *original, *specialized; } functions[] = {FUNCTIONS(ENTRY)};
enum { COUNT = sizeof functions / sizeof *functions, WORDS = 128, ROUNDS = 260 };

struct stream *kept;
static unsigned seen, leaves_at;
static jmp_buf out;
static unsigned words[WORDS];
static struct world { unsigned buffer[WORDS]; struct stream stream; int result; unsigned seen; } worlds[2];
static struct world *here;

static void see(unsigned number)
{
    seen = seen * 31 + number + 1;
}

void tell(struct stream *stream)
{
    see(stream->left);
    see((unsigned)(stream->at - (char *)here->buffer));
    see((unsigned)stream->errors);
    /* Now and then it is another stream. */
    if (stream->left % 5 == 4)
        stream->left -= 4;
}

void look(void)
{
    if (kept != NULL)
        tell(kept);
}

int leave(unsigned number)
{
    see(number);
    if (number == leaves_at)
        longjmp(out, 1);
    return 0;
}

static void run(function *function, unsigned room, unsigned count)
{
    memset(here, 0x5a, sizeof *here);
    here->stream.at = (char *)here->buffer;
    here->stream.left = room;
    here->stream.errors = 3;
    here->stream.count = 4;
    kept = NULL;
    seen = 0;
    if (setjmp(out) == 0)
        here->result = function(&here->stream, words, count);
    here->seen = seen;
    here->stream.at = (char *)NULL + (here->stream.at - (char *)here->buffer);
}

int main(void)
{
    for (unsigned i = 0; i < WORDS; i++)
        words[i] = i * 2654435761u;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int i = 0; i < COUNT; i++) {
            const unsigned room = round % 4 == 3 ? round : 400, count = round % 121 % (i == 6 ? 13 : 200);
            leaves_at = round % 40;
            for (int side = 0; side < 2; side++) {
                here = &worlds[side];
                run(side == 0 ? functions[i].original : functions[i].specialized, room, count);
            }
            if (memcmp(&worlds[0], &worlds[1], sizeof worlds[0]) != 0) {
                printf("%s differs with %u words, room for %u\n", functions[i].name, count, room);
                return 1;
            }
        }
    printf("%d functions, %d rounds\n", COUNT, ROUNDS);
    return 0;
}
