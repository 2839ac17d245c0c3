/* Structures with unions, bit-fields and large arrays go through memcpy, memmove and assignment, returned and passed: what is known of
 * them is known of the copies.
 * Not in the residual: "never", memcpy, memmove
 */
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct part {
    unsigned kind : 3, flag : 1;
    union {
        long number;
        unsigned char bytes[8];
    } u;
    short table[200];
    long last;
};

static void never(void)
{
    law_output("never", 1);
}

static struct part made(int kind, long last)
{
    struct part part;

    memset(&part, 0, sizeof part);
    part.kind = (unsigned)kind & 7;
    part.u.number = 0x0102030405060708;
    part.table[150] = 77;
    part.last = last;
    return part;
}

static long use(const struct part *part)
{
    if (part->kind != 5 || part->flag || part->table[150] != 77 || part->table[3] || part->u.bytes[7] != 1)
        never();
    return part->last * 2;
}

int main(void)
{
    struct part first = made(5, (long)law_input(0, 12)), second, third;
    unsigned char raw[sizeof(struct part)];

    memcpy(&second, &first, sizeof second);
    law_output("second", use(&second));
    memcpy(raw, &second, sizeof raw);
    memmove(&third, raw, sizeof raw);
    third.last += 3;
    law_output("third", use(&third));
    memmove(raw + 8, raw, 16);
    law_output("raw", raw[15 + 8] + raw[8]);
    law_output("first", use(&first));
    return 0;
}
