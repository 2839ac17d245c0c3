/* SPDX-License-Identifier: MIT-0 */
/* Sequences of the basic types, each with its allocators. Source: formal/99-07-35, "Mapping for Sequence Types". */
#ifndef WHITTLE_CORBA_SEQUENCES_H
#define WHITTLE_CORBA_SEQUENCES_H
#include "basic.h"
#include "sequence_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WHITTLE_ALLOCATORS(element)                                                                                    \
    CORBA_sequence_##element *CORBA_sequence_##element##__alloc(void);                                                 \
    element *CORBA_sequence_##element##_allocbuf(CORBA_unsigned_long length);                                          \
    element *element##__alloc(void);
#define WHITTLE_SEQUENCES_OF_ORB(X)                                                                                    \
    X(CORBA_any, whittle_release_any) X(CORBA_TypeCode, whittle_release_typecode)                                      \
    X(CORBA_Object, whittle_release_object)
#define WHITTLE_SEQUENCES_HOLDING(X)                                                                                   \
    X(CORBA_string, whittle_release_string) X(CORBA_wstring, whittle_release_wstring) WHITTLE_SEQUENCES_OF_ORB(X)

#define WHITTLE_SEQUENCE_HOLDING(element, release) WHITTLE_SEQUENCE(element)
WHITTLE_SEQUENCES_OF_ORB(WHITTLE_SEQUENCE_HOLDING)
#undef WHITTLE_SEQUENCE_HOLDING
#define WHITTLE_ALLOCATORS_HOLDING(element, release) WHITTLE_ALLOCATORS(element)
WHITTLE_SEQUENCES(WHITTLE_ALLOCATORS)
WHITTLE_SEQUENCES_HOLDING(WHITTLE_ALLOCATORS_HOLDING)
#undef WHITTLE_ALLOCATORS_HOLDING
#undef WHITTLE_ALLOCATORS

/* The mapping's own examples leave the element's scope out. */
typedef CORBA_sequence_CORBA_short CORBA_sequence_short;
#define CORBA_sequence_short__alloc CORBA_sequence_CORBA_short__alloc
#define CORBA_sequence_short_allocbuf CORBA_sequence_CORBA_short_allocbuf
typedef CORBA_sequence_CORBA_long CORBA_sequence_long;
#define CORBA_sequence_long__alloc CORBA_sequence_CORBA_long__alloc
#define CORBA_sequence_long_allocbuf CORBA_sequence_CORBA_long_allocbuf
typedef CORBA_sequence_CORBA_long_long CORBA_sequence_long_long;
#define CORBA_sequence_long_long__alloc CORBA_sequence_CORBA_long_long__alloc
#define CORBA_sequence_long_long_allocbuf CORBA_sequence_CORBA_long_long_allocbuf
typedef CORBA_sequence_CORBA_unsigned_short CORBA_sequence_unsigned_short;
#define CORBA_sequence_unsigned_short__alloc CORBA_sequence_CORBA_unsigned_short__alloc
#define CORBA_sequence_unsigned_short_allocbuf CORBA_sequence_CORBA_unsigned_short_allocbuf
typedef CORBA_sequence_CORBA_unsigned_long CORBA_sequence_unsigned_long;
#define CORBA_sequence_unsigned_long__alloc CORBA_sequence_CORBA_unsigned_long__alloc
#define CORBA_sequence_unsigned_long_allocbuf CORBA_sequence_CORBA_unsigned_long_allocbuf
typedef CORBA_sequence_CORBA_unsigned_long_long CORBA_sequence_unsigned_long_long;
#define CORBA_sequence_unsigned_long_long__alloc CORBA_sequence_CORBA_unsigned_long_long__alloc
#define CORBA_sequence_unsigned_long_long_allocbuf CORBA_sequence_CORBA_unsigned_long_long_allocbuf
typedef CORBA_sequence_CORBA_float CORBA_sequence_float;
#define CORBA_sequence_float__alloc CORBA_sequence_CORBA_float__alloc
#define CORBA_sequence_float_allocbuf CORBA_sequence_CORBA_float_allocbuf
typedef CORBA_sequence_CORBA_double CORBA_sequence_double;
#define CORBA_sequence_double__alloc CORBA_sequence_CORBA_double__alloc
#define CORBA_sequence_double_allocbuf CORBA_sequence_CORBA_double_allocbuf
typedef CORBA_sequence_CORBA_long_double CORBA_sequence_long_double;
#define CORBA_sequence_long_double__alloc CORBA_sequence_CORBA_long_double__alloc
#define CORBA_sequence_long_double_allocbuf CORBA_sequence_CORBA_long_double_allocbuf
typedef CORBA_sequence_CORBA_char CORBA_sequence_char;
#define CORBA_sequence_char__alloc CORBA_sequence_CORBA_char__alloc
#define CORBA_sequence_char_allocbuf CORBA_sequence_CORBA_char_allocbuf
typedef CORBA_sequence_CORBA_wchar CORBA_sequence_wchar;
#define CORBA_sequence_wchar__alloc CORBA_sequence_CORBA_wchar__alloc
#define CORBA_sequence_wchar_allocbuf CORBA_sequence_CORBA_wchar_allocbuf
typedef CORBA_sequence_CORBA_boolean CORBA_sequence_boolean;
#define CORBA_sequence_boolean__alloc CORBA_sequence_CORBA_boolean__alloc
#define CORBA_sequence_boolean_allocbuf CORBA_sequence_CORBA_boolean_allocbuf
typedef CORBA_sequence_CORBA_octet CORBA_sequence_octet;
#define CORBA_sequence_octet__alloc CORBA_sequence_CORBA_octet__alloc
#define CORBA_sequence_octet_allocbuf CORBA_sequence_CORBA_octet_allocbuf
typedef CORBA_sequence_CORBA_string CORBA_sequence_string;
#define CORBA_sequence_string__alloc CORBA_sequence_CORBA_string__alloc
#define CORBA_sequence_string_allocbuf CORBA_sequence_CORBA_string_allocbuf
typedef CORBA_sequence_CORBA_wstring CORBA_sequence_wstring;
#define CORBA_sequence_wstring__alloc CORBA_sequence_CORBA_wstring__alloc
#define CORBA_sequence_wstring_allocbuf CORBA_sequence_CORBA_wstring_allocbuf
typedef CORBA_sequence_CORBA_any CORBA_sequence_any;
#define CORBA_sequence_any__alloc CORBA_sequence_CORBA_any__alloc
#define CORBA_sequence_any_allocbuf CORBA_sequence_CORBA_any_allocbuf
typedef CORBA_sequence_CORBA_TypeCode CORBA_sequence_TypeCode;
#define CORBA_sequence_TypeCode__alloc CORBA_sequence_CORBA_TypeCode__alloc
#define CORBA_sequence_TypeCode_allocbuf CORBA_sequence_CORBA_TypeCode_allocbuf
typedef CORBA_sequence_CORBA_Object CORBA_sequence_Object;
#define CORBA_sequence_Object__alloc CORBA_sequence_CORBA_Object__alloc
#define CORBA_sequence_Object_allocbuf CORBA_sequence_CORBA_Object_allocbuf

/* Any sequence, whatever its elements. */
struct __attribute__((may_alias)) whittle_sequence {
    CORBA_unsigned_long _maximum;
    CORBA_unsigned_long _length;
    void *_buffer;
    CORBA_boolean _release;
};
void CORBA_sequence_set_release(void *sequence, CORBA_boolean release);
CORBA_boolean CORBA_sequence_get_release(void *sequence);
/* Frees the buffer of any sequence where that is the sequence's; as `release` for whittle_corba_new. */
void whittle_release_sequence(void *place);

#ifdef __cplusplus
}
#endif

#endif
