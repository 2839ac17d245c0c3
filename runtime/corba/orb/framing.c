/* SPDX-License-Identifier: MIT-0 */
/* Cuts what comes over a connection into messages of GIOP (CORBA 3.3 part 2, section 9.4.1). Fragments: fragment.c. */
#include "connection.h"

/* The header that stands at `raw`; false: it is none, or its message is longer than one may be. */
static bool whittle_giop_begins(struct whittle_net_reader *reader)
{
    const char *const base = reader->buffer->bytes + reader->raw;
    if (memcmp(base, "GIOP\1", 5) != 0 || (uint8_t)base[5] > 2 || (uint8_t)base[WHITTLE_TYPE_AT] > WHITTLE_FRAGMENT)
        return false;
    const size_t size = whittle_peek32(base + WHITTLE_SIZE_AT, whittle_is_swapped(base));
    reader->left = size + WHITTLE_HEADER;
    reader->mid_message = reader->last = true;
    return size <= reader->longest;
}

/* One message, or fragment of one, stays where it was read. */
static void whittle_giop_cut(struct whittle_net_reader *reader, struct whittle_net_message *message)
{
    char *const base = reader->buffer->bytes + reader->raw;
    *message = (struct whittle_net_message){reader->buffer, base, base + reader->left};
    whittle_net_buffer_share(reader->buffer);
    reader->usual = reader->left;
    reader->raw += reader->left;
    reader->begin = reader->joined = reader->raw;
    reader->left = 0;
    reader->mid_message = reader->last = false;
}

enum whittle_net_got whittle_giop_next(struct whittle_net_reader *reader, struct whittle_net_message *message)
{
    for (;;) {
        if (reader->buffer == NULL)
            return WHITTLE_NET_GOT_NOTHING;
        const size_t there = reader->filled - reader->raw;
        reader->begin = reader->joined = reader->raw;
        if (there == 0 && !reader->mid_message)
            whittle_net_reader_emptied(reader);
        if (there < WHITTLE_HEADER)
            return WHITTLE_NET_GOT_NOTHING;
        if (!reader->mid_message && !whittle_giop_begins(reader))
            return WHITTLE_NET_GOT_ERROR;
        if (there < reader->left)
            return WHITTLE_NET_GOT_NOTHING;
        whittle_giop_cut(reader, message);
        const char *const base = message->base;
        if ((base[WHITTLE_FLAGS_AT] & WHITTLE_FLAG_MORE) == 0 && base[WHITTLE_TYPE_AT] != WHITTLE_FRAGMENT)
            return WHITTLE_NET_GOT_MESSAGE;
        const enum whittle_net_got got = whittle_giop_fragment(reader, message);
        if (got != WHITTLE_NET_GOT_NOTHING)
            return got;
    }
}
