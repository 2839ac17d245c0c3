/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls through shared memory under load: servers that start anew, crowds, floods, signals, threads, both ways, rings that idle. Each
 * call ends in time, and nothing is left behind. memory_steps_test.c has what happens before there are calls.
 */
#include "peers.h"

static void *call_through_restarts(void *opaque)
{
    const bool *const done = (const bool *)opaque;
    struct whittle_onc_client *const client = client_of(address, NULL);
    while (!__atomic_load_n(done, __ATOMIC_RELAXED)) {
        int32_t sum;
        const uint64_t begun = whittle_net_now();
        const int status = sample_add(client, 1, 2, &sum);
        CHECK(status == WHITTLE_ONC_OK || status == WHITTLE_ONC_LOST || status == WHITTLE_ONC_REFUSED);
        CHECK(whittle_net_now() - begun < LONG / 3);        /* far from the timeout: it is noticed */
        if (status != WHITTLE_ONC_OK)
            wait_a_while(1);
    }
    add(client, 3, 4);
    whittle_onc_client_close(client);
    return NULL;
}

static void restarted(const struct whittle_onc_server_options *options)
{
    enum { THREADS = 4, TIMES = 6 };
    pthread_t threads[THREADS];
    bool done = false;
    pid_t server = server_process(options);
    for (int index = 0; index < THREADS; index++)
        CHECK(pthread_create(&threads[index], NULL, call_through_restarts, &done) == 0);
    for (int times = 0; times < TIMES; times++) {
        wait_a_while(30);
        end_process(server);
        wait_a_while(times % 2 * 20);
        server = server_process(options);
    }
    __atomic_store_n(&done, true, __ATOMIC_RELAXED);
    for (int index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
    end_process(server);
}

static void *come_and_go(void *opaque)
{
    const char *const at = (const char *)opaque;
    for (int32_t times = 0; times < 5; times++) {
        struct whittle_onc_client *const client = client_of(at, NULL);
        for (int32_t round = 0; round < 20; round++)
            add(client, times, round);
        char *got = NULL;
        uint32_t count;
        GOOD(sample_download(client, 40000, &got, &count));
        CHECK(count == 40000 && (uint8_t)got[39999] == 39999 % 251);
        free(got);
        whittle_onc_client_close(client);
    }
    return NULL;
}

static void crowd(const struct whittle_onc_server_options *options)
{
    enum { PROCESSES = 8, THREADS = 8 };
    static const char *const addresses[] = {"shm:storm-crowd", NULL};
    pid_t children[PROCESSES];
    struct running running;
    struct whittle_net_usage usage;
    char at[64];
    snprintf(at, sizeof at, "%s-%d", addresses[0], (int)getpid());
    gate_close();
    for (int index = 0; index < PROCESSES; index++)
        if ((children[index] = begin()) == 0) {
            pthread_t threads[THREADS];
            gate_pass();
            for (int thread = 0; thread < THREADS; thread++)
                CHECK(pthread_create(&threads[thread], NULL, come_and_go, at) == 0);
            for (int thread = 0; thread < THREADS; thread++)
                pthread_join(threads[thread], NULL);
            _exit(0);
        }
    running_open(&running, options, addresses);
    const int descriptors = open_descriptors();
    gate_open();
    for (int index = 0; index < PROCESSES; index++)
        await_process(children[index]);
    whittle_onc_server_usage(running.server, &usage);
    CHECK(usage.accepted >= PROCESSES * THREADS * 5 && usage.memory_most <= usage.memory_bound);
    until_calm(&running, 8 * 1024 * 1024, descriptors);
    running_close(&running);
}

/* --- Floods, signals, threads --- */

static void flood(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"shm:storm-flood", NULL};
    struct whittle_onc_server_options small = *options;
    struct running running;
    struct whittle_net_usage usage;
    small.memory = 16;
    char at[64];
    snprintf(at, sizeof at, "%s-%d", addresses[0], (int)getpid());
    pid_t floods[3];
    gate_close();
    for (int index = 0; index < 3; index++)
        if ((floods[index] = begin()) == 0) {
            gate_pass();
            for (struct whittle_onc_client *client = client_of(at, NULL);;)
                sample_note(client, 1);
        }
    running_open(&running, &small, addresses);
    gate_open();
    struct whittle_onc_client *const honest = client_of(at, NULL);
    for (int32_t round = 0; round < 60; round++)
        add(honest, round, 1);
    whittle_onc_client_close(honest);
    for (int index = 0; index < 3; index++)
        end_process(floods[index]);
    whittle_onc_server_usage(running.server, &usage);
    CHECK(usage.memory_most <= usage.memory_bound);
    const uint64_t end = whittle_net_now() + LONG;
    for (; usage.connections != 0 && whittle_net_now() < end; wait_a_while(10))
        whittle_onc_server_usage(running.server, &usage);
    CHECK(usage.connections == 0);
    running_close(&running);
}

static void on_signal(int signal)
{
    (void)signal;
}

static void signals(const struct whittle_onc_server_options *options)
{
    const pid_t server = server_process(options), child = begin();
    if (child == 0) {
        const struct sigaction action = {.sa_handler = on_signal};
        const struct itimerval often = {{0, 300}, {0, 300}};
        CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &often, NULL) == 0);
        for (int times = 0; times < 10; times++) {
            struct whittle_onc_client *const client = client_of(address, NULL);
            for (int32_t round = 0; round < 50; round++)
                add(client, times, round);
            GOOD(sample_rest(client, 5));
            char *got = NULL;
            uint32_t count;
            GOOD(sample_download(client, 700000, &got, &count));
            free(got);
            whittle_onc_client_close(client);
        }
        _exit(0);
    }
    await_process(child);
    end_process(server);
}

static void *call_together(void *opaque)
{
    struct whittle_onc_client *const client = (struct whittle_onc_client *)opaque;
    for (int32_t round = 0; round < 300; round++) {
        add(client, round, 11);
        sample_note(client, 1);
    }
    return NULL;
}

/* Threads of one client, and several such clients, against as many workers. */
static void threads(const struct whittle_onc_server_options *options)
{
    enum { CLIENTS = 4, EACH = 4 };
    static const char *const addresses[] = {"shm:storm-threads", NULL};
    struct whittle_onc_client *clients[CLIENTS];
    pthread_t callers[CLIENTS * EACH];
    struct running running;
    uint32_t sum = 0;
    running_open(&running, options, addresses);
    for (int index = 0; index < CLIENTS; index++)
        clients[index] = client_of(running_at(&running, "shm:"), NULL);
    for (int index = 0; index < CLIENTS * EACH; index++)
        CHECK(pthread_create(&callers[index], NULL, call_together, clients[index % CLIENTS]) == 0);
    for (int index = 0; index < CLIENTS * EACH; index++)
        pthread_join(callers[index], NULL);
    for (int index = 0; index < CLIENTS; index++)
        GOOD(whittle_onc_client_flush(clients[index]));
    for (const uint64_t end = whittle_net_now() + LONG; sum != CLIENTS * EACH * 300 && whittle_net_now() < end;)
        GOOD(sample_noted(clients[0], &sum));
    CHECK(sum == CLIENTS * EACH * 300);
    for (int index = 0; index < CLIENTS; index++)
        whittle_onc_client_close(clients[index]);
    running_close(&running);
}

/* --- Addresses and memory --- */

/* Both ways: the near server goes, and comes again. */
static void both_ways(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    struct running far;
    char both[160];
    int32_t sum;
    pid_t near = server_process(options);
    running_open(&far, options, addresses);
    snprintf(both, sizeof both, "auto:%s@%s", address + strlen("shm:"), running_at(&far, "tcp:") + strlen("tcp://"));
    struct whittle_onc_client *const client = client_of(both, NULL);
    add(client, 1, 2);
    CHECK(is_near(client));
    end_process(near);
    if (sample_add(client, 1, 2, &sum) != WHITTLE_ONC_OK)      /* it may notice by this call */
        add(client, 3, 4);
    CHECK(!is_near(client));
    near = server_process(options);
    struct whittle_onc_client *const other = client_of(both, NULL);
    add(other, 5, 6);
    CHECK(is_near(other));
    running_close(&far);
    if (sample_add(client, 1, 2, &sum) != WHITTLE_ONC_OK)
        add(client, 7, 8);
    CHECK(is_near(client));
    whittle_onc_client_close(client);
    whittle_onc_client_close(other);
    end_process(near);
}

/* Idle clients' rings make room for new clients, and come again when they call. */
static void idle_rings_make_room(const struct whittle_onc_server_options *options)
{
    enum { CLIENTS = 20 };
    static const char *const addresses[] = {"shm:storm-room", NULL};
    struct whittle_onc_server_options small = *options;
    struct whittle_onc_client *clients[CLIENTS];
    struct whittle_net_usage usage;
    struct running running;
    small.memory = 8;
    running_open(&running, &small, addresses);
    for (int32_t index = 0; index < CLIENTS; index++) {
        clients[index] = client_of(running_at(&running, "shm:"), NULL);
        add(clients[index], index, 1);
        wait_a_while(120);      /* who was heard of since is not closed */
    }
    for (int32_t index = 0; index < CLIENTS; index += 7)
        add(clients[index], index, 2);
    whittle_onc_server_usage(running.server, &usage);
    CHECK(usage.memory_most <= usage.memory_bound);
    for (int32_t index = 0; index < CLIENTS; index++)
        whittle_onc_client_close(clients[index]);
    running_close(&running);
}

int main(int count, char **arguments)
{
    static const struct test all[] = {{"restarted", restarted}, {"crowd", crowd}, {"flood", flood}, {"signals", signals}, {"threads", threads},
                                      {"both ways", both_ways}, {"idle rings make room", idle_rings_make_room}};
    alarm(95);
    all_run(all, sizeof all / sizeof all[0], count > 1 ? arguments[1] : NULL);
    return 0;
}
