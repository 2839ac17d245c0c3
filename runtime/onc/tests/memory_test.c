/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls through shared memory: several clients, of servers with one thread and with four; sides that die, stop, fork or are too late;
 * no memory; and who is refused. What calls carry is calls_test.c's and threads_test.c's.
 */
#include "peers.h"

enum { CLIENTS = 6, CALLS = 2000 };

static uint64_t milliseconds_since(uint64_t begun)
{
    return (whittle_net_now() - begun) / WHITTLE_NET_MILLISECOND;
}

static void *call_much(void *opaque)
{
    struct whittle_onc_client *const client = client_of(address, NULL);
    const int32_t number = *(const int32_t *)opaque;
    for (int32_t round = 0; round < CALLS; round++) {
        add(client, number, round);
        if (round % 500 == number % 500) {
            char *got = NULL;
            uint32_t count;
            GOOD(sample_download(client, 700000, &got, &count));    /* more than a ring holds */
            CHECK(count == 700000 && (uint8_t)got[699999] == 699999 % 251);
            free(got);
        }
    }
    CHECK(is_near(client));
    whittle_onc_client_close(client);
    return NULL;
}

static void many_clients(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"shm:memory-test", NULL};
    struct running running;
    pthread_t threads[CLIENTS];
    int32_t numbers[CLIENTS];
    struct whittle_net_usage usage;
    running_open(&running, options, addresses);
    snprintf(address, sizeof address, "%s", running_at(&running, "shm:"));
    for (int32_t index = 0; index < CLIENTS; index++) {
        numbers[index] = index;
        CHECK(pthread_create(&threads[index], NULL, call_much, &numbers[index]) == 0);
    }
    for (int index = 0; index < CLIENTS; index++)
        pthread_join(threads[index], NULL);
    for (int tries = 0; tries < 100; tries++) {
        whittle_onc_server_usage(running.server, &usage);
        if (usage.connections == 0)
            break;
        wait_a_while(10);
    }
    CHECK(usage.connections == 0 && usage.accepted == CLIENTS);
    running_close(&running);
}

/* Too late is an error in time, and the next call is as good as any. */
static void deadlines(uint32_t workers)
{
    const struct whittle_onc_client_options options = {.timeout = 50};
    const pid_t server = server_process(workers == 0 ? &alone : &many);
    struct whittle_onc_client *const client = client_of(address, &options);
    add(client, 1, 2);
    const uint64_t begun = whittle_net_now();
    IS(sample_rest(client, 200), WHITTLE_ONC_TIMED_OUT);
    CHECK(milliseconds_since(begun) >= 49 && milliseconds_since(begun) < 190);
    wait_a_while(300);
    add(client, 3, 4);
    whittle_onc_client_close(client);
    end_process(server);
}

/* A server that is killed in the midst of a call is missed within 200 ms; who comes behind it is found. */
static void killed_server(uint32_t workers)
{
    pid_t server = server_process(workers == 0 ? &alone : &many);
    struct whittle_onc_client *const client = client_of(address, NULL);
    add(client, 1, 2);
    const pid_t killer = fork();
    if (killer == 0) {
        wait_a_while(100);
        kill(server, SIGKILL);
        _exit(0);
    }
    const uint64_t begun = whittle_net_now();
    IS(sample_rest(client, 5000), WHITTLE_ONC_LOST);
    CHECK(milliseconds_since(begun) < 1000);
    CHECK(waitpid(killer, NULL, 0) == killer && waitpid(server, NULL, 0) == server);
    IS(sample_nothing(client), WHITTLE_ONC_REFUSED);
    server = server_process(workers == 0 ? &alone : &many);
    add(client, 3, 4);
    end_process(server);
    whittle_onc_client_close(client);
}

static void killed_client(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"shm:memory-killed", NULL};
    struct running running;
    struct whittle_net_usage before, after;
    running_open(&running, options, addresses);
    const char *const at = running_at(&running, "shm:");
    struct whittle_onc_client *const other = client_of(at, NULL);
    add(other, 1, 2);
    whittle_onc_server_usage(running.server, &before);
    for (int round = 0; round < 5; round++) {
        const pid_t child = fork();
        if (child == 0) {
            struct whittle_onc_client *const client = client_of(at, NULL);
            add(client, 5, 6);
            for (;;)
                sample_rest(client, 20);
        }
        wait_a_while(60);
        end_process(child);
        add(other, round, 2);
    }
    for (int tries = 0; tries < 200; tries++) {
        whittle_onc_server_usage(running.server, &after);
        if (after.connections == 1 && after.memory <= before.memory + 65536)    /* buffers that wait in the pool */
            break;
        wait_a_while(10);
    }
    CHECK(after.connections == 1 && after.memory <= before.memory + 65536);
    whittle_onc_client_close(other);
    running_close(&running);
}

static void stopped(void)
{
    const struct whittle_onc_client_options options = {.timeout = 100};
    const pid_t server = server_process(&alone);
    struct whittle_onc_client *const client = client_of(address, &options);
    static char block[600000];
    uint32_t count;
    add(client, 1, 2);
    kill(server, SIGSTOP);
    IS(sample_nothing(client), WHITTLE_ONC_TIMED_OUT);
    IS(sample_upload(client, block, sizeof block, &count), WHITTLE_ONC_TIMED_OUT);  /* more than the ring takes */
    kill(server, SIGCONT);
    wait_a_while(50);
    for (int tries = 0; tries < 20 && sample_nothing(client) != WHITTLE_ONC_OK; tries++)
        wait_a_while(20);
    add(client, 3, 4);
    /* A client that is stopped holds nobody else up. */
    const pid_t sleeper = fork();
    if (sleeper == 0) {
        struct whittle_onc_client *const own = client_of(address, NULL);
        for (;;)
            add(own, 1, 1);
    }
    wait_a_while(50);
    kill(sleeper, SIGSTOP);
    for (int32_t round = 0; round < 100; round++)
        add(client, round, 1);
    kill(sleeper, SIGCONT);
    end_process(sleeper);
    whittle_onc_client_close(client);
    end_process(server);
}

/* A child has a connection of its own, and the parent's goes on. */
static void forked(void)
{
    const pid_t server = server_process(&alone);
    struct whittle_onc_client *const client = client_of(address, NULL);
    add(client, 1, 2);
    const pid_t child = fork();
    if (child == 0) {
        for (int32_t round = 0; round < 200; round++)
            add(client, round, 1000);
        whittle_onc_client_close(client);
        _exit(0);
    }
    for (int32_t round = 0; round < 200; round++)
        add(client, round, 2000);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    add(client, 3, 4);
    whittle_onc_client_close(client);
    end_process(server);
}

/* Without memory for the rings a client gets an error, and one that may goes by TCP. */
static void no_memory(void)
{
    static const char *const addresses[] = {"shm:memory-full", "tcp://127.0.0.1", NULL};
    const struct rlimit none = {4096, 4096};
    char both[128];
    struct running running;
    running_open(&running, NULL, addresses);
    snprintf(both, sizeof both, "auto:%s@%s", running_at(&running, "shm:") + strlen("shm:"), running_at(&running, "tcp:") + strlen("tcp://"));
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
        IS(sample_nothing(client_of(running_at(&running, "shm:"), NULL)), WHITTLE_ONC_NO_MEMORY);
        struct whittle_onc_client *const client = client_of(both, NULL);
        add(client, 1, 2);
        CHECK(!is_near(client));
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    struct whittle_onc_client *const client = client_of(both, NULL);
    add(client, 1, 2);
    CHECK(is_near(client));
    whittle_onc_client_close(client);
    running_close(&running);
}

/* A server's memory bounds how many rings there are. */
static void bounded(void)
{
    enum { MANY = 40 };
    static const char *const addresses[] = {"shm:memory-bounded", NULL};
    const struct whittle_onc_server_options options = {.memory = 8};
    struct whittle_onc_client *clients[MANY];
    struct whittle_net_usage usage;
    struct running running;
    int good = 0, full = 0;
    running_open(&running, &options, addresses);
    for (int index = 0; index < MANY; index++) {
        const struct whittle_onc_client_options soon = {.timeout = 300};
        clients[index] = client_of(running_at(&running, "shm:"), &soon);
        const int status = sample_nothing(clients[index]);
        good += status == WHITTLE_ONC_OK;
        full += status != WHITTLE_ONC_OK;
    }
    whittle_onc_server_usage(running.server, &usage);
    CHECK(good >= 8 && usage.memory_most <= usage.memory_bound);
    CHECK(full > 0 || usage.shed > 0 || usage.evicted > 0);
    for (int index = 0; index < MANY; index++)
        whittle_onc_client_close(clients[index]);
    running_close(&running);
}

static void only_far(void)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    char both[128];
    struct running running;
    running_open(&running, NULL, addresses);
    snprintf(both, sizeof both, "auto:nobody-is-here@%s", running_at(&running, "tcp:") + strlen("tcp://"));
    struct whittle_onc_client *const client = client_of(both, NULL);
    add(client, 1, 2);
    CHECK(!is_near(client));
    whittle_onc_client_close(client);
    struct whittle_onc_client *const near = client_of("shm:nobody-is-here", NULL);
    IS(sample_nothing(near), WHITTLE_ONC_REFUSED);
    whittle_onc_client_close(near);
    running_close(&running);
}

int main(void)
{
    many_clients(&alone);
    many_clients(&many);
    many_clients(&overtaking);
    killed_client(&alone);
    killed_client(&many);
    snprintf(address, sizeof address, "shm:memory-test-%d", (int)getpid());
    deadlines(0);
    deadlines(4);
    killed_server(0);
    killed_server(4);
    stopped();
    forked();
    no_memory();
    bounded();
    only_far();
    return 0;
}
