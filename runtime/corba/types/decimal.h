/* SPDX-License-Identifier: MIT-0 */
/* A decimal number while it is reckoned with, with room for whatever two numbers of 31 digits make. */
#ifndef WHITTLE_CORBA_DECIMAL_H
#define WHITTLE_CORBA_DECIMAL_H
#include "fixed.h"

#define WHITTLE_PLACES 128

struct whittle_decimal {
    uint8_t digits[WHITTLE_PLACES];     /* the last one first */
    int scale;                          /* how many of them are behind the point */
    bool is_negative;
};

/* Any CORBA_fixed_d_s: octets of digits follow. */
struct whittle_fixed {
    CORBA_unsigned_short digits;
    CORBA_short scale;
    unsigned char value[16];
};

/* false: not what a CORBA_fixed_d_s looks like. */
bool whittle_decimal_load(struct whittle_decimal *decimal, const void *number);
/* false: too large for the digits and scale that `number` has. */
bool whittle_decimal_store(const struct whittle_decimal *decimal, void *number);

#endif
