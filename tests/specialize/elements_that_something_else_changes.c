/* What is known of all elements of an array ends where something else is written there: by another type, by bytes, by a copy, by
 * somebody who was given the address.
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
void *memcpy(void *to, const void *from, unsigned long count);
void *memset(void *to, int byte, unsigned long count);

struct item {
    int kind;
    int data;
};
struct list {
    int count;
    struct item items[8];
    int behind;
};

static void show(const char *name, int kind)
{
    int known = kind;
    switch (known) {
    case 0: law_output(name, 100); break;
    case 3: law_output(name, 103); break;
    case 5: law_output(name, 105); break;
    default: law_output(name, kind); break;
    }
}

static void fill(struct item *items, int n)
{
    for (int i = 0; i < n; i++) {
        items[i].kind = i & 1 ? 3 : 5;
        items[i].data = i;
    }
}

static void by_bytes(int n, int at)
{
    struct item items[8];
    int known;
    for (int i = 0; i < 8; i++) {
        items[(i * n) & 7].kind = 3;
        items[i & 7].kind = 3;
    }
    ((unsigned char *)items)[(at & 7) * sizeof(struct item) + 1] = 1;
    known = items[at & 7].kind;
    show("bytes", known);
    known = items[(at + 1) & 7].kind;
    show("other bytes", known);
}

static void by_copy(int n, int at)
{
    struct item items[8], other;
    int known;
    for (int i = 0; i < 8; i++)
        items[i].kind = 3;
    items[n & 7].kind = 5;
    other.kind = n + 40;
    other.data = 1;
    items[at & 7] = other;
    known = items[at & 7].kind;
    show("copy", known);
    memcpy(&items[n & 7], &other, sizeof other);
    known = items[n & 7].kind;
    show("memcpy", known);
    memset(items, 0, sizeof items);
    known = items[at & 7].kind;
    show("memset", known);
}

static void changed(struct item *item)
{
    item->kind += 1;
}
void (*volatile change)(struct item *) = changed;

static void by_others(int n, int at)
{
    struct list list;
    int known;
    list.count = list.behind = 0;
    for (int i = 0; i < 8; i++)
        list.items[i].kind = 5;
    list.items[at & 7].kind = 3;
    known = list.items[n & 7].kind;
    show("before", known);
    change(&list.items[n & 7]);
    known = list.items[n & 7].kind;
    show("after", known);
    list.items[at & 7].kind = 3;
    known = list.items[at & 7].kind;
    show("again", known);
}

static void by_words(int n, int at)
{
    union { int words[16]; struct item items[8]; } both;
    int known;
    memset(&both, 0, sizeof both);
    both.items[at & 7].kind = 3;
    both.words[n & 15] = n + 9;
    known = both.items[(n & 15) >> 1].kind;
    show("words", known);
}

static void never_set(int n)
{
    struct item items[8];
    int known;
    if (n > 3)
        items[n & 7].kind = 3;
    items[(n + 1) & 7].kind = 5;
    known = items[n > 3 ? n & 7 : (n + 1) & 7].kind;
    show("set", known);
}

/* Several elements are written at once. */
static void several_at_once(int n, int at)
{
    unsigned char kinds[16];
    const int three = 3;
    int known;
    for (int i = 0; i < 16; i++)
        kinds[i] = 3;
    unsigned char *place = &kinds[n & 7];
    kinds[at & 7] = 5;
    known = kinds[n & 7];
    show("one", known);
    memcpy(place, &three, sizeof three);
    known = kinds[(n & 7) + 1];
    show("several", known);
    known = place[2];
    show("behind", known);
}

/* On one path a number that nobody has seen, on the other one that is new. */
static void on_two_paths(int n, int at, int x)
{
    struct item items[8];
    int known;
    for (int i = 0; i < 8; i++)
        items[i].kind = 3;
    items[at & 7].kind = 5;
    if (n & 1) {
        items[n & 7].kind = x;
        show("one path", items[at & 7].kind);
    } else {
        items[n & 7].kind = 7;
        known = items[at & 7].kind;
        show("other path", known);
    }
}

static void in_a_loop(int n)
{
    struct item items[8];
    int at = 0, kind = 3;
    fill(items, 8);
    while (n-- > 0) {
        items[n & 7].kind = kind;
        kind = items[(n + at) & 7].kind;
        if (kind == 5) {
            at++;
            kind = 0;
        } else if (kind == 0) {
            kind = 3;
            items[at & 7].kind = n > 4 ? 5 : n;
        }
        law_output("kind", kind);
    }
}

int main(void)
{
    int n = (int)law_input(0, 6), at = (int)law_input(1, 2);
    by_bytes(n, at);
    by_copy(n, at);
    by_others(n, at);
    by_words(n, at);
    never_set(n & 15);
    several_at_once(n, at);
    on_two_paths(n, at, (int)law_input(2, 9));
    in_a_loop(n & 31);
    return 0;
}
