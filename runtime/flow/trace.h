/* SPDX-License-Identifier: MIT-0 */
/* A log of the steps of an edge's ends, for those who look whether they keep to the protocol (trace.c). */
#ifndef WHITTLE_FLOW_TRACE_H
#define WHITTLE_FLOW_TRACE_H
#include "link.h"

#ifdef WHITTLE_FLOW_TRACE
void whittle_flow_trace(const struct whittle_flow_link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
void whittle_flow_trace_beginning(const struct whittle_flow_link *link);
void whittle_flow_trace_start(const struct whittle_flow_link *link, uint64_t count);
#else
#define whittle_flow_trace(link, ...) do { } while (0)
#define whittle_flow_trace_beginning(link) do { } while (0)
#define whittle_flow_trace_start(link, count) do { } while (0)
#endif
#endif
