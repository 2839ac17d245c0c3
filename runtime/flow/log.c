/* SPDX-License-Identifier: MIT-0 */
/*
 * What a process of a flow says on standard error: `PROGRAM: EDGE: what happened, what to do`, one write per line so that
 * processes that share a terminal do not mix theirs; and what it gives advice.
 */
#include "internal.h"
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static void whittle_flow_log_line(const char *program, const char *edge, const char *format, va_list arguments)
{
    char line[1024];
    int length = snprintf(line, sizeof line, "%s: %s%s", program != NULL ? program : "whittle", edge, *edge != '\0' ? ": " : "");
    if (length < 0 || length >= (int)sizeof line - 1)
        length = 0;
    const int more = vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    if (more > 0)
        length += more;
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        return; /* nobody listens: there is nobody to notify */
}

void whittle_flow_log(const struct whittle_flow_link *link, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    whittle_flow_log_line(link->loop->process->name, link->edge->name, format, arguments);
    va_end(arguments);
}

void whittle_flow_log_process(const struct whittle_flow_process *process, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    whittle_flow_log_line(process->name, "", format, arguments);
    va_end(arguments);
}

void whittle_flow_advise(whittle_flow_advice *const *list, const struct whittle_flow_link *link, const void *packet, uint64_t late)
{
    if (list == NULL)
        return;
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_moment moment = {
        .flow = edge->flow, .stage = link->sender != NULL ? edge->from : edge->to, .edge = edge->name,
        .packet = packet, .type = edge->type, .late = late,
    };
    for (; *list != NULL; list++)
        (*list)(&moment);
}
