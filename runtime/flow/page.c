/* SPDX-License-Identifier: MIT-0 */
/*
 * The ledger's page of one end of an edge: opened, locked as long as the process lives, continued where an earlier
 * process died, begun anew where the last run ended. ledger.h says what is on it.
 */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const whittle_flow_counter_names[WHITTLE_FLOW_COUNTERS_USED] = {
    [WHITTLE_FLOW_AT] = "at", [WHITTLE_FLOW_MARK] = "mark", [WHITTLE_FLOW_STRIDE] = "stride", [WHITTLE_FLOW_DONE_AT] = "done-at",
    [WHITTLE_FLOW_QUEUED] = "queued", [WHITTLE_FLOW_SENT] = "sent", [WHITTLE_FLOW_ACKNOWLEDGED] = "acknowledged",
    [WHITTLE_FLOW_TAKEN] = "taken", [WHITTLE_FLOW_SKIPPED] = "skipped", [WHITTLE_FLOW_DUPLICATES] = "duplicates",
    [WHITTLE_FLOW_SETTLED] = "settled", [WHITTLE_FLOW_SPARED] = "spared", [WHITTLE_FLOW_UNKNOWN] = "unknown",
    [WHITTLE_FLOW_FULL_NEWEST] = "dropped: full, newest", [WHITTLE_FLOW_RATE] = "dropped: rate",
    [WHITTLE_FLOW_FAULTY] = "faulty", [WHITTLE_FLOW_FILTERED] = "filtered", [WHITTLE_FLOW_REFUSED] = "dropped: refused",
    [WHITTLE_FLOW_FULL_OLDEST] = "dropped: full, oldest", [WHITTLE_FLOW_ABANDONED] = "dropped: abandoned",
    [WHITTLE_FLOW_CUT] = "dropped: connection cut", [WHITTLE_FLOW_GONE] = "dropped: subscriber gone",
    [WHITTLE_FLOW_LATE] = "dropped: late", [WHITTLE_FLOW_REPLACED] = "dropped: replaced",
    [WHITTLE_FLOW_UNMATCHED] = "dropped: unmatched", [WHITTLE_FLOW_KEPT] = "kept", [WHITTLE_FLOW_BYTES] = "bytes",
    [WHITTLE_FLOW_BATCHES] = "batches", [WHITTLE_FLOW_CONNECTIONS] = "connections", [WHITTLE_FLOW_STRANGERS] = "strangers",
    [WHITTLE_FLOW_WAITS] = "waits", [WHITTLE_FLOW_MISSES] = "misses", [WHITTLE_FLOW_LATENCY_COUNT] = "latency, count",
    [WHITTLE_FLOW_LATENCY_SUM] = "latency, sum", [WHITTLE_FLOW_LATENCY_LARGEST] = "latency, largest",
    [WHITTLE_FLOW_ALTERED] = "altered",
};

void whittle_flow_set(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t value)
{
    __atomic_store_n(&link->page->counter[which], value, __ATOMIC_RELAXED);
}

/* Each counter has one writer at a time: no locked instruction is needed. */
void whittle_flow_count(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t more)
{
    whittle_flow_set(link, which, whittle_flow_counter(link->page, which) + more);
}

static void whittle_flow_page_describe(struct whittle_flow_link *link)
{
    struct whittle_flow_ledger *const page = link->page;
    memcpy(page->magic, WHITTLE_FLOW_LEDGER_MAGIC, sizeof page->magic);
    page->version = WHITTLE_FLOW_LEDGER_VERSION;
    page->counters = WHITTLE_FLOW_COUNTERS_USED;
    page->buckets = WHITTLE_FLOW_LEDGER_BUCKETS;
    page->number = link->edge->number;
    page->receiver = link->receiver != NULL;
    page->fingerprint = link->edge->type->fingerprint;
    snprintf(page->flow, sizeof page->flow, "%s", link->edge->flow);
    snprintf(page->edge, sizeof page->edge, "%s", link->edge->name);
    snprintf(page->type, sizeof page->type, "%s", link->edge->type->name);
    snprintf(page->program, sizeof page->program, "%s", link->loop->process->name);
    for (int n = 0; n < WHITTLE_FLOW_COUNTERS_USED; n++)
        snprintf(page->names[n], sizeof page->names[n], "%s", whittle_flow_counter_names[n]);
}

/* Whether what stands in the file is of this edge and of a run that was not ended. */
static bool whittle_flow_page_goes_on(const struct whittle_flow_link *link)
{
    const struct whittle_flow_ledger *const page = link->page;
    return memcmp(page->magic, WHITTLE_FLOW_LEDGER_MAGIC, sizeof page->magic) == 0 && page->version == WHITTLE_FLOW_LEDGER_VERSION
        && page->counters == WHITTLE_FLOW_COUNTERS_USED
        && (page->state == WHITTLE_FLOW_RUNNING || (link->receiver != NULL && link->edge->subscription)) && page->fingerprint == link->edge->type->fingerprint
        && page->receiver == (link->receiver != NULL) && page->counter[WHITTLE_FLOW_STRIDE] == link->stride;
}

/* What a sender that died had queued is gone with its memory: it counts as sent, and as unknown once the receiver says what came. */
static void whittle_flow_page_continue(struct whittle_flow_link *link)
{
    struct whittle_flow_ledger *const page = link->page;
    if (link->sender != NULL) {
        whittle_flow_count(link, WHITTLE_FLOW_SENT, whittle_flow_ledger_waiting(page));
        return;
    }
    if (page->jumps != 0)
        whittle_flow_finish_jump(link);
    const uint64_t hand = whittle_flow_ledger_hand(page), held = whittle_flow_counter(page, WHITTLE_FLOW_KEPT);
    if (held != 0)
        whittle_flow_log(link, "continues after a death: what became of %llu packet(s) that waited in the stage is unknown", (unsigned long long)held);
    whittle_flow_set(link, WHITTLE_FLOW_KEPT, 0);
    whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, held);
    if (link->functions != NULL && hand != 0) {
        /* It has not been acknowledged, so it comes again. */
        whittle_flow_set(link, WHITTLE_FLOW_AT, page->counter[WHITTLE_FLOW_AT] - 1);
        whittle_flow_set(link, WHITTLE_FLOW_TAKEN, page->counter[WHITTLE_FLOW_AT]);
        return;
    }
    if (hand != 0)
        whittle_flow_log(link, "continues after a death: what became of 1 packet that was in hand is unknown");
    const struct whittle_flow_jump jump = {page->stream, whittle_flow_ledger_taken(page), page->counter[WHITTLE_FLOW_AT],
        whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED), whittle_flow_counter(page, WHITTLE_FLOW_UNKNOWN) + hand};
    whittle_flow_jump(link, &jump);
}

static bool whittle_flow_page_lock(struct whittle_flow_link *link, const char *name)
{
    if (flock(link->page_fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno == EWOULDBLOCK) {
        uint64_t process = 0;
        if (pread(link->page_fd, &process, sizeof process, offsetof(struct whittle_flow_ledger, process)) < 0)
            process = 0;
        whittle_flow_log(link, "another process has this end of the edge (process %llu, %s/%s is locked): end it first, or give "
            "this one another --dir", (unsigned long long)process, link->loop->directory, name);
    } else
        whittle_flow_log(link, "%s/%s cannot be locked: %s", link->loop->directory, name, strerror(errno));
    return false;
}

bool whittle_flow_page_open(struct whittle_flow_link *link)
{
    char name[32];
    struct timespec now;
    snprintf(name, sizeof name, "%u.%s", link->edge->number, link->sender != NULL ? "sender" : "receiver");
    link->page_fd = openat(link->loop->directory_fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (link->page_fd < 0) {
        whittle_flow_log(link, "the counters' file %s/%s cannot be opened: %s", link->loop->directory, name, strerror(errno));
        return false;
    }
    if (!whittle_flow_page_lock(link, name))
        return false;
    /* Its room is had before it is written to: a full disk is reported here, not by a signal in the midst. */
    const int problem = posix_fallocate(link->page_fd, 0, WHITTLE_FLOW_LEDGER_BYTES);
    if (problem == ENOSPC || problem == EDQUOT) {
        whittle_flow_log(link, "there is no room for counters in %s (%s): make room, or choose another directory with --dir",
            link->loop->directory, strerror(problem));
        return false;
    }
    if (ftruncate(link->page_fd, WHITTLE_FLOW_LEDGER_BYTES) == 0)
        link->page = mmap(NULL, WHITTLE_FLOW_LEDGER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, link->page_fd, 0);
    if (link->page == NULL || link->page == MAP_FAILED) {
        link->page = NULL;
        whittle_flow_log(link, "the counters' file %s/%s cannot be mapped: %s", link->loop->directory, name, strerror(errno));
        return false;
    }
    link->at = &link->page->counter[WHITTLE_FLOW_AT];
    /* Where all of the flow begins, nobody is left who knows of an earlier run, but a server. */
    const bool anew = link->loop->run_by != 0 && !link->loop->again
        && (link->functions == NULL || !link->functions->keeps);
    if (!anew && whittle_flow_page_goes_on(link))
        whittle_flow_page_continue(link);
    else {
        memset(link->page, 0, WHITTLE_FLOW_LEDGER_BYTES);
        if (link->sender != NULL && getrandom(&link->page->stream, sizeof link->page->stream, 0) < 0)
            link->page->stream = whittle_net_now();
        link->page->stream_began = link->sender != NULL ? link->loop->began_real : 0;
    }
    whittle_flow_page_describe(link);
    whittle_flow_set(link, WHITTLE_FLOW_STRIDE, link->stride);
    clock_gettime(CLOCK_REALTIME, &now);
    link->page->started = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    link->page->process = (uint64_t)getpid();
    link->page->incarnation++;
    link->page->state = WHITTLE_FLOW_RUNNING;
    return true;
}

void whittle_flow_page_close(struct whittle_flow_link *link, bool ended)
{
    if (link->page != NULL) {
        if (ended)
            link->page->state = WHITTLE_FLOW_ENDED;
        munmap(link->page, WHITTLE_FLOW_LEDGER_BYTES);
    }
    if (link->page_fd >= 0)
        close(link->page_fd);
    link->page = NULL;
    link->page_fd = -1;
}
