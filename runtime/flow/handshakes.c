/* SPDX-License-Identifier: MIT-0 */
/*
 * The table of connections that are no edge's yet. Its size follows from the number of edges that may come at once. Where
 * it is full, the oldest that has proved nothing goes, first one of the address that has the most; a place is given back
 * after some seconds. So those who connect and say nothing cannot keep out who has the key. When the process has no
 * descriptors left, listening rests for a moment. On the event loop's thread.
 */
#include "handshakes.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHITTLE_FLOW_GREETINGS_LEAST = 64, WHITTLE_FLOW_ACCEPTS = 64 };
static const uint64_t whittle_flow_handshake_patience = 5000000000u, whittle_flow_accept_pause = 100000000u;

bool whittle_flow_handshakes_open(struct whittle_flow_event_loop *loop)
{
    loop->greeting_count = WHITTLE_FLOW_GREETINGS_LEAST + 2 * loop->process->receiver_count;
    loop->handshakes = calloc(loop->greeting_count, sizeof *loop->handshakes);
    for (size_t n = 0; loop->handshakes != NULL && n < loop->greeting_count; n++)
        loop->handshakes[n].source.fd = -1;
    return loop->handshakes != NULL;
}

void whittle_flow_handshakes_close(struct whittle_flow_event_loop *loop)
{
    for (size_t n = 0; loop->handshakes != NULL && n < loop->greeting_count; n++)
        whittle_flow_handshake_drop(&loop->handshakes[n]);
    free(loop->handshakes);
    loop->handshakes = NULL;
}

void whittle_flow_handshake_drop(struct whittle_flow_handshake *handshake)
{
    if (handshake->source.fd < 0)
        return;
    whittle_flow_source_close(&handshake->link->loop->poller, &handshake->source, &handshake->substream);
    whittle_flow_end_session(handshake->link, &handshake->session);
}

/* Closes a connection that has not been authenticated. */
void whittle_flow_handshake_refuse(struct whittle_flow_handshake *handshake, const char *why)
{
    whittle_flow_reject(handshake->link->loop, handshake->link, why);
    whittle_flow_handshake_drop(handshake);
}

void whittle_flow_handshake_proven(struct whittle_flow_handshake *handshake)
{
    handshake->proven = true;
    handshake->stage = WHITTLE_FLOW_NAMES_EDGE;
    handshake->filled = 0;
    handshake->until = whittle_net_now() + whittle_flow_handshake_patience;
}

/* Addresses in 256 groups. */
static uint8_t whittle_flow_share_of(const uint8_t from[16])
{
    unsigned mixed = 0;
    for (int n = 0; n < 16; n++)
        mixed = mixed * 31 + from[n];
    return (uint8_t)(mixed ^ mixed >> 8 ^ mixed >> 16);
}

/* The one to go where one must: who has proved nothing before who has, of the address that has most such, the oldest. */
static struct whittle_flow_handshake *whittle_flow_handshake_oldest(struct whittle_flow_event_loop *loop)
{
    struct whittle_flow_handshake *worst = NULL;
    size_t worst_same = 0, shares[256] = {0};
    for (size_t n = 0; n < loop->greeting_count; n++)
        if (loop->handshakes[n].source.fd >= 0 && !loop->handshakes[n].proven)
            shares[whittle_flow_share_of(loop->handshakes[n].from)]++;
    for (size_t n = 0; n < loop->greeting_count; n++) {
        struct whittle_flow_handshake *const one = &loop->handshakes[n];
        if (one->source.fd < 0)
            continue;
        const size_t same = one->proven ? 0 : shares[whittle_flow_share_of(one->from)];
        if (worst == NULL || same > worst_same || (same == worst_same && one->until < worst->until)) {
            worst = one;
            worst_same = same;
        }
    }
    return worst;
}

static struct whittle_flow_handshake *whittle_flow_handshake_place(struct whittle_flow_event_loop *loop)
{
    for (size_t n = 0; n < loop->greeting_count; n++)
        if (loop->handshakes[n].source.fd < 0)
            return &loop->handshakes[n];
    struct whittle_flow_handshake *const worst = whittle_flow_handshake_oldest(loop);
    whittle_flow_handshake_refuse(worst, "it said nothing, and others came");
    return worst;
}

/* An address without its port. */
static void whittle_flow_handshake_from(const struct whittle_net_name *name, uint8_t from[16])
{
    memset(from, 0, 16);
    if (name->storage.ss_family == AF_INET)
        memcpy(from, &((const struct sockaddr_in *)(const void *)&name->storage)->sin_addr, 4);
    else if (name->storage.ss_family == AF_INET6)
        memcpy(from, &((const struct sockaddr_in6 *)(const void *)&name->storage)->sin6_addr, 16);
}

/* No descriptor is left: the oldest that has proved nothing gives its own, or listening rests. */
static bool whittle_flow_accept_rest(struct whittle_flow_link *link)
{
    struct whittle_flow_handshake *const worst = whittle_flow_handshake_oldest(link->loop);
    if (worst != NULL && !worst->proven) {
        whittle_flow_handshake_refuse(worst, "it said nothing, and no descriptors were left");
        return true;
    }
    link->accept_at = whittle_net_now() + whittle_flow_accept_pause;
    whittle_net_rewatch(&link->loop->poller, &link->listening, 0);
    return false;
}

static void whittle_flow_handshake_ready(struct whittle_net_source *source, uint32_t events)
{
    (void)events;
    whittle_flow_handshake_step((struct whittle_flow_handshake *)(void *)source);
}

static bool whittle_flow_accept_one(struct whittle_flow_link *link)
{
    struct whittle_flow_event_loop *const loop = link->loop;
    struct whittle_net_name peer;
    const int fd = whittle_net_accept(link->listening.fd, NULL, &peer);
    if (fd < 0)
        return (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) && whittle_flow_accept_rest(link);
    if (!whittle_flow_transport_of(link->edge)->by_port && !whittle_flow_is_own_user(fd)) {
        whittle_flow_reject(loop, link, "it is another user's process");
        close(fd);
        return true;
    }
    struct whittle_flow_handshake *const place = whittle_flow_handshake_place(loop);
    whittle_flow_tune(link, fd);
    *place = (struct whittle_flow_handshake){.source = {.ready = whittle_flow_handshake_ready, .fd = fd}, .link = link,
        .until = whittle_net_now() + whittle_flow_handshake_patience,
        .stage = whittle_flow_is_keyed(link) ? WHITTLE_FLOW_OPENS : WHITTLE_FLOW_NAMES_EDGE,
        .proven = !whittle_flow_transport_of(link->edge)->by_port};
    whittle_flow_handshake_from(&peer, place->from);
    if (!whittle_net_watch(&loop->poller, &place->source, EPOLLIN))
        whittle_flow_handshake_drop(place);
    else
        whittle_flow_handshake_step(place);      /* what an honest peer says first is there already */
    return true;
}

/* An edge begins over a mux: its hello follows, from who has been authenticated. */
void whittle_flow_accept_substream(struct whittle_flow_mux *mux, struct whittle_flow_substream *substream)
{
    struct whittle_flow_handshake *const place = whittle_flow_handshake_place(mux->loop);
    *place = (struct whittle_flow_handshake){.source = {.ready = whittle_flow_handshake_ready, .fd = substream->fd}, .link = mux->base, .substream = substream,
        .until = whittle_net_now() + whittle_flow_handshake_patience, .stage = WHITTLE_FLOW_NAMES_EDGE, .proven = true};
    if (!whittle_net_watch(&mux->loop->poller, &place->source, EPOLLIN))
        whittle_flow_handshake_drop(place);
}

/* Some at a time: other edges have their turn between. */
void whittle_flow_accept(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_link *const link = WHITTLE_FLOW_LINK_OF(source, listening);
    (void)events;
    for (int n = 0; n < WHITTLE_FLOW_ACCEPTS && whittle_flow_accept_one(link); n++)
        ;
}

/* Closes who has said nothing for too long, and listens again where that rested; when to look again. */
uint64_t whittle_flow_handshakes_due(struct whittle_flow_event_loop *loop, uint64_t now)
{
    uint64_t due = 0;
    for (size_t n = 0; n < loop->greeting_count; n++) {
        struct whittle_flow_handshake *const handshake = &loop->handshakes[n];
        if (handshake->source.fd < 0)
            continue;
        if (now < handshake->until)
            due = whittle_net_sooner(due, handshake->until);
        else if (handshake->stage == WHITTLE_FLOW_IS_ANSWERED)
            whittle_flow_handshake_drop(handshake);
        else
            whittle_flow_handshake_refuse(handshake, "it did not say in time which edge it is");
    }
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (link->accept_at == 0)
            continue;
        if (now < link->accept_at) {
            due = whittle_net_sooner(due, link->accept_at);
            continue;
        }
        link->accept_at = 0;
        whittle_net_rewatch(&loop->poller, &link->listening, EPOLLIN);
    }
    return due;
}
