/* What a careful person would write for one filter. */
#include <stdint.h>
#include <string.h>

enum { ACCEPT = 0x40000 };

static inline unsigned two(const unsigned char *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static inline unsigned four(const unsigned char *at)
{
    return two(at) << 16 | two(at + 2);
}

/* Where TCP's or UDP's header begins in an unfragmented packet, or 0. */
static inline unsigned transport(const unsigned char *packet, unsigned length)
{
    return length < 22 || (two(packet + 20) & 0x1fff) != 0 ? 0 : 14 + (packet[14] & 15u) * 4;
}

unsigned match_web(const unsigned char *packet, unsigned wire_length, unsigned length)
{
    (void)wire_length;
    if (length < 24)
        return 0;
    if (two(packet + 12) == 0x86dd)
        return packet[20] == 6 && length >= 58 && two(packet + 56) == 80 ? ACCEPT : 0;
    if (two(packet + 12) != 0x800 || packet[23] != 6)
        return 0;
    const unsigned at = transport(packet, length);
    return at != 0 && at + 4 <= length && two(packet + at + 2) == 80 ? ACCEPT : 0;
}

unsigned match_host(const unsigned char *packet, unsigned wire_length, unsigned length)
{
    (void)wire_length;
    if (length < 34 || two(packet + 12) != 0x800 || packet[23] != 6)
        return 0;
    if (four(packet + 26) != 0xc0000211 && four(packet + 30) != 0xc0000211)
        return 0;
    const unsigned at = transport(packet, length);
    if (at == 0 || at + 4 > length)
        return 0;
    const unsigned from = two(packet + at), to = two(packet + at + 2);
    return from == 80 || from == 443 || to == 80 || to == 443 ? ACCEPT : 0;
}

unsigned match_local(const unsigned char *packet, unsigned wire_length, unsigned length)
{
    (void)wire_length;
    if (length < 34 || (packet[0] & 1) != 0 || two(packet + 12) != 0x800)
        return 0;
    const unsigned a = four(packet + 26), b = four(packet + 30);
    if (a >> 24 != 10 && b >> 24 != 10 && a >> 16 != 0xc0a8 && b >> 16 != 0xc0a8)
        return 0;
    if (packet[23] != 6 && packet[23] != 17 && packet[23] != 132)
        return 0;
    const unsigned at = transport(packet, length);
    if (at == 0 || at + 4 > length)
        return 0;
    const unsigned from = two(packet + at), to = two(packet + at + 2);
    if (from == 22 || to == 22)
        return 0;
    return from - 1000 <= 1000 || to - 1000 <= 1000 || from == 53 || to == 53 || from == 123 || to == 123 ? ACCEPT : 0;
}

unsigned match_get(const unsigned char *packet, unsigned wire_length, unsigned length)
{
    (void)wire_length;
    if (length < 34 || two(packet + 12) != 0x800 || packet[23] != 6)
        return 0;
    unsigned at = transport(packet, length);
    if (at == 0 || at + 13 > length)
        return 0;
    at += packet[at + 12] >> 4 << 2;
    return at + 4 <= length && memcmp(packet + at, "GET ", 4) == 0 ? ACCEPT : 0;
}
