#include <whittle/specialize.h>
#include <string.h>
#include "unpack.h"

WHITTLE_SPECIALIZE
int read_entry(const unsigned char *data, size_t size, struct entry *entry)
{
    union unpacked values[6];
    if (unpack("<I2H2xQi4s", data, size, values, 6) != 6)
        return 0;
    entry->number = (uint32_t)values[0].number;
    entry->kind = (uint16_t)values[1].number;
    entry->flags = (uint16_t)values[2].number;
    entry->offset = values[3].number;
    entry->delta = (int32_t)values[4].integer;
    memcpy(entry->tag, values[5].bytes, 4);
    return 1;
}
