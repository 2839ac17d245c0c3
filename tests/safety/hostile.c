/* SPDX-License-Identifier: MIT-0 */
/* Messages that end early, lie, or are none: TRUE or FALSE, in bounded memory, and nothing is left behind. */
#include "safety.h"

struct outcome {
    bool_t done;
    size_t used;
    char *again;        /* the value, encoded */
    size_t size;
};

static void forget(struct outcome *outcome)
{
    free(outcome->again);
}

static void expect_same(const struct outcome *a, const struct outcome *b)
{
    EXPECT(a->done == b->done);
    EXPECT((a->again == NULL) == (b->again == NULL));
    EXPECT(a->again == NULL || (a->size == b->size && memcmp(a->again, b->again, a->size) == 0));
}

static struct outcome try(const struct type *type, routine code, enum stream_kind kind, const char *bytes,
                          size_t size)
{
    struct outcome outcome = {FALSE, 0, NULL, 0};
    void *const value = empty_value(type);
    ledger.peak = 0;
    outcome.done = kind == STREAM_MEMORY ? decode_from_memory(code, value, bytes, size, &outcome.used)
                                         : decode(code, value, kind, bytes, size);
    EXPECT(ledger.peak <= heap_bound(type, kind, size, false));
    if (outcome.done)
        outcome.again = encode(code, value, STREAM_MEMORY, size + (1 << 16), &outcome.size);
    EXPECT(outcome.done || (ledger.live == 0 && ledger.bytes == 0));
    release_and_expect_nothing(type, code, value);
    free(value);
    return outcome;
}

static struct outcome try_reference(const struct type *type, const char *bytes, size_t size)
{
    struct outcome outcome = {FALSE, 0, NULL, 0};
    void *const value = empty_value(type);
    ledger.off = 1;
    sparing_most = 1 << 20;
    sparing_refused = false;
    outcome.done = decode_from_memory(type->reference, value, bytes, size, &outcome.used);
    /* By our routine, which writes booleans as 0 or 1: rpcgen's inline code reads them as they come. */
    if (outcome.done)
        outcome.again = encode(type->routines[0], value, STREAM_MEMORY, size + (1 << 16), &outcome.size);
    release_by_reference(type, value);
    sparing_most = SIZE_MAX;
    ledger.off = 0;
    free(value);
    return outcome;
}

/* Of items of no bytes rpcgen takes any number, one by one; whittle takes as many as it gives credit for. */
static void agrees(const struct type *type, const struct outcome *mine, const char *bytes, size_t size)
{
    if (!mine->done && strcmp(type->name, "nothings") == 0)
        return;
    struct outcome theirs = try_reference(type, bytes, size);
    if (!mine->done || !sparing_refused) {
        expect_same(mine, &theirs);
        EXPECT(mine->used == theirs.used);
    }
    forget(&theirs);
}

void survives(const struct type *type, const char *bytes, size_t size)
{
    static unsigned turn;
    const enum stream_kind others[] = {STREAM_UNALIGNED, STREAM_RECORD, STREAM_OWN, STREAM_NO_INLINE};
    const enum stream_kind other = others[turn++ % 4];
    struct outcome mine = try(type, type->routines[0], STREAM_MEMORY, bytes, size);
    struct outcome elsewhere = try(type, type->routines[0], other, bytes, size);
    expect_same(&mine, &elsewhere);
    agrees(type, &mine, bytes, size);
    forget(&mine);
    forget(&elsewhere);
    if (type->in_arena != NULL && turn % 3 == 0) {
        void *const call = new_call(type);
        ledger.peak = 0;
        const bool_t done = decode(type->in_arena, call, other, bytes, size);
        EXPECT(done == mine.done && (done || ledger.live == 0));
        EXPECT(ledger.peak <= heap_bound(type, other, size, true));
        release(type->in_arena, call);
        EXPECT(ledger.live == 0);
        free(call);
    }
}

/*
 * A value that is there keeps its storage, all of it, when a message for it ends early. (Its numbers may be anything
 * then, as rpcgen leaves them.)
 */
static void keeps_what_is_there(const struct message *message, size_t there)
{
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    void *const value = empty_value(type);
    const enum stream_kind kind = (enum stream_kind)random_below(STREAM_KINDS);
    EXPECT(decode(mine, value, STREAM_MEMORY, message->bytes, message->size));
    const long calls = ledger.calls, live = ledger.live;
    EXPECT(!decode(mine, value, kind, message->bytes, there));
    EXPECT(ledger.calls == calls && ledger.live == live);
    if (random_below(2)) {
        EXPECT(decode(mine, value, kind, message->bytes, message->size));
        EXPECT(ledger.calls == calls && ledger.live == live);
        EXPECT(encodes_to(mine, value, STREAM_MEMORY, message->bytes, message->size));
    }
    release_and_expect_nothing(type, mine, value);
    free(value);
}

void survives_truncation(const struct message *message)
{
    const size_t most = 300 * effort;
    const size_t step = message->size <= most ? 1 : message->size / most;
    for (size_t there = 0; there < message->size; there += step == 1 ? 1 : 1 + random_below((unsigned)(2 * step))) {
        say("%s, %zu of %zu bytes", message->type->name, there, message->size);
        /* A message that ends early is never one. */
        struct outcome cut = try(message->type, message->type->routines[0], STREAM_MEMORY, message->bytes, there);
        EXPECT(!cut.done);
        survives(message->type, message->bytes, there);
        keeps_what_is_there(message, there);
    }
}

static const unsigned char byte_lies[] = {0x01, 0x80, 0xff, 0x55};
static const uint32_t word_lies[] = {0xffffffff, 0x7fffffff, 0x80000000, 0x10000000, 0x00010000, 0x00001000,
                                     0xfffffffc, 0xfffffffd, 0x40000000, 0x00000100, 2,          1,
                                     0};

static void survives_lie(const struct message *message, size_t place, const void *lie, size_t size)
{
    char *const lies = malloc(message->size);
    memcpy(lies, message->bytes, message->size);
    memcpy(lies + place, lie, size);
    survives(message->type, lies, message->size);
    /* And where nothing follows: a promise. */
    survives(message->type, lies, place + size);
    free(lies);
}

void survives_lies(const struct message *message)
{
    const size_t most = 120 * effort;
    const size_t step = message->size <= most ? 1 : message->size / most;
    for (size_t place = 0; place < message->size; place += step == 1 ? 1 : 1 + random_below((unsigned)(2 * step))) {
        const unsigned char lie = (unsigned char)message->bytes[place] ^ byte_lies[random_below(4)];
        say("%s, %zu bytes, byte %zu is %02x", message->type->name, message->size, place, lie);
        survives_lie(message, place, &lie, 1);
        if (place % 4 != 0 && step == 1)
            continue;
        const size_t word_place = place & ~(size_t)3;
        for (unsigned k = 0; k < 3 && word_place + 4 <= message->size; k++) {
            const uint32_t word = word_lies[random_below(sizeof word_lies / sizeof *word_lies)];
            const uint32_t big = htonl(word);
            say("%s, %zu bytes, word at %zu is %08x", message->type->name, message->size, word_place, word);
            survives_lie(message, word_place, &big, 4);
        }
    }
}

void survives_starvation(const struct message *message)
{
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    static const enum stream_kind kinds[] = {STREAM_MEMORY, STREAM_RECORD, STREAM_NO_INLINE};
    for (unsigned each = 0; each < 3; each++) {
        bool_t done = FALSE;
        for (long k = 0; !done; k += 1 + k / 64) {
            void *const value = empty_value(type);
            say("%s, %zu bytes, %s stream, allocation %ld fails", type->name, message->size, stream_name(kinds[each]),
                k);
            ledger.fail_at = k;
            done = decode(mine, value, kinds[each], message->bytes, message->size);
            ledger.fail_at = -1;
            EXPECT(done || (ledger.live == 0 && ledger.bytes == 0));
            release_and_expect_nothing(type, mine, value);
            free(value);
        }
    }
}

void survives_any_bytes(const struct type *type)
{
    for (unsigned round = 0; round < 40 * effort; round++) {
        char bytes[600];
        const size_t size = random_below(round % 4 == 0 ? sizeof bytes : 120);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (char)(round % 2 ? random_below(256) : k % 4 == 3 ? random_below(4) : 0);
        say("%s, %zu random bytes, round %u", type->name, size, round);
        survives(type, bytes, size);
    }
}
