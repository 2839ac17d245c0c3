/* SPDX-License-Identifier: MIT-0 */
/* Sequences of basic types, as structures; who allocates them is another matter. Source: formal/99-07-35, "Mapping for Sequence Types". */
#ifndef WHITTLE_CORBA_SEQUENCE_TYPES_H
#define WHITTLE_CORBA_SEQUENCE_TYPES_H
#include "numbers.h"

/* `_release`: the buffer is freed with the sequence. */
#define WHITTLE_SEQUENCE(element)                                                                                      \
    typedef struct CORBA_sequence_##element {                                                                          \
        CORBA_unsigned_long _maximum;                                                                                  \
        CORBA_unsigned_long _length;                                                                                   \
        element *_buffer;                                                                                              \
        CORBA_boolean _release;                                                                                        \
    } CORBA_sequence_##element;

#define WHITTLE_SEQUENCES(X)                                                                                           \
    X(CORBA_short) X(CORBA_long) X(CORBA_long_long) X(CORBA_unsigned_short) X(CORBA_unsigned_long)                     \
    X(CORBA_unsigned_long_long) X(CORBA_float) X(CORBA_double) X(CORBA_long_double) X(CORBA_char) X(CORBA_wchar)       \
    X(CORBA_boolean) X(CORBA_octet)

WHITTLE_SEQUENCES(WHITTLE_SEQUENCE)
WHITTLE_SEQUENCE(CORBA_string)
WHITTLE_SEQUENCE(CORBA_wstring)
#endif
