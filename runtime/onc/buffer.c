/* SPDX-License-Identifier: MIT-0 */
/* Where buffers come from, and where they go: buffer.h. */
#include "buffer.h"

void whittle_onc_pool_open(struct whittle_onc_pool *pool)
{
    *pool = (struct whittle_onc_pool){.spare = NULL};
    pthread_mutex_init(&pool->lock, NULL);
}

void whittle_onc_pool_close(struct whittle_onc_pool *pool)
{
    struct whittle_onc_buffer *const lists[2] = {pool->small, pool->big};
    free(pool->spare);
    for (int which = 0; which < 2; which++)
        for (struct whittle_onc_buffer *buffer = lists[which], *next; buffer != NULL; buffer = next) {
            next = buffer->next;
            free(buffer);
        }
    pthread_mutex_destroy(&pool->lock);
}

/* The place of the smallest big one that has `wanted`, or else of the biggest that has `least`. */
static struct whittle_onc_buffer **whittle_onc_buffer_best(struct whittle_onc_pool *pool, size_t least, size_t wanted)
{
    struct whittle_onc_buffer **best = NULL;
    for (struct whittle_onc_buffer **place = &pool->big; *place != NULL; place = &(*place)->next) {
        const size_t room = (*place)->room, best_room = best == NULL ? 0 : (*best)->room;
        const bool better = best_room < wanted ? room > best_room : room >= wanted && room < best_room;
        if (room >= least && (best == NULL || better))
            best = place;
    }
    return best;
}

WHITTLE_ONC_RARE static struct whittle_onc_buffer *whittle_onc_buffer_waiting(struct whittle_onc_pool *pool, size_t least, size_t wanted)
{
    struct whittle_onc_buffer *found = NULL;
    pthread_mutex_lock(&pool->lock);
    if (wanted <= WHITTLE_ONC_SMALL && pool->small != NULL) {
        found = pool->small;
        pool->small = found->next;
        pool->small_count--;
    } else if (wanted > WHITTLE_ONC_SMALL) {
        struct whittle_onc_buffer **const best = whittle_onc_buffer_best(pool, least, wanted);
        if (best != NULL) {
            found = *best;
            *best = found->next;
            pool->big_bytes -= found->room;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

WHITTLE_ONC_RARE static struct whittle_onc_buffer *whittle_onc_buffer_new(size_t room)
{
    const size_t whole = ((room + sizeof(struct whittle_onc_buffer) + 63) & ~(size_t)63);
    struct whittle_onc_buffer *const buffer = room > SIZE_MAX / 2 ? NULL : (struct whittle_onc_buffer *)aligned_alloc(64, whole);
    if (buffer != NULL)
        buffer->room = whole - sizeof *buffer;
    return buffer;
}

struct whittle_onc_buffer *whittle_onc_buffer_take(struct whittle_onc_pool *pool, size_t least, size_t wanted)
{
    struct whittle_onc_buffer *buffer = NULL;
    if (wanted <= WHITTLE_ONC_SMALL)
        buffer = __atomic_exchange_n(&pool->spare, NULL, __ATOMIC_ACQ_REL);
    if (buffer == NULL)
        buffer = whittle_onc_buffer_waiting(pool, least, wanted);
    if (buffer == NULL)
        buffer = whittle_onc_buffer_new(least <= WHITTLE_ONC_SMALL ? WHITTLE_ONC_SMALL : least);
    if (buffer == NULL)
        return NULL;
    buffer->next = NULL;
    buffer->from = buffer->to = 0;
    buffer->refs = 1;
    return buffer;
}

void whittle_onc_buffer_give(struct whittle_onc_pool *pool, struct whittle_onc_buffer *buffer)
{
    /* Who is alone need not tell anybody. */
    if (buffer == NULL || (!whittle_onc_buffer_alone(buffer) && __atomic_sub_fetch(&buffer->refs, 1, __ATOMIC_ACQ_REL) != 0))
        return;
    const bool small = buffer->room <= WHITTLE_ONC_SMALL;
    if (small && __atomic_load_n(&pool->spare, __ATOMIC_RELAXED) == NULL) {
        buffer = __atomic_exchange_n(&pool->spare, buffer, __ATOMIC_ACQ_REL);
        if (buffer == NULL)
            return;
    }
    pthread_mutex_lock(&pool->lock);
    const bool kept = small ? pool->small_count < WHITTLE_ONC_SMALL_KEPT : buffer->room <= WHITTLE_ONC_BIG_KEPT - pool->big_bytes;
    if (kept) {
        struct whittle_onc_buffer **const list = small ? &pool->small : &pool->big;
        buffer->next = *list;
        *list = buffer;
        pool->small_count += small;
        pool->big_bytes += small ? 0 : buffer->room;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!kept)
        free(buffer);
}
