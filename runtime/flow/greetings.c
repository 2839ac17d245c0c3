/* SPDX-License-Identifier: MIT-0 */
/*
 * The table of connections that are no edge's yet. Its size follows from the number of edges that may come at once. Where
 * it is full, the oldest that has proved nothing goes, first one of the address that has the most; a place is given back
 * after some seconds. So those who connect and say nothing cannot keep out who has the key. When the process has no
 * descriptors left, listening rests for a moment. On the carrier's thread.
 */
#include "greetings.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WHITTLE_FLOW_GREETINGS_LEAST = 64, WHITTLE_FLOW_ACCEPTS = 64 };
static const uint64_t whittle_flow_greeting_patience = 5000000000u, whittle_flow_accept_pause = 100000000u;

bool whittle_flow_greetings_open(struct whittle_flow_carrier *carrier)
{
    carrier->greeting_count = WHITTLE_FLOW_GREETINGS_LEAST + 2 * carrier->process->receiver_count;
    carrier->greetings = calloc(carrier->greeting_count, sizeof *carrier->greetings);
    for (size_t n = 0; carrier->greetings != NULL && n < carrier->greeting_count; n++)
        carrier->greetings[n].source.fd = -1;
    return carrier->greetings != NULL;
}

void whittle_flow_greetings_close(struct whittle_flow_carrier *carrier)
{
    for (size_t n = 0; carrier->greetings != NULL && n < carrier->greeting_count; n++)
        whittle_flow_greeting_drop(&carrier->greetings[n]);
    free(carrier->greetings);
    carrier->greetings = NULL;
}

void whittle_flow_greeting_drop(struct whittle_flow_greeting *greeting)
{
    if (greeting->source.fd < 0)
        return;
    whittle_flow_source_close(&greeting->link->carrier->poller, &greeting->source, &greeting->substream);
    whittle_flow_end_session(greeting->link, &greeting->session);
}

/* Closes a connection that has not been authenticated. */
void whittle_flow_greeting_refuse(struct whittle_flow_greeting *greeting, const char *why)
{
    whittle_flow_turn_away(greeting->link->carrier, greeting->link, why);
    whittle_flow_greeting_drop(greeting);
}

void whittle_flow_greeting_proven(struct whittle_flow_greeting *greeting)
{
    greeting->proven = true;
    greeting->stage = WHITTLE_FLOW_NAMES_EDGE;
    greeting->filled = 0;
    greeting->until = whittle_net_now() + whittle_flow_greeting_patience;
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
static struct whittle_flow_greeting *whittle_flow_greeting_worst(struct whittle_flow_carrier *carrier)
{
    struct whittle_flow_greeting *worst = NULL;
    size_t worst_same = 0, shares[256] = {0};
    for (size_t n = 0; n < carrier->greeting_count; n++)
        if (carrier->greetings[n].source.fd >= 0 && !carrier->greetings[n].proven)
            shares[whittle_flow_share_of(carrier->greetings[n].from)]++;
    for (size_t n = 0; n < carrier->greeting_count; n++) {
        struct whittle_flow_greeting *const one = &carrier->greetings[n];
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

static struct whittle_flow_greeting *whittle_flow_greeting_place(struct whittle_flow_carrier *carrier)
{
    for (size_t n = 0; n < carrier->greeting_count; n++)
        if (carrier->greetings[n].source.fd < 0)
            return &carrier->greetings[n];
    struct whittle_flow_greeting *const worst = whittle_flow_greeting_worst(carrier);
    whittle_flow_greeting_refuse(worst, "it said nothing, and others came");
    return worst;
}

/* An address without its port. */
static void whittle_flow_greeting_from(const struct whittle_net_name *name, uint8_t from[16])
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
    struct whittle_flow_greeting *const worst = whittle_flow_greeting_worst(link->carrier);
    if (worst != NULL && !worst->proven) {
        whittle_flow_greeting_refuse(worst, "it said nothing, and no descriptors were left");
        return true;
    }
    link->accept_at = whittle_net_now() + whittle_flow_accept_pause;
    whittle_net_rewatch(&link->carrier->poller, &link->listening, 0);
    return false;
}

static void whittle_flow_greeting_ready(struct whittle_net_source *source, uint32_t events)
{
    (void)events;
    whittle_flow_greeting_step((struct whittle_flow_greeting *)(void *)source);
}

static bool whittle_flow_greet_one(struct whittle_flow_link *link)
{
    struct whittle_flow_carrier *const carrier = link->carrier;
    struct whittle_net_name peer;
    const int fd = whittle_net_accept(link->listening.fd, NULL, &peer);
    if (fd < 0)
        return (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) && whittle_flow_accept_rest(link);
    if (!whittle_flow_carriage(link->edge)->by_port && !whittle_flow_is_own_user(fd)) {
        whittle_flow_turn_away(carrier, link, "it is another user's process");
        close(fd);
        return true;
    }
    struct whittle_flow_greeting *const place = whittle_flow_greeting_place(carrier);
    whittle_flow_tune(link, fd);
    *place = (struct whittle_flow_greeting){.source = {.ready = whittle_flow_greeting_ready, .fd = fd}, .link = link,
        .until = whittle_net_now() + whittle_flow_greeting_patience,
        .stage = whittle_flow_is_keyed(link) ? WHITTLE_FLOW_OPENS : WHITTLE_FLOW_NAMES_EDGE,
        .proven = !whittle_flow_carriage(link->edge)->by_port};
    whittle_flow_greeting_from(&peer, place->from);
    if (!whittle_net_watch(&carrier->poller, &place->source, EPOLLIN))
        whittle_flow_greeting_drop(place);
    else
        whittle_flow_greeting_step(place);      /* what an honest peer says first is there already */
    return true;
}

/* An edge begins over a mux: its hello follows, from who has been authenticated. */
void whittle_flow_greet_substream(struct whittle_flow_mux *mux, struct whittle_flow_substream *substream)
{
    struct whittle_flow_greeting *const place = whittle_flow_greeting_place(mux->carrier);
    *place = (struct whittle_flow_greeting){.source = {.ready = whittle_flow_greeting_ready, .fd = substream->fd}, .link = mux->base, .substream = substream,
        .until = whittle_net_now() + whittle_flow_greeting_patience, .stage = WHITTLE_FLOW_NAMES_EDGE, .proven = true};
    if (!whittle_net_watch(&mux->carrier->poller, &place->source, EPOLLIN))
        whittle_flow_greeting_drop(place);
}

/* Some at a time: other edges have their turn between. */
void whittle_flow_greet(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_link *const link = WHITTLE_FLOW_LINK_OF(source, listening);
    (void)events;
    for (int n = 0; n < WHITTLE_FLOW_ACCEPTS && whittle_flow_greet_one(link); n++)
        ;
}

/* Closes who has said nothing for too long, and listens again where that rested; when to look again. */
uint64_t whittle_flow_greetings_due(struct whittle_flow_carrier *carrier, uint64_t now)
{
    uint64_t due = 0;
    for (size_t n = 0; n < carrier->greeting_count; n++) {
        struct whittle_flow_greeting *const greeting = &carrier->greetings[n];
        if (greeting->source.fd < 0)
            continue;
        if (now < greeting->until)
            due = whittle_net_sooner(due, greeting->until);
        else if (greeting->stage == WHITTLE_FLOW_IS_ANSWERED)
            whittle_flow_greeting_drop(greeting);
        else
            whittle_flow_greeting_refuse(greeting, "it did not say in time which edge it is");
    }
    for (size_t n = 0; n < carrier->link_count; n++) {
        struct whittle_flow_link *const link = &carrier->links[n];
        if (link->accept_at == 0)
            continue;
        if (now < link->accept_at) {
            due = whittle_net_sooner(due, link->accept_at);
            continue;
        }
        link->accept_at = 0;
        whittle_net_rewatch(&carrier->poller, &link->listening, EPOLLIN);
    }
    return due;
}
