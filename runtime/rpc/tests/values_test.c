/* Values of every kind: the same bytes as libtirpc's, read by either library, from memory and files; damaged, never more than refused. */
#include "values.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096 };

static void same_bytes(void)
{
    char ours[ROOM], theirs[ROOM];
    bool decoded;
    const size_t size = ours_encode(ours, ROOM);
    CHECK(size > 150 && theirs_encode(theirs, ROOM) == size && memcmp(ours, theirs, size) == 0);
    CHECK(ours_decode(theirs, size, &decoded) && theirs_decode(ours, size, &decoded));
    for (size_t room = 0; room < size; room++) {
        CHECK(ours_encode(ours, room) == 0);
        CHECK(!ours_decode(theirs, room, &decoded) && !decoded);
    }
}

static void same_files(void)
{
    bool decoded;
    FILE *const file = tmpfile();
    CHECK(file != NULL && ours_encode_to_file(file) > 150);
    rewind(file);
    CHECK(theirs_decode_file(file, &decoded));
    rewind(file);
    CHECK(theirs_encode_to_file(file) > 150);
    rewind(file);
    CHECK(ours_decode_file(file, &decoded));
    fclose(file);
}

/* Each byte with each bit changed: what one library refuses the other does, but for memory that ours does not take on trust. */
static void damaged(void)
{
    char good[ROOM], bad[ROOM];
    const size_t size = ours_encode(good, ROOM);
    for (size_t at = 0; at < size; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bool ours, theirs;
            memcpy(bad, good, size);
            bad[at] ^= (char)(1u << bit);
            ours_decode(bad, size, &ours);
            theirs_decode(bad, size, &theirs);
            CHECK(ours == theirs);
        }
}

int main(void)
{
    same_bytes();
    same_files();
    damaged();
    puts("values: ok");
    return 0;
}
