/* SPDX-License-Identifier: MIT-0 */
/*
 * Cuts what comes over a connection into messages. Room for a long message is made as its bytes arrive, not as its header
 * promises; only what waits from an earlier one is taken whole at once.
 */
#include "connection.h"

void whittle_reader_open(struct whittle_reader *reader, struct whittle_pool *pool, size_t longest)
{
    *reader = (struct whittle_reader){.pool = pool, .longest = longest};
}

void whittle_reader_close(struct whittle_reader *reader)
{
    while (reader->partials != NULL)
        whittle_fragment_forget(reader, reader->partials->id);
    whittle_buffer_give(reader->pool, reader->buffer);
    reader->buffer = NULL;
    reader->begin = reader->filled = 0;
}

/* A buffer in which the message under way may go on. */
static bool whittle_reader_move(struct whittle_reader *reader)
{
    const size_t have = reader->filled - reader->begin;
    const size_t wanted = reader->expected > WHITTLE_HEADER ? reader->expected : WHITTLE_HEADER;
    struct whittle_buffer *const old = reader->buffer;
    if (old != NULL && old->room >= wanted && whittle_buffer_alone(old)) {
        memmove(old->bytes, old->bytes + reader->begin, have);
    } else {
        const size_t trusted = have < WHITTLE_TRUSTED / 2 ? WHITTLE_TRUSTED : 2 * have;
        struct whittle_buffer *const fresh = whittle_buffer_take(reader->pool, wanted < trusted ? wanted : trusted, wanted);
        if (fresh == NULL)
            return false;
        if (old != NULL) {
            memcpy(fresh->bytes, old->bytes + reader->begin, have);
            whittle_buffer_give(reader->pool, old);
        }
        reader->buffer = fresh;
    }
    reader->begin = 0;
    reader->filled = have;
    return true;
}

char *whittle_reader_room(struct whittle_reader *reader, size_t *room)
{
    struct whittle_buffer *const buffer = reader->buffer;
    if (buffer == NULL || reader->filled == buffer->room || reader->begin + reader->expected > buffer->room) {
        /* The room that there is comes first: a message that grows with what arrives. */
        const bool grows = buffer != NULL && reader->begin == 0 && reader->filled < buffer->room;
        if (!grows && !whittle_reader_move(reader))
            return NULL;
    }
    *room = reader->buffer->room - reader->filled;
    return reader->buffer->bytes + reader->filled;
}

/* Nothing is left in the buffer: it begins anew, or is left to those who look at its messages. */
static void whittle_reader_emptied(struct whittle_reader *reader)
{
    if (reader->buffer != NULL && (reader->buffer->room > WHITTLE_SMALL || !whittle_buffer_alone(reader->buffer))) {
        whittle_buffer_give(reader->pool, reader->buffer);
        reader->buffer = NULL;
    }
    reader->begin = reader->filled = reader->expected = 0;
}

/* 0: not there yet; ~0: no message of GIOP, or one that is too long. */
static size_t whittle_reader_size(const struct whittle_reader *reader)
{
    const char *const base = reader->buffer->bytes + reader->begin;
    if (reader->filled - reader->begin < WHITTLE_HEADER)
        return 0;
    if (memcmp(base, "GIOP\1", 5) != 0 || (uint8_t)base[5] > 2)
        return SIZE_MAX;
    const size_t size = whittle_peek32(base + WHITTLE_SIZE_AT, whittle_is_swapped(base));
    return size > reader->longest || (uint8_t)base[WHITTLE_TYPE_AT] > WHITTLE_FRAGMENT ? SIZE_MAX : size + WHITTLE_HEADER;
}

enum whittle_got whittle_reader_next(struct whittle_reader *reader, struct whittle_message *message)
{
    for (;;) {
        if (reader->begin == reader->filled) {
            whittle_reader_emptied(reader);
            return WHITTLE_GOT_NOTHING;
        }
        const size_t size = whittle_reader_size(reader);
        if (size == SIZE_MAX)
            return WHITTLE_GOT_NONSENSE;
        /* Behind a long one the fragments that follow it are to have their place. */
        const bool more = size > WHITTLE_SMALL && (reader->buffer->bytes[reader->begin + WHITTLE_FLAGS_AT] & WHITTLE_FLAG_MORE) != 0;
        reader->expected = more ? size + WHITTLE_SLACK : size;
        if (size == 0 || size > reader->filled - reader->begin)
            return WHITTLE_GOT_NOTHING;
        const char *const base = reader->buffer->bytes + reader->begin;
        *message = (struct whittle_message){reader->buffer, base, base + size};
        reader->begin += size;
        reader->expected = 0;
        whittle_buffer_share(reader->buffer);
        if ((base[WHITTLE_FLAGS_AT] & WHITTLE_FLAG_MORE) == 0 && base[WHITTLE_TYPE_AT] != WHITTLE_FRAGMENT)
            return WHITTLE_GOT_MESSAGE;
        const enum whittle_got got = whittle_fragment_take(reader, message);
        if (got != WHITTLE_GOT_NOTHING)
            return got;
    }
}
