/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes that every program has. Source: formal/99-07-35, "Pseudo-objects"; CORBA 3, part 1, "TypeCode Constants".
 */
#include "constants.h"

/* In the order of the members, without their names: so C++ has it, too. */
#define WHITTLE_CODE(c_name, kind_name, name, id, count, members, size, alignment, release)                            \
    const struct CORBA_TypeCode_struct whittle_tc_CORBA_##c_name = {                                                   \
        CORBA_tk_##kind_name, name, id, count, 0, NULL, members, WHITTLE_NO_DEFAULT, size, alignment, release, NULL};
#define WHITTLE_VOID(c_name) WHITTLE_CODE(c_name, c_name, NULL, NULL, 0, NULL, 0, 1, NULL)
#define WHITTLE_HOLDING(c_name, kind_name, name, id, release)                                                          \
    WHITTLE_CODE(c_name, kind_name, name, id, 0, NULL, sizeof(CORBA_##c_name), WHITTLE_ALIGNMENT(CORBA_##c_name), release)
#define WHITTLE_PLAIN(c_name, kind_name) WHITTLE_HOLDING(c_name, kind_name, NULL, NULL, NULL)

WHITTLE_VOID(null)
WHITTLE_VOID(void)
WHITTLE_PLAIN(short, short)
WHITTLE_PLAIN(long, long)
WHITTLE_PLAIN(unsigned_short, ushort)
WHITTLE_PLAIN(unsigned_long, ulong)
WHITTLE_PLAIN(long_long, longlong)
WHITTLE_PLAIN(unsigned_long_long, ulonglong)
WHITTLE_PLAIN(float, float)
WHITTLE_PLAIN(double, double)
WHITTLE_PLAIN(long_double, longdouble)
WHITTLE_PLAIN(boolean, boolean)
WHITTLE_PLAIN(char, char)
WHITTLE_PLAIN(wchar, wchar)
WHITTLE_PLAIN(octet, octet)
WHITTLE_HOLDING(any, any, NULL, NULL, whittle_release_any)
WHITTLE_HOLDING(TypeCode, TypeCode, NULL, NULL, whittle_release_typecode)
WHITTLE_HOLDING(string, string, NULL, NULL, whittle_release_string)
WHITTLE_HOLDING(wstring, wstring, NULL, NULL, whittle_release_wstring)
WHITTLE_HOLDING(Object, objref, "Object", "IDL:omg.org/CORBA/Object:1.0", whittle_release_object)
WHITTLE_VOID(Principal)

static const struct whittle_member whittle_completion_names[] = {
    {"COMPLETED_YES", NULL, 0, 0}, {"COMPLETED_NO", NULL, 0, 0}, {"COMPLETED_MAYBE", NULL, 0, 0}};
WHITTLE_CODE(completion_status, enum, "completion_status", "IDL:omg.org/CORBA/completion_status:1.0", 3,
             whittle_completion_names, sizeof(CORBA_completion_status), WHITTLE_ALIGNMENT(CORBA_completion_status), NULL)

static const struct whittle_member whittle_system_members[] = {
    {"minor", TC_CORBA_unsigned_long, 0, offsetof(CORBA_SystemException, minor)},
    {"completed", TC_CORBA_completion_status, 0, offsetof(CORBA_SystemException, completed)}};
#define WHITTLE_SYSTEM_EXCEPTION(id)                                                                                   \
    WHITTLE_CODE(id, except, #id, ex_CORBA_##id, 2, whittle_system_members, sizeof(CORBA_SystemException),             \
                 WHITTLE_ALIGNMENT(CORBA_SystemException), NULL)
WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_SYSTEM_EXCEPTION)
#undef WHITTLE_SYSTEM_EXCEPTION
