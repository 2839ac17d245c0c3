/* Messages that nobody wrote. */
#ifndef RANDOM_VALUES_H
#define RANDOM_VALUES_H
#include "common.h"

/*
 * What is written so far, in an order of its own; alignment is of the whole, as encapsulations begin at multiples of 4.
 */
extern char bytes[8192];
extern size_t size;
extern bool is_little;

uint32_t random_below(uint32_t limit);
/* Begins anew with a type; `plain`: without references, exceptions, wide characters and long doubles. */
void put_type(bool plain);
/* Octets that may be a value of it: mostly small numbers, so that counts and discriminators say something. */
void put_value(void);

#endif
