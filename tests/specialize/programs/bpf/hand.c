#include "filters.h"

enum { ALL = 0x40000 };

static inline u_int two(const u_char *at)
{
    return (u_int)at[0] << 8 | at[1];
}

static inline u_int four(const u_char *at)
{
    return two(at) << 16 | two(at + 2);
}

/* Where the TCP header of an unfragmented IPv4 packet begins that has `more` bytes of it; 0 if there is none. */
static inline u_int segment(const u_char *packet, u_int length, u_int more)
{
    if (length < 24 || packet[23] != 6 || (two(packet + 20) & 0x1fff) != 0)
        return 0;
    const u_int at = 14 + 4 * (packet[14] & 15u);
    return at + more <= length ? at : 0;
}

u_int match_web(const u_char *packet, u_int wire_length, u_int length)
{
    (void)wire_length;
    if (length < 14)
        return 0;
    if (two(packet + 12) == 0x86dd)
        return length >= 58 && packet[20] == 6 && two(packet + 56) == 80 ? ALL : 0;
    if (two(packet + 12) != 0x800)
        return 0;
    const u_int at = segment(packet, length, 4);
    return at != 0 && two(packet + at + 2) == 80 ? ALL : 0;
}

u_int match_host(const u_char *packet, u_int wire_length, u_int length)
{
    (void)wire_length;
    if (length < 30 || two(packet + 12) != 0x800)
        return 0;
    if (four(packet + 26) != 0xc0000211 && (length < 34 || four(packet + 30) != 0xc0000211))
        return 0;
    const u_int at = segment(packet, length, 2);
    if (at == 0)
        return 0;
    const u_int from = two(packet + at);
    if (from == 80 || from == 443)
        return ALL;
    if (at + 4 > length)
        return 0;
    const u_int to = two(packet + at + 2);
    return to == 80 || to == 443 ? ALL : 0;
}
