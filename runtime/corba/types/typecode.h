/* SPDX-License-Identifier: MIT-0 */
/*
 * TypeCodes: constants that generated code has, and ones read from a message. Source: formal/99-07-35, "Pseudo-
 * objects"; CORBA 3, part 1, section "TypeCodes", and part 2, section "TypeCode" of CDR.
 */
#ifndef WHITTLE_CORBA_TYPECODE_H
#define WHITTLE_CORBA_TYPECODE_H
#include "basic.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CORBA_TCKind {
    CORBA_tk_null,
    CORBA_tk_void,
    CORBA_tk_short,
    CORBA_tk_long,
    CORBA_tk_ushort,
    CORBA_tk_ulong,
    CORBA_tk_float,
    CORBA_tk_double,
    CORBA_tk_boolean,
    CORBA_tk_char,
    CORBA_tk_octet,
    CORBA_tk_any,
    CORBA_tk_TypeCode,
    CORBA_tk_Principal,
    CORBA_tk_objref,
    CORBA_tk_struct,
    CORBA_tk_union,
    CORBA_tk_enum,
    CORBA_tk_string,
    CORBA_tk_sequence,
    CORBA_tk_array,
    CORBA_tk_alias,
    CORBA_tk_except,
    CORBA_tk_longlong,
    CORBA_tk_ulonglong,
    CORBA_tk_longdouble,
    CORBA_tk_wchar,
    CORBA_tk_wstring,
    CORBA_tk_fixed,
    CORBA_tk_value,
    CORBA_tk_value_box,
    CORBA_tk_native,
    CORBA_tk_abstract_interface,
    CORBA_tk_local_interface,
    CORBA_tk_component,
    CORBA_tk_home,
    CORBA_tk_event
} CORBA_TCKind;

struct whittle_graph;

/* A member of a structure, exception or union; of an enumeration: its name alone. */
struct whittle_member {
    const char *name;
    CORBA_TypeCode type;
    CORBA_long_long label;  /* unions: which value of the discriminator chooses it; of a value type: its visibility */
    size_t offset;          /* in the C structure; unions: of the body */
};

#define WHITTLE_NO_DEFAULT UINT32_MAX
#define WHITTLE_DIGITS 31       /* that a fixed has at most */

struct CORBA_TypeCode_struct {
    CORBA_TCKind kind;
    const char *name;                       /* NULL: none, or left out */
    const char *repository_id;
    uint32_t count;                         /* of members; or length or bound (0: none); or digits */
    int16_t scale;                          /* of fixed; of a value type: its modifier */
    CORBA_TypeCode content;                 /* elements'; what an alias names; discriminator; a value's concrete base */
    const struct whittle_member *members;
    uint32_t default_index;                 /* unions: which member is the default's, or WHITTLE_NO_DEFAULT */
    size_t size;                            /* of the C type; 0: values of it cannot be in memory */
    size_t alignment;
    void (*release)(void *value);           /* releases what one C value holds; NULL: it holds nothing */
    struct whittle_graph *graph;            /* what was read from a message lives and goes together; NULL: a constant */
};

/*
 * Another owner of `type`: NULL when there is no memory for that. CORBA_Object_duplicate and _release call these two.
 */
CORBA_TypeCode whittle_typecode_duplicate(CORBA_TypeCode type);

/* Zeroed items of a type, for CORBA_free: what they hold is released by their TypeCode. */
void *whittle_typed_new(CORBA_TypeCode type, uint32_t count);
/* More of them; NULL: no memory, and `items` is as it was. */
void *whittle_typed_grow(CORBA_TypeCode type, void *items, uint32_t count);
/* Releases what a value of this type holds; leaves it empty, so that doing it again does no harm. */
void whittle_release_value(CORBA_TypeCode type, void *value);

#ifdef __cplusplus
}
#endif

#endif
