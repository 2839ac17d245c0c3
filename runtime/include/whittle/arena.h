/* SPDX-License-Identifier: MIT-0 */
/*
 * Storage for one message, released as a whole. Blocks grow with what was asked for: never more than twice that, plus
 * some tens of kilobytes; what is large beside its block gets a block of its own.
 */
#ifndef WHITTLE_ARENA_H
#define WHITTLE_ARENA_H
#include <whittle/words.h>

/*: arenas needs attributes */
/* Files in which nothing is decoded into an arena set this to 0, and have no code for it. */
#ifndef WHITTLE_ARENAS
#define WHITTLE_ARENAS 1
#endif
WHITTLE_IN_PLACE int whittle_has_arenas(void)
{
    return WHITTLE_ARENAS;
}
#define WHITTLE_ARENA_OF(in) (whittle_has_arenas() ? (in)->arena : NULL)

/*: arena needs attributes arenas */
#ifndef WHITTLE_ARENA_FIRST
#define WHITTLE_ARENA_FIRST 1000    /* with its header still one of the sizes that malloc keeps at hand */
#endif
#define WHITTLE_ARENA_SMALL 32768
struct whittle_arena_block {
    struct whittle_arena_block *next;
    size_t size;
};
struct whittle_arena {
    char *at;                               /* the free part of the newest common block */
    char *end;
    struct whittle_arena_block *blocks;     /* newest first */
    size_t total;                           /* bytes in blocks */
};

/*: arena_begin needs arena */
/* `first` may be NULL; it stays the caller's and outlives the arena. */
WHITTLE_IN_PLACE void whittle_arena_begin(struct whittle_arena *arena, void *first, size_t size)
{
    arena->at = (char *)first;
    arena->end = first == NULL ? NULL : (char *)first + size;
    arena->blocks = NULL;
    arena->total = 0;
}

/*: arena_free needs arena */
WHITTLE_IN_PLACE void whittle_arena_free(struct whittle_arena_block *block)
{
    while (block != NULL) {
        struct whittle_arena_block *const next = block->next;
        free(block);
        block = next;
    }
}

/*: arena_release needs arena_free */
WHITTLE_IN_PLACE void whittle_arena_release(struct whittle_arena *arena)
{
    whittle_arena_free(arena->blocks);
    arena->blocks = NULL;
    arena->at = arena->end = NULL;
    arena->total = 0;
}

/*: arena_add needs arena */
/* A block with room for `size` bytes. */
WHITTLE_COLD char *whittle_arena_add(struct whittle_arena *arena, size_t size)
{
    struct whittle_arena_block *block = NULL;
    if (size <= SIZE_MAX - sizeof *block)
        block = (struct whittle_arena_block *)malloc(sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    block->size = size;
    arena->blocks = block;
    arena->total += size;
    return (char *)(block + 1);
}

/*: arena_allocate needs arena_add */
WHITTLE_COLD void *whittle_arena_allocate_slowly(struct whittle_arena *arena, size_t size)
{
    const size_t grown = arena->total < WHITTLE_ARENA_SMALL ? arena->total : arena->total / 2;
    const size_t common = grown > WHITTLE_ARENA_FIRST ? grown : WHITTLE_ARENA_FIRST;
    char *block;
    if (size > common / 4)
        return whittle_arena_add(arena, size);
    block = whittle_arena_add(arena, common);
    if (block == NULL)
        return NULL;
    arena->at = block + size;
    arena->end = block + common;
    return block;
}

/* `alignment` is a power of two, at most that of malloc. */
WHITTLE_IN_PLACE void *whittle_arena_allocate(struct whittle_arena *arena, size_t size, size_t alignment)
{
    const size_t gap = (size_t)(0 - (uintptr_t)arena->at) & (alignment - 1);
    const size_t room = (size_t)(arena->end - arena->at);
    if (WHITTLE_LIKELY(gap <= room && size <= room - gap)) {
        char *const found = arena->at + gap;
        arena->at = found + size;
        return found;
    }
    return whittle_arena_allocate_slowly(arena, size);
}

/*: arena_expect needs arena_add */
/* About `size` bytes are going to be asked for, backed by as many that arrived: one block for all. */
WHITTLE_IN_PLACE void whittle_arena_expect(struct whittle_arena *arena, size_t size)
{
    char *block;
    if (size <= (size_t)(arena->end - arena->at))
        return;
    block = whittle_arena_add(arena, size);
    if (block == NULL)
        return;
    arena->at = block;
    arena->end = block + size;
}

/*: arena_grow needs arena_allocate */
/* Like realloc: in place where it can, for the last thing allocated and for what has a block of its own. */
WHITTLE_COLD void *whittle_arena_grow(struct whittle_arena *arena, void *old, size_t old_size, size_t size)
{
    char *const from = (char *)old;
    struct whittle_arena_block **link = &arena->blocks;
    void *found;
    if (from + old_size == arena->at && size - old_size <= (size_t)(arena->end - arena->at)) {
        arena->at = from + size;
        return old;
    }
    /* Blocks are few: they grow with what there is. */
    while (*link != NULL && (from != (char *)(*link + 1) || (*link)->size != old_size))
        link = &(*link)->next;
    if (*link != NULL && size <= SIZE_MAX - sizeof **link) {
        struct whittle_arena_block *const moved = (struct whittle_arena_block *)realloc(*link, sizeof *moved + size);
        if (moved == NULL)
            return NULL;
        arena->total += size - old_size;
        moved->size = size;
        *link = moved;
        return moved + 1;
    }
    found = whittle_arena_allocate(arena, size, sizeof(void *) * 2);
    if (found != NULL)
        memcpy(found, old, old_size);
    return found;
}

/*: end_of_arena */
#endif
