/* Between members lie bytes that an assignment copies, too, and `memcpy` shows. */
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct padded {
    char letter;
    int number;
    short rest;
};

union seen {
    struct padded padded;
    unsigned char bytes[sizeof(struct padded)];
};

static union seen outside, other;
static union seen *volatile from = &outside, *volatile to = &other;

static void show(const char *name, const struct padded *padded)
{
    unsigned char bytes[sizeof *padded];
    int i;

    memcpy(bytes, padded, sizeof *padded);
    for (i = 0; i < (int)sizeof bytes; i++)
        law_output(name, bytes[i]);
}

int main(void)
{
    union seen *source = from, *target = to;
    struct padded copy, zeroed;
    int i;

    for (i = 0; i < (int)sizeof outside; i++)
        source->bytes[i] = (unsigned char)law_input(i, i + 1);
    copy = source->padded;
    show("from memory", &copy);
    copy.number = 6;
    target->padded = copy;
    show("through a local", &target->padded);
    memset(&zeroed, 0, sizeof zeroed);
    zeroed.number = (int)law_input(1, 5);
    source->padded = zeroed;
    show("to memory", &source->padded);
    return 0;
}
