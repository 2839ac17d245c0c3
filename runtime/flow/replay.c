/* SPDX-License-Identifier: MIT-0 */
/*
 * Replaying: the middles of sources are not called; what was recorded on the edges that leave them is sent again, at the
 * times at which it was sent, or faster. In goes DIR/NUMBER.packets of the first edge of each outport, out come calls of
 * what the middle would have called. A recording of other packets is refused; what is missing of one is said.
 */
#include "internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHITTLE_FLOW_GAPS_SAID = 8 };

struct whittle_flow_replayed {
    FILE *file;
    uint64_t when;              /* of the packet at hand, nanoseconds after the recording began */
    uint32_t bytes;
    bool over;
    bool whole;                 /* the recording has an end */
    bool owns;                  /* `packet` owns storage */
    struct whittle_flow_packets_end end;
    uint64_t count;             /* packets so far */
    uint64_t gaps;              /* places where packets are missing */
    unsigned char *body;
    void *packet;
};

/* NULL, or why it cannot be replayed. */
static const char *whittle_flow_replay_check(const struct whittle_flow_link *link, const struct whittle_flow_packets_head *head)
{
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    if (memcmp(head->magic, WHITTLE_FLOW_PACKETS_MAGIC, sizeof head->magic) != 0)
        return "is no recording of packets";
    if (head->order == __builtin_bswap32(WHITTLE_FLOW_PACKETS_ORDER))
        return "was recorded on a machine of the other byte order: replay it on such a one";
    if (head->version != WHITTLE_FLOW_PACKETS_VERSION || head->order != WHITTLE_FLOW_PACKETS_ORDER)
        return "was recorded by another version of whittle: record again";
    if (head->fingerprint != type->fingerprint || head->in_place != (type->fixed != 0))
        return "holds other packets: their fields, bounds, units or encoding are not those that the edge has now: record again";
    return NULL;
}

/* How the file ends. */
static bool whittle_flow_replay_end(struct whittle_flow_replayed *replayed)
{
    const long from = ftell(replayed->file);
    struct whittle_flow_packets_end *const end = &replayed->end;
    replayed->whole = fseek(replayed->file, -(long)sizeof *end, SEEK_END) == 0 && fread(end, sizeof *end, 1, replayed->file) == 1
        && memcmp(end->magic, WHITTLE_FLOW_PACKETS_END_MAGIC, sizeof end->magic) == 0;
    return from >= 0 && fseek(replayed->file, from, SEEK_SET) == 0;
}

/* The recording goes on no further, though it should. */
static void whittle_flow_replay_broken(const struct whittle_flow_link *link, struct whittle_flow_replayed *replayed)
{
    replayed->over = true;
    whittle_flow_log(link, "its recording is cut short: %llu packets are replayed", (unsigned long long)replayed->count);
}

/* The next packet's bytes. */
static void whittle_flow_replay_read(const struct whittle_flow_link *link)
{
    struct whittle_flow_replayed *const replayed = link->replayed;
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    const uint32_t most = type->fixed != 0 ? type->size : type->largest;
    uint64_t gap;
    for (;;) {
        if (fread(&replayed->when, sizeof replayed->when, 1, replayed->file) != 1
            || fread(&replayed->bytes, sizeof replayed->bytes, 1, replayed->file) != 1) {
            whittle_flow_replay_broken(link, replayed);
            return;
        }
        if (replayed->bytes != WHITTLE_FLOW_PACKETS_GAP)
            break;
        if (fread(&gap, sizeof gap, 1, replayed->file) != 1)
            continue;
        if (replayed->gaps++ < WHITTLE_FLOW_GAPS_SAID)
            whittle_flow_log(link, "%llu packets are missing in its recording, after %llu", (unsigned long long)gap, (unsigned long long)replayed->count);
        else if (replayed->gaps == WHITTLE_FLOW_GAPS_SAID + 1)
            whittle_flow_log(link, "and more are missing at other places, which are not listed");
    }
    if (replayed->bytes == WHITTLE_FLOW_PACKETS_END && replayed->whole) {
        replayed->over = true;
        if (replayed->count != replayed->end.count)
            whittle_flow_log(link, "its recording says that it has %llu packets, and has %llu", (unsigned long long)replayed->end.count,
                (unsigned long long)replayed->count);
    } else if (replayed->bytes == 0 || replayed->bytes > most || fread(replayed->body, replayed->bytes, 1, replayed->file) != 1)
        whittle_flow_replay_broken(link, replayed);
}

static bool whittle_flow_replay_begin(struct whittle_flow_link *link, const char *path)
{
    struct whittle_flow_replayed *const replayed = link->replayed;
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    struct whittle_flow_packets_head head;
    replayed->file = fopen(path, "rbe");
    if (replayed->file == NULL) {
        whittle_flow_log(link, "its recording %s cannot be read: %s", path, strerror(errno));
        return false;
    }
    const char *const why = fread(&head, sizeof head, 1, replayed->file) == 1 ? whittle_flow_replay_check(link, &head) : "is no recording of packets";
    if (why != NULL) {
        whittle_flow_log(link, "%s %s", path, why);
        return false;
    }
    const uint32_t most = type->fixed != 0 ? type->size : type->largest;
    replayed->body = malloc(most > 0 ? most : 1);
    replayed->packet = calloc(1, type->size);
    if (replayed->body == NULL || replayed->packet == NULL || !whittle_flow_replay_end(replayed)) {
        whittle_flow_log(link, "%s cannot be replayed: %s", path, strerror(errno));
        return false;
    }
    if (!replayed->whole)
        whittle_flow_log(link, "%s is cut short: it has no end; what there is is replayed", path);
    else if (replayed->end.missing > 0)
        whittle_flow_log(link, "%llu packets were not recorded, and are missing now", (unsigned long long)replayed->end.missing);
    whittle_flow_replay_read(link);
    return true;
}

/* For what sends: its recording, where there is to be one. False: said. */
bool whittle_flow_replay_open(struct whittle_flow_link *link)
{
    char path[4096];
    const char *const folder = link->loop->replay_from;
    if (folder == NULL || !link->edge->replayed)
        return true;
    link->replayed = calloc(1, sizeof *link->replayed);
    if (link->replayed == NULL) {
        whittle_flow_log(link, "no memory");
        return false;
    }
    snprintf(path, sizeof path, "%s/%u.packets", folder, link->edge->number);
    return whittle_flow_replay_begin(link, path);
}

static void whittle_flow_replay_release(struct whittle_flow_link *link)
{
    struct whittle_flow_replayed *const replayed = link->replayed;
    if (replayed->owns)
        whittle_flow_whole(link)->release(replayed->packet);
    replayed->owns = false;
}

void whittle_flow_replay_close(struct whittle_flow_link *link)
{
    struct whittle_flow_replayed *const replayed = link->replayed;
    if (replayed == NULL)
        return;
    whittle_flow_replay_release(link);
    if (replayed->file != NULL)
        fclose(replayed->file);
    free(replayed->body);
    free(replayed->packet);
    free(replayed);
    link->replayed = NULL;
}

/* The packet at hand, from its bytes. */
static bool whittle_flow_replay_layout(struct whittle_flow_link *link)
{
    struct whittle_flow_replayed *const replayed = link->replayed;
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    whittle_flow_replay_release(link);
    memset(replayed->packet, 0, type->size);
    if (type->fixed == 0) {
        const bool done = type->decode(replayed->packet, replayed->body, replayed->bytes);
        replayed->owns = done && type->release != NULL;
        return done;
    }
    if (replayed->bytes < type->fixed)
        return false;
    memcpy(replayed->packet, replayed->body, replayed->bytes);
    const uint32_t used = type->used != NULL ? type->used(replayed->packet) : type->size;
    return used == replayed->bytes && whittle_flow_is_valid(type, replayed->packet);
}

bool whittle_flow_replays(const struct whittle_flow_track *tracks, size_t count)
{
    return count > 0 && (*tracks[0].link)->replayed != NULL;
}

bool whittle_flow_replay_next(const struct whittle_flow_track *tracks, size_t count)
{
    const struct whittle_flow_track *first = NULL;
    for (size_t n = 0; n < count; n++) {
        const struct whittle_flow_replayed *const replayed = (*tracks[n].link)->replayed;
        if (!replayed->over && (first == NULL || replayed->when < (*first->link)->replayed->when))
            first = &tracks[n];
    }
    if (first == NULL)
        return false;
    struct whittle_flow_link *const link = *first->link;
    struct whittle_flow_replayed *const replayed = link->replayed;
    const struct whittle_flow_event_loop *const loop = link->loop;
    if (loop->speed > 0) {
        const double after = (double)replayed->when / loop->speed;
        const uint64_t due = loop->began + (after < 9e18 ? (uint64_t)after : INT64_MAX);
        if (due > whittle_net_now())
            whittle_flow_flush(loop->process);
        whittle_flow_sleep_until(due);
    }
    if (!whittle_flow_goes_on())
        return false;
    replayed->count++;
    if (!whittle_flow_replay_layout(link))
        whittle_flow_log(link, "packet %llu of its recording is no `%s`, and is left out", (unsigned long long)replayed->count, whittle_flow_whole(link)->name);
    else if (!first->send(replayed->packet)) {
        replayed->over = true;
        return true;
    }
    whittle_flow_replay_read(link);
    return true;
}

bool whittle_flow_replay(const struct whittle_flow_track *tracks, size_t count)
{
    if (!whittle_flow_replays(tracks, count))
        return false;
    while (whittle_flow_goes_on() && whittle_flow_replay_next(tracks, count))
        ;
    return true;
}
