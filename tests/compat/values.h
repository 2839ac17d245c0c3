/* Values of every type of everything.x, made from a number, and compared by hand: no marshalling is trusted here. */
#ifndef COMPAT_VALUES_H
#define COMPAT_VALUES_H

#include "everything.h"

enum { SEEDS = 24 };

void make_wide(wide *value, unsigned seed);
int same_wide(const wide *one, const wide *other);

void make_numbers(numbers *value, unsigned seed);
int same_numbers(const numbers *one, const numbers *other);

void make_blob(blob *value, u_int length, unsigned seed);
void make_ints(int_list *value, u_int length, unsigned seed);
void make_directory(direntseq *value, u_int entries, unsigned seed);
int same_directory(const direntseq *one, const direntseq *other);
void make_rectangles(rectangles *value, u_int count, unsigned seed);
void make_chain(list *value, u_int cells, unsigned seed);
int same_chain(const cell *one, const cell *other);
void make_by_enum(by_enum *value, unsigned seed);
int same_by_enum(const by_enum *one, const by_enum *other);

/* Allocates or ends the program. */
void *allocate(size_t size);
char *text_of(const char *text);
#endif
