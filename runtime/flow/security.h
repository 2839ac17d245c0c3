/* SPDX-License-Identifier: MIT-0 */
/* Who authenticates connections, as the rest of the library calls it: key/ does, where an edge goes over a network. */
#ifndef WHITTLE_FLOW_SECURITY_H
#define WHITTLE_FLOW_SECURITY_H
#include "link.h"

/*
 * What authenticates connections (key/). A challenge's proof covers the role, and the connector's challenge where the
 * acceptor makes it; a session's tags cover the kind of the message, its number in its direction, its head and its body.
 */
struct whittle_flow_security {
    bool (*open)(struct whittle_flow_event_loop *loop);     /* false: said */
    void (*close)(struct whittle_flow_event_loop *loop);
    bool (*challenge)(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role, const struct whittle_flow_challenge *opening,
        struct whittle_flow_challenge *challenge);
    bool (*proves)(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role, const struct whittle_flow_challenge *opening,
        const struct whittle_flow_challenge *challenge);
    struct whittle_flow_session *(*begin)(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role,
        const struct whittle_flow_challenge *opening, const struct whittle_flow_challenge *challenge);
    void (*end)(struct whittle_flow_session *session);
    bool (*seal)(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes, const void *body,
        size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG]);
    bool (*verify)(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes, const void *body,
        size_t body_bytes, const uint8_t tag[WHITTLE_FLOW_TAG]);
    /* For messages that a server keeps: a tag over `head` and `body` that only who has the key can make. */
    bool (*mark)(const struct whittle_flow_event_loop *loop, const void *head, size_t head_bytes, const void *body, size_t body_bytes,
        uint8_t tag[WHITTLE_FLOW_TAG]);
    bool (*marked)(const struct whittle_flow_event_loop *loop, const void *head, size_t head_bytes, const void *body, size_t body_bytes,
        const uint8_t tag[WHITTLE_FLOW_TAG]);
};
#endif
