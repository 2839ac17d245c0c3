/* SPDX-License-Identifier: MIT-0 */
/* Attacks by datagrams: floods of calls, of large ones, of garbage. */
#include "attacker.h"

static void datagrams(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const int fd = to_server();
    for (uint32_t id = 0; fd >= 0 && goes_on(); id++) {
        bytes.size = 0;
        request_word(&bytes, id << 3 | attacker->index, NOTHING, 0);
        atomic_fetch_add(&aim.calls, 1);
        put_some(fd, bytes.at, bytes.size);
        if (id % 64 == 0)
            drain(fd);
    }
    close(fd);
    bytes_free(&bytes);
}

static void large_datagrams(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const int fd = to_server();
    for (uint32_t id = 0; fd >= 0 && goes_on(); id++) {
        bytes.size = 0;
        if (id % 3 == 0)
            request_word(&bytes, id << 3 | attacker->index, LARGE, 10000 * random_below(attacker, 200));
        else
            request_blob(&bytes, id << 3 | attacker->index, 60000 + random_below(attacker, 2000));
        atomic_fetch_add(&aim.calls, 1);
        put_some(fd, bytes.at, bytes.size);
        if (id % 8 == 0)
            drain(fd);
    }
    close(fd);
    bytes_free(&bytes);
}

static void malformed_datagrams(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const int fd = to_server();
    for (uint32_t id = 0; fd >= 0 && goes_on(); id++) {
        bytes.size = 0;
        request_blob(&bytes, id, random_below(attacker, 500));
        for (uint32_t change = random_below(attacker, 6); change > 0; change--)
            bytes.at[random_below(attacker, (uint32_t)bytes.size)] ^= (uint8_t)(1u << random_below(attacker, 8));
        atomic_fetch_add(&aim.calls, 1);
        put_some(fd, bytes.at, random_below(attacker, (uint32_t)bytes.size + 1));
        if (id % 64 == 0)
            drain(fd);
    }
    close(fd);
    bytes_free(&bytes);
}

const struct attack attacks_of_datagrams[] = {
    {"datagrams", datagrams, 2, "udp", "", "a flood of calls"},
    {"large-datagrams", large_datagrams, 2, "udp", "", "a flood of large calls, and calls for replies that fit no datagram"},
    {"malformed-datagrams", malformed_datagrams, 2, "udp", "", "a flood of calls with bytes changed, and cut"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
