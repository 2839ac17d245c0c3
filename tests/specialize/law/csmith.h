/* What csmith's programs include, in place of csmith's own header: each global is handed to the outside as it is at
 * the end, so that no checksum hides which of them differs. The safe arithmetic is csmith's. */
#ifndef LAW_CSMITH_H
#define LAW_CSMITH_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>

extern int printf(const char *, ...);
extern int strcmp(const char *, const char *);
extern void law_output(const char *name, long long value);

#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define STATIC static
#define FUNC_NAME(x) (safe_##x)
#include "safe_math.h"
#undef FUNC_NAME
#define INT_BIT (sizeof(int) * CHAR_BIT)
#define _CSMITH_BITFIELD(x) (((x) > INT_BIT) ? ((x) % INT_BIT) : (x))

static uint32_t crc32_context = 0xFFFFFFFFUL;

static void platform_main_begin(void)
{
}

static void crc32_gentab(void)
{
}

static void transparent_crc(uint64_t value, char *name, int flag)
{
    law_output(name, (long long)value);
}

static void transparent_crc_bytes(char *bytes, int length, char *name, int flag)
{
    int i;

    for (i = 0; i < length; i++)
        law_output(name, bytes[i]);
}

static void platform_main_end(uint32_t checksum, int flag)
{
    printf("done\n");
}

#endif
