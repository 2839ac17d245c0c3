/* SPDX-License-Identifier: MIT-0 */
#include "sample.h"
#include <stdlib.h>
#include <string.h>

static bool_t reference_leaf(XDR *xdrs, leaf *v)
{
    return xdr_string(xdrs, &v->name, ~0u) &&
           xdr_vector(xdrs, (char *)v->words, 5, sizeof(int), (xdrproc_t)(void (*)(void))xdr_int) &&
           xdr_opaque(xdrs, v->tag, 6) && xdr_bool(xdrs, &v->flag);
}

static bool_t reference_row(XDR *xdrs, row *v)
{
    return xdr_array(xdrs, (char **)&v->row_val, &v->row_len, ~0u, sizeof(leaf),
                     (xdrproc_t)(void (*)(void))reference_leaf);
}

static bool_t reference_shape(XDR *xdrs, shape *v)
{
    if (!xdr_int(xdrs, &v->kind))
        return FALSE;
    switch (v->kind) {
    case 1: return xdr_int(xdrs, &v->shape_u.number);
    case 2: return xdr_string(xdrs, &v->shape_u.text, ~0u);
    case 3: return xdr_pointer(xdrs, (char **)&v->shape_u.leaf, sizeof(leaf), (xdrproc_t)(void (*)(void))reference_leaf);
    case 0: return TRUE;
    default: return FALSE;
    }
}

static bool_t reference_node(XDR *xdrs, node *v)
{
    return xdr_int(xdrs, &v->value) && xdr_string(xdrs, &v->word, ~0u) &&
           xdr_pointer(xdrs, (char **)&v->next, sizeof(node), (xdrproc_t)(void (*)(void))reference_node);
}

static bool_t reference_tree(XDR *xdrs, tree *v)
{
    return xdr_int(xdrs, &v->key) && xdr_array(xdrs, (char **)&v->kids.kids_val, &v->kids.kids_len, ~0u, sizeof(tree),
                                               (xdrproc_t)(void (*)(void))reference_tree);
}

bool_t xdr_foreign(XDR *xdrs, foreign *v)
{
    return xdr_string(xdrs, &v->secret, 1000);
}

bool_t reference_sample(XDR *xdrs, sample *v)
{
    return xdr_int(xdrs, &v->a) && xdr_hyper(xdrs, &v->b) && xdr_double(xdrs, &v->d) &&
           xdr_string(xdrs, &v->title, TITLE_BOUND) &&
           xdr_array(xdrs, (char **)&v->ints.ints_val, &v->ints.ints_len, INTS_BOUND, sizeof(int),
                     (xdrproc_t)(void (*)(void))xdr_int) &&
           xdr_array(xdrs, (char **)&v->longs.longs_val, &v->longs.longs_len, ~0u, sizeof(quad_t),
                     (xdrproc_t)(void (*)(void))xdr_hyper) &&
           xdr_bytes(xdrs, &v->bytes.bytes_val, &v->bytes.bytes_len, ~0u) &&
           xdr_array(xdrs, (char **)&v->leaves.row_val, &v->leaves.row_len, ~0u, sizeof(leaf),
                     (xdrproc_t)(void (*)(void))reference_leaf) &&
           xdr_array(xdrs, (char **)&v->rows.rows_val, &v->rows.rows_len, ~0u, sizeof(row),
                     (xdrproc_t)(void (*)(void))reference_row) &&
           reference_shape(xdrs, &v->shape) &&
           xdr_pointer(xdrs, (char **)&v->list, sizeof(node), (xdrproc_t)(void (*)(void))reference_node) &&
           reference_tree(xdrs, &v->tree) && xdr_foreign(xdrs, &v->foreign) &&
           xdr_vector(xdrs, (char *)v->table, 1500, sizeof(int), (xdrproc_t)(void (*)(void))xdr_int) &&
           xdr_opaque(xdrs, v->blob, 5001) && xdr_int(xdrs, &v->last);
}

static unsigned state;

static unsigned any(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return below == 0 ? 0 : (state >> 8) % below;
}

static void *cleared(size_t count, size_t size)
{
    return count == 0 ? NULL : calloc(count, size);
}

static char *random_text(unsigned most)
{
    const unsigned n = any(most + 1);
    char *const text = malloc(n + 1);
    for (unsigned i = 0; i < n; i++)
        text[i] = (char)('!' + any(90));
    text[n] = 0;
    return text;
}

static void random_leaf(leaf *v, unsigned most)
{
    v->name = random_text(any(20) == 0 ? most * 3 : 20);
    for (int i = 0; i < 5; i++)
        v->words[i] = (int)(any(~0u) * 77);
    for (int i = 0; i < 6; i++)
        v->tag[i] = (char)any(256);
    v->flag = (bool_t)any(2);
}

static void random_tree(tree *v, unsigned depth)
{
    v->key = (int)any(100);
    v->kids.kids_len = depth == 0 ? 0 : any(4);
    v->kids.kids_val = cleared(v->kids.kids_len, sizeof(tree));
    for (u_int i = 0; i < v->kids.kids_len; i++)
        random_tree(&v->kids.kids_val[i], depth - 1);
}

static void random_shape(shape *v)
{
    v->kind = (int)any(4);
    if (v->kind == 1)
        v->shape_u.number = 7;
    if (v->kind == 2)
        v->shape_u.text = random_text(30);
    if (v->kind == 3 && any(2)) {
        v->shape_u.leaf = cleared(1, sizeof(leaf));
        random_leaf(v->shape_u.leaf, 10);
    }
}

static void random_arrays(sample *v, unsigned most)
{
    v->ints.ints_len = any(most + 1);
    v->ints.ints_val = cleared(v->ints.ints_len, sizeof(int));
    for (u_int i = 0; i < v->ints.ints_len; i++)
        v->ints.ints_val[i] = (int)(any(~0u) * 99u);
    v->longs.longs_len = any(most + 1);
    v->longs.longs_val = cleared(v->longs.longs_len, sizeof(quad_t));
    for (u_int i = 0; i < v->longs.longs_len; i++)
        v->longs.longs_val[i] = (quad_t)any(~0u) << 31 ^ any(~0u);
    v->bytes.bytes_len = any(most + 1);
    v->bytes.bytes_val = cleared(v->bytes.bytes_len, 1);
    for (u_int i = 0; i < v->bytes.bytes_len; i++)
        v->bytes.bytes_val[i] = (char)any(256);
    v->leaves.row_len = any(most + 1);
    v->leaves.row_val = cleared(v->leaves.row_len, sizeof(leaf));
    for (u_int i = 0; i < v->leaves.row_len; i++)
        random_leaf(&v->leaves.row_val[i], most);
    v->rows.rows_len = any(most / 4 + 2);
    v->rows.rows_val = cleared(v->rows.rows_len, sizeof(row));
    for (u_int i = 0; i < v->rows.rows_len; i++) {
        row *const r = &v->rows.rows_val[i];
        r->row_len = any(3);
        r->row_val = cleared(r->row_len, sizeof(leaf));
        for (u_int j = 0; j < r->row_len; j++)
            random_leaf(&r->row_val[j], most);
    }
}

void sample_random(sample *v, unsigned seed, unsigned most)
{
    state = seed * 2654435761u + 12345;
    memset(v, 0, sizeof *v);
    v->a = (int)any(~0u);
    v->b = (quad_t)any(~0u) << 32 | any(~0u);
    v->d = (double)any(~0u) / 3;
    v->title = random_text(TITLE_BOUND);
    random_arrays(v, most);
    random_shape(&v->shape);
    node **tail = &v->list;
    for (unsigned n = any(most / 2 + 1); n > 0; n--, tail = &(*tail)->next) {
        *tail = cleared(1, sizeof(node));
        (*tail)->value = (int)n;
        (*tail)->word = random_text(9);
    }
    random_tree(&v->tree, 3);
    v->foreign.secret = random_text(50);
    for (int i = 0; i < 1500; i++)
        v->table[i] = (int)any(~0u);
    for (int i = 0; i < 5001; i++)
        v->blob[i] = (char)any(256);
    v->last = 4711;
}
