/* SPDX-License-Identifier: MIT-0 */
/* Every kind of XDR stream over one buffer. */
#ifndef STREAMS_H
#define STREAMS_H
#include <rpc/rpc.h>
#include <stdio.h>

enum stream_kind {
    STREAM_MEMORY,
    STREAM_UNALIGNED,   /* memory at an odd address */
    STREAM_RECORD,      /* TCP's, read and written by random short pieces */
    STREAM_STDIO,
    STREAM_OWN,         /* a user's own operations; x_inline works now and then */
    STREAM_NO_INLINE,   /* a user's own operations; x_inline never works */
    STREAM_KINDS
};

struct stream {
    XDR xdrs;
    enum stream_kind kind;
    char *buffer;       /* exactly `size` bytes, so that sanitizers see what lies outside */
    size_t size, at;    /* for records: of the transport */
    unsigned state;     /* of its own random numbers */
    FILE *file;
    char *storage;
};

const char *stream_name(enum stream_kind);
void stream_write_begin(struct stream *, enum stream_kind, size_t room, unsigned seed);
/* Ends the record, flushes; returns how many payload bytes there are now in `payload` (malloc'ed). */
size_t stream_write_end(struct stream *, char **payload);
/* `total`: the payload size from which a record stream's fragments are cut; bytes from `there` on never arrive. */
void stream_read_begin(struct stream *, enum stream_kind, const char *payload, size_t there, unsigned seed);
void stream_read_end(struct stream *);

#endif
