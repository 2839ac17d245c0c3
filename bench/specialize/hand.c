/* What a careful person would write in the place of the general code. */
#include <stdint.h>
#include "ints.h"

#define BOTH(N)                                                                                                        \
    bool_t encode_##N(char *message, struct ints##N *value)                                                            \
    {                                                                                                                  \
        uint32_t *to = (uint32_t *)message;                                                                            \
        for (int i = 0; i < N; i++)                                                                                    \
            to[i] = __builtin_bswap32((uint32_t)value->v[i]);                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    bool_t decode_##N(char *message, struct ints##N *value)                                                            \
    {                                                                                                                  \
        const uint32_t *from = (const uint32_t *)message;                                                              \
        for (int i = 0; i < N; i++)                                                                                    \
            value->v[i] = (int)__builtin_bswap32(from[i]);                                                             \
        return 1;                                                                                                      \
    }

BOTH(20)
BOTH(100)
BOTH(250)
BOTH(500)
BOTH(1000)
BOTH(2000)
