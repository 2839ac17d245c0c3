/*
 * Writes what the linked routines make of every value to standard output, and checks that they read it back, on
 * memory streams, on record streams whose pieces are small, and on files. Two builds must write the same bytes.
 */
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20 };

/* A pipe in memory, of which one read gives no more than `piece` bytes. */
struct pipe {
    char bytes[ROOM];
    size_t written;
    size_t read;
    size_t piece;
};

static int read_pipe(void *handle, void *buffer, int size)
{
    struct pipe *pipe = handle;
    size_t count = pipe->written - pipe->read;
    count = count < (size_t) size ? count : (size_t) size;
    count = count < pipe->piece ? count : pipe->piece;
    memcpy(buffer, pipe->bytes + pipe->read, count);
    pipe->read += count;
    return count == 0 ? -1 : (int) count;
}

static int write_pipe(void *handle, void *buffer, int size)
{
    struct pipe *pipe = handle;
    memcpy(pipe->bytes + pipe->written, buffer, (size_t) size);
    pipe->written += (size_t) size;
    return size;
}

/* Writes what the fragments hold; where a record is cut into fragments is nobody's contract. */
static void write_contents(const struct pipe *pipe)
{
    size_t at = 0;
    while (at + 4 <= pipe->written) {
        const unsigned char *mark = (const unsigned char *) pipe->bytes + at;
        size_t size = (size_t) (mark[0] & 0x7f) << 24 | (size_t) mark[1] << 16 | (size_t) mark[2] << 8 | mark[3];
        fwrite(pipe->bytes + at + 4, 1, size, stdout);
        at += 4 + size;
    }
}

static void require(int condition, const char *what, unsigned seed)
{
    if (!condition) {
        fprintf(stderr, "seed %u: %s\n", seed, what);
        exit(EXIT_FAILURE);
    }
}

static void in_memory(const wide *value, unsigned seed)
{
    static char room[ROOM];
    XDR stream;
    wide copy;
    xdrmem_create(&stream, room, ROOM, XDR_ENCODE);
    require(xdr_wide(&stream, (wide *) value), "memory: encode", seed);
    u_int size = xdr_getpos(&stream);
    fwrite(room, 1, size, stdout);
    require(xdr_sizeof((xdrproc_t) xdr_wide, (wide *) value) == size, "memory: xdr_sizeof", seed);

    memset(&copy, 0, sizeof copy);
    xdrmem_create(&stream, room, size, XDR_DECODE);
    require(xdr_wide(&stream, &copy) && xdr_getpos(&stream) == size, "memory: decode", seed);
    require(same_wide(value, &copy), "memory: another value", seed);
    xdr_free((xdrproc_t) xdr_wide, (char *) &copy);

    /* Cut short anywhere, it is refused, and nothing is left allocated. */
    for (u_int cut = 0; cut < size; cut += cut < 64 ? 4 : 4 * (1 + size / 400)) {
        memset(&copy, 0, sizeof copy);
        xdrmem_create(&stream, room, cut, XDR_DECODE);
        require(!xdr_wide(&stream, &copy), "memory: reads more than there is", seed);
        xdr_free((xdrproc_t) xdr_wide, (char *) &copy);
    }
    for (u_int cut = 0; cut < size; cut += cut < 64 ? 4 : 4 * (1 + size / 100)) {
        xdrmem_create(&stream, room, cut, XDR_ENCODE);
        require(!xdr_wide(&stream, (wide *) value), "memory: writes more than fits", seed);
    }
}

static void in_records(const wide *value, unsigned seed, u_int fragment, size_t piece)
{
    static struct pipe pipe;
    XDR stream;
    wide copy;
    pipe.written = pipe.read = 0;
    pipe.piece = piece;
    memset(&stream, 0, sizeof stream);
    xdrrec_create(&stream, fragment, fragment, &pipe, read_pipe, write_pipe);
    stream.x_op = XDR_ENCODE;
    require(xdr_wide(&stream, (wide *) value) && xdrrec_endofrecord(&stream, TRUE), "records: encode", seed);
    write_contents(&pipe);

    memset(&copy, 0, sizeof copy);
    stream.x_op = XDR_DECODE;
    require(xdrrec_skiprecord(&stream) && xdr_wide(&stream, &copy), "records: decode", seed);
    require(same_wide(value, &copy), "records: another value", seed);
    xdr_free((xdrproc_t) xdr_wide, (char *) &copy);
    xdr_destroy(&stream);
}

static void in_files(const wide *value, unsigned seed)
{
    XDR stream;
    wide copy;
    FILE *file = tmpfile();
    require(file != NULL, "files: tmpfile", seed);
    xdrstdio_create(&stream, file, XDR_ENCODE);
    require(xdr_wide(&stream, (wide *) value), "files: encode", seed);
    rewind(file);
    memset(&copy, 0, sizeof copy);
    xdrstdio_create(&stream, file, XDR_DECODE);
    require(xdr_wide(&stream, &copy), "files: decode", seed);
    require(same_wide(value, &copy), "files: another value", seed);
    xdr_free((xdrproc_t) xdr_wide, (char *) &copy);
    fclose(file);
}

int main(void)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        wide value;
        make_wide(&value, seed);
        in_memory(&value, seed);
        in_records(&value, seed, 0, ROOM);
        in_records(&value, seed, 104, 7);
        in_files(&value, seed);
        xdr_free((xdrproc_t) xdr_wide, (char *) &value);
    }
    return EXIT_SUCCESS;
}
