/* SPDX-License-Identifier: MIT-0 */
/*
 * Memory that is counted. Compiled with -include ledger.h, a file's calls of malloc come here; `ledger.off` lets them
 * through, for storage that another library is going to free.
 */
#ifndef LEDGER_H
#define LEDGER_H
#include <stddef.h>
#include <stdlib.h>

struct ledger {
    long live;          /* pieces */
    size_t bytes, peak; /* as asked for */
    long calls;
    long fail_at;       /* the call that fails, counted down to 0; less: none */
    int off;
};
extern struct ledger ledger;

void *ledger_malloc(size_t);
void *ledger_calloc(size_t, size_t);
void *ledger_realloc(void *, size_t);
void ledger_free(void *);

#ifndef LEDGER_ITSELF
#define malloc ledger_malloc
#define calloc ledger_calloc
#define realloc ledger_realloc
#define free ledger_free
#endif
#endif
