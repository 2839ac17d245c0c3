/* SPDX-License-Identifier: MIT-0 */
/*
 * Who reads a line, and who has its turn to write. Of the stages' threads that wait for something of it one looks at the connection; where none
 * does, the carrier looks, later than who works on a packet comes back for the next. Edges that wait for room write a frame each in turn.
 */
#include "line.h"
#include "parts.h"

enum { WHITTLE_FLOW_LINE_RESTS = 1000000 };    /* nanoseconds */

/* A sender's line stays; a receiver's does as long as its lane does, which its own thread closes. */
static struct whittle_flow_line *whittle_flow_line_of(const struct whittle_flow_link *link)
{
    return link->sender != NULL ? link->line : link->lane != NULL ? link->lane->line : NULL;
}

struct whittle_flow_lead whittle_flow_line_lead(const struct whittle_flow_link *link)
{
    struct whittle_flow_line *const line = whittle_flow_line_of(link);
    struct whittle_flow_lead lead = {line, -1};
    if (line == NULL)
        return lead;
    pthread_mutex_lock(&line->lock);
    if (!line->led && line->up && !line->wanted) {
        lead.fd = line->source.fd;
        line->led = line->rests = true;
        whittle_flow_line_watch(line);
    } else
        line->others++;
    pthread_mutex_unlock(&line->lock);
    return lead;
}

/*
 * Who led has something to do. Where others wait, the carrier looks for them at once; else it does so later, should nobody
 * have come back by then: who works on one packet reads the next ones itself soon.
 */
void whittle_flow_line_follow(struct whittle_flow_lead lead)
{
    struct whittle_flow_line *const line = lead.line;
    bool kicks = false;
    if (line == NULL)
        return;
    struct whittle_flow_carrier *const carrier = line->carrier;
    pthread_mutex_lock(&line->lock);
    if (lead.fd < 0)
        line->others--;
    else {
        line->led = false;
        line->rests = line->rests && line->others == 0;
        kicks = line->rests && line->rests_until == 0;
        if (kicks)
            line->rests_until = whittle_net_now() + WHITTLE_FLOW_LINE_RESTS;
        whittle_flow_line_watch(line);
    }
    pthread_mutex_unlock(&line->lock);
    if (kicks)
        whittle_flow_carrier_kick(carrier);
}

/* Whether the carrier is to look at a line again itself; when to ask again, 0: not before something happens. */
static uint64_t whittle_flow_line_due(struct whittle_flow_line *line, uint64_t now)
{
    pthread_mutex_lock(&line->lock);
    if (line->rests_until != 0 && now >= line->rests_until) {
        const uint64_t reads = line->reads;
        const bool goes_on = !line->led && reads != line->seen;
        line->rests_until = goes_on ? now + WHITTLE_FLOW_LINE_RESTS : 0;
        line->rests = line->led || goes_on;
        line->seen = reads;
        whittle_flow_line_watch(line);
    }
    const uint64_t due = line->rests_until;
    pthread_mutex_unlock(&line->lock);
    return due;
}

/* Those that wait for room have a frame each; who has more to say waits again. */
void whittle_flow_line_serve(struct whittle_flow_line *line)
{
    size_t left = 0;
    pthread_mutex_lock(&line->lock);
    whittle_flow_frames_flush(line);
    for (const struct whittle_flow_lane *lane = line->first; lane != NULL; lane = lane->behind)
        left++;
    for (; left > 0 && line->first != NULL && !whittle_flow_frames_rest(line); left--) {
        struct whittle_flow_lane *const lane = line->first;
        struct whittle_flow_link *const link = lane->link;
        line->first = lane->behind;
        if (line->first == NULL)
            line->last = NULL;
        lane->waits = false;
        lane->next = true;
        pthread_mutex_unlock(&line->lock);
        whittle_flow_line_look(link);
        pthread_mutex_lock(&line->lock);
    }
    whittle_flow_line_watch(line);
    pthread_mutex_unlock(&line->lock);
}

/* Goes on where a stage's thread left that to the carrier. Lines that somebody else began, and that are over, go. */
uint64_t whittle_flow_lines_due(struct whittle_flow_carrier *carrier, uint64_t now)
{
    uint64_t due = 0;
    for (struct whittle_flow_line *line = carrier->lines; line != NULL; line = line->following) {
        if (line->wanted && line->source.fd >= 0)
            whittle_flow_line_ready(&line->source, 0);
        due = whittle_net_sooner(due, whittle_flow_line_due(line, now));
    }
    for (struct whittle_flow_line **at = &carrier->lines; *at != NULL;) {
        struct whittle_flow_line *const line = *at;
        pthread_mutex_lock(&line->lock);
        const bool over = !line->connects && !line->up && line->open == 0 && !line->led && line->others == 0;
        pthread_mutex_unlock(&line->lock);
        if (over) {
            *at = line->following;
            whittle_flow_line_free(line);
        } else
            at = &line->following;
    }
    return due;
}

