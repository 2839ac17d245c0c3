/* SPDX-License-Identifier: MIT-0 */
/* Servers that refuse, lie, dawdle and vanish: each call ends with its own status, in time, and the next may succeed. */
#include "scripted.h"
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (uint64_t)moment.tv_sec * 1000 + (uint64_t)moment.tv_nsec / 1000000;
}

/* What replies hold behind their number, and what that means. */
static const struct said {
    size_t count;
    uint32_t words[12];
    int status;
} all_said[] = {
    {5, {1, 0, 0, 0, 0}, WHITTLE_ONC_OK},
    {7, {1, 0, 2, 8, 1, 2, 0}, WHITTLE_ONC_OK},                     /* AUTH_SHORT is verified with */
    {6, {1, 0, 2, 3, 1, 0}, WHITTLE_ONC_OK},                        /* three bytes of it, padded */
    {5, {1, 0, 0, 0, 1}, WHITTLE_ONC_PROGRAM_UNAVAILABLE},
    {7, {1, 0, 0, 0, 2, 3, 9}, WHITTLE_ONC_PROGRAM_MISMATCH},
    {5, {1, 0, 0, 0, 3}, WHITTLE_ONC_PROCEDURE_UNAVAILABLE},
    {5, {1, 0, 0, 0, 4}, WHITTLE_ONC_GARBAGE_ARGUMENTS},
    {5, {1, 0, 0, 0, 5}, WHITTLE_ONC_SYSTEM_ERROR},
    {5, {1, 0, 0, 0, 6}, WHITTLE_ONC_BAD_REPLY},
    {5, {1, 1, 0, 4, 7}, WHITTLE_ONC_RPC_MISMATCH},
    {4, {1, 1, 1, 0}, WHITTLE_ONC_AUTH_FAILED_SO},
    {4, {1, 1, 1, 1}, WHITTLE_ONC_AUTH_BAD_CREDENTIAL},
    {4, {1, 1, 1, 2}, WHITTLE_ONC_AUTH_REJECTED_CREDENTIAL},
    {4, {1, 1, 1, 3}, WHITTLE_ONC_AUTH_BAD_VERIFIER},
    {4, {1, 1, 1, 4}, WHITTLE_ONC_AUTH_REJECTED_VERIFIER},
    {4, {1, 1, 1, 5}, WHITTLE_ONC_AUTH_TOO_WEAK},
    {4, {1, 1, 1, 6}, WHITTLE_ONC_AUTH_INVALID_RESPONSE},
    {4, {1, 1, 1, 7}, WHITTLE_ONC_AUTH_FAILED},
    {4, {1, 1, 1, 8}, WHITTLE_ONC_AUTH_KERBEROS_GENERIC},
    {4, {1, 1, 1, 13}, WHITTLE_ONC_AUTH_GSS_CREDENTIAL},
    {4, {1, 1, 1, 14}, WHITTLE_ONC_AUTH_GSS_CONTEXT},
    {4, {1, 1, 1, 20}, WHITTLE_ONC_AUTH_FAILED_SO - 20},
    {4, {1, 1, 1, 4000}, WHITTLE_ONC_BAD_REPLY},
    {4, {1, 1, 2, 0}, WHITTLE_ONC_BAD_REPLY},
    {4, {1, 2, 0, 0}, WHITTLE_ONC_BAD_REPLY},
    {5, {0, 0, 0, 0, 0}, WHITTLE_ONC_BAD_REPLY},                    /* a call */
    {5, {1, 0, 0, 404, 0}, WHITTLE_ONC_BAD_REPLY},                  /* a verifier that is too long, and not there */
    {4, {1, 0, 0, 0}, WHITTLE_ONC_BAD_REPLY},
    {3, {1, 0, 0}, WHITTLE_ONC_BAD_REPLY},
    {6, {1, 0, 0, 0, 2, 3}, WHITTLE_ONC_BAD_REPLY},
    {4, {1, 1, 0, 4}, WHITTLE_ONC_BAD_REPLY},
    {3, {1, 1, 1}, WHITTLE_ONC_BAD_REPLY},
    {1, {1}, WHITTLE_ONC_BAD_REPLY},
    {0, {0}, WHITTLE_ONC_BAD_REPLY},
};
enum { SAID = sizeof all_said / sizeof all_said[0] };

static void say_all(int fd, int turn)
{
    (void)turn;
    for (size_t index = 0; index < SAID; index++) {
        uint32_t words[13] = {scripted_hear(fd)};
        memcpy(words + 1, all_said[index].words, sizeof all_said[index].words);
        scripted_say(fd, words, all_said[index].count + 1);
    }
}

static void every_state(void)
{
    struct scripted scripted;
    uint32_t lowest, highest;
    scripted_open(&scripted, false, say_all);
    struct whittle_onc_client *const client = client_of(scripted.address, NULL);
    for (size_t index = 0; index < SAID; index++) {
        IS(sample_nothing(client), all_said[index].status);
        whittle_onc_client_versions(client, &lowest, &highest);
        CHECK(all_said[index].status != WHITTLE_ONC_PROGRAM_MISMATCH || (lowest == 3 && highest == 9));
        CHECK(all_said[index].status != WHITTLE_ONC_RPC_MISMATCH || (lowest == 4 && highest == 7));
        CHECK(strlen(whittle_onc_text(all_said[index].status)) > 10);
    }
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

/* A reply in fragments of one byte, with empty ones between, byte after byte; another's reply before it. */
static void say_in_pieces(int fd, int turn)
{
    (void)turn;
    const uint32_t xid = scripted_hear(fd);
    scripted_answer(fd, xid + 1000);
    scripted_say(fd, &xid, 0);
    for (uint32_t index = 0; index < 24; index++) {
        char reply[24] = {0}, piece[9] = {0};
        whittle_put32(reply, xid);
        reply[7] = 1;
        whittle_put32(piece + 4, 1 | (index == 23 ? 0x80000000u : 0));
        piece[8] = reply[index];
        for (int byte = 0; byte < 9; byte++)
            scripted_write(fd, piece + byte, 1);
    }
    const uint32_t next = scripted_hear(fd);
    scripted_answer(fd, next);
}

/* Fragments without end. */
static void say_without_end(int fd, int turn)
{
    static char piece[4 + 1000];
    const uint32_t xid = scripted_hear(fd);
    if (turn > 0)
        scripted_answer(fd, xid);
    whittle_put32(piece, 1000);
    for (int count = 0; count < 2000 && turn == 0; count++)
        scripted_write(fd, piece, sizeof piece);
    if (turn > 0)
        scripted_hear(fd);
}

static void pieces(void)
{
    struct scripted scripted;
    scripted_open(&scripted, false, say_in_pieces);
    struct whittle_onc_client *client = client_of(scripted.address, NULL);
    GOOD(sample_nothing(client));
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
    const struct whittle_onc_client_options narrow = {.longest = 100000};
    scripted_open(&scripted, false, say_without_end);
    client = client_of(scripted.address, &narrow);
    IS(sample_nothing(client), WHITTLE_ONC_BAD_REPLY);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

/* The first call is answered late; the second is not made to wait for it. */
static void say_late(int fd, int turn)
{
    (void)turn;
    const uint32_t xid = scripted_hear(fd), second = scripted_hear(fd);
    scripted_answer(fd, xid);
    scripted_answer(fd, second);
    scripted_hear(fd);
}

static void late(void)
{
    struct scripted scripted;
    const struct whittle_onc_client_options short_deadlines = {.timeout = 700};
    scripted_open(&scripted, false, say_late);
    struct whittle_onc_client *const client = client_of(scripted.address, &short_deadlines);
    const uint64_t begin = now();
    IS(sample_nothing(client), WHITTLE_ONC_TIMED_OUT);
    CHECK(now() - begin >= 699);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

/* Calls that begin later are not meant. */
static bool was_cancelled;

static void *cancel(void *opaque)
{
    while (!__atomic_load_n(&was_cancelled, __ATOMIC_RELAXED)) {
        pause_for(50);
        whittle_onc_client_cancel((struct whittle_onc_client *)opaque);
    }
    return NULL;
}

static void cancelled(void)
{
    struct scripted scripted;
    pthread_t thread;
    scripted_open(&scripted, false, say_late);
    struct whittle_onc_client *const client = client_of(scripted.address, NULL);
    CHECK(pthread_create(&thread, NULL, cancel, client) == 0);
    IS(sample_nothing(client), WHITTLE_ONC_CANCELLED);
    __atomic_store_n(&was_cancelled, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

/* Hangs up: with a call in its hands, then with part of a reply sent, then after an answer, while nothing is asked. */
static void hang_up(int fd, int turn)
{
    static const char part[] = {(char)0x80, 0, 0, 24, 1, 2};
    const uint32_t xid = scripted_hear(fd);
    if (turn == 1)
        scripted_write(fd, part, sizeof part);
    if (turn >= 2)
        scripted_answer(fd, xid);
}

static void lost(void)
{
    struct scripted scripted;
    const struct whittle_onc_client_options again = {.resend = true};
    scripted_open(&scripted, false, hang_up);
    struct whittle_onc_client *client = client_of(scripted.address, NULL);
    IS(sample_nothing(client), WHITTLE_ONC_LOST);
    IS(sample_nothing(client), WHITTLE_ONC_LOST);
    for (int count = 0; count < 3; count++) {
        GOOD(sample_nothing(client));
        scripted_hung_up(&scripted, 3 + count);
        pause_for(120);     /* as long as a client does not look whether its connection is there */
    }
    whittle_onc_client_close(client);
    scripted_close(&scripted);
    scripted_open(&scripted, false, hang_up);
    client = client_of(scripted.address, &again);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

static void nobody(void)
{
    static const char *const bad[] = {"", "tcp://", "tcp://here:99999", "tcp://here:12x", "tcp://[::1", "tcp://[::1]5", "unix:", "udp://:111", "x:"};
    int status;
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++) {
        CHECK(whittle_onc_client_open(bad[index], NULL, &status) == NULL);
        IS(status, WHITTLE_ONC_BAD_ADDRESS);
    }
    static const struct {
        const char *address;
        int status;
    } absent[] = {{"tcp://127.0.0.1:1", WHITTLE_ONC_REFUSED}, {"udp://127.0.0.1:1", WHITTLE_ONC_REFUSED},
                  {"unix:/nowhere/at/all", WHITTLE_ONC_REFUSED}, {"unix:@nowhere-at-all", WHITTLE_ONC_REFUSED},
                  {"tcp://a..b:1", WHITTLE_ONC_UNKNOWN_HOST}};
    for (size_t index = 0; index < sizeof absent / sizeof absent[0]; index++) {
        struct whittle_onc_client *const client = client_of(absent[index].address, NULL);
        IS(sample_nothing(client), absent[index].status);
        IS(sample_note(client, 5), strncmp(absent[index].address, "udp", 3) == 0 ? WHITTLE_ONC_OK : absent[index].status);
        whittle_onc_client_close(client);
    }
}

/* Results that are not there. */
static void say_too_little(int fd, int turn)
{
    (void)turn;
    for (uint32_t xid; (xid = scripted_hear(fd)) != 0;)
        scripted_answer(fd, xid);
}

static void unreadable(void)
{
    struct scripted scripted;
    int32_t sum;
    scripted_open(&scripted, false, say_too_little);
    struct whittle_onc_client *const client = client_of(scripted.address, NULL);
    IS(sample_add(client, 1, 2, &sum), WHITTLE_ONC_CANNOT_UNMARSHAL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

int main(void)
{
    every_state();
    pieces();
    late();
    cancelled();
    lost();
    nobody();
    unreadable();
    return 0;
}
