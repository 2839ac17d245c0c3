#include <string.h>
#include "packet.h"

static u16_t two(const u8_t *at)
{
    return (u16_t)(at[0] << 8 | at[1]);
}

void read_packet(void *ip, void *tcp, void *text, struct fields *fields)
{
    const u8_t *header = ip, *segment = tcp;
    fields->version = header[0] >> 4;
    fields->protocol = header[9];
    fields->flags = segment[13];
    fields->length = two(header + 2);
    fields->port = two(segment + 2);
    memcpy(&fields->from, header + 12, 4);
    fields->is_get = memcmp(text, "GET ", 4) == 0;
    memcpy(fields->line, text, sizeof fields->line);
}

u16_t gather(void *ip, void *tcp, void *text, u8_t *to)
{
    if (to == NULL)
        return 0;
    memcpy(to, (u8_t *)ip + 14, 6);
    memcpy(to + 6, tcp, 20);
    memcpy(to + 26, text, 44);
    return 70;
}
