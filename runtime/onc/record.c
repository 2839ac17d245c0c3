/* SPDX-License-Identifier: MIT-0 */
/*
 * Records out of what comes over a connection (RFC 5531, section 11). A record of one fragment stays where it was read; the fragments
 * of others are joined. The bytes of a reader that has a record under way begin behind its first mark.
 */
#include "client.h"

enum { WHITTLE_ONC_EMPTY_MOST = 1024 };     /* fragments without bytes, of one record */

/* More of the fragment under way, where there is more. */
static void whittle_onc_join(struct whittle_net_reader *reader)
{
    const size_t there = reader->filled - reader->raw, size = reader->left < there ? reader->left : there;
    char *const bytes = reader->buffer->bytes;
    if (reader->joined != reader->raw)
        memmove(bytes + reader->joined, bytes + reader->raw, size);
    reader->joined += size;
    reader->raw += size;
    reader->left -= size;
    if (reader->raw == reader->filled && reader->mid_message)
        reader->raw = reader->filled = reader->joined;  /* what comes next is read to where it belongs */
}

/* A mark; false: there is none yet. */
static bool whittle_onc_mark(struct whittle_net_reader *reader)
{
    if (reader->filled - reader->raw < WHITTLE_ONC_MARK)
        return false;
    const uint32_t mark = whittle_get32(reader->buffer->bytes + reader->raw);
    reader->raw += WHITTLE_ONC_MARK;
    if (!reader->mid_message) {
        reader->begin = reader->joined = reader->raw;
        reader->empty = 0;
    }
    reader->mid_message = true;
    reader->left = mark & ~WHITTLE_ONC_LAST;
    reader->last = (mark & WHITTLE_ONC_LAST) != 0;
    reader->empty += reader->left == 0;
    return true;
}

WHITTLE_NET_HOT enum whittle_net_got whittle_onc_next(struct whittle_net_reader *reader, struct whittle_net_message *message)
{
    if (reader->buffer == NULL)
        return WHITTLE_NET_GOT_NOTHING;
    for (;;) {
        if (!reader->mid_message && reader->raw == reader->filled) {
            whittle_net_reader_emptied(reader);
            return WHITTLE_NET_GOT_NOTHING;
        }
        if (reader->left == 0 && !whittle_onc_mark(reader))
            return WHITTLE_NET_GOT_NOTHING;
        if (reader->left > reader->longest - (reader->joined - reader->begin) || reader->empty > WHITTLE_ONC_EMPTY_MOST)
            return WHITTLE_NET_GOT_ERROR;
        whittle_onc_join(reader);
        if (reader->left > 0)
            return WHITTLE_NET_GOT_NOTHING;
        if (!reader->last)
            continue;
        char *const bytes = reader->buffer->bytes;
        *message = (struct whittle_net_message){reader->buffer, bytes + reader->begin, bytes + reader->joined};
        whittle_net_buffer_share(reader->buffer);
        reader->usual = reader->joined - reader->begin;
        reader->begin = reader->joined = reader->raw;
        reader->mid_message = reader->last = false;
        return WHITTLE_NET_GOT_MESSAGE;
    }
}

WHITTLE_NET_HOT enum whittle_net_match whittle_onc_match(const struct whittle_net_message *message, uint32_t *xid)
{
    if (message->end - message->base < 4)
        return WHITTLE_NET_IGNORED;
    *xid = whittle_get32(message->base);
    return WHITTLE_NET_REPLY;
}
