/*
 * Any stubs behind rpcgen's interface: compiled once for each, with its own flick.h, its xdr_T renamed, and
 * WHO defined. Decoding allocates, and XDR_FREE releases.
 */
#include "bench.h"
#include "flick.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

union value { intseq ints; rectseq rects; direntseq dirents; };
struct state { enum workload workload; union value value; char *message; u_int room, size; };

static void *begin(const struct data *data)
{
    struct state *const s = calloc(1, sizeof *s);
    s->workload = data->workload;
    s->room = (u_int)data->bytes + 64;
    s->message = malloc(s->room);
    /* The items are laid out as rpcgen's are. */
    s->value.ints.intseq_len = data->count;
    s->value.ints.intseq_val = data->items.ints;
    return s;
}

static bool_t run(XDR *xdrs, enum workload workload, union value *value)
{
    switch (workload) {
    case INTS: return xdr_intseq(xdrs, &value->ints);
    case RECTS: return xdr_rectseq(xdrs, &value->rects);
    default: return xdr_direntseq(xdrs, &value->dirents);
    }
}

static void encode(void *state, size_t times)
{
    struct state *const s = state;
    while (times-- > 0) {
        XDR xdrs;
        xdrmem_create(&xdrs, s->message, s->room, XDR_ENCODE);
        if (!run(&xdrs, s->workload, &s->value))
            abort();
        s->size = XDR_GETPOS(&xdrs);
        BENCH_BARRIER();
    }
}

#ifdef IN_ARENA
typedef union {
    struct intseq_in_arena ints;
    struct rectseq_in_arena rects;
    struct direntseq_in_arena dirents;
} decoded;

static bool_t run_decoded(XDR *xdrs, enum workload workload, decoded *value)
{
    switch (workload) {
    case INTS: return xdr_intseq_in_arena(xdrs, &value->ints);
    case RECTS: return xdr_rectseq_in_arena(xdrs, &value->rects);
    default: return xdr_direntseq_in_arena(xdrs, &value->dirents);
    }
}

/* As a server does: the value and `arena`, which lie alike in all three, and not the room behind them. */
#define ZEROED offsetof(struct direntseq_in_arena, first)
#else
typedef union value decoded;
#define run_decoded run
#define ZEROED sizeof(decoded)
#endif

static bool_t decode_one(const struct state *s, decoded *value)
{
    XDR xdrs;
    memset(value, 0, ZEROED);
    xdrmem_create(&xdrs, s->message, s->size, XDR_DECODE);
    return run_decoded(&xdrs, s->workload, value);
}

static void release_one(const struct state *s, decoded *value)
{
    XDR xdrs;
    xdrs.x_op = XDR_FREE;
    run_decoded(&xdrs, s->workload, value);
}

static void decode(void *state, size_t times)
{
    const struct state *const s = state;
    while (times-- > 0) {
        decoded value;
        if (!decode_one(s, &value))
            abort();
        BENCH_BARRIER();
        release_one(s, &value);
    }
}

static int is_right(void *state, const struct data *data)
{
    struct state *const s = state;
    decoded result;
    union value value;
    int right = 1;
    encode(s, 1);
    if (!decode_one(s, &result))
        return 0;
    memcpy(&value, &result, sizeof value);     /* the value comes first */
    if (data->workload != DIRENTS)
        right = memcmp(value.ints.intseq_val, data->items.ints, data->bytes) == 0;
    for (uint32_t i = 0; i < data->count && data->workload == DIRENTS; i++) {
        const direntry *const v = &value.dirents.direntseq_val[i];
        right = right && same_dirent(&data->items.dirents[i], v->name, v->info.fields, v->info.tag);
    }
    release_one(s, &result);
    return right;
}

static void end(void *state)
{
    struct state *const s = state;
    free(s->message);
    free(s);
}

#ifdef IN_ARENA
/* Encoding is the same as without. */
static const struct implementation entry = {WHO, begin, NULL, decode, is_right, end};
#else
static const struct implementation entry = {WHO, begin, encode, decode, is_right, end};
#endif
IMPLEMENTATION(entry)
