/* SPDX-License-Identifier: MIT-0 */
/* One client used by many threads at once, of servers with one thread and with several; stopped in the midst of it. */
#include "check.h"
#include <time.h>

enum { THREADS = 8, ROUNDS = 150 };

struct caller {
    struct whittle_onc_client *client;
    pthread_t thread;
    int32_t number;
    bool streams;
};

static void pipelined(const struct caller *caller)
{
    enum { COUNT = 20 };
    struct whittle_onc_call calls[COUNT];
    for (int32_t index = 0; index < COUNT; index++)
        GOOD(sample_add_begin(&calls[index], caller->client, caller->number, index));
    for (int32_t index = COUNT - 1; index >= 0; index--) {
        int32_t sum;
        GOOD(sample_add_end(&calls[index], &sum));
        CHECK(sum == caller->number + index);
    }
}

static void *call_much(void *opaque)
{
    struct caller *const caller = (struct caller *)opaque;
    static char block[30000];
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t sum;
        uint32_t count;
        GOOD(sample_add(caller->client, caller->number, round, &sum));
        CHECK(sum == caller->number + round);
        if (round % 10 == 0 && caller->number % 2 == 0) {
            char *got = NULL;
            GOOD(sample_download(caller->client, 30000, &got, &count));
            CHECK(count == 30000 && (uint8_t)got[300] == 300 % 251);
            free(got);
        }
        if (round % 10 == 5)
            IS(sample_upload(caller->client, block, sizeof block, &count), WHITTLE_ONC_SYSTEM_ERROR);
        if (round % 10 == 7)
            pipelined(caller);
        if (round % 10 == 8 && caller->streams)
            GOOD(sample_note(caller->client, 1));
        if (round % 50 == 9)
            GOOD(sample_rest(caller->client, 2));
    }
    return NULL;
}

static void together(const char *address)
{
    const struct whittle_onc_client_options options = {.retransmit = 100};
    struct whittle_onc_client *const client = client_of(address, &options);
    struct caller callers[THREADS];
    for (int index = 0; index < THREADS; index++) {
        callers[index] = (struct caller){.client = client, .number = index * 1000, .streams = address[0] != 'u' || address[1] != 'd'};
        CHECK(pthread_create(&callers[index].thread, NULL, call_much, &callers[index]) == 0);
    }
    for (int index = 0; index < THREADS; index++)
        pthread_join(callers[index].thread, NULL);
    uint32_t sum;
    GOOD(sample_noted(client, &sum));
    whittle_onc_client_close(client);
}

/* Calls until the server is gone: each succeeds, is lost, or finds nobody. */
static void *call_on(void *opaque)
{
    struct caller *const caller = (struct caller *)opaque;
    for (;;) {
        int32_t sum;
        const int status = sample_add(caller->client, 1, 2, &sum);
        CHECK(status == WHITTLE_ONC_OK || status == WHITTLE_ONC_LOST || status == WHITTLE_ONC_REFUSED);
        if (status == WHITTLE_ONC_REFUSED)
            return NULL;
    }
}

static void *cancel_often(void *opaque)
{
    struct caller *const caller = (struct caller *)opaque;
    const struct timespec span = {0, 10000000};
    for (int count = 0; count < 20; count++) {
        whittle_onc_client_cancel(caller->client);
        nanosleep(&span, NULL);
    }
    return NULL;
}

static void *call_and_be_cancelled(void *opaque)
{
    struct caller *const caller = (struct caller *)opaque;
    for (int count = 0; count < 10; count++) {
        const int status = sample_rest(caller->client, 5);
        CHECK(status == WHITTLE_ONC_OK || status == WHITTLE_ONC_CANCELLED);
    }
    return NULL;
}

static void in_threads(struct whittle_onc_client *client, void *(*first)(void *), void *(*others)(void *), struct running *stopped)
{
    struct caller callers[THREADS];
    const struct timespec span = {0, 50000000};
    for (int index = 0; index < THREADS; index++) {
        callers[index] = (struct caller){.client = client};
        CHECK(pthread_create(&callers[index].thread, NULL, index == 0 ? first : others, &callers[index]) == 0);
    }
    nanosleep(&span, NULL);
    if (stopped != NULL)
        running_close(stopped);
    for (int index = 0; index < THREADS; index++)
        pthread_join(callers[index].thread, NULL);
    whittle_onc_client_close(client);
}

static void all(const struct whittle_onc_server_options *options, const char *stopped)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", "udp://127.0.0.1", "unix:@whittle-threads-test", "shm:threads-test", NULL};
    struct running running;
    running_open(&running, options, addresses);
    together(running_at(&running, "tcp"));
    together(running_at(&running, "unix"));
    together(running_at(&running, "udp"));
    together(running_at(&running, "shm"));
    in_threads(client_of(running_at(&running, "tcp"), NULL), cancel_often, call_and_be_cancelled, NULL);
    in_threads(client_of(running_at(&running, "shm"), NULL), cancel_often, call_and_be_cancelled, NULL);
    in_threads(client_of(running_at(&running, stopped), NULL), call_on, call_on, &running);
}

int main(void)
{
    const struct whittle_onc_server_options alone = {.workers = 0}, many = {.workers = 4}, overtaking = {.workers = 4, .overtaking = true};
    static const char *const transports[] = {"tcp", "shm"};
    for (int index = 0; index < 2; index++) {
        all(&alone, transports[index]);
        all(&many, transports[index]);
        all(&overtaking, transports[index]);
    }
    return 0;
}
