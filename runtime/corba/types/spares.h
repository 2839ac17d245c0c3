/* SPDX-License-Identifier: MIT-0 */
/*
 * Blocks that were freed wait for whoever needs as much next in the same thread. malloc is as quick for small ones, but
 * for what is a little longer than 1,032 bytes, a message's worth of numbers say, glibc takes four times as long. A
 * thread keeps little, and releases it at its end. Where the compiler looks after memory itself, nothing is kept.
 */
#ifndef WHITTLE_CORBA_SPARES_H
#define WHITTLE_CORBA_SPARES_H
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined WHITTLE_SPARES
#define WHITTLE_SPARES 0
#endif
#endif
#if defined __SANITIZE_ADDRESS__ && !defined WHITTLE_SPARES
#define WHITTLE_SPARES 0
#elif !defined WHITTLE_SPARES
#define WHITTLE_SPARES 1
#endif

/* Sizes of more than LEAST bytes are rounded up to multiples of GRAIN; those of up to MOST are kept. */
enum { WHITTLE_SPARE_GRAIN = 128, WHITTLE_SPARE_LEAST = 1024, WHITTLE_SPARE_MOST = 4224, WHITTLE_SPARES_KEPT = 65536 };

struct whittle_spare {
    struct whittle_spare *next;
};

enum whittle_spares_state { WHITTLE_SPARES_NEW, WHITTLE_SPARES_WATCHED, WHITTLE_SPARES_ENDED };
struct whittle_spares {
    struct whittle_spare *lists[(WHITTLE_SPARE_MOST - WHITTLE_SPARE_LEAST) / WHITTLE_SPARE_GRAIN];
    uint32_t bytes;
    enum whittle_spares_state state;
};

static __thread struct whittle_spares whittle_spares;
static pthread_key_t whittle_spares_key;
static pthread_once_t whittle_spares_once = PTHREAD_ONCE_INIT;
static bool whittle_spares_can;

__attribute__((unused)) static inline bool whittle_spare_fits(size_t size)
{
    return WHITTLE_SPARES && size - WHITTLE_SPARE_LEAST - 1 < WHITTLE_SPARE_MOST - WHITTLE_SPARE_LEAST;
}

/* How long a block of at least this size is. */
__attribute__((unused)) static inline size_t whittle_spare_size(size_t size)
{
    return whittle_spare_fits(size) ? (size + WHITTLE_SPARE_GRAIN - 1) & ~(size_t)(WHITTLE_SPARE_GRAIN - 1) : size;
}

static struct whittle_spare **whittle_spare_list(size_t size)
{
    return &whittle_spares.lists[(size - WHITTLE_SPARE_LEAST - 1) / WHITTLE_SPARE_GRAIN];
}

/* One that fits; NULL: none waits. */
__attribute__((unused)) static inline void *whittle_spare_take(size_t size)
{
    struct whittle_spare **const list = whittle_spare_list(size), *const spare = *list;
    if (spare == NULL)
        return NULL;
    *list = spare->next;
    whittle_spares.bytes -= (uint32_t)whittle_spare_size(size);
    return spare;
}

static void whittle_spares_end(void *spares)
{
    struct whittle_spares *const all = (struct whittle_spares *)spares;
    all->state = WHITTLE_SPARES_ENDED;
    for (size_t index = 0; index < sizeof all->lists / sizeof *all->lists; index++)
        while (all->lists[index] != NULL) {
            struct whittle_spare *const spare = all->lists[index];
            all->lists[index] = spare->next;
            free(spare);
        }
}

static void whittle_spares_begin(void)
{
    whittle_spares_can = pthread_key_create(&whittle_spares_key, whittle_spares_end) == 0;
}

/* This thread's end will be seen; false: it cannot be, or has been. */
static __attribute__((noinline)) bool whittle_spares_watch(void)
{
    if (whittle_spares.state == WHITTLE_SPARES_ENDED || pthread_once(&whittle_spares_once, whittle_spares_begin) != 0
        || !whittle_spares_can || pthread_setspecific(whittle_spares_key, &whittle_spares) != 0)
        return false;
    whittle_spares.state = WHITTLE_SPARES_WATCHED;
    return true;
}

/* false: it is not kept. */
__attribute__((unused)) static inline bool whittle_spare_keep(void *block, size_t size)
{
    const uint32_t bytes = whittle_spares.bytes + (uint32_t)whittle_spare_size(size);
    if (bytes > WHITTLE_SPARES_KEPT || (whittle_spares.state != WHITTLE_SPARES_WATCHED && !whittle_spares_watch()))
        return false;
    struct whittle_spare **const list = whittle_spare_list(size);
    ((struct whittle_spare *)block)->next = *list;
    *list = (struct whittle_spare *)block;
    whittle_spares.bytes = bytes;
    return true;
}
#endif
