/* SPDX-License-Identifier: MIT-0 */
/*
 * Waiting for a peer that may be at work: a link that waits stays awake for a short while first, as long as that has paid lately
 * (net/spin.h). In goes what is waited for. The processor is not yielded meanwhile: on a busy machine who yields waits until everybody
 * else has had a turn, and who sleeps is woken before them.
 */
#include "mux.h"
#include "internal.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Looks again and again; false: it has not come within the time to be awake, or none is to be spent. */
bool whittle_flow_spin(struct whittle_flow_link *link, bool (*look)(struct whittle_flow_link *link, void *what), void *what)
{
    struct whittle_net_spin *const spin = &link->spin;
    if (link->loop->awake == 0 || !whittle_net_spin_pays(spin))
        return false;
    uint64_t now = whittle_net_now();
    const uint64_t until = now + link->loop->awake;
    bool came = look(link, what);
    while (!came && now < until) {
        came = look(link, what);
        now = whittle_net_now();
    }
    /* Where somebody else had the processor meanwhile, it came, but this thread had rather slept: it had been woken sooner. */
    whittle_net_spun(spin, came && now < until);
    return came;
}

/*
 * Sleeps until there is something to read from the connection (or it has room to write to, where that is wanted), until
 * something else changes for the stage's thread, or until a time; 0: for ever. Without the link's lock: should the
 * connection be closed meanwhile, that is news. The mux that it has led: who has read it follows again.
 */
struct whittle_flow_lead whittle_flow_await(struct whittle_flow_link *link, int fd, bool writes, uint64_t until)
{
    const struct whittle_flow_lead lead = whittle_flow_mux_lead(link);
    struct pollfd all[3] = {{.fd = link->wakeup, .events = POLLIN}, {.fd = fd, .events = (short)(POLLIN | (writes ? POLLOUT : 0))}, {.fd = lead.fd, .events = POLLIN}};
    const uint64_t now = whittle_net_now(), left = until > now ? (until - now + 999999) / 1000000 : 0;
    uint64_t count;
    const int timeout = until == 0 ? -1 : left > INT32_MAX ? INT32_MAX : (int)left;
    const int ready = poll(all, 3, timeout);
    if (ready > 0 && all[0].revents != 0 && read(link->wakeup, &count, sizeof count) < 0)
        return lead;    /* somebody else of this process has read it */
    return lead;
}

struct whittle_flow_reading { void *to; size_t room; ssize_t came; };

static bool whittle_flow_look_at_line(struct whittle_flow_link *link, void *what)
{
    struct whittle_flow_reading *const reading = what;
    reading->came = whittle_flow_stream_read(link->fd, link->substream, reading->to, reading->room);
    return reading->came >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

/* As recv of the link's connection: once without waiting, or until something comes. */
ssize_t whittle_flow_read_line(struct whittle_flow_link *link, void *to, size_t room, bool wait)
{
    struct whittle_flow_reading reading = {to, room, -1};
    if (!wait)
        return whittle_flow_stream_read(link->fd, link->substream, to, room);
    if (link->substream == NULL)
        return whittle_flow_spin(link, whittle_flow_look_at_line, &reading) ? reading.came : recv(link->fd, to, room, 0);
    const struct whittle_flow_lead lead = whittle_flow_mux_lead(link);
    if (!whittle_flow_spin(link, whittle_flow_look_at_line, &reading)) {
        struct pollfd line[2] = {{.fd = link->fd, .events = POLLIN}, {.fd = lead.fd, .events = POLLIN}};
        poll(line, 2, -1);
        whittle_flow_look_at_line(link, &reading);
    }
    const int problem = errno;
    whittle_flow_mux_follow(lead);
    errno = problem;
    return reading.came;
}
