/*
 * Messages that are one run of words: every count in every room, beside a bound, with and without items. What is written is
 * what libtirpc's own routines write; where nothing can be written, nothing has happened.
 */
#include <whittle/entry.h>
#include <stdio.h>

enum { MOST = 70, BOUND = 66, ROOM = 4 + 8 * MOST };

typedef int marshal(XDR *, const void *, uint32_t, uint32_t, uint32_t);

static struct { const char *name; marshal *run; xdrproc_t word; uint32_t size; } widths[] = {
    {"32", whittle_marshal_run32, (xdrproc_t)(void (*)(void))xdr_int, 4},
    {"64", whittle_marshal_run64, (xdrproc_t)(void (*)(void))xdr_longlong_t, 8},
};

static int failures;

static void check(int right, const char *width, unsigned count, unsigned room, const char *what)
{
    if (right)
        return;
    printf("run%s: %u words in %u bytes: %s\n", width, count, room, what);
    failures++;
}

/* One message, in a buffer of exactly `room` bytes so that sanitizers see what is written beside it. */
static void one(unsigned width, unsigned count, unsigned room, const char *items)
{
    const char *const name = widths[width].name;
    const uint32_t size = widths[width].size;
    char *const given = (char *)malloc(room + 1), *const wanted = (char *)malloc(ROOM + 4);
    char *copy = (char *)(uintptr_t)items;
    u_int length = count;
    XDR stream, reference;
    xdrmem_create(&stream, given, room, XDR_ENCODE);
    xdrmem_create(&reference, wanted, ROOM + 4, XDR_ENCODE);
    const bool fits = items != NULL && count <= BOUND && room >= 4 + count * size;
    const bool done = widths[width].run(&stream, items, count, BOUND, size);
    check(done == fits, name, count, room, done ? "written" : "not written");
    if (done && xdr_array(&reference, &copy, &length, MOST, size, widths[width].word)) {
        check(XDR_GETPOS(&stream) == XDR_GETPOS(&reference), name, count, room, "the stream stands elsewhere");
        check(memcmp(given, wanted, 4 + (size_t)count * size) == 0, name, count, room, "other bytes");
    }
    check(done || XDR_GETPOS(&stream) == 0, name, count, room, "the stream has moved");
    free(given);
    free(wanted);
}

int main(void)
{
    static long long items[MOST];
    for (unsigned i = 0; i < MOST; i++)
        items[i] = (long long)(i * 0x0102030405060708ull);
    /* The first sight of a memory stream is not enough; from then on it is known. */
    XDR stream;
    xdrmem_create(&stream, (char *)items, 8, XDR_DECODE);
    if (!whittle_is_memory(&stream)) {
        puts("memory streams are not known");
        return 1;
    }
    for (unsigned width = 0; width < 2; width++)
        for (unsigned count = 0; count <= MOST; count++) {
            for (unsigned room = 0; room <= 8 + count * widths[width].size; room += 4)
                one(width, count, room, (const char *)items);
            one(width, count, ROOM, NULL);
        }
    return failures != 0;
}
