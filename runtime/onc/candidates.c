/* SPDX-License-Identifier: MIT-0 */
/*
 * Where a server that is called by datagrams is: a name may have several addresses, and a socket that was connected to one reports
 * nobody there. Each is asked for procedure 0, which changes nothing (RFC 5531, section 12.1): the next one when one refuses, or has
 * not answered for a while. Whatever the reply is, who sends it is there.
 */
#include "client.h"
#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { WHITTLE_ONC_CANDIDATES = 8, WHITTLE_ONC_PROBE = 40 };
/* Between an address and the next (RFC 8305, section 5). */
#define WHITTLE_ONC_STEP (250 * WHITTLE_NET_MILLISECOND)

struct whittle_onc_candidates {
    const struct whittle_net_name *names;
    const struct whittle_net_limits *limits;
    struct pollfd sockets[WHITTLE_ONC_CANDIDATES];
    nfds_t asked, count, open;          /* asked: from the first on */
    int status;                         /* why the last that is not open is not */
    char probe[WHITTLE_ONC_PROBE];
};

/* That one address has nobody says more than that another cannot be reached. */
static void whittle_onc_candidates_fail(struct whittle_onc_candidates *candidates, int status)
{
    if (candidates->status != WHITTLE_NET_REFUSED)
        candidates->status = status;
}

static void whittle_onc_candidate_drop(struct whittle_onc_candidates *candidates, nfds_t at, int problem)
{
    if (problem == EAGAIN || problem == EINTR)
        return;
    close(candidates->sockets[at].fd);
    candidates->sockets[at].fd = -1;
    candidates->open--;
    whittle_onc_candidates_fail(candidates, problem == ECONNREFUSED ? WHITTLE_NET_REFUSED : WHITTLE_NET_UNREACHABLE);
}

/* Connecting datagrams waits for nobody. */
static int whittle_onc_candidate_open(const struct whittle_net_name *name)
{
    const struct whittle_net_limits none = {.deadline = 0};
    return whittle_net_tune(whittle_net_connect_name(name, SOCK_DGRAM, &none), WHITTLE_NET_UDP);
}

/* One more, and all before it again. */
static void whittle_onc_candidates_ask(struct whittle_onc_candidates *candidates)
{
    if (candidates->asked < candidates->count) {
        const int fd = whittle_onc_candidate_open(&candidates->names[candidates->asked]);
        candidates->sockets[candidates->asked++] = (struct pollfd){.fd = fd, .events = POLLIN};
        candidates->open += fd >= 0;
        if (fd < 0)
            whittle_onc_candidates_fail(candidates, fd);
    }
    for (nfds_t at = 0; at < candidates->asked; at++) {
        const int fd = candidates->sockets[at].fd;
        if (fd >= 0 && send(fd, candidates->probe, sizeof candidates->probe, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            whittle_onc_candidate_drop(candidates, at, errno);
    }
}

/* The socket at which the answer came; -1: at none. */
static int whittle_onc_candidates_receive(struct whittle_onc_candidates *candidates)
{
    char reply[8];
    for (nfds_t at = 0; at < candidates->asked; at++) {
        if (candidates->sockets[at].fd < 0 || candidates->sockets[at].revents == 0)
            continue;
        const ssize_t came = recv(candidates->sockets[at].fd, reply, sizeof reply, MSG_DONTWAIT);
        if (came == (ssize_t)sizeof reply && memcmp(reply, candidates->probe, 4) == 0 && whittle_get32(reply + 4) == WHITTLE_ONC_REPLY)
            return candidates->sockets[at].fd;
        if (came < 0)
            whittle_onc_candidate_drop(candidates, at, errno);
    }
    return -1;
}

/* Waits until then at most. */
static void whittle_onc_candidates_wait(struct whittle_onc_candidates *candidates, uint64_t now, uint64_t next)
{
    const uint64_t left = next > now ? next - now : 0, most = left < WHITTLE_NET_SLICE ? left : WHITTLE_NET_SLICE;
    for (nfds_t at = 0; at < candidates->asked; at++)
        candidates->sockets[at].revents = 0;
    poll(candidates->sockets, candidates->asked, (int)((most + WHITTLE_NET_MILLISECOND - 1) / WHITTLE_NET_MILLISECOND));
}

static int whittle_onc_candidates_choose(struct whittle_onc_candidates *candidates)
{
    const uint64_t until = candidates->limits->deadline;
    uint64_t step = WHITTLE_ONC_STEP, next = 0;
    for (;;) {
        const uint64_t now = whittle_net_now();
        if (whittle_net_is_cancelled(candidates->limits))
            return WHITTLE_NET_CANCELLED;
        if (until != 0 && now >= until)
            return WHITTLE_NET_TIMED_OUT;
        if (candidates->open == 0 && candidates->asked == candidates->count)
            return candidates->status;
        if (candidates->open == 0 || now >= next) {
            next = now + step;
            step = candidates->asked < candidates->count ? step : 2 * step;
            whittle_onc_candidates_ask(candidates);
        }
        whittle_onc_candidates_wait(candidates, now, until != 0 && until < next ? until : next);
        const int fd = whittle_onc_candidates_receive(candidates);
        if (fd >= 0)
            return fd;
    }
}

static void whittle_onc_probe_make(char *probe, struct whittle_onc_client *client, const struct whittle_onc_call *call)
{
    const uint32_t words[WHITTLE_ONC_PROBE / 4] = {__atomic_fetch_add(&client->xid, 1, __ATOMIC_RELAXED), WHITTLE_ONC_CALL, WHITTLE_ONC_VERSION,
                                                   call->program, call->version};
    for (size_t index = 0; index < WHITTLE_ONC_PROBE / 4; index++)
        whittle_put32(probe + 4 * index, words[index]);
}

WHITTLE_NET_COLD int whittle_onc_candidates_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint16_t port,
                                                const struct whittle_net_limits *limits)
{
    struct whittle_net_name names[WHITTLE_NET_NAMES];
    struct whittle_onc_candidates candidates = {.names = names, .limits = limits, .status = WHITTLE_NET_UNREACHABLE};
    const int count = whittle_net_resolve(client->address.host, port, SOCK_DGRAM, limits, names);
    if (count < 0)
        return count;
    if (count == 1)
        return whittle_onc_candidate_open(&names[0]);
    candidates.count = (nfds_t)(count < WHITTLE_ONC_CANDIDATES ? count : WHITTLE_ONC_CANDIDATES);
    whittle_onc_probe_make(candidates.probe, client, call);
    const int chosen = whittle_onc_candidates_choose(&candidates);
    for (nfds_t at = 0; at < candidates.asked; at++)
        if (candidates.sockets[at].fd >= 0 && candidates.sockets[at].fd != chosen)
            close(candidates.sockets[at].fd);
    return chosen;
}
