/* SPDX-License-Identifier: MIT-0 */
#include "streams.h"
#include <stdlib.h>
#include <string.h>

static unsigned any(struct stream *s, unsigned below)
{
    s->state = s->state * 1664525u + 1013904223u;
    return (s->state >> 8) % below;
}

const char *stream_name(enum stream_kind kind)
{
    static const char *const names[] = {"memory", "unaligned", "record", "stdio", "own", "no_inline"};
    return names[kind];
}

static struct stream *own(XDR *xdrs)
{
    return (struct stream *)xdrs->x_private;
}

static bool_t own_get(XDR *xdrs, char *to, u_int n)
{
    struct stream *const s = own(xdrs);
    if (n > s->size - s->at)
        return FALSE;
    memcpy(to, s->buffer + s->at, n);
    s->at += n;
    return TRUE;
}

static bool_t own_put(XDR *xdrs, const char *from, u_int n)
{
    struct stream *const s = own(xdrs);
    if (n > s->size - s->at)
        return FALSE;
    memcpy(s->buffer + s->at, from, n);
    s->at += n;
    return TRUE;
}

static bool_t own_getlong(XDR *xdrs, long *word)
{
    uint32_t big;
    if (!own_get(xdrs, (char *)&big, 4))
        return FALSE;
    *word = (int32_t)ntohl(big);
    return TRUE;
}

static bool_t own_putlong(XDR *xdrs, const long *word)
{
    const uint32_t big = htonl((uint32_t)*word);
    return own_put(xdrs, (const char *)&big, 4);
}

static u_int own_position(XDR *xdrs)
{
    return (u_int)own(xdrs)->at;
}

static bool_t own_move(XDR *xdrs, u_int to)
{
    (void)xdrs;
    (void)to;
    abort();    /* the runtime never moves a stream */
}

static int32_t *own_inline(XDR *xdrs, u_int n)
{
    struct stream *const s = own(xdrs);
    if (s->kind == STREAM_NO_INLINE || n > s->size - s->at || any(s, 2) == 0)
        return NULL;
    s->at += n;
    return (int32_t *)(void *)(s->buffer + s->at - n);
}

static const struct xdr_ops own_operations = {own_getlong,  own_putlong, own_get, own_put, own_position,
                                              own_move,     own_inline,  NULL,    NULL};

static int transport_read(void *handle, void *to, int n)
{
    struct stream *const s = (struct stream *)handle;
    const size_t left = s->size - s->at;
    size_t piece = 1 + any(s, 700);
    piece = piece < (size_t)n ? piece : (size_t)n;
    piece = piece < left ? piece : left;
    memcpy(to, s->buffer + s->at, piece);
    s->at += piece;
    return piece == 0 ? -1 : (int)piece;
}

static int transport_write(void *handle, void *from, int n)
{
    struct stream *const s = (struct stream *)handle;
    if ((size_t)n > s->size - s->at)
        return -1;
    memcpy(s->buffer + s->at, from, (size_t)n);
    s->at += (size_t)n;
    return n;
}

static void begin(struct stream *s, enum stream_kind kind, size_t size, unsigned seed)
{
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->state = seed;
    s->size = size;
    s->storage = malloc(size + 1);
    s->buffer = s->storage + (kind == STREAM_UNALIGNED);
}

static void create(struct stream *s, enum xdr_op op)
{
    switch (s->kind) {
    case STREAM_MEMORY:
    case STREAM_UNALIGNED:
        xdrmem_create(&s->xdrs, s->buffer, (u_int)s->size, op);
        break;
    case STREAM_RECORD:
        xdrrec_create(&s->xdrs, 100 + any(s, 9000), 100 + any(s, 9000), s, transport_read, transport_write);
        s->xdrs.x_op = op;
        break;
    case STREAM_STDIO:
        s->file = tmpfile();
        xdrstdio_create(&s->xdrs, s->file, op);
        break;
    default:
        s->xdrs.x_op = op;
        s->xdrs.x_ops = &own_operations;
        s->xdrs.x_private = s;
        break;
    }
}

void stream_write_begin(struct stream *s, enum stream_kind kind, size_t room, unsigned seed)
{
    /* A record stream adds four bytes per fragment. */
    begin(s, kind, kind == STREAM_RECORD ? room + room / 8 + 4000 : room, seed);
    create(s, XDR_ENCODE);
}

/* Takes the fragment headers out. */
static size_t unframe(const char *from, size_t size, char *to)
{
    size_t n = 0;
    for (size_t i = 0; i + 4 <= size;) {
        uint32_t header;
        memcpy(&header, from + i, 4);
        header = ntohl(header) & 0x7fffffff;
        memcpy(to + n, from + i + 4, header);
        n += header;
        i += 4 + header;
    }
    return n;
}

size_t stream_write_end(struct stream *s, char **payload)
{
    char *const bytes = malloc(s->size + 1);
    size_t n = s->at;
    if (s->kind == STREAM_RECORD) {
        xdrrec_endofrecord(&s->xdrs, TRUE);
        n = unframe(s->buffer, s->at, bytes);
    } else if (s->kind == STREAM_STDIO) {
        fflush(s->file);
        rewind(s->file);
        n = fread(bytes, 1, s->size, s->file);
    } else {
        if (s->kind == STREAM_MEMORY || s->kind == STREAM_UNALIGNED)
            n = XDR_GETPOS(&s->xdrs);
        memcpy(bytes, s->buffer, n);
    }
    *payload = bytes;
    stream_read_end(s);
    return n;
}

/* Random fragments, none empty, which libtirpc refuses; the last one is marked so, and may promise more than arrives. */
static size_t frame(struct stream *s, const char *payload, size_t n, char *to)
{
    size_t size = 0;
    do {
        size_t piece = any(s, 3) == 0 ? n : 4 + 4 * (size_t)any(s, 400);
        piece = piece < n ? piece : n;
        const uint32_t header = htonl((uint32_t)piece | (piece == n ? 0x80000000u : 0));
        memcpy(to + size, &header, 4);
        memcpy(to + size + 4, payload, piece);
        payload += piece;
        size += 4 + piece;
        n -= piece;
    } while (n > 0);
    return size;
}

void stream_read_begin(struct stream *s, enum stream_kind kind, const char *payload, size_t there, unsigned seed)
{
    if (kind == STREAM_RECORD) {
        begin(s, kind, 2 * there + 4000 + 4 * there, seed);
        s->size = frame(s, payload, there, s->buffer);
        create(s, XDR_DECODE);
        xdrrec_skiprecord(&s->xdrs);
        return;
    }
    begin(s, kind, there, seed);
    memcpy(s->buffer, payload, there);
    create(s, XDR_DECODE);
    if (kind == STREAM_STDIO) {
        fwrite(payload, 1, there, s->file);
        rewind(s->file);
    }
}

void stream_read_end(struct stream *s)
{
    XDR_DESTROY(&s->xdrs);
    if (s->file != NULL)
        fclose(s->file);
    free(s->storage);
}
