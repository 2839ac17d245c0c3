/* SPDX-License-Identifier: MIT-0 */
/*
 * Marshalling by table: what a type is made of, part by part, and one routine that walks through it to encode, decode or
 * release. A table takes a fraction of the code that routines of the type's own take; whittle writes those where they pay.
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

/* What this call has hung on a part of the caller's value. */
struct whittle_hung {
    char *value;
    const struct whittle_part *part;
};

struct whittle_walk {
    XDR *xdrs;
    const xdrproc_t *routines;
    int op;                 /* XDR_ENCODE, XDR_DECODE or XDR_FREE */
    char *at;               /* in the window: the stream's own memory, or the block */
    char *end;
    size_t owed;            /* bytes of the message that items to come take */
    size_t credit;
    int memory;
    int fresh;             /* the storage being filled was allocated by this call */
    int one;               /* the walk takes one part, and not those that follow */
    unsigned depth, count, room;
    struct whittle_hung *hung, first[4];
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
        if (word == 4) {
            for (i = 0; i < some; i += 4) {
                uint32_t number;
                memcpy(&number, from + i, 4);
                whittle_put32(to + i, number);
            }
        } else if (word == 8 && !WHITTLE_BIG_ENDIAN) {
            for (i = 0; i < some; i += 8) {
                uint64_t number;
                memcpy(&number, from + i, 8);
                number = __builtin_bswap64(number);
                memcpy(to + i, &number, 8);
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

/* Bytes and their padding. */
WHITTLE_SMALL int whittle_walk_bytes(struct whittle_walk *w, char *value, uint32_t bytes)
{
    char pad[4] = {0, 0, 0, 0};
    return whittle_walk_move(w, value, bytes, 1) && whittle_walk_move(w, pad, (0 - bytes) & 3, 1);
}

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

/* Notes that what hangs on a part of the caller's value is ours. */
WHITTLE_SMALL int whittle_walk_own(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    if (w->count == w->room) {
        const int first = w->hung == w->first;
        struct whittle_hung *const more =
            (struct whittle_hung *)realloc(first ? NULL : w->hung, (size_t)w->room * 2 * sizeof *more);
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

WHITTLE_SMALL int whittle_walk_parts(struct whittle_walk *w, char *value, const struct whittle_part *part);

/* Each of so many items. Every way back into a type leads through here, or through a list's end. */
WHITTLE_SMALL int whittle_walk_items(struct whittle_walk *w, char *items, uint32_t count, const struct whittle_part *item)
{
    int done = w->op != XDR_DECODE || w->depth < WHITTLE_MAX_DEPTH;
    w->depth++;
    for (; done && count > 0; count--, items += item->number) {
        w->owed -= w->op == XDR_DECODE ? item->offset : 0;
        done = whittle_walk_parts(w, items, whittle_walk_type(item + 1));
    }
    w->depth--;
    return done;
}

/* The size of the words that items are nothing but, else 0. */
WHITTLE_SMALL unsigned whittle_walk_run(const struct whittle_part *item)
{
    const struct whittle_part *const type = whittle_walk_type(item + 1);
    const unsigned word = type->kind == WHITTLE_WORDS ? 4 : type->kind == WHITTLE_DOUBLES ? 8 : 0;
    return type->offset == 0 && type[1].kind == WHITTLE_END && (uint64_t)type->number * word == item->number ? word : 0;
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
    const int is_string = part->kind == WHITTLE_STRING, is_array = part->kind == WHITTLE_ARRAY, fresh = w->fresh;
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
    if (word == 0)
        w->owed += count * least;
    while (i < count) {
        char *item;
        if (i == room) {
            room = count - room < room ? count : room * 2;
            if (room > SIZE_MAX / 2 / (size + 1) || !whittle_walk_storage(w, slot, room * size + (size_t)is_string, value, part))
                return 0;
        }
        item = (char *)whittle_slot_get(slot) + i * size;
        if (word != 0) {
            if (!whittle_walk_move(w, item, (uint64_t)(room - i) * size, word))
                return 0;
            i = room;
            continue;
        }
        i++;
        if (w->fresh) {
            memset(item, 0, size);
            memcpy(array, &i, 4);
        }
        if (!whittle_walk_items(w, item, 1, part + 1))
            return 0;
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
    const int is_string = part->kind == WHITTLE_STRING, is_array = part->kind == WHITTLE_ARRAY;
    const unsigned word = is_array ? whittle_walk_run(part + 1) : 1;
    char *const array = value + part->offset, *const slot = is_string ? array : array + WHITTLE_DATA;
    char *const data = (char *)whittle_slot_get(slot);
    char pad[4] = {0, 0, 0, 0};
    uint32_t count = 0;
    int done;
    if (!is_string && w->op != XDR_DECODE)
        memcpy(&count, array, 4);
    if (w->op == XDR_FREE) {
        done = !part->owns || data == NULL || whittle_walk_items(w, data, count, part + 1);
        free(data);
        whittle_slot_set(slot, NULL);
        return done;
    }
    if (w->op == XDR_ENCODE && is_string) {
        const size_t length = data == NULL ? SIZE_MAX : strlen(data);
        if (length > part->number)
            return 0;
        count = (uint32_t)length;
    }
    if (w->op == XDR_ENCODE && (count > part->number || (count > 0 && data == NULL)))
        return 0;
    if (!whittle_walk_move(w, (char *)&count, 4, 4) || count > part->number)
        return 0;
    if (w->op == XDR_ENCODE && word == 0)
        return whittle_walk_items(w, data, count, part + 1);
    if (w->op == XDR_ENCODE) {
        done = whittle_walk_move(w, data, is_array ? (uint64_t)count * part[1].number : count, word);
    } else if (count == 0 && !is_string) {
        memcpy(array, &count, 4);
        return 1;
    } else {
        done = whittle_walk_arrive(w, value, count, part, word);
    }
    return done && (is_array || whittle_walk_move(w, pad, (0 - count) & 3, 1));
}

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
        memset(*target, 0, size);
    }
    return 1;
}

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
    if ((w->op == XDR_ENCODE && !w->memory && !whittle_walk_flush(w)) || !w->routines[part->number](w->xdrs, object))
        return 0;
    if (w->op != XDR_FREE && w->memory) {
        w->at = (char *)w->xdrs->x_private;
        w->end = w->at + w->xdrs->x_handy;
    }
    return 1;
}

WHITTLE_SMALL int whittle_walk_parts(struct whittle_walk *w, char *value, const struct whittle_part *part)
{
    const int outside = w->fresh, one = w->one;
    void *node = NULL;      /* to release, that `value` lies in: a list has led there */
    int done = 1;
    w->one = 0;
    do {
        char *const field = value + part->offset;
        const uint32_t number = part->number;
        const struct whittle_part *inner = NULL;    /* the parts that come next, before the others here */
        const int fresh = w->fresh;
        char *target = field;
        int is_pointer = 0;
        if (w->op == XDR_FREE && (part->kind <= WHITTLE_BYTES ? part->kind != WHITTLE_END : part->kind >= WHITTLE_OWE)) {
            part++;
            continue;
        }
        switch (part->kind) {
        case WHITTLE_END:
            free(node);
            w->fresh = outside;
            return 1;
        case WHITTLE_WORDS:
            done = whittle_walk_move(w, field, (uint64_t)number * 4, 4);
            break;
        case WHITTLE_DOUBLES:
            done = whittle_walk_move(w, field, (uint64_t)number * 8, 8);
            break;
        case WHITTLE_BYTES:
            done = whittle_walk_bytes(w, field, number);
            break;
        case WHITTLE_STRING:
        case WHITTLE_OPAQUE:
        case WHITTLE_ARRAY:
            done = whittle_walk_counted(w, value, part);
            part += part->kind == WHITTLE_ARRAY ? 2 : 0;
            break;
        case WHITTLE_VECTOR:
            if (w->op == XDR_DECODE)
                w->owed += (size_t)number * part[1].offset;
            done = whittle_walk_items(w, field, number, part + 1);
            part += 2;
            break;
        case WHITTLE_POINTER:
            done = whittle_walk_target(w, value, part, &target);
            part += 2;
            inner = target == NULL ? NULL : whittle_walk_type(part);
            is_pointer = 1;
            break;
        case WHITTLE_UNION:
            done = whittle_walk_case(part, value, &inner) || w->op == XDR_FREE;
            target = value;
            part += number;
            break;
        case WHITTLE_TYPE:
            inner = whittle_walk_type(part);
            break;
        case WHITTLE_ROUTINE:
            done = whittle_walk_routine(w, value, part);
            part++;
            break;
        case WHITTLE_OWE:
            w->owed += number;
            break;
        case WHITTLE_PAY:
            w->owed -= number;
            break;
        default:
            done = whittle_walk_number(w, field, part->kind);
            break;
        }
        part++;
        if (!done)
            break;
        if (inner != NULL && !one && part->kind == WHITTLE_END) {
            if (is_pointer && w->op == XDR_FREE) {
                free(node);
                node = target;
            }
            value = target;     /* lists of any length take no stack */
            part = inner;
        } else if (inner != NULL) {
            w->depth += is_pointer ? 1u : 0;
            done = (w->op != XDR_DECODE || w->depth <= WHITTLE_MAX_DEPTH) && whittle_walk_parts(w, target, inner);
            w->depth -= is_pointer ? 1u : 0;
            if (is_pointer && w->op == XDR_FREE)
                free(target);
            w->fresh = fresh;
        }
    } while (done && !one);
    free(node);
    return done;
}

/* Releases what this call has hung on the caller's value, newest first. */
WHITTLE_SMALL void whittle_walk_fail(struct whittle_walk *w)
{
    XDR freeing;
    memset(&freeing, 0, sizeof freeing);
    freeing.x_op = XDR_FREE;
    w->xdrs = &freeing;
    w->op = XDR_FREE;
    while (w->count > 0) {
        const struct whittle_hung last = w->hung[--w->count];
        w->one = 1;
        (void)whittle_walk_parts(w, last.value, last.part);
    }
}

/* What the routine does of a type that has a table. */
WHITTLE_SMALL bool_t whittle_table_xdr(XDR *xdrs, void *value, const struct whittle_part *part, const xdrproc_t *routines)
{
    struct whittle_walk w;
    int done;
    w.xdrs = xdrs;
    w.routines = routines;
    w.op = (int)xdrs->x_op;
    w.memory = w.op != XDR_FREE && whittle_is_memory(xdrs);
    w.fresh = w.one = 0;
    w.owed = w.depth = w.count = 0;
    w.room = 4;
    w.credit = WHITTLE_CREDIT;
    w.hung = w.first;
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
    } else if (!done && w.op == XDR_DECODE) {
        whittle_walk_fail(&w);
    }
    if (w.hung != w.first)
        free(w.hung);
    return done;
}

/*: end_of_table */
#endif
