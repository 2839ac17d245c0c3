/* What is stored at an unknown distance from a member array's item stays in the array, and what lies beside is still known. Not so where
 * the pointer was made by a cast, where it walks over the rows of a table, over members that are no array, or over an array that
 * ends its object; nor where it may be one of two.
 * Not in the residual: "never"
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct ring {
    int kind;
    int items[8];
    int after;
    int tail[4];
};
struct table {
    short before;
    int rows[3][4];
    int after;
};
struct message {
    unsigned short length;
    char text[1];
};
struct point {
    int x, y, z;
    int mark;
};

static void put(int *items, int at, int value)
{
    items[at] = value;
    *(items + (at ^ 1)) = value + 1;
}

static void beside(const int *in)
{
    struct ring ring = {3, {1, 2, 3, 4, 5, 6, 7, 8}, 4, {9, 9, 9, 9}};
    int *place = &ring.items[2];
    place++;
    put(ring.items, in[0] & 7, in[1]);
    place[in[2] & 3] += 5;
    place[-(in[3] & 3)] += 7;
    if (ring.kind != 3 || ring.after != 4 || ring.tail[0] != 9)
        law_output("never", 1);
    for (int i = 0; i < 8; i++)
        law_output("item", ring.items[i]);
    ring.tail[2] = 1;
    put(ring.tail, in[4] & 3, in[5]);
    if (ring.kind != 3 || ring.after != 4)
        law_output("never", 2);
    law_output("tail", ring.tail[0] + ring.tail[1] * 10 + ring.tail[2] * 100 + ring.tail[3] * 1000);
}

/* A local whose address only indices use is not reached by what is stored elsewhere. */
static void beside_others(const int *in, int *out)
{
    struct ring ring = {6, {0}, 7, {0}};
    for (int i = 0; i < 4; i++) {
        ring.items[(in[i] + i) & 7] += in[i];
        put(ring.items, in[i + 1] & 7, i);
        out[in[i] & 3] = ring.items[in[6] & 7];
    }
    if (ring.kind != 6 || ring.after != 7)
        law_output("never", 3);
    law_output("out", out[0] + out[1] + out[2] + out[3]);
}

static void by_cast(const int *in)
{
    struct ring ring = {3, {1, 2, 3, 4, 5, 6, 7, 8}, 4, {0}};
    char *const bytes = (char *)ring.items;
    int *const from = (int *)(bytes - offsetof(struct ring, items));
    from[in[0] & 8] = 50;
    law_output("kind", ring.kind + ring.items[7]);
    ((int *)((char *)&ring + sizeof(int)))[(in[1] & 1) + 8] = 60;
    law_output("after", ring.after + ring.tail[0] * 2);
    struct ring *const whole = (struct ring *)((char *)&ring.items[4] - offsetof(struct ring, items[4]));
    (&whole->kind)[in[2] & 0] = in[3];
    law_output("whole", ring.kind);
}

static void rows(const int *in)
{
    struct table table = {1, {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, 2};
    int *const all = &table.rows[0][0];
    all[in[0] % 12] = 100;
    int *const second = table.rows[1];
    second[(in[1] & 7) - 4 + (in[2] & 1)] += 200;
    if (table.before != 1 || table.after != 2)
        law_output("never", 4);
    long sum = 0;
    for (int i = 0; i < 12; i++)
        sum = sum * 3 + all[i];
    law_output("rows", sum);
}

static void ending(const int *in, char *buffer)
{
    struct message *const message = (struct message *)buffer;
    char *text = message->text;
    message->length = 3;
    buffer[8] = 'x';
    text[(in[0] & 7) + 3] = 'y';
    law_output("text", message->length * 1000 + buffer[5] + buffer[8]);
}

static void members(const int *in)
{
    struct point point = {1, 2, 3, 4};
    int *const each = &point.x;
    each[in[0] % 3] = 30;
    law_output("point", point.x + point.y * 100 + point.z * 10000 + point.mark);
    each[3] = in[1];
    law_output("mark", point.mark);
}

static void either(const int *in)
{
    struct ring ring = {3, {1, 2, 3, 4, 5, 6, 7, 8}, 4, {0}};
    int other[12] = {0}, *place = in[0] & 1 ? ring.items : in[0] & 2 ? (int *)(void *)&ring : other;
    place[in[1] & 7] = 70;
    law_output("either", ring.kind + ring.items[0] * 10 + ring.items[6] * 100 + other[3]);
    int *const same = in[2] & 1 ? &ring.items[0] : (int *)((char *)&ring + 4);
    same[(in[3] & 1) - (in[2] & 1 ? 0 : 1)] = 80;
    law_output("same", ring.kind + ring.items[0] * 10 + ring.items[1] * 100);
}

static int through(struct ring *ring, const int *in)
{
    ring->kind = 8;
    ring->after = 9;
    put(ring->items, in[0] & 7, 1);
    if (ring->kind != 8 || ring->after != 9)
        law_output("never", 5);
    (&ring->kind)[(in[1] & 1) * 9] = 5;
    return ring->kind * 10 + ring->after;
}

struct square {
    int items[2][2];
    int places[2];
};
union cell {
    int number;
    unsigned char bytes[4];
};
struct wrap {
    int only[1];
};
struct cells {
    int before;
    union cell cells[3];
    struct wrap wraps[3];
    int after;
};

/* The index of one array is in another one. */
static void by_an_index(const int *in)
{
    struct square square = {{{1, 2}, {3, 4}}, {0, 1}};
    square.items[in[0] & 1][square.places[in[1] & 1]] = 9;
    law_output("square", square.items[0][0] * 1000 + square.items[0][1] * 100 + square.items[1][0] * 10 + square.items[1][1]);
    struct square *const at = &square;
    int (*const row)[2] = at->items;
    row[in[2] & 1][square.places[in[3] & 1]] = 7;
    law_output("square", square.items[0][0] * 1000 + square.items[0][1] * 100 + square.items[1][0] * 10 + square.items[1][1]);
}

/* A member's address becomes that of the whole, which lies in a larger array. */
static void by_a_member(const int *in)
{
    struct cells cells = {1, {{2}, {3}, {4}}, {{{5}}, {{6}}, {{7}}}, 8};
    union cell *const cell = (union cell *)&cells.cells[2].bytes;
    cell[-(in[0] % 3)].number = 70;
    int *const only = cells.wraps[2].only;
    struct wrap *const wrap = (struct wrap *)only;
    (wrap - in[1] % 3)->only[0] = 80;
    law_output("cells", cells.before + cells.cells[0].number * 3 + cells.cells[1].number * 9 + cells.cells[2].number * 27 + cells.after);
    law_output("wraps", cells.wraps[0].only[0] + cells.wraps[1].only[0] * 3 + cells.wraps[2].only[0] * 9);
}

int main(void)
{
    int in[8], out[4] = {0};
    char buffer[32];
    for (int i = 0; i < 8; i++)
        in[i] = (int)law_input(i, i * 5 + 3) & 0xffff;
    memset(buffer, 'a', sizeof buffer);
    beside(in);
    beside_others(in, out);
    by_cast(in);
    rows(in);
    ending(in, buffer);
    members(in);
    either(in);
    by_an_index(in);
    by_a_member(in);
    struct ring rings[2] = {{0}};
    law_output("through", through(&rings[in[0] & 1], in));
    return 0;
}
