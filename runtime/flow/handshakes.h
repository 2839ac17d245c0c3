/* SPDX-License-Identifier: MIT-0 */
/* What accept.c and handshakes.c share: connections that have been accepted, and are no edge's yet. */
#ifndef WHITTLE_FLOW_GREETINGS_H
#define WHITTLE_FLOW_GREETINGS_H
#include "mux.h"
#include "internal.h"

/* A connection that has been accepted, and has not been authenticated or not said which edge it is (accept.c). */
enum whittle_flow_greeted { WHITTLE_FLOW_OPENS, WHITTLE_FLOW_NAMES_EDGE, WHITTLE_FLOW_IS_ANSWERED };
struct whittle_flow_handshake {
    struct whittle_net_source source;   /* its descriptor -1: the place is free */
    struct whittle_flow_link *link;     /* who listens; from where the edge has been named, the edge's */
    enum whittle_flow_greeted stage;
    bool proven;                        /* knows the key, or is a process of this user */
    uint8_t from[16];                   /* the address, for fairness among them */
    uint64_t until;
    uint32_t filled;
    struct whittle_flow_session *session;
    struct whittle_flow_substream *substream;          /* the connection, where it is a part of a mux */
    struct whittle_flow_challenge opening, challenge;    /* the peer's, and ours */
    struct whittle_flow_hello hello;
};

void whittle_flow_handshake_drop(struct whittle_flow_handshake *handshake);
void whittle_flow_handshake_refuse(struct whittle_flow_handshake *handshake, const char *why);
void whittle_flow_handshake_proven(struct whittle_flow_handshake *handshake);
#endif
