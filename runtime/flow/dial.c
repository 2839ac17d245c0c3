/* SPDX-License-Identifier: MIT-0 */
/*
 * How a sender comes to a connection: it looks up where its receiver is, connects, sees that the receiver is no stranger
 * (over TCP both prove that they have the key; else the system says whose process it is), says hello, waits for the
 * answer, and hands the socket to the link, whose stream then begins where the receiver stands. What fails is tried
 * again, after 10 ms at first and 1 s at last. On the event loop's thread. docs/flow-handshake.md has the states.
 */
#include "mux.h"
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>

static const uint64_t whittle_flow_first_pause = 10000000u, whittle_flow_last_pause = 1000000000u, whittle_flow_connect_patience = 3000000000u;

static uint64_t whittle_flow_dial_later(struct whittle_flow_link *link, uint64_t now, bool long_pause)
{
    whittle_flow_source_close(&link->loop->poller, &link->dialing, &link->dial_substream);
    whittle_flow_end_session(link, &link->dial_session);
    link->dial = WHITTLE_FLOW_IDLE;
    link->dial_pause = long_pause ? whittle_flow_last_pause
        : link->dial_pause == 0 ? whittle_flow_first_pause : 2 * link->dial_pause < whittle_flow_last_pause ? 2 * link->dial_pause : whittle_flow_last_pause;
    link->dial_at = now + link->dial_pause;
    if (!link->reported_waiting && !link->met && link->fan == NULL && link->verdict == WHITTLE_FLOW_ACCEPTED && link->dial_pause == whittle_flow_last_pause) {
        const char *const program = link->edge->program != NULL ? link->edge->program : link->edge->to;
        link->reported_waiting = true;
        if (whittle_flow_transport_of(link->edge)->by_port)
            whittle_flow_log(link, "waits for its receiver at port %u of %s: start `%s` there",
                (unsigned)whittle_flow_port(link), whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "this machine",
                program);
        else
            whittle_flow_log(link, "waits for its receiver in %s: start `%s`", link->loop->directory, program);
    }
    return link->dial_at;
}

static uint64_t whittle_flow_dial_connect(struct whittle_flow_link *link, const struct whittle_net_name *name, uint64_t now)
{
    link->dialing.fd = whittle_net_connect_begin(name, SOCK_STREAM);
    if (link->dialing.fd < 0 || !whittle_net_watch(&link->loop->poller, &link->dialing, EPOLLOUT))
        return whittle_flow_dial_later(link, now, false);
    whittle_flow_tune(link, link->dialing.fd);
    link->dial = WHITTLE_FLOW_CONNECTING;
    link->dial_at = now + whittle_flow_connect_patience;
    return link->dial_at;
}

static void whittle_flow_dial_forget_addresses(struct whittle_flow_link *link)
{
    whittle_net_lookup_end(link->lookup);
    link->lookup = NULL;
}

/* The next of the receiver's addresses, one for each attempt; where all have been tried, the name is looked up again. */
static uint64_t whittle_flow_dial_address(struct whittle_flow_link *link, uint64_t now)
{
    const int count = whittle_net_lookup_count(link->lookup);
    if (count == 0)
        return 0;   /* the look-up wakes the event loop */
    if (link->tried < count)
        return whittle_flow_dial_connect(link, whittle_net_lookup_name(link->lookup, link->tried++), now);
    whittle_flow_dial_forget_addresses(link);
    return whittle_flow_dial_later(link, now, false);
}

static uint64_t whittle_flow_dial_hello(struct whittle_flow_link *link, uint64_t now)
{
    const bool joins = link->mux != NULL && link->dial_substream == NULL;
    struct whittle_flow_hello hello;
    whittle_flow_choose_window(link);
    whittle_flow_hello_write(link, &hello);
    whittle_flow_process_name(link, hello.who);
    if (joins)
        hello.edge = htole32(WHITTLE_FLOW_ALL_EDGES);
    else
        whittle_flow_trace(link, "says hello");
    if (!whittle_flow_seal(link, link->dial_session, WHITTLE_FLOW_HELLO, &hello, offsetof(struct whittle_flow_hello, tag), NULL, 0, hello.tag)
        || whittle_flow_stream_send(link->dialing.fd, link->dial_substream, &hello, sizeof hello) != sizeof hello
        || !whittle_net_rewatch(&link->loop->poller, &link->dialing, EPOLLIN))
        return whittle_flow_dial_later(link, now, false);
    link->dial = WHITTLE_FLOW_GREETED;
    link->dial_filled = 0;
    return 0;   /* the receiver answers when its stage comes to it */
}

/* Its edge's part of a mux that is there. */
static uint64_t whittle_flow_dial_substream(struct whittle_flow_link *link, uint64_t now)
{
    link->dial_substream = whittle_flow_mux_open(link->mux, link);
    if (link->dial_substream == NULL)
        return whittle_flow_dial_later(link, now, false);
    link->dialing.fd = link->dial_substream->fd;
    if (!whittle_net_watch(&link->loop->poller, &link->dialing, EPOLLIN))
        return whittle_flow_dial_later(link, now, false);
    return whittle_flow_dial_hello(link, now);
}

/* Over the mux that its edge joins: which is there, or which this edge brings, or which another one does. */
static bool whittle_flow_dial_waits(struct whittle_flow_link *link)
{
    struct whittle_flow_mux *const mux = link->mux;
    if (mux == NULL || mux->base == link)
        return false;
    if (mux->base->lost || mux->base->dial != WHITTLE_FLOW_IDLE)
        return true;
    mux->base = link;
    return false;
}

static uint64_t whittle_flow_dial_begin(struct whittle_flow_link *link, uint64_t now)
{
    if (link->mux != NULL && link->mux->up)
        return whittle_flow_dial_substream(link, now);
    if (whittle_flow_dial_waits(link))
        return 0;   /* the event loop looks again when the other has got on */
    const char *const host = whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "127.0.0.1";
    struct whittle_net_name name;
    if (!whittle_flow_transport_of(link->edge)->by_port) {
        whittle_flow_local_name(link, &name);
        return whittle_flow_dial_connect(link, &name, now);
    }
    if (link->lookup == NULL) {
        link->lookup = whittle_net_lookup_begin(host, whittle_flow_port(link), SOCK_STREAM, link->loop->waking.fd);
        link->tried = 0;
    }
    if (link->lookup == NULL)
        return whittle_flow_dial_later(link, now, false);
    link->dial = WHITTLE_FLOW_LOOKING_UP;
    return whittle_flow_dial_address(link, now);
}

/* Nothing is sent to who cannot show that it may know: over TCP both prove that they have the key first. */
static uint64_t whittle_flow_dial_open(struct whittle_flow_link *link, uint64_t now)
{
    const struct whittle_flow_security *const security = link->loop->process->security;
    if (whittle_net_connect_end(link->dialing.fd, SOCK_STREAM) != 0)
        return whittle_flow_dial_later(link, now, false);
    if (!whittle_flow_transport_of(link->edge)->by_port && !whittle_flow_is_own_user(link->dialing.fd)) {
        whittle_flow_reject(link->loop, link, "another user's process listens for it");
        return whittle_flow_dial_later(link, now, true);
    }
    if (!whittle_flow_is_keyed(link))
        return whittle_flow_dial_hello(link, now);
    if (!security->challenge(link->loop, WHITTLE_FLOW_CONNECTOR, NULL, &link->opening)
        || send(link->dialing.fd, &link->opening, sizeof link->opening, MSG_NOSIGNAL) != sizeof link->opening
        || !whittle_net_rewatch(&link->loop->poller, &link->dialing, EPOLLIN))
        return whittle_flow_dial_later(link, now, false);
    link->dial = WHITTLE_FLOW_CHALLENGED;
    link->dial_filled = 0;
    link->dial_at = now + whittle_flow_connect_patience;
    return link->dial_at;
}

/* Reads into the message that is due. 1: it is whole; 0: not yet; -1: the connection is of no use. */
static int whittle_flow_dial_read(struct whittle_flow_link *link, void *message, size_t size)
{
    const ssize_t came = whittle_flow_stream_read(link->dialing.fd, link->dial_substream, (char *)message + link->dial_filled, size - link->dial_filled);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (came <= 0)
        return -1;
    link->dial_filled += (uint32_t)came;
    return link->dial_filled == size;
}

/* The receiver's challenge: it proves that the receiver has the key, and has seen ours. */
static uint64_t whittle_flow_dial_challenged(struct whittle_flow_link *link, uint64_t now)
{
    const struct whittle_flow_security *const security = link->loop->process->security;
    const int whole = whittle_flow_dial_read(link, &link->challenge, sizeof link->challenge);
    if (whole == 0)
        return link->dial_at;
    if (whole < 0) {
        /* One that is just starting, or ending, may do so, too: it is reported when it goes on. */
        const bool say = !link->reported_closed && link->dial_pause >= whittle_flow_last_pause / 4;
        if (say)
            whittle_flow_log(link, "who listens at port %u closed without an answer: it has another key, or is no process of this flow: give "
                "all of them one key with --key", (unsigned)whittle_flow_port(link));
        link->reported_closed |= say;
        return whittle_flow_dial_later(link, now, false);
    }
    if (security->proves(link->loop, WHITTLE_FLOW_ACCEPTOR, &link->opening, &link->challenge))
        link->dial_session = security->begin(link->loop, WHITTLE_FLOW_CONNECTOR, &link->opening, &link->challenge);
    if (link->dial_session == NULL) {
        whittle_flow_reject(link->loop, link, "who listens for it did not prove that it has the flow's key");
        return whittle_flow_dial_later(link, now, true);
    }
    return whittle_flow_dial_hello(link, now);
}

/* The event loop watches the connection as the link's from now on. */
static bool whittle_flow_dial_watch(struct whittle_flow_link *link, int fd)
{
    struct whittle_net_poller *const poller = &link->loop->poller;
    const bool drops = link->edge->full != WHITTLE_FLOW_BLOCK && !whittle_flow_transport_of(link->edge)->shared;
    link->interest = EPOLLRDHUP | EPOLLET | (drops ? EPOLLIN : 0);
    whittle_net_unwatch(poller, &link->dialing);
    /* The link's thread has closed the one before: its number may be another's by now. */
    link->connected.fd = -1;
    whittle_net_unwatch(poller, &link->connected);
    link->connected.fd = fd;
    return whittle_net_watch(poller, &link->connected, link->interest);
}

static uint64_t whittle_flow_dial_hand_over(struct whittle_flow_link *link, uint64_t now)
{
    if (!whittle_flow_fan_try_lock(link))
        return now + whittle_flow_first_pause;
    if (pthread_mutex_trylock(&link->lock) != 0) {
        whittle_flow_fan_unlock(link);
        return now + whittle_flow_first_pause / 10;
    }
    const bool done = whittle_flow_filter_take(link) && whittle_flow_dial_watch(link, link->dialing.fd) && whittle_flow_resume(link, link->dialing.fd);
    if (done) {
        link->dialing.fd = -1;
        link->dial = WHITTLE_FLOW_IDLE;
        link->dial_pause = link->dial_at = 0;
        link->reported_closed = false;
        whittle_flow_dial_forget_addresses(link);
        if (!whittle_flow_transport_of(link->edge)->shared && whittle_flow_push(link, false) == WHITTLE_FLOW_BUSY)
            whittle_flow_arm(link, now);
    }
    pthread_mutex_unlock(&link->lock);
    if (done)
        whittle_flow_fan_join(link);
    whittle_flow_fan_unlock(link);
    if (!done)
        return whittle_flow_dial_later(link, now, true);
    whittle_flow_wake_stage(link);
    return 0;
}

/* Its mux is there: all edges that join it go on over it. */
static uint64_t whittle_flow_dial_join(struct whittle_flow_link *link, uint64_t now)
{
    whittle_net_unwatch(&link->loop->poller, &link->dialing);
    const bool up = whittle_flow_mux_begin(link->mux, link->dialing.fd, link->dial_session);
    link->dialing.fd = -1;
    link->dial_session = NULL;
    link->dial = WHITTLE_FLOW_IDLE;
    link->dial_pause = link->dial_at = 0;
    link->reported_closed = false;
    whittle_flow_dial_forget_addresses(link);
    return up ? whittle_flow_dial_substream(link, now) : whittle_flow_dial_later(link, now, false);
}

/* Who refuses a mux refuses all edges that would join it. */
static bool whittle_flow_dial_refused(struct whittle_flow_link *link)
{
    struct whittle_flow_event_loop *const loop = link->loop;
    if (!whittle_flow_answer_refused(link, &link->answer))
        return false;
    for (size_t n = 0; n < loop->link_count && link->mux != NULL && link->dial_substream == NULL; n++)
        if (loop->links[n].mux == link->mux) {
            whittle_flow_answer_refused(&loop->links[n], &link->answer);
            whittle_flow_wake_stage(&loop->links[n]);
        }
    return true;
}

static uint64_t whittle_flow_dial_answer(struct whittle_flow_link *link, uint64_t now)
{
    const struct whittle_flow_answer *const answer = &link->answer;
    const int whole = whittle_flow_dial_read(link, &link->answer, sizeof link->answer);
    if (whole <= 0)
        return whole == 0 ? 0 : whittle_flow_dial_later(link, now, false);
    if (!whittle_flow_verify(link, link->dial_session, WHITTLE_FLOW_ANSWER, answer, offsetof(struct whittle_flow_answer, tag), NULL, 0, answer->tag)) {
        whittle_flow_reject(link->loop, link, "the answer is not its receiver's");
        return whittle_flow_dial_later(link, now, false);
    }
    if (whittle_flow_dial_refused(link) || whittle_flow_filter_refused(link, &link->answer)) {
        const uint64_t later = whittle_flow_dial_later(link, now, true);
        whittle_flow_wake_stage(link);
        return later;
    }
    if (link->mux != NULL && link->dial_substream == NULL)
        return whittle_flow_dial_join(link, now);
    /* From here on the stage's thread may block on it. */
    if (link->dial_substream == NULL)
        fcntl(link->dialing.fd, F_SETFL, 0);
    link->dial = WHITTLE_FLOW_AGREED;
    return whittle_flow_dial_hand_over(link, now);
}

/* Goes on where a connection is wanted; when to be called again, 0: not before something happens. */
uint64_t whittle_flow_dial_step(struct whittle_flow_link *link, uint64_t now, bool event)
{
    switch (link->dial) {
    case WHITTLE_FLOW_IDLE:
        if (!link->lost)
            return 0;
        return now >= link->dial_at ? whittle_flow_dial_begin(link, now) : link->dial_at;
    case WHITTLE_FLOW_LOOKING_UP:
        return whittle_flow_dial_address(link, now);
    case WHITTLE_FLOW_CHALLENGED:
        if (event)
            return whittle_flow_dial_challenged(link, now);
        return now >= link->dial_at ? whittle_flow_dial_later(link, now, false) : link->dial_at;
    case WHITTLE_FLOW_CONNECTING:
        if (event)
            return whittle_flow_dial_open(link, now);
        return now >= link->dial_at ? whittle_flow_dial_later(link, now, false) : link->dial_at;
    case WHITTLE_FLOW_GREETED:
        return event ? whittle_flow_dial_answer(link, now) : 0;
    case WHITTLE_FLOW_AGREED:
        return whittle_flow_dial_hand_over(link, now);
    }
    return 0;
}

void whittle_flow_dial_ready(struct whittle_net_source *source, uint32_t events)
{
    (void)events;
    whittle_flow_dial_step(WHITTLE_FLOW_LINK_OF(source, dialing), whittle_net_now(), true);
}
