// unit: one.c
typedef struct { int a; } shared;
struct node;
struct own { int x; };
static int hidden(struct own *o) { return o->x; }
static int counter;
extern int array[];
int common;
int use(struct node *n, shared *s) { static int counter; return hidden(0) + counter + array[1] + s->a; }
int reset(void) { return counter = common; }
// unit: two.c
typedef struct { int a; } shared;
struct node { struct node *next; shared s; };
struct own { char x; };
static int hidden(struct own *o) { return o->x; }
static long counter;
int array[4] = { 1 };
int common;
int use(struct node *n, shared *s);
int call(struct node *n) { return use(n->next, &n->s) + hidden(0) + counter; }
