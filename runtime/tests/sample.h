/* SPDX-License-Identifier: MIT-0 */
/* One type of each shape that generated code meets, as rpcgen would declare it. */
#ifndef SAMPLE_H
#define SAMPLE_H
#include <rpc/rpc.h>

enum { TITLE_BOUND = 100, INTS_BOUND = 1000000 };

typedef struct leaf { char *name; int words[5]; char tag[6]; bool_t flag; } leaf;
typedef struct row { u_int row_len; leaf *row_val; } row;
typedef struct shape { int kind; union { int number; char *text; leaf *leaf; } shape_u; } shape;
typedef struct node { int value; char *word; struct node *next; } node;
typedef struct tree { int key; struct { u_int kids_len; struct tree *kids_val; } kids; } tree;
typedef struct foreign { char *secret; } foreign;
typedef struct sample {
    int a;
    quad_t b;
    double d;
    char *title;
    struct { u_int ints_len; int *ints_val; } ints;
    struct { u_int longs_len; quad_t *longs_val; } longs;
    struct { u_int bytes_len; char *bytes_val; } bytes;
    row leaves;
    struct { u_int rows_len; row *rows_val; } rows;
    shape shape;
    node *list;
    tree tree;
    foreign foreign;
    int table[1500];
    char blob[5001];
    int last;
} sample;

/* What rpcgen would write, by libtirpc's routines: the judge. */
bool_t reference_sample(XDR *, sample *);
/* The user's routine for an external type. */
bool_t xdr_foreign(XDR *, foreign *);
/* What whittle would write. */
bool_t whittle_sample(XDR *, sample *);
bool_t whittle_sample_in_arena(XDR *, sample *, void *arena);

/* A value that depends on the seed alone, to be released by reference_sample; `most` bounds its arrays. */
void sample_random(sample *, unsigned seed, unsigned most);

/* The allocator of whittle_sample: counts, and fails when asked to. */
struct ledger { long live; size_t bytes, peak; long fail_after; };
extern struct ledger ledger;
void *ledger_malloc(size_t);
void *ledger_realloc(void *, size_t);
void ledger_free(void *);

#endif
