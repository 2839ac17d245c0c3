/* SPDX-License-Identifier: MIT-0 */
/* Calls of every kind over every transport, with one thread that serves and with several. */
#include "check.h"
#include <unistd.h>

static void words(struct whittle_onc_client *client)
{
    int32_t sum;
    for (int32_t index = 0; index < 500; index++) {
        GOOD(sample_nothing(client));
        GOOD(sample_add(client, index, -2 * index, &sum));
        CHECK(sum == -index);
    }
}

static void bytes(struct whittle_onc_client *client, uint32_t most)
{
    static char all[5 * 1024 * 1024];
    for (uint32_t index = 0; index < sizeof all; index++)
        all[index] = (char)(index % 251);
    for (uint32_t size = 0; size <= most; size = size * 5 + 3) {
        uint32_t count = 1;
        char *got = NULL;
        GOOD(sample_upload(client, all, size, &count));
        CHECK(count == size);
        GOOD(sample_download(client, size, &got, &count));
        CHECK(count == size && memcmp(got, all, size) == 0);
        free(got);
    }
}

/* Long pieces that go from where they are, more than are kept in mind, and short ones between them: one text to the server. */
static void scattered(struct whittle_onc_client *client)
{
    static const uint32_t sizes[] = {40000, 4, 36000, 50000, 8, 70000, 12};
    enum { TOTAL = 196024 };
    static char all[TOTAL];
    struct whittle_onc_call call;
    uint32_t done = 0;
    for (uint32_t index = 0; index < TOTAL; index++)
        all[index] = (char)(index % 251);
    char *at = whittle_onc_begin(&call, client, SAMPLE_PROGRAM, SAMPLE_ONE, SAMPLE_UPLOAD);
    CHECK(at != NULL);
    whittle_put32(at, TOTAL);
    at += 4;
    for (size_t index = 0; index < sizeof sizes / sizeof sizes[0] && at != NULL; done += sizes[index++])
        at = whittle_xdr_out_bytes(&call.out, at, all + done, sizes[index]);
    CHECK(at != NULL && done == TOTAL);
    GOOD(whittle_onc_exchange(&call, at));
    CHECK(call.in.end - call.at == 4 && whittle_get32(call.at) == TOTAL);
    GOOD(whittle_onc_end(&call, call.at));
}

static void texts(struct whittle_onc_client *client)
{
    char *echoed = NULL;
    GOOD(sample_echo(client, "good morning", &echoed));
    CHECK(strcmp(echoed, "good morning") == 0);
    free(echoed);
    IS(sample_echo(client, NULL, &echoed), WHITTLE_ONC_CANNOT_MARSHAL);
    GOOD(sample_nothing(client));
}

/* Each is reported in its words, and nothing breaks. */
static void refusals(struct whittle_onc_client *client)
{
    static const int all[] = {WHITTLE_ONC_PROGRAM_UNAVAILABLE, WHITTLE_ONC_PROCEDURE_UNAVAILABLE, WHITTLE_ONC_GARBAGE_ARGUMENTS, WHITTLE_ONC_SYSTEM_ERROR};
    struct whittle_onc_call call;
    uint32_t lowest, highest;
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
        IS(sample_fail(client, all[index]), all[index]);
    for (int reason = 0; reason <= 14; reason++)
        IS(sample_fail(client, WHITTLE_ONC_AUTH_FAILED_SO - reason), WHITTLE_ONC_AUTH_FAILED_SO - reason);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM, 7, 0));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_PROGRAM_MISMATCH);
    whittle_onc_client_versions(client, &lowest, &highest);
    CHECK(lowest == 1 && highest == 1);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM + 1, 1, 0));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_PROGRAM_UNAVAILABLE);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM, 1, 77));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_PROCEDURE_UNAVAILABLE);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM, 1, SAMPLE_ADD));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_GARBAGE_ARGUMENTS);
    GOOD(sample_nothing(client));
}

/* Many under way at once, received from the last to the first; some are given up. */
static void pipelined(struct whittle_onc_client *client)
{
    enum { COUNT = 300 };
    static struct whittle_onc_call calls[COUNT];
    for (int32_t index = 0; index < COUNT; index++)
        GOOD(sample_add_begin(&calls[index], client, index, 1000));
    for (int32_t index = COUNT - 1; index >= 0; index--) {
        int32_t sum;
        if (index % 7 == 0) {
            IS(whittle_onc_end(&calls[index], NULL), WHITTLE_ONC_CANCELLED);
        } else {
            GOOD(sample_add_end(&calls[index], &sum));
            CHECK(sum == index + 1000);
        }
    }
    GOOD(sample_nothing(client));
}

/* More than both sockets hold, in both directions, before anything is received. */
static void flooded(struct whittle_onc_client *client)
{
    enum { COUNT = 4000, SIZE = 8192 };
    static struct whittle_onc_call calls[COUNT];
    static char block[SIZE];
    for (uint32_t index = 0; index < SIZE; index++)
        block[index] = (char)(index % 251);
    for (int index = 0; index < COUNT; index++)
        GOOD(sample_upload_begin(&calls[index], client, block, SIZE));
    for (int index = 0; index < COUNT; index++) {
        uint32_t count = 0;
        GOOD(sample_upload_end(&calls[index], &count));
        CHECK(count == SIZE);
    }
}

static void batched(struct whittle_onc_client *client)
{
    uint32_t before, after;
    GOOD(sample_noted(client, &before));
    for (int32_t index = 1; index <= 1000; index++)
        GOOD(sample_note(client, index));
    GOOD(sample_noted(client, &after));
    CHECK(after - before == 500500);
}

static void streams(const char *address, uint32_t fragment, bool ordered)
{
    const struct whittle_onc_client_options options = {.fragment = fragment};
    struct whittle_onc_client *const client = client_of(address, &options);
    words(client);
    bytes(client, fragment == 0 || fragment > 100 ? 5 * 1024 * 1024 : 20000);
    scattered(client);
    texts(client);
    refusals(client);
    pipelined(client);
    if (fragment == 0)
        flooded(client);
    if (ordered)
        batched(client);
    whittle_onc_client_close(client);
}

static void datagrams(const char *address)
{
    const struct whittle_onc_client_options options = {.retransmit = 50};
    struct whittle_onc_client *const client = client_of(address, &options);
    char *got;
    uint32_t count;
    words(client);
    bytes(client, 60000);
    texts(client);
    refusals(client);
    pipelined(client);
    static char much[70000];
    IS(sample_upload(client, much, sizeof much, &count), WHITTLE_ONC_TOO_LARGE);
    IS(sample_download(client, 70000, &got, &count), WHITTLE_ONC_SYSTEM_ERROR);
    whittle_onc_client_close(client);
}

static void all(uint32_t workers, bool overtaking, uint32_t fragment)
{
    const struct whittle_onc_server_options options = {.workers = workers, .overtaking = overtaking, .fragment = fragment};
    static const char *const addresses[] = {"tcp://127.0.0.1", "tcp://[::1]:0", "unix:@whittle-calls-test", "shm:calls-test", "udp://127.0.0.1:0", "udp://[::1]", NULL};
    struct running running;
    running_open(&running, &options, addresses);
    streams(running_at(&running, "tcp://127"), 0, !overtaking);
    streams(running_at(&running, "tcp://[::1]"), 1000, !overtaking);
    streams(running_at(&running, "unix:"), 0, !overtaking);
    streams(running_at(&running, "unix:"), 1, !overtaking);
    streams(running_at(&running, "shm:"), 0, !overtaking);
    streams(running_at(&running, "shm:"), 1000, !overtaking);
    datagrams(running_at(&running, "udp://127"));
    datagrams(running_at(&running, "udp://[::1]"));
    running_close(&running);
}

int main(void)
{
    all(0, false, 0);
    all(0, false, 3);
    all(3, false, 0);
    all(3, true, 0);
    return 0;
}
