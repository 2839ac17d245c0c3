/* SPDX-License-Identifier: MIT-0 */
/* Admission by what is left of the budget: budget.h. */
#include "budget.h"

size_t whittle_net_budget_tight(const struct whittle_net_budget *budget)
{
    return budget->bound / 8 * 5;
}

/* The use up to which each kind is admitted. */
static size_t whittle_net_share(const struct whittle_net_budget *budget, enum whittle_net_want want)
{
    enum { SHORT = 256 * 1024 };    /* bytes that are kept for short messages, where the bound is that of a small server */
    const size_t tight = whittle_net_budget_tight(budget), least = budget->bound / 4 * 3, most = budget->bound / 32 * 31;
    const size_t rest = budget->bound > SHORT ? budget->bound - SHORT : 0;
    const size_t all_long = rest > most ? most : rest > least ? rest : least;
    switch (want) {
    case WHITTLE_NET_WANT_CONNECTION: return tight + (all_long - tight) / 4;
    case WHITTLE_NET_WANT_LONG: return all_long;
    case WHITTLE_NET_WANT_REQUEST: return all_long + (budget->bound - all_long) / 2;
    case WHITTLE_NET_WANT_SHORT: break;
    }
    return budget->bound;
}

bool whittle_net_budget_take(struct whittle_net_budget *budget, size_t size, enum whittle_net_want want)
{
    const size_t used = __atomic_add_fetch(&budget->used, size, __ATOMIC_RELAXED);
    if (budget->bound != 0 && used > whittle_net_share(budget, want)) {
        __atomic_fetch_sub(&budget->used, size, __ATOMIC_RELAXED);
        return false;
    }
    if (used > __atomic_load_n(&budget->most, __ATOMIC_RELAXED))
        __atomic_store_n(&budget->most, used, __ATOMIC_RELAXED);    /* two at a time: one of them is recorded */
    return true;
}

void whittle_net_budget_charge(struct whittle_net_budget *budget, size_t size)
{
    __atomic_fetch_add(&budget->used, size, __ATOMIC_RELAXED);
}

void whittle_net_budget_give(struct whittle_net_budget *budget, size_t size)
{
    __atomic_fetch_sub(&budget->used, size, __ATOMIC_RELAXED);
}

bool whittle_net_budget_admits(const struct whittle_net_budget *budget, enum whittle_net_want want)
{
    return budget->bound == 0 || __atomic_load_n(&budget->used, __ATOMIC_RELAXED) < whittle_net_share(budget, want);
}

bool whittle_net_budget_fits(const struct whittle_net_budget *budget, size_t size, enum whittle_net_want want)
{
    return budget->bound == 0 || __atomic_load_n(&budget->used, __ATOMIC_RELAXED) + size <= whittle_net_share(budget, want);
}

bool whittle_net_budget_is_tight(const struct whittle_net_budget *budget)
{
    return budget->bound != 0 && __atomic_load_n(&budget->used, __ATOMIC_RELAXED) >= whittle_net_budget_tight(budget);
}
