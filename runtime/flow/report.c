/* SPDX-License-Identifier: MIT-0 */
/*
 * Connections and messages that were refused: whoever can connect or write can make them, so they change no counter of an edge, and
 * all of a process's together are reported in one line a second at most. In goes why each was refused, out comes the line.
 */
#include "internal.h"

static const uint64_t whittle_flow_report_pause = 1000000000u;

void whittle_flow_reject(struct whittle_flow_event_loop *loop, const struct whittle_flow_link *link, const char *why)
{
    struct whittle_flow_report *const report = &loop->report;
    pthread_mutex_lock(&report->lock);
    report->count++;
    snprintf(report->last, sizeof report->last, "of %.80s%s: %s", link->edge->name, link->shared_socket ? ", or of an edge at its socket" : "",
        why);
    pthread_mutex_unlock(&report->lock);
}

/* Says what is new, where it is time to; when to be called again, 0: not before something happens. */
uint64_t whittle_flow_report(struct whittle_flow_event_loop *loop, uint64_t now, bool last)
{
    struct whittle_flow_report *const report = &loop->report;
    char why[sizeof report->last];
    pthread_mutex_lock(&report->lock);
    const uint64_t count = report->count, more = count - report->reported, due = report->reported_at + whittle_flow_report_pause;
    const bool say = more > 0 && (last || report->reported_at == 0 || now >= due);
    if (say) {
        report->reported = count;
        report->reported_at = now;
        snprintf(why, sizeof why, "%s", report->last);
    }
    pthread_mutex_unlock(&report->lock);
    if (say)
        whittle_flow_log_process(loop->process, "%llu %s refused (%llu in all; the last %s)", (unsigned long long)more,
            more == 1 ? "connection or message was" : "connections or messages were", (unsigned long long)count, why);
    return more > 0 && !say ? due : 0;
}
