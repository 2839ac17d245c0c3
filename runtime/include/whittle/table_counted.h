/* SPDX-License-Identifier: MIT-0 */
/* The walk through tables: storage, and the strings, bytes and arrays that are counted. */
#ifndef WHITTLE_TABLE_COUNTED_H
#define WHITTLE_TABLE_COUNTED_H
#include <whittle/table_window.h>

/*: table_walk_counted needs table_walk_window slot */
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

/*: end_of_table_counted */
#endif
