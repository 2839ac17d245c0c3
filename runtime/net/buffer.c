/* SPDX-License-Identifier: MIT-0 */
/* Where buffers come from, and where they go: buffer.h. */
#include "buffer.h"
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define WHITTLE_NET_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WHITTLE_NET_CHECKED 1
#endif
#endif

/* Pages of their own; under AddressSanitizer blocks of malloc's, so that it sees what is written behind one. */
static struct whittle_net_buffer *whittle_net_pages_take(size_t size)
{
#ifdef WHITTLE_NET_CHECKED
    return (struct whittle_net_buffer *)aligned_alloc(64, size);
#else
    void *const pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : (struct whittle_net_buffer *)pages;
#endif
}

static void whittle_net_buffer_free(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer)
{
    const size_t size = buffer->room + sizeof *buffer;
#ifdef WHITTLE_NET_CHECKED
    free(buffer);
#else
    munmap(buffer, size);
#endif
    whittle_net_budget_give(&pool->budget, size);
}

static void whittle_net_list_free(struct whittle_net_pool *pool, struct whittle_net_buffer *first)
{
    for (struct whittle_net_buffer *buffer = first, *next; buffer != NULL; buffer = next) {
        next = buffer->next;
        whittle_net_buffer_free(pool, buffer);
    }
}

void whittle_net_pool_open(struct whittle_net_pool *pool, size_t bound)
{
    *pool = (struct whittle_net_pool){.budget = {.bound = bound}};
    pthread_mutex_init(&pool->lock, NULL);
}

void whittle_net_pool_trim(struct whittle_net_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct whittle_net_buffer *const lists[2] = {pool->small, pool->big};
    pool->small = pool->big = NULL;
    pool->small_count = pool->big_bytes = 0;
    pthread_mutex_unlock(&pool->lock);
    whittle_net_list_free(pool, lists[0]);
    whittle_net_list_free(pool, lists[1]);
}

void whittle_net_pool_close(struct whittle_net_pool *pool)
{
    if (pool->spare != NULL)
        whittle_net_buffer_free(pool, pool->spare);
    whittle_net_pool_trim(pool);
    pthread_mutex_destroy(&pool->lock);
}

/* The place of the smallest big one that has `wanted`, or else of the biggest that has `least`. */
static struct whittle_net_buffer **whittle_net_buffer_best(struct whittle_net_pool *pool, size_t least, size_t wanted)
{
    struct whittle_net_buffer **best = NULL;
    for (struct whittle_net_buffer **place = &pool->big; *place != NULL; place = &(*place)->next) {
        const size_t room = (*place)->room, best_room = best == NULL ? 0 : (*best)->room;
        const bool better = best_room < wanted ? room > best_room : room >= wanted && room < best_room;
        if (room >= least && (best == NULL || better))
            best = place;
    }
    return best;
}

WHITTLE_NET_HOT WHITTLE_NET_NOINLINE static struct whittle_net_buffer *whittle_net_buffer_waiting(struct whittle_net_pool *pool, size_t least, size_t wanted)
{
    struct whittle_net_buffer *found = NULL;
    pthread_mutex_lock(&pool->lock);
    if (wanted <= WHITTLE_NET_SMALL && pool->small != NULL) {
        found = pool->small;
        pool->small = found->next;
        pool->small_count--;
    } else if (wanted > WHITTLE_NET_SMALL) {
        struct whittle_net_buffer **const best = whittle_net_buffer_best(pool, least, wanted);
        if (best != NULL) {
            found = *best;
            *best = found->next;
            pool->big_bytes -= found->room;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return found;
}

WHITTLE_NET_COLD static struct whittle_net_buffer *whittle_net_buffer_new(struct whittle_net_pool *pool, size_t room)
{
    enum { PAGE = 4096 };
    if (room > SIZE_MAX / 2)
        return NULL;
    const size_t size = (room + sizeof(struct whittle_net_buffer) + PAGE - 1) & ~(size_t)(PAGE - 1);
    const enum whittle_net_want want = room <= WHITTLE_NET_SMALL ? WHITTLE_NET_WANT_SHORT : WHITTLE_NET_WANT_LONG;
    if (!whittle_net_budget_take(&pool->budget, size, want)) {
        whittle_net_pool_trim(pool);
        if (!whittle_net_budget_take(&pool->budget, size, want))
            return NULL;
    }
    struct whittle_net_buffer *const buffer = whittle_net_pages_take(size);
    if (buffer != NULL)
        buffer->room = size - sizeof *buffer;
    else
        whittle_net_budget_give(&pool->budget, size);
    return buffer;
}

struct whittle_net_buffer *whittle_net_buffer_find(struct whittle_net_pool *pool, size_t least, size_t wanted)
{
    struct whittle_net_buffer *const waiting = whittle_net_buffer_waiting(pool, least, wanted);
    return waiting != NULL ? waiting : whittle_net_buffer_new(pool, least <= WHITTLE_NET_SMALL ? (size_t)WHITTLE_NET_SMALL : least);
}

/* Where memory is short, a long one is not kept. */
static bool whittle_net_buffer_keeps(const struct whittle_net_pool *pool, const struct whittle_net_buffer *buffer)
{
    if (buffer->room <= WHITTLE_NET_SMALL)
        return pool->small_count < WHITTLE_NET_SMALL_KEPT;
    return pool->big_bytes < WHITTLE_NET_BIG_KEPT && buffer->room <= WHITTLE_NET_BIG_KEPT - pool->big_bytes
        && !whittle_net_budget_is_tight(&pool->budget);
}

WHITTLE_NET_HOT void whittle_net_buffer_store(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer)
{
    const bool small = buffer->room <= WHITTLE_NET_SMALL;
    pthread_mutex_lock(&pool->lock);
    const bool kept = whittle_net_buffer_keeps(pool, buffer);
    if (kept) {
        struct whittle_net_buffer **const list = small ? &pool->small : &pool->big;
        buffer->next = *list;
        *list = buffer;
        pool->small_count += small;
        pool->big_bytes += small ? 0 : buffer->room;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!kept)
        whittle_net_buffer_free(pool, buffer);
}

struct whittle_net_buffer *whittle_net_buffer_grow(struct whittle_net_pool *pool, struct whittle_net_buffer *buffer, size_t used, size_t least)
{
    const size_t twice = buffer->room > SIZE_MAX / 4 ? buffer->room : 2 * buffer->room;
    struct whittle_net_buffer *grown = whittle_net_buffer_take(pool, least < twice ? twice : least, least);
    if (grown == NULL && least < twice)     /* near the bound: no more than is needed */
        grown = whittle_net_buffer_take(pool, least, least);
    if (grown == NULL)
        return NULL;
    memcpy(grown->bytes, buffer->bytes, used);
    whittle_net_buffer_give(pool, buffer);
    return grown;
}

bool whittle_net_buffer_move(struct whittle_net_pool *from, struct whittle_net_pool *to, const struct whittle_net_buffer *buffer)
{
    const size_t size = buffer->room + sizeof *buffer;
    if (from == to || !whittle_net_buffer_alone(buffer) || !whittle_net_budget_take(&to->budget, size, WHITTLE_NET_WANT_LONG))
        return false;
    whittle_net_budget_give(&from->budget, size);
    return true;
}
