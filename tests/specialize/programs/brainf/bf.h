#include <stddef.h>

enum { BF_CELLS = 64 };

struct bf_input {
    const unsigned char *at, *end;
};

struct bf_output {
    unsigned char *at, *end;
};

/* Zero, or -1 on brackets without a partner, a pointer off the tape, or too little room. The end of the input reads as zero. */
int bf_run(const char *program, struct bf_input *input, struct bf_output *output);

long shout(const unsigned char *text, size_t length, unsigned char *result, size_t room);
