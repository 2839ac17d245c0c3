/* SPDX-License-Identifier: MIT-0 */
/*
 * What a walk over TypeCodes has met: pairs of addresses, each with a number or a place. Small ones need no memory of
 * their own.
 */
#ifndef WHITTLE_CORBA_SEEN_H
#define WHITTLE_CORBA_SEEN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct whittle_met {
    const void *one;        /* NULL: free */
    const void *other;
    const void *place;
    size_t position;
};
struct whittle_seen {
    struct whittle_met *met;
    size_t room;            /* a power of two */
    size_t used;
    struct whittle_met first[16];
};

void whittle_seen_begin(struct whittle_seen *seen);
void whittle_seen_end(struct whittle_seen *seen);
/* NULL: not met. */
struct whittle_met *whittle_seen_find(struct whittle_seen *seen, const void *one, const void *other);
/* A new entry, for the caller to fill; valid until the next one. NULL: no memory. */
struct whittle_met *whittle_seen_add(struct whittle_seen *seen, const void *one, const void *other);

#endif
