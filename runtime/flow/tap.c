/* SPDX-License-Identifier: MIT-0 */
/*
 * Tapping: who listens at the socket NUMBER.tap in the flow's directory is sent the packets of that edge, as records. The
 * loop looks for it when a file comes into the directory; the thread of the stage that sends copies what the socket takes at once, and never waits: what does
 * not fit is left out, and the records say how many are missing. Without a tap nothing is done for a packet.
 */
#include "internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WHITTLE_FLOW_TAP_EVERY = 250000000, WHITTLE_FLOW_TAP_SOON = 10000000, WHITTLE_FLOW_TAP_BUFFER = 1 << 20, WHITTLE_FLOW_TAP_TRIES = 40 };

/* With the lock held. */
static void whittle_flow_tap_leave(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    if (observers->tap >= 0)
        close(observers->tap);
    observers->tap = -1;
    observers->rest_from = observers->rest_to = 0;
    __atomic_store_n(&observers->tapped, false, __ATOMIC_RELEASE);
    __atomic_store_n(&link->watched, observers->file >= 0, __ATOMIC_SEQ_CST);
}

/* Sends what is left of earlier records. True: nothing is left. With the lock held. */
static bool whittle_flow_tap_push(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    while (observers->tap >= 0 && observers->rest_from < observers->rest_to) {
        const ssize_t gone = send(observers->tap, observers->rest + observers->rest_from, observers->rest_to - observers->rest_from, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone >= 0)
            observers->rest_from += (size_t)gone;
        else if (errno == EAGAIN || errno == ENOBUFS)
            return false;
        else if (errno != EINTR)
            whittle_flow_tap_leave(link);
    }
    observers->rest_from = observers->rest_to = 0;
    return observers->tap >= 0;
}

static void whittle_flow_tap_add(struct whittle_flow_observers *observers, const void *bytes, size_t count)
{
    memcpy(observers->rest + observers->rest_to, bytes, count);
    observers->rest_to += count;
}

static bool whittle_flow_tap_room(struct whittle_flow_observers *observers, size_t room)
{
    if (room <= observers->rest_room)
        return true;
    unsigned char *const more = realloc(observers->rest, room);
    if (more == NULL)
        return false;
    observers->rest = more;
    observers->rest_room = room;
    return true;
}

static void whittle_flow_tap_gap(struct whittle_flow_observers *observers, uint64_t now)
{
    const uint32_t mark = WHITTLE_FLOW_PACKETS_GAP;
    const uint64_t gap = __atomic_exchange_n(&observers->left_out, 0, __ATOMIC_RELAXED);
    if (gap == 0)
        return;
    whittle_flow_tap_add(observers, &now, sizeof now);
    whittle_flow_tap_add(observers, &mark, sizeof mark);
    whittle_flow_tap_add(observers, &gap, sizeof gap);
}

enum { WHITTLE_FLOW_TAP_GAP = WHITTLE_FLOW_PACKETS_RECORD + 8 };

/* A packet's bytes, for who looks. On the stage's thread. */
void whittle_flow_tap_show(struct whittle_flow_link *link, uint64_t now, const void *bytes, uint32_t count)
{
    struct whittle_flow_observers *const observers = link->observers;
    if (pthread_mutex_trylock(&observers->lock) != 0) {
        __atomic_fetch_add(&observers->left_out, 1, __ATOMIC_RELAXED);
        return;
    }
    if (whittle_flow_tap_push(link) && whittle_flow_tap_room(observers, WHITTLE_FLOW_TAP_GAP + WHITTLE_FLOW_PACKETS_RECORD + (size_t)count)) {
        whittle_flow_tap_gap(observers, now);
        whittle_flow_tap_add(observers, &now, sizeof now);
        whittle_flow_tap_add(observers, &count, sizeof count);
        whittle_flow_tap_add(observers, bytes, count);
        whittle_flow_tap_push(link);
    } else
        __atomic_fetch_add(&observers->left_out, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&observers->lock);
}

static const char *whittle_flow_tap_name(const struct whittle_flow_link *link, char name[32])
{
    snprintf(name, 32, "%u.tap", link->edge->number);
    return name;
}

static int whittle_flow_tap_connect(const struct whittle_flow_link *link)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int buffer = WHITTLE_FLOW_TAP_BUFFER;
    char name[32];
    if (faccessat(link->loop->directory_fd, whittle_flow_tap_name(link, name), F_OK, 0) != 0)
        return -1;
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", link->loop->directory_fd, name);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Somebody has come, perhaps; with the lock held. */
static void whittle_flow_tap_begin(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    struct whittle_flow_packets_head head;
    observers->tap = whittle_flow_tap_connect(link);
    if (observers->tap < 0)
        return;
    if (!whittle_flow_tap_room(observers, sizeof head)) {
        whittle_flow_tap_leave(link);
        return;
    }
    whittle_flow_packets_head_write(link, &head);
    whittle_flow_tap_add(observers, &head, sizeof head);
    __atomic_store_n(&observers->left_out, 0, __ATOMIC_RELAXED);
    if (!whittle_flow_tap_push(link))
        return;
    __atomic_store_n(&observers->tapped, true, __ATOMIC_RELEASE);
    __atomic_store_n(&link->watched, true, __ATOMIC_SEQ_CST);
}

static bool whittle_flow_tap_is_there(const struct whittle_flow_link *link)
{
    char name[32];
    return faccessat(link->loop->directory_fd, whittle_flow_tap_name(link, name), F_OK, 0) == 0;
}

/* Looks whether somebody wants to see a link's packets, or does not any more; when to look again, 0: when a file comes. */
static uint64_t whittle_flow_tap_look(struct whittle_flow_link *link, uint64_t now)
{
    struct whittle_flow_observers *const observers = link->observers;
    char said;
    if (observers == NULL)
        return 0;
    pthread_mutex_lock(&observers->lock);
    if (observers->tap < 0)
        whittle_flow_tap_begin(link);
    else if (recv(observers->tap, &said, 1, MSG_DONTWAIT) == 0)
        whittle_flow_tap_leave(link);
    else
        whittle_flow_tap_push(link);
    const bool soon = observers->rest_from < observers->rest_to, tapped = observers->tap >= 0;
    pthread_mutex_unlock(&observers->lock);
    /* Who sends without a look is made to look: again and again, as the limit may have been raised just now. */
    if (link->watched && link->fast)
        __atomic_store_n(&link->sender->limit, 0, __ATOMIC_SEQ_CST);
    /* A socket is there before somebody listens at it. */
    const bool again = tapped || link->watched || link->loop->arrivals.fd < 0 || (link->loop->taps_tries > 0 && whittle_flow_tap_is_there(link));
    return soon ? now + WHITTLE_FLOW_TAP_SOON : again ? now + WHITTLE_FLOW_TAP_EVERY : 0;
}

/* A file has come, or was touched: perhaps a tap, perhaps a subscriber. */
static void whittle_flow_arrived(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_event_loop *const loop = (struct whittle_flow_event_loop *)(void *)((char *)source - offsetof(struct whittle_flow_event_loop, arrivals));
    char names[4096];
    (void)events;
    while (read(source->fd, names, sizeof names) > 0)
        ;
    loop->taps_tries = WHITTLE_FLOW_TAP_TRIES;
    loop->taps_at = 1;
    whittle_flow_fans_expect(loop);
}

/* Watches the directory; where the system has no more of what does that, taps are looked for again and again. */
void whittle_flow_taps_open(struct whittle_flow_event_loop *loop)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", loop->directory_fd);
    loop->arrivals = (struct whittle_net_source){.ready = whittle_flow_arrived, .fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    loop->taps_tries = WHITTLE_FLOW_TAP_TRIES;
    const bool watched = loop->arrivals.fd >= 0 && inotify_add_watch(loop->arrivals.fd, path, IN_CREATE | IN_MOVED_TO | IN_ATTRIB) >= 0
        && whittle_net_watch(&loop->poller, &loop->arrivals, EPOLLIN);
    if (!watched)
        whittle_net_source_close(&loop->poller, &loop->arrivals);
    loop->taps_at = 1;
}

/* Looks after the taps of all that sends, where it is due; when to do so again. */
uint64_t whittle_flow_taps(struct whittle_flow_event_loop *loop, uint64_t now)
{
    const struct whittle_flow_process *const process = loop->process;
    if (loop->taps_at == 0 || now < loop->taps_at)
        return loop->taps_at;
    loop->taps_at = 0;
    loop->taps_tries -= loop->taps_tries > 0;
    for (size_t n = 0; n < process->sender_count + process->call_count; n++) {
        const bool sends = n < process->sender_count;
        const uint64_t due = whittle_flow_tap_look(sends ? process->senders[n]->link : process->calls[n - process->sender_count]->link, now);
        loop->taps_at = whittle_net_sooner(loop->taps_at, due);
    }
    return loop->taps_at;
}

/* The process ends: what can be said still is. */
void whittle_flow_tap_end(struct whittle_flow_link *link)
{
    struct whittle_flow_observers *const observers = link->observers;
    pthread_mutex_lock(&observers->lock);
    if (whittle_flow_tap_push(link) && whittle_flow_tap_room(observers, WHITTLE_FLOW_TAP_GAP)) {
        whittle_flow_tap_gap(observers, whittle_net_now() - link->loop->began);
        whittle_flow_tap_push(link);
    }
    whittle_flow_tap_leave(link);
    pthread_mutex_unlock(&observers->lock);
}
