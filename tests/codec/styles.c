/* SPDX-License-Identifier: MIT-0 */
/*
 * What another style encoded, in this one: the bytes of a file are a value, which withstands all that values must, and has the same
 * bytes again. -DHEADER="values.h" -DT=everything
 */
#include HEADER
#include "check.h"

#define DEFINE(T) DEFINE_CHECK(T, T)
DEFINE(T)
#define JOINED(one, two) one##two
#define NAMED(one, two) JOINED(one, two)

int main(int argc, char **argv)
{
    static char bytes[65536], again[65536];
    size_t size, written;
    T value;
    CHECK(argc == 2);
    FILE *const file = fopen(argv[1], "rb");
    CHECK(file != NULL);
    size = fread(bytes, 1, sizeof bytes, file);
    CHECK(fclose(file) == 0);
    CHECK(NAMED(T, _decode)(&value, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK);
    CHECK(NAMED(T, _encode)(&value, again, sizeof again, &written) == WHITTLE_CODEC_OK);
    CHECK(written == size && memcmp(bytes, again, size) == 0);
    NAMED(check_, T)(&value);
    CHECK(NAMED(T, _print)(&value, stdout));
    NAMED(T, _free)(&value);
    return 0;
}
