/* Typed data in an array of characters, as arenas have it: the residual program names the object, so that compilers see its declared
 * type, and accesses it as a type that may alias.
 * In the residual: may_alias
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

enum kind { NUMBER, ADD, MULTIPLY };
struct node {
    enum kind kind;
    int value;
    long left, right;
};
struct program {
    char name[8];
    _Alignas(8) char bytes[256];
    size_t used;
};

static long node(struct program *p, enum kind kind, int value, long left, long right)
{
    long at = (long)p->used;
    struct node *n = (struct node *)(p->bytes + at);
    n->kind = kind;
    n->value = value;
    n->left = left;
    n->right = right;
    p->used += sizeof *n;
    return at;
}

static int run(const struct program *p, long at, int x)
{
    const struct node *n = (const struct node *)(p->bytes + at);
    switch (n->kind) {
    case NUMBER: return n->value + x;
    case ADD: return run(p, n->left, x) + run(p, n->right, x);
    default: return run(p, n->left, x) * run(p, n->right, x + 1);
    }
}

static unsigned sum_of_bytes(const struct program *p, int from)
{
    unsigned sum = 0;
    for (int i = from & 3; i < 96; i++)
        sum = sum * 3 + (unsigned char)p->bytes[i];
    return sum;
}

int main(void)
{
    struct program p = {"tree", {0}, 0};
    int x = (int)law_input(0, 5) & 63;
    long left = node(&p, NUMBER, 3, -1, -1), right = node(&p, NUMBER, x, -1, -1);
    long top = node(&p, x & 1 ? ADD : MULTIPLY, 0, left, right);
    law_output("run", run(&p, top, 4));
    law_output("bytes", sum_of_bytes(&p, x));
    ((struct node *)(p.bytes + (x & 2 ? left : right)))->value += 7;
    law_output("again", run(&p, node(&p, ADD, 0, top, left), x));
    law_output("bytes again", sum_of_bytes(&p, x + 1));
    return 0;
}
