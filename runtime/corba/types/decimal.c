/* SPDX-License-Identifier: MIT-0 */
/*
 * Fixed-point numbers between two digits to an octet and one. Source: CORBA 3, part 2, "Fixed-Point Decimal Type" of
 * CDR.
 */
#include "decimal.h"
#include "typecode.h"
#include <string.h>

enum { WHITTLE_PLUS = 0xc, WHITTLE_MINUS = 0xd };

/* Digits and scale; octets there are digits / 2 + 1. */
static bool whittle_fixed_form(struct whittle_fixed *fixed, const void *number)
{
    memcpy(fixed, number, offsetof(struct whittle_fixed, value));
    return fixed->digits > 0 && fixed->digits <= WHITTLE_DIGITS && fixed->scale >= 0 && fixed->scale <= fixed->digits;
}

/* Half octets from the end: the sign, then the digits. */
static unsigned whittle_half(const struct whittle_fixed *fixed, int index)
{
    return fixed->value[fixed->digits / 2 - index / 2] >> (index % 2 == 0 ? 0 : 4) & 0xf;
}

bool whittle_decimal_load(struct whittle_decimal *decimal, const void *number)
{
    struct whittle_fixed fixed;
    if (!whittle_fixed_form(&fixed, number))
        return false;
    memcpy(fixed.value, (const char *)number + offsetof(struct whittle_fixed, value), fixed.digits / 2u + 1);
    memset(decimal, 0, sizeof *decimal);
    bool is_zero = true;
    for (int index = 0; index < fixed.digits / 2 * 2 + 1; index++) {
        const unsigned digit = whittle_half(&fixed, index + 1);
        if (digit > 9 || (digit > 0 && index >= fixed.digits))
            return false;
        decimal->digits[index] = (uint8_t)digit;
        is_zero &= digit == 0;
    }
    const unsigned sign = whittle_half(&fixed, 0);
    decimal->scale = fixed.scale;
    decimal->is_negative = sign == WHITTLE_MINUS && !is_zero;
    return sign == WHITTLE_PLUS || sign == WHITTLE_MINUS || (sign == 0 && is_zero);
}

bool whittle_decimal_store(const struct whittle_decimal *decimal, void *number)
{
    struct whittle_fixed fixed;
    if (!whittle_fixed_form(&fixed, number))
        return false;
    const int cut = decimal->scale - fixed.scale;
    bool is_zero = true;
    memset(fixed.value, 0, sizeof fixed.value);
    for (int index = cut < 0 ? 0 : cut; index < WHITTLE_PLACES; index++) {
        const unsigned digit = decimal->digits[index];
        if (digit == 0)
            continue;
        if (index - cut >= fixed.digits)
            return false;
        is_zero = false;
        const int half = index - cut + 1;
        fixed.value[fixed.digits / 2 - half / 2] |= (unsigned char)(digit << (half % 2 == 0 ? 0 : 4));
    }
    fixed.value[fixed.digits / 2] |= decimal->is_negative && !is_zero ? WHITTLE_MINUS : WHITTLE_PLUS;
    memcpy((char *)number + offsetof(struct whittle_fixed, value), fixed.value, fixed.digits / 2u + 1);
    return true;
}
