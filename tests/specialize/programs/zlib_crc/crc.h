#include <stddef.h>
unsigned long crc_header(const unsigned char *header);      /* of 26 bytes */
unsigned long crc_sector(const unsigned char *sector);      /* of 512 bytes, aligned to 8 */
unsigned long join_sectors(unsigned long first, unsigned long second);
