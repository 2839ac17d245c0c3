/* SPDX-License-Identifier: MIT-0 */
/*
 * What routines under XDR in memory promise beyond bytes: where values lie, what is refused, what is released. RUNS is 0
 * where words are moved one by one, so that none stay in the message; INLINED is 0 where types call each other's routines.
 */
#include "generated.h"
#include <stdio.h>

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A type of the user's. */
static int things_alive;

char *encode_thing(struct whittle_xdr_out *out, char *at, const void *value)
{
    const thing *const v = (const thing *)value;
    at = whittle_xdr_out_need(out, at, 4);
    if (at == NULL)
        return NULL;
    whittle_put32(at, v->held == NULL ? 0 : *v->held);
    return at + 4;
}

const char *decode_thing(struct whittle_xdr_in *in, const char *at, void *value)
{
    thing *const v = (thing *)value;
    at = whittle_xdr_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    v->held = (uint32_t *)malloc(sizeof *v->held);
    *v->held = whittle_get32(at);
    things_alive++;
    return at + 4;
}

void release_thing(void *value)
{
    thing *const v = (thing *)value;
    things_alive -= v->held != NULL;
    free(v->held);
    v->held = NULL;
}

/* Storage that is counted and bounded, let go of all at once. */
static char arena_storage[1 << 20] __attribute__((aligned(16)));
static size_t arena_used, arena_room = sizeof arena_storage;
static unsigned arena_calls;

static void *arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in, (void)release;
    arena_calls++;
    EXPECT(count > 0);
    if (size > (arena_room - arena_used) / count)
        return NULL;
    char *const here = arena_storage + arena_used;
    arena_used += (size * count + 15) & ~(size_t)15;
    return here;
}

static void arena_empty(void)
{
    arena_used = 0;
    arena_calls = 0;
    memset(arena_storage, 0xa5, sizeof arena_storage);
}

static char memory[4096] __attribute__((aligned(64)));

/* Words, from `at` on. */
static char *words(char *at, unsigned count, const uint32_t *values)
{
    for (unsigned i = 0; i < count; i++, at += 4)
        whittle_put32(at, values[i]);
    return at;
}
#define WORDS(at, ...) words(at, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})

static struct whittle_xdr_in borrowing(const char *end)
{
    arena_empty();
    return (struct whittle_xdr_in){.end = end, .borrow = true, .allocate = arena};
}

static void words_stay_where_they_are(void)
{
    numbers n = {0, NULL};
    char *end = WORDS(memory, 3, 1, 2, 0xfffffffd);
    struct whittle_xdr_in in = borrowing(end);
    EXPECT(decode_numbers(&in, memory, &n) == end);
    EXPECT((char *)n.numbers_val == memory + 4 && n.numbers_len == 3);
    EXPECT(n.numbers_val[0] == 1 && n.numbers_val[2] == -3 && arena_calls == 0);
    /* Structures of words, too. */
    points p = {0, NULL};
    end = WORDS(memory, 2, 1, 2, 3, 4);
    in = borrowing(end);
    EXPECT(decode_points(&in, memory, &p) == end);
    EXPECT((char *)p.points_val == memory + 4 && p.points_val[1].y == 4 && arena_calls == 0);
    /* Unless they would be aligned nowhere. */
    end = WORDS(memory + 2, 2, 1, 2, 3, 4);
    in = borrowing(end);
    EXPECT(decode_points(&in, memory + 2, &p) == end);
    EXPECT(p.points_val[1].y == 4 && arena_calls == 1);
}

static void words_of_eight_bytes_are_aligned(void)
{
    wide_numbers n = {0, NULL};
    char *end = WORDS(memory + 4, 2, 0, 1, 0xffffffff, 0xffffffff);
    struct whittle_xdr_in in = borrowing(end);
    EXPECT(decode_wide_numbers(&in, memory + 4, &n) == end);
    EXPECT((char *)n.wide_numbers_val == memory + 8 && n.wide_numbers_val[0] == 1 && n.wide_numbers_val[1] == -1);
    end = WORDS(memory, 2, 0, 1, 0xffffffff, 0xffffffff);
    in = borrowing(end);
    EXPECT(decode_wide_numbers(&in, memory, &n) == end);
    EXPECT((char *)n.wide_numbers_val == memory && n.wide_numbers_val[0] == 1 && n.wide_numbers_val[1] == -1);
    EXPECT(arena_calls == 0);
    /* Not over the byte that a text ends with. */
    behind b = {NULL, {0, NULL}};
    end = WORDS(memory + 4, 4, 0x61626364, 1, 0, 9);
    in = borrowing(end);
    EXPECT(decode_behind(&in, memory + 4, &b) == end);
    EXPECT(strcmp(b.name, "abcd") == 0 && b.values.values_val[0] == 9);
    EXPECT((char *)b.values.values_val == memory + 16 && arena_calls == 0);
    end = WORDS(memory, 4, 0x61626364, 1, 0, 9);
    in = borrowing(end);
    EXPECT(decode_behind(&in, memory, &b) == end);
    EXPECT(strcmp(b.name, "abcd") == 0 && b.values.values_val[0] == 9 && arena_calls == 1);
    end = WORDS(memory, 3, 0x61626300, 1, 0, 9);
    in = borrowing(end);
    EXPECT(decode_behind(&in, memory, &b) == end);
    EXPECT(strcmp(b.name, "abc") == 0 && b.values.values_val[0] == 9);
    EXPECT((char *)b.values.values_val == memory + 8 && arena_calls == 0);
}

static void items_stay_that_lie_in_memory_as_they_travel(void)
{
    mixeds m = {0, NULL};
    char *end = WORDS(memory + 4, 2, 1, 7, 0, 3, 0x01020304, 0x3f800000, 0xffffffff, 0, 0xffffffff, 0xfffffffe, 0x05060708, 0);
    struct whittle_xdr_in in = borrowing(end);
    EXPECT(decode_mixeds(&in, memory + 4, &m) == end && m.mixeds_len == 2);
    EXPECT((char *)m.mixeds_val == memory + 8 && arena_calls == 0);
    EXPECT(m.mixeds_val[0].first == 1 && m.mixeds_val[0].second == BLUE && m.mixeds_val[0].third == 3);
    EXPECT(m.mixeds_val[0].fifth == 1 && m.mixeds_val[1].third == -2 && m.mixeds_val[1].fourth[3] == 8);
    /* On the other foot they do not. */
    end = WORDS(memory, 1, 1, 7, 0, 3, 0x01020304, 0x3f800000);
    in = borrowing(end);
    EXPECT(decode_mixeds(&in, memory, &m) == end);
    EXPECT(m.mixeds_val[0].third == 3 && m.mixeds_val[0].fifth == 1 && arena_calls == 1);
    /* Small numbers shrink within their words; what C packs closer is moved out. */
    narrows n = {0, NULL};
    end = WORDS(memory, 2, 0xffffffff, 1, 5, 'a', 0xfffffffe, 0, 6, 'b');
    in = borrowing(end);
    EXPECT(decode_narrows(&in, memory, &n) == end && n.narrows_len == 2);
    EXPECT((char *)n.narrows_val == memory + 4 || sizeof(narrow) != 16);
    EXPECT(n.narrows_val[0].small == -1 && n.narrows_val[0].truth == 1 && n.narrows_val[0].letter == 'a');
    EXPECT(n.narrows_val[1].small == -2 && n.narrows_val[1].truth == 0 && n.narrows_val[1].number == 6);
    looses l = {0, NULL};
    end = WORDS(memory + 4, 1, 1, 0, 2);
    in = borrowing(end);
    EXPECT(decode_looses(&in, memory + 4, &l) == end);
    EXPECT(l.looses_val[0].number == 1 && l.looses_val[0].large == 2 && arena_calls == 1);
    odds o = {0, NULL};
    end = WORDS(memory, 2, 1, 0x616263ff, 2, 0x646566ff);
    in = borrowing(end);
    EXPECT(decode_odds(&in, memory, &o) == end && (char *)o.odds_val == memory + 4);
    EXPECT(o.odds_val[0].number == 1 && memcmp(o.odds_val[1].tag, "def", 3) == 0 && arena_calls == 0);
    truths t = {0, NULL};
    end = WORDS(memory, 3, 1, 0, 5);
    in = borrowing(end);
    EXPECT(decode_truths(&in, memory, &t) == end && (char *)t.truths_val == memory + 4);
    EXPECT(t.truths_val[0] == 1 && t.truths_val[1] == 0 && t.truths_val[2] == 1);
    /* One that is missing is missed. */
    end = WORDS(memory, 3, 1, 0x616263ff, 2, 0x646566ff);
    in = borrowing(end);
    EXPECT(decode_odds(&in, memory, &o) == NULL && arena_calls == 0);
}

static void bytes_and_texts_stay_in_the_message(void)
{
    blob b = {0, NULL};
    char *end = WORDS(memory, 3, 0x01020300);
    struct whittle_xdr_in in = borrowing(end);
    EXPECT(decode_blob(&in, memory, &b) == end);
    EXPECT(b.blob_val == memory + 4 && b.blob_len == 3 && arena_calls == 0);
    text t = NULL;
    end = WORDS(memory, 3, 0x616263ff);
    in = borrowing(end);
    EXPECT(decode_text(&in, memory, &t) == end);
    EXPECT(t == memory + 4 && strcmp(t, "abc") == 0);
    /* A whole word: what is behind it ends it, or it moves. */
    end = WORDS(memory, 4, 0x61626364, 5);
    in = borrowing(end);
    EXPECT(decode_text(&in, memory, &t) == memory + 8);
    EXPECT(t == memory + 4 && strcmp(t, "abcd") == 0);
    end = WORDS(memory, 4, 0x61626364);
    in = borrowing(end);
    EXPECT(decode_text(&in, memory, &t) == end);
    EXPECT(t == memory + 3 && strcmp(t, "abcd") == 0);
    end = WORDS(memory, 0);
    in = borrowing(end);
    EXPECT(decode_text(&in, memory, &t) == end);
    EXPECT(*t == 0 && arena_calls == 0);
}

/* Of every length, at the very end of storage, whole and with a NUL anywhere. */
static void texts_have_no_nul(void)
{
    for (unsigned n = 0; n < 300; n++) {
        const size_t size = 4 + ((n + 3) & ~3u);
        for (unsigned borrow = 0; borrow < 2; borrow++) {
            for (unsigned nul = 0; nul <= n; nul += nul + 20 < n ? 7 : 1) {
                char *const message = (char *)malloc(size);
                memset(message, 'x', size);
                whittle_put32(message, n);
                if (nul < n)
                    message[4 + nul] = 0;
                struct whittle_xdr_in in = borrowing(message + size);
                in.borrow = borrow;
                if (!borrow)
                    in.allocate = NULL;
                text t = NULL;
                const char *const after = decode_text(&in, message, &t);
                EXPECT((after == message + size) == (nul == n) && (after == NULL) == (nul < n));
                EXPECT(after == NULL || (strlen(t) == n && strspn(t, "x") == n));
                if (!borrow)
                    release_text(&t);
                free(message);
            }
        }
    }
}

/* A count that lies is refused before anything is allocated. */
static void counts_are_held_against_what_is_there(void)
{
    static const uint32_t counts[] = {0xffffffff, 0xfffffffe, 0x80000000, 0x40000001, 0x20000000, 17};
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (unsigned borrow = 0; borrow < 2; borrow++) {
            union {
                numbers n; wide_numbers w; points p; spans s; blob b; text t; truths f; shorts h; names m; shelves o; colours c;
            } v;
            char *const end = WORDS(memory, counts[k], 0, 0, 0);
            static const char *(*const decoders[])(struct whittle_xdr_in *, const char *, void *) = {
                decode_numbers, decode_wide_numbers, decode_points, decode_spans, decode_blob, decode_text,
                decode_truths, decode_shorts, decode_names, decode_shelves, decode_colours};
            for (unsigned d = 0; d < sizeof decoders / sizeof *decoders; d++) {
                memset(&v, 0, sizeof v);
                struct whittle_xdr_in in = borrowing(end);
                in.borrow = borrow;
                EXPECT(decoders[d](&in, memory, &v) == NULL);
                EXPECT(arena_calls == 0);
            }
        }
    }
    /* Nor does a byte stand for what two arrays hold: three outer items leave nothing for more than inner ones. */
    shelves o = {0, NULL};
    char *const end = WORDS(memory, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    struct whittle_xdr_in in = borrowing(end);
    EXPECT(decode_shelves(&in, memory, &o) == end);
    WORDS(memory + 4, 5);
    in = borrowing(end);
    EXPECT(decode_shelves(&in, memory, &o) == NULL && arena_calls == 1);
}

/* Where nothing is known of what items take, not much is allocated for them. */
static void items_of_no_known_size_have_a_credit(void)
{
    things t = {0, NULL};
    char *const end = WORDS(memory, 1 << 28, 1, 2, 3);
    struct whittle_xdr_in in = {.end = end};
    EXPECT(decode_things(&in, memory, &t) == NULL && t.things_val == NULL);
    WORDS(memory, 3);
    in = (struct whittle_xdr_in){.end = end};
    EXPECT(decode_things(&in, memory, &t) == end && t.things_len == 3 && *t.things_val[2].held == 3);
    release_things(&t);
    in = (struct whittle_xdr_in){.end = end - 4};
    memset(&t, 0, sizeof t);
    EXPECT(decode_things(&in, memory, &t) == NULL && things_alive == 2);
    release_things(&t);
    EXPECT(things_alive == 0 && t.things_val == NULL);
}

static void values_are_no_deeper_than_they_may_be(void)
{
    char *const message = (char *)malloc(12 * 3000);
    char *at = message;
    for (unsigned i = 0; i < 2000; i++)
        at = WORDS(at, 1);
    at = WORDS(at, 0, 0, 7);
    for (unsigned i = 0; i < 1999; i++)
        at = WORDS(at, 0, 7);
    struct whittle_xdr_in in = {.end = at};
    tree t = {NULL, NULL, 0};
    EXPECT(decode_tree(&in, message, &t) == NULL);
    release_tree(&t);
    EXPECT(t.left == NULL);
    free(message);
}

static char small[40];
static unsigned growths;

static char *once(struct whittle_xdr_out *out, char *at, size_t more)
{
    const size_t used = (size_t)(at - out->base);
    if (growths++ > 0 || used + more > sizeof memory)
        return NULL;
    memcpy(memory, out->base, used);
    out->base = memory;
    out->end = memory + sizeof memory;
    return memory + used;
}

static void output_grows(void)
{
    int values[2000] = {1, 2, 3};
    numbers n = {100, values};
    struct whittle_xdr_out out = {small, small + sizeof small, NULL, NULL, 0};
    EXPECT(encode_numbers(&out, small, &n) == NULL);
    growths = 0;
    out = (struct whittle_xdr_out){small, small + sizeof small, once, NULL, 0};
    EXPECT(encode_numbers(&out, small, &n) == memory + 404 && memory[11] == 2);
    n.numbers_len = 2000;
    growths = 0;
    out = (struct whittle_xdr_out){small, small + sizeof small, once, NULL, 0};
    EXPECT(encode_numbers(&out, small, &n) == NULL);
    /* What is at fault is no message. */
    n.numbers_val = NULL;
    out = (struct whittle_xdr_out){memory, memory + sizeof memory, NULL, NULL, 0};
    EXPECT(encode_numbers(&out, memory, &n) == NULL);
    few f = {4, values};
    EXPECT(encode_few(&out, memory, &f) == NULL);
    f.few_len = 3;
    EXPECT(encode_few(&out, memory, &f) == memory + 16);
    short_text s = (char *)(uintptr_t)"longer";
    EXPECT(encode_short_text(&out, memory, &s) == NULL);
    s = NULL;
    EXPECT(encode_short_text(&out, memory, &s) == NULL);
}

/* Everything at once: copied, cut short anywhere, short of storage anywhere, borrowed. */
static void all_of_it_comes_back(void)
{
    point places[] = {{1, 2}, {3, 4}};
    uint32_t held = 77;
    cell last = {2, NULL}, first = {1, &last};
    tree leaf = {NULL, NULL, 5}, root = {&leaf, NULL, 6};
    int numbers[] = {8, 9};
    char one[] = "one", four[] = "four", title[] = "title";
    named shelf[] = {{one, {2, numbers}}, {four, {0, NULL}}};
    names rows[] = {{2, shelf}, {0, NULL}};
    span range = {-1, 1};
    short tail[] = {-7};
    all v = {title, {2, places}, {5, title}, {&held}, &first, &root, {2, rows}, {1, &range}, {1, tail}};
    struct whittle_xdr_out out = {memory, memory + sizeof memory, NULL, NULL, 0};
    const char *const end = encode_all(&out, memory, &v);
    EXPECT(end != NULL);
    const size_t size = (size_t)(end - memory);
    for (size_t less = 0; less <= size; less++) {
        char *const message = (char *)malloc(size - less + 1);
        memcpy(message, memory, size - less);
        struct whittle_xdr_in in = {.end = message + size - less};
        all got;
        memset(&got, 0, sizeof got);
        const char *const after = decode_all(&in, message, &got);
        EXPECT((after == in.end) == (less == 0) && (after == NULL) == (less > 0));
        EXPECT(memcmp(message, memory, size - less) == 0);
        if (less == 0) {
            EXPECT(strcmp(got.title, "title") == 0 && got.places.points_val[1].x == 3 && *got.own.held == 77);
            EXPECT(got.list->next->item == 2 && got.list->next->next == NULL && got.root->left->fruit == 5);
            EXPECT(strcmp(got.store.shelves_val[0].names_val[1].name, "four") == 0);
            EXPECT(got.ranges.spans_val[0].from == -1 && got.tail.shorts_val[0] == -7);
        }
        release_all(&got);
        EXPECT(things_alive == 0);
        free(message);
    }
    for (arena_room = 0; ; arena_room += 16) {
        struct whittle_xdr_in in = borrowing(end);
        in.borrow = false;
        all got;
        memset(&got, 0, sizeof got);
        const bool done = decode_all(&in, memory, &got) != NULL;
        release_thing(&got.own);
        EXPECT(things_alive == 0);
        if (done)
            break;
    }
    arena_room = sizeof arena_storage;
    struct whittle_xdr_in in = borrowing(end);
    all got;
    memset(&got, 0, sizeof got);
    EXPECT(decode_all(&in, memory, &got) == end && strcmp(got.title, "title") == 0);
    EXPECT(!RUNS || (char *)got.places.points_val == memory + 16);
    EXPECT(got.places.points_val[1].y == 4);
    EXPECT(strcmp(got.store.shelves_val[0].names_val[0].name, "one") == 0);
    EXPECT(strcmp(got.store.shelves_val[0].names_val[1].name, "four") == 0);
    EXPECT(got.store.shelves_val[0].names_val[0].values.numbers_val[1] == 9 && got.tail.shorts_val[0] == -7);
    release_thing(&got.own);
}

int main(void)
{
    if (RUNS) {
        words_stay_where_they_are();
        words_of_eight_bytes_are_aligned();
    }
    if (INLINED)
        items_stay_that_lie_in_memory_as_they_travel();
    bytes_and_texts_stay_in_the_message();
    texts_have_no_nul();
    counts_are_held_against_what_is_there();
    items_of_no_known_size_have_a_credit();
    values_are_no_deeper_than_they_may_be();
    output_grows();
    all_of_it_comes_back();
    return 0;
}
