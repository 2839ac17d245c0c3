/* A tree that was built in local memory is as good as a constant one for recursive functions that only look at it. Functions that write
 * there, keep or compare addresses of it, or look into it at an unknown place, get the objects themselves.
 * Not in the residual: "never", kind
 */
#include <stddef.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct node {
    int kind, variable; /* 0 number, 1 variable, 2 sum, 3 product, 4 choice */
    const struct node *left, *right, *third;
};
struct counted {
    int key, seen;
    struct counted *left, *right;
};
struct set {
    unsigned char bytes[8];
    const struct set *next;
};
struct frame {
    int depth;
    const struct frame *up;
};

static long long value_of(const struct node *node, const long long *variables)
{
    switch (node->kind) {
    case 0: return node->variable;
    case 1: return variables[node->variable];
    case 2: return value_of(node->left, variables) + value_of(node->right, variables);
    case 3: return value_of(node->left, variables) * value_of(node->right, variables);
    case 4: return value_of(value_of(node->left, variables) & 1 ? node->right : node->third, variables);
    default: law_output("never", node->kind); return 0;
    }
}

static const struct node *add(struct node *nodes, int *count, struct node node)
{
    nodes[*count] = node;
    return &nodes[(*count)++];
}

static long long built_by_calls(const long long *variables)
{
    struct node nodes[12];
    int count = 0;
    const struct node *a = add(nodes, &count, (struct node){1, 0, NULL, NULL, NULL});
    const struct node *b = add(nodes, &count, (struct node){1, 1, NULL, NULL, NULL});
    const struct node *five = add(nodes, &count, (struct node){0, 5, NULL, NULL, NULL});
    const struct node *sum = add(nodes, &count, (struct node){2, 0, a, five, NULL});
    const struct node *product = add(nodes, &count, (struct node){3, 0, sum, b, NULL});
    const struct node *choice = add(nodes, &count, (struct node){4, 0, b, product, sum});
    const struct node *all = add(nodes, &count, (struct node){4, 0, choice, choice, product});
    long long result = value_of(all, variables);
    nodes[2].variable = 6;
    return result * 1000 + value_of(all, variables);
}

static int count_down(struct counted *node, int key)
{
    if (node == NULL)
        return 0;
    node->seen++;
    if (key < node->key)
        return count_down(node->left, key) + 1;
    return key > node->key ? count_down(node->right, key) + 1 : 1;
}

static void that_is_written(int key)
{
    struct counted nodes[5] = {{8, 0, &nodes[1], &nodes[2]}, {4, 0, NULL, &nodes[3]}, {12, 0, &nodes[4], NULL}, {6, 0, NULL, NULL}, {10, 0, NULL, NULL}};
    law_output("deep", count_down(nodes, key & 15) + count_down(nodes, key + 3 & 15) * 10);
    long long all = 0;
    for (int i = 0; i < 5; i++)
        all = all * 10 + nodes[i].seen;
    law_output("seen", all);
}

static struct counted *find(struct counted *node, int key)
{
    if (node == NULL || node->key == key)
        return node;
    return find(key < node->key ? node->left : node->right, key);
}

static void that_is_returned(int key)
{
    struct counted nodes[3] = {{8, 1, &nodes[1], &nodes[2]}, {4, 2, NULL, NULL}, {12, 3, NULL, NULL}};
    struct counted *const found = find(nodes, key & 12);
    if (found != NULL)
        found->seen += 10;
    law_output("found", nodes[0].seen + nodes[1].seen * 100 + nodes[2].seen * 10000);
}

static int is_in(const struct set *set, unsigned byte)
{
    if (set == NULL)
        return 0;
    if (set->bytes[byte >> 3 & 7] >> (byte & 7) & 1)
        return 1;
    return is_in(set->next, byte + 1);
}

static void at_an_unknown_place(unsigned byte)
{
    const struct set last = {{1, 2, 4, 8, 16, 32, 64, 128}, NULL}, first = {{0, 255, 0, 0, 3, 0, 0, 0}, &last};
    law_output("in", is_in(&first, byte & 63) + 2 * is_in(&last, byte >> 2 & 63));
}

static int same(const struct counted *node, const struct counted *wanted, int key)
{
    if (node == NULL)
        return 0;
    if (key > 20)
        return node == wanted;
    return same(key & 1 ? node->left : node->right, wanted, key + 7) + (node == wanted ? 100 : 0);
}

static void that_is_compared(int key)
{
    struct counted nodes[3] = {{8, 1, &nodes[1], &nodes[2]}, {4, 2, NULL, NULL}, {12, 3, NULL, NULL}}, others[1] = {{8, 1, NULL, NULL}};
    law_output("same", same(nodes, &nodes[2], key & 31) + 1000 * same(nodes, others, key & 31));
}

/* Each call has a frame of its own, that leads to all before. */
static int nested(const struct frame *up, int left)
{
    const struct frame own = {up == NULL ? 0 : up->depth + 1, up};
    if (left <= 0) {
        int sum = 0;
        for (const struct frame *at = &own; at != NULL; at = at->up)
            sum = sum * 3 + at->depth;
        return sum;
    }
    return nested(&own, left - 1) + own.depth;
}

/* Two nodes that lead to each other, as in a graph of a pattern. */
static int follows(const struct node *node, const unsigned char *text, int length)
{
    if (length == 0)
        return node->variable;
    return follows(*text & 1 ? node->left : node->right, text + 1, length - 1);
}

static void in_a_ring(const unsigned char *text, int length)
{
    struct node nodes[2] = {{0, 3, NULL, NULL, NULL}, {0, 4, NULL, NULL, NULL}};
    nodes[0].left = &nodes[1];
    nodes[0].right = &nodes[0];
    nodes[1].left = &nodes[0];
    nodes[1].right = &nodes[1];
    law_output("ring", follows(nodes, text, length));
}

/* Beside the tree goes what leads to one of its nodes, and is written through. */
struct context {
    struct counted *top;
    int calls;
};

static int beside(struct counted *node, struct context *context, int key)
{
    if (node == NULL)
        return 0;
    context->calls++;
    context->top->seen++;
    int sum = node->seen * 10 + node->key;
    if (key >> (context->calls & 3) & 1)
        sum += beside(node->left, context, key);
    if (key >> (context->calls + 1 & 3) & 1)
        sum += beside(node->right, context, key) + node->seen;
    return sum;
}

static int beside_a_number(struct counted *node, int *number, int key)
{
    if (node == NULL)
        return 0;
    (*number)++;
    return key & 1 ? beside_a_number(node->left, number, key >> 1) + node->seen : 0;
}

static void that_is_reached_otherwise(int key)
{
    struct counted nodes[3] = {{3, 0, &nodes[1], &nodes[2]}, {1, 0, NULL, NULL}, {2, 0, NULL, NULL}};
    struct counted last = {1, 0, NULL, NULL}, middle = {1, 0, &last, NULL}, first = {2, 0, &middle, NULL};
    struct context context = {&nodes[2], 0};
    int number = 0;
    law_output("beside", beside(nodes, &context, key) * 1000 + nodes[2].seen);
    law_output("number", beside_a_number(&first, &number, key) * 100 + beside_a_number(&first, &middle.seen, key));
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        const long long variables[2] = {law_input(i, i + 3) & 0xffff, law_input(i + 10, i * 3) & 0xffff};
        const int key = (int)law_input(i + 20, i * 5 + 4) & 0xff;
        unsigned char text[8];
        for (int at = 0; at < 8; at++)
            text[at] = (unsigned char)law_input(i * 8 + at + 40, at * 3);
        law_output("value", built_by_calls(variables));
        that_is_written(key);
        that_is_returned(key);
        at_an_unknown_place((unsigned)key);
        that_is_compared(key);
        law_output("nested", nested(NULL, key & 15));
        in_a_ring(text, key & 7);
        that_is_reached_otherwise(key);
    }
    return 0;
}
