#include <arpa/inet.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include "record.h"

enum { FIXED = 4 * 7 };     /* words of the samples: they lie one after the other in the structure too */

static inline void swap(void *to, const void *from, u_int words)
{
    for (u_int i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, (const char *)from + 4 * i, 4);
        word = htonl(word);
        memcpy((char *)to + 4 * i, &word, 4);
    }
}

bool_t encode(char *buffer, struct record *record)
{
    uint64_t factor;
    const int calibrated = record->calibrated != 0;
    swap(buffer, &record->station, 1);
    swap(buffer + 4, &calibrated, 1);
    memcpy(&factor, &record->factor, 8);
    factor = htobe64(factor);
    memcpy(buffer + 8, &factor, 8);
    swap(buffer + 16, record->sample, FIXED);
    const u_int count = record->values.count;
    swap(buffer + 128, &count, 1);
    if (count > MOST)
        return FALSE;
    swap(buffer + 132, record->values.value, count);
    return TRUE;
}

bool_t decode(char *buffer, struct record *record)
{
    uint64_t factor;
    u_int count;
    swap(&record->station, buffer, 1);
    swap(&record->calibrated, buffer + 4, 1);
    record->calibrated = record->calibrated != 0;
    memcpy(&factor, buffer + 8, 8);
    factor = be64toh(factor);
    memcpy(&record->factor, &factor, 8);
    swap(record->sample, buffer + 16, FIXED);
    swap(&count, buffer + 128, 1);
    record->values.count = count;
    if (count > MOST)
        return FALSE;
    if (record->values.value == NULL) {
        if (count == 0)
            return TRUE;
        record->values.value = malloc(count * sizeof(int));
        if (record->values.value == NULL)
            return FALSE;
    }
    swap(record->values.value, buffer + 132, count);
    return TRUE;
}
