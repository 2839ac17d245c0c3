/* SPDX-License-Identifier: MIT-0 */
/* A hash table with open addressing, at most half full, so that walks over large types from a message stay linear. */
#include "seen.h"
#include <stdlib.h>
#include <string.h>

void whittle_seen_begin(struct whittle_seen *seen)
{
    memset(seen, 0, sizeof *seen);
    seen->met = seen->first;
    seen->room = sizeof seen->first / sizeof seen->first[0];
}

void whittle_seen_end(struct whittle_seen *seen)
{
    if (seen->met != seen->first)
        free(seen->met);
}

/* Addresses that differ little must not meet: the product's high bits depend on all of them. */
static size_t whittle_seen_hash(const void *one, const void *other)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)one * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(uintptr_t)other;
    return (size_t)((mixed * UINT64_C(0xbf58476d1ce4e5b9)) >> 32);
}

static struct whittle_met *whittle_seen_slot(struct whittle_met *met, size_t room, const void *one, const void *other)
{
    size_t slot = whittle_seen_hash(one, other) & (room - 1);
    while (met[slot].one != NULL && (met[slot].one != one || met[slot].other != other))
        slot = (slot + 1) & (room - 1);
    return &met[slot];
}

struct whittle_met *whittle_seen_find(struct whittle_seen *seen, const void *one, const void *other)
{
    struct whittle_met *const met = whittle_seen_slot(seen->met, seen->room, one, other);
    return met->one == NULL ? NULL : met;
}

static bool whittle_seen_grow(struct whittle_seen *seen)
{
    const size_t room = 4 * seen->room;
    struct whittle_met *const met = (struct whittle_met *)calloc(room, sizeof *met);
    if (met == NULL)
        return false;
    for (size_t slot = 0; slot < seen->room; slot++)
        if (seen->met[slot].one != NULL)
            *whittle_seen_slot(met, room, seen->met[slot].one, seen->met[slot].other) = seen->met[slot];
    whittle_seen_end(seen);
    seen->met = met;
    seen->room = room;
    return true;
}

struct whittle_met *whittle_seen_add(struct whittle_seen *seen, const void *one, const void *other)
{
    if (2 * seen->used >= seen->room && !whittle_seen_grow(seen))
        return NULL;
    struct whittle_met *const met = whittle_seen_slot(seen->met, seen->room, one, other);
    if (met->one == NULL)
        *met = (struct whittle_met){one, other, NULL, 0};
    seen->used++;
    return met;
}
