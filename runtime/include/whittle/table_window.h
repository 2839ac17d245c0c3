/* SPDX-License-Identifier: MIT-0 */
/* The walk through tables: its state, and how words and bytes go through the window. */
#ifndef WHITTLE_TABLE_WINDOW_H
#define WHITTLE_TABLE_WINDOW_H
#include <whittle/table.h>

/*: table_walk_window needs table put32 get32 is_memory */
#define WHITTLE_WALK_BLOCK 1024
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated on trust, where a stream does not say its room */
#endif
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif

#if WALK_STORAGE
/* What this call has hung on a part of the caller's value. */
struct whittle_walk_hung {
    char *value;
    const struct whittle_part *part;
};
#endif

struct whittle_walk {
    XDR *xdrs;
    const xdrproc_t *routines;
    int op;                 /* XDR_ENCODE, XDR_DECODE or XDR_FREE */
    char *at;               /* in the window: the stream's own memory, or the block */
    char *end;
    int memory;
#if WALK_STORAGE
    size_t owed;            /* bytes of the message that items to come take */
    size_t credit;
    int fresh;             /* the storage being filled was allocated by this call */
    int one;               /* the walk takes one part, and not those that follow */
    unsigned count, room;
    struct whittle_walk_hung *hung, first[4];
#endif
#if WALK_LEVELS
    unsigned depth;
#endif
    char block[WHITTLE_WALK_BLOCK];
};

/* A counted array is its count and a pointer. */
#define WHITTLE_DATA sizeof(void *)

WHITTLE_IN_PLACE const struct whittle_part *whittle_walk_type(const struct whittle_part *part)
{
    return part + (int32_t)part->number;
}

WHITTLE_SMALL int whittle_walk_flush(struct whittle_walk *w)
{
    const int done = w->at == w->block || XDR_PUTBYTES(w->xdrs, w->block, (u_int)(w->at - w->block));
    w->at = w->block;
    w->end = w->block + WHITTLE_WALK_BLOCK;
    return done;
}

/* Another window: room for bytes, or the next n of them, n <= WHITTLE_WALK_BLOCK. */
WHITTLE_SMALL int whittle_walk_more(struct whittle_walk *w, size_t n)
{
    if (w->memory)
        return 0;
    if (w->op == XDR_ENCODE)
        return whittle_walk_flush(w);
    w->at = (char *)XDR_INLINE(w->xdrs, (u_int)n);
    if (w->at == NULL) {
        w->at = w->block;
        if (!XDR_GETBYTES(w->xdrs, w->block, (u_int)n))
            return 0;
    }
    w->end = w->at + n;
    return 1;
}

/* Code for size has slow loops of its own in place of these. */
#if WALK_STRINGS
WHITTLE_APART size_t whittle_walk_length(const char *string)
{
    return strlen(string);
}

#endif
#if WALK_STORAGE
WHITTLE_APART void whittle_walk_clear(char *object, size_t size)
{
    memset(object, 0, size);
}

#endif
/* Moves bytes, or words of 4 or 8 bytes, in the direction of the walk. */
WHITTLE_APART int whittle_walk_move(struct whittle_walk *w, char *value, uint64_t bytes, unsigned word)
{
    while (bytes > 0) {
        size_t some = (size_t)(w->end - w->at), i;
        const char *from;
        char *to;
        if (some < word || (w->memory && some < bytes)) {
            if (!whittle_walk_more(w, bytes < WHITTLE_WALK_BLOCK ? (size_t)bytes : WHITTLE_WALK_BLOCK))
                return 0;
            some = (size_t)(w->end - w->at);
        }
        some = bytes < some ? (size_t)bytes : some & ~(size_t)(word - 1);
        from = w->op == XDR_ENCODE ? value : w->at;
        to = w->op == XDR_ENCODE ? w->at : value;
        if (word != 1 && !WHITTLE_BIG_ENDIAN) {
            for (i = 0; i + 8 <= some; i += 8) {
                uint64_t both;
                memcpy(&both, from + i, 8);
                both = __builtin_bswap64(both);
                both = word == 4 ? both << 32 | both >> 32 : both;
                memcpy(to + i, &both, 8);
            }
            if (i < some) {
                uint32_t number;
                memcpy(&number, from + i, 4);
                whittle_put32(to + i, number);
            }
        } else {
            memcpy(to, from, some);
        }
        bytes -= some;
        value += some;
        w->at += some;
    }
    return 1;
}

#if WALK_PADDED
/* Bytes and their padding. */
WHITTLE_APART int whittle_walk_bytes(struct whittle_walk *w, char *value, size_t bytes, size_t pad)
{
    const size_t there = (size_t)(w->end - w->at);
    char zeros[4] = {0, 0, 0, 0};
    if (bytes == 0 || bytes > there || pad > there - bytes)
        return whittle_walk_move(w, value, bytes, 1) && whittle_walk_move(w, zeros, pad, 1);
    if (w->op == XDR_ENCODE) {
        size_t i;
        for (i = 0; i < pad; i++)
            w->at[bytes + i] = 0;
        memcpy(w->at, value, bytes);
    } else {
        memcpy(value, w->at, bytes);
    }
    w->at += bytes + pad;
    return 1;
}

#endif
#if WALK_NUMBERS
/* A number that has another size in C than in the message. */
WHITTLE_SMALL int whittle_walk_number(struct whittle_walk *w, char *value, unsigned kind)
{
    unsigned long number = 0;
    uint32_t word = 0;
    unsigned short half = 0;
    if (w->op == XDR_ENCODE) {
        switch (kind) {
        case WHITTLE_BOOL: memcpy(&word, value, 4); word = word != 0; break;
        case WHITTLE_CHAR: word = (uint32_t)*value; break;
        case WHITTLE_UCHAR: word = (unsigned char)*value; break;
        case WHITTLE_SHORT:
        case WHITTLE_USHORT:
            memcpy(&half, value, sizeof half);
            word = kind == WHITTLE_SHORT ? (uint32_t)(short)half : half;
            break;
        default: memcpy(&number, value, sizeof number); word = (uint32_t)number; break;
        }
    }
    if (!whittle_walk_move(w, (char *)&word, 4, 4))
        return 0;
    if (w->op != XDR_DECODE)
        return 1;
    half = (unsigned short)word;
    number = kind == WHITTLE_LONG ? (unsigned long)(long)(int32_t)word : word;
    switch (kind) {
    case WHITTLE_BOOL: word = word != 0; memcpy(value, &word, 4); break;
    case WHITTLE_CHAR:
    case WHITTLE_UCHAR: *value = (char)word; break;
    case WHITTLE_SHORT:
    case WHITTLE_USHORT: memcpy(value, &half, sizeof half); break;
    default: memcpy(value, &number, sizeof number); break;
    }
    return 1;
}

#endif

/*: end_of_table_window */
#endif
