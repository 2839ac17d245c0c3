/* SPDX-License-Identifier: MIT-0 */
/*
 * What values out of a message may take on the heap. While a value is read by its TypeCode, or a reference, all that it takes
 * counts against the account of the message (struct whittle_cdr_in): a few bytes of a message may become many.
 */
#ifndef WHITTLE_CORBA_ACCOUNT_H
#define WHITTLE_CORBA_ACCOUNT_H
#include <stdbool.h>
#include <stddef.h>

struct whittle_account {
    size_t left;                                                        /* bytes: what whittle_account_spend takes from */
    bool (*take)(struct whittle_account *account, size_t bytes);        /* false: it is too much */
    void *(*block)(struct whittle_account *account, size_t bytes);      /* storage of the message's, and counted; NULL: there is none */
    bool lends;                                                         /* what is read now goes with the message: it may lie in `block`s */
};
/* Takes from what is left; false: it is too much. What `take` does where it is NULL. */
bool whittle_account_spend(struct whittle_account *account, size_t bytes);
#endif
