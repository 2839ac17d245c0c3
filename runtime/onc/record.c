/* SPDX-License-Identifier: MIT-0 */
/* Records out of what comes: record.h. */
#include "record.h"

enum { WHITTLE_ONC_TRUSTED = 64 * 1024, WHITTLE_ONC_EMPTY_MOST = 1024 };

void whittle_onc_reader_open(struct whittle_onc_reader *reader, struct whittle_onc_pool *pool, size_t lead, size_t longest)
{
    *reader = (struct whittle_onc_reader){.pool = pool, .lead = lead, .longest = longest};
}

void whittle_onc_reader_close(struct whittle_onc_reader *reader)
{
    whittle_onc_buffer_give(reader->pool, reader->buffer);
    *reader = (struct whittle_onc_reader){.pool = reader->pool, .lead = reader->lead, .longest = reader->longest};
}

/* The bytes that the record under way, or else the next mark, takes in all, as far as is known. */
static size_t whittle_onc_reader_wants(const struct whittle_onc_reader *reader)
{
    return reader->amid ? reader->joined - reader->begin + reader->left : 0;
}

/* What there is, at the beginning of a buffer in which it may go on. */
WHITTLE_ONC_RARE static bool whittle_onc_reader_move(struct whittle_onc_reader *reader)
{
    struct whittle_onc_buffer *const old = reader->buffer;
    const size_t record = reader->joined - reader->begin, raw = reader->filled - reader->raw;
    const size_t begin = reader->lead + (reader->amid ? WHITTLE_ONC_MARK : 0);
    const size_t least = begin + (whittle_onc_reader_wants(reader) > record + raw ? whittle_onc_reader_wants(reader) : record + raw + 512);
    struct whittle_onc_buffer *to = old;
    if (old == NULL || old->room < least || !whittle_onc_buffer_alone(old)) {
        const size_t trusted = record + raw < WHITTLE_ONC_TRUSTED / 4 ? WHITTLE_ONC_TRUSTED : 4 * (record + raw);
        to = whittle_onc_buffer_take(reader->pool, least < trusted ? least : trusted, least);
        if (to == NULL)
            return false;
    }
    if (old != NULL) {
        memmove(to->bytes + begin, old->bytes + reader->begin, record);
        memmove(to->bytes + begin + record, old->bytes + reader->raw, raw);
    }
    if (to != old)
        whittle_onc_buffer_give(reader->pool, old);
    reader->buffer = to;
    reader->begin = begin;
    reader->joined = reader->raw = begin + record;
    reader->filled = reader->raw + raw;
    return true;
}

/* The first buffer for what comes: as big as what came last, where such a one waits. */
static bool whittle_onc_reader_begin(struct whittle_onc_reader *reader)
{
    reader->buffer = whittle_onc_buffer_take(reader->pool, WHITTLE_ONC_SMALL, reader->lead + WHITTLE_ONC_MARK + reader->usual);
    reader->begin = reader->joined = reader->raw = reader->filled = reader->lead;
    return reader->buffer != NULL;
}

char *whittle_onc_reader_room(struct whittle_onc_reader *reader, size_t *room)
{
    const struct whittle_onc_buffer *const buffer = reader->buffer;
    if (buffer == NULL) {
        if (!whittle_onc_reader_begin(reader))
            return NULL;
    } else {
        const bool fits = reader->begin + whittle_onc_reader_wants(reader) <= buffer->room;
        /* The room that there is comes first: a record that grows with what arrives. */
        const bool grows = reader->amid && reader->begin <= reader->lead + WHITTLE_ONC_MARK;
        if (reader->filled == buffer->room || (!fits && !grows))
            if (!whittle_onc_reader_move(reader))
                return NULL;
    }
    *room = reader->buffer->room - reader->filled;
    return reader->buffer->bytes + reader->filled;
}

/* Nothing is left in the buffer: it begins anew, or is left to those who look at its messages. */
static void whittle_onc_reader_emptied(struct whittle_onc_reader *reader)
{
    if (reader->buffer != NULL && (reader->buffer->room > WHITTLE_ONC_SMALL || !whittle_onc_buffer_alone(reader->buffer))) {
        whittle_onc_buffer_give(reader->pool, reader->buffer);
        reader->buffer = NULL;
    }
    reader->begin = reader->joined = reader->raw = reader->filled = reader->lead;
}

/* More of the fragment under way, where there is more. */
static void whittle_onc_reader_join(struct whittle_onc_reader *reader)
{
    const size_t there = reader->filled - reader->raw, size = reader->left < there ? reader->left : there;
    char *const bytes = reader->buffer->bytes;
    if (reader->joined != reader->raw)
        memmove(bytes + reader->joined, bytes + reader->raw, size);
    reader->joined += size;
    reader->raw += size;
    reader->left -= size;
    if (reader->raw == reader->filled && reader->amid)
        reader->raw = reader->filled = reader->joined;  /* what comes next is read to where it belongs */
}

/* A mark; false: there is none yet. */
static bool whittle_onc_reader_mark(struct whittle_onc_reader *reader)
{
    if (reader->filled - reader->raw < WHITTLE_ONC_MARK)
        return false;
    const uint32_t mark = whittle_get32(reader->buffer->bytes + reader->raw);
    reader->raw += WHITTLE_ONC_MARK;
    if (!reader->amid) {
        reader->begin = reader->joined = reader->raw;
        reader->empty = 0;
    }
    reader->amid = true;
    reader->left = mark & ~WHITTLE_ONC_LAST;
    reader->last = (mark & WHITTLE_ONC_LAST) != 0;
    reader->empty += reader->left == 0;
    return true;
}

enum whittle_onc_got whittle_onc_reader_next(struct whittle_onc_reader *reader, struct whittle_onc_message *message)
{
    if (reader->buffer == NULL)
        return WHITTLE_ONC_GOT_NOTHING;
    for (;;) {
        if (!reader->amid && reader->raw == reader->filled) {
            whittle_onc_reader_emptied(reader);
            return WHITTLE_ONC_GOT_NOTHING;
        }
        if (reader->left == 0 && !whittle_onc_reader_mark(reader))
            return WHITTLE_ONC_GOT_NOTHING;
        if (reader->left > reader->longest - (reader->joined - reader->begin) || reader->empty > WHITTLE_ONC_EMPTY_MOST)
            return WHITTLE_ONC_GOT_NONSENSE;
        whittle_onc_reader_join(reader);
        if (reader->left > 0)
            return WHITTLE_ONC_GOT_NOTHING;
        if (!reader->last)
            continue;
        char *const bytes = reader->buffer->bytes;
        *message = (struct whittle_onc_message){reader->buffer, bytes + reader->begin, bytes + reader->joined};
        whittle_onc_buffer_share(reader->buffer);
        reader->usual = reader->joined - reader->begin;
        reader->begin = reader->joined = reader->raw;
        reader->amid = reader->last = false;
        return WHITTLE_ONC_GOT_MESSAGE;
    }
}
