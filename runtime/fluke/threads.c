/* SPDX-License-Identifier: MIT-0 */
/*
 * Ports between threads. A call counts itself in, runs the server's code, and counts itself out: two atomic operations. A lock is taken
 * only where somebody waits: for a server, or for the last call to end.
 */
#include "stubs.h"
#ifndef WHITTLE_FLUKE_RECEIVES
#include <pthread.h>

#define WHITTLE_FLUKE_CLOSED ((uint64_t)1 << 63)

struct whittle_fluke_threads {
    uint64_t running;               /* calls, and whether the port is closed */
    uint64_t references;
    whittle_fluke_enter enter;      /* NULL: nobody serves; set before `served` is published by it */
    const void *served;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

whittle_fluke_port whittle_fluke_port_new(void)
{
    struct whittle_fluke_threads *const port = (struct whittle_fluke_threads *)calloc(1, sizeof *port);
    if (port == NULL)
        return NULL;
    port->references = 1;
    if (pthread_mutex_init(&port->lock, NULL) != 0) {
        free(port);
        return NULL;
    }
    if (pthread_cond_init(&port->changed, NULL) != 0) {
        pthread_mutex_destroy(&port->lock);
        free(port);
        return NULL;
    }
    return port;
}

whittle_fluke_object whittle_fluke_object_copy(whittle_fluke_object object)
{
    if (object != NULL)
        __atomic_fetch_add(&object->references, 1, __ATOMIC_RELAXED);
    return object;
}

void whittle_fluke_object_free(whittle_fluke_object object)
{
    if (object == NULL || __atomic_sub_fetch(&object->references, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    pthread_cond_destroy(&object->changed);
    pthread_mutex_destroy(&object->lock);
    free(object);
}

whittle_fluke_object whittle_fluke_port_object(whittle_fluke_port port)
{
    return whittle_fluke_object_copy(port);
}

static void whittle_fluke_threads_wake(struct whittle_fluke_threads *port)
{
    pthread_mutex_lock(&port->lock);
    pthread_cond_broadcast(&port->changed);
    pthread_mutex_unlock(&port->lock);
}

void whittle_fluke_port_close(whittle_fluke_port port)
{
    __atomic_fetch_or(&port->running, WHITTLE_FLUKE_CLOSED, __ATOMIC_ACQ_REL);
    whittle_fluke_threads_wake(port);
}

void whittle_fluke_port_free(whittle_fluke_port port)
{
    if (port == NULL)
        return;
    whittle_fluke_port_close(port);
    whittle_fluke_object_free(port);
}

/* Counted in: what serves the port may run. False: it is closed. */
static bool whittle_fluke_threads_begin(struct whittle_fluke_threads *port, whittle_fluke_enter *enter)
{
    for (;;) {
        const uint64_t before = __atomic_fetch_add(&port->running, 1, __ATOMIC_ACQ_REL);
        *enter = __atomic_load_n(&port->enter, __ATOMIC_ACQUIRE);
        if (WHITTLE_LIKELY((before & WHITTLE_FLUKE_CLOSED) == 0 && *enter != NULL))
            return true;
        const uint64_t after = __atomic_sub_fetch(&port->running, 1, __ATOMIC_ACQ_REL);
        if ((after & WHITTLE_FLUKE_CLOSED) != 0) {
            whittle_fluke_threads_wake(port);
            return false;
        }
        pthread_mutex_lock(&port->lock);
        while (__atomic_load_n(&port->enter, __ATOMIC_ACQUIRE) == NULL
               && (__atomic_load_n(&port->running, __ATOMIC_ACQUIRE) & WHITTLE_FLUKE_CLOSED) == 0)
            pthread_cond_wait(&port->changed, &port->lock);
        pthread_mutex_unlock(&port->lock);
    }
}

int whittle_fluke_threads_call(whittle_fluke_object object, struct whittle_fluke_message *request, struct whittle_fluke_message *reply)
{
    whittle_fluke_enter enter;
    uint32_t i;
    reply->count = 0;
    reply->object_count = reply->kept = 0;
    if (object == NULL || !whittle_fluke_threads_begin(object, &enter))
        return WHITTLE_FLUKE_GONE;
    enter(object->served, request, reply, request->first[0], request->first[1], request->first[2], request->first[3]);
    /* While the server's own are there. */
    for (i = 0; i < reply->object_count; i++)
        whittle_fluke_object_copy(reply->objects[i]);
    if (__atomic_sub_fetch(&object->running, 1, __ATOMIC_ACQ_REL) >= WHITTLE_FLUKE_CLOSED)
        whittle_fluke_threads_wake(object);
    const bool is_there = reply->count <= WHITTLE_FLUKE_REGISTERS || reply->count <= reply->room || reply->owned != NULL;
    const bool is_good = reply->count >= WHITTLE_FLUKE_REGISTERS && reply->count <= reply->most;
    if (WHITTLE_LIKELY(is_there && is_good))
        return WHITTLE_FLUKE_OK;
    whittle_fluke_kernel_drop(reply);
    free(reply->owned);
    reply->owned = NULL;
    return is_good ? WHITTLE_FLUKE_NO_MEMORY : WHITTLE_FLUKE_BAD_REPLY;
}

int whittle_fluke_threads_serve(whittle_fluke_port port, whittle_fluke_enter enter, const void *served)
{
    pthread_mutex_lock(&port->lock);
    if (port->enter != NULL) {
        pthread_mutex_unlock(&port->lock);
        return WHITTLE_FLUKE_SERVED;
    }
    port->served = served;
    __atomic_store_n(&port->enter, enter, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&port->changed);
    while (__atomic_load_n(&port->running, __ATOMIC_ACQUIRE) != WHITTLE_FLUKE_CLOSED)
        pthread_cond_wait(&port->changed, &port->lock);
    __atomic_store_n(&port->enter, NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&port->lock);
    return WHITTLE_FLUKE_OK;
}
#endif
