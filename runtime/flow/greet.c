/* SPDX-License-Identifier: MIT-0 */
/*
 * How a receiver comes to a connection. Whoever connects over TCP has to prove that it has the key, and learns nothing
 * before it has; then it says which edge it is, and only then does anything of the edge change: the connection replaces
 * the one before it, and goes to the stage's thread, which answers once it has taken all that came before. On the
 * carrier's thread. docs/flow-handshake.md has the states; greetings.c keeps the connections meanwhile.
 */
#include "greetings.h"
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
        whittle_flow_say(link, "a connection was refused: %s", why);
}

static bool whittle_flow_seal_answer(const struct whittle_flow_greeting *greeting, struct whittle_flow_answer *answer)
{
    return whittle_flow_seal(greeting->link, greeting->session, WHITTLE_FLOW_ANSWER, answer, offsetof(struct whittle_flow_answer, tag), NULL, 0,
        answer->tag);
}

/* The stage wants no more, or has all: nobody but us may ever answer again. True: said all that is to be said. */
static bool whittle_flow_answer_late(struct whittle_flow_link *link, struct whittle_flow_greeting *greeting)
{
    struct { struct whittle_flow_answer answer; struct whittle_flow_acknowledgement said; } reply;
    if (link->edge->subscription && link->refused) {
        whittle_flow_greeting_drop(greeting);   /* its sender has heard that it leaves, and looks for who comes next */
        return true;
    }
    pthread_mutex_lock(&link->lock);
    const bool over = link->heard_end || link->refused, known = le64toh(greeting->hello.stream) == link->page->stream;
    whittle_flow_answer_write(link, WHITTLE_FLOW_ACCEPTED, &reply.answer);
    reply.answer.known = htole64(1);
    reply.answer.count = htole64(whittle_flow_ledger_taken(link->page));
    reply.said = (struct whittle_flow_acknowledgement){.count = reply.answer.count, .bytes = htole64(whittle_flow_position(link)),
        .flags = htole64(link->heard_end ? WHITTLE_FLOW_HEARD_END : WHITTLE_FLOW_REFUSE)};
    pthread_mutex_unlock(&link->lock);
    if (!over || !known)
        return over;
    size_t bytes = sizeof reply;
    if (!whittle_flow_seal_answer(greeting, &reply.answer)
        || !whittle_flow_seal(link, greeting->session, WHITTLE_FLOW_ACKNOWLEDGEMENT, &reply.said, offsetof(struct whittle_flow_acknowledgement, tag),
            NULL, 0, reply.said.tag))
        return over;
    if (whittle_flow_carriage(link->edge)->shared) {
        bytes = sizeof reply.answer + (size_t)link->refused;
        memset(&reply.said, 'r', 1);
    }
    whittle_flow_trace(link, "answers late count=%llu", (unsigned long long)le64toh(reply.answer.count));
    if (whittle_flow_stream_say(greeting->source.fd, greeting->substream, &reply, bytes) < 0)
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
static void whittle_flow_answer_held(struct whittle_flow_greeting *greeting, const char *holder)
{
    struct whittle_flow_link *const link = greeting->link;
    struct whittle_flow_answer answer;
    char who[64];
    whittle_flow_clean(greeting->hello.who, sizeof greeting->hello.who, who);
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    pthread_mutex_unlock(&link->lock);
    if (strcmp(who, link->contender) != 0)
        whittle_flow_say(link, "a second sender was refused: %s; %s has the edge", who, holder);
    memcpy(link->contender, who, sizeof who);
    whittle_flow_answer_write(link, WHITTLE_FLOW_HELD, &answer);
    memcpy(answer.type, holder, sizeof answer.type);
    if (whittle_flow_seal_answer(greeting, &answer) && whittle_flow_stream_say(greeting->source.fd, greeting->substream, &answer, sizeof answer) >= 0)
        whittle_flow_stream_shut(greeting->source.fd, greeting->substream, SHUT_WR);
    whittle_flow_greeting_drop(greeting);
}

static void whittle_flow_hand_to_stage(struct whittle_flow_link *link, struct whittle_flow_greeting *greeting)
{
    whittle_net_unwatch(&link->carrier->poller, &greeting->source);
    pthread_mutex_lock(&link->lock);
    whittle_flow_stream_close(&link->pending, &link->pending_substream);
    whittle_flow_end_session(link, &link->pending_session);
    link->pending = greeting->source.fd;
    link->pending_session = greeting->session;
    link->pending_substream = greeting->substream;
    link->pending_hello = greeting->hello;
    link->lease = le64toh(greeting->hello.stream);
    whittle_flow_clean(greeting->hello.who, sizeof greeting->hello.who, link->holder);
    whittle_flow_trace(link, "is greeted");
    if (link->fd >= 0)
        whittle_flow_stream_shut(link->fd, link->substream, SHUT_RD);    /* what has come can still be read; then the end is seen */
    pthread_mutex_unlock(&link->lock);
    greeting->source.fd = -1;
    greeting->session = NULL;
    greeting->substream = NULL;
    whittle_flow_news(link);
}

/* The peer's challenge has come: answered where it proves that the key is known; else nothing is said. */
static void whittle_flow_open_session(struct whittle_flow_greeting *greeting)
{
    struct whittle_flow_carrier *const carrier = greeting->link->carrier;
    const struct whittle_flow_security *const security = carrier->process->security;
    if (le32toh(greeting->opening.protocol) != WHITTLE_FLOW_PROTOCOL) {
        whittle_flow_greeting_refuse(greeting, "it speaks another version of the protocol: build both with one whittle");
        return;
    }
    if (!security->proves(carrier, WHITTLE_FLOW_CONNECTOR, NULL, &greeting->opening)) {
        whittle_flow_greeting_refuse(greeting, "it did not prove that it has the flow's key");
        return;
    }
    if (security->challenge(carrier, WHITTLE_FLOW_ACCEPTOR, &greeting->opening, &greeting->challenge))
        greeting->session = security->begin(carrier, WHITTLE_FLOW_ACCEPTOR, &greeting->opening, &greeting->challenge);
    if (greeting->session == NULL
        || send(greeting->source.fd, &greeting->challenge, sizeof greeting->challenge, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof greeting->challenge) {
        whittle_flow_greeting_refuse(greeting, "it took no challenge");
        return;
    }
    whittle_flow_greeting_proven(greeting);
}

/* Who receives the edge that the peer names, where it comes to this socket; else who listens here, which refuses it. */
static struct whittle_flow_link *whittle_flow_named(const struct whittle_flow_greeting *greeting)
{
    struct whittle_flow_link *const named = whittle_flow_entering(greeting->link->carrier, le32toh(greeting->hello.edge));
    return named != NULL && named->listener == greeting->link ? named : greeting->link;
}

/* The peer's edges join one connection from now on. */
static void whittle_flow_greet_mux(struct whittle_flow_greeting *greeting)
{
    struct whittle_flow_answer answer;
    struct whittle_flow_mux *const mux = whittle_flow_mux_make(greeting->link, false);
    whittle_flow_answer_write(greeting->link, WHITTLE_FLOW_ACCEPTED, &answer);
    if (mux == NULL || !whittle_flow_seal_answer(greeting, &answer)
        || send(greeting->source.fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof answer) {
        whittle_flow_greeting_drop(greeting);   /* a mux that has not begun is swept away */
        return;
    }
    whittle_net_unwatch(&mux->carrier->poller, &greeting->source);
    whittle_flow_mux_begin(mux, greeting->source.fd, greeting->session);
    greeting->source.fd = -1;
    greeting->session = NULL;
}

/* The edge that the peer names. Its tag says that the peer has seen our random number: nothing before this was more than a replay can do. */
static void whittle_flow_name_edge(struct whittle_flow_greeting *greeting)
{
    struct whittle_flow_hello *const hello = &greeting->hello;
    struct whittle_flow_answer answer;
    char why[640], holder[64];
    if (!whittle_flow_verify(greeting->link, greeting->session, WHITTLE_FLOW_HELLO, hello, offsetof(struct whittle_flow_hello, tag), NULL, 0, hello->tag)) {
        whittle_flow_greeting_refuse(greeting, "its proof was of another connection");
        return;
    }
    const bool joins = le32toh(hello->edge) == WHITTLE_FLOW_ALL_EDGES && greeting->substream == NULL;
    struct whittle_flow_link *const link = greeting->link = joins ? greeting->link : whittle_flow_named(greeting);
    greeting->stage = WHITTLE_FLOW_IS_ANSWERED;
    const enum whittle_flow_verdict verdict = joins ? whittle_flow_hello_judge_mux(link, hello, why, sizeof why) : whittle_flow_hello_judge(link, hello, why, sizeof why);
    if (verdict != WHITTLE_FLOW_ACCEPTED) {
        whittle_flow_misfit(link, why);
        whittle_flow_answer_write(link, verdict, &answer);
        if (whittle_flow_seal_answer(greeting, &answer) && whittle_flow_stream_say(greeting->source.fd, greeting->substream, &answer, sizeof answer) >= 0)
            whittle_flow_stream_shut(greeting->source.fd, greeting->substream, SHUT_WR);
        whittle_flow_greeting_drop(greeting);
    } else if (joins)
        whittle_flow_greet_mux(greeting);
    else if (greeting->substream != NULL && (greeting->substream->number != link->edge->number || whittle_flow_carriage(link->edge)->shared)) {
        whittle_flow_misfit(link, "it is another edge than its part of the connection says");
        whittle_flow_greeting_drop(greeting);
    } else if (whittle_flow_is_held(link, le64toh(hello->stream), holder))
        whittle_flow_answer_held(greeting, holder);
    else if (!whittle_flow_answer_late(link, greeting))
        whittle_flow_hand_to_stage(link, greeting);
}

/* Whether what has come so far may become a message of this kind. */
static bool whittle_flow_may_be(const void *bytes, size_t filled, const char *magic)
{
    return memcmp(bytes, magic, filled < 8 ? filled : 8) == 0;
}

/* Reads what has come of the message that is due; nothing that follows it. False: it is not whole, or the connection is closed. */
static bool whittle_flow_greeting_read(struct whittle_flow_greeting *greeting, void *message, size_t size, const char *magic)
{
    const ssize_t came = whittle_flow_stream_read(greeting->source.fd, greeting->substream, (char *)message + greeting->filled, size - greeting->filled);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (came <= 0) {
        whittle_flow_greeting_refuse(greeting, "it closed before it had said which edge it is");
        return false;
    }
    greeting->filled += (uint32_t)came;
    if (!whittle_flow_may_be(message, greeting->filled, magic)) {
        whittle_flow_greeting_refuse(greeting, "it does not speak as a flow's sender does");
        return false;
    }
    return greeting->filled == size;
}

void whittle_flow_greeting_step(struct whittle_flow_greeting *greeting)
{
    char rest[4096];
    if (greeting->source.fd < 0)
        return;
    if (greeting->stage == WHITTLE_FLOW_OPENS) {
        if (!whittle_flow_greeting_read(greeting, &greeting->opening, sizeof greeting->opening, WHITTLE_FLOW_CHALLENGE_MAGIC))
            return;
        whittle_flow_open_session(greeting);
    } else if (greeting->stage == WHITTLE_FLOW_NAMES_EDGE) {
        if (whittle_flow_greeting_read(greeting, &greeting->hello, sizeof greeting->hello, "whittle\n"))
            whittle_flow_name_edge(greeting);
    } else {
        const ssize_t came = whittle_flow_stream_read(greeting->source.fd, greeting->substream, rest, sizeof rest);
        if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
            whittle_flow_greeting_drop(greeting);
    }
}
