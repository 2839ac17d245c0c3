/* SPDX-License-Identifier: MIT-0 */
/* Valid messages: whittle's routines do what rpcgen's do, on every stream, by every pass. */
#include "safety.h"

/* Decoding from each stream gives the value that rpcgen's routine encodes to the same bytes, and so does encoding. */
void agrees_with_reference(const struct message *message)
{
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        void *const value = empty_value(type);
        say("%s, %zu bytes, %s stream", type->name, message->size, stream_name(kind));
        ledger.peak = 0;
        EXPECT(decode(mine, value, kind, message->bytes, message->size));
        EXPECT(ledger.peak <= heap_bound(type, kind, message->size, false));
        EXPECT(encodes_to(type->reference, value, STREAM_MEMORY, message->bytes, message->size));
        EXPECT(encodes_to(mine, value, kind, message->bytes, message->size));
        EXPECT(xdr_sizeof((xdrproc_t)(void (*)(void))mine, value) == message->size);
        release_and_expect_nothing(type, mine, value);
        free(value);
    }
}

/* Decoding into a value that is there allocates nothing and moves nothing. */
void fills_storage_that_is_there(const struct message *message)
{
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        void *const value = empty_value(type), *const before = malloc(type->size);
        say("%s, %zu bytes, %s stream, storage that is there", type->name, message->size, stream_name(kind));
        EXPECT(decode(mine, value, kind, message->bytes, message->size));
        memcpy(before, value, type->size);
        const long calls = ledger.calls;
        EXPECT(decode(mine, value, kind, message->bytes, message->size));
        EXPECT(ledger.calls == calls && memcmp(before, value, type->size) == 0);
        EXPECT(encodes_to(mine, value, STREAM_MEMORY, message->bytes, message->size));
        release_and_expect_nothing(type, mine, value);
        free(before);
        free(value);
    }
}

/* What one side decoded, the other encodes and releases. */
void shares_storage_with_reference(const struct message *message)
{
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    void *const value = empty_value(type);
    say("%s, %zu bytes, shared with rpcgen's", type->name, message->size);
    ledger.off = 1;
    EXPECT(decode(mine, value, STREAM_MEMORY, message->bytes, message->size));
    release_by_reference(type, value);
    EXPECT(decode(type->reference, value, STREAM_MEMORY, message->bytes, message->size));
    EXPECT(encodes_to(mine, value, STREAM_MEMORY, message->bytes, message->size));
    EXPECT(decode(mine, value, STREAM_NO_INLINE, message->bytes, message->size));
    release(mine, value);
    ledger.off = 0;
    free(value);
}

void encodes_only_where_there_is_room(const struct message *message)
{
    static const enum stream_kind kinds[] = {STREAM_MEMORY, STREAM_UNALIGNED, STREAM_OWN, STREAM_NO_INLINE};
    const struct type *const type = message->type;
    const routine mine = type->routines[0];
    void *const value = empty_value(type);
    EXPECT(decode(mine, value, STREAM_MEMORY, message->bytes, message->size));
    const size_t step = 1 + message->size / (50 * effort);
    for (size_t room = 0; room < message->size; room += 1 + random_below((unsigned)(2 * step - 1))) {
        size_t n;
        const enum stream_kind kind = kinds[random_below(4)];
        say("%s, room for %zu of %zu bytes, %s stream", type->name, room, message->size, stream_name(kind));
        EXPECT(encode(mine, value, kind, room, &n) == NULL);
    }
    release_and_expect_nothing(type, mine, value);
    free(value);
}

/* NULL text and the like is refused; what is not refused can be decoded. */
void encodes_empty_values_or_refuses(const struct type *type)
{
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        size_t n;
        void *const value = empty_value(type);
        say("%s, all zeros, %s stream", type->name, stream_name(kind));
        char *const bytes = encode(type->routines[0], value, kind, 1 << 17, &n);
        if (bytes != NULL) {
            EXPECT(decode(type->routines[0], value, kind, bytes, n));
            EXPECT(encodes_to(type->reference, value, STREAM_MEMORY, bytes, n));
            release_and_expect_nothing(type, type->routines[0], value);
        }
        free(bytes);
        free(value);
    }
}

void every_variant_agrees(const struct message *message)
{
    static const enum stream_kind kinds[] = {STREAM_MEMORY, STREAM_RECORD, STREAM_NO_INLINE};
    const struct type *const type = message->type;
    for (unsigned variant = 0; variant < variant_count; variant++) {
        const routine mine = type->routines[variant];
        for (unsigned k = 0; k < 3; k++) {
            void *const value = empty_value(type);
            say("%s, %zu bytes, %s stream, %s", type->name, message->size, stream_name(kinds[k]), variants[variant]);
            ledger.peak = 0;
            EXPECT(decode(mine, value, kinds[k], message->bytes, message->size));
            EXPECT(ledger.peak <= heap_bound(type, kinds[k], message->size, false));
            EXPECT(encodes_to(type->reference, value, STREAM_MEMORY, message->bytes, message->size));
            EXPECT(encodes_to(mine, value, kinds[k], message->bytes, message->size));
            release_and_expect_nothing(type, mine, value);
            for (unsigned cut = 0; cut < effort && message->size > 0; cut++) {
                const size_t there = random_below((unsigned)message->size);
                EXPECT(!decode(mine, value, kinds[k], message->bytes, there));
                release_and_expect_nothing(type, mine, value);
                memset(value, 0, type->size);
            }
            free(value);
        }
    }
}
