/* An interpreter for Brainf***. */
#include "bf.h"
#include <string.h>

struct tape {
    unsigned char cells[BF_CELLS];
    int at;
};

/* The bracket that belongs to the one at `at`, forwards or backwards. */
static const char *partner(const char *program, const char *at, int direction)
{
    int depth = 0;
    for (;; at += direction) {
        if (*at == '[')
            depth++;
        else if (*at == ']')
            depth--;
        else if (*at == '\0')
            return NULL;
        if (depth == 0)
            return at;
        if (direction < 0 && at == program)
            return NULL;
    }
}

static int move(struct tape *tape, int by)
{
    const int to = tape->at + by;
    if (to < 0 || to >= BF_CELLS)
        return -1;
    tape->at = to;
    return 0;
}

static unsigned char read_byte(struct bf_input *input)
{
    return input->at == input->end ? 0 : *input->at++;
}

static int write_byte(struct bf_output *output, unsigned char byte)
{
    if (output->at == output->end)
        return -1;
    *output->at++ = byte;
    return 0;
}

int bf_run(const char *program, struct bf_input *input, struct bf_output *output)
{
    struct tape tape;
    int error = 0;
    memset(&tape, 0, sizeof tape);
    for (const char *at = program; *at != '\0'; at++) {
        unsigned char *cell = &tape.cells[tape.at];
        switch (*at) {
        case '>':
            error = move(&tape, 1);
            break;
        case '<':
            error = move(&tape, -1);
            break;
        case '+':
            ++*cell;
            break;
        case '-':
            --*cell;
            break;
        case '.':
            error = write_byte(output, *cell);
            break;
        case ',':
            *cell = read_byte(input);
            break;
        case '[':
            if (*cell == 0)
                at = partner(program, at, 1);
            break;
        case ']':
            if (*cell != 0)
                at = partner(program, at, -1);
            break;
        default: /* a comment */
            break;
        }
        if (error != 0 || at == NULL)
            return -1;
    }
    return 0;
}
