/* SPDX-License-Identifier: MIT-0 */
/* Decoding into an arena, as a server with --server-arena does: the value stands first in the structure. */
#include "safety.h"

/* What a server calls with: the arena's room may hold anything. */
void *new_call(const struct type *type)
{
    char *const call = malloc(type->arena_size);
    memset(call, 0, type->arena_zeroed);
    memset(call + type->arena_zeroed, 0xa5, type->arena_size - type->arena_zeroed);
    return call;
}

static void expect_nothing(const struct type *type, void *call)
{
    release(type->in_arena, call);
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
    release(type->in_arena, call);
}

static void fails_cleanly(const struct type *type, enum stream_kind kind, const char *bytes, size_t size)
{
    void *const call = new_call(type);
    EXPECT(!decode(type->in_arena, call, kind, bytes, size));
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
    /* As svc_freeargs, which is called all the same. */
    expect_nothing(type, call);
    free(call);
}

static void starves(const struct message *message, enum stream_kind kind)
{
    const struct type *const type = message->type;
    bool_t done = FALSE;
    for (long k = 0; !done; k++) {
        void *const call = new_call(type);
        say("%s, %s stream, arena, allocation %ld fails", type->name, stream_name(kind), k);
        ledger.fail_at = k;
        done = decode(type->in_arena, call, kind, message->bytes, message->size);
        ledger.fail_at = -1;
        EXPECT(done || ledger.live == 0);
        expect_nothing(type, call);
        free(call);
    }
}

void decodes_into_arena(const struct message *message)
{
    const struct type *const type = message->type;
    if (type->in_arena == NULL)
        return;
    for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
        void *const call = new_call(type);
        say("%s, %zu bytes, %s stream, arena", type->name, message->size, stream_name(kind));
        ledger.peak = 0;
        EXPECT(decode(type->in_arena, call, kind, message->bytes, message->size));
        EXPECT(ledger.peak <= heap_bound(type, kind, message->size, true));
        EXPECT(encodes_to(type->reference, call, STREAM_MEMORY, message->bytes, message->size));
        expect_nothing(type, call);
        free(call);
        for (unsigned cut = 0; cut < 2 * effort && message->size > 0; cut++) {
            const size_t there = random_below((unsigned)message->size);
            say("%s, %zu of %zu bytes, %s stream, arena", type->name, there, message->size, stream_name(kind));
            fails_cleanly(type, kind, message->bytes, there);
        }
    }
    starves(message, STREAM_MEMORY);
    starves(message, STREAM_NO_INLINE);
}
