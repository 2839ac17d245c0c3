/*
 * How fast the linked stubs turn a listing into bytes and back.
 *
 *     timing encode|decode ENTRIES      prints megabytes per second; decoding releases what it made
 *
 * One source, linked once with rpcgen's routines and once with whittle's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "directory.h"

/* Long enough to measure, short enough to take turns with the other program. */
static const double SECONDS_LEAST = 0.02;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static void make_listing(listing *value, u_int entries)
{
    memset(value, 0, sizeof *value);
    value->listing_u.entries.direntseq_len = entries;
    value->listing_u.entries.direntseq_val = calloc(entries, sizeof(direntry));
    for (u_int at = 0; at < entries; at++) {
        direntry *entry = &value->listing_u.entries.direntseq_val[at];
        char name[64];
        snprintf(name, sizeof name, "file-%u-of-the-directory", at);
        entry->name = strdup(name);
        for (int word = 0; word < 30; word++)
            entry->info.words[word] = (int) (at * 31 + (u_int) word);
    }
}

static void require(bool_t done, const char *what)
{
    if (!done) {
        fprintf(stderr, "timing: cannot %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static u_int encode(listing *value, char *buffer, u_int size)
{
    XDR stream;
    xdrmem_create(&stream, buffer, size, XDR_ENCODE);
    require(xdr_listing(&stream, value), "encode");
    return xdr_getpos(&stream);
}

static void decode(char *buffer, u_int size)
{
    XDR stream;
    listing value;
    memset(&value, 0, sizeof value);
    xdrmem_create(&stream, buffer, size, XDR_DECODE);
    require(xdr_listing(&stream, &value), "decode");
    xdr_free((xdrproc_t) xdr_listing, (char *) &value);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: timing encode|decode ENTRIES\n");
        return EXIT_FAILURE;
    }
    int encodes = strcmp(arguments[1], "encode") == 0;
    u_int entries = (u_int) atoi(arguments[2]);
    u_int room = 64 + entries * 256;
    char *buffer = malloc(room);
    listing value;
    make_listing(&value, entries);
    require(buffer != NULL && value.listing_u.entries.direntseq_val != NULL, "allocate");

    u_int size = encode(&value, buffer, room);
    decode(buffer, size);
    double bytes = 0, start = now(), elapsed = 0;
    while (elapsed < SECONDS_LEAST) {
        for (int turn = 0; turn < 16; turn++) {
            if (encodes)
                encode(&value, buffer, room);
            else
                decode(buffer, size);
            bytes += size;
        }
        elapsed = now() - start;
    }
    printf("%.0f\n", bytes / elapsed / 1e6);
    return EXIT_SUCCESS;
}
