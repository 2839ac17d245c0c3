#include <sys/types.h>
/* The filters are what `tcpdump -y EN10MB -dd` prints for them. */
u_int match_web(const u_char *packet, u_int wire_length, u_int length);     /* tcp dst port 80 */
u_int match_host(const u_char *packet, u_int wire_length, u_int length);    /* host 192.0.2.17 and (tcp port 80 or tcp port 443) */
