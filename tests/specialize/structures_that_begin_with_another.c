/* A pointer to what a structure begins with becomes one to the structure, and a member's address that of its structure: members are
 * named by the structure that they are in, since compilers take members of different structures for different memory.
 * Not in the residual: [1].tag, [-1].tag
 */
#include <stddef.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct head {
    int tag;
};
struct node {
    struct head head;
    int x;
};
struct link {
    int x;
    struct head head;
};
struct nodes {
    struct node nodes[4];
    struct link links[4];
};

static int get(struct head *head)
{
    return head->tag == 5 ? ((struct node *)head)->x : -1;
}

static int of(struct head *head)
{
    return ((struct link *)(void *)((char *)head - offsetof(struct link, head)))->x;
}

static void change(struct head *head, struct node *nodes, struct head *inner, struct link *links, int at)
{
    ((struct node *)head)->x = 9;
    nodes[at].x++;
    law_output("node", get(head));
    ((struct link *)(void *)((char *)inner - offsetof(struct link, head)))->x = 7;
    links[at].x += 2;
    law_output("link", of(inner));
}

static struct nodes all;
static unsigned char bytes[sizeof(struct nodes)];

static void by_bytes(int at)
{
    struct { unsigned char kind; short part[2]; int data; } items[4] = { { 1, { 2, 3 }, 4 } };
    ((unsigned char *)items)[at & 31] = 1;
    for (int i = 0; i < 4; i++)
        law_output("item", items[i].kind + items[i].part[0] * 3 + items[i].part[1] * 5 + items[i].data * 7L);
}

int main(void)
{
    int a = (int)law_input(0, 2) & 3, b = (int)law_input(1, 2) & 3;
    for (int i = 0; i < 4; i++)
        all.nodes[i].head.tag = 5;
    change(&all.nodes[a].head, all.nodes, &all.links[b].head, all.links, (int)law_input(2, 2) & 3);
    by_bytes((int)law_input(3, 9) & 0xffff);
    law_output("bytes", bytes[a]);
    return 0;
}
