#include <string.h>
#include "unpack.h"

static uint16_t two(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t four(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

int read_entry(const unsigned char *data, size_t size, struct entry *entry)
{
    if (size < 26)
        return 0;
    entry->number = four(data);
    entry->kind = two(data + 4);
    entry->flags = two(data + 6);
    entry->offset = four(data + 10) | (uint64_t)four(data + 14) << 32;
    entry->delta = (int32_t)four(data + 18);
    memcpy(entry->tag, data + 22, 4);
    return 1;
}
