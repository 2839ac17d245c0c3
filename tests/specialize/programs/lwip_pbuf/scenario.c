#include <whittle/specialize.h>
#include "packet.h"

static void chain(struct pbuf parts[3], void *ip, void *tcp, void *text)
{
    parts[2] = (struct pbuf){ .payload = text, .len = 64, .tot_len = 64 };
    parts[1] = (struct pbuf){ .next = &parts[2], .payload = tcp, .len = 20, .tot_len = 84 };
    parts[0] = (struct pbuf){ .next = &parts[1], .payload = ip, .len = 20, .tot_len = 104 };
}

WHITTLE_SPECIALIZE
void read_packet(void *ip, void *tcp, void *text, struct fields *fields)
{
    struct pbuf parts[3];
    chain(parts, ip, tcp, text);
    fields->version = pbuf_get_at(parts, 0) >> 4;
    fields->protocol = pbuf_get_at(parts, 9);
    fields->flags = pbuf_get_at(parts, 20 + 13);
    fields->length = (u16_t)(pbuf_get_at(parts, 2) << 8 | pbuf_get_at(parts, 3));
    fields->port = (u16_t)(pbuf_get_at(parts, 22) << 8 | pbuf_get_at(parts, 23));
    pbuf_copy_partial(parts, &fields->from, 4, 12);
    fields->is_get = pbuf_memcmp(parts, 40, "GET ", 4) == 0;
    pbuf_copy_partial(parts, fields->line, sizeof fields->line, 40);
}

WHITTLE_SPECIALIZE
u16_t gather(void *ip, void *tcp, void *text, u8_t *to)
{
    struct pbuf parts[3];
    chain(parts, ip, tcp, text);
    return pbuf_copy_partial(parts, to, 70, 14);
}
