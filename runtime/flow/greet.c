/* SPDX-License-Identifier: MIT-0 */
/*
 * How a receiver comes to a connection: whoever connects has some seconds to say a hello that fits, and only so many may
 * be about to; the newest that fits replaces what was before it, and goes to the stage's thread, which answers once it
 * has taken all that came before. On the carrier's thread.
 */
#include "parts.h"
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const uint64_t whittle_flow_greeting_patience = 5000000000u;

static void whittle_flow_greeting_drop(struct whittle_flow_greeting *greeting)
{
    if (greeting->fd >= 0)
        close(greeting->fd);
    greeting->fd = -1;
}

/* Counted always, said as long as it is news. */
static void whittle_flow_stranger(struct whittle_flow_link *link, const char *why)
{
    pthread_mutex_lock(&link->lock);
    whittle_flow_count(link, WHITTLE_FLOW_STRANGERS, 1);
    const uint64_t count = whittle_flow_counter(link->page, WHITTLE_FLOW_STRANGERS);
    pthread_mutex_unlock(&link->lock);
    if (count <= 8 || (count & (count - 1)) == 0)
        whittle_flow_say(link, "a connection was refused: %s", why);
}

void whittle_flow_greet(struct whittle_flow_link *link)
{
    struct whittle_flow_carrier *const carrier = link->carrier;
    for (;;) {
        const int fd = accept4(link->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        struct whittle_flow_greeting *place = &carrier->greetings[0];
        for (int n = 0; n < WHITTLE_FLOW_GREETINGS; n++) {
            if (carrier->greetings[n].fd < 0) {
                place = &carrier->greetings[n];
                break;
            }
            if (carrier->greetings[n].until < place->until)
                place = &carrier->greetings[n];
        }
        if (place->fd >= 0)
            whittle_flow_stranger(place->watch.link, "too many connections say nothing");
        whittle_flow_greeting_drop(place);
        whittle_flow_tune(link, fd);
        *place = (struct whittle_flow_greeting){
            .watch = {WHITTLE_FLOW_GREETING, link}, .fd = fd, .until = whittle_flow_clock() + whittle_flow_greeting_patience};
        if (!whittle_flow_watch(carrier, fd, EPOLLIN, &place->watch, true))
            whittle_flow_greeting_drop(place);
    }
}

/* The stage wants no more, or has all: nobody but us may ever answer again. True: said all that is to be said. */
static bool whittle_flow_answer_late(struct whittle_flow_link *link, int fd, const struct whittle_flow_hello *hello)
{
    struct { struct whittle_flow_answer answer; struct whittle_flow_acknowledgement said; } reply;
    pthread_mutex_lock(&link->lock);
    const bool over = link->heard_end || link->refused, known = le64toh(hello->stream) == link->page->stream;
    whittle_flow_answer_write(link, WHITTLE_FLOW_ACCEPTED, &reply.answer);
    reply.answer.known = htole64(1);
    reply.answer.count = htole64(whittle_flow_ledger_taken(link->page));
    reply.said = (struct whittle_flow_acknowledgement){
        reply.answer.count, htole64(whittle_flow_position(link)), htole64(link->heard_end ? WHITTLE_FLOW_HEARD_END : WHITTLE_FLOW_REFUSE)};
    pthread_mutex_unlock(&link->lock);
    size_t bytes = sizeof reply;
    if (link->edge->transport == WHITTLE_FLOW_SHM) {
        bytes = sizeof reply.answer + (size_t)link->refused;
        memset(&reply.said, 'r', 1);
    }
    if (over && known && send(fd, &reply, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        return over;
    return over;
}

static void whittle_flow_hand_to_stage(struct whittle_flow_link *link, struct whittle_flow_greeting *greeting)
{
    fcntl(greeting->fd, F_SETFL, 0);
    epoll_ctl(link->carrier->epoll, EPOLL_CTL_DEL, greeting->fd, NULL);
    pthread_mutex_lock(&link->lock);
    if (link->pending >= 0)
        close(link->pending);
    link->pending = greeting->fd;
    link->pending_hello = greeting->hello;
    if (link->fd >= 0)
        shutdown(link->fd, SHUT_RD);    /* what has come can still be read; then the end is seen */
    pthread_mutex_unlock(&link->lock);
    greeting->fd = -1;
    whittle_flow_news(link);
}

void whittle_flow_greeting_step(struct whittle_flow_greeting *greeting)
{
    struct whittle_flow_link *const link = greeting->watch.link;
    struct whittle_flow_answer answer;
    char why[320], more[4096];
    if (greeting->fd < 0)
        return;
    const bool greeted = greeting->filled == sizeof greeting->hello;    /* and answered: the rest is of no interest */
    char *const at = greeted ? more : (char *)&greeting->hello + greeting->filled;
    const ssize_t came = recv(greeting->fd, at, greeted ? sizeof more : sizeof greeting->hello - greeting->filled, MSG_DONTWAIT);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (came > 0 && greeted)
        return;
    if (came <= 0) {
        if (!greeted)
            whittle_flow_stranger(link, "it closed before it had said which edge it is");
        whittle_flow_greeting_drop(greeting);
        return;
    }
    greeting->filled += (uint32_t)came;
    const size_t magic = greeting->filled < 8 ? greeting->filled : 8;
    if (memcmp(greeting->hello.magic, "whittle\n", magic) != 0) {
        whittle_flow_stranger(link, "it does not speak as a flow's sender does");
        whittle_flow_greeting_drop(greeting);
        return;
    }
    if (greeting->filled < sizeof greeting->hello)
        return;
    const enum whittle_flow_verdict verdict = whittle_flow_hello_judge(link, &greeting->hello, why, sizeof why);
    if (verdict != WHITTLE_FLOW_ACCEPTED) {
        whittle_flow_stranger(link, why);
        whittle_flow_answer_write(link, verdict, &answer);
        if (send(greeting->fd, &answer, sizeof answer, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
            shutdown(greeting->fd, SHUT_WR);
        whittle_flow_greeting_drop(greeting);
    } else if (!whittle_flow_answer_late(link, greeting->fd, &greeting->hello))
        whittle_flow_hand_to_stage(link, greeting);
}

/* Lets go of who has said nothing for too long; when to look again. */
uint64_t whittle_flow_greetings_due(struct whittle_flow_carrier *carrier, uint64_t now)
{
    uint64_t due = 0;
    for (int n = 0; n < WHITTLE_FLOW_GREETINGS; n++) {
        struct whittle_flow_greeting *const greeting = &carrier->greetings[n];
        if (greeting->fd < 0)
            continue;
        if (now >= greeting->until) {
            if (greeting->filled < sizeof greeting->hello)
                whittle_flow_stranger(greeting->watch.link, "it did not say in time which edge it is");
            whittle_flow_greeting_drop(greeting);
        } else if (due == 0 || greeting->until < due)
            due = greeting->until;
    }
    return due;
}
