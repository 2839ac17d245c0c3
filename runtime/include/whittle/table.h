/* SPDX-License-Identifier: MIT-0 */
/*
 * Marshalling by table: what a type is made of, part by part, and one routine that walks through it to encode, decode or
 * release. A table takes a fraction of the code that routines of the type's own take; whittle writes those where they pay.
 *
 * The walk of a file leaves out what none of its tables has: whittle keeps the lines between `#if WALK_ARRAYS` and its `#endif`
 * in files that have arrays, and so on. Several walks may stand in one translation unit: whittle adds what they are for to
 * their names.
 */
#ifndef WHITTLE_TABLE_H
#define WHITTLE_TABLE_H
#include <whittle/in.h>

/*: table needs attributes */
enum whittle_kind {
    WHITTLE_END,        /* of a type, or of a case */
    WHITTLE_WORDS,      /* `number` numbers of 4 bytes */
    WHITTLE_DOUBLES,    /* `number` numbers of 8 bytes */
    WHITTLE_BYTES,      /* `number` bytes */
    WHITTLE_STRING,     /* at most `number` bytes */
    WHITTLE_OPAQUE,     /* at most `number` counted bytes */
    WHITTLE_ARRAY,      /* at most `number` counted items; WHITTLE_ITEM and WHITTLE_TYPE follow */
    WHITTLE_VECTOR,     /* `number` items; WHITTLE_ITEM and WHITTLE_TYPE follow */
    WHITTLE_POINTER,    /* to one object or none; WHITTLE_ITEM and WHITTLE_TYPE follow */
    WHITTLE_ONE,        /* the same behind a count, which is 1 or 0 */
    WHITTLE_ITEM,       /* `number`: the size in C; `offset`: at least so many bytes in the message */
    WHITTLE_UNION,      /* `number` cases follow; `offset` is that of the discriminant, which stands before */
    WHITTLE_CASE,       /* `number`: its label; `offset`: its parts, counted from WHITTLE_UNION; 0 where there are none */
    WHITTLE_DEFAULT,    /* any other label */
    WHITTLE_TYPE,       /* parts that stand elsewhere: `number` entries on */
    WHITTLE_ROUTINE,    /* the routine of `number` in the file's list; WHITTLE_ITEM follows */
    WHITTLE_FAR,        /* the next part lies `number` bytes further on in the value */
    WHITTLE_DEEPER,     /* at the beginning of a type that contains itself */
    WHITTLE_OWE,        /* `number` bytes of the message at least follow what may allocate next */
    WHITTLE_PAY,
    WHITTLE_BOOL,
    WHITTLE_CHAR,       /* numbers that have another size in C than in the message */
    WHITTLE_UCHAR,
    WHITTLE_SHORT,
    WHITTLE_USHORT,
    WHITTLE_LONG,
    WHITTLE_ULONG
};

struct whittle_part {
    unsigned char kind;
    unsigned char owns;         /* items hold storage of their own */
    unsigned short offset;      /* in the value */
    uint32_t number;
};

/* One walk serves all types: it is to be small. */
#if defined(__clang__)
#define WHITTLE_SMALL static __attribute__((minsize, unused))
#else
#define WHITTLE_SMALL static __attribute__((optimize("Os"), unused))
#endif

/*: end_of_table */
#endif
