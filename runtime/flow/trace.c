/* SPDX-License-Identifier: MIT-0 */
/*
 * What an end of an edge does, in the words of docs/edge-protocol.md: a line a step, in the file NUMBER.trace of the flow's
 * directory, which all processes of the edge share. What is said to the other end stands there before it is said, what was heard
 * after that, so that no step stands before its cause. Only where WHITTLE_FLOW_TRACE is defined; elsewhere nothing of this is in the
 * program. crates/isg/tests/edge_protocol holds such a file against the protocol.
 */
#include "internal.h"
#ifdef WHITTLE_FLOW_TRACE
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

void whittle_flow_trace(const struct whittle_flow_link *link, const char *format, ...)
{
    char name[32], line[240];
    va_list values;
    int length = snprintf(line, sizeof line, "%s ", link->sender != NULL ? "sender" : "receiver");
    va_start(values, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, values);
    va_end(values);
    line[length] = '\n';
    snprintf(name, sizeof name, "%u.trace", link->edge->number);
    const int file = openat(link->loop->directory_fd, name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    if (write(file, line, (size_t)length + 1) < 0)
        whittle_flow_log(link, "its trace cannot be written");
    close(file);
}

/* Where a process goes on: what an earlier one left on the page. */
void whittle_flow_trace_beginning(const struct whittle_flow_link *link)
{
    const struct whittle_flow_ledger *const page = link->page;
    const struct whittle_flow_edge *const edge = link->edge;
#define WHITTLE_FLOW_OF_PAGE(which) ((unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_##which))
    if (link->receiver != NULL) {
        whittle_flow_trace(link, "begins known=%d taken=%llu skipped=%llu unknown=%llu", page->stream != 0,
            (unsigned long long)whittle_flow_ledger_taken(page), WHITTLE_FLOW_OF_PAGE(SKIPPED), WHITTLE_FLOW_OF_PAGE(UNKNOWN));
        return;
    }
    whittle_flow_trace(link, "begins queued=%llu acknowledged=%llu unknown=%llu cut=%llu spared=%llu faulty=%llu filtered=%llu dropped=%llu queue=%llu keeps=%d drops=%d "
        "shared=%d subscription=%d", (unsigned long long)whittle_flow_counter(page, WHITTLE_FLOW_SENT), WHITTLE_FLOW_OF_PAGE(ACKNOWLEDGED), WHITTLE_FLOW_OF_PAGE(UNKNOWN),
        WHITTLE_FLOW_OF_PAGE(CUT) + WHITTLE_FLOW_OF_PAGE(GONE), WHITTLE_FLOW_OF_PAGE(SPARED), WHITTLE_FLOW_OF_PAGE(FAULTY), WHITTLE_FLOW_OF_PAGE(FILTERED),
        WHITTLE_FLOW_OF_PAGE(FULL_NEWEST) + WHITTLE_FLOW_OF_PAGE(FULL_OLDEST) + WHITTLE_FLOW_OF_PAGE(ABANDONED),
        (unsigned long long)link->queue_items, link->keeps, edge->full != WHITTLE_FLOW_BLOCK, whittle_flow_transport_of(edge)->shared, edge->subscription);
#undef WHITTLE_FLOW_OF_PAGE
}

/* What has been settled, before the receiver gets the begin of the stream. */
void whittle_flow_trace_start(const struct whittle_flow_link *link, uint64_t count)
{
    const uint64_t unknown = whittle_flow_counter(link->page, WHITTLE_FLOW_UNKNOWN), cut = whittle_flow_ledger_lost(link->page) - unknown;
    whittle_flow_trace(link, "starts count=%llu unknown=%llu cut=%llu spared=%llu", (unsigned long long)count, (unsigned long long)unknown,
        (unsigned long long)cut, (unsigned long long)whittle_flow_counter(link->page, WHITTLE_FLOW_SPARED));
    if (whittle_flow_transport_of(link->edge)->shared)  /* the packets behind it stand in the ring already */
        whittle_flow_trace(link, "sends to=%llu", (unsigned long long)whittle_flow_shared_sequence(link, whittle_flow_position(link)));
}
#endif
