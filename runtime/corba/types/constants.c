/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes that every program has. Source: formal/99-07-35, "Pseudo-objects"; CORBA 3, part 1, "TypeCode Constants".
 */
#include "constants.h"

#define WHITTLE_BASIC(c_name, kind_name, ...)                                                                          \
    const struct CORBA_TypeCode_struct whittle_tc_CORBA_##c_name = {.kind = CORBA_tk_##kind_name,                      \
                                                                    .default_index = WHITTLE_NO_DEFAULT,               \
                                                                    __VA_ARGS__};
#define WHITTLE_PLAIN(c_name, kind_name)                                                                               \
    WHITTLE_BASIC(c_name, kind_name, .size = sizeof(CORBA_##c_name), .alignment = _Alignof(CORBA_##c_name))
#define WHITTLE_HOLDING(c_name, kind_name, let_go, ...)                                                                \
    WHITTLE_BASIC(c_name, kind_name, .release = let_go, .size = sizeof(CORBA_##c_name),                                \
                  .alignment = _Alignof(CORBA_##c_name), __VA_ARGS__)

WHITTLE_BASIC(null, null, .alignment = 1)
WHITTLE_BASIC(void, void, .alignment = 1)
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
WHITTLE_HOLDING(any, any, whittle_release_any, .count = 0)
WHITTLE_HOLDING(TypeCode, TypeCode, whittle_release_typecode, .count = 0)
WHITTLE_HOLDING(string, string, whittle_release_string, .count = 0)
WHITTLE_HOLDING(wstring, wstring, whittle_release_wstring, .count = 0)
WHITTLE_HOLDING(Object, objref, whittle_release_object, .name = "Object",
                .repository_id = "IDL:omg.org/CORBA/Object:1.0")
WHITTLE_BASIC(Principal, Principal, .alignment = 1)

static const struct whittle_member whittle_completion_names[] = {
    {.name = "COMPLETED_YES"}, {.name = "COMPLETED_NO"}, {.name = "COMPLETED_MAYBE"}};
WHITTLE_BASIC(completion_status, enum, .name = "completion_status", .count = 3, .members = whittle_completion_names,
              .repository_id = "IDL:omg.org/CORBA/completion_status:1.0", .size = sizeof(CORBA_completion_status),
              .alignment = _Alignof(CORBA_completion_status))

static const struct whittle_member whittle_system_members[] = {
    {.name = "minor", .type = TC_CORBA_unsigned_long, .offset = offsetof(CORBA_SystemException, minor)},
    {.name = "completed", .type = TC_CORBA_completion_status, .offset = offsetof(CORBA_SystemException, completed)}};
#define WHITTLE_SYSTEM_EXCEPTION(id)                                                                                   \
    WHITTLE_BASIC(id, except, .name = #id, .count = 2, .members = whittle_system_members,                              \
                  .repository_id = ex_CORBA_##id, .size = sizeof(CORBA_SystemException),                               \
                  .alignment = _Alignof(CORBA_SystemException))
WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_SYSTEM_EXCEPTION)
#undef WHITTLE_SYSTEM_EXCEPTION
