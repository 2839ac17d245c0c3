/* What there is no buffer for is not copied, and no call with NULL is left for compilers to warn of.
 * Not in the residual: NULL
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct buffer {
    unsigned char *bytes;
    size_t count, room;
};

static void put(struct buffer *to, const unsigned char *from, size_t count)
{
    if (count > to->room - to->count)
        count = to->room - to->count;
    memcpy(to->bytes + to->count, from, count);
    to->count += count;
}

static size_t clear(struct buffer *all, size_t count)
{
    memset(all->bytes, 7, count < all->room ? count : all->room);
    memmove(all->bytes, all->bytes, all->room);
    return all->room;
}

int main(void)
{
    unsigned char room[8] = { 0 };
    const unsigned char text[] = { 1, 2, 3 };
    struct buffer some = { room, 0, sizeof room };
    size_t count = (size_t)law_input(0, 2) & 3;
    /* Squares are never 2 modulo 4, which the specializer does not know. */
    int is_none = count * count % 4 == 2;
    struct buffer none = { is_none ? NULL : room, 0, is_none ? 0 : sizeof room };
    int sum = 0;

    put(&none, text, count);
    put(&some, is_none ? NULL : text, count);
    law_output("cleared", (long long)clear(count & 1 ? &none : &some, 3 + count));
    for (size_t at = 0; at < sizeof room; at++)
        sum = sum * 10 + room[at];
    law_output("sum", sum);
    law_output("counts", (long long)(none.count * 10 + some.count));
    return 0;
}
