/*
 * Writes what the linked routines make of every value to standard output, and checks that they read it back, on a
 * stream of its own: nothing of libtirpc's is needed, so that it runs where there is none (ALONE), on big-endian and
 * on 32-bit machines. Every other value goes through a stream that never offers its buffer (`x_inline`).
 */
#include "values.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

static bool_t get_bytes(XDR *stream, char *to, u_int size)
{
    if (size > stream->x_handy)
        return FALSE;
    memcpy(to, stream->x_private, size);
    stream->x_private = (char *) stream->x_private + size;
    stream->x_handy -= size;
    return TRUE;
}

static bool_t put_bytes(XDR *stream, const char *from, u_int size)
{
    if (size > stream->x_handy)
        return FALSE;
    memcpy(stream->x_private, from, size);
    stream->x_private = (char *) stream->x_private + size;
    stream->x_handy -= size;
    return TRUE;
}

static bool_t get_long(XDR *stream, long *to)
{
    uint32_t word;
    if (!get_bytes(stream, (char *) &word, sizeof word))
        return FALSE;
    *to = (long) ntohl(word); /* Without a sign, as libtirpc's. */
    return TRUE;
}

static bool_t put_long(XDR *stream, const long *from)
{
    uint32_t word = htonl((uint32_t) *from);
    return put_bytes(stream, (const char *) &word, sizeof word);
}

static u_int position(XDR *stream) { return (u_int) ((char *) stream->x_private - (char *) stream->x_base); }

static bool_t no_position(XDR *stream, u_int to)
{
    (void) stream;
    (void) to;
    return FALSE;
}

static int32_t *offer(XDR *stream, u_int size)
{
    int32_t *here = stream->x_private;
    if (size > stream->x_handy)
        return NULL;
    stream->x_private = (char *) stream->x_private + size;
    stream->x_handy -= size;
    return here;
}

static int32_t *offer_nothing(XDR *stream, u_int size)
{
    (void) stream;
    (void) size;
    return NULL;
}

static void leave(XDR *stream) { (void) stream; }

static bool_t control(XDR *stream, int request, void *answer)
{
    (void) stream;
    (void) request;
    (void) answer;
    return FALSE;
}

static const struct xdr_ops offering = {get_long,    put_long, get_bytes, put_bytes, position,
                                        no_position, offer,    leave,     control};
static const struct xdr_ops copying = {get_long,    put_long,      get_bytes, put_bytes, position,
                                       no_position, offer_nothing, leave,     control};

static void start(XDR *stream, enum xdr_op op, unsigned seed, char *room, u_int size)
{
    memset(stream, 0, sizeof *stream);
    stream->x_op = op;
    stream->x_ops = seed % 2 == 0 ? &offering : &copying;
    stream->x_private = stream->x_base = room;
    stream->x_handy = size;
}

static void require(int condition, const char *what, unsigned seed)
{
    if (!condition) {
        fprintf(stderr, "seed %u: %s\n", seed, what);
        exit(EXIT_FAILURE);
    }
}

#ifdef ALONE
void xdrmem_create(XDR *stream, char *room, u_int size, enum xdr_op op) { start(stream, op, 0, room, size); }
#endif

int main(void)
{
    static char room[ROOM];
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        wide value, copy;
        XDR stream;
        make_wide(&value, seed);
        start(&stream, XDR_ENCODE, seed, room, ROOM);
        require(xdr_wide(&stream, &value), "encode", seed);
        u_int size = position(&stream);
        fwrite(room, 1, size, stdout);

        memset(&copy, 0, sizeof copy);
        start(&stream, XDR_DECODE, seed, room, size);
        require(xdr_wide(&stream, &copy) && position(&stream) == size, "decode", seed);
        require(same_wide(&value, &copy), "another value", seed);
        start(&stream, XDR_FREE, seed, NULL, 0);
        require(xdr_wide(&stream, &copy) && xdr_wide(&stream, &value), "free", seed);

        for (u_int cut = 0; cut < size; cut += cut < 64 ? 4 : 4 * (1 + size / 400)) {
            memset(&copy, 0, sizeof copy);
            start(&stream, XDR_DECODE, seed, room, cut);
            require(!xdr_wide(&stream, &copy), "reads more than there is", seed);
            start(&stream, XDR_FREE, seed, NULL, 0);
            require(xdr_wide(&stream, &copy), "free a part", seed);
        }
    }
    return EXIT_SUCCESS;
}
