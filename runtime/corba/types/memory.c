/* SPDX-License-Identifier: MIT-0 */
/*
 * The memory of CORBA's C mapping: every block knows what its items hold, so that CORBA_free frees deep. Source:
 * formal/99-07-35, "Mapping Considerations for Constructed Types" (one CORBA_free for all that T__alloc and the ORB
 * give).
 */
#include "../../include/whittle/cdr_in.h"
#include "charge.h"
#include "basic.h"
#include "spares.h"
#include "typecode.h"
#include <stdlib.h>
#include <string.h>

/* Stands before the items; items are aligned as malloc aligns. */
union whittle_header {
    struct {
        void (*release)(void *item);
        uint32_t size;
        uint32_t count;
    } of;
    union whittle_aligned alignment;
};

/* Before the header of a block whose items are of a type that only its TypeCode describes. */
union whittle_typed_header {
    CORBA_TypeCode type;
    union whittle_aligned alignment;
};

/* Never called: distinguishes such blocks from others. */
static void whittle_release_typed(void *item)
{
    (void)item;
}

/* What stands in a freed block's header as the size of its items. */
enum { WHITTLE_FREED = -1 };

/* Beside that size: the block lies in a message's storage, and goes with it. The heap would keep it for the thread that read it. */
#define WHITTLE_LENT_BLOCK 0x80000000u

static bool whittle_is_lent(const union whittle_header *header)
{
    return (header->of.size & WHITTLE_LENT_BLOCK) != 0;
}

static size_t whittle_item_size(const union whittle_header *header)
{
    return header->of.size & ~WHITTLE_LENT_BLOCK;
}

/* `head` bytes and the items; false: no memory has as many. */
static bool whittle_block_size(size_t head, size_t size, uint32_t count, size_t *total)
{
    if (size > UINT32_MAX / 2 || __builtin_mul_overflow(size, (size_t)count, total) || *total > SIZE_MAX / 2)
        return false;
    *total = whittle_spare_size(*total + head);
    return true;
}

/* Zeros where there is something to release. */
static char *whittle_block_take(size_t total, bool zeroed, bool *lent)
{
    struct whittle_account *const account = whittle_charged;
    char *block;
    *lent = account != NULL && account->lends;
    if (*lent)
        block = (char *)account->block(account, total);
    else if (!whittle_account_take(account, total))
        return NULL;
    else
        block = whittle_spare_fits(total) ? (char *)whittle_spare_take(total) : NULL;
    if (block != NULL && zeroed)
        memset(block, 0, total);
    if (block == NULL && !*lent)
        block = (char *)(zeroed ? calloc(1, total) : malloc(total));
    return block;
}

static void *whittle_block(size_t before, size_t size, uint32_t count, void (*release)(void *item))
{
    size_t total;
    bool lent;
    if (!whittle_block_size(before + sizeof(union whittle_header), size, count, &total))
        return NULL;
    char *const block = whittle_block_take(total, release != NULL, &lent);
    if (block == NULL)
        return NULL;
    union whittle_header *const header = (union whittle_header *)(void *)(block + before);
    header->of.release = release;
    header->of.size = (uint32_t)size | (lent ? WHITTLE_LENT_BLOCK : 0);
    header->of.count = count;
    return header + 1;
}

void *whittle_corba_new(size_t size, uint32_t count, void (*release)(void *item))
{
    return whittle_block(0, size, count, release);
}

static union whittle_typed_header *whittle_typed_header(union whittle_header *header)
{
    return (union whittle_typed_header *)(void *)header - 1;
}

void *whittle_typed_new(CORBA_TypeCode type, uint32_t count)
{
    if (type->release == NULL) {
        void *const items = whittle_block(0, type->size, count, NULL);
        return items == NULL ? NULL : memset(items, 0, type->size * count);
    }
    CORBA_TypeCode kept = whittle_typecode_duplicate(type);
    const size_t before = sizeof(union whittle_typed_header);
    union whittle_header *const items =
        kept == NULL ? NULL : (union whittle_header *)whittle_block(before, type->size, count, whittle_release_typed);
    if (items != NULL)
        whittle_typed_header(items - 1)->type = kept;
    else
        whittle_release_typecode(&kept);
    return items;
}

void *whittle_typed_grow(CORBA_TypeCode type, void *items, uint32_t count)
{
    union whittle_header *const header = (union whittle_header *)items - 1;
    const size_t before = header->of.release == whittle_release_typed ? sizeof(union whittle_typed_header) : 0;
    const size_t head = before + sizeof *header, old = type->size * header->of.count;
    size_t total;
    char *block = NULL;
    bool lent;
    if (!whittle_block_size(head, type->size, count, &total))
        return NULL;
    if (whittle_is_lent(header)) {
        block = whittle_block_take(total, false, &lent);
        if (block != NULL)
            memcpy(block, (char *)header - before, head + old);
    } else if (whittle_account_take(whittle_charged, total - old - head)) {
        block = (char *)realloc((char *)header - before, total);
    }
    if (block == NULL)
        return NULL;
    memset(block + head + old, 0, type->size * count - old);
    ((union whittle_header *)(void *)(block + before))->of.count = count;
    return block + head;
}

static void whittle_block_free(union whittle_header *header)
{
    const bool lent = whittle_is_lent(header);
    size_t total = 0;
    whittle_block_size(sizeof *header, whittle_item_size(header), header->of.count, &total);
    header->of.size = (uint32_t)WHITTLE_FREED;
    if (lent)
        return;
    if (!whittle_spare_fits(total) || !whittle_spare_keep(header, total))
        free(header);
}

/*
 * Blocks that a thread still has to free. What a block leads to is freed while it is, block in block, up to so many; what is deeper waits
 * here for the first of them to be done, so that values may lead to each other in chains of any length.
 */
enum { WHITTLE_FREE_DEPTH = 64 };
struct whittle_waiting {
    unsigned depth;
    size_t count, room;
    void **blocks;
};
static __thread struct whittle_waiting whittle_waiting;

/* false: there is no memory for the list, and the stack has to do. */
static bool whittle_free_waits(struct whittle_waiting *waiting, void *storage)
{
    if (waiting->count == waiting->room) {
        const size_t room = 2 * waiting->room + 16;
        void **const blocks = (void **)realloc(waiting->blocks, room * sizeof *blocks);
        if (blocks == NULL)
            return false;
        waiting->blocks = blocks;
        waiting->room = room;
    }
    waiting->blocks[waiting->count++] = storage;
    return true;
}

static void whittle_free_block(void *storage)
{
    union whittle_header *const header = (union whittle_header *)storage - 1;
    char *item = (char *)storage;
    if (header->of.size == (uint32_t)WHITTLE_FREED)    /* freed twice */
        abort();
    if (header->of.release == whittle_release_typed) {
        union whittle_typed_header *const typed = whittle_typed_header(header);
        for (uint32_t index = 0; index < header->of.count; index++, item += whittle_item_size(header))
            whittle_release_value(typed->type, item);
        whittle_release_typecode(&typed->type);
        if (!whittle_is_lent(header))
            free(typed);
        return;
    }
    if (header->of.release != NULL)
        for (uint32_t index = 0; index < header->of.count; index++, item += whittle_item_size(header))
            header->of.release(item);
    whittle_block_free(header);
}

void CORBA_free(void *storage)
{
    struct whittle_waiting *const waiting = &whittle_waiting;
    if (storage == NULL || (waiting->depth >= WHITTLE_FREE_DEPTH && whittle_free_waits(waiting, storage)))
        return;
    waiting->depth++;
    whittle_free_block(storage);
    while (waiting->depth == 1 && waiting->count > 0)
        whittle_free_block(waiting->blocks[--waiting->count]);
    waiting->depth--;
    if (waiting->depth == 0 && waiting->room > 0) {
        free(waiting->blocks);
        *waiting = (struct whittle_waiting){0, 0, 0, NULL};
    }
}

void whittle_release_state(void *place)
{
    void *state;
    memcpy(&state, place, sizeof state);
    CORBA_free(state);
    state = NULL;
    memcpy(place, &state, sizeof state);
}

void *whittle_corba_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_account *const before = whittle_account_begin(in->account);
    void *const items = whittle_corba_new(size, count, release);
    whittle_account_begin(before);
    return items;
}
