/* SPDX-License-Identifier: MIT-0 */
/* Attacks by numbers: connections that come and go, that stay idle, and more than the server has descriptors for. */
#include "attacker.h"
#include <string.h>

static void connects(struct attacker *attacker)
{
    while (goes_on()) {
        const int fd = to_server();
        if (fd < 0)
            continue;
        if (random_below(attacker, 2) == 0)
            reset(fd);
        else
            close(fd);
    }
}

static void idle(struct attacker *attacker)
{
    enum { COUNT = 700 };
    static const char some[] = {0};
    int all[COUNT];
    memset(all, 0xff, sizeof all);
    while (goes_on()) {
        for (int index = 0; index < COUNT && goes_on(); index++) {
            if (all[index] < 0) {
                all[index] = to_server();
                if (all[index] >= 0 && random_below(attacker, 4) == 0)
                    put_some(all[index], some, 1);
            } else if (!drain(all[index])) {
                atomic_fetch_add(&aim.refused, 1);
                close(all[index]), all[index] = -1;
            }
        }
        pause_for(20);
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
}

/* Each new connection asks at once, so that all are busy. */
static void busy(struct attacker *attacker)
{
    enum { COUNT = 300 };
    struct bytes bytes = {NULL, 0, 0};
    int all[COUNT];
    memset(all, 0xff, sizeof all);
    request_word(&bytes, 1, NOTHING, 0);
    while (goes_on()) {
        for (int index = 0; index < COUNT && goes_on(); index++) {
            if (all[index] < 0)
                all[index] = to_server();
            if (all[index] >= 0 && (put_some(all[index], bytes.at, bytes.size) < 0 || !drain(all[index])))
                close(all[index]), all[index] = -1;
            else
                atomic_fetch_add(&aim.calls, 1);
        }
        pause_for(random_below(attacker, 3));
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
    bytes_free(&bytes);
}

/* No attack: 10,000 connections of ten threads; each asks once, and is kept. */
static void kept(struct attacker *attacker)
{
    enum { COUNT = 1000 };
    struct bytes bytes = {NULL, 0, 0};
    int all[COUNT];
    (void)attacker;
    memset(all, 0xff, sizeof all);
    request_word(&bytes, 1, NOTHING, 0);
    for (int index = 0; index < COUNT && goes_on(); index++)
        while (all[index] < 0 && goes_on()) {
            all[index] = to_server();
            if (all[index] >= 0 && put(all[index], bytes.at, bytes.size))
                reply_comes(all[index], 1000);
        }
    while (goes_on())
        pause_for(20);
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
    bytes_free(&bytes);
}

const struct attack attacks_of_crowds[] = {
    {"connects", connects, 4, "all", "", "connections that come and go"},
    {"idle", idle, 2, "all", "", "1400 idle connections"},
    {"descriptors", idle, 2, "all", "descriptors", "1400 idle connections, and 100 descriptors"},
    {"busy-descriptors", busy, 1, "all", "descriptors", "300 connections that ask, and 100 descriptors"},
    {"kept", kept, 10, "none", "", "10000 idle connections: for the bench of that name"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
