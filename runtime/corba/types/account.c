/* SPDX-License-Identifier: MIT-0 */
/* What values out of a message may take: account.h. */
#include "charge.h"
#include <stdint.h>

__thread struct whittle_account *whittle_charged;

struct whittle_account *whittle_account_begin(struct whittle_account *account)
{
    struct whittle_account *const before = whittle_charged;
    whittle_charged = account;
    return before;
}

bool whittle_account_spend(struct whittle_account *account, size_t bytes)
{
    const size_t whole = (bytes + sizeof(size_t) + 15) & ~(size_t)15, block = whole < 32 ? 32 : whole;      /* as the C library has it */
    if (bytes > SIZE_MAX / 2 || block > account->left)
        return false;
    account->left -= block;
    return true;
}

bool whittle_account_take(struct whittle_account *account, size_t bytes)
{
    if (account == NULL)
        return true;
    return account->take != NULL ? account->take(account, bytes) : whittle_account_spend(account, bytes);
}
