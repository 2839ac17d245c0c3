/* SPDX-License-Identifier: MIT-0 */
/*
 * Messages that come in fragments, joined: many at a time with GIOP 1.2, where each fragment names its request, one at a time
 * with 1.1. Each has a buffer of its own, which grows geometrically, so that joining is linear however short the fragments are.
 * Source: CORBA 3.3 part 2, section 9.4.9.
 */
#include "connection.h"

/* At the beginning of its buffer; the message follows at WHITTLE_GIOP_LEAD. */
struct whittle_net_partial {
    struct whittle_net_partial *next;
    struct whittle_net_buffer *buffer;
    size_t filled;
    uint32_t id;
};
_Static_assert(sizeof(struct whittle_net_partial) <= WHITTLE_GIOP_LEAD, "it stands before the message");

enum { WHITTLE_PARTIALS = 64 };     /* messages of one connection that have not come whole */

/* Bytes of buffers for them. */
static size_t whittle_partials_most(const struct whittle_net_reader *reader)
{
    enum { SOME_SHORT = 65536 };
    return 2 * reader->longest + SOME_SHORT;
}

static struct whittle_net_partial **whittle_partial_find(struct whittle_net_reader *reader, uint32_t id)
{
    struct whittle_net_partial **place = &reader->partials;
    while (*place != NULL && (*place)->id != id)
        place = &(*place)->next;
    return place;
}

/* Out of the list; its buffer is the caller's. */
static struct whittle_net_buffer *whittle_partial_remove(struct whittle_net_reader *reader, struct whittle_net_partial **place)
{
    struct whittle_net_buffer *const buffer = (*place)->buffer;
    *place = (*place)->next;
    reader->partial_count--;
    reader->partial_bytes -= buffer->room;
    return buffer;
}

void whittle_giop_cancel(struct whittle_net_reader *reader, uint32_t id)
{
    struct whittle_net_partial **const place = whittle_partial_find(reader, id);
    if (*place != NULL)
        whittle_net_buffer_give(reader->pool, whittle_partial_remove(reader, place));
}

void whittle_giop_forget(struct whittle_net_reader *reader)
{
    while (reader->partials != NULL)
        whittle_net_buffer_give(reader->pool, whittle_partial_remove(reader, &reader->partials));
}

/* More room; false: too much, or no memory. */
static bool whittle_partial_grow(struct whittle_net_reader *reader, struct whittle_net_partial **place, size_t size)
{
    struct whittle_net_buffer *const old = (*place)->buffer;
    const size_t used = WHITTLE_GIOP_LEAD + (*place)->filled, room = old->room;
    if (reader->partial_bytes - room + used + size > whittle_partials_most(reader))
        return false;
    struct whittle_net_buffer *const grown = whittle_net_buffer_grow(reader->pool, old, used, used + size);
    if (grown == NULL)
        return false;
    reader->partial_bytes += grown->room - room;
    *place = (struct whittle_net_partial *)(void *)grown->bytes;
    (*place)->buffer = grown;
    return true;
}

static bool whittle_partial_add(struct whittle_net_reader *reader, struct whittle_net_partial **place, const char *bytes, size_t size)
{
    if (size > reader->longest + WHITTLE_HEADER - (*place)->filled)
        return false;
    if (size > (*place)->buffer->room - WHITTLE_GIOP_LEAD - (*place)->filled && !whittle_partial_grow(reader, place, size))
        return false;
    struct whittle_net_partial *const partial = *place;
    memcpy(partial->buffer->bytes + WHITTLE_GIOP_LEAD + partial->filled, bytes, size);
    partial->filled += size;
    return true;
}

/* The buffer of the first fragment becomes the message's where nothing else is in it. The hold on it is the partial's then. */
static struct whittle_net_buffer *whittle_partial_buffer(struct whittle_net_reader *reader, const struct whittle_net_message *first)
{
    const size_t size = (size_t)(first->end - first->base);
    if (reader->buffer == first->buffer && reader->raw == reader->filled && first->base == first->buffer->bytes + WHITTLE_GIOP_LEAD) {
        whittle_net_reader_emptied(reader);
        if (whittle_net_buffer_alone(first->buffer)) {
            whittle_net_buffer_share(first->buffer);
            return first->buffer;
        }
    }
    struct whittle_net_buffer *const buffer = whittle_net_buffer_take(reader->pool, WHITTLE_GIOP_LEAD + size, WHITTLE_GIOP_LEAD + 2 * size);
    if (buffer != NULL)
        memcpy(buffer->bytes + WHITTLE_GIOP_LEAD, first->base, size);
    return buffer;
}

/* The first of several; false: it cannot be one, or no memory. With 1.1 there is one at a time, which is called 0. */
static bool whittle_fragment_begins(struct whittle_net_reader *reader, const struct whittle_net_message *message)
{
    const uint8_t version = (uint8_t)message->base[5], type = (uint8_t)message->base[WHITTLE_TYPE_AT];
    const size_t size = (size_t)(message->end - message->base);
    const bool locates = type == WHITTLE_LOCATE_REQUEST || type == WHITTLE_LOCATE_REPLY;
    const bool may = type == WHITTLE_REQUEST || type == WHITTLE_REPLY || (version == 2 && locates);
    if (version == 0 || !may || (version == 2 && size < WHITTLE_FRAGMENT_HEADER))
        return false;
    const uint32_t id = version == 1 ? 0 : whittle_peek32(message->base + WHITTLE_HEADER, whittle_is_swapped(message->base));
    if (reader->partial_count == WHITTLE_PARTIALS || *whittle_partial_find(reader, id) != NULL
        || reader->partial_bytes + size > whittle_partials_most(reader))
        return false;
    struct whittle_net_buffer *const buffer = whittle_partial_buffer(reader, message);
    if (buffer == NULL)
        return false;
    struct whittle_net_partial *const partial = (struct whittle_net_partial *)(void *)buffer->bytes;
    *partial = (struct whittle_net_partial){reader->partials, buffer, size, id};
    reader->partials = partial;
    reader->partial_count++;
    reader->partial_bytes += buffer->room;
    return true;
}

static enum whittle_net_got whittle_fragment_goes_on(struct whittle_net_reader *reader, struct whittle_net_message *message)
{
    const uint8_t version = (uint8_t)message->base[5];
    const bool swapped = whittle_is_swapped(message->base), more = (message->base[WHITTLE_FLAGS_AT] & WHITTLE_FLAG_MORE) != 0;
    const size_t head = version == 1 ? WHITTLE_HEADER : WHITTLE_FRAGMENT_HEADER;
    if (version == 0 || (size_t)(message->end - message->base) < head)
        return WHITTLE_NET_GOT_ERROR;
    struct whittle_net_partial **const place =
        whittle_partial_find(reader, version == 1 ? 0 : whittle_peek32(message->base + WHITTLE_HEADER, swapped));
    if (*place == NULL)     /* of a request that was cancelled */
        return WHITTLE_NET_GOT_NOTHING;
    const char *const begun = (*place)->buffer->bytes + WHITTLE_GIOP_LEAD;
    if ((uint8_t)begun[5] != version || whittle_is_swapped(begun) != swapped
        || !whittle_partial_add(reader, place, message->base + head, (size_t)(message->end - message->base) - head))
        return WHITTLE_NET_GOT_ERROR;
    if (more)
        return WHITTLE_NET_GOT_NOTHING;
    const size_t filled = (*place)->filled;
    struct whittle_net_buffer *const buffer = whittle_partial_remove(reader, place);
    char *const whole = buffer->bytes + WHITTLE_GIOP_LEAD;
    whole[WHITTLE_FLAGS_AT] &= ~WHITTLE_FLAG_MORE;
    whittle_net_buffer_give(reader->pool, message->buffer);
    *message = (struct whittle_net_message){buffer, whole, whole + filled};
    return WHITTLE_NET_GOT_MESSAGE;
}

enum whittle_net_got whittle_giop_fragment(struct whittle_net_reader *reader, struct whittle_net_message *message)
{
    enum whittle_net_got got;
    if (message->base[WHITTLE_TYPE_AT] == WHITTLE_FRAGMENT)
        got = whittle_fragment_goes_on(reader, message);
    else
        got = whittle_fragment_begins(reader, message) ? WHITTLE_NET_GOT_NOTHING : WHITTLE_NET_GOT_ERROR;
    if (got != WHITTLE_NET_GOT_MESSAGE)
        whittle_net_buffer_give(reader->pool, message->buffer);
    return got;
}
