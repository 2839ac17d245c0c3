#include <stdlib.h>
#include <string.h>
#include "block.h"

enum { BLOCKS = 16 };
static char packed[BLOCKS][MOST], block[BLOCK];
static int sizes[BLOCKS];

/* Literals and copies at random, as LZ4 has them: a byte with both lengths, longer lengths in bytes of their own, a distance. */
static int pack(char *into, char *end)
{
    char *at = into;
    int done = 0;
    while (end - at > 100 && done < BLOCK - 60) {
        int literals = rand() % 4 ? rand() % 15 : 15 + rand() % 10, copied = rand() % 5 ? rand() % 15 : 15 + rand() % 10;
        if (done == 0 && literals == 0)
            literals = 1;
        *at++ = (char)((literals < 15 ? literals : 15) << 4 | (copied < 15 ? copied : 15));
        if (literals >= 15)
            *at++ = (char)(literals - 15);
        for (int i = 0; i < literals; i++)
            *at++ = (char)rand();
        done += literals;
        const int distance = 1 + rand() % done;
        *at++ = (char)(distance & 255);
        *at++ = (char)(distance >> 8);
        if (copied >= 15)
            *at++ = (char)(copied - 15);
        done += copied + 4;
    }
    *at++ = (char)(12 << 4);
    for (int i = 0; i < 12; i++)
        *at++ = (char)rand();
    return (int)(at - into);
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < BLOCKS; n++) {
        sizes[n] = pack(packed[n], packed[n] + MOST);
        if (rand() % 8 == 0)
            sizes[n] -= rand() % 20;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < BLOCKS; n++) {
        const int size = unpack_block(packed[n], sizes[n], block);
        sum = 31 * sum + (unsigned long)size;
        for (int i = 0; i < size; i++)
            sum = 31 * sum + (unsigned char)block[i];
    }
    return sum;
}
