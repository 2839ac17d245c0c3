/* SPDX-License-Identifier: MIT-0 */
/* Where buffers come from, and where they go: buffer.h. */
#include "buffer.h"
#include <stdlib.h>

void whittle_pool_open(struct whittle_pool *pool)
{
    *pool = (struct whittle_pool){.small = NULL};
    pthread_mutex_init(&pool->lock, NULL);
}

void whittle_pool_close(struct whittle_pool *pool)
{
    struct whittle_buffer *const lists[2] = {pool->small, pool->big};
    for (int which = 0; which < 2; which++)
        for (struct whittle_buffer *buffer = lists[which], *next; buffer != NULL; buffer = next) {
            next = buffer->next;
            free(buffer);
        }
    pthread_mutex_destroy(&pool->lock);
}

static struct whittle_buffer *whittle_buffer_waiting(struct whittle_pool *pool, size_t least, size_t wanted)
{
    struct whittle_buffer *found = NULL;
    pthread_mutex_lock(&pool->lock);
    if (wanted <= WHITTLE_SMALL && pool->small != NULL) {
        found = pool->small;
        pool->small = found->next;
        pool->small_count--;
    } else if (wanted > WHITTLE_SMALL) {
        struct whittle_buffer **best = NULL;
        for (struct whittle_buffer **place = &pool->big; *place != NULL; place = &(*place)->next)
            if ((*place)->room >= least && (best == NULL || ((*best)->room < wanted && (*place)->room > (*best)->room)))
                best = place;
        if (best != NULL) {
            found = *best;
            *best = found->next;
            pool->big_bytes -= found->room;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

static struct whittle_buffer *whittle_buffer_new(size_t room)
{
    const size_t whole = (room + 63) & ~(size_t)63;
    struct whittle_buffer *const buffer =
        room > SIZE_MAX / 2 ? NULL : (struct whittle_buffer *)aligned_alloc(64, sizeof *buffer + whole);
    if (buffer == NULL)
        return NULL;
    buffer->room = whole;
    buffer->next = NULL;
    buffer->from = buffer->to = 0;
    buffer->refs = 1;
    return buffer;
}

struct whittle_buffer *whittle_buffer_take(struct whittle_pool *pool, size_t least, size_t wanted)
{
    struct whittle_buffer *const buffer = whittle_buffer_waiting(pool, least, wanted);
    if (buffer == NULL)
        return whittle_buffer_new(least <= WHITTLE_SMALL ? WHITTLE_SMALL : least);
    buffer->next = NULL;
    buffer->from = buffer->to = 0;
    buffer->refs = 1;
    return buffer;
}

struct whittle_buffer *whittle_buffer_grow(struct whittle_pool *pool, struct whittle_buffer *buffer, size_t used, size_t least)
{
    const size_t twice = buffer->room > SIZE_MAX / 4 ? buffer->room : 2 * buffer->room;
    const size_t room = least < twice ? twice : least;
    struct whittle_buffer *grown = whittle_buffer_waiting(pool, least, room);
    if (grown == NULL)
        grown = whittle_buffer_new(room);
    if (grown == NULL)
        return NULL;
    grown->refs = 1;
    memcpy(grown->bytes, buffer->bytes, used);
    whittle_buffer_give(pool, buffer);
    return grown;
}

void whittle_buffer_give(struct whittle_pool *pool, struct whittle_buffer *buffer)
{
    if (buffer == NULL || __atomic_sub_fetch(&buffer->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    pthread_mutex_lock(&pool->lock);
    const bool small = buffer->room <= WHITTLE_SMALL;
    const bool kept = small ? pool->small_count < WHITTLE_SMALL_KEPT : buffer->room <= WHITTLE_BIG_KEPT - pool->big_bytes;
    if (kept) {
        struct whittle_buffer **const list = small ? &pool->small : &pool->big;
        buffer->next = *list;
        *list = buffer;
        pool->small_count += small;
        pool->big_bytes += small ? 0 : buffer->room;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!kept)
        free(buffer);
}
