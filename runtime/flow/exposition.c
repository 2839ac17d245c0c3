/* SPDX-License-Identifier: MIT-0 */
/*
 * A process's pages of the ledger as text of OpenMetrics 1.0. In go the ends of edges that the process has, out comes a family of
 * metrics after the other, each with a sample for each end. A sender counts what is offered, a receiver what is delivered; what is
 * dropped, faulty or unknown both count, each its own, so that sums over both are the columns of `whittle pipe top`.
 */
#include "metrics.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHITTLE_FLOW_AT_SENDER = 1, WHITTLE_FLOW_AT_RECEIVER = 2, WHITTLE_FLOW_AT_BOTH = 3 };

/* An end, and the other one where it is in this process, too. */
struct whittle_flow_end { const struct whittle_flow_ledger *page, *other; };

typedef uint64_t whittle_flow_reading(const struct whittle_flow_end *end);

static uint64_t whittle_flow_read_offered(const struct whittle_flow_end *end) { return whittle_flow_ledger_offered(end->page); }
static uint64_t whittle_flow_read_delivered(const struct whittle_flow_end *end) { return whittle_flow_ledger_delivered(end->page); }
static uint64_t whittle_flow_read_filtered(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_FILTERED); }
static uint64_t whittle_flow_read_faulty(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_FAULTY); }
static uint64_t whittle_flow_read_unknown(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_UNKNOWN); }
static uint64_t whittle_flow_read_bytes(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_BYTES); }
static uint64_t whittle_flow_read_waits(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_WAITS); }
static uint64_t whittle_flow_read_misses(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_MISSES); }
static uint64_t whittle_flow_read_duplicates(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_DUPLICATES); }
static uint64_t whittle_flow_read_connections(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_CONNECTIONS); }
static uint64_t whittle_flow_read_strangers(const struct whittle_flow_end *end) { return whittle_flow_counter(end->page, WHITTLE_FLOW_STRANGERS); }
static uint64_t whittle_flow_read_starts(const struct whittle_flow_end *end) { return end->page->incarnation; }

/* Counters are read while they are written: what seems less than nothing is nothing. */
static uint64_t whittle_flow_excess(uint64_t more, uint64_t less)
{
    return more > less ? more - less : 0;
}

/* What is between the middles or in hand; where the receiver's page is on another machine, as far as it has acknowledged. */
static uint64_t whittle_flow_read_in_flight(const struct whittle_flow_end *end)
{
    const struct whittle_flow_ledger *const page = end->page, *const other = end->other;
    const uint64_t taken = other != NULL ? whittle_flow_ledger_taken(other) : whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED);
    const uint64_t gone = taken + whittle_flow_counter(page, WHITTLE_FLOW_FULL_OLDEST) + whittle_flow_counter(page, WHITTLE_FLOW_ABANDONED);
    return whittle_flow_excess(whittle_flow_ledger_queued(page), gone) + (other != NULL ? whittle_flow_ledger_kept(other) : 0);
}

static const struct whittle_flow_family {
    const char *name, *type, *help;
    int at;
    whittle_flow_reading *read;
} whittle_flow_families[] = {
    {"offered", "counter", "Packets that the sender's middle has offered.", WHITTLE_FLOW_AT_SENDER, whittle_flow_read_offered},
    {"delivered", "counter", "Packets that the receiver's middle is done with.", WHITTLE_FLOW_AT_RECEIVER, whittle_flow_read_delivered},
    {"in_flight", "gauge", "Packets between the middles, as the sender knows, and in hand.", WHITTLE_FLOW_AT_SENDER, whittle_flow_read_in_flight},
    {"unknown", "counter", "Packets that a process held when it died.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_unknown},
    {"faulty", "counter", "Packets that were no values of their type.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_faulty},
    {"filtered", "counter", "Packets that the subscriber does not want.", WHITTLE_FLOW_AT_SENDER, whittle_flow_read_filtered},
    {"duplicates", "counter", "Packets that came again after a death.", WHITTLE_FLOW_AT_RECEIVER, whittle_flow_read_duplicates},
    {"deadline_misses", "counter", "Packets that came later than their deadline.", WHITTLE_FLOW_AT_RECEIVER, whittle_flow_read_misses},
    {"blocked", "counter", "Times that the sender waited for a full queue.", WHITTLE_FLOW_AT_SENDER, whittle_flow_read_waits},
    {"transferred_bytes", "counter", "Bytes of batches.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_bytes},
    {"connections", "counter", "Connections between the ends.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_connections},
    {"strangers", "counter", "Connections of authenticated peers that were refused.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_strangers},
    {"starts", "counter", "Processes that have held the end in this run.", WHITTLE_FLOW_AT_BOTH, whittle_flow_read_starts},
};

static void whittle_flow_expose_escaped(FILE *to, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\\' || *text == '"')
            fputc('\\', to);
        if (*text == '\n')
            fputs("\\n", to);
        else
            fputc(*text, to);
    }
}

static void whittle_flow_expose_labels(FILE *to, const struct whittle_flow_ledger *page)
{
    const char *const labels[][2] = {{"flow", page->flow}, {"edge", page->edge}, {"program", page->program}};
    for (size_t n = 0; n < sizeof labels / sizeof *labels; n++) {
        fprintf(to, "%s%s=\"", n == 0 ? "" : ",", labels[n][0]);
        whittle_flow_expose_escaped(to, labels[n][1]);
        fputc('"', to);
    }
    fprintf(to, ",end=\"%s\"", page->receiver != 0 ? "receiver" : "sender");
}

/* The receiver's page, where it is on this machine, and of the same run. */
static bool whittle_flow_page_of_receiver(const struct whittle_flow_link *link, struct whittle_flow_ledger *page)
{
    char name[32];
    snprintf(name, sizeof name, "%u.receiver", link->edge->number);
    const int fd = openat(link->loop->directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool whole = pread(fd, page, sizeof *page, 0) == (ssize_t)sizeof *page;
    close(fd);
    return whole && memcmp(page->magic, WHITTLE_FLOW_LEDGER_MAGIC, sizeof page->magic) == 0 && page->version == WHITTLE_FLOW_LEDGER_VERSION
        && page->stream == link->page->stream;
}

/* Calls something for each end of an edge that is here. */
static void whittle_flow_each_end(const struct whittle_flow_event_loop *loop, int at, void (*use)(FILE *to, const struct whittle_flow_end *end, const void *what),
    FILE *to, const void *what)
{
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_ledger copy;
        const struct whittle_flow_link *const link = &loop->links[n];
        const struct whittle_flow_end end = {link->page, link->sender != NULL && whittle_flow_page_of_receiver(link, &copy) ? &copy : NULL};
        if ((at & (end.page->receiver != 0 ? WHITTLE_FLOW_AT_RECEIVER : WHITTLE_FLOW_AT_SENDER)) != 0)
            use(to, &end, what);
    }
    for (size_t n = 0; n < loop->process->call_count; n++) {
        const struct whittle_flow_ledger *pages[2];
        whittle_flow_call_pages(loop->process->calls[n], pages);
        for (int side = 0; side < 2; side++) {
            const struct whittle_flow_end end = {pages[side], pages[1 - side]};
            if ((at & (side == 0 ? WHITTLE_FLOW_AT_SENDER : WHITTLE_FLOW_AT_RECEIVER)) != 0)
                use(to, &end, what);
        }
    }
}

static void whittle_flow_expose_family(FILE *to, const char *name, const char *type, const char *help)
{
    fprintf(to, "# TYPE whittle_flow_%s %s\n# HELP whittle_flow_%s %s\n", name, type, name, help);
}

static void whittle_flow_expose_value(FILE *to, const struct whittle_flow_end *end, const void *what)
{
    const struct whittle_flow_family *const family = what;
    fprintf(to, "whittle_flow_%s%s{", family->name, *family->type == 'c' ? "_total" : "");
    whittle_flow_expose_labels(to, end->page);
    fprintf(to, "} %llu\n", (unsigned long long)family->read(end));
}

static void whittle_flow_expose_dropped(FILE *to, const struct whittle_flow_end *end, const void *what)
{
    static const struct { enum whittle_flow_counter counter; int at; const char *reason; } reasons[] = {
        {WHITTLE_FLOW_FULL_NEWEST, WHITTLE_FLOW_AT_SENDER, "full, newest"}, {WHITTLE_FLOW_FULL_OLDEST, WHITTLE_FLOW_AT_SENDER, "full, oldest"},
        {WHITTLE_FLOW_RATE, WHITTLE_FLOW_AT_SENDER, "rate"}, {WHITTLE_FLOW_REFUSED, WHITTLE_FLOW_AT_SENDER, "refused"},
        {WHITTLE_FLOW_ABANDONED, WHITTLE_FLOW_AT_BOTH, "abandoned"}, {WHITTLE_FLOW_CUT, WHITTLE_FLOW_AT_BOTH, "connection cut"},
        {WHITTLE_FLOW_GONE, WHITTLE_FLOW_AT_SENDER, "subscriber gone"}, {WHITTLE_FLOW_LATE, WHITTLE_FLOW_AT_RECEIVER, "late"},
        {WHITTLE_FLOW_REPLACED, WHITTLE_FLOW_AT_RECEIVER, "replaced"}, {WHITTLE_FLOW_UNMATCHED, WHITTLE_FLOW_AT_RECEIVER, "unmatched"},
    };
    (void)what;
    for (size_t n = 0; n < sizeof reasons / sizeof *reasons; n++) {
        if ((reasons[n].at & (end->page->receiver != 0 ? WHITTLE_FLOW_AT_RECEIVER : WHITTLE_FLOW_AT_SENDER)) == 0)
            continue;
        fputs("whittle_flow_dropped_total{", to);
        whittle_flow_expose_labels(to, end->page);
        fprintf(to, ",reason=\"%s\"} %llu\n", reasons[n].reason, (unsigned long long)whittle_flow_counter(end->page, reasons[n].counter));
    }
}

/* Powers of two from about a microsecond to about 18 minutes; what is less is in the first, what is more in the last. */
static void whittle_flow_expose_ages(FILE *to, const struct whittle_flow_end *end, const void *what)
{
    enum { FIRST = 10, LAST = 40 };
    uint64_t sum = 0;
    (void)what;
    for (int n = 0; n < WHITTLE_FLOW_LEDGER_BUCKETS; n++) {
        sum += __atomic_load_n(&end->page->latency[n], __ATOMIC_RELAXED);
        if (n < FIRST || (n > LAST && n + 1 < WHITTLE_FLOW_LEDGER_BUCKETS))
            continue;
        fputs("whittle_flow_age_seconds_bucket{", to);
        whittle_flow_expose_labels(to, end->page);
        if (n <= LAST)
            fprintf(to, ",le=\"%.9g\"} %llu\n", (double)(UINT64_C(1) << n) / 1e9, (unsigned long long)sum);
        else
            fprintf(to, ",le=\"+Inf\"} %llu\n", (unsigned long long)sum);
    }
    fputs("whittle_flow_age_seconds_count{", to);
    whittle_flow_expose_labels(to, end->page);
    fprintf(to, "} %llu\nwhittle_flow_age_seconds_sum{", (unsigned long long)sum);
    whittle_flow_expose_labels(to, end->page);
    fprintf(to, "} %.9f\n", (double)whittle_flow_counter(end->page, WHITTLE_FLOW_LATENCY_SUM) / 1e9);
}

char *whittle_flow_exposition(const struct whittle_flow_event_loop *loop, size_t *bytes)
{
    char *text = NULL;
    FILE *const to = open_memstream(&text, bytes);
    if (to == NULL)
        return NULL;
    for (size_t n = 0; n < sizeof whittle_flow_families / sizeof *whittle_flow_families; n++) {
        const struct whittle_flow_family *const family = &whittle_flow_families[n];
        whittle_flow_expose_family(to, family->name, family->type, family->help);
        whittle_flow_each_end(loop, family->at, whittle_flow_expose_value, to, family);
    }
    whittle_flow_expose_family(to, "dropped", "counter", "Packets that were dropped, by reason.");
    whittle_flow_each_end(loop, WHITTLE_FLOW_AT_BOTH, whittle_flow_expose_dropped, to, NULL);
    whittle_flow_expose_family(to, "age_seconds", "histogram", "Age of packets when they were received: since their source let them go, on edges with a deadline; of some, since their sender did, on others.");
    whittle_flow_each_end(loop, WHITTLE_FLOW_AT_RECEIVER, whittle_flow_expose_ages, to, NULL);
    fputs("# EOF\n", to);
    const bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
