/* SPDX-License-Identifier: MIT-0 */
/*
 * Cuts what comes over a connection into records (RFC 5531, section 11). A record of one fragment stays where it was read; the
 * fragments of others are moved together. Room for a long record is made as its bytes arrive, not as its marks promise.
 */
#ifndef WHITTLE_ONC_RECORD_H
#define WHITTLE_ONC_RECORD_H
#include "buffer.h"

/* A message, in its buffer, which its holder is to give back. */
struct whittle_onc_message {
    struct whittle_onc_buffer *buffer;
    char *base, *end;
};

struct whittle_onc_reader {
    struct whittle_onc_pool *pool;
    struct whittle_onc_buffer *buffer;  /* NULL: nothing is in it */
    size_t lead;                        /* where the first mark stands */
    size_t begin, joined;               /* the record under way, as far as it is put together */
    size_t raw, filled;                 /* what came and was not looked at */
    size_t left;                        /* bytes of the fragment under way that are still to come */
    size_t longest, usual;              /* a record may be; the last one was */
    uint32_t empty;                     /* fragments of the record under way */
    bool amid, last;                    /* a record is under way; the fragment under way is its last */
};

enum whittle_onc_got { WHITTLE_ONC_GOT_NOTHING, WHITTLE_ONC_GOT_MESSAGE, WHITTLE_ONC_GOT_NONSENSE };
void whittle_onc_reader_open(struct whittle_onc_reader *reader, struct whittle_onc_pool *pool, size_t lead, size_t longest);
void whittle_onc_reader_close(struct whittle_onc_reader *reader);
/* Where to read to, and how much; NULL: no memory. */
char *whittle_onc_reader_room(struct whittle_onc_reader *reader, size_t *room);
/* So much came. */
WHITTLE_INLINE void whittle_onc_reader_came(struct whittle_onc_reader *reader, size_t size)
{
    reader->filled += size;
}
enum whittle_onc_got whittle_onc_reader_next(struct whittle_onc_reader *reader, struct whittle_onc_message *message);
/* Bytes of the record under way that are known to come; 0: none is. */
WHITTLE_INLINE size_t whittle_onc_reader_expects(const struct whittle_onc_reader *reader)
{
    return reader->left - (reader->left < reader->filled - reader->raw ? reader->left : reader->filled - reader->raw);
}
/* Something has begun to come and is not whole. */
WHITTLE_INLINE bool whittle_onc_reader_is_amid(const struct whittle_onc_reader *reader)
{
    return reader->amid || reader->raw != reader->filled;
}
#endif
