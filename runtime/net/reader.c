/* SPDX-License-Identifier: MIT-0 */
/* Room for what comes: reader.h. */
#include "reader.h"

enum { WHITTLE_NET_TRUSTED = 64 * 1024 };   /* bytes of room that a header's word alone is worth */

void whittle_net_reader_open(struct whittle_net_reader *reader, struct whittle_net_pool *pool, size_t lead, size_t keep, size_t longest)
{
    *reader = (struct whittle_net_reader){.pool = pool, .lead = lead, .keep = keep, .longest = longest};
}

void whittle_net_reader_close(struct whittle_net_reader *reader)
{
    whittle_net_buffer_give(reader->pool, reader->buffer);
    whittle_net_reader_open(reader, reader->pool, reader->lead, reader->keep, reader->longest);
}

/* The bytes that the message under way takes in all, as far as is known. */
static size_t whittle_net_reader_wants(const struct whittle_net_reader *reader)
{
    return reader->mid_message ? reader->joined - reader->begin + reader->left : 0;
}

static size_t whittle_net_larger(size_t one, size_t other)
{
    return one > other ? one : other;
}

/* A buffer for `have` bytes and more: what is expected, as far as it is trusted; twice what is there, where that is more. */
static struct whittle_net_buffer *whittle_net_reader_take(struct whittle_net_reader *reader, size_t begin, size_t have)
{
    enum { MORE = 512 };
    const size_t wants = begin + whittle_net_larger(whittle_net_reader_wants(reader), have + MORE);
    const size_t trusted = begin + whittle_net_larger(WHITTLE_NET_TRUSTED, 4 * have);
    const size_t most = begin + reader->longest + WHITTLE_NET_TRUSTED;
    /* A message of many pieces says nothing of its size: it grows geometrically. */
    const bool open_end = reader->mid_message && !reader->last;
    const size_t grown = open_end ? whittle_net_larger(wants, begin + 2 * have) : wants;
    const size_t least = grown < trusted ? grown : trusted;
    const size_t bounded = whittle_net_larger(least < most ? least : most, begin + have + MORE);
    return whittle_net_buffer_take(reader->pool, bounded, whittle_net_larger(bounded, wants < most ? wants : most));
}

/* What there is, at the beginning of a buffer in which it may go on. */
WHITTLE_NET_COLD static bool whittle_net_reader_move(struct whittle_net_reader *reader)
{
    struct whittle_net_buffer *const old = reader->buffer;
    const size_t message = reader->joined - reader->begin, raw = reader->filled - reader->raw, have = message + raw;
    const size_t begin = reader->lead + (reader->mid_message ? reader->keep : 0);
    struct whittle_net_buffer *to = old;
    const bool fits = old != NULL && whittle_net_buffer_alone(old) && reader->begin >= begin + have
        && old->room - begin >= whittle_net_larger(whittle_net_reader_wants(reader), have + 512);
    if (!fits) {
        to = whittle_net_reader_take(reader, begin, have);
        if (to == NULL)
            return false;
    }
    if (old != NULL) {
        memmove(to->bytes + begin, old->bytes + reader->begin, message);
        memmove(to->bytes + begin + message, old->bytes + reader->raw, raw);
    }
    if (to != old)
        whittle_net_buffer_give(reader->pool, old);
    reader->buffer = to;
    reader->begin = begin;
    reader->joined = reader->raw = begin + message;
    reader->filled = reader->raw + raw;
    return true;
}

/* The first buffer for what comes: as big as what came last, where such a one waits. */
static bool whittle_net_reader_begin(struct whittle_net_reader *reader)
{
    reader->buffer = whittle_net_buffer_take(reader->pool, WHITTLE_NET_SMALL, reader->lead + reader->keep + reader->usual);
    reader->begin = reader->joined = reader->raw = reader->filled = reader->lead;
    return reader->buffer != NULL;
}

WHITTLE_NET_HOT char *whittle_net_reader_room(struct whittle_net_reader *reader, size_t *room)
{
    const struct whittle_net_buffer *const buffer = reader->buffer;
    if (buffer == NULL) {
        if (!whittle_net_reader_begin(reader))
            return NULL;
    } else {
        const bool fits = reader->begin + whittle_net_reader_wants(reader) <= buffer->room;
        /* The room that there is comes first: a message that grows with what arrives. */
        const bool grows = reader->mid_message && reader->begin <= reader->lead + reader->keep;
        if ((reader->filled == buffer->room || (!fits && !grows)) && !whittle_net_reader_move(reader))
            return NULL;
    }
    *room = reader->buffer->room - reader->filled;
    return reader->buffer->bytes + reader->filled;
}

static void whittle_net_reader_anew(struct whittle_net_reader *reader)
{
    reader->begin = reader->joined = reader->raw = reader->filled = reader->lead;
}

WHITTLE_NET_HOT void whittle_net_reader_emptied(struct whittle_net_reader *reader)
{
    if (reader->buffer != NULL && (reader->buffer->room > WHITTLE_NET_SMALL || !whittle_net_buffer_alone(reader->buffer))) {
        whittle_net_buffer_give(reader->pool, reader->buffer);
        reader->buffer = NULL;
    }
    whittle_net_reader_anew(reader);
}

void whittle_net_reader_idle(struct whittle_net_reader *reader)
{
    if (whittle_net_reader_is_mid_message(reader))
        return;
    whittle_net_buffer_give(reader->pool, reader->buffer);
    reader->buffer = NULL;
    whittle_net_reader_anew(reader);
}
