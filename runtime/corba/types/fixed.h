/* SPDX-License-Identifier: MIT-0 */
/*
 * IDL's fixed-point numbers. A fixed<d,s> is a CORBA_fixed_d_s: whoever makes one sets `_digits` to d and `_scale` to
 * s, as in `CORBA_fixed_15_5 sum = {15, 5};`, which is then zero. Source: formal/99-07-35, "Mapping for Fixed".
 */
#ifndef WHITTLE_CORBA_FIXED_H
#define WHITTLE_CORBA_FIXED_H
#include "basic.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `_value` is as it is in messages: two digits to an octet, the sign in the last half; all zero is zero, too. */
#define WHITTLE_FIXED(d, s)                                                                                            \
    typedef struct CORBA_fixed_##d##_##s {                                                                             \
        CORBA_unsigned_short _digits;                                                                                  \
        CORBA_short _scale;                                                                                            \
        CORBA_char _value[((d) + 2) / 2];                                                                              \
    } CORBA_fixed_##d##_##s;

/*
 * The parts before and behind the point: of -12.50 these are -12 and -50. What no CORBA_long holds is cut to its
 * nearest.
 */
CORBA_long CORBA_fixed_integer_part(const void *number);
CORBA_long CORBA_fixed_fraction_part(const void *number);

/*
 * Results get the digits and the scale that `result` has; digits behind its last place are cut off. FALSE: the result
 * is too large for them, or there is none (a division by zero, operands that are no fixed), and `result` is unchanged.
 */
CORBA_boolean CORBA_fixed_set(void *result, CORBA_long integer_part, CORBA_long fraction_part);
CORBA_boolean CORBA_fixed_add(void *result, const void *one, const void *other);
CORBA_boolean CORBA_fixed_sub(void *result, const void *one, const void *other);
CORBA_boolean CORBA_fixed_mul(void *result, const void *one, const void *other);
CORBA_boolean CORBA_fixed_div(void *result, const void *one, const void *other);

bool whittle_fixed_equal(const void *one, const void *other);

#ifdef __cplusplus
}
#endif

#endif
