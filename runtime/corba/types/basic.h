/* SPDX-License-Identifier: MIT-0 */
/*
 * What everything of CORBA in C stands on: basic types, references, memory, strings, environments. Source: OMG, "C
 * Language Mapping", formal/99-07-35; names are as it has them, and as users of ORBit2 know them where it leaves a name
 * open.
 */
#ifndef WHITTLE_CORBA_BASIC_H
#define WHITTLE_CORBA_BASIC_H
#include "exceptions.h"
#include "numbers.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As members of structures have it, which may be less than __alignof__ says; C99 has no word for it. */
#ifdef __cplusplus
#define WHITTLE_ALIGNMENT(T) alignof(T)
#else
#define WHITTLE_ALIGNMENT(T) __extension__ _Alignof(T)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * References. What a CORBA_Object or another pseudo-object points to begins with a uint32_t: TypeCodes with their kind,
 * which is below WHITTLE_PSEUDO_OBJECT, all others with a number from there on; so CORBA_Object_duplicate and
 * CORBA_Object_release take both, as the mapping wants it.
 */
#define WHITTLE_PSEUDO_OBJECT UINT32_C(0x100)
typedef struct CORBA_Object_struct *CORBA_Object;
typedef struct CORBA_ORB_struct *CORBA_ORB;
typedef const struct CORBA_TypeCode_struct *CORBA_TypeCode;
#define CORBA_OBJECT_NIL ((CORBA_Object)NULL)

/*
 * A value of any type: `_value` points to the C value (for a string: to the pointer). `_release`: `_value` is freed
 * with it.
 */
typedef struct CORBA_any {
    CORBA_TypeCode _type;
    void *_value;
    CORBA_boolean _release;
} CORBA_any;

/*
 * Memory: whatever the mapping gives to be freed by CORBA_free is made by whittle_corba_new: `count` items of `size`
 * bytes each, zeroed where `release` is given; CORBA_free has `release` release what each item holds.
 * CORBA_free(NULL) is fine.
 */
void *whittle_corba_new(size_t size, uint32_t count, void (*release)(void *item));
void CORBA_free(void *storage);

/*
 * Room for `length` characters and the end. The mapping's names; `_dup` and `_free` are what other ORBs have besides.
 */
CORBA_char *CORBA_string_alloc(CORBA_unsigned_long length);
CORBA_char *CORBA_string_dup(const CORBA_char *text);
CORBA_wchar *CORBA_wstring_alloc(CORBA_unsigned_long length);
CORBA_wchar *CORBA_wstring_dup(const CORBA_wchar *text);
#define CORBA_string_free CORBA_free
#define CORBA_wstring_free CORBA_free

/* Release what one place holds and leave it empty; of this shape so that they serve as `release`, too. */
void whittle_release_string(void *place);       /* CORBA_char ** */
void whittle_release_wstring(void *place);      /* CORBA_wchar ** */
void whittle_release_state(void *place);        /* of a value type: a pointer to its state */
void whittle_release_any(void *place);          /* CORBA_any * */
void whittle_release_typecode(void *place);     /* CORBA_TypeCode * */
void whittle_release_object(void *place);       /* CORBA_Object *; the ORB's */

/* storage of decoded values that users release by CORBA_free: for struct whittle_cdr_in. */
struct whittle_cdr_in;
struct whittle_cdr_out;
void *whittle_corba_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));

typedef enum CORBA_exception_type {
    CORBA_NO_EXCEPTION,
    CORBA_USER_EXCEPTION,
    CORBA_SYSTEM_EXCEPTION
} CORBA_exception_type;

typedef enum CORBA_completion_status {
    CORBA_COMPLETED_YES,
    CORBA_COMPLETED_NO,
    CORBA_COMPLETED_MAYBE
} CORBA_completion_status;

typedef struct CORBA_SystemException {
    CORBA_unsigned_long minor;
    CORBA_completion_status completed;
} CORBA_SystemException;

/* Each system exception's structure: CORBA_UNKNOWN, CORBA_BAD_PARAM and so on. */
#define WHITTLE_SYSTEM_EXCEPTION(name) typedef CORBA_SystemException CORBA_##name;
WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_SYSTEM_EXCEPTION)
#undef WHITTLE_SYSTEM_EXCEPTION

/*
 * How a call ended. Only `_major` is for users' eyes. A system exception holds no memory: its value is `_system`, its
 * id one of the constants ex_CORBA_…; a user exception owns `_any._value`, and a copy of its id.
 */
typedef struct CORBA_Environment {
    CORBA_exception_type _major;
    CORBA_char *_id;
    CORBA_any _any;
    CORBA_SystemException _system;
} CORBA_Environment;

CORBA_Environment *CORBA_Environment__alloc(void);
void CORBA_exception_init(CORBA_Environment *ev);   /* makes an uninitialized one ready */
void CORBA_exception_free(CORBA_Environment *ev);   /* releases what it holds: no exception any more */
CORBA_char *CORBA_exception_id(CORBA_Environment *ev);
void *CORBA_exception_value(CORBA_Environment *ev);
CORBA_any *CORBA_exception_as_any(CORBA_Environment *ev);   /* stays the environment's */
/* Takes over `value`, which must come from the exception's __alloc(), or be NULL. */
void CORBA_exception_set(CORBA_Environment *ev, CORBA_exception_type major, const CORBA_char *id, void *value);
void CORBA_exception_set_system(CORBA_Environment *ev, const CORBA_char *id, CORBA_completion_status completed);
void CORBA_exception__copy(CORBA_Environment *to, const CORBA_Environment *from);   /* `to` is initialized */
/* As set_system, with a minor code; and a user exception whose type is known, so that as_any is complete. */
void whittle_exception_system(CORBA_Environment *ev, const char *id, uint32_t minor, CORBA_completion_status completed);
void whittle_exception_user(CORBA_Environment *ev, const char *id, CORBA_TypeCode type, void *value);

/* Minor codes that OMG gives: its vendor id, and a number for each system exception. */
#define CORBA_OMGVMCID UINT32_C(0x4f4d0000)

#ifdef __cplusplus
}
#endif

#endif
