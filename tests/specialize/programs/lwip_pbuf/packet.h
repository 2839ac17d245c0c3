#include <lwip/pbuf.h>
struct fields {
    u8_t version, protocol, flags;
    u16_t length, port;
    u32_t from;
    int is_get;
    u8_t line[24];
};
/* A packet in three parts: headers of 20 and 20 bytes, and 64 bytes of text. */
void read_packet(void *ip, void *tcp, void *text, struct fields *fields);
u16_t gather(void *ip, void *tcp, void *text, u8_t *to);
