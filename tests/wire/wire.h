/* SPDX-License-Identifier: MIT-0 */
/* What the generated wire cases share. */
#ifndef WIRE_H
#define WIRE_H
#include "safety.h"
#include <math.h>

/* Where a case stands. */
void wire_case(const char *file, int line, const char *name);
const char *wire_place(void);
/* On every stream the value is encoded to these bytes. */
void wire_encodes(const routine *routines, void *value, const char *bytes, size_t size);
/* On every stream these bytes decode to what `same` says. */
void wire_decodes(const routine *routines, size_t size_of_value, const void *value,
                  bool (*same)(const void *, const void *), const char *bytes, size_t size);
void wire_refused(const routine *routines, size_t size_of_value, const char *bytes, size_t size);

#endif
