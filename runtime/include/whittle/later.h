/* SPDX-License-Identifier: MIT-0 */
/*
 * Values inside values, released without a deep stack. What a routine meets while it releases is released at once, value in value, up to so
 * many; what is deeper is moved to a list, which the first routine works off before it ends. So values may be as deep as their owner made
 * them, where decoding would have refused them.
 */
#ifndef WHITTLE_LATER_H
#define WHITTLE_LATER_H
#include <whittle/words.h>

/*: later needs bool attributes */
enum { WHITTLE_RELEASE_DEPTH = 64 };

struct whittle_unreleased {
    struct whittle_unreleased *next;
    void (*release)(void *value);
};
/* Behind its head: values are aligned as malloc aligns. */
union whittle_unreleased_head {
    struct whittle_unreleased of;
    long double alignment;
    long long others;
};

/* Where one thread alone releases values, and nothing gives threads storage of their own, as in a small kernel, define it as nothing. */
#ifndef WHITTLE_THREAD_LOCAL
#define WHITTLE_THREAD_LOCAL __thread
#endif

/* What a thread is releasing. */
struct whittle_releasing {
    unsigned depth;
    struct whittle_unreleased *later;
};
static WHITTLE_THREAD_LOCAL struct whittle_releasing whittle_releasing __attribute__((unused));

/* false: the value is on the list, and empty here. Without memory for that the stack has to do. */
WHITTLE_SHARED bool whittle_release_begins(void *value, size_t size, void (*release)(void *value))
{
    union whittle_unreleased_head *const later =
        whittle_releasing.depth < WHITTLE_RELEASE_DEPTH ? NULL : (union whittle_unreleased_head *)malloc(sizeof *later + size);
    if (later == NULL) {
        whittle_releasing.depth++;
        return true;
    }
    memcpy(later + 1, value, size);
    memset(value, 0, size);
    later->of.next = whittle_releasing.later;
    later->of.release = release;
    whittle_releasing.later = &later->of;
    return false;
}

WHITTLE_SHARED void whittle_release_ends(void)
{
    while (whittle_releasing.depth == 1 && whittle_releasing.later != NULL) {
        struct whittle_unreleased *const later = whittle_releasing.later;
        whittle_releasing.later = later->next;
        later->release((union whittle_unreleased_head *)(void *)later + 1);
        free(later);
    }
    whittle_releasing.depth--;
}

/*: end_of_later */
#endif
