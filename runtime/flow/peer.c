/* SPDX-License-Identifier: MIT-0 */
/*
 * Who is at the other end of a connection, and whether its bytes are its own. Sockets in the flow's directory have a peer
 * of the same user, by the system's word; a TCP connection has a session, made of the key (key/), that tags all it
 * carries. In goes a link and its session, out come tags and verdicts. docs/flow-handshake.md describes the messages.
 */
#include "internal.h"
#include <string.h>
#include <unistd.h>

bool whittle_flow_is_keyed(const struct whittle_flow_link *link)
{
    return whittle_flow_transport_of(link->edge)->by_port && !link->loop->unauthenticated;
}

/* Processes of one flow run as one user: nobody else's is taken, root's neither. */
bool whittle_flow_is_own_user(int fd)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && length == sizeof peer && peer.uid == geteuid();
}

bool whittle_flow_seal(const struct whittle_flow_link *link, struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head,
    size_t head_bytes, const void *body, size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG])
{
    if (session != NULL)
        return link->loop->process->security->seal(session, kind, head, head_bytes, body, body_bytes, tag);
    memset(tag, 0, WHITTLE_FLOW_TAG);
    return true;
}

bool whittle_flow_verify(const struct whittle_flow_link *link, struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head,
    size_t head_bytes, const void *body, size_t body_bytes, const uint8_t tag[WHITTLE_FLOW_TAG])
{
    return session == NULL || link->loop->process->security->verify(session, kind, head, head_bytes, body, body_bytes, tag);
}

void whittle_flow_end_session(const struct whittle_flow_link *link, struct whittle_flow_session **session)
{
    if (*session != NULL)
        link->loop->process->security->end(*session);
    *session = NULL;
}
