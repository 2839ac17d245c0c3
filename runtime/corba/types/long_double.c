/* SPDX-License-Identifier: MIT-0 */
/*
 * IDL's long double is IEEE 754's binary128 in messages; C's is that on some machines, and of 80 bits, or two doubles,
 * on others, where the compiler converts; where it is a double and the compiler knows no binary128, bits are moved.
 * Source: CORBA 3, part 2, "Floating Point Data Types" of CDR.
 */
#include "marshal.h"
#include "place.h"
#include <float.h>

#if LDBL_MANT_DIG == 113 || defined __SIZEOF_FLOAT128__
#if LDBL_MANT_DIG == 113
typedef long double whittle_binary128;
#else
__extension__ typedef __float128 whittle_binary128;
#endif

static whittle_binary128 whittle_widened(CORBA_long_double value)
{
    return value;
}

static CORBA_long_double whittle_narrowed(whittle_binary128 wide)
{
    return (CORBA_long_double)wide;
}
#else
#include <math.h>

/* As words in the machine's order: the sign, 15 bits of exponent, 112 of fraction. */
typedef struct whittle_binary128 {
    uint64_t words[2];
} whittle_binary128;
enum { WHITTLE_HIGH_WORD = WHITTLE_LITTLE_ENDIAN, WHITTLE_LOW_WORD = !WHITTLE_HIGH_WORD };

static whittle_binary128 whittle_widened(CORBA_long_double value)
{
    whittle_binary128 wide = {{0, 0}};
    int exponent = 0;
    uint64_t high = signbit(value) ? UINT64_C(1) << 63 : 0;
    if (!isfinite(value)) {
        high |= UINT64_C(0x7fff) << 48 | (uint64_t)(isnan(value) != 0) << 47;
    } else if (value != 0) {
        /* The fraction is from 1/2 up to 1: 53 bits, the first of which is not written. */
        const double fraction = frexp(fabs((double)value), &exponent);
        const uint64_t bits = (uint64_t)ldexp(fraction, 53) & ~(UINT64_C(1) << 52);
        high |= (uint64_t)(exponent + 16382) << 48 | bits >> 4;
        wide.words[WHITTLE_LOW_WORD] = bits << 60;
    }
    wide.words[WHITTLE_HIGH_WORD] = high;
    return wide;
}

static CORBA_long_double whittle_narrowed(whittle_binary128 wide)
{
    const uint64_t high = wide.words[WHITTLE_HIGH_WORD], low = wide.words[WHITTLE_LOW_WORD];
    const int exponent = (int)(high >> 48 & 0x7fff);
    const uint64_t fraction = high & ((UINT64_C(1) << 48) - 1);
    double value = 0;
    if (exponent == 0x7fff)
        value = fraction == 0 && low == 0 ? INFINITY : NAN;
    else if (exponent > 0)
        /* 64 bits, of which the last stands for all that follow, so that it is rounded once. */
        value = ldexp((double)(UINT64_C(1) << 63 | fraction << 15 | low >> 49 | ((low << 15) != 0)),
                      exponent - 16383 - 63);
    return high >> 63 ? -value : value;
}
#endif

char *whittle_cdr_out_long_double(struct whittle_cdr_out *out, char *at, const CORBA_long_double *value)
{
    const whittle_binary128 wide = whittle_widened(*value);
    return whittle_place_words(out, at, sizeof wide, &wide, 1);
}

const char *whittle_cdr_in_long_double(struct whittle_cdr_in *in, const char *at, CORBA_long_double *value,
                                       bool swapped)
{
    whittle_binary128 wide;
    at = whittle_find_bytes(in, at, &wide, sizeof wide, swapped);
    if (at != NULL)
        *value = whittle_narrowed(wide);
    return at;
}
