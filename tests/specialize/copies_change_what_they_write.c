/* `memcpy`, `memmove` and `memset` that stay: the bytes that they write change, and nothing beside them; what they are lent is known again
 * afterwards, but not where an address of it is kept: in their result, in what they copy, or behind an unknown distance.
 * Not in the residual: "never"
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct state {
    unsigned char buffer[128];
    unsigned filled, kind;
};
struct holder {
    int *place;
    int number;
};

static unsigned char outside[256];
static unsigned char *places[16];

static void beside(const unsigned char *in)
{
    struct state own;
    own.filled = 64;
    own.kind = 3;
    memset(own.buffer, 7, 64);
    memcpy(own.buffer + 64, in, 40);
    own.filled += 40;
    memcpy(outside + 8, own.buffer + 60, 44);
    if (own.filled != 104 || own.kind != 3)
        law_output("never", 1);
    law_output("filled", own.filled + own.buffer[70] + outside[9]);
}

static void over(const unsigned char *in)
{
    struct state own;
    own.filled = 1;
    own.kind = 2;
    memcpy((unsigned char *)&own + 124, in, 8);
    law_output("over", (long long)own.filled * 3 + own.kind);
    memcpy(&own.kind, in + 4, sizeof own.kind);
    law_output("kind", own.kind);
}

static void by_result(const unsigned char *in)
{
    struct state own;
    own.filled = 5;
    own.kind = 6;
    unsigned char *const at = memcpy(own.buffer, in, 100);
    at[128] = 9;
    at[in[3] & 127] = 200;
    law_output("result", own.filled * 10 + own.kind + own.buffer[2]);
}

static void with_pointers(const unsigned char *in)
{
    int number = 11;
    struct holder first = {&number, in[0]}, second[2];
    memcpy(&second[in[1] & 1], &first, sizeof first);
    *second[in[1] & 1].place += in[2];
    law_output("number", number);
    memmove(&first, &second[in[1] & 1], sizeof first);
    *first.place += 1;
    law_output("number", number);
}

static void unknown_distance(const unsigned char *in)
{
    struct state own;
    own.filled = 21;
    own.kind = 22;
    memcpy(own.buffer + (in[5] & 127), in, 4);
    memset((unsigned char *)&own + (in[6] & 4) + 128, 1, 4);
    law_output("distance", own.filled + own.kind);
}

static void unknown_size(const unsigned char *in)
{
    struct state own;
    own.filled = 31;
    own.kind = 32;
    memcpy(own.buffer + 100, in, (size_t)(in[7] & 31) + 4);
    law_output("size", own.filled + own.kind);
}

/* What is copied into a member array, at an unknown distance and of an unknown size, leaves what lies before; and what is called through there. */
struct buffer {
    int (*flush)(const unsigned char *bytes, int size);
    int used;
    unsigned char bytes[16];
    int after;
};

static int add_up(const unsigned char *bytes, int size)
{
    int sum = 0;
    for (int i = 0; i < size; i++)
        sum = sum * 3 + bytes[i];
    return sum;
}

static void into_a_member(const unsigned char *in)
{
    struct buffer own = {add_up, 5, {0}, 7};
    for (int i = 0; i < 3; i++)
        memcpy(own.bytes + (in[i] & 7), in + i, (size_t)(in[i + 1] & 7));
    if (own.flush != add_up || own.used != 5)
        law_output("never", 2);
    law_output("flushed", own.flush(own.bytes, 16) + own.after);
    memcpy((char *)own.bytes - sizeof own.used + (in[3] & 0), in, 4);
    law_output("used", own.used);
    memset(own.bytes + 12 + (in[4] & 0), in[5], 4);
    law_output("after", own.after + own.bytes[15]);
}

/* An address that is moved by an unknown distance, and then back by a known one; and one whose distance is that of two others. */
static void back_again(const unsigned char *in)
{
    struct pair {
        int before[2], items[4];
    } first = {{1, 2}, {3, 4, 5, 6}}, second = {{11, 12}, {13, 14, 15, 16}};
    memcpy((char *)(first.items + (in[0] & 1)) - 8, in, 4);
    law_output("back", (first.before[0] & 0xfff) + (first.before[1] & 0xfff) * 2 + (first.items[0] & 0xfff));
    memset((int *)(void *)((char *)(first.items + (in[1] & 1)) - 4) - 1, 0, (size_t)(in[2] & 1) * 4);
    law_output("back", (first.before[0] & 0xfff) + (first.before[1] & 0xfff) * 2 + (first.items[0] & 0xfff));
    const int stride = first.items[3] - 6;
    memcpy(second.items + 1 + stride * (int)((first.items + (in[3] & 3)) - first.items), in, (size_t)(in[4] & 7) + 4);
    law_output("other", (second.items[0] & 0xfff) + (second.items[1] & 0xfff) * 3 + (second.items[2] & 0xfff) * 5 + (first.items[1] & 0xfff));
}

/* Its address stands elsewhere before it is lent. */
static void kept_elsewhere(const unsigned char *in)
{
    static struct state *table[4];
    struct state own;
    for (int i = 0; i < 4; i++)
        table[(in[i] + i) & 3] = &own;
    own.kind = 41;
    memcpy(own.buffer, in, 8);
    for (int i = 0; i < 4; i++)
        if (table[(in[8] + i) & 3] != 0)
            table[(in[8] + i) & 3]->kind += 1;
    law_output("kept", own.kind + own.buffer[1]);
}

int main(void)
{
    for (int i = 0; i < 256; i++)
        outside[i] = (unsigned char)(law_input(0, 77) * (i + 1));
    for (int i = 0; i < 16; i++)
        places[i] = outside + 100 + i;
    const unsigned char *const in = places[law_input(1, 5) & 15];
    beside(in);
    over(in);
    by_result(in);
    with_pointers(in);
    unknown_distance(in);
    unknown_size(in);
    kept_elsewhere(in);
    into_a_member(in);
    back_again(in);
    return 0;
}
