/* SPDX-License-Identifier: MIT-0 */
/* Events by ids with generations: poller.h. */
#include "poller.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void whittle_net_source_keep(struct whittle_net_source *source)
{
    __atomic_fetch_add(&source->refs, 1, __ATOMIC_RELAXED);
}

void whittle_net_source_drop(struct whittle_net_source *source)
{
    if (__atomic_sub_fetch(&source->refs, 1, __ATOMIC_ACQ_REL) == 0 && source->release != NULL)
        source->release(source);
}

bool whittle_net_poller_open(struct whittle_net_poller *poller)
{
    *poller = (struct whittle_net_poller){.epoll = epoll_create1(EPOLL_CLOEXEC)};
    pthread_mutex_init(&poller->lock, NULL);
    return poller->epoll >= 0;
}

void whittle_net_poller_close(struct whittle_net_poller *poller)
{
    if (poller->epoll >= 0)
        close(poller->epoll);
    poller->epoll = -1;
    free(poller->slots);
    poller->slots = NULL;
    pthread_mutex_destroy(&poller->lock);
}

/* With the lock held; false: no memory. */
static bool whittle_net_slots_grow(struct whittle_net_poller *poller)
{
    const uint32_t count = poller->slot_count == 0 ? 16 : 2 * poller->slot_count;
    struct whittle_net_slot *const more = (struct whittle_net_slot *)realloc(poller->slots, count * sizeof *more);
    if (more == NULL)
        return false;
    for (uint32_t slot = poller->slot_count; slot < count; slot++)
        more[slot] = (struct whittle_net_slot){NULL, 0, slot + 1 < count ? slot + 2 : 0};
    poller->first_free = poller->slot_count + 1;
    poller->slots = more;
    poller->slot_count = count;
    return true;
}

/* A slot for the source; 0: no memory. */
static uint64_t whittle_net_slot_take(struct whittle_net_poller *poller, struct whittle_net_source *source)
{
    uint64_t id = 0;
    pthread_mutex_lock(&poller->lock);
    if (poller->first_free != 0 || whittle_net_slots_grow(poller)) {
        const uint32_t slot = poller->first_free - 1;
        struct whittle_net_slot *const place = &poller->slots[slot];
        poller->first_free = place->next_free;
        place->source = source;
        place->generation += place->generation == UINT32_MAX ? 2 : 1;   /* never 0: so no id is 0 */
        id = (uint64_t)place->generation << 32 | slot;
    }
    pthread_mutex_unlock(&poller->lock);
    return id;
}

static void whittle_net_slot_give(struct whittle_net_poller *poller, uint64_t id)
{
    const uint32_t slot = (uint32_t)id;
    pthread_mutex_lock(&poller->lock);
    poller->slots[slot].source = NULL;
    poller->slots[slot].next_free = poller->first_free;
    poller->first_free = slot + 1;
    pthread_mutex_unlock(&poller->lock);
}

/* Who is meant by an event, kept; NULL: it has gone. */
static struct whittle_net_source *whittle_net_slot_find(struct whittle_net_poller *poller, uint64_t id)
{
    const uint32_t slot = (uint32_t)id;
    struct whittle_net_source *source = NULL;
    if (poller->shared)
        pthread_mutex_lock(&poller->lock);
    if (slot < poller->slot_count && poller->slots[slot].generation == id >> 32)
        source = poller->slots[slot].source;
    if (source != NULL)
        whittle_net_source_keep(source);
    if (poller->shared)
        pthread_mutex_unlock(&poller->lock);
    return source;
}

static bool whittle_net_control(const struct whittle_net_poller *poller, const struct whittle_net_source *source, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data = {.u64 = source->id}};
    return epoll_ctl(poller->epoll, operation, source->fd, &event) == 0;
}

bool whittle_net_watch(struct whittle_net_poller *poller, struct whittle_net_source *source, uint32_t events)
{
    const uint64_t id = whittle_net_slot_take(poller, source);
    if (id == 0)
        return false;
    source->id = id;
    whittle_net_source_keep(source);
    if (whittle_net_control(poller, source, EPOLL_CTL_ADD, events))
        return true;
    whittle_net_slot_give(poller, id);
    source->id = 0;
    whittle_net_source_drop(source);
    return false;
}

bool whittle_net_rewatch(struct whittle_net_poller *poller, const struct whittle_net_source *source, uint32_t events)
{
    return whittle_net_control(poller, source, EPOLL_CTL_MOD, events) || errno == ENOENT;     /* it is paused, and resumed later */
}

void whittle_net_pause(struct whittle_net_poller *poller, const struct whittle_net_source *source)
{
    whittle_net_control(poller, source, EPOLL_CTL_DEL, 0);
}

bool whittle_net_resume(struct whittle_net_poller *poller, const struct whittle_net_source *source, uint32_t events)
{
    return whittle_net_control(poller, source, EPOLL_CTL_ADD, events);
}

void whittle_net_unwatch(struct whittle_net_poller *poller, struct whittle_net_source *source)
{
    if (source->id == 0)
        return;
    whittle_net_control(poller, source, EPOLL_CTL_DEL, 0);
    whittle_net_slot_give(poller, source->id);
    source->id = 0;
    whittle_net_source_drop(source);
}

void whittle_net_source_close(struct whittle_net_poller *poller, struct whittle_net_source *source)
{
    whittle_net_unwatch(poller, source);
    if (source->fd >= 0)
        close(source->fd);
    source->fd = -1;
}

static void whittle_net_dispatch(struct whittle_net_poller *poller, const struct epoll_event *event)
{
    struct whittle_net_source *const source = whittle_net_slot_find(poller, event->data.u64);
    if (source == NULL)
        return;
    source->ready(source, event->events);
    whittle_net_source_drop(source);
}

static int whittle_net_poll_shared(struct whittle_net_poller *poller, int timeout)
{
    struct epoll_event event;
    const int count = epoll_wait(poller->epoll, &event, 1, timeout);
    if (count > 0)
        whittle_net_dispatch(poller, &event);
    return count;
}

int whittle_net_poll(struct whittle_net_poller *poller, int most, int timeout)
{
    int done = 0;
    if (poller->shared)
        return whittle_net_poll_shared(poller, timeout);
    if (!whittle_net_poller_has_events(poller)) {
        const int count = epoll_wait(poller->epoll, poller->events, WHITTLE_NET_EVENTS, timeout);
        if (count <= 0)
            return count;
        poller->next = 0;
        poller->count = count;
    }
    for (; done < most && whittle_net_poller_has_events(poller); done++) {
        const struct epoll_event event = poller->events[poller->next++];    /* more may come to its place meanwhile */
        whittle_net_dispatch(poller, &event);
    }
    return done;
}
