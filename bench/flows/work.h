/*
 * The work that is the same for all who take part: what a source writes into a packet, what a relay does with it, what a
 * sink reads of it. PACKET is the type; SMALL, MIXED, LARGE or IMAGE says which one it is; NODES is 2 or 3.
 *
 * Every byte of a packet is written by the source and read by the sink, which adds all words up. One word is the packet's
 * mark: its number in the trial, and whether an answer is wanted. The answer, 4 bytes, is how many packets came since the
 * last one; it is negative where one of them was not what was sent, or came out of order.
 */
#ifndef WORK_H
#define WORK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ANSWER (1 << 30)

enum { BYTES = sizeof(PACKET), WORDS = sizeof(PACKET) / 4, MARK = offsetof(PACKET, numbers) };

static PACKET sample;       /* what every packet is but for its mark */
static uint32_t total;      /* of the sample's words, as it arrives */
static int32_t arrived;
static bool is_wrong;

static inline uint32_t sum(const void *packet)
{
    const uint32_t *words = packet;
    uint32_t all = 0;
    for (int i = 0; i < WORDS; i++)
        all += words[i];
    return all;
}

/* The packet in hand becomes the one to hand on: images lose their colours, the rest stays as it is. */
static inline void relay(const PACKET *from, PACKET *to)
{
#ifdef IMAGE
    memcpy(to->numbers, from->numbers, sizeof to->numbers);
    for (size_t i = 0; i + 2 < sizeof from->pixels; i += 3) {
        const uint8_t *colour = (const uint8_t *)from->pixels + i;
        to->pixels[i] = to->pixels[i + 1] = to->pixels[i + 2] =
            (uint8_t)((77 * colour[0] + 150 * colour[1] + 29 * colour[2]) >> 8);
    }
#else
    if (from != to)
        memcpy(to, from, sizeof *to);
#endif
}

static void prepare(void)
{
    uint32_t state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        ((uint8_t *)&sample)[i] = (uint8_t)('a' + (state >> 24) % 26);     /* letters; as floats, finite numbers */
    }
    sample.numbers[0] = 0;
    static PACKET last;
    last = sample;
#ifdef IMAGE
    if (NODES == 3)
        relay(&sample, &last);
#endif
    total = sum(&last);
}

static inline void fill(void *packet, int32_t mark)
{
    memcpy(packet, &sample, sizeof sample);
    memcpy((char *)packet + MARK, &mark, sizeof mark);
}

/* What a sink does. Whether an answer is to be sent, and which. */
static inline bool take(const void *packet, int32_t *answer)
{
    int32_t mark;
    memcpy(&mark, (const char *)packet + MARK, sizeof mark);
    if (sum(packet) != total + (uint32_t)mark || (mark & ~ANSWER) < arrived)
        is_wrong = true;
    arrived++;
    if ((mark & ANSWER) == 0)
        return false;
    *answer = is_wrong ? -1 : arrived;
    is_wrong = false;
    arrived = 0;
    return true;
}
#endif
