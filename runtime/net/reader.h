/* SPDX-License-Identifier: MIT-0 */
/*
 * What comes over a connection, on its way to become messages. A protocol cuts it (its `next`); a message of one piece stays where
 * it was read, the pieces of others are joined. Room for a long message is made as its bytes arrive, not as its header promises,
 * and grows geometrically, so that joining is linear whatever the pieces are.
 *
 *     bytes: ... [begin, joined): the message under way   [raw, filled): what came and was not looked at
 */
#ifndef WHITTLE_NET_READER_H
#define WHITTLE_NET_READER_H
#include "buffer.h"

struct whittle_net_partial;             /* a protocol's messages of which pieces are still to come, beside this one */
struct whittle_net_reader {
    struct whittle_net_pool *pool;
    struct whittle_net_buffer *buffer;  /* NULL: nothing is in it */
    size_t lead;                        /* where the first byte of a connection's input, or of a new buffer, goes */
    size_t keep;                        /* how far behind it the message begins, where one is under way */
    size_t begin, joined, raw, filled;
    size_t left;                        /* bytes of the piece under way that are still to come, looked at or not */
    size_t longest, usual;              /* a message may be; the last one was */
    uint32_t empty;                     /* pieces without bytes, of the message under way */
    bool mid_message, last;             /* a message is under way; the piece under way is its last */
    struct whittle_net_partial *partials;
    uint32_t partial_count;
    size_t partial_bytes;
};

enum whittle_net_got { WHITTLE_NET_GOT_NOTHING, WHITTLE_NET_GOT_MESSAGE, WHITTLE_NET_GOT_ERROR };
void whittle_net_reader_open(struct whittle_net_reader *reader, struct whittle_net_pool *pool, size_t lead, size_t keep, size_t longest);
/* What it holds is given back; the protocol has forgotten the partials before. */
void whittle_net_reader_close(struct whittle_net_reader *reader);
/* Where to read to, and how much; NULL: no memory. */
char *whittle_net_reader_room(struct whittle_net_reader *reader, size_t *room);
/* All that came is in messages: a small buffer begins anew, unless others look at it; else it is left to them. */
void whittle_net_reader_emptied(struct whittle_net_reader *reader);
/* The same, and nothing is expected soon: no buffer is kept. */
void whittle_net_reader_idle(struct whittle_net_reader *reader);

/* So much came. */
WHITTLE_INLINE void whittle_net_reader_came(struct whittle_net_reader *reader, size_t size)
{
    reader->filled += size;
}

/* Bytes of the piece under way that have not come; 0: none is. */
WHITTLE_INLINE size_t whittle_net_reader_expects(const struct whittle_net_reader *reader)
{
    const size_t there = reader->filled - reader->raw;
    return reader->left - (reader->left < there ? reader->left : there);
}

/* Something has begun to come and is not whole. */
WHITTLE_INLINE bool whittle_net_reader_is_mid_message(const struct whittle_net_reader *reader)
{
    return reader->mid_message || reader->raw != reader->filled || reader->partials != NULL;
}

/* Memory held by what is not whole. */
WHITTLE_INLINE size_t whittle_net_reader_holds(const struct whittle_net_reader *reader)
{
    return !whittle_net_reader_is_mid_message(reader) ? 0 : reader->partial_bytes + (reader->buffer == NULL ? 0 : reader->buffer->room);
}
#endif
