/* SPDX-License-Identifier: MIT-0 */
/*
 * Conditions of a program's own: a subscriber says when it starts which packets it wants, by an option or a call, in the language of `where`.
 * Each is read for every edge that enters the port (condition.c), kept with the receiver as a program, and sent when a sender comes
 * (wanted.c). What is wrong is shown in its place, before anything is connected.
 */
#include "condition.h"
#include <stdlib.h>
#include <string.h>

/* Where a port's name begins in that of an edge that enters it: `hall.r -> Screen.r`. */
static const char *whittle_flow_port_entered(const struct whittle_flow_edge *edge)
{
    const char *const arrow = strstr(edge->name, " -> ");
    return arrow != NULL ? arrow + 4 : edge->name;
}

static bool whittle_flow_is_called(const char *name, const char *as, size_t length)
{
    return strlen(name) == length && memcmp(name, as, length) == 0;
}

/* No edge of this process is meant: which are there. */
static bool whittle_flow_where_nowhere(const struct whittle_flow_process *process, const char *port, size_t length)
{
    char known[300] = "";
    for (size_t n = 0; n < process->receiver_count; n++) {
        const struct whittle_flow_edge *const edge = process->receivers[n]->edge;
        const char *const entered = whittle_flow_port_entered(edge);
        const size_t filled = strlen(known);
        if (edge->subscription && edge->fields != NULL && filled + strlen(entered) + 4 < sizeof known && strstr(known, entered) == NULL)
            snprintf(known + filled, sizeof known - filled, "%s%s", filled > 0 ? ", " : "", entered);
    }
    whittle_flow_log_process(process, "a condition is given to `%.*s`, which is no port of this program that subscribes to a channel%s%s", length < 200 ? (int)length : 200, port,
        known[0] != '\0' ? "; there is " : ", and there is none", known);
    return false;
}

/* The condition, and a mark under the place where it is wrong. */
static bool whittle_flow_where_wrong(const struct whittle_flow_process *process, const char *port, const struct whittle_flow_condition *condition)
{
    enum { SHOWN = 200 };
    char mark[SHOWN + 1];
    const char *from = condition->text;
    size_t column = 0, before = 0;
    for (const char *at = condition->text; at < condition->wrong; at++)
        column += (*at & 0xc0) != 0x80;
    while (condition->wrong - from > SHOWN / 2)     /* of a long one, what stands around the place */
        from++;
    while ((*from & 0xc0) == 0x80)
        from++;
    for (const char *at = from; at < condition->wrong; at++)
        if ((*at & 0xc0) != 0x80)
            mark[before++] = *at == '\t' ? '\t' : ' ';
    mark[before] = '\0';
    whittle_flow_log_process(process, "the condition of %s: column %zu: %s\n  %.*s\n  %s^", port, column + 1, condition->why, (int)SHOWN, from, mark);
    return false;
}

/* Beside what is there already. False: there is no room or no memory for both. */
static bool whittle_flow_where_keep(const struct whittle_flow_process *process, struct whittle_flow_receiver *receiver, const struct whittle_flow_condition *condition)
{
    const size_t before = receiver->where != NULL ? receiver->where_bytes : 0, more = condition->bytes, joined = before + more + (before > 0);
    const size_t in_flow = receiver->edge->filter != NULL ? receiver->edge->filter_bytes + 1 : 0;
    if (joined + in_flow > WHITTLE_FLOW_FILTER_MOST) {
        whittle_flow_log_process(process, "the condition of %s: with its other ones it takes %zu bytes as data, and at most %d are sent", whittle_flow_port_entered(receiver->edge),
            joined + in_flow, (int)WHITTLE_FLOW_FILTER_MOST);
        return false;
    }
    uint8_t *const where = realloc(receiver->where, joined);
    if (where == NULL) {
        whittle_flow_log_process(process, "no memory for a condition");
        return false;
    }
    memcpy(where + before, condition->code, more);
    if (before > 0)
        where[joined - 1] = WHITTLE_FLOW_OP_AND;
    receiver->where = where;
    receiver->where_bytes = (uint32_t)joined;
    return true;
}

static bool whittle_flow_where_at(struct whittle_flow_process *process, const char *port, size_t length, const char *text)
{
    bool found = false;
    for (size_t n = 0; n < process->receiver_count; n++) {
        struct whittle_flow_receiver *const receiver = process->receivers[n];
        const struct whittle_flow_edge *const edge = receiver->edge;
        struct whittle_flow_condition condition = {.fields = edge->fields, .field_count = edge->field_count, .text = text};
        if (!edge->subscription || edge->fields == NULL || (!whittle_flow_is_called(whittle_flow_port_entered(edge), port, length) && !whittle_flow_is_called(edge->name, port, length)))
            continue;
        found = true;
        condition.packet = edge->filter_type->name;
        if (!whittle_flow_condition_read(&condition))
            return whittle_flow_where_wrong(process, whittle_flow_port_entered(edge), &condition);
        if (!whittle_flow_where_keep(process, receiver, &condition))
            return false;
    }
    return found || whittle_flow_where_nowhere(process, port, length);
}

bool whittle_flow_where(struct whittle_flow_process *process, const char *stage, const char *port, const char *condition)
{
    char name[512];
    const int length = snprintf(name, sizeof name, "%s.%s", stage, port);
    return whittle_flow_where_at(process, name, length > 0 && (size_t)length < sizeof name ? (size_t)length : 0, condition);
}

/* `PORT: CONDITION` */
bool whittle_flow_where_option(struct whittle_flow_process *process, const char *value)
{
    const char *const colon = strchr(value, ':');
    size_t length = colon != NULL ? (size_t)(colon - value) : 0;
    while (length > 0 && value[length - 1] == ' ')
        length--;
    if (length == 0) {
        whittle_flow_log_process(process, "--where: expected a port and its condition, as in --where 'Screen.r: speed > 3', found `%.200s`", value);
        return false;
    }
    const char *text = colon + 1;
    while (*text == ' ')
        text++;
    return whittle_flow_where_at(process, value, length, text);
}
