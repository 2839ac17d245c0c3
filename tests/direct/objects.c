/*
 * What is beside the functions of interfaces: objects, their keys and references, clients of many threads, servers with several, time that
 * runs out, what is not there.
 */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "objects.h"
#include "expect.h"
#include "relay.h"

static int add(void *context, int32_t more, int32_t *result)
{
    *result = __atomic_add_fetch((int32_t *)context, more, __ATOMIC_RELAXED);
    return 0;
}
static int later(void *context, int32_t more)
{
    __atomic_add_fetch((int32_t *)context, more, __ATOMIC_RELAXED);
    return -1;  /* nobody hears of it */
}

/* A server may be a client, too, of itself even, where another thread serves. What it is told of a failure it may pass on. */
static struct whittle_iiop_client *inner;
static int wait_for(void *context, int32_t much)
{
    int32_t sum;
    const int status = much < 0 ? Objects_Other_wait_for(inner, -much) : Objects_Counter_add(inner, 0, &sum);
    return (void)context, status;
}

static const struct Objects_Counter_operations counting = {add, later};
static const struct Objects_Other_operations other = {add, later, wait_for};

/* References among other values: given back, or raised where the first has no name. */
static void copy(struct Objects_Entry *to, const struct Objects_Entry *from)
{
    to->name = from->name == NULL ? NULL : strdup(from->name);
    to->where = from->where == NULL ? NULL : strdup(from->where);
}
static void copy_all(struct Objects_Entries *to, const struct Objects_Entries *from)
{
    to->length = from->length;
    to->items = calloc(from->length + 1, sizeof *to->items);
    for (uint32_t i = 0; i < from->length; i++)
        copy(&to->items[i], &from->items[i]);
}
static int swap(void *context, const struct Objects_Entries *given, const char *one, struct Objects_Entry *all, struct Objects_Entries *result,
                union Objects_Book_swap_exceptions *exceptions)
{
    (void)context;
    copy_all(result, given);
    free(all->where);
    all->where = one == NULL ? NULL : strdup(one);
    if (given->length > 0 && given->items[0].name[0] != 0)
        return 0;
    exceptions->Objects_Gone.whom = one == NULL ? NULL : strdup(one);
    copy_all(&exceptions->Objects_Gone.instead, given);
    return Objects_Book_swap_raises_Objects_Gone;
}
static const struct Objects_Book_operations swapping = {swap};

/* 0, or the exception's number; a message that was damaged may say anything. */
static int try_swap(struct whittle_iiop_client *client, const char *reference, const char *first)
{
    struct Objects_Entry entries[] = {{(char *)(uintptr_t)first, (char *)(uintptr_t)reference}, {(char *)"nil", NULL}};
    struct Objects_Entries given = {2, entries}, result;
    struct Objects_Entry all = {strdup("all"), strdup(reference)};
    union Objects_Book_swap_exceptions raised;
    const int status = Objects_Book_swap(client, &given, reference, &all, &result, &raised);
    EXPECT(status == 0 || (result.length == 0 && result.items == NULL && strcmp(all.name, "all") == 0));
    if (status > 0)
        Objects_Gone_free(&raised.Objects_Gone);
    Objects_Entries_free(&result);
    Objects_Entry_free(&all);
    return status;
}

/* Requests and replies cut, and words in them overwritten, at all places. */
static void try_damage(struct whittle_iiop_server *server, const char *reference)
{
    static const uint32_t words[] = {0xffffffff, 0, 1, 0x7fffffff, 0x01000000, 9};
    pthread_t thread;
    char address[80];
    EXPECT(relay_begin(&thread, whittle_iiop_server_port(server)));
    snprintf(address, sizeof address, "corbaloc:iiop:1.2@127.0.0.1:%u/Objects_Book", relay.port);
    struct whittle_iiop_client *const client = whittle_iiop_client_open(address, NULL, NULL);
    for (int which = REQUEST; which <= RESPONSE; which++)
        for (int raises = 0; raises < 2; raises++) {
            relay.how = NOTHING;
            EXPECT(try_swap(client, reference, raises ? "" : "one") == raises);
            const uint32_t begin = relay.begins[which], end = relay.lengths[which];
            relay.which = which == REQUEST ? REQUEST : RESPONSE;
            for (relay.at = begin; relay.at < end; relay.at += 4) {
                relay.how = CUT;
                EXPECT(try_swap(client, reference, raises ? "" : "one") == WHITTLE_IIOP_MARSHAL);
                relay.how = OVERWRITE;
                relay.with = words[relay.at / 4 % 6];
                (void)try_swap(client, reference, raises ? "" : "one");
            }
        }
    whittle_iiop_client_close(client);
    relay_end(thread);
}

static void *serving(void *server)
{
    EXPECT(whittle_iiop_server_run(server) == 0);
    return NULL;
}

enum { THREADS = 4, ROUNDS = 200 };
static void *calling(void *client)
{
    int32_t sum;
    for (int i = 0; i < ROUNDS; i++)
        EXPECT(Objects_Counter_add(client, 1, &sum) == 0 && sum > 0);
    return NULL;
}

static struct whittle_iiop_client *opened(const char *reference)
{
    int status = 1;
    struct whittle_iiop_client *const client = whittle_iiop_client_open(reference, NULL, &status);
    EXPECT((client == NULL) == (status != 0));
    return client;
}

static void try_keys(const struct whittle_iiop_server *server)
{
    static const struct { const char *key; int32_t first; } keys[] = {
        {"Objects_Counter", 0}, {"Objects_Counter-2", 100}, {"by%20name", 200}, {"Objects_Counter-3", 300}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char reference[80];
        int32_t sum = -1;
        snprintf(reference, sizeof reference, "corbaloc::127.0.0.1:%d/%s", whittle_iiop_server_port(server), keys[i].key);
        struct whittle_iiop_client *const client = opened(reference);
        EXPECT(Objects_Counter_add(client, 1, &sum) == 0 && sum == keys[i].first + 1);
        EXPECT(Objects_Counter_later(client, -1) == 0);
        for (int tries = 0; tries < 200 && sum != keys[i].first; tries++) {
            usleep(5000);
            EXPECT(Objects_Counter_add(client, 0, &sum) == 0);
        }
        EXPECT(sum == keys[i].first);
        EXPECT(whittle_iiop_client_exists(client) == 1 && whittle_iiop_client_is_a(client, OBJECTS_COUNTER_ID) == 1);
        EXPECT(whittle_iiop_client_is_a(client, "IDL:omg.org/CORBA/Object:1.0") == 1 && whittle_iiop_client_is_a(client, OBJECTS_OTHER_ID) == 0);
        EXPECT(Objects_Other_wait_for(client, 1) == WHITTLE_IIOP_BAD_OPERATION);
        EXPECT(whittle_iiop_failure().completed == WHITTLE_IIOP_NOT_BEGUN && whittle_iiop_failure().minor != 0);
        whittle_iiop_client_close(client);
    }
}

static void try_failures(const struct whittle_iiop_server *server)
{
    char reference[80];
    int32_t sum = 7;
    static const char *const bad[] = {"", "IOR:", "IOR:0g", "tcp://127.0.0.1", "corbaloc:", NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        EXPECT(opened(bad[i]) == NULL);
    snprintf(reference, sizeof reference, "corbaloc::127.0.0.1:%d/nobody", whittle_iiop_server_port(server));
    struct whittle_iiop_client *client = opened(reference);
    EXPECT(Objects_Counter_add(client, 1, &sum) == WHITTLE_IIOP_OBJECT_NOT_EXIST && sum == 0);
    EXPECT(whittle_iiop_client_exists(client) == 0);
    whittle_iiop_client_close(client);

    /* A port that is bound, and at first nobody listens there; then nobody answers. */
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof own;
    const int silent = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(bind(silent, (const struct sockaddr *)&own, sizeof own) == 0 && getsockname(silent, (struct sockaddr *)&own, &size) == 0);
    snprintf(reference, sizeof reference, "corbaloc::127.0.0.1:%d/nobody", ntohs(own.sin_port));
    const struct whittle_iiop_client_options hasty = {.timeout = 300};
    client = whittle_iiop_client_open(reference, &hasty, NULL);
    EXPECT(Objects_Counter_add(client, 1, &sum) == WHITTLE_IIOP_TRANSIENT && whittle_iiop_failure().completed == WHITTLE_IIOP_NOT_BEGUN);
    EXPECT(listen(silent, 5) == 0);
    EXPECT(Objects_Counter_add(client, 1, &sum) == WHITTLE_IIOP_TIMEOUT);
    whittle_iiop_client_close(client);
    /* Longer than a reader waits at a time. */
    const struct whittle_iiop_client_options patient = {.timeout = 1100};
    client = whittle_iiop_client_open(reference, &patient, NULL);
    EXPECT(Objects_Counter_add(client, 1, &sum) == WHITTLE_IIOP_TIMEOUT);
    whittle_iiop_client_close(client);
    close(silent);
    EXPECT(strcmp(whittle_iiop_text(0), whittle_iiop_text(WHITTLE_IIOP_TIMEOUT)) != 0);
    EXPECT(strcmp(whittle_iiop_text(WHITTLE_IIOP_THREAD_CANCELLED - 1), whittle_iiop_text(1)) == 0);
}

static void try_threads(struct whittle_iiop_server *server, const int32_t *count)
{
    pthread_t threads[THREADS];
    struct whittle_iiop_client *const client = opened(whittle_iiop_server_reference(server, 0));
    const int32_t before = *count;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, calling, client);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    EXPECT(__atomic_load_n(count, __ATOMIC_RELAXED) == before + THREADS * ROUNDS);
    whittle_iiop_client_close(client);
}

/* What a server's function is told of a call of its own it may return. */
static void try_inner(struct whittle_iiop_server *server)
{
    struct whittle_iiop_client *const client = opened(whittle_iiop_server_reference(server, 4));
    inner = opened(whittle_iiop_server_reference(server, 0));
    EXPECT(Objects_Other_wait_for(client, 1) == 0);
    EXPECT(Objects_Other_wait_for(client, -1) == WHITTLE_IIOP_BAD_OPERATION && whittle_iiop_failure().completed == WHITTLE_IIOP_NOT_BEGUN);
    whittle_iiop_client_close(inner);
    whittle_iiop_client_close(client);
}

int main(void)
{
    static int32_t counts[5] = {0, 100, 200, 300, 400};
    const struct whittle_iiop_server_options options = {.workers = 3, .longest = 4096};
    struct whittle_iiop_server *const idle = whittle_iiop_server_new(NULL), *const server = whittle_iiop_server_new(&options);
    EXPECT(Objects_Counter_serve(server, &counting, &counts[0]) == 0 && Objects_Counter_serve(server, &counting, &counts[1]) == 0);
    EXPECT(whittle_iiop_server_name(server, "by name") == 0 && Objects_Counter_serve(server, &counting, &counts[2]) == 0);
    EXPECT(whittle_iiop_server_name(server, "by name") == 0 && Objects_Counter_serve(server, &counting, &counts[2]) == WHITTLE_IIOP_BAD_PARAM);
    EXPECT(Objects_Counter_serve(server, &counting, &counts[3]) == 0 && Objects_Other_serve(server, &other, &counts[4]) == 0);
    EXPECT(whittle_iiop_server_listen(server, "127.0.0.1:70000") == WHITTLE_IIOP_BAD_PARAM && whittle_iiop_server_port(server) == 0);
    /* Where somebody else listens. */
    char taken[40];
    EXPECT(whittle_iiop_server_listen(idle, "127.0.0.1") == 0);
    snprintf(taken, sizeof taken, "tcp://127.0.0.1:%d", whittle_iiop_server_port(idle));
    EXPECT(whittle_iiop_server_listen(server, taken) == WHITTLE_IIOP_INITIALIZE && whittle_iiop_server_port(server) == 0);
    EXPECT(whittle_iiop_server_listen(server, "tcp://127.0.0.1:0") == 0 && whittle_iiop_server_port(server) != 0);
    EXPECT(whittle_iiop_server_listen(server, "127.0.0.1") == WHITTLE_IIOP_BAD_INV_ORDER);
    EXPECT(whittle_iiop_server_reference(server, 4) != NULL && whittle_iiop_server_reference(server, 5) == NULL);
    EXPECT(Objects_Book_serve(server, &swapping, NULL) == 0);
    pthread_t thread;
    pthread_create(&thread, NULL, serving, server);
    try_damage(server, whittle_iiop_server_reference(server, 0));
    for (int round = 0; round < 2; round++) {
        try_keys(server);
        try_threads(server, &counts[0]);
        counts[0] = 0;
        try_inner(server);
        try_failures(server);
    }
    whittle_iiop_server_stop(server);
    pthread_join(thread, NULL);
    whittle_iiop_server_free(server);
    /* Stopped before it begins. */
    whittle_iiop_server_stop(idle);
    EXPECT(whittle_iiop_server_run(idle) == 0);
    whittle_iiop_server_free(idle);
    whittle_iiop_server_free(whittle_iiop_server_new(NULL));
    return failures == 0 ? 0 : 1;
}
