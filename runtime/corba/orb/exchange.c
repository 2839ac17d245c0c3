/* SPDX-License-Identifier: MIT-0 */
/* A request goes out, and its caller waits for what comes back. */
#include "parts.h"
#include <sys/socket.h>

static int whittle_exchange_each(struct whittle_sending *sending, struct iovec *pieces, int count)
{
    return whittle_send_all(sending->connection->fd, pieces, count, sending->deadline, &sending->begun);
}

static void whittle_calls_add(struct whittle_connection *connection, struct whittle_call *call)
{
    call->previous = NULL;
    call->next = connection->calls;
    if (call->next != NULL)
        call->next->previous = call;
    connection->calls = call;
}

static void whittle_calls_remove(struct whittle_connection *connection, struct whittle_call *call)
{
    if (call->next != NULL)
        call->next->previous = call->previous;
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        connection->calls = call->next;
}

/* Nobody wants the reply any more: the server may know. */
static void whittle_cancel(struct whittle_call *call)
{
    char message[WHITTLE_HEADER + 4];
    bool begun = false;
    whittle_put_header(message, call->version, WHITTLE_CANCEL_REQUEST);
    whittle_poke32(message + WHITTLE_SIZE_AT, 4);
    whittle_poke32(message + WHITTLE_HEADER, call->id);
    struct iovec piece = {message, sizeof message};
    if (pthread_mutex_trylock(&call->connection->writing) != 0)
        return;
    const uint64_t soon = whittle_now() + 1000000u;
    const int sent = whittle_send_all(call->connection->fd, &piece, 1, soon, &begun);
    pthread_mutex_unlock(&call->connection->writing);
    if (sent != 1 && begun)
        shutdown(call->connection->fd, SHUT_RDWR);
}

/* A message in one piece, or with pieces of the caller's in between. */
static int whittle_exchange_message(struct whittle_call *call, struct whittle_sending *sending, char *end)
{
    struct iovec pieces[2 * WHITTLE_LENT + 1];
    char *const base = call->out.base;
    size_t place = 0;
    int count = 0;
    if (call->piece_count == 0)
        return whittle_send_message(sending, base, end, call->connection->orb->options.fragment);
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(end - base - WHITTLE_HEADER) + call->referred);
    for (uint32_t index = 0; index < call->piece_count; index++) {
        const struct whittle_lent *const piece = &call->pieces[index];
        if (piece->place > place)
            pieces[count++] = (struct iovec){base + place, piece->place - place};
        pieces[count++] = (struct iovec){(void *)(uintptr_t)piece->bytes, piece->size};
        place = piece->place;
    }
    if ((size_t)(end - base) > place)
        pieces[count++] = (struct iovec){base + place, (size_t)(end - base) - place};
    return sending->each(sending, pieces, count);
}

static bool whittle_exchange_send(struct whittle_call *call, char *end)
{
    struct whittle_connection *const connection = call->connection;
    struct whittle_sending sending = {.each = whittle_exchange_each, .connection = connection, .deadline = call->deadline};
    pthread_mutex_lock(&connection->writing);
    const int sent = whittle_exchange_message(call, &sending, end);
    pthread_mutex_unlock(&connection->writing);
    call->sent = sent == 1;
    if (sent == 1) {
        __atomic_store_n(&connection->codes_told, true, __ATOMIC_RELAXED);
        return true;
    }
    /* Half a message: nothing can follow it. What the server said before it closed may still be read. */
    if (sent == 0) {
        shutdown(connection->fd, SHUT_RDWR);
        call->failure = WHITTLE_LATE;
    } else {
        shutdown(connection->fd, SHUT_WR);
        call->failure = WHITTLE_NOT_SENT;
    }
    return false;
}

static enum whittle_answer whittle_exchange(struct whittle_call *call, char *end, CORBA_Environment *ev)
{
    struct whittle_connection *const connection = call->connection;
    pthread_mutex_lock(&connection->lock);
    const bool open = connection->state == WHITTLE_OPEN;
    if (open)
        whittle_calls_add(connection, call);
    pthread_mutex_unlock(&connection->lock);
    if (!open)
        return WHITTLE_ANSWER_AGAIN;
    const bool sent = whittle_exchange_send(call, end);
    const bool came = (!sent && call->failure == WHITTLE_NOT_SENT) || (sent && call->waits) ? whittle_wait(call) : false;
    pthread_mutex_lock(&connection->lock);
    whittle_calls_remove(connection, call);
    if (!sent)
        whittle_client_fail(connection, WHITTLE_BROKEN);
    const bool closed = connection->state != WHITTLE_OPEN;
    pthread_mutex_unlock(&connection->lock);
    if (closed)
        whittle_client_forget(connection);
    if (sent && !call->waits)
        return WHITTLE_ANSWER_NONE;
    if (came)
        return whittle_answer_read(call, ev);
    if (call->failure == WHITTLE_LATE && sent)
        whittle_cancel(call);
    return whittle_answer_failed(call, ev);
}

enum whittle_answer whittle_call_send(struct whittle_call *call, char *at, CORBA_Environment *ev)
{
    if (at == NULL) {
        if (ev->_major == CORBA_NO_EXCEPTION)
            WHITTLE_RAISE(ev, MARSHAL, 0, NO);
        return WHITTLE_ANSWER_FAILED;
    }
    if (at == call->body && call->piece_count == 0)     /* no parameters: no padding before them */
        at = call->out.base + (call->header_end - call->out.base);
    if (!call->local)
        return whittle_exchange(call, at, ev);
    whittle_serve_here(call, at);
    if (!call->waits)
        return WHITTLE_ANSWER_NONE;
    if (call->reply.buffer != NULL)
        return whittle_answer_read(call, ev);
    WHITTLE_RAISE(ev, NO_MEMORY, 0, MAYBE);
    return WHITTLE_ANSWER_FAILED;
}
