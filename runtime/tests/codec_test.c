/* SPDX-License-Identifier: MIT-0 */
/*
 * Each shape on each stream against libtirpc's own routines: equal bytes, equal values, and what happens when the
 * stream ends early, an allocation fails, or the bytes lie.
 */
#include "sample.h"
#include "streams.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <whittle/arena.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: not so: %s\n", __FILE__, __LINE__, now, #condition);                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static char now[200];    /* what is being tested */

static size_t reference_bytes(sample *v, char **bytes)
{
    struct stream s;
    stream_write_begin(&s, STREAM_MEMORY, 1 << 23, 1);
    EXPECT(reference_sample(&s.xdrs, v));
    return stream_write_end(&s, bytes);
}

static void release_and_expect_nothing_left(sample *v)
{
    XDR nowhere;
    memset(&nowhere, 0x5a, sizeof nowhere);     /* XDR_FREE must not look */
    nowhere.x_op = XDR_FREE;
    EXPECT(whittle_sample(&nowhere, v));
    EXPECT(v->title == NULL && v->ints.ints_val == NULL && v->leaves.row_val == NULL && v->list == NULL);
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
}

static void expect_equal_value(sample *v, const char *bytes, size_t n)
{
    char *again;
    EXPECT(reference_bytes(v, &again) == n && memcmp(bytes, again, n) == 0);
    free(again);
}

static void encodes_the_same_bytes_on_every_stream(sample *v, const char *bytes, size_t n, unsigned seed)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        struct stream s;
        char *mine;
        snprintf(now, sizeof now, "encode %s %u", stream_name(kind), seed);
        stream_write_begin(&s, kind, n, seed);
        EXPECT(whittle_sample(&s.xdrs, v));
        const size_t length = stream_write_end(&s, &mine);
        EXPECT(length == n && memcmp(mine, bytes, n) == 0);
        free(mine);
    }
}

static void refuses_to_encode_without_room(sample *v, size_t n, unsigned seed)
{
    for (size_t room = 0; room < n; room += 1 + (seed * 7 + room) % 211) {
        for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
            struct stream s;
            if (kind == STREAM_RECORD || kind == STREAM_STDIO)
                continue;
            snprintf(now, sizeof now, "encode %s %u in %zu of %zu", stream_name(kind), seed, room, n);
            stream_write_begin(&s, kind, room, seed);
            EXPECT(!whittle_sample(&s.xdrs, v));
            stream_read_end(&s);
        }
    }
}

static void decodes_the_same_value_from_every_stream(const char *bytes, size_t n, unsigned seed)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        struct stream s;
        sample v;
        snprintf(now, sizeof now, "decode %s %u", stream_name(kind), seed);
        memset(&v, 0, sizeof v);
        stream_read_begin(&s, kind, bytes, n, seed);
        EXPECT(whittle_sample(&s.xdrs, &v));
        stream_read_end(&s);
        expect_equal_value(&v, bytes, n);
        /* Once more, into storage that is there. */
        const int *const kept = v.ints.ints_val;
        const long live = ledger.live;
        stream_read_begin(&s, kind, bytes, n, seed + 1);
        EXPECT(whittle_sample(&s.xdrs, &v));
        stream_read_end(&s);
        EXPECT(v.ints.ints_val == kept && ledger.live == live);
        expect_equal_value(&v, bytes, n);
        release_and_expect_nothing_left(&v);
    }
}

static void decodes_into_an_arena(const char *bytes, size_t n, unsigned seed)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        struct stream s;
        sample v;
        struct whittle_arena arena;
        char first[3000];
        snprintf(now, sizeof now, "arena %s %u", stream_name(kind), seed);
        memset(&v, 0, sizeof v);
        whittle_arena_begin(&arena, first + seed % 8, sizeof first - 8);
        stream_read_begin(&s, kind, bytes, n, seed);
        EXPECT(whittle_sample_in_arena(&s.xdrs, &v, &arena));
        stream_read_end(&s);
        expect_equal_value(&v, bytes, n);
        xdr_free((xdrproc_t)(void (*)(void))xdr_foreign, &v.foreign);
        while (arena.blocks != NULL) {
            struct whittle_arena_block *const next = arena.blocks->next;
            ledger_free(arena.blocks);
            arena.blocks = next;
        }
        EXPECT(ledger.live == 0 && ledger.bytes == 0);
    }
}

static void fails_and_releases_where_the_stream_ends(const char *bytes, size_t n, unsigned seed, size_t step)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        for (size_t there = 0; there < n; there += step) {
            struct stream s;
            sample v;
            snprintf(now, sizeof now, "truncate %s %u at %zu of %zu", stream_name(kind), seed, there, n);
            memset(&v, 0, sizeof v);
            stream_read_begin(&s, kind, bytes, there, seed);
            EXPECT(!whittle_sample(&s.xdrs, &v));
            stream_read_end(&s);
            EXPECT(ledger.live == 0 && v.title == NULL && v.rows.rows_val == NULL && v.list == NULL);
            release_and_expect_nothing_left(&v);
        }
    }
}

static void fails_and_releases_when_storage_runs_out(const char *bytes, size_t n, unsigned seed)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        bool_t done = FALSE;
        for (long k = 0; !done; k++) {
            struct stream s;
            sample v;
            snprintf(now, sizeof now, "allocation %ld fails, %s %u", k, stream_name(kind), seed);
            memset(&v, 0, sizeof v);
            stream_read_begin(&s, kind, bytes, n, seed);
            ledger.fail_after = k;
            done = whittle_sample(&s.xdrs, &v);
            ledger.fail_after = -1;
            stream_read_end(&s);
            EXPECT(done || ledger.live == 0);
            release_and_expect_nothing_left(&v);
        }
    }
}

/* sizeof(tree) : 8 bytes on the wire, sizeof(row) : 4 bytes. */
static size_t heap_bound(size_t arrived)
{
    return (64 << 10) + 2 * (sizeof(row) / 4) * arrived;
}

static void survives_bytes_that_lie(const char *bytes, size_t n, unsigned seed, unsigned rounds)
{
    char *const lies = malloc(n);
    for (unsigned round = 0; round < rounds; round++) {
        static const unsigned char favourites[] = {0, 1, 4, 0x7f, 0x80, 0xff};
        const enum stream_kind kind = (enum stream_kind)(round % STREAM_KINDS);
        struct stream s;
        sample v;
        snprintf(now, sizeof now, "lies %s %u round %u", stream_name(kind), seed, round);
        memcpy(lies, bytes, n);
        unsigned r = seed * 31 + round * 2654435761u;
        for (unsigned k = 0; k <= round % 4; k++) {
            r = r * 1664525u + 1013904223u;
            /* Most of what steers lies in the words before the last table. */
            const size_t place = (r >> 4) % (n > 11100 && round % 8 ? n - 11000 : n - 4) & ~(size_t)3;
            memset(lies + place, favourites[(r >> 2) % sizeof favourites], 1 + (r & 3));
        }
        memset(&v, 0, sizeof v);
        ledger.peak = 0;
        stream_read_begin(&s, kind, lies, n, seed + round);
        const bool_t done = whittle_sample(&s.xdrs, &v);
        stream_read_end(&s);
        EXPECT(done || ledger.live == 0);
        EXPECT(ledger.peak <= heap_bound(n));
        release_and_expect_nothing_left(&v);
    }
    free(lies);
}

/* Each word in turn says that much follows, and little does. */
static void takes_no_memory_for_what_never_arrives(const char *bytes, size_t n, unsigned seed)
{
    static const unsigned words[] = {0xffffffff, 0x7fffffff, 0x00ffffff, 0x0000ffff};
    char *const lies = malloc(n);
    for (size_t place = 0; place + 11100 < n; place += 4) {
        const enum stream_kind kind = (enum stream_kind)(place / 4 % STREAM_KINDS);
        struct stream s;
        sample v;
        const size_t there = place + 4 + seed % 50 * 4;
        const uint32_t word = htonl(words[(place / 4 + seed) / 7 % 4]);
        snprintf(now, sizeof now, "promise %x %s %u at %zu", ntohl(word), stream_name(kind), seed, place);
        memcpy(lies, bytes, n);
        memcpy(lies + place, &word, 4);
        memset(&v, 0, sizeof v);
        ledger.peak = 0;
        stream_read_begin(&s, kind, lies, there, seed);
        EXPECT(!whittle_sample(&s.xdrs, &v));
        stream_read_end(&s);
        EXPECT(ledger.live == 0 && ledger.peak <= heap_bound(there));
        release_and_expect_nothing_left(&v);
    }
    free(lies);
}

/* A tree that nests as deep as said, each level one kid. */
static void bounds_the_depth_of_a_tree(unsigned depth, bool_t expected)
{
    sample v;
    char *bytes;
    struct stream s;
    snprintf(now, sizeof now, "tree of depth %u", depth);
    sample_random(&v, 1, 0);
    XDR nowhere;
    nowhere.x_op = XDR_FREE;
    tree *at = &v.tree;
    while (at->kids.kids_len > 0)
        at = &at->kids.kids_val[0];
    for (unsigned k = 0; k < depth; k++) {
        at->kids.kids_len = 1;
        at->kids.kids_val = calloc(1, sizeof(tree));
        at = at->kids.kids_val;
    }
    const size_t n = reference_bytes(&v, &bytes);
    reference_sample(&nowhere, &v);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        memset(&v, 0, sizeof v);
        stream_read_begin(&s, kind, bytes, n, 1);
        EXPECT(whittle_sample(&s.xdrs, &v) == expected);
        stream_read_end(&s);
        release_and_expect_nothing_left(&v);
    }
    free(bytes);
}

static void refuses_null_and_overlong_text(void)
{
    static char big[TITLE_BOUND + 2];
    struct stream s;
    sample v;
    snprintf(now, sizeof now, "null and overlong");
    sample_random(&v, 3, 3);
    char *const title = v.title;
    memset(big, 'x', TITLE_BOUND + 1);
    stream_write_begin(&s, STREAM_MEMORY, 1 << 20, 1);
    v.title = NULL;
    EXPECT(!whittle_sample(&s.xdrs, &v));
    v.title = big;
    EXPECT(!whittle_sample(&s.xdrs, &v));
    v.title = title;
    int *const ints = v.ints.ints_val;
    const u_int count = v.ints.ints_len;
    v.ints.ints_val = NULL;
    v.ints.ints_len = 5;
    EXPECT(!whittle_sample(&s.xdrs, &v));
    v.ints.ints_val = ints;
    v.ints.ints_len = count;
    stream_read_end(&s);
    s.xdrs.x_op = XDR_FREE;
    reference_sample(&s.xdrs, &v);
}

int main(void)
{
    for (unsigned seed = 0; seed < 24; seed++) {
        sample v;
        char *bytes;
        XDR nowhere;
        sample_random(&v, seed, seed < 8 ? 3 : seed < 20 ? 60 : 3000);
        const size_t n = reference_bytes(&v, &bytes);
        encodes_the_same_bytes_on_every_stream(&v, bytes, n, seed);
        decodes_the_same_value_from_every_stream(bytes, n, seed);
        decodes_into_an_arena(bytes, n, seed);
        if (seed < 4)
            fails_and_releases_where_the_stream_ends(bytes, n < 1500 ? n : 1500, seed, 1);
        if (seed < 12) {
            refuses_to_encode_without_room(&v, n, seed);
            fails_and_releases_where_the_stream_ends(bytes, n, seed, 97);
            fails_and_releases_when_storage_runs_out(bytes, n, seed);
        }
        if (seed < 20)
            takes_no_memory_for_what_never_arrives(bytes, n, seed);
        if (seed < 20)
            survives_bytes_that_lie(bytes, n, seed, 300);
        nowhere.x_op = XDR_FREE;
        reference_sample(&nowhere, &v);
        free(bytes);
    }
    bounds_the_depth_of_a_tree(990, TRUE);
    bounds_the_depth_of_a_tree(1010, FALSE);
    refuses_null_and_overlong_text();
    return 0;
}
