/* SPDX-License-Identifier: MIT-0 */
/* Values of any type: decoded, encoded, released. */
#include "safety.h"

/* What is allocated beyond what arrived: builds that take less on trust say so. */
#ifndef HEAP_ALLOWANCE
#define HEAP_ALLOWANCE (60 << 10)
#endif
#define FIRST_BLOCK 4096
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif

static unsigned stream_seed = 1;

size_t heap_bound(const struct type *type, enum stream_kind kind, size_t arrived, bool arena)
{
    const bool tells = kind == STREAM_MEMORY || kind == STREAM_UNALIGNED;
    size_t most = 1, deepest = 0, trusted = FIRST_BLOCK;
    for (const struct ratio *ratio = type->ratios; ratio->memory > 0; ratio++) {
        const size_t times = (ratio->memory + ratio->message - 1) / ratio->message;
        most = times > most ? times : most;
        deepest = ratio->memory > deepest ? ratio->memory : deepest;
        trusted += ratio->memory;
    }
    /* Where streams do not tell their room an item of each array is begun on trust, of recursive values many. */
    trusted += type->recursive ? WHITTLE_MAX_DEPTH * deepest : 0;
    /* There arrays grow to twice what they hold. Arenas have as much room again, at most. */
    const size_t bound = tells ? 2 * most * arrived : 3 * most * arrived + trusted;
    return HEAP_ALLOWANCE + (arena ? 2 * bound : bound);
}

bool_t decode(routine code, void *value, enum stream_kind kind, const char *bytes, size_t size)
{
    struct stream s;
    stream_read_begin(&s, kind, bytes, size, stream_seed++);
    const bool_t done = code(&s.xdrs, value);
    stream_read_end(&s);
    EXPECT(done == TRUE || done == FALSE);
    return done;
}

bool_t decode_from_memory(routine code, void *value, const char *bytes, size_t size, size_t *used)
{
    struct stream s;
    stream_read_begin(&s, STREAM_MEMORY, bytes, size, stream_seed++);
    const bool_t done = code(&s.xdrs, value);
    *used = done ? XDR_GETPOS(&s.xdrs) : 0;
    stream_read_end(&s);
    return done;
}

void *empty_value(const struct type *type)
{
    void *const value = calloc(1, type->size);
    EXPECT(value != NULL);
    return value;
}

char *encode(routine code, void *value, enum stream_kind kind, size_t room, size_t *size)
{
    struct stream s;
    char *bytes;
    stream_write_begin(&s, kind, room, stream_seed++);
    const bool_t done = code(&s.xdrs, value);
    *size = stream_write_end(&s, &bytes);
    if (done)
        return bytes;
    free(bytes);
    return NULL;
}

bool encodes_to(routine code, void *value, enum stream_kind kind, const char *bytes, size_t size)
{
    size_t n;
    char *const mine = encode(code, value, kind, size, &n);
    const bool same = mine != NULL && n == size && memcmp(mine, bytes, n) == 0;
    free(mine);
    return same;
}

void release(routine code, void *value)
{
    XDR nowhere;
    memset(&nowhere, 0x5a, sizeof nowhere);     /* libtirpc's xdr_free sets the operation and nothing else */
    nowhere.x_op = XDR_FREE;
    EXPECT(code(&nowhere, value));
}

void release_by_reference(const struct type *type, void *value)
{
    XDR nowhere;
    memset(&nowhere, 0, sizeof nowhere);
    nowhere.x_op = XDR_FREE;
    /* It stops where a union's discriminant is none. */
    (void)type->reference(&nowhere, value);
}

void release_and_expect_nothing(const struct type *type, routine code, void *value)
{
    release(code, value);
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
    release(code, value);
    release_by_reference(type, value);
}
