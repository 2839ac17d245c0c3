#include <lwip/inet_chksum.h>
u16_t header_sum(const void *header);       /* of IPv4, 20 bytes, at an even address */
u16_t packet_sum(void *tcp, void *options, void *text);     /* 20, 13 and 43 bytes at even addresses */
u16_t udp_sum(void *udp, const ip4_addr_t *from, const ip4_addr_t *to);     /* 8 bytes, at an even address */
