/*
 * Calls between threads of one process, in turns: in registers, through shared memory, and, for comparison, the server's function by a
 * pointer. In: the number of rounds. Out: lines of workload, bytes, who, round, nanoseconds.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "shared.h"
#include "words.h"

enum { CALLS = 200000, SHARED_CALLS = 3000 };

static double now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (double)moment.tv_sec * 1e9 + (double)moment.tv_nsec;
}

static void must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* The same server for each. */
static int nothing(void *context) { return (void)context, 0; }
#define SERVES(OF)                                                                                                     \
    static int OF##_take_four(void *context, const struct OF##_square *given, struct OF##_square *result)                  \
    {                                                                                                                  \
        const struct OF##_square changed = {given->b, given->c, given->d, given->a};                                     \
        return (void)context, *result = changed, 0;                                                                    \
    }                                                                                                                  \
    static int OF##_take_hundred(void *context, const OF##_list given, OF##_list result)                         \
    {                                                                                                                  \
        return (void)context, memcpy(result, given, sizeof(OF##_list)), 0;                                          \
    }                                                                                                                  \
    static const struct OF##_operations OF##_served = {.nothing = nothing, .four = OF##_take_four, .hundred = OF##_take_hundred};
SERVES(words)
SERVES(shared)

static void *serve_words(void *server)
{
    must(words_serve((struct whittle_fluke_server *)server, &words_served, NULL) == 0, "words_serve");
    return NULL;
}
static void *serve_shared(void *server)
{
    must(whittle_onc_server_run((struct whittle_onc_server *)server) == 0, "whittle_onc_server_run");
    return NULL;
}

/* Where the compiler does not see who is called. */
static const struct words_operations *volatile by_pointer = &words_served;

#define MEASURE(workload, bytes, who, calls, call)                                                                     \
    do {                                                                                                               \
        const double begun = now();                                                                                    \
        for (int i = 0; i < (calls); i++)                                                                              \
            must((call) == 0, who);                                                                                    \
        printf("%s %d %s %d %.1f\n", workload, bytes, who, round, (now() - begun) / (calls));                          \
    } while (0)

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    struct whittle_fluke_server server = {whittle_fluke_port_new()};
    struct whittle_fluke_client client = {server.port};
    struct whittle_onc_server *const shared_server = whittle_onc_server_new(NULL);
    pthread_t threads[2];
    char address[64];
    snprintf(address, sizeof address, "shm:fluke-bench-%d", (int)getpid());
    must(shared_server != NULL && shared_serve(shared_server, &shared_served, NULL) == 0, "shared_serve");
    must(whittle_onc_server_listen(shared_server, address) == 0, "listen");
    must(pthread_create(&threads[0], NULL, serve_words, &server) == 0, "thread");
    must(pthread_create(&threads[1], NULL, serve_shared, shared_server) == 0, "thread");
    struct whittle_onc_client *const shared_client = whittle_onc_client_open(address, NULL, NULL);
    must(shared_client != NULL, "client");
    struct words_square four = {1, 2, 3, 4}, changed;
    struct shared_square square = {1, 2, 3, 4}, shared_changed;
    static words_list hundred, copied;
    static shared_list list, shared_copied;
    for (int round = 0; round < rounds; round++) {
        MEASURE("nothing", 0, "pointer", CALLS, by_pointer->nothing(NULL));
        MEASURE("nothing", 0, "registers", CALLS, words_nothing(&client));
        MEASURE("nothing", 0, "shm", SHARED_CALLS, shared_nothing(shared_client));
        MEASURE("four-words", 32, "pointer", CALLS, by_pointer->four(NULL, &four, &changed));
        MEASURE("four-words", 32, "registers", CALLS, words_four(&client, &four, &changed));
        MEASURE("four-words", 32, "shm", SHARED_CALLS, shared_four(shared_client, &square, &shared_changed));
        MEASURE("hundred-words", 800, "pointer", CALLS, by_pointer->hundred(NULL, hundred, copied));
        MEASURE("hundred-words", 800, "registers", CALLS, words_hundred(&client, hundred, copied));
        MEASURE("hundred-words", 800, "shm", SHARED_CALLS, shared_hundred(shared_client, list, shared_copied));
    }
    whittle_onc_client_close(shared_client);
    whittle_onc_server_stop(shared_server);
    whittle_fluke_port_close(server.port);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    whittle_onc_server_free(shared_server);
    whittle_fluke_port_free(server.port);
    return 0;
}
