/* A matcher in continuation-passing style: what is done next lies in the frames of callers, known but for the position where it began.
 * Its calls through pointers are gone. Contexts that are changed while they are in use, or looked at elsewhere, keep their values.
 * Not in the residual: ->run, .run, "never"
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct node {
    int kind, letter; /* 0 letter, 1 any, 2 sequence, 3 choice, 4 repeated, 5 group */
    const struct node *left, *right;
};
struct match {
    const char *text;
    int length, steps;
    int start[3], end[3];
};
struct then {
    int (*run)(struct match *match, int at, const struct then *then);
    const struct node *node;
    const struct then *next;
    int began;
    double weight;
};

static int go(const struct node *node, struct match *match, int at, const struct then *then);

static int done(struct match *match, int at, const struct then *then)
{
    match->end[0] = at;
    return then->weight > 1.0 ? -1 : 1;
}

static int second(struct match *match, int at, const struct then *then)
{
    return go(then->node->right, match, at, then->next);
}

static int again(struct match *match, int at, const struct then *then)
{
    return at == then->began ? 0 : go(then->node, match, at, then->next);
}

static int closed(struct match *match, int at, const struct then *then)
{
    const int group = then->node->letter;
    const int start = match->start[group], end = match->end[group];
    match->start[group] = then->began;
    match->end[group] = at;
    const int result = then->next->run(match, at, then->next);
    if (result != 0)
        return result;
    match->start[group] = start;
    match->end[group] = end;
    return 0;
}

static int go(const struct node *node, struct match *match, int at, const struct then *then)
{
    int result;

    if (++match->steps > 500)
        return 0;
    switch (node->kind) {
    case 0:
    case 1:
        if (at >= match->length || (node->kind == 0 && match->text[at] != node->letter))
            return 0;
        return then->run(match, at + 1, then);
    case 2: {
        struct then next = {second, node, then, 0, 0.5};
        return go(node->left, match, at, &next);
    }
    case 3:
        result = go(node->left, match, at, then);
        return result != 0 ? result : go(node->right, match, at, then);
    case 4: {
        struct then next = {again, node, then, at, 0.5};
        result = go(node->left, match, at, &next);
        return result != 0 ? result : then->run(match, at, then);
    }
    case 5: {
        struct then next = {closed, node, then, at, 0.5};
        return go(node->left, match, at, &next);
    }
    default:
        law_output("never", node->kind);
        return 0;
    }
}

/* (a|ab)*.(b)c */
static const struct node a = {0, 'a', NULL, NULL}, b = {0, 'b', NULL, NULL}, c = {0, 'c', NULL, NULL}, any = {1, 0, NULL, NULL},
                         ab = {2, 0, &a, &b}, either = {3, 0, &a, &ab}, group = {5, 1, &either, NULL}, many = {4, 0, &group, NULL},
                         group_b = {5, 2, &b, NULL}, end = {2, 0, &group_b, &c}, rest = {2, 0, &any, &end}, all = {2, 0, &many, &rest};

static void matched(const char *text, int length, double weight)
{
    struct match match = {text, length, 0, {-1, -1, -1}, {-1, -1, -1}};
    const struct then last = {done, NULL, NULL, 0, weight};
    law_output("matched", go(&all, &match, 0, &last));
    law_output("steps", match.steps);
    for (int at = 0; at < 3; at++)
        law_output("group", match.start[at] * 100 + match.end[at]);
}

/* Contexts of which the caller changes something between calls, and callees do. */
struct context {
    int depth, extra;
    unsigned flags : 3, rest : 5;
    short pair[2];
    const struct context *up;
};

static long long looked_at(const struct context *context, int left)
{
    long long sum = context->extra * 3 + context->flags + context->pair[1];
    if (left <= 0)
        return context->up != NULL ? sum + 7 * looked_at(context->up, -1) : sum;
    return sum + looked_at(context, left - 1 - (context->extra & 1));
}

static long long changed_below(struct context *context, int left)
{
    if (left <= 0)
        return context->extra;
    struct context copy = *context;
    if (left & 1)
        memset(copy.pair, left, sizeof(copy.pair));
    else
        context->extra += left;
    copy.up = context;
    copy.extra ^= left;
    return looked_at(&copy, left) + changed_below(left % 3 == 0 ? &copy : context, left - 1) + context->extra;
}

static void contexts(int left, int extra)
{
    struct context first = {1, extra, 0, 9, {3, 4}, NULL};
    struct context second = {2, 5, 6, 1, {7, (short)extra}, &first};
    first.flags = (unsigned)extra & 7;
    law_output("looked", looked_at(&second, left));
    first.extra = left;
    second.pair[1]++;
    law_output("again", looked_at(&second, left + 1));
    law_output("below", changed_below(&second, left));
    law_output("kept", first.extra * 1000 + second.extra * 10 + second.flags);
}

int main(void)
{
    char text[9];

    for (int i = 0; i < 8; i++)
        text[i] = (char)("abca"[law_input(0, 37892) >> 2 * i & 3]);
    text[8] = '\0';
    matched(text, 8, 0.5);
    matched("abaabbc", (int)(law_input(1, 7) & 7), (double)(law_input(2, 1) & 3));
    contexts((int)(law_input(3, 5) & 7), (int)law_input(4, 11) & 1023);
    return 0;
}
