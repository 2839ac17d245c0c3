#include <stdlib.h>
#include <string.h>
#include "inflate_text.h"

enum { BLOCKS = 8, LONGEST = 700, ROOM = 4096 };
static unsigned char packed[BLOCKS][LONGEST + 64];
static unsigned sizes[BLOCKS];
static unsigned long bits;      /* written so far */

static void put(unsigned char *to, unsigned value, int count)
{
    for (; count > 0; count--, value >>= 1, bits++)
        to[bits / 8] |= (unsigned char)((value & 1) << bits % 8);
}

/* Codes begin with their highest bit. */
static void put_code(unsigned char *to, unsigned code, int count)
{
    while (count > 0)
        put(to, code >> --count & 1, 1);
}

static void put_letter(unsigned char *to, unsigned letter)
{
    if (letter < 144)
        put_code(to, 0x30 + letter, 8);
    else
        put_code(to, 0x190 + letter - 144, 9);
}

/* A length from 3 to 10 or 11 to 18, and a distance from 1 to 4 or of two more bits: the simplest codes. */
static unsigned put_copy(unsigned char *to, unsigned done)
{
    unsigned length = 3 + (unsigned)rand() % 8, distance;
    if (rand() % 3 != 0) {
        put_code(to, length - 2, 7);
    } else {
        length = 11 + (unsigned)rand() % 8;
        put_code(to, 9 + (length - 11) / 2, 7);
        put(to, (length - 11) % 2, 1);
    }
    if (done < 64 || rand() % 2) {
        distance = 1 + (unsigned)rand() % 4;
        put_code(to, distance - 1, 5);
    } else {
        distance = 17 + (unsigned)rand() % 8;       /* code 8: 3 bits more */
        put_code(to, 8, 5);
        put(to, distance - 17, 3);
    }
    return length;
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    memset(packed, 0, sizeof packed);
    for (int n = 0; n < BLOCKS; n++) {
        unsigned done = 0;
        bits = 0;
        put(packed[n], 3, 3);
        while (bits / 8 < LONGEST - 100) {
            if (done > 4 && rand() % 3 == 0) {
                done += put_copy(packed[n], done);
            } else {
                put_letter(packed[n], (unsigned)(rand() % 6 ? "etaoin shrdlu"[rand() % 13] : rand() >> 4 & 255));
                done++;
            }
            if (rand() % 3000 == 0)
                put_code(packed[n], 0xc6, 8);       /* a length that there is not */
        }
        put_code(packed[n], 0, 7);
        sizes[n] = (unsigned)(bits / 8 + 12);
    }
}

unsigned long drive(void)
{
    static unsigned char text[ROOM];
    unsigned long sum = 0;
    for (int n = 0; n < BLOCKS; n++) {
        const int size = inflate_block(packed[n], sizes[n], text, ROOM);
        sum = 3 * sum + (unsigned long)size;
        for (int i = 0; i < size; i++)
            sum = 3 * sum + text[i];
    }
    return sum;
}
