/* SPDX-License-Identifier: MIT-0 */
/*
 * How a sender comes to a connection: it connects, says hello, waits for the answer, and hands the socket to the link,
 * whose stream then begins where the receiver stands. What fails is tried again, after 10 ms at first and 1 s at last.
 * On the carrier's thread.
 */
#include "parts.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const uint64_t whittle_flow_first_pause = 10000000u, whittle_flow_last_pause = 1000000000u, whittle_flow_connect_patience = 3000000000u;

static uint64_t whittle_flow_dial_later(struct whittle_flow_link *link, uint64_t now, bool long_pause)
{
    if (link->dial_fd >= 0)
        close(link->dial_fd);
    link->dial_fd = -1;
    link->dial = WHITTLE_FLOW_IDLE;
    link->dial_pause = long_pause ? whittle_flow_last_pause
        : link->dial_pause == 0 ? whittle_flow_first_pause : 2 * link->dial_pause < whittle_flow_last_pause ? 2 * link->dial_pause : whittle_flow_last_pause;
    link->dial_at = now + link->dial_pause;
    if (!link->told_waiting && !link->met && link->told == WHITTLE_FLOW_ACCEPTED && link->dial_pause == whittle_flow_last_pause) {
        const char *const program = link->edge->program != NULL ? link->edge->program : link->edge->to;
        link->told_waiting = true;
        if (link->edge->transport == WHITTLE_FLOW_TCP)
            whittle_flow_say(link, "waits for its receiver at port %u of %s: start `%s` there",
                (unsigned)(uint16_t)(link->carrier->port + link->edge->number), whittle_flow_host(link) != NULL ? whittle_flow_host(link) : "this machine",
                program);
        else
            whittle_flow_say(link, "waits for its receiver in %s: start `%s`", link->carrier->directory, program);
    }
    return link->dial_at;
}

static uint64_t whittle_flow_dial_begin(struct whittle_flow_link *link, uint64_t now)
{
    link->dial_fd = whittle_flow_connect(link);
    if (link->dial_fd < 0 || !whittle_flow_watch(link->carrier, link->dial_fd, EPOLLOUT, &link->dialing, true))
        return whittle_flow_dial_later(link, now, false);
    link->dial = WHITTLE_FLOW_CONNECTING;
    link->dial_at = now + whittle_flow_connect_patience;
    return link->dial_at;
}

/* As much may be under way as a link of 20 Gbit/s holds for a round trip; between processes of one machine, what they take. */
static void whittle_flow_choose_window(struct whittle_flow_link *link)
{
    enum { BYTES_PER_MICROSECOND = 2500 };
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    if (link->edge->full != WHITTLE_FLOW_BLOCK || whittle_flow_is_near(link)
        || getsockopt(link->dial_fd, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return;
    /* 0: not measured. */
    const uint64_t wanted = info.tcpi_rtt == 0 ? WHITTLE_FLOW_FAR : (uint64_t)info.tcpi_rtt * BYTES_PER_MICROSECOND;
    link->window = whittle_flow_window(link, wanted < WHITTLE_FLOW_NEAR ? WHITTLE_FLOW_NEAR : wanted < WHITTLE_FLOW_FAR ? wanted : WHITTLE_FLOW_FAR);
}

static uint64_t whittle_flow_dial_hello(struct whittle_flow_link *link, uint64_t now)
{
    struct whittle_flow_hello hello;
    int problem = 0;
    socklen_t length = sizeof problem;
    whittle_flow_choose_window(link);
    whittle_flow_hello_write(link, &hello);
    if (getsockopt(link->dial_fd, SOL_SOCKET, SO_ERROR, &problem, &length) != 0 || problem != 0
        || send(link->dial_fd, &hello, sizeof hello, MSG_NOSIGNAL) != sizeof hello
        || !whittle_flow_watch(link->carrier, link->dial_fd, EPOLLIN, &link->dialing, false))
        return whittle_flow_dial_later(link, now, false);
    link->dial = WHITTLE_FLOW_GREETED;
    link->dial_filled = 0;
    return 0;   /* the receiver answers when its stage comes to it */
}

static uint64_t whittle_flow_dial_hand_over(struct whittle_flow_link *link, uint64_t now)
{
    if (pthread_mutex_trylock(&link->lock) != 0)
        return now + whittle_flow_first_pause / 10;
    const int fd = link->dial_fd;
    link->interest = EPOLLRDHUP | EPOLLET | (link->edge->full != WHITTLE_FLOW_BLOCK && link->edge->transport != WHITTLE_FLOW_SHM ? EPOLLIN : 0);
    const bool done = whittle_flow_watch(link->carrier, fd, link->interest, &link->connected, false)
        && whittle_flow_resume(link, fd);
    if (done) {
        link->dial_fd = -1;
        link->dial = WHITTLE_FLOW_IDLE;
        link->dial_pause = link->dial_at = 0;
        if (link->edge->transport != WHITTLE_FLOW_SHM && whittle_flow_push(link, false, 0) == WHITTLE_FLOW_BUSY)
            whittle_flow_arm(link, now);
    }
    pthread_mutex_unlock(&link->lock);
    if (!done)
        return whittle_flow_dial_later(link, now, true);
    whittle_flow_news(link);
    return 0;
}

static uint64_t whittle_flow_dial_answer(struct whittle_flow_link *link, uint64_t now)
{
    const ssize_t came = recv(link->dial_fd, (char *)&link->answer + link->dial_filled, sizeof link->answer - link->dial_filled, MSG_DONTWAIT);
    if (came < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (came <= 0)
        return whittle_flow_dial_later(link, now, false);
    link->dial_filled += (uint32_t)came;
    if (link->dial_filled < sizeof link->answer)
        return 0;
    if (whittle_flow_answer_refused(link, &link->answer)) {
        const uint64_t later = whittle_flow_dial_later(link, now, true);
        whittle_flow_news(link);
        return later;
    }
    /* From here on the stage's thread may block on it. */
    fcntl(link->dial_fd, F_SETFL, 0);
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
    case WHITTLE_FLOW_CONNECTING:
        if (event)
            return whittle_flow_dial_hello(link, now);
        return now >= link->dial_at ? whittle_flow_dial_later(link, now, false) : link->dial_at;
    case WHITTLE_FLOW_GREETED:
        return event ? whittle_flow_dial_answer(link, now) : 0;
    case WHITTLE_FLOW_AGREED:
        return whittle_flow_dial_hand_over(link, now);
    }
    return 0;
}
