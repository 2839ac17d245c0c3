/* Addresses at unknown distances inside local objects: what is written through one is seen through the others, by name, and by whoever
 * is given one of them; what lies in other arrays or objects is still known.
 * Not in the residual: "never"
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct item {
    int kind;
    short left, right;
};
struct box {
    int first;
    struct item items[6];
    int middle;
    int numbers[6];
    int last;
};

static void by_two_names(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    struct item *p = &box.items[a % 6], *q = &box.items[b % 6];
    p->kind = 10;
    q->kind = 20;
    law_output("kinds", p->kind + q->kind * 3);
    p->left = 30;
    q->right = 40;
    law_output("halves", p->left + q->left * 3 + p->right * 5 + q->right * 7);
    box.items[2].kind = 50;
    law_output("by name", p->kind + q->kind * 3);
    p[0] = q[0];
    law_output("copied", p->kind + q->kind * 3 + box.items[2].kind * 5);
    if (box.first != 1 || box.middle != 5 || box.last != 7 || box.numbers[0] != 6)
        law_output("never", 1);
}

static void by_words(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    int *n = box.numbers + a % 6;
    *n = 3;
    char *bytes = (char *)(box.numbers + b % 6);
    bytes[1] = 1;
    law_output("bytes", *n);
    unsigned char *all = (unsigned char *)&box;
    all[4 + a % 24] = 9;
    law_output("all", box.items[0].kind + box.first * 1000000 + box.last);
}

static volatile int zero;

static void by_the_whole(int a)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    int *n = &box.numbers[zero], *m = &box.numbers[a % 6];
    struct box *whole = (struct box *)((char *)n - offsetof(struct box, numbers));
    whole->first = 8;
    law_output("whole", box.first + whole->middle);
    ((char *)m)[(int)offsetof(struct box, last) - (int)offsetof(struct box, numbers) - a % 6 * 4] = 9;
    law_output("last", box.last + whole->last);
    int *const two = (int *)((char *)n - 8);
    two[1] = 10;
    law_output("middle", box.middle + whole->middle);
    short *right = &box.items[zero + a % 3].right;
    struct item *item = (struct item *)((char *)right - offsetof(struct item, right));
    item->kind = 11;
    law_output("kind", box.items[0].kind + box.items[a % 3].kind * 3);
}

struct small {
    int tag;
    char text[8];
    int tail;
};
struct head {
    int tag;
};
struct node {
    struct head head;
    int x;
};
struct lead {
    int numbers[4];
    int last;
};

static void by_other_types(int a, int b)
{
    struct small small = { 1, "abcdefg", 2 };
    struct lead lead = { { 1, 2, 3, 4 }, 5 };
    struct node nodes[8];
    char *c = &small.text[zero];
    struct small *whole = (struct small *)(c - offsetof(struct small, text));
    whole->tag = 8;
    whole->tail = 6;
    law_output("small", small.tag + small.tail * 100);
    int *n = &lead.numbers[zero];
    ((struct lead *)n)->last = 6;
    law_output("lead", lead.last);
    memset(nodes, 0, sizeof nodes);
    struct head *head = &nodes[a & 7].head;
    head->tag = 5;
    struct node *node = (struct node *)head;
    node->x = 9;
    nodes[b & 7].x++;
    law_output("node", node->x + nodes[b & 7].x * 3 + nodes[0].x);
}

static int *kept;
static void keep(int *n) { kept = n; }
static void (*volatile hand)(int *) = keep;

static void to_others(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    int *n = box.numbers + a % 5, *m = box.numbers + b % 6;
    *m = 8;
    hand(n);
    *kept = 9;
    law_output("kept", *m + *n * 3 + box.numbers[0] * 5);
    box.last = 2;
    kept[1] = 3;
    law_output("last", box.last + box.numbers[1] + *m);
    kept = 0;
}

static void by_library(int a, int b, const int *in)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6, 6, 6, 6, 6, 6 }, 7 };
    int *n = box.numbers + a % 5, *m = box.numbers + b % 6;
    *m = 11;
    memcpy(n, in, 2 * sizeof *n);
    law_output("memcpy", *m + *n * 3);
    memcpy(box.numbers + 1, in, sizeof in[0] * (unsigned)(1 + b % 3));
    law_output("memcpy 2", *m + *n * 3 + box.last);
    *n = 77;
    memset(m, 0, sizeof *m);
    law_output("memset", *m + *n * 3);
}

static void fill(struct item *at, struct item *end, int step)
{
    for (int i = 0; at < end; at++, i += step) {
        at->kind = i;
        at->left = (short)(i + 1);
    }
}

static void in_loops(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    struct item *p = box.items;
    int sum = 0;
    fill(box.items, box.items + 1 + a % 6, b);
    for (int i = 0; i < b % 6; i++) {
        p->right = (short)i;
        p++;
        box.items[i].kind++;
    }
    for (struct item *q = box.items; q <= p && q < box.items + 6; q++)
        sum = sum * 7 + q->kind + q->left * 2 + q->right * 3;
    law_output("sum", sum + (p - box.items) * 1000003 + (p == box.items) + (p != 0));
    if (box.first != 1)
        law_output("never", 3);
}

static int deep(struct item *at, int *count, int n)
{
    at->kind += n;
    *count += 1;
    if (n > 0)
        at->kind += deep(at, &at->kind, n - 1);
    return at->kind + *count;
}

static void in_recursion(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    struct item *p = &box.items[a % 6];
    law_output("deep", deep(p, &box.items[b % 6].kind, b % 5));
    law_output("then", p->kind + box.items[b % 6].kind * 3 + box.last);
}

static void either(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 }, other = { 2, { { 3, 4, 5 } }, 6, { 7 }, 8 };
    int *n = a & 1 ? box.numbers + b % 6 : a & 2 ? other.numbers + b % 6 : &other.last;
    int *m = box.numbers + a % 6;
    *m = 9;
    *n = 10;
    law_output("either", *m + box.numbers[0] * 3 + other.numbers[0] * 5 + other.last * 7);
    struct box *which = a & 4 ? &box : &other;
    which->numbers[b % 6] = 12;
    law_output("which", *m * 3 + *n + box.last);
    box.first = 20;
    *(a & 8 ? &which->first : n) = 4;
    law_output("first", box.first + other.first * 100);
}

static struct item *inside(struct box *box, int n)
{
    return n < 0 ? 0 : &box->items[n];
}

static void found(int a, int b)
{
    struct box box = { 1, { { 2, 3, 4 } }, 5, { 6 }, 7 };
    struct item *p = inside(&box, a % 7 - 1), *q = inside(&box, b % 6);
    if (p)
        p->kind = 5;
    q->kind = 6;
    law_output("found", (p ? p->kind : -1) + q->kind * 10 + box.items[0].kind * 100);
}

int main(void)
{
    int a = (int)law_input(0, 4) & 0xffff, b = (int)law_input(1, 3) & 0xffff, in[4];
    for (int i = 0; i < 4; i++)
        in[i] = (int)law_input(2 + i, 100 + i) & 0xffff;
    by_two_names(a, b);
    by_words(a, b);
    by_the_whole(a);
    by_other_types(a, b);
    to_others(a, b);
    by_library(a, b, in);
    in_loops(a, b);
    in_recursion(a, b);
    either(a, b);
    found(a, b);
    return 0;
}
