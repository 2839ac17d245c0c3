/* SPDX-License-Identifier: MIT-0 */
#include "wire_xdr.h"

static void *heap(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in, (void)release;
    return ledger_malloc(size * count);
}

/* All of it is released at once. */
static void *arena_pieces[100000];
static unsigned arena_count;

static void *arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    EXPECT(arena_count < sizeof arena_pieces / sizeof *arena_pieces);
    void *const storage = heap(in, size, count, release);
    if (storage != NULL)
        arena_pieces[arena_count++] = storage;
    return storage;
}

static void arena_end(void)
{
    while (arena_count > 0)
        ledger_free(arena_pieces[--arena_count]);
    EXPECT(ledger.live == 0);
}

static void release_value(const struct xdr_routines *routines, void *value)
{
    if (routines->release != NULL)
        routines->release(value);
    EXPECT(ledger.live == 0);
}

/* Where a message begins: words are aligned, those of eight bytes are on the other foot, nothing is. */
static const size_t places[] = {0, 4, 1};
#define PLACES (sizeof places / sizeof *places)

/* Bytes at the end of storage, so many behind its beginning. */
struct copy {
    char *storage, *bytes;
};

static struct copy copy_of(const char *bytes, size_t size, size_t place)
{
    struct copy copy;
    copy.storage = malloc(place + size + (place + size == 0));
    memset(copy.storage, 0x55, place);
    copy.bytes = copy.storage + place;
    memcpy(copy.bytes, bytes, size);
    return copy;
}

static void end_copy(struct copy copy)
{
    while (copy.bytes > copy.storage)
        EXPECT(*--copy.bytes == 0x55);
    free(copy.storage);
}

/* Decodes into a zeroed `value`; where it came to, and that is at most the end. */
static const char *decode_at(const struct xdr_routines *routines, bool borrow, const char *bytes, size_t size, void *value,
                             size_t size_of_value)
{
    struct whittle_xdr_in in = {.end = bytes + size, .borrow = borrow, .allocate = borrow ? arena : heap};
    memset(value, 0, size_of_value);
    const char *const after = routines->decode(&in, bytes, value);
    EXPECT(after == NULL || (after >= bytes && after <= in.end && in.owed == 0 && in.depth == 0));
    return after;
}

static char *grown;

/* A byte more than is needed, elsewhere each time. */
static char *grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    const size_t used = (size_t)(at - out->base), room = used + more;
    char *const moved = malloc(room + 1);
    memcpy(moved + 1, out->base, used);
    free(grown);
    grown = moved;
    out->base = moved + 1;
    out->end = moved + 1 + room;
    return out->base + used;
}

static struct whittle_xdr_out growing(void)
{
    grown = malloc(1);
    return (struct whittle_xdr_out){grown + 1, grown + 1, grow, NULL, 0};
}

static void encodes(const struct xdr_routines *routines, const void *value, const char *bytes, size_t size)
{
    struct whittle_xdr_out out = growing();
    const char *const end = routines->encode(&out, out.base, value);
    EXPECT(end != NULL && (size_t)(end - out.base) == size);
    EXPECT(memcmp(out.base, bytes, size) == 0);
    free(grown);
    /* Exactly the room that there must be is enough, and less is not. */
    for (size_t less = 0; less <= size && less < 70; less++) {
        const struct copy place = copy_of(bytes, size - less, 1);
        memset(place.bytes, 0xee, size - less);
        out = (struct whittle_xdr_out){place.bytes, place.bytes + (size - less), NULL, NULL, 0};
        EXPECT((routines->encode(&out, place.bytes, value) == out.end) == (less == 0));
        EXPECT(less > 0 || memcmp(place.bytes, bytes, size) == 0);
        end_copy(place);
    }
}

/* Decoding this may say what it likes, so long as it ends, leaves nothing behind and takes no more than the bytes allow. */
static void outlives(const struct xdr_routines *routines, size_t size_of_value, const char *bytes, size_t size)
{
    void *const value = malloc(size_of_value);
    const struct copy whole = copy_of(bytes, size, 1);
    ledger.peak = 0;
    if (decode_at(routines, false, whole.bytes, size, value, size_of_value) != NULL) {
        struct whittle_xdr_out out = growing();
        EXPECT(routines->encode(&out, out.base, value) != NULL);
        free(grown);
    }
    EXPECT(ledger.peak <= 64 * (size + 1) + WHITTLE_CREDIT);
    release_value(routines, value);
    EXPECT(memcmp(whole.bytes, bytes, size) == 0);
    end_copy(whole);
    for (unsigned k = 0; k < PLACES; k++) {
        const struct copy message = copy_of(bytes, size, places[k]);
        if (decode_at(routines, true, message.bytes, size, value, size_of_value) != NULL) {
            struct whittle_xdr_out out = growing();
            EXPECT(routines->encode(&out, out.base, value) != NULL);
            free(grown);
        }
        arena_end();
        end_copy(message);
    }
    free(value);
}

/* Numbers: Marsaglia's xorshift. */
static uint32_t some(void)
{
    static uint32_t state = 2463534242u;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static void suffers(const struct xdr_routines *routines, size_t size_of_value, const char *bytes, size_t size)
{
    static const unsigned char marks[] = {0, 1, 0x7f, 0x80, 0xff};
    char *const changed = malloc(size + 1);
    for (size_t at = 0; at < size && at < 200; at++) {
        for (unsigned k = 0; k < sizeof marks; k++) {
            memcpy(changed, bytes, size);
            changed[at] = (char)marks[k];
            if (at + 3 < size && k == 4)
                memset(changed + at, 0xff, 4);
            outlives(routines, size_of_value, changed, size);
        }
    }
    for (unsigned k = 0; k < 40; k++) {
        const size_t most = size + 1 < 400 ? size + 1 : 400, length = some() % most;
        for (size_t at = 0; at < length; at++)
            changed[at] = (char)(at % 4 == 3 ? some() % 8 : some() % 8 == 0 ? some() : 0);
        outlives(routines, size_of_value, changed, length);
    }
    free(changed);
}

/* However little of the message is missing, it is refused. */
static void is_missed(const struct xdr_routines *routines, void *value, size_t size_of_value, const char *given, size_t size)
{
    for (size_t less = 1; less <= size && less < 100; less++) {
        for (unsigned borrow = 0; borrow < 2; borrow++) {
            const struct copy cut = copy_of(given, size - less, 0);
            EXPECT(decode_at(routines, borrow, cut.bytes, size - less, value, size_of_value) == NULL);
            if (borrow)
                arena_end();
            else
                release_value(routines, value);
            end_copy(cut);
        }
    }
}

void xdr_holds(const struct xdr_routines *all, const void *value, size_t size_of_value,
               bool (*same)(const void *, const void *), const char *given, size_t size, bool written)
{
    for (const struct xdr_routines *routines = all; routines->name != NULL; routines++) {
        say("%s, in memory, %s", wire_place(), routines->name);
        if (written)
            encodes(routines, value, given, size);
        void *const decoded = malloc(size_of_value);
        const struct copy copy = copy_of(given, size, 1);
        EXPECT(decode_at(routines, false, copy.bytes, size, decoded, size_of_value) == copy.bytes + size);
        EXPECT(same(decoded, value));
        EXPECT(memcmp(copy.bytes, given, size) == 0);
        const long pieces = ledger.live;
        release_value(routines, decoded);
        for (long failing = 0; failing < pieces && failing < 100; failing++) {
            ledger.fail_at = failing;
            EXPECT(decode_at(routines, false, copy.bytes, size, decoded, size_of_value) == NULL);
            ledger.fail_at = -1;
            release_value(routines, decoded);
        }
        end_copy(copy);
        /* In the message, as far as may be. */
        for (unsigned k = 0; k < PLACES; k++) {
            const struct copy message = copy_of(given, size, places[k]);
            const char *const end = message.bytes + size;
            EXPECT(decode_at(routines, true, message.bytes, size, decoded, size_of_value) == end);
            EXPECT(same(decoded, value));
            EXPECT(ledger.live <= pieces);
            arena_end();
            end_copy(message);
        }
        is_missed(routines, decoded, size_of_value, given, size);
        suffers(routines, size_of_value, given, size);
        free(decoded);
    }
}

void xdr_refused(const struct xdr_routines *all, size_t size_of_value, const char *given, size_t size)
{
    void *const decoded = malloc(size_of_value);
    for (const struct xdr_routines *routines = all; routines->name != NULL; routines++) {
        say("%s, in memory, %s, refused", wire_place(), routines->name);
        for (unsigned borrow = 0; borrow < 2; borrow++) {
            const struct copy copy = copy_of(given, size, 0);
            EXPECT(decode_at(routines, borrow, copy.bytes, size, decoded, size_of_value) == NULL);
            if (borrow)
                arena_end();
            else
                release_value(routines, decoded);
            end_copy(copy);
        }
    }
    free(decoded);
}
