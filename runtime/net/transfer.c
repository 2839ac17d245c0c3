/* SPDX-License-Identifier: MIT-0 */
/* Pieces onto a socket: socket.h. */
#include "socket.h"

int whittle_net_pieces_left(struct iovec **pieces, int count, size_t sent)
{
    while (count > 0 && sent >= (*pieces)->iov_len) {
        sent -= (*pieces)->iov_len;
        (*pieces)++;
        count--;
    }
    if (count > 0) {
        (*pieces)->iov_base = (char *)(*pieces)->iov_base + sent;
        (*pieces)->iov_len -= sent;
    }
    return count;
}

ssize_t whittle_net_send_pieces(int fd, struct iovec *pieces, int count, int flags)
{
    if (count == 1)     /* the kernel has less to copy */
        return send(fd, pieces->iov_base, pieces->iov_len, flags | MSG_NOSIGNAL);
    const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
    return sendmsg(fd, &message, flags | MSG_NOSIGNAL);
}
