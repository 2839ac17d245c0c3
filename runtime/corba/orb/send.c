/* SPDX-License-Identifier: MIT-0 */
/* Messages as they go out: whole, or cut into fragments (CORBA 3.3 part 2, section 9.4.9). */
#include "connection.h"

/* Each but the last is a multiple of eight bytes long, so that alignment goes on. */
static size_t whittle_fragment_most(size_t fragment)
{
    return (fragment & ~(size_t)7) - WHITTLE_FRAGMENT_HEADER;
}

/* The first piece of a message that is sent in several; its size. */
static size_t whittle_fragment_first(char *base, size_t fragment)
{
    const size_t size = fragment & ~(size_t)7;
    whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(size - WHITTLE_HEADER));
    base[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
    return size;
}

/* The header of a fragment with `size` of the `left` bytes that are to go. */
static void whittle_fragment_head(char *head, const char *base, size_t size, size_t left)
{
    whittle_put_header(head, 2, WHITTLE_FRAGMENT);
    head[WHITTLE_FLAGS_AT] |= size < left ? WHITTLE_FLAG_MORE : 0;
    whittle_poke32(head + WHITTLE_SIZE_AT, (uint32_t)(size + WHITTLE_FRAGMENT_HEADER - WHITTLE_HEADER));
    memcpy(head + WHITTLE_HEADER, base + WHITTLE_HEADER, 4);
}

int whittle_send_message(struct whittle_connection *connection, struct whittle_net_call *call, const struct whittle_net_limits *limits,
                         char *base, char *end, size_t fragment)
{
    enum { BATCH = 16 };
    char heads[BATCH][WHITTLE_FRAGMENT_HEADER];
    struct iovec pieces[2 * BATCH];
    const size_t total = (size_t)(end - base);
    const bool whole = fragment == 0 || total <= fragment || (uint8_t)base[5] < 2;
    int count = 1, failure = WHITTLE_NET_OK;
    bool begun = false;
    pieces[0] = (struct iovec){base, total};
    if (whole) {
        whittle_poke32(base + WHITTLE_SIZE_AT, (uint32_t)(total - WHITTLE_HEADER));
        return whittle_net_transmit(&connection->net, call, limits, pieces, count, false);
    }
    size_t size = pieces[0].iov_len = whittle_fragment_first(base, fragment);
    for (char *at = base + size; at < end && failure == WHITTLE_NET_OK; at += size) {
        const size_t left = (size_t)(end - at), most = whittle_fragment_most(fragment);
        char *const head = heads[count / 2 % BATCH];
        size = left < most ? left : most;
        whittle_fragment_head(head, base, size, left);
        pieces[count++] = (struct iovec){head, WHITTLE_FRAGMENT_HEADER};
        pieces[count++] = (struct iovec){at, size};
        if (count > 2 * BATCH - 2) {
            failure = whittle_net_transmit(&connection->net, call, limits, pieces, count, begun);
            begun = true;
            count = 0;
        }
    }
    return count == 0 || failure != WHITTLE_NET_OK ? failure : whittle_net_transmit(&connection->net, call, limits, pieces, count, begun);
}

size_t whittle_fragmented_size(size_t total, size_t fragment)
{
    const size_t most = whittle_fragment_most(fragment);
    return total + ((total - (fragment & ~(size_t)7) + most - 1) / most) * WHITTLE_FRAGMENT_HEADER;
}

void whittle_fragmented_write(char *to, char *base, char *end, size_t fragment)
{
    size_t size = whittle_fragment_first(base, fragment);
    memcpy(to, base, size);
    to += size;
    for (const char *at = base + size; at < end; at += size) {
        const size_t left = (size_t)(end - at), most = whittle_fragment_most(fragment);
        size = left < most ? left : most;
        whittle_fragment_head(to, base, size, left);
        memcpy(to + WHITTLE_FRAGMENT_HEADER, at, size);
        to += WHITTLE_FRAGMENT_HEADER + size;
    }
}
