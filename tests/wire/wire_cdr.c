/* SPDX-License-Identifier: MIT-0 */
#include "wire_cdr.h"

/* Storage whose items are released with it. */
struct block {
    void (*release)(void *);
    size_t size;
    uint32_t count;
};
#define BLOCK 32

static void *heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in, (void)release;
    return ledger_malloc(size * count);
}

static void *managed(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in;
    char *const storage = ledger_malloc(BLOCK + size * count);
    if (storage == NULL)
        return NULL;
    *(struct block *)(void *)storage = (struct block){release, size, count};
    if (release != NULL)
        memset(storage + BLOCK, 0, size * count);
    return storage + BLOCK;
}

void CORBA_free(void *storage)
{
    if (storage == NULL)
        return;
    char *const first = storage;
    struct block *const block = (struct block *)(void *)(first - BLOCK);
    for (uint32_t i = 0; block->release != NULL && i < block->count; i++)
        block->release(first + i * block->size);
    ledger_free(block);
}

/* All of it is released at once. */
static void *arena_pieces[100000];
static unsigned arena_count;

static void *arena(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in, (void)release;
    EXPECT(arena_count < sizeof arena_pieces / sizeof *arena_pieces);
    void *const storage = ledger_malloc(size * count);
    if (storage != NULL)
        arena_pieces[arena_count++] = storage;
    return storage;
}

static void arena_end(void)
{
    while (arena_count > 0)
        ledger_free(arena_pieces[--arena_count]);
}

static struct whittle_cdr_in context(const struct cdr_routines *routines, const char *bytes, size_t size, bool borrow)
{
    return (struct whittle_cdr_in){
        bytes, bytes + size, 0, 0, borrow, borrow ? arena : routines->managed ? managed : heap, 0, NULL, NULL, 0};
}

static void release_value(const struct cdr_routines *routines, void *value)
{
    if (routines->release != NULL)
        routines->release(value);
    EXPECT(ledger.live == 0);
}

/* The bytes at the end of storage that is exactly as long, at an odd address where they are many enough. */
struct copy {
    char *storage, *bytes;
};

static struct copy copy_of(const char *bytes, size_t size)
{
    struct copy copy;
    copy.storage = malloc(size + 1);
    copy.bytes = copy.storage + 1;
    memcpy(copy.bytes, bytes, size);
    return copy;
}

/* Decodes into `value`; what came of it. */
static bool decodes(const struct cdr_routines *routines, bool big, bool borrow, const char *bytes, size_t size, void *value)
{
    struct whittle_cdr_in in = context(routines, bytes, size, borrow);
    const char *const after =
        big == (WHITTLE_BIG_ENDIAN != 0) ? routines->decode(&in, bytes, value) : routines->decode_swapped(&in, bytes, value);
    EXPECT(after == NULL || (after >= bytes && after <= in.end));
    EXPECT(after == NULL || (in.owed == 0 && in.depth == 0));
    return after == in.end;
}

static char *grown;
static size_t room;

/* A byte more than is needed, elsewhere each time. */
static char *grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    const size_t used = (size_t)(at - out->base);
    room = used + more;
    char *const moved = malloc(room + 1);
    memcpy(moved + 1, out->base, used);
    free(grown);
    grown = moved;
    out->base = moved + 1;
    out->end = moved + 1 + room;
    return out->base + used;
}

static void encodes(const struct cdr_routines *routines, const void *value, bool big, const char *bytes, size_t size)
{
    char *(*const encode)(struct whittle_cdr_out *, char *, const void *) =
        big == (WHITTLE_BIG_ENDIAN != 0) ? routines->encode : routines->encode_swapped;
    grown = malloc(1);
    struct whittle_cdr_out out = {grown + 1, grown + 1, grow, NULL, 0, 0, 0};
    const char *const end = encode(&out, out.base, value);
    EXPECT(end != NULL && (size_t)(end - out.base) == size);
    EXPECT(memcmp(out.base, bytes, size) == 0);
    free(grown);
    /* Exactly the room that there must be is enough, and less is not. */
    for (size_t less = 0; less <= size && less < 70; less++) {
        const struct copy place = copy_of(bytes, size - less);
        memset(place.bytes, 0xee, size - less);
        out = (struct whittle_cdr_out){place.bytes, place.bytes + (size - less), NULL, NULL, 0, 0, 0};
        EXPECT((encode(&out, place.bytes, value) == out.end) == (less == 0));
        EXPECT(less > 0 || memcmp(place.bytes, bytes, size) == 0);
        free(place.storage);
    }
}

/* Decoding this may say what it likes, so long as it ends, leaves nothing behind and takes no more than the bytes allow. */
static void outlives(const struct cdr_routines *routines, size_t size_of_value, bool big, const char *bytes, size_t size)
{
    void *const value = calloc(1, size_of_value);
    ledger.peak = 0;
    if (decodes(routines, big, false, bytes, size, value)) {
        struct whittle_cdr_out out = {NULL, NULL, NULL, NULL, 0, 0, 0};
        grown = malloc(1);
        out = (struct whittle_cdr_out){grown + 1, grown + 1, grow, NULL, 0, 0, 0};
        EXPECT(routines->encode(&out, out.base, value) != NULL);
        free(grown);
    }
    EXPECT(ledger.peak <= 64 * (size + 1) + WHITTLE_CREDIT);
    release_value(routines, value);
    memset(value, 0, size_of_value);
    decodes(routines, big, true, bytes, size, value);
    arena_end();
    EXPECT(ledger.live == 0);
    free(value);
}

static void suffers(const struct cdr_routines *routines, size_t size_of_value, bool big, const char *bytes, size_t size)
{
    static const unsigned char marks[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < size && at < 200; at++) {
        for (unsigned k = 0; k < sizeof marks; k++) {
            const struct copy changed = copy_of(bytes, size);
            changed.bytes[at] = (char)marks[k];
            if (at + 3 < size && k == 4)
                memset(changed.bytes + at, 0xff, 4);
            outlives(routines, size_of_value, big, changed.bytes, size);
            free(changed.storage);
        }
    }
}

void cdr_holds(const struct cdr_routines *all, const void *value, size_t size_of_value,
               bool (*same)(const void *, const void *), bool big, const char *given, size_t size, bool written)
{
    for (const struct cdr_routines *routines = all; routines->name != NULL; routines++) {
        say("%s, %s-endian CDR, %s", wire_place(), big ? "big" : "little", routines->name);
        const struct copy copy = copy_of(given, size);
        if (written)
            encodes(routines, value, big, copy.bytes, size);
        void *const decoded = calloc(1, size_of_value);
        EXPECT(decodes(routines, big, false, copy.bytes, size, decoded));
        EXPECT(same(decoded, value));
        const long pieces = ledger.live;
        release_value(routines, decoded);
        /* In the message, as far as may be, and in storage that is not zero. */
        memset(decoded, 0, size_of_value);
        EXPECT(decodes(routines, big, true, copy.bytes, size, decoded));
        EXPECT(same(decoded, value));
        arena_end();
        for (long failing = 0; failing < pieces && failing < 100; failing++) {
            memset(decoded, 0, size_of_value);
            ledger.fail_at = failing;
            EXPECT(!decodes(routines, big, false, copy.bytes, size, decoded));
            ledger.fail_at = -1;
            release_value(routines, decoded);
        }
        for (size_t less = 1; less <= size && less < 100; less++) {
            const struct copy cut = copy_of(given, size - less);
            memset(decoded, 0, size_of_value);
            struct whittle_cdr_in in = context(routines, cut.bytes, size - less, false);
            EXPECT((big == (WHITTLE_BIG_ENDIAN != 0) ? routines->decode : routines->decode_swapped)(&in, cut.bytes,
                                                                                                     decoded) == NULL);
            release_value(routines, decoded);
            free(cut.storage);
        }
        suffers(routines, size_of_value, big, given, size);
        free(decoded);
        free(copy.storage);
    }
}

void cdr_refused(const struct cdr_routines *all, size_t size_of_value, bool big, const char *given, size_t size)
{
    for (const struct cdr_routines *routines = all; routines->name != NULL; routines++) {
        say("%s, %s-endian CDR, %s, refused", wire_place(), big ? "big" : "little", routines->name);
        const struct copy copy = copy_of(given, size);
        for (unsigned borrow = 0; borrow < 2; borrow++) {
            void *const decoded = calloc(1, size_of_value);
            EXPECT(!decodes(routines, big, borrow, copy.bytes, size, decoded));
            if (borrow)
                arena_end();
            else
                release_value(routines, decoded);
            free(decoded);
        }
        EXPECT(ledger.live == 0);
        free(copy.storage);
    }
}
