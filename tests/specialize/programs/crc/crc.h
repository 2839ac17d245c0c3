#include <stddef.h>
#include <stdint.h>

/* The parameters of a CRC as in Williams' "A painless guide to CRC error detection algorithms". */
struct crc_model {
    int width; /* 1 to 64 */
    uint64_t polynomial, start, final;
    int reflects_input, reflects_output;
};

uint64_t crc(const struct crc_model *model, const unsigned char *data, size_t size);

uint32_t crc_ccitt(const unsigned char *data, size_t size);
uint32_t crc_ethernet(const unsigned char *data, size_t size);
