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

enum { WHITTLE_ONC_PLACES = 8, WHITTLE_ONC_PROBE = 40 };
/* Between an address and the next (RFC 8305, section 5). */
#define WHITTLE_ONC_STEP (250 * WHITTLE_NET_MILLISECOND)

struct whittle_onc_places {
    const struct whittle_net_name *names;
    const struct whittle_net_limits *limits;
    struct pollfd sockets[WHITTLE_ONC_PLACES];
    nfds_t asked, count, open;          /* asked: from the first on */
    int status;                         /* why the last that is not open is not */
    char probe[WHITTLE_ONC_PROBE];
};

/* That one address has nobody says more than that another cannot be reached. */
static void whittle_onc_places_say(struct whittle_onc_places *places, int status)
{
    if (places->status != WHITTLE_NET_REFUSED)
        places->status = status;
}

static void whittle_onc_place_drop(struct whittle_onc_places *places, nfds_t at, int problem)
{
    if (problem == EAGAIN || problem == EINTR)
        return;
    close(places->sockets[at].fd);
    places->sockets[at].fd = -1;
    places->open--;
    whittle_onc_places_say(places, problem == ECONNREFUSED ? WHITTLE_NET_REFUSED : WHITTLE_NET_UNREACHABLE);
}

/* Connecting datagrams waits for nobody. */
static int whittle_onc_place_open(const struct whittle_net_name *name)
{
    const struct whittle_net_limits none = {.deadline = 0};
    return whittle_net_tune(whittle_net_connect_name(name, SOCK_DGRAM, &none), WHITTLE_NET_UDP);
}

/* One more, and all before it again. */
static void whittle_onc_places_ask(struct whittle_onc_places *places)
{
    if (places->asked < places->count) {
        const int fd = whittle_onc_place_open(&places->names[places->asked]);
        places->sockets[places->asked++] = (struct pollfd){.fd = fd, .events = POLLIN};
        places->open += fd >= 0;
        if (fd < 0)
            whittle_onc_places_say(places, fd);
    }
    for (nfds_t at = 0; at < places->asked; at++) {
        const int fd = places->sockets[at].fd;
        if (fd >= 0 && send(fd, places->probe, sizeof places->probe, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            whittle_onc_place_drop(places, at, errno);
    }
}

/* The socket at which the answer came; -1: at none. */
static int whittle_onc_places_hear(struct whittle_onc_places *places)
{
    char reply[8];
    for (nfds_t at = 0; at < places->asked; at++) {
        if (places->sockets[at].fd < 0 || places->sockets[at].revents == 0)
            continue;
        const ssize_t came = recv(places->sockets[at].fd, reply, sizeof reply, MSG_DONTWAIT);
        if (came == (ssize_t)sizeof reply && memcmp(reply, places->probe, 4) == 0 && whittle_get32(reply + 4) == WHITTLE_ONC_REPLY)
            return places->sockets[at].fd;
        if (came < 0)
            whittle_onc_place_drop(places, at, errno);
    }
    return -1;
}

/* Waits until then at most. */
static void whittle_onc_places_wait(struct whittle_onc_places *places, uint64_t now, uint64_t next)
{
    const uint64_t left = next > now ? next - now : 0, most = left < WHITTLE_NET_SLICE ? left : WHITTLE_NET_SLICE;
    for (nfds_t at = 0; at < places->asked; at++)
        places->sockets[at].revents = 0;
    poll(places->sockets, places->asked, (int)((most + WHITTLE_NET_MILLISECOND - 1) / WHITTLE_NET_MILLISECOND));
}

static int whittle_onc_places_choose(struct whittle_onc_places *places)
{
    const uint64_t until = places->limits->deadline;
    uint64_t step = WHITTLE_ONC_STEP, next = 0;
    for (;;) {
        const uint64_t now = whittle_net_now();
        if (whittle_net_is_cancelled(places->limits))
            return WHITTLE_NET_CANCELLED;
        if (until != 0 && now >= until)
            return WHITTLE_NET_TIMED_OUT;
        if (places->open == 0 && places->asked == places->count)
            return places->status;
        if (places->open == 0 || now >= next) {
            next = now + step;
            step = places->asked < places->count ? step : 2 * step;
            whittle_onc_places_ask(places);
        }
        whittle_onc_places_wait(places, now, until != 0 && until < next ? until : next);
        const int fd = whittle_onc_places_hear(places);
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

WHITTLE_NET_COLD int whittle_onc_places_connect(struct whittle_onc_client *client, const struct whittle_onc_call *call, uint16_t port,
                                                const struct whittle_net_limits *limits)
{
    struct whittle_net_name names[WHITTLE_NET_NAMES];
    struct whittle_onc_places places = {.names = names, .limits = limits, .status = WHITTLE_NET_UNREACHABLE};
    const int count = whittle_net_resolve(client->address.host, port, SOCK_DGRAM, limits, names);
    if (count < 0)
        return count;
    if (count == 1)
        return whittle_onc_place_open(&names[0]);
    places.count = (nfds_t)(count < WHITTLE_ONC_PLACES ? count : WHITTLE_ONC_PLACES);
    whittle_onc_probe_make(places.probe, client, call);
    const int chosen = whittle_onc_places_choose(&places);
    for (nfds_t at = 0; at < places.asked; at++)
        if (places.sockets[at].fd >= 0 && places.sockets[at].fd != chosen)
            close(places.sockets[at].fd);
    return chosen;
}
