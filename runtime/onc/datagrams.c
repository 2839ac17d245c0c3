/* SPDX-License-Identifier: MIT-0 */
/* Calls in datagrams: each is served once, and answered from the address that it came to. */
#include "datagrams.h"
#include <netinet/in.h>

/* What the reply goes with, so that it leaves from where the call came to: the same, for whatever interface. */
static void whittle_onc_control_return(struct msghdr *header)
{
    for (struct cmsghdr *each = CMSG_FIRSTHDR(header); each != NULL; each = CMSG_NXTHDR(header, each)) {
        if (each->cmsg_level == IPPROTO_IP && each->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo place;
            memcpy(&place, CMSG_DATA(each), sizeof place);
            place.ipi_ifindex = 0;
            memcpy(CMSG_DATA(each), &place, sizeof place);
        } else if (each->cmsg_level == IPPROTO_IPV6 && each->cmsg_type == IPV6_PKTINFO) {
            struct in6_pktinfo place;
            memcpy(&place, CMSG_DATA(each), sizeof place);
            if (!IN6_IS_ADDR_LINKLOCAL(&place.ipi6_addr))
                place.ipi6_ifindex = 0;
            memcpy(CMSG_DATA(each), &place, sizeof place);
        }
    }
}

/* false: there is none. The buffer is the message's. */
static bool whittle_onc_datagram_receive(struct whittle_onc_server *server, struct whittle_onc_datagram *datagram, struct whittle_net_message *message)
{
    const size_t begin = WHITTLE_ONC_CALL_LEAD + WHITTLE_ONC_MARK;
    struct whittle_net_buffer *const buffer = whittle_net_buffer_take(&server->net.pool, begin + 65536, begin + 65536);
    if (buffer == NULL)
        return false;
    struct iovec piece = {buffer->bytes + begin, 65536};
    struct msghdr header = {.msg_name = &datagram->peer.storage, .msg_namelen = sizeof datagram->peer.storage, .msg_iov = &piece, .msg_iovlen = 1,
                            .msg_control = datagram->control.bytes, .msg_controllen = sizeof datagram->control.bytes};
    const ssize_t came = recvmsg(datagram->listener->source.fd, &header, MSG_DONTWAIT);
    if (came < 0) {
        whittle_net_buffer_give(&server->net.pool, buffer);
        return false;
    }
    whittle_onc_control_return(&header);
    datagram->peer.size = header.msg_namelen;
    datagram->control_size = header.msg_controllen;
    *message = (struct whittle_net_message){buffer, buffer->bytes + begin, buffer->bytes + begin + came};
    return true;
}

void whittle_onc_datagram_send(const struct whittle_onc_datagram *datagram, const char *base, size_t size)
{
    struct iovec piece = {(char *)(uintptr_t)base, size};
    const struct msghdr header = {.msg_name = (void *)(uintptr_t)&datagram->peer.storage, .msg_namelen = datagram->peer.size,
                                  .msg_iov = &piece, .msg_iovlen = 1,
                                  .msg_control = datagram->control_size == 0 ? NULL : (void *)(uintptr_t)datagram->control.bytes,
                                  .msg_controllen = datagram->control_size};
    sendmsg(datagram->listener->source.fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);  /* if it is lost, the call comes again */
}

__attribute__((noinline)) void whittle_onc_datagram_answer(struct whittle_onc_request *request, const char *base, size_t size)
{
    const struct whittle_onc_datagram *const datagram = (const struct whittle_onc_datagram *)request->datagram;
    if (size > WHITTLE_ONC_DATAGRAM) {      /* it cannot be sent: the caller is to know, not to wait */
        request->answered = false;
        whittle_onc_refuse(request, WHITTLE_ONC_SYSTEM_ERROR);
        return;
    }
    whittle_onc_duplicate_answered(request->server, datagram->duplicate, base, size);
    whittle_onc_datagram_send(datagram, base, size);
}

void whittle_onc_datagram_ready(struct whittle_net_source *source, uint32_t events)
{
    enum { AT_ONCE = 32 };
    const struct whittle_net_listener *const listener = (const struct whittle_net_listener *)(const void *)source;
    struct whittle_onc_server *const server = (struct whittle_onc_server *)(void *)listener->server;
    struct whittle_onc_datagram datagram = {.listener = listener};
    struct whittle_net_message message;
    (void)events;
    for (int count = 0; count < (server->net.shared ? 1 : AT_ONCE) && whittle_onc_datagram_receive(server, &datagram, &message); count++) {
        whittle_net_increment(&server->net, &server->net.usage.requests);
        if (whittle_onc_duplicate_is_new(server, &datagram, &message)) {
            whittle_onc_serve_message(server, NULL, &datagram, &message);
            whittle_onc_duplicate_done(server, datagram.duplicate);
        } else {
            whittle_net_buffer_give(&server->net.pool, message.buffer);
        }
    }
}
