/* SPDX-License-Identifier: MIT-0 */
/*
 * Recording: each packet that is offered on an edge is written to DIR/NUMBER.packets, as it travels. In goes the packet,
 * out comes its record, by the thread of the stage that sends it. A disk that is full ends the recording, not the flow:
 * that is said once, the file keeps the packets up to there, and its end says how many are missing.
 */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WHITTLE_FLOW_RECORD_ROOM = 65536, WHITTLE_FLOW_RECORD_LINGER = 500000000 };

void whittle_flow_packets_head_write(const struct whittle_flow_link *link, struct whittle_flow_packets_head *head)
{
    const struct whittle_flow_edge *const edge = link->edge;
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    memset(head, 0, sizeof *head);
    memcpy(head->magic, WHITTLE_FLOW_PACKETS_MAGIC, sizeof head->magic);
    head->version = WHITTLE_FLOW_PACKETS_VERSION;
    head->order = WHITTLE_FLOW_PACKETS_ORDER;
    head->number = edge->number;
    head->in_place = type->fixed != 0;
    head->fingerprint = type->fingerprint;
    head->began = link->loop->began_real;
    head->size = type->size;
    head->largest = type->fixed != 0 ? type->size : type->largest;
    snprintf(head->flow, sizeof head->flow, "%s", edge->flow);
    snprintf(head->edge, sizeof head->edge, "%s", edge->name);
    snprintf(head->type, sizeof head->type, "%s", type->name);
}

static bool whittle_flow_record_write(int file, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    while (count > 0) {
        const ssize_t gone = write(file, at, count);
        if (gone < 0 && errno == EINTR)
            continue;
        if (gone <= 0)
            return false;
        at += gone;
        count -= (size_t)gone;
    }
    return true;
}

/* Nothing more is written but the end; a record that is there in part goes. */
static void whittle_flow_record_fail(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    whittle_flow_log(link, "cannot write to its recording: %s: the flow goes on, what follows is not recorded", strerror(errno));
    if (ftruncate(observers->file, (off_t)observers->whole) == 0)
        lseek(observers->file, (off_t)observers->whole, SEEK_SET);
    observers->missing += observers->waiting;
    observers->waiting = 0;
    observers->filled = 0;
    observers->failed = true;
}

static bool whittle_flow_record_flush(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    if (!whittle_flow_record_write(observers->file, observers->buffer, observers->filled)) {
        whittle_flow_record_fail(link);
        return false;
    }
    observers->whole += observers->filled;
    observers->recorded += observers->waiting;
    observers->filled = 0;
    observers->waiting = 0;
    return true;
}

static void whittle_flow_record_add(struct whittle_flow_observers *observers, const void *bytes, size_t count)
{
    memcpy(observers->buffer + observers->filled, bytes, count);
    observers->filled += count;
}

/* One packet's bytes, `now` nanoseconds after the beginning. */
static void whittle_flow_record_keep(struct whittle_flow_link *link, uint64_t now, const void *bytes, uint32_t count)
{
    struct whittle_flow_observers *const observers = link->observers;
    const size_t all = WHITTLE_FLOW_PACKETS_RECORD + (size_t)count;
    if (observers->failed || (observers->filled + all > WHITTLE_FLOW_RECORD_ROOM && !whittle_flow_record_flush(link))) {
        observers->missing++;
        return;
    }
    whittle_flow_record_add(observers, &now, sizeof now);
    whittle_flow_record_add(observers, &count, sizeof count);
    observers->waiting++;
    if (all <= WHITTLE_FLOW_RECORD_ROOM)
        whittle_flow_record_add(observers, bytes, count);
    else if (!whittle_flow_record_write(observers->file, observers->buffer, observers->filled) || !whittle_flow_record_write(observers->file, bytes, count)) {
        whittle_flow_record_fail(link);
        return;
    } else {
        observers->whole += all;
        observers->recorded++;
        observers->filled = 0;
        observers->waiting = 0;
    }
    if (now > observers->flushed + WHITTLE_FLOW_RECORD_LINGER) {
        observers->flushed = now;
        whittle_flow_record_flush(link);
    }
}

/* A packet is offered, and somebody looks: its bytes as they travel before fields are selected. One at fault is left to who sends it. */
void whittle_flow_observe(struct whittle_flow_link *link, const void *packet)
{
    struct whittle_flow_observers *const observers = link->observers;
    const struct whittle_flow_type *const type = whittle_flow_whole(link);
    const void *bytes = packet;
    uint64_t count = type->size;
    if (type->fixed == 0) {
        if (observers->body == NULL && (observers->body = malloc(type->largest)) == NULL)
            return;
        bytes = observers->body;
        count = whittle_flow_write_as(type, observers->body, packet);
        if (count == 0)
            return;
    } else if (type->used != NULL) {
        count = type->used(packet);
        if (count < type->fixed || count > type->size)
            return;
    }
    const uint64_t now = whittle_net_now() - link->loop->began;
    if (observers->file >= 0)
        whittle_flow_record_keep(link, now, bytes, (uint32_t)count);
    if (__atomic_load_n(&observers->tapped, __ATOMIC_ACQUIRE))
        whittle_flow_tap_show(link, now, bytes, (uint32_t)count);
}

static bool whittle_flow_record_open(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    const char *const folder = link->loop->record;
    struct stat found;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        whittle_flow_log(link, "the directory %s cannot be made: %s: name another with --record", folder, strerror(errno));
        return false;
    }
    snprintf(observers->path, sizeof observers->path, "%s/%u.packets", folder, link->edge->number);
    observers->file = open(observers->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (observers->file < 0 || fstat(observers->file, &found) != 0) {
        whittle_flow_log(link, "%s cannot be written: %s: name another directory with --record", observers->path, strerror(errno));
        return false;
    }
    if (S_ISREG(found.st_mode) && found.st_size > 0) {
        whittle_flow_log(link, "%s is there already, and a recording is not written over: remove it, or name another directory with "
            "--record", observers->path);
        close(observers->file);
        observers->file = -1;
        return false;
    }
    /* A file that may not grow further is an error like a full disk, not the end of the process. */
    struct sigaction before;
    if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        signal(SIGXFSZ, SIG_IGN);
    struct whittle_flow_packets_head head;
    whittle_flow_packets_head_write(link, &head);
    observers->buffer = malloc(WHITTLE_FLOW_RECORD_ROOM);
    if (observers->buffer == NULL) {
        whittle_flow_log(link, "no memory for its recording");
        return false;
    }
    whittle_flow_record_add(observers, &head, sizeof head);
    return true;
}

/* For what sends: whoever looks at its packets begins here. False: said. */
bool whittle_flow_observers_open(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = calloc(1, sizeof *observers);
    if (observers == NULL) {
        whittle_flow_log(link, "no memory");
        return false;
    }
    observers->file = observers->tap = -1;
    pthread_mutex_init(&observers->lock, NULL);
    link->observers = observers;
    link->watched = link->loop->record != NULL;
    return !link->watched || whittle_flow_record_open(link);
}

static void whittle_flow_record_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_observers *const observers = link->observers;
    if (!ended) {
        /* The process has not begun: so has no recording. */
        unlink(observers->path);
        close(observers->file);
        return;
    }
    if (!observers->failed)
        whittle_flow_record_flush(link);
    struct whittle_flow_packets_end end = {observers->recorded, observers->missing, WHITTLE_FLOW_PACKETS_END_MAGIC};
    const uint64_t now = whittle_net_now() - link->loop->began;
    unsigned char last[WHITTLE_FLOW_PACKETS_RECORD + sizeof end];
    const uint32_t mark = WHITTLE_FLOW_PACKETS_END;
    memcpy(last, &now, sizeof now);
    memcpy(last + sizeof now, &mark, sizeof mark);
    memcpy(last + WHITTLE_FLOW_PACKETS_RECORD, &end, sizeof end);
    link->loop->lost |= observers->failed;
    const bool done = whittle_flow_record_write(observers->file, last, sizeof last);
    if (close(observers->file) != 0 || !done) {
        link->loop->lost = true;
        whittle_flow_log(link, "the end of its recording cannot be written: %s: it will be taken for one that was cut short", strerror(errno));
    }
    if (observers->missing > 0)
        whittle_flow_log(link, "%llu packets were not recorded", (unsigned long long)observers->missing);
}

void whittle_flow_observers_close(struct whittle_flow_link *link, bool ended)
{
    struct whittle_flow_observers *const observers = link->observers;
    if (observers == NULL)
        return;
    if (observers->file >= 0)
        whittle_flow_record_close(link, ended);
    whittle_flow_tap_end(link);
    pthread_mutex_destroy(&observers->lock);
    free(observers->buffer);
    free(observers->body);
    free(observers->rest);
    free(observers);
    link->observers = NULL;
    link->watched = false;
}
