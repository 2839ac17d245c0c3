/* SPDX-License-Identifier: MIT-0 */
/*
 * How a receiver comes to a connection. Whoever connects over TCP has to prove that it has the key, and learns nothing
 * before it has; then it says which edge it is, and only then does anything of the edge change: the connection replaces
 * the one before it, and goes to the stage's thread, which answers once it has taken all that came before. On the
 * event loop's thread. docs/flow-handshake.md has the states; handshakes.c keeps the connections meanwhile.
 */
#include "handshakes.h"
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* A peer that has proved who it is, and does not fit: counted always, said as long as it is news. */
static void whittle_flow_misfit(struct whittle_flow_link *link, const char *why)
{
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    const uint64_t count = whittle_flow_counter(link->page, WHITTLE_FLOW_STRANGERS);
    pthread_mutex_unlock(&link->lock);
    if (count <= 8 || (count & (count - 1)) == 0)
        whittle_flow_log(link, "a connection was refused: %s", why);
}

static bool whittle_flow_seal_answer(const struct whittle_flow_handshake *handshake, struct whittle_flow_answer *answer)
{
    return whittle_flow_seal(handshake->link, handshake->session, WHITTLE_FLOW_ANSWER, answer, offsetof(struct whittle_flow_answer, tag), NULL, 0,
        answer->tag);
}

/* The stage wants no more, or has all: nobody but us may ever answer again. True: said all that is to be said. */
static bool whittle_flow_answer_late(struct whittle_flow_link *link, struct whittle_flow_handshake *handshake)
{
    struct { struct whittle_flow_answer answer; struct whittle_flow_acknowledgement said; } reply;
    if (link->edge->subscription && link->refused) {
        whittle_flow_handshake_drop(handshake);   /* its sender has heard that it leaves, and looks for who comes next */
        return true;
    }
    pthread_mutex_lock(&link->lock);
    const bool over = link->heard_end || link->refused, known = le64toh(handshake->hello.stream) == link->page->stream;
    whittle_flow_answer_write(link, WHITTLE_FLOW_ACCEPTED, &reply.answer);
    reply.answer.known = htole64(1);
    reply.answer.count = htole64(whittle_flow_ledger_taken(link->page));
    reply.said = (struct whittle_flow_acknowledgement){.count = reply.answer.count, .bytes = htole64(whittle_flow_position(link)),
        .flags = htole64(link->heard_end ? WHITTLE_FLOW_HEARD_END : WHITTLE_FLOW_REFUSE)};
    pthread_mutex_unlock(&link->lock);
    if (!over || !known)
        return over;
    size_t bytes = sizeof reply;
    if (!whittle_flow_seal_answer(handshake, &reply.answer)
        || !whittle_flow_seal(link, handshake->session, WHITTLE_FLOW_ACKNOWLEDGEMENT, &reply.said, offsetof(struct whittle_flow_acknowledgement, tag),
            NULL, 0, reply.said.tag))
        return over;
    if (whittle_flow_transport_of(link->edge)->shared) {
        bytes = sizeof reply.answer + (size_t)link->refused;
        memset(&reply.said, 'r', 1);
    }
    whittle_flow_trace(link, "answers late count=%llu", (unsigned long long)le64toh(reply.answer.count));
    if (whittle_flow_stream_send(handshake->source.fd, handshake->substream, &reply, bytes) < 0)
        return over;    /* it comes again */
    return over;
}

/*
 * An edge has one sender. Who has it keeps it as long as its connection is there, and a while after: it comes again where
 * the connection was cut, and does not where it has died.
 */
static const uint64_t whittle_flow_lease_grace = 2000000000u;

static bool whittle_flow_is_held(struct whittle_flow_link *link, uint64_t stream, char holder[64])
{
    pthread_mutex_lock(&link->lock);
    const bool connected = link->fd >= 0 || link->pending >= 0;
    const bool held = link->lease != 0 && link->lease != stream && !link->heard_end && !link->refused
        && (connected || whittle_net_now() < link->lost_at + whittle_flow_lease_grace);
    memcpy(holder, link->holder, 64);
    pthread_mutex_unlock(&link->lock);
    return held;
}

/* Another sender's edge: it learns whose, and comes again to see whether it still is. */
static void whittle_flow_answer_held(struct whittle_flow_handshake *handshake, const char *holder)
{
    struct whittle_flow_link *const link = handshake->link;
    struct whittle_flow_answer answer;
    char who[64];
    whittle_flow_clean(handshake->hello.who, sizeof handshake->hello.who, who);
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    pthread_mutex_unlock(&link->lock);
    if (strcmp(who, link->contender) != 0)
        whittle_flow_log(link, "a second sender was refused: %s; %s has the edge", who, holder);
    memcpy(link->contender, who, sizeof who);
    whittle_flow_answer_write(link, WHITTLE_FLOW_HELD, &answer);
    memcpy(answer.type, holder, sizeof answer.type);
    if (whittle_flow_seal_answer(handshake, &answer) && whittle_flow_stream_send(handshake->source.fd, handshake->substream, &answer, sizeof answer) >= 0)
        whittle_flow_stream_shut(handshake->source.fd, handshake->substream, SHUT_WR);
    whittle_flow_handshake_drop(handshake);
}

static void whittle_flow_hand_to_stage(struct whittle_flow_link *link, struct whittle_flow_handshake *handshake)
{
    whittle_net_unwatch(&link->loop->poller, &handshake->source);
    pthread_mutex_lock(&link->lock);
    whittle_flow_stream_close(&link->pending, &link->pending_substream);
    whittle_flow_end_session(link, &link->pending_session);
    link->pending = handshake->source.fd;
    link->pending_session = handshake->session;
    link->pending_substream = handshake->substream;
    link->pending_hello = handshake->hello;
    link->lease = le64toh(handshake->hello.stream);
    whittle_flow_clean(handshake->hello.who, sizeof handshake->hello.who, link->holder);
    whittle_flow_trace(link, "is greeted");
    if (link->fd >= 0)
        whittle_flow_stream_shut(link->fd, link->substream, SHUT_RD);    /* what has come can still be read; then the end is seen */
    pthread_mutex_unlock(&link->lock);
    handshake->source.fd = -1;
    handshake->session = NULL;
    handshake->substream = NULL;
    whittle_flow_wake_stage(link);
}

/* The peer's challenge has come: answered where it proves that the key is known; else nothing is said. */
static void whittle_flow_open_session(struct whittle_flow_handshake *handshake)
{
    struct whittle_flow_event_loop *const loop = handshake->link->loop;
    const struct whittle_flow_security *const security = loop->process->security;
    if (le32toh(handshake->opening.protocol) != WHITTLE_FLOW_PROTOCOL) {
        whittle_flow_handshake_refuse(handshake, "it speaks another version of the protocol: build both with one whittle");
        return;
    }
    if (!security->proves(loop, WHITTLE_FLOW_CONNECTOR, NULL, &handshake->opening)) {
        whittle_flow_handshake_refuse(handshake, "it did not prove that it has the flow's key");
        return;
    }
    if (security->challenge(loop, WHITTLE_FLOW_ACCEPTOR, &handshake->opening, &handshake->challenge))
        handshake->session = security->begin(loop, WHITTLE_FLOW_ACCEPTOR, &handshake->opening, &handshake->challenge);
    if (handshake->session == NULL
        || send(handshake->source.fd, &handshake->challenge, sizeof handshake->challenge, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof handshake->challenge) {
        whittle_flow_handshake_refuse(handshake, "it took no challenge");
        return;
    }
    whittle_flow_handshake_proven(handshake);
}

/* Who receives the edge that the peer names, where it comes to this socket; else who listens here, which refuses it. */
static struct whittle_flow_link *whittle_flow_named(const struct whittle_flow_handshake *handshake)
{
    struct whittle_flow_link *const named = whittle_flow_entering(handshake->link->loop, le32toh(handshake->hello.edge));
    return named != NULL && named->listener == handshake->link ? named : handshake->link;
}

/* The peer's edges join one connection from now on. */
static void whittle_flow_accept_mux(struct whittle_flow_handshake *handshake)
{
    struct whittle_flow_answer answer;
    struct whittle_flow_mux *const mux = whittle_flow_mux_make(handshake->link, false);
    whittle_flow_answer_write(handshake->link, WHITTLE_FLOW_ACCEPTED, &answer);
    if (mux == NULL || !whittle_flow_seal_answer(handshake, &answer)
        || send(handshake->source.fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof answer) {
        whittle_flow_handshake_drop(handshake);   /* a mux that has not begun is swept away */
        return;
    }
    whittle_net_unwatch(&mux->loop->poller, &handshake->source);
    whittle_flow_mux_begin(mux, handshake->source.fd, handshake->session);
    handshake->source.fd = -1;
    handshake->session = NULL;
}

/* The edge that the peer names. Its tag says that the peer has seen our random number: nothing before this was more than a replay can do. */
static void whittle_flow_name_edge(struct whittle_flow_handshake *handshake)
{
    struct whittle_flow_hello *const hello = &handshake->hello;
    struct whittle_flow_answer answer;
    char why[640], holder[64];
    if (!whittle_flow_verify(handshake->link, handshake->session, WHITTLE_FLOW_HELLO, hello, offsetof(struct whittle_flow_hello, tag), NULL, 0, hello->tag)) {
        whittle_flow_handshake_refuse(handshake, "its proof was of another connection");
        return;
    }
    const bool joins = le32toh(hello->edge) == WHITTLE_FLOW_ALL_EDGES && handshake->substream == NULL;
    struct whittle_flow_link *const link = handshake->link = joins ? handshake->link : whittle_flow_named(handshake);
    handshake->stage = WHITTLE_FLOW_IS_ANSWERED;
    const enum whittle_flow_verdict verdict = joins ? whittle_flow_hello_check_mux(link, hello, why, sizeof why) : whittle_flow_hello_check(link, hello, why, sizeof why);
    if (verdict != WHITTLE_FLOW_ACCEPTED) {
        whittle_flow_misfit(link, why);
        whittle_flow_answer_write(link, verdict, &answer);
        if (whittle_flow_seal_answer(handshake, &answer) && whittle_flow_stream_send(handshake->source.fd, handshake->substream, &answer, sizeof answer) >= 0)
            whittle_flow_stream_shut(handshake->source.fd, handshake->substream, SHUT_WR);
        whittle_flow_handshake_drop(handshake);
    } else if (joins)
        whittle_flow_accept_mux(handshake);
    else if (handshake->substream != NULL && (handshake->substream->number != link->edge->number || whittle_flow_transport_of(link->edge)->shared)) {
        whittle_flow_misfit(link, "it is another edge than its part of the connection says");
        whittle_flow_handshake_drop(handshake);
    } else if (whittle_flow_is_held(link, le64toh(hello->stream), holder))
        whittle_flow_answer_held(handshake, holder);
    else if (!whittle_flow_answer_late(link, handshake))
        whittle_flow_hand_to_stage(link, handshake);
}

/* Whether what has come so far may become a message of this kind. */
static bool whittle_flow_may_be(const void *bytes, size_t filled, const char *magic)
{
    return memcmp(bytes, magic, filled < 8 ? filled : 8) == 0;
}

/* Reads what has come of the message that is due; nothing that follows it. False: it is not whole, or the connection is closed. */
static bool whittle_flow_handshake_read(struct whittle_flow_handshake *handshake, void *message, size_t size, const char *magic)
{
    const ssize_t came = whittle_flow_stream_read(handshake->source.fd, handshake->substream, (char *)message + handshake->filled, size - handshake->filled);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (came <= 0) {
        whittle_flow_handshake_refuse(handshake, "it closed before it had said which edge it is");
        return false;
    }
    handshake->filled += (uint32_t)came;
    if (!whittle_flow_may_be(message, handshake->filled, magic)) {
        whittle_flow_handshake_refuse(handshake, "it does not speak as a flow's sender does");
        return false;
    }
    return handshake->filled == size;
}

void whittle_flow_handshake_step(struct whittle_flow_handshake *handshake)
{
    char rest[4096];
    if (handshake->source.fd < 0)
        return;
    if (handshake->stage == WHITTLE_FLOW_OPENS) {
        if (!whittle_flow_handshake_read(handshake, &handshake->opening, sizeof handshake->opening, WHITTLE_FLOW_CHALLENGE_MAGIC))
            return;
        whittle_flow_open_session(handshake);
    } else if (handshake->stage == WHITTLE_FLOW_NAMES_EDGE) {
        if (whittle_flow_handshake_read(handshake, &handshake->hello, sizeof handshake->hello, "whittle\n"))
            whittle_flow_name_edge(handshake);
    } else {
        const ssize_t came = whittle_flow_stream_read(handshake->source.fd, handshake->substream, rest, sizeof rest);
        if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
            whittle_flow_handshake_drop(handshake);
    }
}
