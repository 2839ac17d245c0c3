/* SPDX-License-Identifier: MIT-0 */
/*
 * Fixed-point numbers in messages: two digits to an octet, an odd number of them, then 0xc for a sign that is plus and
 * 0xd for minus. Source: CORBA 3, part 2, "Fixed-Point Decimal Type" of CDR.
 */
#include "decimal.h"
#include "marshal.h"
#include "place.h"

/* Numbers whose own form is another are brought into that of the type. */
char *whittle_cdr_out_fixed(struct whittle_cdr_out *out, char *at, const void *value, uint32_t digits, int32_t scale)
{
    struct whittle_decimal decimal;
    struct whittle_fixed fixed = {(CORBA_unsigned_short)digits, (CORBA_short)scale, {0}};
    if (digits > WHITTLE_DIGITS || !whittle_decimal_load(&decimal, value) || !whittle_decimal_store(&decimal, &fixed))
        return NULL;
    return whittle_place_bytes(out, at, 1, fixed.value, digits / 2 + 1);
}

const char *whittle_cdr_in_fixed(struct whittle_cdr_in *in, const char *at, void *value, uint32_t digits, int32_t scale,
                                 bool swapped)
{
    struct whittle_decimal decimal;
    struct whittle_fixed fixed = {(CORBA_unsigned_short)digits, (CORBA_short)scale, {0}};
    (void)swapped;
    at = digits > WHITTLE_DIGITS ? NULL : whittle_find(in, at, 1, digits / 2 + 1);
    if (at == NULL)
        return NULL;
    memcpy(fixed.value, at, digits / 2 + 1);
    /* A sign of 0 is good only in memory. */
    if ((fixed.value[digits / 2] & 0xf) == 0 || !whittle_decimal_load(&decimal, &fixed))
        return NULL;
    memcpy(value, &fixed, offsetof(struct whittle_fixed, value) + digits / 2 + 1);
    return at + digits / 2 + 1;
}
