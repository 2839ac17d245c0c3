/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes that every program has: of the basic types, and of the system exceptions (TC_CORBA_UNKNOWN and so on).
 * Each has the name with its scope, and where the mapping writes it without, that one too. Source: formal/99-07-35,
 * "Pseudo-objects".
 */
#ifndef WHITTLE_CORBA_CONSTANTS_H
#define WHITTLE_CORBA_CONSTANTS_H
#include "typecode.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct CORBA_TypeCode_struct whittle_tc_CORBA_null,
    whittle_tc_CORBA_void,
    whittle_tc_CORBA_short,
    whittle_tc_CORBA_long,
    whittle_tc_CORBA_unsigned_short,
    whittle_tc_CORBA_unsigned_long,
    whittle_tc_CORBA_long_long,
    whittle_tc_CORBA_unsigned_long_long,
    whittle_tc_CORBA_float,
    whittle_tc_CORBA_double,
    whittle_tc_CORBA_long_double,
    whittle_tc_CORBA_boolean,
    whittle_tc_CORBA_char,
    whittle_tc_CORBA_wchar,
    whittle_tc_CORBA_octet,
    whittle_tc_CORBA_any,
    whittle_tc_CORBA_TypeCode,
    whittle_tc_CORBA_Principal,
    whittle_tc_CORBA_Object,
    whittle_tc_CORBA_string,
    whittle_tc_CORBA_wstring,
    whittle_tc_CORBA_completion_status;

#define TC_CORBA_null ((CORBA_TypeCode)&whittle_tc_CORBA_null)
#define TC_CORBA_void ((CORBA_TypeCode)&whittle_tc_CORBA_void)
#define TC_CORBA_short ((CORBA_TypeCode)&whittle_tc_CORBA_short)
#define TC_CORBA_long ((CORBA_TypeCode)&whittle_tc_CORBA_long)
#define TC_CORBA_unsigned_short ((CORBA_TypeCode)&whittle_tc_CORBA_unsigned_short)
#define TC_CORBA_unsigned_long ((CORBA_TypeCode)&whittle_tc_CORBA_unsigned_long)
#define TC_CORBA_long_long ((CORBA_TypeCode)&whittle_tc_CORBA_long_long)
#define TC_CORBA_unsigned_long_long ((CORBA_TypeCode)&whittle_tc_CORBA_unsigned_long_long)
#define TC_CORBA_float ((CORBA_TypeCode)&whittle_tc_CORBA_float)
#define TC_CORBA_double ((CORBA_TypeCode)&whittle_tc_CORBA_double)
#define TC_CORBA_long_double ((CORBA_TypeCode)&whittle_tc_CORBA_long_double)
#define TC_CORBA_boolean ((CORBA_TypeCode)&whittle_tc_CORBA_boolean)
#define TC_CORBA_char ((CORBA_TypeCode)&whittle_tc_CORBA_char)
#define TC_CORBA_wchar ((CORBA_TypeCode)&whittle_tc_CORBA_wchar)
#define TC_CORBA_octet ((CORBA_TypeCode)&whittle_tc_CORBA_octet)
#define TC_CORBA_any ((CORBA_TypeCode)&whittle_tc_CORBA_any)
#define TC_CORBA_TypeCode ((CORBA_TypeCode)&whittle_tc_CORBA_TypeCode)
#define TC_CORBA_Principal ((CORBA_TypeCode)&whittle_tc_CORBA_Principal)
#define TC_CORBA_Object ((CORBA_TypeCode)&whittle_tc_CORBA_Object)
#define TC_CORBA_string ((CORBA_TypeCode)&whittle_tc_CORBA_string)
#define TC_CORBA_wstring ((CORBA_TypeCode)&whittle_tc_CORBA_wstring)
#define TC_CORBA_completion_status ((CORBA_TypeCode)&whittle_tc_CORBA_completion_status)

#define TC_null TC_CORBA_null
#define TC_void TC_CORBA_void
#define TC_short TC_CORBA_short
#define TC_long TC_CORBA_long
#define TC_unsigned_short TC_CORBA_unsigned_short
#define TC_unsigned_long TC_CORBA_unsigned_long
#define TC_long_long TC_CORBA_long_long
#define TC_unsigned_long_long TC_CORBA_unsigned_long_long
#define TC_float TC_CORBA_float
#define TC_double TC_CORBA_double
#define TC_long_double TC_CORBA_long_double
#define TC_boolean TC_CORBA_boolean
#define TC_char TC_CORBA_char
#define TC_wchar TC_CORBA_wchar
#define TC_octet TC_CORBA_octet
#define TC_any TC_CORBA_any
#define TC_TypeCode TC_CORBA_TypeCode
#define TC_Principal TC_CORBA_Principal
#define TC_Object TC_CORBA_Object
#define TC_string TC_CORBA_string
#define TC_wstring TC_CORBA_wstring

#define WHITTLE_SYSTEM_EXCEPTION(name) extern const struct CORBA_TypeCode_struct whittle_tc_CORBA_##name;
WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_SYSTEM_EXCEPTION)
#undef WHITTLE_SYSTEM_EXCEPTION

#define TC_CORBA_UNKNOWN ((CORBA_TypeCode)&whittle_tc_CORBA_UNKNOWN)
#define TC_CORBA_BAD_PARAM ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_PARAM)
#define TC_CORBA_NO_MEMORY ((CORBA_TypeCode)&whittle_tc_CORBA_NO_MEMORY)
#define TC_CORBA_IMP_LIMIT ((CORBA_TypeCode)&whittle_tc_CORBA_IMP_LIMIT)
#define TC_CORBA_COMM_FAILURE ((CORBA_TypeCode)&whittle_tc_CORBA_COMM_FAILURE)
#define TC_CORBA_INV_OBJREF ((CORBA_TypeCode)&whittle_tc_CORBA_INV_OBJREF)
#define TC_CORBA_NO_PERMISSION ((CORBA_TypeCode)&whittle_tc_CORBA_NO_PERMISSION)
#define TC_CORBA_INTERNAL ((CORBA_TypeCode)&whittle_tc_CORBA_INTERNAL)
#define TC_CORBA_MARSHAL ((CORBA_TypeCode)&whittle_tc_CORBA_MARSHAL)
#define TC_CORBA_INITIALIZE ((CORBA_TypeCode)&whittle_tc_CORBA_INITIALIZE)
#define TC_CORBA_NO_IMPLEMENT ((CORBA_TypeCode)&whittle_tc_CORBA_NO_IMPLEMENT)
#define TC_CORBA_BAD_TYPECODE ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_TYPECODE)
#define TC_CORBA_BAD_OPERATION ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_OPERATION)
#define TC_CORBA_NO_RESOURCES ((CORBA_TypeCode)&whittle_tc_CORBA_NO_RESOURCES)
#define TC_CORBA_NO_RESPONSE ((CORBA_TypeCode)&whittle_tc_CORBA_NO_RESPONSE)
#define TC_CORBA_PERSIST_STORE ((CORBA_TypeCode)&whittle_tc_CORBA_PERSIST_STORE)
#define TC_CORBA_BAD_INV_ORDER ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_INV_ORDER)
#define TC_CORBA_TRANSIENT ((CORBA_TypeCode)&whittle_tc_CORBA_TRANSIENT)
#define TC_CORBA_FREE_MEM ((CORBA_TypeCode)&whittle_tc_CORBA_FREE_MEM)
#define TC_CORBA_INV_IDENT ((CORBA_TypeCode)&whittle_tc_CORBA_INV_IDENT)
#define TC_CORBA_INV_FLAG ((CORBA_TypeCode)&whittle_tc_CORBA_INV_FLAG)
#define TC_CORBA_INTF_REPOS ((CORBA_TypeCode)&whittle_tc_CORBA_INTF_REPOS)
#define TC_CORBA_BAD_CONTEXT ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_CONTEXT)
#define TC_CORBA_OBJ_ADAPTER ((CORBA_TypeCode)&whittle_tc_CORBA_OBJ_ADAPTER)
#define TC_CORBA_DATA_CONVERSION ((CORBA_TypeCode)&whittle_tc_CORBA_DATA_CONVERSION)
#define TC_CORBA_OBJECT_NOT_EXIST ((CORBA_TypeCode)&whittle_tc_CORBA_OBJECT_NOT_EXIST)
#define TC_CORBA_TRANSACTION_REQUIRED ((CORBA_TypeCode)&whittle_tc_CORBA_TRANSACTION_REQUIRED)
#define TC_CORBA_TRANSACTION_ROLLEDBACK ((CORBA_TypeCode)&whittle_tc_CORBA_TRANSACTION_ROLLEDBACK)
#define TC_CORBA_INVALID_TRANSACTION ((CORBA_TypeCode)&whittle_tc_CORBA_INVALID_TRANSACTION)
#define TC_CORBA_INV_POLICY ((CORBA_TypeCode)&whittle_tc_CORBA_INV_POLICY)
#define TC_CORBA_CODESET_INCOMPATIBLE ((CORBA_TypeCode)&whittle_tc_CORBA_CODESET_INCOMPATIBLE)
#define TC_CORBA_REBIND ((CORBA_TypeCode)&whittle_tc_CORBA_REBIND)
#define TC_CORBA_TIMEOUT ((CORBA_TypeCode)&whittle_tc_CORBA_TIMEOUT)
#define TC_CORBA_TRANSACTION_UNAVAILABLE ((CORBA_TypeCode)&whittle_tc_CORBA_TRANSACTION_UNAVAILABLE)
#define TC_CORBA_TRANSACTION_MODE ((CORBA_TypeCode)&whittle_tc_CORBA_TRANSACTION_MODE)
#define TC_CORBA_BAD_QOS ((CORBA_TypeCode)&whittle_tc_CORBA_BAD_QOS)
#define TC_CORBA_INVALID_ACTIVITY ((CORBA_TypeCode)&whittle_tc_CORBA_INVALID_ACTIVITY)
#define TC_CORBA_ACTIVITY_COMPLETED ((CORBA_TypeCode)&whittle_tc_CORBA_ACTIVITY_COMPLETED)
#define TC_CORBA_ACTIVITY_REQUIRED ((CORBA_TypeCode)&whittle_tc_CORBA_ACTIVITY_REQUIRED)
#define TC_CORBA_THREAD_CANCELLED ((CORBA_TypeCode)&whittle_tc_CORBA_THREAD_CANCELLED)

#ifdef __cplusplus
}
#endif

#endif
