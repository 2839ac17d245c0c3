/* SPDX-License-Identifier: MIT-0 */
/*
 * What programs ask of a TypeCode. Strings and anys that are returned are the caller's (CORBA_free), TypeCodes too
 * (CORBA_Object_release). Source: CORBA 3, part 1, "The TypeCode Interface"; formal/99-07-35, "Pseudo-objects".
 */
#ifndef WHITTLE_CORBA_OPERATIONS_H
#define WHITTLE_CORBA_OPERATIONS_H
#include "typecode.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef CORBA_char *CORBA_Identifier;
typedef CORBA_char *CORBA_RepositoryId;
typedef CORBA_short CORBA_Visibility;
typedef CORBA_short CORBA_ValueModifier;

#define ex_CORBA_TypeCode_BadKind "IDL:omg.org/CORBA/TypeCode/BadKind:1.0"
#define ex_CORBA_TypeCode_Bounds "IDL:omg.org/CORBA/TypeCode/Bounds:1.0"

/* Whether nothing distinguishes them; whether they are one type under different names. */
CORBA_boolean CORBA_TypeCode_equal(CORBA_TypeCode type, CORBA_TypeCode other, CORBA_Environment *ev);
CORBA_boolean CORBA_TypeCode_equivalent(CORBA_TypeCode type, CORBA_TypeCode other, CORBA_Environment *ev);
/* Without the names of types and members. */
CORBA_TypeCode CORBA_TypeCode_get_compact_typecode(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_TCKind CORBA_TypeCode_kind(CORBA_TypeCode type, CORBA_Environment *ev);

/* These raise CORBA_TypeCode_BadKind where the type has no such thing, and Bounds where it has fewer members. */
CORBA_RepositoryId CORBA_TypeCode_id(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_Identifier CORBA_TypeCode_name(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_unsigned_long CORBA_TypeCode_member_count(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_Identifier CORBA_TypeCode_member_name(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev);
CORBA_TypeCode CORBA_TypeCode_member_type(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev);
CORBA_any *CORBA_TypeCode_member_label(CORBA_TypeCode type, CORBA_unsigned_long index, CORBA_Environment *ev);
CORBA_TypeCode CORBA_TypeCode_discriminator_type(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_long CORBA_TypeCode_default_index(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_unsigned_long CORBA_TypeCode_length(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_TypeCode CORBA_TypeCode_content_type(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_unsigned_short CORBA_TypeCode_fixed_digits(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_short CORBA_TypeCode_fixed_scale(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_Visibility CORBA_TypeCode_member_visibility(CORBA_TypeCode type, CORBA_unsigned_long index,
                                                  CORBA_Environment *ev);
CORBA_ValueModifier CORBA_TypeCode_type_modifier(CORBA_TypeCode type, CORBA_Environment *ev);
CORBA_TypeCode CORBA_TypeCode_concrete_base_type(CORBA_TypeCode type, CORBA_Environment *ev);

#ifdef __cplusplus
}
#endif

#endif
