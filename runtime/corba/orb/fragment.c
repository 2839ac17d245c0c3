/* SPDX-License-Identifier: MIT-0 */
/*
 * Messages that come in fragments, put together: many at a time with GIOP 1.2, where each fragment names its request, one at a
 * time with 1.1. All that are under way together are no longer than one message may be. Source: CORBA 3.3 part 2, section 9.4.9.
 */
#include "connection.h"
#include <stdlib.h>

static struct whittle_partial **whittle_partial_find(struct whittle_reader *reader, uint32_t id)
{
    struct whittle_partial **place = &reader->partials;
    while (*place != NULL && (*place)->id != id)
        place = &(*place)->next;
    return place;
}

void whittle_fragment_forget(struct whittle_reader *reader, uint32_t id)
{
    struct whittle_partial **const place = whittle_partial_find(reader, id);
    struct whittle_partial *const partial = *place;
    if (partial == NULL)
        return;
    *place = partial->next;
    reader->partial_count--;
    reader->partial_bytes -= partial->filled;
    whittle_buffer_give(reader->pool, partial->buffer);
    free(partial);
}

/*
 * A fragment right behind the last one, in the buffer where the first one came, moves up to what there is: nobody else looks at its
 * place. Else nothing is written to a buffer that others look at, too.
 */
static bool whittle_partial_add(struct whittle_reader *reader, struct whittle_partial *partial, const struct whittle_message *from, size_t head)
{
    const char *const bytes = from->base + head;
    const size_t size = (size_t)(from->end - bytes);
    if (size > reader->longest + WHITTLE_HEADER - reader->partial_bytes)
        return false;
    const bool follows = from->buffer == partial->buffer && from->base == partial->behind;
    if (!follows && (size > partial->buffer->room - partial->filled || !whittle_buffer_alone(partial->buffer))) {
        struct whittle_buffer *const grown = whittle_buffer_grow(reader->pool, partial->buffer, partial->filled, partial->filled + size);
        if (grown == NULL)
            return false;
        partial->buffer = grown;
    }
    if (partial->buffer->bytes + partial->filled != bytes)
        memmove(partial->buffer->bytes + partial->filled, bytes, size);
    partial->behind = follows ? from->end : NULL;
    partial->filled += size;
    reader->partial_bytes += size;
    return true;
}

/* The request that the first of several belongs to; with 1.1 there is one at a time, which is called 0. */
static bool whittle_fragment_begins(struct whittle_reader *reader, const struct whittle_message *message)
{
    const uint8_t version = (uint8_t)message->base[5];
    const uint8_t type = (uint8_t)message->base[WHITTLE_TYPE_AT];
    const size_t size = (size_t)(message->end - message->base);
    const bool may = type == WHITTLE_REQUEST || type == WHITTLE_REPLY || (version == 2 && (type == WHITTLE_LOCATE_REQUEST || type == WHITTLE_LOCATE_REPLY));
    if (version == 0 || !may || (version == 2 && size < WHITTLE_FRAGMENT_HEADER))
        return false;
    const uint32_t id = version == 1 ? 0 : whittle_peek32(message->base + WHITTLE_HEADER, whittle_is_swapped(message->base));
    if (reader->partial_count == WHITTLE_PARTIALS || *whittle_partial_find(reader, id) != NULL)
        return false;
    struct whittle_partial *const partial = (struct whittle_partial *)malloc(sizeof *partial);
    if (partial == NULL)
        return false;
    *partial = (struct whittle_partial){.next = reader->partials, .id = id};
    reader->partials = partial;
    reader->partial_count++;
    if (size > WHITTLE_SMALL && message->base == message->buffer->bytes) {     /* stays where it came */
        whittle_buffer_share(message->buffer);
        partial->buffer = message->buffer;
        partial->behind = message->base;
        return whittle_partial_add(reader, partial, message, 0);
    }
    partial->buffer = whittle_buffer_take(reader->pool, size, 4 * size);
    return partial->buffer != NULL && whittle_partial_add(reader, partial, message, 0);
}

static enum whittle_got whittle_fragment_goes_on(struct whittle_reader *reader, struct whittle_message *message)
{
    const uint8_t version = (uint8_t)message->base[5];
    const size_t head = version == 1 ? WHITTLE_HEADER : WHITTLE_FRAGMENT_HEADER;
    const bool swapped = whittle_is_swapped(message->base);
    const bool more = (message->base[WHITTLE_FLAGS_AT] & WHITTLE_FLAG_MORE) != 0;   /* what follows moves over it */
    const size_t size = (size_t)(message->end - message->base);
    if (version == 0 || size < head)
        return WHITTLE_GOT_NONSENSE;
    struct whittle_partial **const place =
        whittle_partial_find(reader, version == 1 ? 0 : whittle_peek32(message->base + WHITTLE_HEADER, swapped));
    struct whittle_partial *const partial = *place;
    if (partial == NULL)    /* of a request that was cancelled */
        return WHITTLE_GOT_NOTHING;
    if ((uint8_t)partial->buffer->bytes[5] != version || whittle_is_swapped(partial->buffer->bytes) != swapped
        || !whittle_partial_add(reader, partial, message, head))
        return WHITTLE_GOT_NONSENSE;
    if (more)
        return WHITTLE_GOT_NOTHING;
    char *const whole = partial->buffer->bytes;
    whole[WHITTLE_FLAGS_AT] &= ~WHITTLE_FLAG_MORE;
    whittle_buffer_give(reader->pool, message->buffer);
    *message = (struct whittle_message){partial->buffer, whole, whole + partial->filled};
    *place = partial->next;
    reader->partial_count--;
    reader->partial_bytes -= partial->filled;
    free(partial);
    return WHITTLE_GOT_MESSAGE;
}

/* Takes over a message that is one of several: the whole one where it was the last. */
enum whittle_got whittle_fragment_take(struct whittle_reader *reader, struct whittle_message *message)
{
    enum whittle_got got;
    if (message->base[WHITTLE_TYPE_AT] == WHITTLE_FRAGMENT)
        got = whittle_fragment_goes_on(reader, message);
    else
        got = whittle_fragment_begins(reader, message) ? WHITTLE_GOT_NOTHING : WHITTLE_GOT_NONSENSE;
    if (got != WHITTLE_GOT_MESSAGE)
        whittle_buffer_give(reader->pool, message->buffer);
    return got;
}
