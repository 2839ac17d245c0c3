/* SPDX-License-Identifier: MIT-0 */
/* Basic types of CORBA's C mapping that are C's: no ORB is behind them. Source: OMG, C Language Mapping, formal/99-07-35, section 1.7. */
#ifndef WHITTLE_CORBA_NUMBERS_H
#define WHITTLE_CORBA_NUMBERS_H
#include <stddef.h>
#include <stdint.h>

typedef int16_t CORBA_short;
typedef uint16_t CORBA_unsigned_short;
typedef int32_t CORBA_long;
typedef uint32_t CORBA_unsigned_long;
typedef int64_t CORBA_long_long;
typedef uint64_t CORBA_unsigned_long_long;
typedef float CORBA_float;
typedef double CORBA_double;
typedef long double CORBA_long_double;
typedef char CORBA_char;
typedef wchar_t CORBA_wchar;    /* so that L'x' and L"text" are values of IDL's wide types */
typedef unsigned char CORBA_boolean;
typedef unsigned char CORBA_octet;
typedef CORBA_unsigned_long CORBA_enum;
typedef CORBA_char *CORBA_string;
typedef CORBA_wchar *CORBA_wstring;

#ifndef CORBA_TRUE
#define CORBA_TRUE 1
#define CORBA_FALSE 0
#endif
#endif
