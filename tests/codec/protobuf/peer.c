/* SPDX-License-Identifier: MIT-0 */
/* protobuf-c reads every message of a file, each behind its length, and writes the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "values.pb-c.h"

static uint8_t bytes[1 << 16], again[1 << 16];

int main(int argc, char **argv)
{
    FILE *const file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    unsigned char head[4];
    int count = 0;
    while (file != NULL && fread(head, 1, 4, file) == 4) {
        const size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16;
        if (fread(bytes, 1, size, file) != size)
            return 1;
        Everything *const message = everything__unpack(NULL, size, bytes);
        if (message == NULL || everything__get_packed_size(message) != size) {
            fprintf(stderr, "message %d: protobuf-c reads another\n", count);
            return 1;
        }
        if (everything__pack(message, again) != size || memcmp(bytes, again, size) != 0) {
            fprintf(stderr, "message %d: protobuf-c writes other bytes\n", count);
            return 1;
        }
        everything__free_unpacked(message, NULL);
        count++;
    }
    return count == 400 ? 0 : 1;
}
