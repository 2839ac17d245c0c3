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

/*: table_walk needs table put32 get32 is_memory slot */
#define WHITTLE_WALK_BLOCK 1024
#ifndef WHITTLE_CREDIT
#define WHITTLE_CREDIT 32768    /* bytes allocated on trust, where a stream does not tell its room */
#endif
#ifndef WHITTLE_MAX_DEPTH
#define WHITTLE_MAX_DEPTH 1000
#endif

#if WALK_STORAGE
/* What this call has hung on a part of the caller's value. */
struct whittle_walk_hung {
    char *value;
    const struct whittle_part *part;
};
#endif

struct whittle_walk {
    XDR *xdrs;
    const xdrproc_t *routines;
    int op;                 /* XDR_ENCODE, XDR_DECODE or XDR_FREE */
    char *at;               /* in the window: the stream's own memory, or the block */
    char *end;
    int memory;
#if WALK_STORAGE
    size_t owed;            /* bytes of the message that items to come take */
    size_t credit;
    int fresh;             /* the storage being filled was allocated by this call */
    int one;               /* the walk takes one part, and not those that follow */
    unsigned count, room;
    struct whittle_walk_hung *hung, first[4];
#endif
#if WALK_LEVELS
    unsigned depth;
#endif
    char block[WHITTLE_WALK_BLOCK];
};

/* A counted array is its count and a pointer. */
#define WHITTLE_DATA sizeof(void *)

WHITTLE_IN_PLACE const struct whittle_part *whittle_walk_type(const struct whittle_part *part)
{
    return part + (int32_t)part->number;
}

WHITTLE_SMALL int whittle_walk_flush(struct whittle_walk *w)
{
    const int done = w->at == w->block || XDR_PUTBYTES(w->xdrs, w->block, (u_int)(w->at - w->block));
    w->at = w->block;
    w->end = w->block + WHITTLE_WALK_BLOCK;
    return done;
}

/* Another window: room for bytes, or the next n of them, n <= WHITTLE_WALK_BLOCK. */
WHITTLE_SMALL int whittle_walk_more(struct whittle_walk *w, size_t n)
{
    if (w->memory)
        return 0;
    if (w->op == XDR_ENCODE)
        return whittle_walk_flush(w);
    w->at = (char *)XDR_INLINE(w->xdrs, (u_int)n);
    if (w->at == NULL) {
        w->at = w->block;
        if (!XDR_GETBYTES(w->xdrs, w->block, (u_int)n))
            return 0;
    }
    w->end = w->at + n;
    return 1;
}

/* Code for size has slow loops of its own in place of these. */
#if WALK_STRINGS
WHITTLE_APART size_t whittle_walk_length(const char *string)
{
    return strlen(string);
}

#endif
#if WALK_STORAGE
WHITTLE_APART void whittle_walk_clear(char *object, size_t size)
{
    memset(object, 0, size);
}

#endif
/* Moves bytes, or words of 4 or 8 bytes, in the direction of the walk. */
WHITTLE_APART int whittle_walk_move(struct whittle_walk *w, char *value, uint64_t bytes, unsigned word)
{
    while (bytes > 0) {
        size_t some = (size_t)(w->end - w->at), i;
        const char *from;
        char *to;
        if (some < word || (w->memory && some < bytes)) {
            if (!whittle_walk_more(w, bytes < WHITTLE_WALK_BLOCK ? (size_t)bytes : WHITTLE_WALK_BLOCK))
                return 0;
            some = (size_t)(w->end - w->at);
        }
        some = bytes < some ? (size_t)bytes : some & ~(size_t)(word - 1);
        from = w->op == XDR_ENCODE ? value : w->at;
        to = w->op == XDR_ENCODE ? w->at : value;
        if (word != 1 && !WHITTLE_BIG_ENDIAN) {
            for (i = 0; i + 8 <= some; i += 8) {
                uint64_t both;
                memcpy(&both, from + i, 8);
                both = __builtin_bswap64(both);
                both = word == 4 ? both << 32 | both >> 32 : both;
                memcpy(to + i, &both, 8);
            }
            if (i < some) {
                uint32_t number;
                memcpy(&number, from + i, 4);
                whittle_put32(to + i, number);
            }
        } else {
            memcpy(to, from, some);
        }
        bytes -= some;
        value += some;
        w->at += some;
    }
    return 1;
}

#if WALK_PADDED
/* Bytes and their padding. */
WHITTLE_APART int whittle_walk_bytes(struct whittle_walk *w, char *value, size_t bytes, size_t pad)
{
    const size_t there = (size_t)(w->end - w->at);
    char zeros[4] = {0, 0, 0, 0};
    if (bytes == 0 || bytes > there || pad > there - bytes)
        return whittle_walk_move(w, value, bytes, 1) && whittle_walk_move(w, zeros, pad, 1);
    if (w->op == XDR_ENCODE) {
        size_t i;
        for (i = 0; i < pad; i++)
            w->at[bytes + i] = 0;
        memcpy(w->at, value, bytes);
    } else {
        memcpy(value, w->at, bytes);
    }
    w->at += bytes + pad;
    return 1;
}

#endif
#if WALK_NUMBERS
/* A number that has another size in C than in the message. */
WHITTLE_SMALL int whittle_walk_number(struct whittle_walk *w, char *value, unsigned kind)
{
    unsigned long number = 0;
    uint32_t word = 0;
    unsigned short half = 0;
    if (w->op == XDR_ENCODE) {
        switch (kind) {
        case WHITTLE_BOOL: memcpy(&word, value, 4); word = word != 0; break;
        case WHITTLE_CHAR: word = (uint32_t)*value; break;
        case WHITTLE_UCHAR: word = (unsigned char)*value; break;
        case WHITTLE_SHORT:
        case WHITTLE_USHORT:
            memcpy(&half, value, sizeof half);
            word = kind == WHITTLE_SHORT ? (uint32_t)(short)half : half;
            break;
        default: memcpy(&number, value, sizeof number); word = (uint32_t)number; break;
        }
    }
    if (!whittle_walk_move(w, (char *)&word, 4, 4))
        return 0;
    if (w->op != XDR_DECODE)
        return 1;
    half = (unsigned short)word;
    number = kind == WHITTLE_LONG ? (unsigned long)(long)(int32_t)word : word;
    switch (kind) {
    case WHITTLE_BOOL: word = word != 0; memcpy(value, &word, 4); break;
    case WHITTLE_CHAR:
    case WHITTLE_UCHAR: *value = (char)word; break;
    case WHITTLE_SHORT:
    case WHITTLE_USHORT: memcpy(value, &half, sizeof half); break;
    default: memcpy(value, &number, sizeof number); break;
    }
    return 1;
}

#endif
#if WALK_UNIONS
/* The parts of the case that a value selects, NULL where it has none; 0: no case is selected. */
WHITTLE_SMALL int whittle_walk_case(const struct whittle_part *choice, const char *value,
                                     const struct whittle_part **found)
{
    uint32_t label, i;
    memcpy(&label, value + choice->offset, 4);
    for (i = 1; i <= choice->number; i++)
        if (choice[i].kind == WHITTLE_DEFAULT || choice[i].number == label) {
            *found = choice[i].offset == 0 ? NULL : choice + choice[i].offset;
            return 1;
        }
    *found = NULL;
    return 0;
}

#endif
#if WALK_STORAGE
/* Notes that what hangs on a part of the caller's value is ours. */
WHITTLE_SMALL int whittle_walk_own(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    if (w->count == w->room) {
        const int first = w->hung == w->first;
        struct whittle_walk_hung *const more =
            (struct whittle_walk_hung *)realloc(first ? NULL : w->hung, (size_t)w->room * 2 * sizeof *more);
        if (more == NULL)
            return 0;
        if (first)
            memcpy(more, w->first, sizeof w->first);
        w->hung = more;
        w->room *= 2;
    }
    w->hung[w->count].value = value;
    w->hung[w->count++].part = part;
    return 1;
}

#endif
#if WALK_STORED
/* So much storage in place of what a slot of a value has. */
WHITTLE_SMALL int whittle_walk_storage(struct whittle_walk *w, char *slot, size_t bytes, char *value,
                                        const struct whittle_part *part)
{
    void *const old = whittle_slot_get(slot);
    void *storage;
#ifdef WHITTLE_XDR_CHARGE
    if (!WHITTLE_XDR_CHARGE(w->xdrs, bytes))
        return 0;
#endif
    storage = realloc(old, bytes == 0 ? 1 : bytes);
    if (storage == NULL)
        return 0;
    whittle_slot_set(slot, storage);
    if (old != NULL || w->fresh || whittle_walk_own(w, value, part)) {
        w->fresh = 1;
        return 1;
    }
    free(storage);
    whittle_slot_set(slot, NULL);
    return 0;
}

#endif
#if WALK_ITEMS
WHITTLE_SMALL int whittle_walk_parts(struct whittle_walk *w, char *value, const struct whittle_part *part);

/* Each of so many items. */
WHITTLE_SMALL int whittle_walk_items(struct whittle_walk *w, char *items, uint32_t count, const struct whittle_part *item)
{
    int done = 1;
    for (; done && count > 0; count--, items += item->number) {
#if WALK_STORAGE
        w->owed -= w->op == XDR_DECODE ? item->offset : 0;
#endif
        done = whittle_walk_parts(w, items, whittle_walk_type(item + 1));
    }
    return done;
}

#endif
#if WALK_ARRAYS
/* The size of the words that items are nothing but, else 0. */
WHITTLE_SMALL unsigned whittle_walk_run(const struct whittle_part *item)
{
    const struct whittle_part *const type = whittle_walk_type(item + 1);
    const unsigned word = type->kind == WHITTLE_WORDS ? 4 : type->kind == WHITTLE_DOUBLES ? 8 : 0;
    return type->offset == 0 && type[1].kind == WHITTLE_END && (uint64_t)type->number * word == item->number ? word : 0;
}

#endif
#if WALK_COUNTED
/* Whether a string, counted bytes or a counted array is of a kind; what no table has, the compiler leaves out. */
WHITTLE_IN_PLACE int whittle_walk_is(const struct whittle_part *part, unsigned kind)
{
#if WALK_STRINGS
    if (kind == WHITTLE_STRING)
        return part->kind == kind;
#endif
#if WALK_ARRAYS
    if (kind == WHITTLE_ARRAY)
        return part->kind == kind;
#endif
    (void)part;
    (void)kind;
    return 0;
}

/* For how many of `count` items there may be storage now. */
WHITTLE_SMALL uint32_t whittle_walk_credit(struct whittle_walk *w, uint32_t count, size_t size, size_t least)
{
    const size_t there = (size_t)(w->end - w->at);
    size_t some;
    /* GNU C has items of nothing: as if each were a byte that has not arrived, or no number of them would ever end. */
    if (size == 0)
        return count <= w->credit / 2 ? count : 0;
    if (w->memory && least > 0)
        return w->owed > there || count > (there - w->owed) / least || count > SIZE_MAX / 2 / size ? 0 : count;
    some = w->credit / 2 / size;
    some = some >= count ? count : some == 0 && least > 0 ? 1 : some;
    w->credit -= w->credit < some * size ? w->credit : some * size;
    return (uint32_t)some;
}

/* Decodes `count` items, bytes or characters into the caller's storage, or into storage that grows as they arrive. */
WHITTLE_SMALL int whittle_walk_arrive(struct whittle_walk *w, char *value, uint32_t count,
                                       const struct whittle_part *part, unsigned word)
{
    const int is_string = whittle_walk_is(part, WHITTLE_STRING), is_array = whittle_walk_is(part, WHITTLE_ARRAY);
    const int fresh = w->fresh;
    char *const array = value + part->offset, *const slot = is_string ? array : array + WHITTLE_DATA;
    const size_t size = is_array ? part[1].number : 1, least = is_array ? part[1].offset : 1;
    uint32_t room = count, i = 0;
    if (whittle_slot_get(slot) == NULL) {
        room = count == 0 ? 0 : whittle_walk_credit(w, count, size, least);
        if ((room == 0 && count > 0) || !whittle_walk_storage(w, slot, room * size + (size_t)is_string, value, part))
            return 0;
    }
    if (!w->fresh && !is_string)
        memcpy(array, &count, 4);
#if WALK_ARRAYS
    if (word == 0)
        w->owed += count * least;
#else
    (void)word;
#endif
    while (i < count) {
        char *item;
        if (i == room) {
            room = count - room < room ? count : room * 2;
            if (room > SIZE_MAX / 2 / (size + 1) || !whittle_walk_storage(w, slot, room * size + (size_t)is_string, value, part))
                return 0;
        }
        item = (char *)whittle_slot_get(slot) + i * size;
#if WALK_ARRAYS
#if WALK_PADDED
        if (word == 1) {
            if (!whittle_walk_bytes(w, item, room - i, room == count ? (0 - count) & 3 : 0))
                return 0;
            i = room;
            continue;
        }
#endif
        if (word != 0) {
            if (!whittle_walk_move(w, item, (uint64_t)(room - i) * size, word))
                return 0;
            i = room;
            continue;
        }
        i++;
        if (w->fresh) {
            whittle_walk_clear(item, size);
            memcpy(array, &i, 4);
        }
        if (!whittle_walk_items(w, item, 1, part + 1))
            return 0;
#else
        if (!whittle_walk_bytes(w, item, room - i, room == count ? (0 - count) & 3 : 0))
            return 0;
        i = room;
#endif
    }
    if (is_string)
        ((char *)whittle_slot_get(slot))[count] = 0;
    else
        memcpy(array, &count, 4);
    w->fresh = fresh;
    return 1;
}

/* A string, counted bytes or a counted array. */
WHITTLE_SMALL int whittle_walk_counted(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    const int is_string = whittle_walk_is(part, WHITTLE_STRING), is_array = whittle_walk_is(part, WHITTLE_ARRAY);
#if WALK_ARRAYS
    const unsigned word = is_array ? whittle_walk_run(part + 1) : 1;
#else
    const unsigned word = 1;
#endif
    char *const array = value + part->offset, *const slot = is_string ? array : array + WHITTLE_DATA;
    char *const data = (char *)whittle_slot_get(slot);
    uint32_t count = 0;
    if (!is_string && w->op != XDR_DECODE)
        memcpy(&count, array, 4);
    if (w->op == XDR_FREE) {
#if WALK_ARRAYS
        const int done = !part->owns || data == NULL || whittle_walk_items(w, data, count, part + 1);
#else
        const int done = 1;
#endif
        free(data);
        whittle_slot_set(slot, NULL);
        return done;
    }
#if WALK_STRINGS
    if (w->op == XDR_ENCODE && is_string) {
        const size_t length = data == NULL ? SIZE_MAX : whittle_walk_length(data);
        if (length > part->number)
            return 0;
        count = (uint32_t)length;
    }
#endif
    if (w->op == XDR_ENCODE && (count > part->number || (count > 0 && data == NULL)))
        return 0;
    if (!whittle_walk_move(w, (char *)&count, 4, 4) || count > part->number)
        return 0;
#if WALK_ARRAYS
    if (w->op == XDR_ENCODE && word == 0)
        return whittle_walk_items(w, data, count, part + 1);
#endif
    if (w->op == XDR_ENCODE) {
#if WALK_PADDED
        if (!is_array)
            return whittle_walk_bytes(w, data, count, (0 - count) & 3);
#endif
#if WALK_ARRAYS
        return whittle_walk_move(w, data, (uint64_t)count * part[1].number, word);
#endif
    }
    if (count == 0 && !is_string) {
        memcpy(array, &count, 4);
        return 1;
    }
    return whittle_walk_arrive(w, value, count, part, word);
}

#endif
#if WALK_POINTERS
/* Whether there is a target, and which: the caller's, or new. Releasing takes it off. */
WHITTLE_SMALL int whittle_walk_target(struct whittle_walk *w, char *value, const struct whittle_part *part, char **target)
{
    char *const slot = value + part->offset;
    const size_t there = (size_t)(w->end - w->at), size = part[1].number;
    uint32_t flag;
    *target = (char *)whittle_slot_get(slot);
    flag = *target != NULL;
    if (w->op == XDR_FREE) {
        whittle_slot_set(slot, NULL);
        return 1;
    }
    if (!whittle_walk_move(w, (char *)&flag, 4, 4))
        return 0;
    if (w->op == XDR_ENCODE)
        return 1;
    if (flag == 0) {
        whittle_slot_set(slot, NULL);
        *target = NULL;
    } else if (*target == NULL) {
        if (w->memory && (w->owed > there - 4 || part[1].offset > there - 4 - w->owed))
            return 0;
        if (!whittle_walk_storage(w, slot, size, value, part))
            return 0;
        *target = (char *)whittle_slot_get(slot);
        whittle_walk_clear(*target, size);
    }
    return 1;
}

#endif
#if WALK_ROUTINES
/* A routine of the user's, or one that this file has beside its tables. */
WHITTLE_SMALL int whittle_walk_routine(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    char *const object = value + part->offset;
    int is_empty = w->op == XDR_DECODE && !w->fresh;
    uint32_t i;
    for (i = 0; is_empty && i < part[1].number; i++)
        is_empty = object[i] == 0;
    if (is_empty && !whittle_walk_own(w, value, part))
        return 0;
    if (w->op != XDR_FREE && w->memory) {
        w->xdrs->x_private = w->at;
        w->xdrs->x_handy = (u_int)(w->end - w->at);
    }
    if (w->op == XDR_ENCODE && !w->memory && !whittle_walk_flush(w))
        return 0;
    if (!whittle_nest(w->xdrs, w->depth, w->routines[part->number], object))
        return 0;
    if (w->op != XDR_FREE && w->memory) {
        w->at = (char *)w->xdrs->x_private;
        w->end = w->at + w->xdrs->x_handy;
    }
    return 1;
}

#endif
WHITTLE_SMALL int whittle_walk_parts(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
#if WALK_STORAGE
    const int outside = w->fresh, one = w->one;
#endif
#if WALK_POINTERS
    void *node = NULL;      /* to release, that `value` lies in: a list has led there */
#endif
#if WALK_FAR
    size_t far_away = 0;
#endif
#if WALK_DEPTH
    unsigned deeper = 0;
#endif
    int done = 1;
#if WALK_STORAGE
    w->one = 0;
#endif
    do {
#if WALK_FAR
        char *const base = value + far_away;
#else
        char *const base = value;
#endif
        char *const field = base + part->offset;
        const uint32_t number = part->number;
#if WALK_INNER
        const struct whittle_part *inner = NULL;    /* the parts that come next, before the others here */
        char *target = field;
#endif
#if WALK_INNER
#if WALK_STORAGE
        const int fresh = w->fresh;
#endif
#endif
#if WALK_POINTERS
        int is_pointer = 0;
#endif
#if WALK_FAR
        far_away = part->kind == WHITTLE_FAR ? number : 0;
#endif
        if (w->op == XDR_FREE && (part->kind <= WHITTLE_BYTES ? part->kind != WHITTLE_END : part->kind >= WHITTLE_OWE)) {
            part++;
            continue;
        }
        switch (part->kind) {
        case WHITTLE_END:
#if WALK_POINTERS
            free(node);
#endif
#if WALK_DEPTH
            w->depth -= deeper;
#endif
#if WALK_STORAGE
            w->fresh = outside;
#endif
            return 1;
        case WHITTLE_WORDS:
            done = whittle_walk_move(w, field, (uint64_t)number * 4, 4);
            break;
#if WALK_DOUBLES
        case WHITTLE_DOUBLES:
            done = whittle_walk_move(w, field, (uint64_t)number * 8, 8);
            break;
#endif
#if WALK_BYTES
        case WHITTLE_BYTES:
            done = whittle_walk_bytes(w, field, number, (0 - number) & 3);
            break;
#endif
#if WALK_COUNTED
        case WHITTLE_STRING:
        case WHITTLE_OPAQUE:
        case WHITTLE_ARRAY:
            done = whittle_walk_counted(w, base, part);
#if WALK_ARRAYS
            part += part->kind == WHITTLE_ARRAY ? 2 : 0;
#endif
            break;
#endif
#if WALK_VECTORS
        case WHITTLE_VECTOR:
#if WALK_STORAGE
            if (w->op == XDR_DECODE)
                w->owed += (size_t)number * part[1].offset;
#endif
            done = whittle_walk_items(w, field, number, part + 1);
            part += 2;
            break;
#endif
#if WALK_POINTERS
        case WHITTLE_POINTER:
            done = whittle_walk_target(w, base, part, &target);
            part += 2;
            inner = target == NULL ? NULL : whittle_walk_type(part);
            is_pointer = 1;
            break;
#endif
#if WALK_UNIONS
        case WHITTLE_UNION:
            done = whittle_walk_case(part, base, &inner) || w->op == XDR_FREE;
            target = value;
            part += number;
            break;
#endif
#if WALK_TYPES
        case WHITTLE_TYPE:
            inner = whittle_walk_type(part);
            break;
#endif
#if WALK_ROUTINES
        case WHITTLE_ROUTINE:
            done = whittle_walk_routine(w, base, part);
            part++;
            break;
#endif
#if WALK_DEPTH
        case WHITTLE_DEEPER:
            w->depth += 1 - deeper;     /* lists go on at the same level */
            deeper = 1;
            done = w->op != XDR_DECODE || w->depth <= WHITTLE_MAX_DEPTH;
            break;
#endif
#if WALK_FAR
        case WHITTLE_FAR:
            break;
#endif
#if WALK_OWED
        case WHITTLE_OWE:
            w->owed += number;
            break;
        case WHITTLE_PAY:
            w->owed -= number;
            break;
#endif
#if WALK_NUMBERS
        default:
            done = whittle_walk_number(w, field, part->kind);
            break;
#endif
        }
        part++;
        if (!done)
            break;
#if WALK_INNER
#if WALK_STORAGE
        if (inner != NULL && !one && part->kind == WHITTLE_END) {
#else
        if (inner != NULL && part->kind == WHITTLE_END) {
#endif
#if WALK_POINTERS
            if (is_pointer && w->op == XDR_FREE) {
                free(node);
                node = target;
            }
#endif
            value = target;     /* lists of any length take no stack */
            part = inner;
        } else if (inner != NULL) {
            done = whittle_walk_parts(w, target, inner);
#if WALK_POINTERS
            if (is_pointer && w->op == XDR_FREE)
                free(target);
#endif
#if WALK_STORAGE
            w->fresh = fresh;
#endif
        }
#endif
#if WALK_STORAGE
    } while (done && !one);
#else
    } while (done);
#endif
#if WALK_POINTERS
    free(node);
#endif
#if WALK_DEPTH
    w->depth -= deeper;
#endif
    return done;
}

#if WALK_STORAGE
/* Releases what this call has hung on the caller's value, newest first. */
WHITTLE_SMALL void whittle_walk_fail(struct whittle_walk *w)
{
    XDR freeing;
    memset(&freeing, 0, sizeof freeing);
    freeing.x_op = XDR_FREE;
    w->xdrs = &freeing;
    w->op = XDR_FREE;
    while (w->count > 0) {
        const struct whittle_walk_hung last = w->hung[--w->count];
        w->one = 1;
        (void)whittle_walk_parts(w, last.value, last.part);
    }
}

#endif
/* What the routine does of a type that has a table. */
WHITTLE_SMALL bool_t whittle_walk_xdr(XDR *xdrs, void *value, const struct whittle_part *part, const xdrproc_t *routines)
{
    struct whittle_walk w;
    int done;
    w.xdrs = xdrs;
    w.routines = routines;
    w.op = (int)xdrs->x_op;
    w.memory = w.op != XDR_FREE && whittle_is_memory(xdrs);
#if WALK_STORAGE
    w.fresh = w.one = 0;
    w.owed = w.count = 0;
    w.room = 4;
    w.credit = WHITTLE_CREDIT;
    w.hung = w.first;
#endif
#if WALK_ROUTINES
    w.depth = whittle_nested_in(xdrs);
    if (w.op == XDR_DECODE && w.depth > WHITTLE_MAX_DEPTH + 1)
        return 0;
#else
#if WALK_DEPTH
    w.depth = 0;
#endif
#endif
    w.at = w.end = w.block;
    if (w.memory) {
        w.at = (char *)xdrs->x_private;
        w.end = w.at + xdrs->x_handy;
    } else if (w.op == XDR_ENCODE) {
        w.end += WHITTLE_WALK_BLOCK;
    }
    done = whittle_walk_parts(&w, (char *)value, part);
    if (done && w.memory) {
        xdrs->x_private = w.at;
        xdrs->x_handy = (u_int)(w.end - w.at);
    } else if (done && w.op == XDR_ENCODE) {
        done = whittle_walk_flush(&w);
    }
#if WALK_STORAGE
    if (!done && w.op == XDR_DECODE)
        whittle_walk_fail(&w);
    if (w.hung != w.first)
        free(w.hung);
#endif
    return done;
}

/*: end_of_table */
#endif
