/* SPDX-License-Identifier: MIT-0 */
/*
 * Where a receiver stands in its edge's stream, and that it goes on elsewhere: over a connection, or by the number of a packet that a
 * channel has brought. Out comes a page on which all numbers before that place are accounted for.
 */
#include "internal.h"

/* Whatever of this has been done before, it comes to the same. */
void whittle_flow_finish_jump(struct whittle_flow_link *link)
{
    struct whittle_flow_ledger *const page = link->page;
    const struct whittle_flow_jump jump = page->jump;
    /* Another run: its sequence has nothing to do with what was counted. */
    for (int n = WHITTLE_FLOW_QUEUED; n < WHITTLE_FLOW_REASONS_END && page->stream != jump.stream; n++)
        whittle_flow_set(link, (enum whittle_flow_counter)n, 0);
    page->stream = jump.stream;
    whittle_flow_count(link, WHITTLE_FLOW_SKIPPED, jump.skipped - whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED));
    whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, jump.unknown - whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN));
    whittle_flow_set(link, WHITTLE_FLOW_TAKEN, jump.count);
    whittle_flow_set(link, WHITTLE_FLOW_MARK, jump.bytes);
    whittle_flow_set(link, WHITTLE_FLOW_DONE_AT, jump.bytes);
    __atomic_store_n(&page->counter[WHITTLE_FLOW_AT], jump.bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&page->jumps, 0, __ATOMIC_RELEASE);
}

/*
 * The receiver's stream goes on elsewhere, with no packet in hand. A process can die between any two writes to its page, and one of these
 * counters without the others is a wrong account: so they stand aside first, and are written again by the next process.
 */
void whittle_flow_jump(struct whittle_flow_link *link, const struct whittle_flow_jump *jump)
{
    link->page->jump = *jump;
    __atomic_store_n(&link->page->jumps, 1, __ATOMIC_RELEASE);
    whittle_flow_finish_jump(link);
}

/* The next packet is `number`, and none is in hand. */
void whittle_flow_set_position(struct whittle_flow_link *link, uint64_t number)
{
    whittle_flow_set(link, WHITTLE_FLOW_TAKEN, number);
    whittle_flow_set(link, WHITTLE_FLOW_AT, number);
    whittle_flow_set(link, WHITTLE_FLOW_DONE_AT, number);
}

/*
 * Numbers below `number` that have not come will not: `skipped` says how many losses the sender has counted on its own page, the others
 * are counted here, as `lost`. An edge that drops the oldest has dropped them all. How many were lost without a promise to do so.
 */
uint64_t whittle_flow_gap(struct whittle_flow_link *link, uint64_t number, uint64_t skipped, enum whittle_flow_counter lost)
{
    const uint64_t gap = number - whittle_flow_ledger_taken(link->page), known_before = whittle_flow_counter(link->page, WHITTLE_FLOW_SETTLED);
    const uint64_t said = skipped > known_before ? skipped - known_before : 0, known = said < gap ? said : gap;
    const bool drops = link->edge->full == WHITTLE_FLOW_DROP_OLDEST;
    whittle_flow_count(link, WHITTLE_FLOW_SKIPPED, drops ? gap : known);
    whittle_flow_count(link, drops ? WHITTLE_FLOW_FULL_OLDEST : lost, gap - known);
    whittle_flow_set(link, WHITTLE_FLOW_SETTLED, skipped);
    whittle_flow_set_position(link, number);
    return drops ? 0 : gap - known;
}

/* Another run of the edge: counts anew. What came before `number` went to an earlier receiver; an edge that drops the oldest dropped it. */
void whittle_flow_other_run(struct whittle_flow_link *link, uint64_t run, uint64_t began, uint64_t number, uint64_t skipped)
{
    for (int n = WHITTLE_FLOW_QUEUED; n < WHITTLE_FLOW_REASONS_END; n++)
        whittle_flow_set(link, (enum whittle_flow_counter)n, 0);
    const uint64_t from = link->edge->full == WHITTLE_FLOW_DROP_OLDEST ? 0 : number;
    whittle_flow_set(link, WHITTLE_FLOW_SKIPPED, from);
    whittle_flow_set(link, WHITTLE_FLOW_SETTLED, from == 0 ? 0 : skipped);
    whittle_flow_set_position(link, from);
    link->page->stream = run;
    link->page->stream_began = began;
}
