/* SPDX-License-Identifier: MIT-0 */
/* Attacks by what messages say: garbage, honest messages with bytes changed, wrong versions, things that are not there. */
#include "attacker.h"
#include <string.h>

static void garbage(struct attacker *attacker)
{
    uint8_t bytes[2048];
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        const uint32_t size = 1 + random_below(attacker, sizeof bytes);
        for (uint32_t index = 0; index < size; index++)
            bytes[index] = (uint8_t)random_below(attacker, 256);
        if (aim.giop && random_below(attacker, 4) != 0 && size > 12)
            memcpy(bytes, "GIOP\1\2\0", 7), memset(bytes + 8, 0, 3);
        else if (random_below(attacker, 2) == 0)
            memcpy(bytes, "\x80\0\0\x7f", 4);
        put(fd, bytes, size);
        reply_comes(fd, 1);
        close(fd);
    }
}

/* One or a few bytes of honest requests changed, several over one connection. */
static void changed_bytes(struct attacker *attacker)
{
    struct bytes whole = {NULL, 0, 0}, bytes = {NULL, 0, 0};
    while (goes_on()) {
        const int fd = to_server();
        bool alive = fd >= 0;
        for (int count = 0; alive && count < 20 && goes_on(); count++) {
            whole.size = bytes.size = 0;
            if (random_below(attacker, 3) == 0)
                request_blob(&whole, random_below(attacker, 1000), random_below(attacker, 900));
            else
                request_word(&whole, random_below(attacker, 1000), (enum procedure)random_below(attacker, 6), random_below(attacker, 1000) % 100);
            if (random_below(attacker, 3) == 0)
                fragments(&bytes, &whole, 1 + random_below(attacker, 200));
            else
                bytes_add(&bytes, whole.at, whole.size);
            for (uint32_t change = random_below(attacker, 4); change > 0; change--)
                bytes.at[random_below(attacker, (uint32_t)bytes.size)] ^= (uint8_t)(1u << random_below(attacker, 8));
            atomic_fetch_add(&aim.calls, 1);
            alive = put(fd, bytes.at, bytes.size);
            reply_comes(fd, 1);
        }
        close(fd);
    }
    bytes_free(&whole), bytes_free(&bytes);
}

/* Versions, programs, procedures, credentials that there are not; in GIOP versions and magics. */
static void wrong_versions(struct attacker *attacker)
{
    while (goes_on()) {
        const int fd = to_server();
        for (int count = 0; fd >= 0 && count < 50 && goes_on(); count++) {
            struct bytes bytes = {NULL, 0, 0};
            request_word(&bytes, (uint32_t)count, NOTHING, 0);
            if (aim.giop) {
                bytes.at[4 + random_below(attacker, 4)] = (uint8_t)random_below(attacker, 10);
            } else {
                const size_t at = 4 + 4 * (2 + random_below(attacker, 8));
                bytes.at[at + random_below(attacker, 4)] = (uint8_t)random_below(attacker, 256);
            }
            atomic_fetch_add(&aim.calls, 1);
            const bool alive = put(fd, bytes.at, bytes.size);
            reply_comes(fd, 2);
            bytes_free(&bytes);
            if (!alive)
                break;
        }
        close(fd);
    }
}

/* Each request names another object, operation or interface: names that a server keeps would add up. */
static void random_objects(struct attacker *attacker)
{
    while (goes_on()) {
        const int fd = to_server();
        for (int count = 0; fd >= 0 && count < 200 && goes_on(); count++) {
            struct bytes bytes = {NULL, 0, 0};
            const size_t begin = request_begin(&bytes, (uint32_t)count, ECHO);
            char name[200];
            const uint32_t size = 8 + random_below(attacker, 180);
            for (uint32_t index = 0; index < size; index++)
                name[index] = (char)('a' + random_below(attacker, 26));
            bytes_word(&bytes, size);
            bytes_add(&bytes, name, size - 1);
            bytes_zeros(&bytes, 1);
            request_end(&bytes, begin);
            if (aim.giop) {
                const uint32_t what = random_below(attacker, 3);
                const size_t key = 12 + 16;
                if (what == 0)
                    for (uint32_t index = 0; index < aim.key_size; index++)
                        bytes.at[key + index] = (uint8_t)random_below(attacker, 256);
                if (what == 1)
                    memcpy(bytes.at + key + (aim.key_size + 3) / 4 * 4 + 4, name, 4);
            } else {
                bytes.at[16 + random_below(attacker, 12)] ^= (uint8_t)random_below(attacker, 256);
            }
            atomic_fetch_add(&aim.calls, 1);
            const bool alive = put(fd, bytes.at, bytes.size);
            reply_comes(fd, 5);
            bytes_free(&bytes);
            if (!alive)
                break;
        }
        close(fd);
    }
}

const struct attack attacks_of_text[] = {
    {"garbage", garbage, 4, "all", "", "random bytes, with a header that is right or not"},
    {"changed-bytes", changed_bytes, 4, "all", "", "honest requests, whole or in fragments, with bytes changed"},
    {"wrong-versions", wrong_versions, 4, "all", "", "versions, programs, procedures and credentials that are not there"},
    {"random-objects", random_objects, 2, "all", "", "each request names another object, operation or program"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
