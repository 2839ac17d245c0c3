/* SPDX-License-Identifier: MIT-0 */
/* What this thread allocates counts against an account: account.h. */
#ifndef WHITTLE_CORBA_CHARGE_H
#define WHITTLE_CORBA_CHARGE_H
#include "account.h"

/* Storage for it suits every type. C99 does not name one. */
union whittle_aligned {
    long long number;
    long double real;
    void *address;
    void (*function)(void);
};

/* The one that this thread's allocations count against; NULL: none. */
extern __thread struct whittle_account *whittle_charged;
/* The one before, which is to be charged again afterwards. */
struct whittle_account *whittle_account_begin(struct whittle_account *account);
/* false: it is too much. An account that is NULL allows everything. */
bool whittle_account_take(struct whittle_account *account, size_t bytes);
#endif
