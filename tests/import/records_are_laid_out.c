struct bits { unsigned a : 3; int : 5; signed b : 9, : 0; _Bool c : 1; long long d : 40; };
struct __attribute__((packed)) tight { char c; int i; struct { short s; } in; union { int u; float f; }; };
#pragma pack(push, 2)
typedef struct { char c; int i; double rest[]; } loose;
#pragma pack(pop)
struct open;
struct list { struct list *next; struct open *what; enum kind { LIST = 1, TREE } kind; };
union both { int i; char c[6] __attribute__((aligned(4))); };
static struct { int key; union { int i; char *p; } value; } table[2], *cursor = table;
typedef struct { int a; } named, *pointer;
enum { ONE = 1, HUGE = 0xffffffffff };
enum __attribute__((packed)) small { S = 3 } s;
int use(struct bits *b, struct tight *t, loose *l, pointer p, union both *u, struct list *n)
{
    b->a = 1;
    b->d += b->b;
    return t->u + t->in.s + l->i + p->a + u->c[2] + cursor->value.i + n->kind + table[1].key + HUGE + TREE;
}
