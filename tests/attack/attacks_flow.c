/* SPDX-License-Identifier: MIT-0 */
/* Attacks on a flow's receiver by strangers who know the handshake and have no key: docs/flow-handshake.md. */
#include "attacker.h"
#include <string.h>

enum { CHALLENGE = 80, HELLO = 224, RANDOM_AT = 16 };

static void fill(struct attacker *attacker, uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at++)
        bytes[at] = (uint8_t)random_below(attacker, 256);
}

/* Message 1 as a connector writes it, but for the proof. */
static void challenge(struct attacker *attacker, uint8_t message[CHALLENGE])
{
    static const uint8_t begin[RANDOM_AT] = {'w', 'h', 'i', 't', 't', 'l', 'e', 'k', 3, 0, 0, 0, 1, 0, 0, 0};
    fill(attacker, message, CHALLENGE);
    memcpy(message, begin, sizeof begin);
    if (random_below(attacker, 4) == 0)
        message[8 + random_below(attacker, 8)] ^= (uint8_t)(1u << random_below(attacker, 8));
}

/* A proof that is none, and what would follow it. */
static void forged_proofs(struct attacker *attacker)
{
    while (goes_on()) {
        uint8_t messages[CHALLENGE + HELLO];
        challenge(attacker, messages);
        fill(attacker, messages + CHALLENGE, HELLO);
        const int fd = to_server();
        if (fd < 0)
            continue;
        atomic_fetch_add(&aim.calls, 1);
        if (put(fd, messages, random_below(attacker, 2) == 0 ? CHALLENGE : sizeof messages))
            reply_comes(fd, 1000);
        leave(attacker, fd);
    }
}

/* All of a challenge but its last byte, so slowly that it is not waited for. */
static void slow_proofs(struct attacker *attacker)
{
    enum { COUNT = 150 };
    int all[COUNT];
    size_t sent[COUNT] = {0};
    uint8_t message[CHALLENGE];
    memset(all, 0xff, sizeof all);
    challenge(attacker, message);
    while (goes_on()) {
        for (int index = 0; index < COUNT && goes_on(); index++) {
            if (all[index] < 0) {
                all[index] = to_server();
                sent[index] = 0;
            } else if (!drain(all[index]) || put_some(all[index], message + sent[index], sent[index] < CHALLENGE - 1) < 0) {
                atomic_fetch_add(&aim.refused, 1);
                close(all[index]), all[index] = -1;
            } else {
                sent[index] += sent[index] < CHALLENGE - 1;
            }
        }
        pause_for(5);
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
}

/* A challenge, and behind it bytes without end. */
static void endless_hellos(struct attacker *attacker)
{
    uint8_t message[CHALLENGE], rest[65536];
    fill(attacker, rest, sizeof rest);
    while (goes_on()) {
        challenge(attacker, message);
        const int fd = to_server();
        if (fd < 0)
            continue;
        for (bool good = put(fd, message, sizeof message); good && goes_on();)
            good = put(fd, rest, sizeof rest);
        leave(attacker, fd);
    }
}

const struct attack attacks_of_flows[] = {
    {"forged-proofs", forged_proofs, 4, "flow", "", "the handshake with proofs that are none"},
    {"slow-proofs", slow_proofs, 2, "flow", "", "300 connections whose challenges come byte by byte"},
    {"endless-hellos", endless_hellos, 4, "flow", "", "a challenge, and bytes without end"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
