#include <whittle/specialize.h>
#include <string.h>
#include "mbedtls/aes.h"
#include "seal.h"

static const unsigned char key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

/* Two blocks, chained. */
WHITTLE_SPECIALIZE
int seal(const unsigned char *vector, const unsigned char *input, unsigned char *output)
{
    mbedtls_aes_context context;
    unsigned char start[BLOCK];
    memcpy(start, vector, BLOCK);
    mbedtls_aes_init(&context);
    int result = mbedtls_aes_setkey_enc(&context, key, 128);
    if (result == 0)
        result = mbedtls_aes_crypt_cbc(&context, MBEDTLS_AES_ENCRYPT, 2 * BLOCK, start, input, output);
    return result;
}
