/* SPDX-License-Identifier: MIT-0 */
/* The key of a flow, and what the files here do for each other. libcrypto of OpenSSL 3 does the mathematics. */
#ifndef WHITTLE_FLOW_KEY_H
#define WHITTLE_FLOW_KEY_H
#include "../../net/keys.h"
#include "../internal.h"

/* file.c */
bool whittle_flow_key_open(struct whittle_flow_event_loop *loop);
void whittle_flow_key_close(struct whittle_flow_event_loop *loop);

/* prove.c */
struct whittle_flow_piece { const void *bytes; size_t count; };
bool whittle_flow_hash(const uint8_t key[WHITTLE_NET_KEY], const char *purpose, const struct whittle_flow_piece *pieces, size_t count,
    uint8_t hash[WHITTLE_FLOW_PROOF]);

/* session.c */
struct whittle_flow_session *whittle_flow_session_begin(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role,
    const struct whittle_flow_challenge *opening, const struct whittle_flow_challenge *challenge);
void whittle_flow_session_end(struct whittle_flow_session *session);
bool whittle_flow_session_seal(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes,
    const void *body, size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG]);
bool whittle_flow_session_verify(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes,
    const void *body, size_t body_bytes, const uint8_t tag[WHITTLE_FLOW_TAG]);
#endif
