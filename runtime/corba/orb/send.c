/* SPDX-License-Identifier: MIT-0 */
/* Messages onto a socket: whole in one system call, or cut into fragments (CORBA 3.3 part 2, section 9.4.9). */
#include "connection.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

/* What is left of the pieces after `sent` bytes; how many pieces that is. */
static int whittle_pieces_left(struct iovec **pieces, int count, size_t sent)
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

int whittle_send_all(int fd, struct iovec *pieces, int count, uint64_t deadline, bool *begun)
{
    while (count > 0) {
        const struct msghdr message = {.msg_iov = pieces, .msg_iovlen = (size_t)count};
        const ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL | (deadline != 0 ? MSG_DONTWAIT : 0));
        if (sent >= 0) {
            *begun = *begun || sent > 0;
            count = whittle_pieces_left(&pieces, count, (size_t)sent);
        } else if (errno == EAGAIN) {
            const int room = whittle_socket_wait(fd, POLLOUT, deadline);
            if (room != 1)
                return room;
        } else if (errno != EINTR) {
            return -1;
        }
    }
    return 1;
}

/* Each but the last is a multiple of eight bytes long, so that alignment goes on. */
int whittle_send_message(struct whittle_sending *sending, char *base, char *end, size_t fragment)
{
    enum { BATCH = 16 };
    char heads[BATCH][WHITTLE_FRAGMENT_HEADER];
    struct iovec pieces[2 * BATCH];
    const size_t total = (size_t)(end - base);
    const bool whole = fragment == 0 || total <= fragment || (uint8_t)base[5] < 2;
    size_t size = whole ? total : fragment & ~(size_t)7;
    int count = 1, done = 1;
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(size - WHITTLE_HEADER));
    if (!whole)
        base[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
    pieces[0] = (struct iovec){base, size};
    for (char *at = base + size; at < end; at += size) {
        const size_t left = (size_t)(end - at), most = (fragment & ~(size_t)7) - WHITTLE_FRAGMENT_HEADER;
        char *const head = heads[count / 2 % BATCH];
        size = left < most ? left : most;
        whittle_put_header(head, 2, WHITTLE_FRAGMENT);
        head[WHITTLE_FLAGS_AT] |= size < left ? WHITTLE_FLAG_MORE : 0;
        whittle_poke32(head + WHITTLE_SIZE_AT, (uint32_t)(size + WHITTLE_FRAGMENT_HEADER - WHITTLE_HEADER));
        memcpy(head + WHITTLE_HEADER, base + WHITTLE_HEADER, 4);
        pieces[count++] = (struct iovec){head, WHITTLE_FRAGMENT_HEADER};
        pieces[count++] = (struct iovec){at, size};
        if (count > 2 * BATCH - 2) {
            done = sending->each(sending, pieces, count);
            if (done != 1)
                return done;
            count = 0;
        }
    }
    return count == 0 ? 1 : sending->each(sending, pieces, count);
}
