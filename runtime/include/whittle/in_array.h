/* SPDX-License-Identifier: MIT-0 */
/* Decoding of counted arrays whose items a generated loop decodes one by one. */
#ifndef WHITTLE_IN_ARRAY_H
#define WHITTLE_IN_ARRAY_H
#include <whittle/in.h>
#include <whittle/in_runs.h>

/*: in_array_begin needs in_take arena_expect */
struct whittle_growth {
    void *slot;
    size_t item_size;
    uint32_t count;
    uint32_t room;      /* items there is storage for */
    int fresh;         /* in->fresh outside */
};

/* How many items to allocate at once; zero: too many for the bytes that are there. */
WHITTLE_SHARED uint32_t whittle_in_array_room(struct whittle_in *in, const char *at, uint32_t count, size_t item_size,
                                             size_t least)
{
    const size_t there = (size_t)(in->end - at);
    const uint64_t wanted = (uint64_t)count * least, size = (uint64_t)count * item_size;
    uint32_t some;
    /* GNU C has items of nothing: as if each were a byte that has not arrived, or no number of them would ever end. */
    if (item_size == 0) {
        some = count <= in->credit / 2 ? count : 0;
        in->credit -= some;
        return some;
    }
    /* Sizes of items of 4 GiB would not fit 64 bits. */
    if ((uint64_t)item_size >> 32 != 0)
        return 0;
    if (in->memory && least > 0) {
        if (in->owed > there || wanted > there - in->owed || size > SIZE_MAX / 2)
            return 0;
        if (WHITTLE_ARENA_OF(in) != NULL && in->arena->blocks == NULL)
            whittle_arena_expect(in->arena, (size_t)size + (there - (size_t)wanted) + count);
        return count;
    }
    if (size <= in->credit / 2) {
        in->credit -= (size_t)size;
        return count;
    }
    /* Nothing is known of what a user's routine reads either. */
    some = in->credit / 2 < item_size ? 1 : (uint32_t)(in->credit / 2 / item_size);
    in->credit = in->credit < some * item_size ? 0 : in->credit - some * item_size;
    return some;
}

/*
 * The first items of an array of `count` > 0, in the caller's storage or in new; `least` is the fewest bytes an item
 * takes on the wire, `owner` and `release` release the array with all its items.
 */
WHITTLE_SHARED void *whittle_in_array_begin(struct whittle_in *in, const char *at, struct whittle_growth *growth,
                                            void *slot, uint32_t count, size_t item_size, size_t least, void *owner,
                                            void (*release)(void *owner))
{
    void *items = whittle_slot_get(slot);
    size_t size;
    growth->slot = slot;
    growth->item_size = item_size;
    growth->count = count;
    growth->room = count;
    growth->fresh = in->fresh;
    if (items != NULL)
        return items;
    growth->room = whittle_in_array_room(in, at, count, item_size, least);
    if (growth->room == 0)
        return NULL;
    size = item_size == 0 ? 1 : growth->room * item_size;
    items = whittle_in_take(in, slot, size, WHITTLE_ALIGNMENT, owner, release);
    if (items != NULL)
        in->fresh = 1;
    return items;
}

/*: in_array_grow needs in_array_begin in_grow */
/* More storage, when as many items have arrived as there is room for. Returns where the items are now. */
WHITTLE_COLD void *whittle_in_array_grow(struct whittle_in *in, struct whittle_growth *growth)
{
    const uint32_t room = growth->count - growth->room < growth->room ? growth->count : growth->room * 2;
    void *items;
    if ((uint64_t)room * growth->item_size > SIZE_MAX / 2)
        return NULL;
    items = whittle_in_grow(in, growth->slot, growth->room * growth->item_size, room * growth->item_size);
    if (items != NULL)
        growth->room = room;
    return items;
}

/*: in_array_end needs in_array_begin */
WHITTLE_IN_PLACE void whittle_in_array_end(struct whittle_in *in, const struct whittle_growth *growth)
{
    in->fresh = growth->fresh;
}

/*: in_owe needs in */
/*
 * Around the loop over items that hold arrays themselves: what the items to come take at least is not there for those
 * arrays. Owe all before the loop, pay for each item before it is decoded.
 */
WHITTLE_IN_PLACE void whittle_in_owe(struct whittle_in *in, uint32_t count, size_t least)
{
    in->owed += count * least;
}

WHITTLE_IN_PLACE void whittle_in_pay(struct whittle_in *in, size_t least)
{
    in->owed -= least;
}

/*: in_claim needs in */
/* Beside what is owed, so many bytes must be there, where the stream says. */
WHITTLE_IN_PLACE int whittle_in_claim(const struct whittle_in *in, const char *at, size_t least)
{
    const size_t there = (size_t)(in->end - at);
    return !in->memory || (in->owed <= there && least <= there - in->owed);
}

/*: in_ahead needs in ahead */
/* Asks early for where the next items, and about `text` bytes of what hangs from one, are going to be written. */
WHITTLE_IN_PLACE void whittle_in_ahead(const struct whittle_in *in, const void *item, size_t item_size, size_t text)
{
    whittle_ahead(item, item_size);
    if (WHITTLE_ARENA_OF(in) != NULL)
        whittle_ahead(in->arena->at, text);
}

/*: end_of_in_array */
#endif
