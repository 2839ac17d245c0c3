/* SPDX-License-Identifier: MIT-0 */
/* What values out of a message may take: account.h. */
#include "charge.h"

_Thread_local struct whittle_account *whittle_charged;

struct whittle_account *whittle_account_begin(struct whittle_account *account)
{
    struct whittle_account *const before = whittle_charged;
    whittle_charged = account;
    return before;
}

bool whittle_account_take(struct whittle_account *account, size_t bytes)
{
    enum { BLOCK = 16 };    /* what an allocator takes for each block beside its bytes */
    if (account == NULL)
        return true;
    if (account->take != NULL)
        return account->take(account, bytes);
    if (bytes > account->left || account->left - bytes < BLOCK)
        return false;
    account->left -= bytes + BLOCK;
    return true;
}
