/* SPDX-License-Identifier: MIT-0 */
/* Written by hand in the shapes that whittle generates. */
#include "sample.h"
#include <stdlib.h>
#include <string.h>

struct ledger ledger = {0, 0, 0, -1};

void *ledger_realloc(void *old, size_t size)
{
    size_t *const block = old == NULL ? NULL : (size_t *)old - 2;
    if (ledger.fail_after == 0)
        return NULL;
    if (ledger.fail_after > 0)
        ledger.fail_after--;
    const size_t before = block == NULL ? 0 : *block;
    size_t *const moved = realloc(block, size + 2 * sizeof(size_t));
    *moved = size;
    ledger.live += block == NULL;
    ledger.bytes += size - before;
    if (ledger.bytes > ledger.peak)
        ledger.peak = ledger.bytes;
    return moved + 2;
}

void *ledger_malloc(size_t size)
{
    return ledger_realloc(NULL, size);
}

void ledger_free(void *old)
{
    if (old == NULL)
        return;
    ledger.live--;
    ledger.bytes -= ((size_t *)old)[-2];
    free((size_t *)old - 2);
}

#define malloc ledger_malloc
#define realloc ledger_realloc
#define free ledger_free
#include <whittle/in_array.h>
#include <whittle/out.h>

static char *out_leaf(struct whittle_out *out, char *at, const leaf *v)
{
    at = whittle_out_text_and(out, at, v->name, UINT32_MAX, 32);
    if (at == NULL)
        return NULL;
    whittle_order32(at, v->words, 5);
    memset(at + 24, 0, 4);
    memcpy(at + 20, v->tag, 6);
    whittle_put32(at + 28, v->flag != 0);
    return at + 32;
}

static const char *in_leaf(struct whittle_in *in, const char *at, leaf *v)
{
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    at = whittle_in_text_and(in, at + 4, &v->name, whittle_get32(at), UINT32_MAX, 32);
    if (at == NULL)
        return NULL;
    whittle_order32(v->words, at, 5);
    memcpy(v->tag, at + 20, 6);
    v->flag = whittle_get32(at + 28) != 0;
    return at + 32;
}

static void free_leaf(void *p)
{
    whittle_release(&((leaf *)p)->name);
}

static void free_leaf_slot(void *slot)
{
    void *const p = whittle_slot_get(slot);
    if (p != NULL)
        free_leaf(p);
    whittle_release(slot);
}

static char *out_row(struct whittle_out *out, char *at, const row *v)
{
    const leaf *const items = v->row_val;
    const uint32_t count = v->row_len;
    at = whittle_out_need(out, at, 4);
    if (at == NULL || (items == NULL && count > 0))
        return NULL;
    whittle_put32(at, count);
    at += 4;
    for (uint32_t i = 0; i < count; i++) {
        whittle_ahead(at, 36 + 64);
        at = out_leaf(out, at, &items[i]);
        if (at == NULL)
            return NULL;
    }
    return at;
}

static void free_row(void *p)
{
    row *const v = p;
    if (v->row_val != NULL)
        for (uint32_t i = 0; i < v->row_len; i++)
            free_leaf(&v->row_val[i]);
    whittle_release(&v->row_val);
}

static const char *in_row(struct whittle_in *in, const char *at, row *v)
{
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    const uint32_t count = whittle_get32(at);
    at += 4;
    v->row_len = count;
    if (count == 0)
        return at;
    struct whittle_growth growth;
    leaf *items = whittle_in_array_begin(in, at, &growth, &v->row_val, count, sizeof *items, 36, v, free_row);
    if (items == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (i == growth.room) {
            items = whittle_in_array_grow(in, &growth);
            if (items == NULL)
                return NULL;
        }
        if (in->fresh) {
            items[i].name = NULL;
            v->row_len = i + 1;
        }
        whittle_in_ahead(in, &items[i], sizeof items[i], 64);
        at = in_leaf(in, at, &items[i]);
        if (at == NULL)
            return NULL;
    }
    whittle_in_array_end(in, &growth);
    return at;
}

static char *out_rows(struct whittle_out *out, char *at, const sample *v)
{
    const row *const items = v->rows.rows_val;
    const uint32_t count = v->rows.rows_len;
    at = whittle_out_need(out, at, 4);
    if (at == NULL || (items == NULL && count > 0))
        return NULL;
    whittle_put32(at, count);
    at += 4;
    for (uint32_t i = 0; i < count && at != NULL; i++)
        at = out_row(out, at, &items[i]);
    return at;
}

static void free_rows(void *p)
{
    sample *const v = p;
    if (v->rows.rows_val != NULL)
        for (uint32_t i = 0; i < v->rows.rows_len; i++)
            free_row(&v->rows.rows_val[i]);
    whittle_release(&v->rows.rows_val);
}

static const char *in_rows(struct whittle_in *in, const char *at, sample *v)
{
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    const uint32_t count = whittle_get32(at);
    at += 4;
    v->rows.rows_len = count;
    if (count == 0)
        return at;
    struct whittle_growth growth;
    row *items = whittle_in_array_begin(in, at, &growth, &v->rows.rows_val, count, sizeof *items, 4, v, free_rows);
    if (items == NULL)
        return NULL;
    whittle_in_owe(in, count, 4);
    for (uint32_t i = 0; i < count; i++) {
        if (i == growth.room) {
            items = whittle_in_array_grow(in, &growth);
            if (items == NULL)
                return NULL;
        }
        if (in->fresh) {
            items[i].row_val = NULL;
            v->rows.rows_len = i + 1;
        }
        whittle_in_pay(in, 4);
        at = in_row(in, at, &items[i]);
        if (at == NULL)
            return NULL;
    }
    whittle_in_array_end(in, &growth);
    return at;
}

static char *out_shape(struct whittle_out *out, char *at, const shape *v)
{
    at = whittle_out_need(out, at, 8);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)v->kind);
    at += 4;
    switch (v->kind) {
    case 1:
        whittle_put32(at, (uint32_t)v->shape_u.number);
        return at + 4;
    case 2:
        return whittle_out_text(out, at, v->shape_u.text, UINT32_MAX);
    case 3:
        whittle_put32(at, v->shape_u.leaf != NULL);
        at += 4;
        return v->shape_u.leaf == NULL ? at : out_leaf(out, at, v->shape_u.leaf);
    case 0:
        return at;
    default:
        return NULL;
    }
}

static const char *in_shape_leaf(struct whittle_in *in, const char *at, shape *v)
{
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    const uint32_t there = whittle_get32(at);
    at += 4;
    if (there == 0) {
        v->shape_u.leaf = NULL;
        return at;
    }
    const bool fresh = in->fresh;
    leaf *const p = whittle_in_allocate(in, &v->shape_u.leaf, sizeof *p, free_leaf_slot);
    if (p == NULL)
        return NULL;
    if (in->fresh)
        p->name = NULL;
    at = in_leaf(in, at, p);
    in->fresh = fresh;
    return at;
}

static const char *in_shape(struct whittle_in *in, const char *at, shape *v)
{
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    v->kind = (int)whittle_get32(at);
    at += 4;
    switch (v->kind) {
    case 1:
        at = whittle_in_need(in, at, 4);
        if (at == NULL)
            return NULL;
        v->shape_u.number = (int)whittle_get32(at);
        return at + 4;
    case 2:
        at = whittle_in_need(in, at, 4);
        return at == NULL ? NULL : whittle_in_text(in, at + 4, &v->shape_u.text, whittle_get32(at), UINT32_MAX);
    case 3:
        return in_shape_leaf(in, at, v);
    case 0:
        return at;
    default:
        return NULL;
    }
}

static void free_shape(void *p)
{
    shape *const v = p;
    if (v->kind == 2)
        whittle_release(&v->shape_u.text);
    if (v->kind == 3)
        free_leaf_slot(&v->shape_u.leaf);
}

static char *out_list(struct whittle_out *out, char *at, const node *v)
{
    at = whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, v != NULL);
    at += 4;
    for (; v != NULL; v = v->next) {
        at = whittle_out_need(out, at, 4);
        if (at == NULL)
            return NULL;
        whittle_put32(at, (uint32_t)v->value);
        at = whittle_out_text_and(out, at + 4, v->word, UINT32_MAX, 4);
        if (at == NULL)
            return NULL;
        whittle_put32(at, v->next != NULL);
        at += 4;
    }
    return at;
}

static void free_node_slot(void *slot)
{
    node *v = whittle_slot_get(slot);
    whittle_slot_set(slot, NULL);
    while (v != NULL) {
        node *const next = v->next;
        whittle_release(&v->word);
        free(v);
        v = next;
    }
}

static const char *in_list(struct whittle_in *in, const char *at, node **slot)
{
    const bool fresh = in->fresh;
    at = whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    uint32_t more = whittle_get32(at);
    at += 4;
    while (more != 0) {
        node *const v = whittle_in_allocate(in, slot, sizeof *v, free_node_slot);
        if (v == NULL)
            return NULL;
        if (in->fresh) {
            v->word = NULL;
            v->next = NULL;
        }
        at = whittle_in_need(in, at, 8);
        if (at == NULL)
            return NULL;
        v->value = (int)whittle_get32(at);
        at = whittle_in_text_and(in, at + 8, &v->word, whittle_get32(at + 4), UINT32_MAX, 4);
        if (at == NULL)
            return NULL;
        more = whittle_get32(at);
        at += 4;
        slot = &v->next;
    }
    *slot = NULL;
    in->fresh = fresh;
    return at;
}

static char *out_tree(struct whittle_out *out, char *at, const tree *v)
{
    at = whittle_out_need(out, at, 8);
    if (at == NULL || (v->kids.kids_val == NULL && v->kids.kids_len > 0))
        return NULL;
    whittle_put32(at, (uint32_t)v->key);
    whittle_put32(at + 4, v->kids.kids_len);
    at += 8;
    for (uint32_t i = 0; i < v->kids.kids_len && at != NULL; i++)
        at = out_tree(out, at, &v->kids.kids_val[i]);
    return at;
}

static void free_tree(void *p)
{
    tree *const v = p;
    if (v->kids.kids_val != NULL)
        for (uint32_t i = 0; i < v->kids.kids_len; i++)
            free_tree(&v->kids.kids_val[i]);
    whittle_release(&v->kids.kids_val);
}

static const char *in_tree(struct whittle_in *in, const char *at, tree *v)
{
    if (!whittle_in_enter(in))
        return NULL;
    at = whittle_in_need(in, at, 8);
    if (at == NULL)
        return NULL;
    v->key = (int)whittle_get32(at);
    const uint32_t count = whittle_get32(at + 4);
    at += 8;
    v->kids.kids_len = count;
    if (count > 0) {
        struct whittle_growth growth;
        tree *items = whittle_in_array_begin(in, at, &growth, &v->kids.kids_val, count, sizeof *items, 8, v, free_tree);
        if (items == NULL)
            return NULL;
        whittle_in_owe(in, count, 8);
        for (uint32_t i = 0; i < count; i++) {
            if (i == growth.room) {
                items = whittle_in_array_grow(in, &growth);
                if (items == NULL)
                    return NULL;
            }
            if (in->fresh) {
                items[i].kids.kids_val = NULL;
                v->kids.kids_len = i + 1;
            }
            whittle_in_pay(in, 8);
            at = in_tree(in, at, &items[i]);
            if (at == NULL)
                return NULL;
        }
        whittle_in_array_end(in, &growth);
    }
    whittle_in_leave(in);
    return at;
}

static char *out_sample(struct whittle_out *out, char *at, const sample *v)
{
    at = whittle_out_need(out, at, 20);
    if (at == NULL || v->ints.ints_len > INTS_BOUND)
        return NULL;
    whittle_put32(at, (uint32_t)v->a);
    whittle_put64(at + 4, (uint64_t)v->b);
    whittle_put_double(at + 12, v->d);
    at = whittle_out_text_and(out, at + 20, v->title, TITLE_BOUND, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, v->ints.ints_len);
    at = whittle_out_order32(out, at + 4, v->ints.ints_val, v->ints.ints_len);
    at = at == NULL ? NULL : whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, v->longs.longs_len);
    at = whittle_out_order64(out, at + 4, v->longs.longs_val, v->longs.longs_len);
    at = at == NULL ? NULL : whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, v->bytes.bytes_len);
    at = whittle_out_bytes(out, at + 4, v->bytes.bytes_val, v->bytes.bytes_len);
    at = at == NULL ? NULL : out_row(out, at, &v->leaves);
    at = at == NULL ? NULL : out_rows(out, at, v);
    at = at == NULL ? NULL : out_shape(out, at, &v->shape);
    at = at == NULL ? NULL : out_list(out, at, v->list);
    at = at == NULL ? NULL : out_tree(out, at, &v->tree);
    if (at == NULL || !whittle_out_pause(out, at) || !xdr_foreign(out->xdrs, (foreign *)(uintptr_t)&v->foreign))
        return NULL;
    at = whittle_out_resume(out);
    at = whittle_out_order32(out, at, v->table, 1500);
    at = at == NULL ? NULL : whittle_out_bytes(out, at, v->blob, 5001);
    at = at == NULL ? NULL : whittle_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)v->last);
    return at + 4;
}

static const char *in_runs(struct whittle_in *in, const char *at, sample *v)
{
    at = whittle_in_need(in, at, 24);
    if (at == NULL)
        return NULL;
    v->a = (int)whittle_get32(at);
    v->b = (quad_t)whittle_get64(at + 4);
    v->d = whittle_get_double(at + 12);
    at = whittle_in_text_and(in, at + 24, &v->title, whittle_get32(at + 20), TITLE_BOUND, 4);
    if (at == NULL)
        return NULL;
    v->ints.ints_len = whittle_get32(at);
    if (v->ints.ints_len > INTS_BOUND)
        return NULL;
    at = whittle_in_counted_order32(in, at + 4, &v->ints.ints_val, v->ints.ints_len, 1);
    at = at == NULL ? NULL : whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    v->longs.longs_len = whittle_get32(at);
    at = whittle_in_counted_order64(in, at + 4, &v->longs.longs_val, v->longs.longs_len, 1);
    at = at == NULL ? NULL : whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    v->bytes.bytes_len = whittle_get32(at);
    return whittle_in_counted_bytes(in, at + 4, &v->bytes.bytes_val, v->bytes.bytes_len);
}

static const char *in_sample(struct whittle_in *in, const char *at, sample *v)
{
    at = in_runs(in, at, v);
    at = at == NULL ? NULL : in_row(in, at, &v->leaves);
    at = at == NULL ? NULL : in_rows(in, at, v);
    at = at == NULL ? NULL : in_shape(in, at, &v->shape);
    at = at == NULL ? NULL : in_list(in, at, &v->list);
    at = at == NULL ? NULL : in_tree(in, at, &v->tree);
    if (at == NULL)
        return NULL;
    whittle_in_pause(in, at);
    if (!xdr_foreign(in->xdrs, &v->foreign))
        return NULL;
    at = whittle_in_resume(in);
    at = whittle_in_order32(in, at, v->table, 1500);
    at = at == NULL ? NULL : whittle_in_bytes(in, at, v->blob, 5001);
    at = at == NULL ? NULL : whittle_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    v->last = (int)whittle_get32(at);
    return at + 4;
}

static void free_sample(sample *v)
{
    whittle_release(&v->title);
    whittle_release(&v->ints.ints_val);
    whittle_release(&v->longs.longs_val);
    whittle_release(&v->bytes.bytes_val);
    free_row(&v->leaves);
    free_rows(v);
    free_shape(&v->shape);
    free_node_slot(&v->list);
    free_tree(&v->tree);
    xdr_free((xdrproc_t)(void (*)(void))xdr_foreign, &v->foreign);
}

bool_t whittle_sample_in_arena(XDR *xdrs, sample *v, void *arena)
{
    struct whittle_in in;
    const char *at = whittle_in_begin(&in, xdrs, arena);
    at = in_sample(&in, at, v);
    return whittle_in_end(&in, at);
}

bool_t whittle_sample(XDR *xdrs, sample *v)
{
    if (xdrs->x_op == XDR_ENCODE) {
        struct whittle_out out;
        char *at = whittle_out_begin(&out, xdrs);
        at = out_sample(&out, at, v);
        return whittle_out_end(&out, at);
    }
    if (xdrs->x_op == XDR_DECODE)
        return whittle_sample_in_arena(xdrs, v, NULL);
    free_sample(v);
    return TRUE;
}
