/* SPDX-License-Identifier: MIT-0 */
/* Messages between memory and libtirpc's streams, and storage of the values in them. */
#include "stubs.h"

/* Those of the network run time, where a program has that, too; as a library it always has. */
#ifndef WHITTLE_HAS_NET
extern const int whittle_runtime_version_2 __attribute__((weak));
const int whittle_runtime_version_2 = WHITTLE_RUNTIME_VERSION;

__attribute__((weak)) void whittle_text_free(struct whittle_text *text)
{
    free(text->items);
    text->length = 0;
    text->items = NULL;
}
#endif

void whittle_tirpc_message_open(struct whittle_tirpc_message *message)
{
    message->bytes = message->first;
    message->size = 0;
    message->room = sizeof message->first;
}

void whittle_tirpc_message_free(struct whittle_tirpc_message *message)
{
    if (message->bytes != message->first)
        free(message->bytes);
    whittle_tirpc_message_open(message);
}

/* Room for `more` bytes behind those that there are. */
static bool whittle_tirpc_message_room(struct whittle_tirpc_message *message, size_t more, size_t longest)
{
    if (more > longest || message->size > longest - more)
        return false;
    const size_t needed = message->size + more;
    if (needed <= message->room)
        return true;
    const size_t room = needed > message->room * 2 ? needed : message->room * 2;
    const bool is_own = message->bytes != message->first;
    char *const grown = (char *)realloc(is_own ? message->bytes : NULL, room);
    if (grown == NULL)
        return false;
    if (!is_own)
        memcpy(grown, message->first, message->size);
    message->bytes = grown;
    message->room = room;
    return true;
}

char *whittle_tirpc_message_grow(struct whittle_tirpc_message *message, struct whittle_xdr_out *out, char *at, size_t more)
{
    message->size = (size_t)(at - out->base);
    if (!whittle_tirpc_message_room(message, more, INT32_MAX))
        return NULL;
    out->base = message->bytes;
    out->end = message->bytes + message->room;
    return message->bytes + message->size;
}

bool_t whittle_tirpc_put(XDR *stream, struct whittle_tirpc_message *message)
{
    if (stream->x_op != XDR_ENCODE)
        return TRUE;
    return message->size == 0 || XDR_PUTBYTES(stream, message->bytes, (u_int)message->size);
}

/*
 * A stream does not say how much there is. What lies in its buffer is taken in large steps, which are not taken at all where there is less;
 * a word that cannot be had is the end. Whatever is no whole word behind that is no XDR.
 */
bool_t whittle_tirpc_gather(XDR *stream, struct whittle_tirpc_message *message)
{
    enum { WORD = 4, LARGEST = 1 << 16 };
    if (stream->x_op != XDR_DECODE)
        return TRUE;
    message->size = 0;
    for (size_t step = LARGEST;;) {
        const void *const there = (const void *)XDR_INLINE(stream, (u_int)step);
        if (there == NULL && step > WORD) {
            step /= 2;
            continue;
        }
        if (!whittle_tirpc_message_room(message, step, WHITTLE_TIRPC_LONGEST))
            return FALSE;
        if (there != NULL)
            memcpy(message->bytes + message->size, there, step);
        else if (!XDR_GETBYTES(stream, message->bytes + message->size, WORD))
            return TRUE;
        message->size += step;
        if (there == NULL)
            step = LARGEST;
    }
}

struct whittle_tirpc_block {
    struct whittle_tirpc_block *next;
    union {
        long double number;
        void *pointer;
        char bytes[1];
    } values;
};

bool whittle_tirpc_charge(struct whittle_tirpc_arena *arena, size_t size, uint32_t count)
{
    if (size != 0 && count > arena->left / size)
        return false;
    arena->left -= size * count;
    return true;
}

void *whittle_tirpc_stored(struct whittle_tirpc_arena *arena, size_t size, uint32_t count, bool zeroed)
{
    const size_t head = offsetof(struct whittle_tirpc_block, values);
    if (!whittle_tirpc_charge(arena, head, 1) || !whittle_tirpc_charge(arena, size, count))
        return NULL;
    struct whittle_tirpc_block *const block = (struct whittle_tirpc_block *)malloc(head + size * count);
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    char *const bytes = (char *)block + head;
    if (zeroed)
        memset(bytes, 0, size * count);
    return bytes;
}

void whittle_tirpc_arena_free(struct whittle_tirpc_arena *arena)
{
    while (arena->blocks != NULL) {
        struct whittle_tirpc_block *const next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
