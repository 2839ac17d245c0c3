/* SPDX-License-Identifier: MIT-0 */
/* duties NAME: one duty of generated routines, on values made by hand. */
#define _GNU_SOURCE     /* memfd_create */
#include "safety.h"
#include "ours/r.h"
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

bool_t xdr_foreign(XDR *xdrs, foreign *objp)
{
    const bool was_empty = objp->text == NULL;
    if (xdrs->x_op == XDR_FREE) {
        ledger_free(objp->text);
        objp->text = NULL;
        return TRUE;
    }
    if (xdrs->x_op == XDR_DECODE && was_empty)
        objp->text = ledger_calloc(1, 9);
    if (objp->text != NULL && xdr_opaque(xdrs, objp->text, 8))
        return TRUE;
    if (was_empty) {
        ledger_free(objp->text);
        objp->text = NULL;
    }
    return FALSE;
}

/* rpcgen's, and ours with other options. */
bool_t reference_xdr_scalars(XDR *, scalars *);
bool_t strict_xdr_scalars(XDR *, scalars *);
bool_t shallow_xdr_tree(XDR *, tree *);
bool_t shallow_xdr_cells(XDR *, cells *);

static void expect_nothing_left(void)
{
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
}

/* `count` words, the same one. */
static char *words(size_t count, uint32_t word)
{
    char *const bytes = malloc(count * 4);
    const uint32_t big = htonl(word);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + i * 4, &big, 4);
    return bytes;
}

static void put(char *bytes, size_t index, uint32_t word)
{
    const uint32_t big = htonl(word);
    memcpy(bytes + index * 4, &big, 4);
}

static void a_list_of_a_million_nodes_needs_no_stack(void)
{
    const size_t count = 1000000, size = (2 * count + 1) * 4;
    char *const bytes = words(2 * count + 1, 1);
    put(bytes, 2 * count, 0);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        cells list = NULL;
        say("%s stream", stream_name(kind));
        EXPECT(decode(ROUTINE(xdr_cells), &list, kind, bytes, size));
        EXPECT(encodes_to(ROUTINE(xdr_cells), &list, kind, bytes, size));
        release(ROUTINE(xdr_cells), &list);
        EXPECT(list == NULL);
        expect_nothing_left();
        EXPECT(!decode(ROUTINE(xdr_cells), &list, kind, bytes, size - 4));
        EXPECT(list == NULL);
        expect_nothing_left();
    }
    free(bytes);
}

static void a_list_of_a_million_names_needs_no_stack(void)
{
    const size_t count = 1000000, size = (3 * count + 1) * 4;
    char *const bytes = words(3 * count + 1, 1);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + (3 * i + 2) * 4, "x\0\0\0", 4);
    put(bytes, 3 * count, 0);
    names list = NULL;
    EXPECT(decode(ROUTINE(xdr_names), &list, STREAM_MEMORY, bytes, size));
    EXPECT(encodes_to(ROUTINE(xdr_names), &list, STREAM_MEMORY, bytes, size));
    release(ROUTINE(xdr_names), &list);
    expect_nothing_left();
    EXPECT(!decode(ROUTINE(xdr_names), &list, STREAM_RECORD, bytes, size - 2));
    expect_nothing_left();
    free(bytes);
}

/* Sequences of one item at most. */
static void a_list_of_sequences_needs_no_stack(void)
{
    const size_t count = 200000, size = 2 * count * 4;
    char *const bytes = words(2 * count, 1);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        bead first = {0, {0, NULL}};
        say("%s stream", stream_name(kind));
        put(bytes, 2 * count - 1, 0);
        EXPECT(decode(ROUTINE(xdr_bead), &first, kind, bytes, size));
        EXPECT(first.rest.beads_len == 1 && first.rest.beads_val->item == 1);
        EXPECT(encodes_to(ROUTINE(xdr_bead), &first, kind, bytes, size));
        release(ROUTINE(xdr_bead), &first);
        EXPECT(first.rest.beads_val == NULL);
        expect_nothing_left();
        EXPECT(!decode(ROUTINE(xdr_bead), &first, kind, bytes, size - 4));
        EXPECT(first.rest.beads_val == NULL);
        expect_nothing_left();
        put(bytes, 2 * count - 1, 2);
        EXPECT(!decode(ROUTINE(xdr_bead), &first, kind, bytes, size));
        EXPECT(first.rest.beads_val == NULL);
        expect_nothing_left();
    }
    free(bytes);
}

/* Of stops and routes by turns: name, one route, that it goes on, one stop. */
static void a_list_of_unions_in_sequences_needs_no_stack(void)
{
    const size_t count = 200000, size = (5 * count + 3) * 4;
    char *const bytes = words(5 * count + 3, 1);
    stop first = {NULL, {0, NULL}};
    for (size_t i = 0; i <= count; i++)
        memcpy(bytes + (5 * i + 1) * 4, "x\0\0\0", 4);
    put(bytes, 5 * count + 2, 0);
    EXPECT(decode(ROUTINE(xdr_stop), &first, STREAM_MEMORY, bytes, size));
    EXPECT(encodes_to(ROUTINE(xdr_stop), &first, STREAM_MEMORY, bytes, size));
    release(ROUTINE(xdr_stop), &first);
    expect_nothing_left();
    EXPECT(!decode(ROUTINE(xdr_stop), &first, STREAM_RECORD, bytes, size - 2));
    expect_nothing_left();
    free(bytes);
}

/* The storage of the caller's item stays, whether one arrives or not. */
static void an_item_that_was_given_stays(void)
{
    char *const bytes = words(4, 1);
    bead second = {7, {0, NULL}}, first = {0, {1, &second}};
    put(bytes, 3, 0);
    EXPECT(decode(ROUTINE(xdr_bead), &first, STREAM_MEMORY, bytes, 16));
    EXPECT(first.rest.beads_val == &second && first.rest.beads_len == 1 && second.item == 1);
    put(bytes, 1, 0);
    EXPECT(decode(ROUTINE(xdr_bead), &first, STREAM_MEMORY, bytes, 8));
    EXPECT(first.rest.beads_val == &second && first.rest.beads_len == 0);
    first.rest.beads_len = 2;
    EXPECT(!encodes_to(ROUTINE(xdr_bead), &first, STREAM_MEMORY, bytes, 8));
    first.rest.beads_len = 1, first.rest.beads_val = NULL;
    EXPECT(!encodes_to(ROUTINE(xdr_bead), &first, STREAM_MEMORY, bytes, 8));
    first.rest.beads_len = 0, first.rest.beads_val = (bead *)ledger_malloc(sizeof(bead));
    EXPECT(first.rest.beads_val != NULL);
    release(ROUTINE(xdr_bead), &first);
    EXPECT(first.rest.beads_val == NULL);
    expect_nothing_left();
    free(bytes);
}

/* A tree of left branches: key, then left, and at the end right for each. */
static char *tree_bytes(size_t depth, size_t *size)
{
    char *const bytes = words(3 * depth, 0);
    for (size_t i = 0; i + 1 < depth; i++)
        put(bytes, 2 * i + 1, 1);
    *size = 3 * depth * 4;
    return bytes;
}

static void a_thousand_levels_are_decoded_and_no_more(void)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        for (size_t depth = 990; depth <= 1010; depth++) {
            size_t size;
            tree root;
            thicket wood;
            char *bytes = tree_bytes(depth, &size);
            say("%zu levels, %s stream", depth, stream_name(kind));
            memset(&root, 0, sizeof root);
            const bool_t done = decode(ROUTINE(xdr_tree), &root, kind, bytes, size);
            EXPECT(done == (depth <= 1000));
            EXPECT(done || (root.left == NULL && ledger.live == 0));
            release(ROUTINE(xdr_tree), &root);
            expect_nothing_left();
            free(bytes);
            bytes = words(2 * depth, 1);
            put(bytes, 2 * depth - 1, 0);
            memset(&wood, 0, sizeof wood);
            const bool_t grown = decode(ROUTINE(xdr_thicket), &wood, kind, bytes, 8 * depth);
            EXPECT(grown == (depth <= 1000));
            release(ROUTINE(xdr_thicket), &wood);
            expect_nothing_left();
            free(bytes);
        }
    }
}

static void a_message_that_nests_without_end_is_refused(void)
{
    char *const bytes = words(1 << 20, 1);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        tree root;
        thicket wood;
        say("%s stream", stream_name(kind));
        memset(&root, 0, sizeof root);
        EXPECT(!decode(ROUTINE(xdr_tree), &root, kind, bytes, 4 << 20));
        EXPECT(root.left == NULL && root.right == NULL);
        memset(&wood, 0, sizeof wood);
        EXPECT(!decode(ROUTINE(xdr_thicket), &wood, kind, bytes, 4 << 20));
        EXPECT(wood.kids.thickets_val == NULL);
        expect_nothing_left();
    }
    free(bytes);
}

static void encoding_and_release_know_no_depth(void)
{
    const size_t depth = 5000;
    size_t expected, size;
    char *const bytes = tree_bytes(depth, &expected);
    tree *const nodes = calloc(depth, sizeof *nodes), root = {0, NULL, NULL};
    for (size_t i = 0; i + 1 < depth; i++)
        nodes[i].left = &nodes[i + 1];
    char *const mine = encode(ROUTINE(xdr_tree), nodes, STREAM_RECORD, expected, &size);
    EXPECT(mine != NULL && size == expected && memcmp(mine, bytes, size) == 0);
    tree *at = &root;
    for (size_t i = 0; i < depth; i++) {
        at->left = ledger_calloc(1, sizeof *at);
        at = at->left;
    }
    release(ROUTINE(xdr_tree), &root);
    expect_nothing_left();
    free(mine);
    free(nodes);
    free(bytes);
}

static void expect_refused(routine code, void *value)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        size_t size;
        EXPECT(encode(code, value, kind, 1000, &size) == NULL);
    }
}

static void bounds_hold_for_what_is_encoded(void)
{
    static char text[] = "123456789", bytes[9];
    static int numbers[9];
    static cell some[3];
    bounded v = {text + 1, {8, bytes}, {8, numbers}, {2, some}};
    size_t size;
    char *const all = encode(ROUTINE(xdr_bounded), &v, STREAM_MEMORY, 1000, &size);
    EXPECT(all != NULL && size == 12 + 12 + 36 + 20);
    free(all);
    bounded over = v;
    over.text = text;
    expect_refused(ROUTINE(xdr_bounded), &over);
    over = v;
    over.bytes.bytes_len = 9;
    expect_refused(ROUTINE(xdr_bounded), &over);
    over = v;
    over.words.words_len = 9;
    expect_refused(ROUTINE(xdr_bounded), &over);
    over = v;
    over.cells.cells_len = 3;
    expect_refused(ROUTINE(xdr_bounded), &over);
    over = v;
    over.cells.cells_len = 0xffffffff;
    expect_refused(ROUTINE(xdr_bounded), &over);
}

static void bounds_hold_for_what_is_decoded(void)
{
    for (unsigned member = 0; member < 4; member++) {
        for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
            bounded v;
            char *const bytes = words(40, 0);
            put(bytes, member, member == 3 ? 3 : 9);
            memset(&v, 0, sizeof v);
            EXPECT(!decode(ROUTINE(xdr_bounded), &v, kind, bytes, 160));
            EXPECT(v.text == NULL && v.bytes.bytes_val == NULL && v.words.words_val == NULL);
            expect_nothing_left();
            free(bytes);
        }
    }
}

static void null_with_a_count_is_refused(void)
{
    static char text[] = "x";
    bounded v = {NULL, {0, NULL}, {0, NULL}, {0, NULL}};
    expect_refused(ROUTINE(xdr_bounded), &v);
    v.text = text;
    v.bytes.bytes_len = 1;
    expect_refused(ROUTINE(xdr_bounded), &v);
    v.bytes.bytes_len = 0;
    v.words.words_len = 1;
    expect_refused(ROUTINE(xdr_bounded), &v);
    v.words.words_len = 0;
    v.cells.cells_len = 1;
    expect_refused(ROUTINE(xdr_bounded), &v);
}

/* What libtirpc makes of it, for the record: 4294967295 where a long has 64 bits. */
static void a_negative_long_is_negative(void)
{
    char *const bytes = words(5, 0xffffffff);
    scalars v;
    put(bytes, 3, 1);
    put(bytes, 4, 0);
    memset(&v, 0, sizeof v);
    EXPECT(decode(ROUTINE(xdr_scalars), &v, STREAM_MEMORY, bytes, 20));
    EXPECT(v.a_long == -1 && v.an_unsigned_long == 0xffffffff);
    memset(&v, 0, sizeof v);
    EXPECT(decode(ROUTINE(reference_xdr_scalars), &v, STREAM_MEMORY, bytes, 20));
    EXPECT(sizeof(long) == 4 || v.a_long == 4294967295);
    free(bytes);
}

/* As libtirpc writes it: the lower 32 bits. */
static void a_long_of_more_than_32_bits_is_cut(void)
{
    scalars v = {(long)0x1234567800000005, 7, RED, TRUE, {0, NULL}};
    size_t size, other;
    char *const mine = encode(ROUTINE(xdr_scalars), &v, STREAM_MEMORY, 100, &size);
    char *const theirs = encode(ROUTINE(reference_xdr_scalars), &v, STREAM_MEMORY, 100, &other);
    EXPECT(mine != NULL && theirs != NULL && size == other && memcmp(mine, theirs, size) == 0);
    free(mine);
    free(theirs);
}

static void booleans_are_0_or_1_and_enumerations_pass(void)
{
    char *const bytes = words(7, 7);
    scalars v;
    put(bytes, 4, 2);
    memset(&v, 0, sizeof v);
    EXPECT(decode(ROUTINE(xdr_scalars), &v, STREAM_MEMORY, bytes, 28));
    EXPECT(v.a_flag == 1 && v.flags.flags_val[0] == 1 && v.flags.flags_val[1] == 1 && (int)v.a_colour == 7);
    v.flags.flags_val[1] = 9;
    for (size_t i = 3; i < 7; i++)
        put(bytes, i, i == 4 ? 2 : 1);
    EXPECT(encodes_to(ROUTINE(xdr_scalars), &v, STREAM_MEMORY, bytes, 28));
    release(ROUTINE(xdr_scalars), &v);
    free(bytes);
}

static void strict_routines_know_their_enumerations(void)
{
    char *const bytes = words(5, 0);
    for (uint32_t colour = 0; colour < 8; colour++) {
        scalars v;
        size_t size;
        put(bytes, 2, colour);
        memset(&v, 0, sizeof v);
        const bool known = colour == RED || colour == GREEN;
        EXPECT(decode(ROUTINE(strict_xdr_scalars), &v, STREAM_NO_INLINE, bytes, 20) == known);
        v.a_colour = (enum colour)colour;
        char *const mine = encode(ROUTINE(strict_xdr_scalars), &v, STREAM_MEMORY, 20, &size);
        EXPECT((mine != NULL) == known);
        free(mine);
    }
    free(bytes);
}

static void a_depth_may_be_asked_for(void)
{
    for (size_t depth = 1; depth < 10; depth++) {
        size_t size;
        tree root;
        char *const bytes = tree_bytes(depth, &size);
        memset(&root, 0, sizeof root);
        EXPECT(decode(ROUTINE(shallow_xdr_tree), &root, STREAM_MEMORY, bytes, size) == (depth <= 5));
        release(ROUTINE(shallow_xdr_tree), &root);
        expect_nothing_left();
        free(bytes);
    }
    cells list = NULL;
    char *const bytes = words(101, 1);
    put(bytes, 100, 0);
    EXPECT(decode(ROUTINE(shallow_xdr_cells), &list, STREAM_MEMORY, bytes, 404));
    release(ROUTINE(shallow_xdr_cells), &list);
    free(bytes);
}

/* A stream that counts what is written, and has room for all of it. */
static bool_t count_bytes(XDR *xdrs, const char *bytes, u_int size)
{
    (void)bytes;
    *(uint64_t *)xdrs->x_private += size;
    return TRUE;
}

static bool_t count_long(XDR *xdrs, const long *word)
{
    (void)word;
    return count_bytes(xdrs, NULL, 4);
}

static int32_t *no_space(XDR *xdrs, u_int size)
{
    (void)xdrs;
    (void)size;
    return NULL;
}

static bool_t counts(routine code, void *value, uint64_t *total)
{
    static const struct xdr_ops operations = {NULL, count_long, NULL, count_bytes, NULL, NULL, no_space, NULL, NULL};
    XDR xdrs;
    memset(&xdrs, 0, sizeof xdrs);
    *total = 0;
    xdrs.x_op = XDR_ENCODE;
    xdrs.x_ops = &operations;
    xdrs.x_private = total;
    return code(&xdrs, value);
}

/* More than four gigabytes of text: the same pages again and again. */
static void lengths_are_computed_in_64_bits(void)
{
    const size_t piece = (size_t)1 << 26, all = ((uint64_t)1 << 32) + piece;
    const int pages = memfd_create("text", 0);
    uint64_t total;
    EXPECT(pages >= 0 && ftruncate(pages, (off_t)piece) == 0);
    char *const text = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT(text != MAP_FAILED);
    for (size_t at = 0; at < all; at += piece)
        EXPECT(mmap(text + at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, pages, 0) == text + at);
    memset(text, 'x', piece - 1);
    memset(text + all - piece, 'x', piece);
    EXPECT(mmap(text + all - piece, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, pages, 0) != MAP_FAILED);
    text[all - 1] = 0;
    entry v = {text, 1};
    say("a text that is too long");
    EXPECT(strlen(text) == all - 1);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        size_t size;
        char *const bytes = encode(ROUTINE(xdr_entry), &v, kind, 100, &size);
        EXPECT(bytes == NULL);
    }
    EXPECT(!counts(ROUTINE(xdr_entry), &v, &total));
    for (unsigned less = 1; less < 6; less++) {
        padded longest = {{0}, {0u - less, text}, text + all - 3};
        const uint64_t length = ((uint64_t)1 << 32) - less;
        say("%llu bytes", (unsigned long long)length);
        EXPECT(counts(ROUTINE(xdr_padded), &longest, &total));
        EXPECT(total == 8 + 4 + (length + 3) / 4 * 4 + 4 + 4);
        for (enum stream_kind kind = STREAM_MEMORY; kind <= STREAM_UNALIGNED; kind++) {
            size_t size;
            EXPECT(encode(ROUTINE(xdr_padded), &longest, kind, 100, &size) == NULL);
        }
    }
    munmap(text, all);
    close(pages);
}

static void padding_is_zero(void)
{
    static char text[] = "abcde";
    padded v = {"12345", {1, text}, text};
    char dirty[28];
    XDR xdrs;
    memcpy(v.fixed, "12345", 5);
    memset(dirty, 0xff, sizeof dirty);
    xdrmem_create(&xdrs, dirty, sizeof dirty, XDR_ENCODE);
    EXPECT(xdr_padded(&xdrs, &v) && XDR_GETPOS(&xdrs) == sizeof dirty);
    EXPECT(memcmp(dirty, "12345\0\0\0\0\0\0\1a\0\0\0\0\0\0\5abcde\0\0\0", sizeof dirty) == 0);
}

/* An array of the caller's whose names it left to us. */
static void what_was_allocated_goes_and_what_was_given_stays(void)
{
    char *const bytes = words(10, 0);
    entry mine[3];
    put(bytes, 1, 3);
    for (size_t i = 0; i < 3; i++) {
        put(bytes, 2 + 2 * i, 1000 * (i == 2));
        put(bytes, 3 + 2 * i, 77);
    }
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        directory v = {0, {3, mine}, 0};
        say("%s stream", stream_name(kind));
        memset(mine, 0, sizeof mine);
        EXPECT(!decode(ROUTINE(xdr_directory), &v, kind, bytes, 40));
        EXPECT(v.entries.entries_val == mine && v.entries.entries_len == 3);
        EXPECT(mine[0].name == NULL && mine[1].name == NULL && mine[2].name == NULL && mine[1].number == 77);
        expect_nothing_left();
    }
    free(bytes);
}

static void a_union_that_is_none_is_refused(void)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        char *const bytes = words(2, 2);
        choice v;
        memset(&v, 0, sizeof v);
        EXPECT(!decode(ROUTINE(xdr_choice), &v, kind, bytes, 8));
        release(ROUTINE(xdr_choice), &v);
        v.kind = 2;
        expect_refused(ROUTINE(xdr_choice), &v);
        free(bytes);
    }
}

static void expect_little_memory(routine code, size_t size_of_value, const char *bytes, size_t size, size_t bound)
{
    static const enum stream_kind kinds[] = {STREAM_MEMORY, STREAM_UNALIGNED};
    for (unsigned k = 0; k < 2; k++) {
        void *const value = calloc(1, size_of_value);
        ledger.peak = 0;
        EXPECT(!decode(code, value, kinds[k], bytes, size));
        say("%zu bytes arrived, %zu were allocated, %s stream", size, ledger.peak, stream_name(kinds[k]));
        EXPECT(ledger.peak <= bound);
        expect_nothing_left();
        free(value);
    }
}

static void a_pointer_takes_no_memory_before_its_bytes_are_there(void)
{
    char *const bytes = words(1000, 1);
    expect_little_memory(ROUTINE(xdr_maybe_page), sizeof(maybe_page), bytes, 4, 65536);
    put(bytes, 0, 1000);
    expect_little_memory(ROUTINE(xdr_pages), sizeof(pages), bytes, 4000, 65536 + 2 * 4000 * 2);
    free(bytes);
}

static void nested_pointers_share_what_is_there(void)
{
    char *const bytes = words(3000, 1);
    expect_little_memory(ROUTINE(xdr_late), sizeof(late), bytes, 12000, 65536 + 2 * 12000 * 2);
    expect_little_memory(ROUTINE(xdr_hedge), sizeof(hedge), bytes, 12000, 65536 + 2 * 12000 * 2);
    expect_little_memory(ROUTINE(xdr_bush), sizeof(bush), bytes, 12000, 65536 + 2 * 12000 * 2);
    expect_little_memory(ROUTINE(xdr_chain), sizeof(chain), bytes, 160, 65536 + 2 * 160 * (sizeof(chain) / 20));
    free(bytes);
}

/* Storage that an array outgrew is given back while the message is still arriving: here it has just grown, and a text
 * lies between. Arenas keep some room beside, heaps none. */
static void arrays_that_grow_leave_nothing_behind(void)
{
    const size_t count = 200000, there = 65537, stored = there * (sizeof(entry) + 1);
    char *const bytes = words(2 + 2 * count, 0);
    put(bytes, 1, (uint32_t)count);
    for (enum stream_kind kind = STREAM_RECORD; kind < STREAM_KINDS; kind++) {
        struct directory_in_arena call = {0};
        directory value = {0};
        say("%s stream", stream_name(kind));
        ledger.peak = 0;
        EXPECT(!decode(ROUTINE(xdr_directory), &value, kind, bytes, 8 + 8 * there));
        EXPECT(ledger.peak <= 65536 + 2 * stored);
        ledger.peak = 0;
        EXPECT(!decode(ROUTINE(xdr_directory_in_arena), &call, kind, bytes, 8 + 8 * there));
        EXPECT(ledger.peak <= 65536 + 2 * stored + stored / 2);
        expect_nothing_left();
    }
    free(bytes);
}

static void arrays_of_foreign_values_may_be_long(void)
{
    const size_t count = 20000;
    char *const bytes = words(1 + 2 * count, 0x61626364);
    put(bytes, 0, (uint32_t)count);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        foreigners v;
        say("%s stream", stream_name(kind));
        memset(&v, 0, sizeof v);
        EXPECT(decode(ROUTINE(xdr_foreigners), &v, kind, bytes, 4 + 8 * count));
        EXPECT(v.foreigners_len == count && strcmp(v.foreigners_val[count - 1].text, "abcdabcd") == 0);
        EXPECT(encodes_to(ROUTINE(xdr_foreigners), &v, kind, bytes, 4 + 8 * count));
        release(ROUTINE(xdr_foreigners), &v);
        expect_nothing_left();
    }
    put(bytes, 0, 0xffffffff);
    expect_little_memory(ROUTINE(xdr_foreigners), sizeof(foreigners), bytes, 400, 65536 + 2 * 10 * 400);
    free(bytes);
}

/* Libtirpc divides by their size. */
static void arrays_of_nothing_are_refused(void)
{
    char *const bytes = words(1, 0xffffffff);
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        nothings v;
        memset(&v, 0, sizeof v);
        EXPECT(!decode(ROUTINE(xdr_nothings), &v, kind, bytes, 4));
        EXPECT(v.nothings_val == NULL);
        expect_nothing_left();
        put(bytes, 0, 0);
        EXPECT(decode(ROUTINE(xdr_nothings), &v, kind, bytes, 4));
        put(bytes, 0, 0xffffffff);
    }
    free(bytes);
}

static void foreign_values_are_released_with_the_rest(void)
{
    static const char bytes[] = "\0\0\0\2" "\0\0\0\7" "aaaabbbb" "\0\0\0\7" "aaaabbbb" "aaaabbbb"
                                "\0\0\0\1" "aaaabbbb" "\0\0\0\3" "abc";
    const size_t size = sizeof bytes;
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        for (size_t there = 0; there <= size; there++) {
            hotel v;
            say("%zu bytes, %s stream", there, stream_name(kind));
            memset(&v, 0, sizeof v);
            const bool_t done = decode(ROUTINE(xdr_hotel), &v, kind, bytes, there);
            EXPECT(done == (there == size));
            EXPECT(done || (ledger.live == 0 && v.owner.text == NULL && v.guests.guests_val == NULL));
            release(ROUTINE(xdr_hotel), &v);
            expect_nothing_left();
        }
        for (long k = 0, done = FALSE; !done; k++) {
            hotel v;
            memset(&v, 0, sizeof v);
            ledger.fail_at = k;
            done = decode(ROUTINE(xdr_hotel), &v, kind, bytes, size);
            ledger.fail_at = -1;
            EXPECT(done || (ledger.live == 0 && v.owner.text == NULL));
            release(ROUTINE(xdr_hotel), &v);
            expect_nothing_left();
        }
    }
}

/* Everything that is set up at first use, by many at once. */
static void *marshals(void *bytes)
{
    for (int round = 0; round < 50; round++) {
        bounded v = {NULL, {0, NULL}, {0, NULL}, {0, NULL}};
        XDR xdrs;
        char again[48];
        xdrmem_create(&xdrs, bytes, 48, XDR_DECODE);
        if (!xdr_bounded(&xdrs, &v))
            return NULL;
        xdrmem_create(&xdrs, again, 48, XDR_ENCODE);
        if (!xdr_bounded(&xdrs, &v) || memcmp(bytes, again, 48) != 0)
            return NULL;
        xdr_free((xdrproc_t)(void (*)(void))xdr_bounded, &v);
    }
    return bytes;
}

static void threads_may_begin_together(void)
{
    pthread_t threads[8];
    char *const bytes = words(12, 0);
    put(bytes, 2, 8);
    ledger.off = 1;
    for (int i = 0; i < 8; i++)
        EXPECT(pthread_create(&threads[i], NULL, marshals, bytes) == 0);
    for (int i = 0; i < 8; i++) {
        void *done;
        pthread_join(threads[i], &done);
        EXPECT(done == bytes);
    }
    free(bytes);
}

struct duty {
    const char *name;
    void (*run)(void);
};
#define DUTY(name) {#name, name}
static const struct duty duties[] = {
    DUTY(a_list_of_a_million_nodes_needs_no_stack),
    DUTY(a_list_of_a_million_names_needs_no_stack),
    DUTY(a_list_of_sequences_needs_no_stack),
    DUTY(a_list_of_unions_in_sequences_needs_no_stack),
    DUTY(an_item_that_was_given_stays),
    DUTY(a_thousand_levels_are_decoded_and_no_more),
    DUTY(a_message_that_nests_without_end_is_refused),
    DUTY(encoding_and_release_know_no_depth),
    DUTY(bounds_hold_for_what_is_encoded),
    DUTY(bounds_hold_for_what_is_decoded),
    DUTY(null_with_a_count_is_refused),
    DUTY(a_negative_long_is_negative),
    DUTY(a_long_of_more_than_32_bits_is_cut),
    DUTY(booleans_are_0_or_1_and_enumerations_pass),
    DUTY(strict_routines_know_their_enumerations),
    DUTY(a_depth_may_be_asked_for),
    DUTY(padding_is_zero),
    DUTY(lengths_are_computed_in_64_bits),
    DUTY(what_was_allocated_goes_and_what_was_given_stays),
    DUTY(a_union_that_is_none_is_refused),
    DUTY(a_pointer_takes_no_memory_before_its_bytes_are_there),
    DUTY(nested_pointers_share_what_is_there),
    DUTY(arrays_that_grow_leave_nothing_behind),
    DUTY(arrays_of_foreign_values_may_be_long),
    DUTY(arrays_of_nothing_are_refused),
    DUTY(foreign_values_are_released_with_the_rest),
    DUTY(threads_may_begin_together),
};

/* Without a name: the names of all. */
int main(int argc, char **argv)
{
    alarm(300);
    for (size_t k = 0; k < sizeof duties / sizeof *duties; k++) {
        if (argc < 2)
            puts(duties[k].name);
        else if (strcmp(argv[1], duties[k].name) == 0) {
            say("%s", argv[1]);
            duties[k].run();
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
