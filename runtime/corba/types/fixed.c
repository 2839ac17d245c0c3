/* SPDX-License-Identifier: MIT-0 */
/*
 * Reckoning with IDL's fixed-point numbers, digit by digit as on paper: exact, and cut to the result's form at the end.
 * Source: formal/99-07-35, "Mapping for Fixed".
 */
#include "decimal.h"
#include <string.h>

/* Zeros behind the last digit, until there are `scale` digits behind the point. */
static void whittle_decimal_extend(struct whittle_decimal *decimal, int scale)
{
    const int zeros = scale - decimal->scale;
    if (zeros <= 0)
        return;
    memmove(decimal->digits + zeros, decimal->digits, (size_t)(WHITTLE_PLACES - zeros));
    memset(decimal->digits, 0, (size_t)zeros);
    decimal->scale = scale;
}

static void whittle_decimal_align(struct whittle_decimal *one, struct whittle_decimal *other)
{
    whittle_decimal_extend(one, other->scale);
    whittle_decimal_extend(other, one->scale);
}

/* Which is larger, signs and scales aside: below, at or above 0. */
static int whittle_decimal_compare(const struct whittle_decimal *one, const struct whittle_decimal *other)
{
    int place = WHITTLE_PLACES - 1;
    while (place > 0 && one->digits[place] == other->digits[place])
        place--;
    return one->digits[place] - other->digits[place];
}

static void whittle_decimal_raise(struct whittle_decimal *one, const struct whittle_decimal *by)
{
    unsigned carry = 0;
    for (int place = 0; place < WHITTLE_PLACES; place++) {
        const unsigned sum = one->digits[place] + by->digits[place] + carry;
        one->digits[place] = (uint8_t)(sum % 10);
        carry = sum / 10;
    }
}

/* `by` is not larger. */
static void whittle_decimal_lower(struct whittle_decimal *one, const struct whittle_decimal *by)
{
    int borrowed = 0;
    for (int place = 0; place < WHITTLE_PLACES; place++) {
        const int rest = one->digits[place] - by->digits[place] - borrowed;
        borrowed = rest < 0;
        one->digits[place] = (uint8_t)(rest + 10 * borrowed);
    }
}

static CORBA_boolean whittle_fixed_sum(void *result, const void *one, const void *other, bool turned)
{
    struct whittle_decimal sum, more;
    if (!whittle_decimal_load(&sum, one) || !whittle_decimal_load(&more, other))
        return CORBA_FALSE;
    more.is_negative ^= turned;
    whittle_decimal_align(&sum, &more);
    if (sum.is_negative == more.is_negative) {
        whittle_decimal_raise(&sum, &more);
    } else if (whittle_decimal_compare(&sum, &more) >= 0) {
        whittle_decimal_lower(&sum, &more);
    } else {
        whittle_decimal_lower(&more, &sum);
        sum = more;
    }
    return whittle_decimal_store(&sum, result);
}

CORBA_boolean CORBA_fixed_add(void *result, const void *one, const void *other)
{
    return whittle_fixed_sum(result, one, other, false);
}

CORBA_boolean CORBA_fixed_sub(void *result, const void *one, const void *other)
{
    return whittle_fixed_sum(result, one, other, true);
}

CORBA_boolean CORBA_fixed_mul(void *result, const void *one, const void *other)
{
    struct whittle_decimal first, second, product;
    if (!whittle_decimal_load(&first, one) || !whittle_decimal_load(&second, other))
        return CORBA_FALSE;
    memset(&product, 0, sizeof product);
    product.scale = first.scale + second.scale;
    product.is_negative = first.is_negative != second.is_negative;
    for (int place = 0; place < WHITTLE_PLACES / 2; place++) {
        unsigned carry = 0;
        for (int by = 0; by < WHITTLE_PLACES / 2; by++) {
            const unsigned sum = product.digits[place + by] + first.digits[place] * second.digits[by] + carry;
            product.digits[place + by] = (uint8_t)(sum % 10);
            carry = sum / 10;
        }
    }
    return whittle_decimal_store(&product, result);
}

/* As many places behind the point as any result can have, and the divisor's besides. */
#define WHITTLE_QUOTIENT_SCALE 62

CORBA_boolean CORBA_fixed_div(void *result, const void *one, const void *other)
{
    struct whittle_decimal rest = {.scale = 0}, dividend, divisor, quotient = {.scale = 0};
    if (!whittle_decimal_load(&dividend, one) || !whittle_decimal_load(&divisor, other) ||
        whittle_decimal_compare(&divisor, &rest) == 0)
        return CORBA_FALSE;
    whittle_decimal_extend(&dividend, WHITTLE_QUOTIENT_SCALE);
    quotient.scale = WHITTLE_QUOTIENT_SCALE - divisor.scale;
    quotient.is_negative = dividend.is_negative != divisor.is_negative;
    for (int place = WHITTLE_PLACES - 1; place >= 0; place--) {
        memmove(rest.digits + 1, rest.digits, WHITTLE_PLACES - 1);
        rest.digits[0] = dividend.digits[place];
        for (; whittle_decimal_compare(&rest, &divisor) >= 0; quotient.digits[place]++)
            whittle_decimal_lower(&rest, &divisor);
    }
    return whittle_decimal_store(&quotient, result);
}

CORBA_boolean CORBA_fixed_set(void *result, CORBA_long integer_part, CORBA_long fraction_part)
{
    struct whittle_decimal decimal = {.is_negative = integer_part < 0 || (integer_part == 0 && fraction_part < 0)};
    CORBA_short scale = 0;
    memcpy(&scale, (const char *)result + offsetof(struct whittle_fixed, scale), sizeof scale);
    if (scale < 0 || scale > 31)
        return CORBA_FALSE;
    decimal.scale = scale;
    int64_t rest = fraction_part < 0 ? -(int64_t)fraction_part : fraction_part;
    for (int place = 0; place < scale; place++, rest /= 10)
        decimal.digits[place] = (uint8_t)(rest % 10);
    if (rest > 0)
        return CORBA_FALSE;
    rest = integer_part < 0 ? -(int64_t)integer_part : integer_part;
    for (int place = scale; rest > 0; place++, rest /= 10)
        decimal.digits[place] = (uint8_t)(rest % 10);
    return whittle_decimal_store(&decimal, result);
}

/* The number that digits make, as far as a CORBA_long goes. */
static CORBA_long whittle_decimal_part(const struct whittle_decimal *decimal, int from, int to)
{
    int64_t part = 0;
    for (int place = to - 1; place >= from && part <= INT32_MAX; place--)
        part = 10 * part + decimal->digits[place];
    part = decimal->is_negative ? -part : part;
    return (CORBA_long)(part > INT32_MAX ? INT32_MAX : part < INT32_MIN ? INT32_MIN : part);
}

CORBA_long CORBA_fixed_integer_part(const void *number)
{
    struct whittle_decimal decimal;
    return whittle_decimal_load(&decimal, number) ? whittle_decimal_part(&decimal, decimal.scale, WHITTLE_PLACES) : 0;
}

CORBA_long CORBA_fixed_fraction_part(const void *number)
{
    struct whittle_decimal decimal;
    return whittle_decimal_load(&decimal, number) ? whittle_decimal_part(&decimal, 0, decimal.scale) : 0;
}

bool whittle_fixed_equal(const void *one, const void *other)
{
    struct whittle_decimal first, second;
    if (!whittle_decimal_load(&first, one) || !whittle_decimal_load(&second, other))
        return false;
    whittle_decimal_align(&first, &second);
    return first.is_negative == second.is_negative && whittle_decimal_compare(&first, &second) == 0;
}
