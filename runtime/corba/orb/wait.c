/* SPDX-License-Identifier: MIT-0 */
/*
 * Waiting for a reply. Who finds nobody reading reads, and hands to others what is theirs; when its own has come, somebody else
 * who waits is woken to read on. A thread that is serving a request itself goes on serving others meanwhile, where no other
 * thread does: the reply may hang on one of them.
 */
#include "parts.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#define WHITTLE_SLICE 1000000000u

/* One that serves while it waits may sleep over what the loop waits for. */
void whittle_wake_waiter(struct whittle_connection *connection, struct whittle_call *call)
{
    if (call->serves && !whittle_in_loop(connection->orb))
        whittle_wake(connection->orb);
    else if (call->waiter != NULL)
        pthread_cond_signal((pthread_cond_t *)call->waiter);
}

/* The reply of whom? With the connection's lock held. */
static void whittle_deliver(struct whittle_connection *connection, struct whittle_message *message)
{
    struct whittle_scan scan = {message->base, message->base + WHITTLE_HEADER, message->end, whittle_is_swapped(message->base), false};
    const bool locate = message->base[WHITTLE_TYPE_AT] == WHITTLE_LOCATE_REPLY;
    if ((uint8_t)message->base[5] < 2 && !locate) {
        uint32_t length;
        const uint32_t count = whittle_scan32(&scan);
        for (uint32_t index = 0; index < count && !scan.bad; index++) {
            whittle_scan32(&scan);
            whittle_scan_octets(&scan, &length);
        }
    }
    const uint32_t id = whittle_scan32(&scan);
    struct whittle_call *call = scan.bad ? NULL : connection->calls;
    while (call != NULL && (call->id != id || call->done))
        call = call->next;
    if (call == NULL) {     /* it was given up */
        whittle_buffer_give(&connection->orb->pool, message->buffer);
        return;
    }
    call->reply = *message;
    call->at = scan.at;
    call->done = true;
    connection->used = true;
    whittle_wake_waiter(connection, call);
}

/* What makes no sense is told so, where nobody is writing. */
static void whittle_complain(struct whittle_connection *connection)
{
    char message[WHITTLE_HEADER];
    whittle_put_header(message, 2, WHITTLE_MESSAGE_ERROR);
    if (pthread_mutex_trylock(&connection->writing) != 0)
        return;
    send(connection->fd, message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
    pthread_mutex_unlock(&connection->writing);
}

static void whittle_take_all(struct whittle_connection *connection)
{
    struct whittle_message message;
    enum whittle_got got;
    while (connection->state == WHITTLE_OPEN && (got = whittle_reader_next(&connection->reader, &message)) != WHITTLE_GOT_NOTHING) {
        const uint8_t type = got == WHITTLE_GOT_MESSAGE ? (uint8_t)message.base[WHITTLE_TYPE_AT] : WHITTLE_MESSAGE_ERROR;
        if (type == WHITTLE_REPLY || type == WHITTLE_LOCATE_REPLY) {
            whittle_deliver(connection, &message);
            continue;
        }
        if (got == WHITTLE_GOT_MESSAGE)
            whittle_buffer_give(&connection->orb->pool, message.buffer);
        if (got == WHITTLE_GOT_NONSENSE || (type != WHITTLE_CLOSE_CONNECTION && type != WHITTLE_MESSAGE_ERROR))
            whittle_complain(connection);
        whittle_client_fail(connection, type == WHITTLE_CLOSE_CONNECTION ? WHITTLE_CLOSED_IN_ORDER : WHITTLE_BROKEN);
    }
}

/* Reads once, in the name of all; `blocks`: for a slice at most. The lock is held, but while reading. */
static void whittle_read_once(struct whittle_connection *connection, bool blocks)
{
    size_t room = 0;
    ssize_t came = -1;
    connection->reading = true;
    pthread_mutex_unlock(&connection->lock);
    char *const to = whittle_reader_room(&connection->reader, &room);
    while (to != NULL && (came = recv(connection->fd, to, room, blocks ? 0 : MSG_DONTWAIT)) < 0 && errno == EINTR)
        ;
    const bool nothing = came < 0 && errno == EAGAIN && to != NULL;
    pthread_mutex_lock(&connection->lock);
    connection->reading = false;
    if (came > 0) {
        connection->reader.filled += (size_t)came;
        connection->heard = whittle_now();
        whittle_take_all(connection);
    } else if (!nothing) {
        whittle_client_fail(connection, WHITTLE_BROKEN);
    }
}

bool whittle_listen_to(struct whittle_connection *connection)
{
    enum { LONG = 100000000 };
    pthread_mutex_lock(&connection->lock);
    if (connection->state == WHITTLE_OPEN && !connection->reading && connection->calls == NULL && whittle_now() - connection->heard > LONG)
        whittle_read_once(connection, false);
    const bool open = connection->state == WHITTLE_OPEN;
    pthread_mutex_unlock(&connection->lock);
    return open;
}

/* Reading ends after a second, so that a call whose time ends later needs no other way to wait, and no further system call. */
static void whittle_slice(struct whittle_connection *connection)
{
    const struct timeval slice = {WHITTLE_SLICE / 1000000000u, 0};
    if (!connection->sliced)
        setsockopt(connection->fd, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
    connection->sliced = true;
}

/* Nobody else reads; false: too late for this call. */
static bool whittle_lead(struct whittle_connection *connection, struct whittle_call *call)
{
    int found = 1;
    const bool is_near = call->deadline != 0 && call->deadline < whittle_now() + WHITTLE_SLICE;
    if (call->deadline != 0 && !is_near)
        whittle_slice(connection);
    if (is_near) {
        connection->reading = true;
        pthread_mutex_unlock(&connection->lock);
        found = whittle_socket_wait(connection->fd, POLLIN, call->deadline);
        pthread_mutex_lock(&connection->lock);
        connection->reading = false;
    }
    if (found != 0)
        whittle_read_once(connection, !is_near);
    return found != 0;
}

/* Serves others, which may read from this connection, too; false: too late. */
static bool whittle_serve_and_wait(struct whittle_connection *connection, struct whittle_call *call)
{
    pthread_mutex_unlock(&connection->lock);
    const enum whittle_event event = whittle_serve_meanwhile(connection->orb, connection->fd, call->deadline);
    pthread_mutex_lock(&connection->lock);
    if (event == WHITTLE_EVENT_THERE && !connection->reading && !call->done)
        whittle_read_once(connection, false);
    return event != WHITTLE_EVENT_LATE;
}

static void whittle_waiter_open(pthread_cond_t *waiter)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(waiter, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Somebody else reads; false: too late. */
static bool whittle_follow(struct whittle_connection *connection, struct whittle_call *call, pthread_cond_t *waiter)
{
    if (call->waiter == NULL) {
        whittle_waiter_open(waiter);
        call->waiter = waiter;
    }
    if (call->deadline == 0)
        return pthread_cond_wait(waiter, &connection->lock) == 0;
    const struct timespec until = {(time_t)(call->deadline / 1000000000u), (long)(call->deadline % 1000000000u)};
    return pthread_cond_timedwait(waiter, &connection->lock, &until) != ETIMEDOUT;
}

bool whittle_wait(struct whittle_call *call)
{
    struct whittle_connection *const connection = call->connection;
    pthread_cond_t waiter;
    bool in_time = true;
    const bool serves = whittle_in_loop(connection->orb);
    pthread_mutex_lock(&connection->lock);
    call->serves = serves;
    while (!call->done && in_time)
        in_time = serves ? whittle_serve_and_wait(connection, call)
            : connection->reading ? whittle_follow(connection, call, &waiter) : whittle_lead(connection, call);
    if (!call->done) {
        call->done = true;
        call->failure = WHITTLE_LATE;
    }
    const bool opened = call->waiter != NULL;
    call->waiter = NULL;
    for (struct whittle_call *other = connection->calls; other != NULL && !connection->reading; other = other->next)
        if (other->waiter != NULL && !other->done) {
            pthread_cond_signal((pthread_cond_t *)other->waiter);
            break;
        }
    pthread_mutex_unlock(&connection->lock);
    if (opened)
        pthread_cond_destroy(&waiter);
    return call->reply.buffer != NULL;
}
