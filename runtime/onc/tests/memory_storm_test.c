/* SPDX-License-Identifier: MIT-0 */
/*
 * Misfortunes of calls through shared memory, with honest clients beside: clients that die at each step of the greeting; servers that
 * stop in it, start anew, or have no descriptors; crowds, floods, signals; descriptors that are no memory; names that two servers
 * want. Each ends in time, leaves nothing behind, and harms nobody else. memory_test.c and hostile_memory_test.c have others.
 */
#include "check.h"
#include "../client.h"
#include "../../net/near.h"
#include "../../net/sealed.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG (30000 * WHITTLE_NET_MILLISECOND)      /* what takes so long does not happen */

static const struct whittle_onc_server_options alone = {.workers = 0}, many = {.workers = 4}, overtaking = {.workers = 4, .overtaking = true};
static const struct whittle_onc_server_options *const kinds[] = {&alone, &many, &overtaking};

static void wait_a_while(long milliseconds)
{
    const struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&span, NULL);
}

static void add(struct whittle_onc_client *client, int32_t left, int32_t right)
{
    int32_t sum;
    GOOD(sample_add(client, left, right, &sum));
    CHECK(sum == left + right);
}

static pid_t begin(void)
{
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

/* Processes begin before the server's threads do, so that no lock of theirs is held in a child; and wait until it listens. */
static int gate[2];

static void gate_open(void)
{
    close(gate[1]);
    close(gate[0]);
}

static void gate_pass(void)
{
    char byte;
    close(gate[1]);
    CHECK(read(gate[0], &byte, 1) == 0);
    close(gate[0]);
}

static void end_process(pid_t child)
{
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

static void await_process(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static char address[64];

/* A server in a process of its own, which listens when this returns. */
static pid_t server_process(const struct whittle_onc_server_options *options)
{
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    const pid_t child = begin();
    if (child == 0) {
        static struct sample_servant servant;
        struct whittle_onc_server *const server = whittle_onc_server_new(options);
        GOOD(sample_serve(server, &sample_servant_operations, &servant));
        GOOD(whittle_onc_server_listen(server, address));
        CHECK(write(ready[1], "", 1) == 1);
        close(ready[1]);
        whittle_onc_server_run(server);
        _exit(0);
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return child;
}

static int open_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 1000; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

/* Nothing of the clients that have gone is left, in good time. */
static void until_calm(const struct running *running, uint64_t memory, int descriptors)
{
    struct whittle_net_usage usage;
    const uint64_t end = whittle_net_now() + LONG;
    do {
        wait_a_while(5);
        whittle_onc_server_usage(running->server, &usage);
    } while ((usage.connections != 0 || usage.memory > memory || open_descriptors() > descriptors) && whittle_net_now() < end);
    CHECK(usage.connections == 0 && usage.memory <= memory && open_descriptors() <= descriptors);
}

static char *path_of(const char *at)
{
    struct whittle_net_address parsed;
    CHECK(whittle_net_address_parse(&parsed, at));
    return parsed.near;
}

static int raw_connection(const char *path)
{
    struct whittle_net_name name;
    const struct whittle_net_limits soon = {.deadline = whittle_net_now() + LONG};
    whittle_net_path_name(path, &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, &soon);
    CHECK(fd >= 0);
    return fd;
}

static struct whittle_net_memory_hello hello_of(uint32_t requests, uint32_t replies)
{
    struct whittle_net_memory_hello hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = requests, .replies = replies};
    memcpy(hello.name, whittle_net_greeting, sizeof hello.name);
    return hello;
}

/* The server's verdict; -99: it hangs up. */
static int verdict_of(int fd)
{
    struct whittle_net_memory_answer answer;
    CHECK(whittle_net_wait_for(fd, POLLIN, whittle_net_now() + LONG) == 1);
    return recv(fd, &answer, sizeof answer, MSG_DONTWAIT) == (ssize_t)sizeof answer ? -(int)answer.verdict : -99;
}

/* A client that has come so far: the memory, as it is mapped. */
static struct whittle_net_memory_head *greeted(int fd)
{
    const struct whittle_net_memory_hello hello = hello_of(65536, 65536);
    const size_t size = whittle_net_memory_size(hello.requests, hello.replies);
    const int memory = whittle_net_sealed_make(size, true);
    CHECK(memory >= 0 && whittle_net_pass(fd, &hello, sizeof hello, memory));
    void *const all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    CHECK(all != MAP_FAILED);
    return (struct whittle_net_memory_head *)all;
}

/* A request for add(1, 2), into a ring of 64 KB: where it ends. */
static uint32_t request_into(char *ring, uint32_t at, uint32_t mark)
{
    const uint32_t words[] = {mark, 7, 0, 2, 0x20005678, 1, 1, 0, 0, 0, 0, 1, 2};
    for (size_t word = 0; word < sizeof words / sizeof words[0]; word++, at += 4) {
        const uint32_t swapped = __builtin_bswap32(words[word]);
        memcpy(ring + at % 65536, &swapped, sizeof swapped);
    }
    return at;
}
enum { REQUEST = 13 * 4 };
#define MARK (0x80000000u | (REQUEST - 4))

/* Dies after so many steps. */
static void die_after(const char *path, int steps)
{
    const struct whittle_net_memory_hello hello = hello_of(65536, 65536);
    const int fd = raw_connection(path);
    if (steps == 1)
        CHECK(send(fd, &hello, 5, MSG_NOSIGNAL) == 5);      /* half of a hello */
    if (steps < 2)
        _exit(0);
    struct whittle_net_memory_head *const head = greeted(fd);
    if (steps == 2)
        _exit(0);
    CHECK(verdict_of(fd) == WHITTLE_NET_OK);
    char *const ring = (char *)(head + 1);
    request_into(ring, 0, MARK);
    const uint32_t all = steps == 4 ? 20 : steps == 5 ? REQUEST : steps == 6 ? 1 : 0;  /* half of a request, all of it */
    __atomic_store_n(&head->requests.head, all, __ATOMIC_SEQ_CST);
    if (all != 0)
        send(fd, "", 1, MSG_NOSIGNAL);
    if (steps == 6)
        wait_a_while(3);
    _exit(0);
}

static void killed_at_each_step(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"shm:storm-steps", NULL};
    struct running running;
    struct whittle_net_usage usage;
    running_open(&running, options, addresses);
    char *const path = path_of(running_at(&running, "shm:"));
    struct whittle_onc_client *const first = client_of(running_at(&running, "shm:"), NULL);
    add(first, 1, 2);
    whittle_onc_client_close(first);
    wait_a_while(20);
    whittle_onc_server_usage(running.server, &usage);
    const uint64_t memory = usage.memory + 65536;       /* buffers that wait in the pool */
    const int descriptors = open_descriptors();
    for (int steps = 0; steps < 7 * 4; steps++) {
        const pid_t child = begin();
        if (child == 0)
            die_after(path, steps % 7);
        await_process(child);
    }
    until_calm(&running, memory, descriptors);
    struct whittle_onc_client *const client = client_of(running_at(&running, "shm:"), NULL);
    add(client, 3, 4);
    whittle_onc_client_close(client);
    free(path);
    running_close(&running);
}

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
    CHECK(pipe(gate) == 0);
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

/* --- What is passed as memory --- */

static int file_of(const char *name, int flags, size_t size)
{
    const int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | flags, 0600);
    CHECK(file >= 0 && ftruncate(file, (off_t)size) == 0 && unlink(name) == 0);
    return file;
}

static int memory_with(size_t size, unsigned flags, int seals)
{
    const int memory = memfd_create("storm", MFD_CLOEXEC | flags);
    if (memory < 0 || ftruncate(memory, (off_t)size) != 0)
        return memory < 0 ? -1 : (close(memory), -1);
    fcntl(memory, F_ADD_SEALS, seals);
    return memory;
}

/* The same memory, which may only be read. */
static int reopened(int memory)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", memory);
    const int again = open(path, O_RDONLY | O_CLOEXEC);
    close(memory);
    return again;
}

/* No such descriptor becomes memory, and none stays open. */
static void descriptors(const struct whittle_onc_server_options *options)
{
    enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL, KINDS = 12 };
    static const char *const addresses[] = {"shm:storm-descriptors", NULL};
    const struct whittle_net_memory_hello hello = hello_of(4096, 4096);
    const size_t size = whittle_net_memory_size(4096, 4096);
    char name[64];
    int both[2], passed[KINDS];
    struct running running;
    running_open(&running, options, addresses);
    char *const path = path_of(running_at(&running, "shm:"));
    wait_a_while(20);
    const int before = open_descriptors();
    CHECK(pipe(both) == 0);
    snprintf(name, sizeof name, "/dev/shm/storm-%d", (int)getpid());
    passed[0] = file_of(name, 0, size);
    snprintf(name, sizeof name, "/tmp/storm-%d", (int)getpid());
    passed[1] = file_of(name, 0, size);
    passed[2] = memory_with(size, MFD_ALLOW_SEALING, F_SEAL_SHRINK | F_SEAL_SEAL);
    passed[3] = memory_with(size, MFD_ALLOW_SEALING, F_SEAL_SHRINK | F_SEAL_GROW);
    passed[4] = memory_with(size, MFD_ALLOW_SEALING, SEALS | F_SEAL_WRITE);
    passed[5] = memory_with(size, MFD_ALLOW_SEALING, SEALS | F_SEAL_FUTURE_WRITE);
    passed[6] = memory_with(2 * 1024 * 1024, MFD_ALLOW_SEALING | MFD_HUGETLB, SEALS);
    passed[7] = reopened(memory_with(size, MFD_ALLOW_SEALING, SEALS));
    passed[8] = memory_with(size + 1, MFD_ALLOW_SEALING, SEALS);
    passed[9] = both[0];
    passed[10] = raw_connection(path);
    passed[11] = open("/proc/self/exe", O_PATH | O_CLOEXEC);
    for (int kind = 0; kind < KINDS; kind++) {
        if (passed[kind] < 0)       /* no huge pages */
            continue;
        const int fd = raw_connection(path);
        CHECK(whittle_net_pass(fd, &hello, sizeof hello, passed[kind]));
        CHECK(verdict_of(fd) != WHITTLE_NET_OK && verdict_of(fd) == -99);      /* and it hangs up */
        close(fd);
        close(passed[kind]);
    }
    close(both[1]);
    until_calm(&running, 65536, before);
    struct whittle_onc_client *const client = client_of(running_at(&running, "shm:"), NULL);
    add(client, 1, 2);
    whittle_onc_client_close(client);
    free(path);
    running_close(&running);
}

/* --- Bytes that change while they are read --- */

struct flipper { char *ring; bool done; };

__attribute__((no_sanitize("thread"))) static void *flip_lengths(void *opaque)
{
    struct flipper *const flipper = (struct flipper *)opaque;
    static const uint32_t marks[] = {MARK, 0x80000000u, 0x80000001u, 0xffffffffu, 0x7fffffffu, MARK + 4, MARK - 4, 0};
    for (uint32_t round = 0; !__atomic_load_n(&flipper->done, __ATOMIC_RELAXED); round++) {
        const uint32_t swapped = __builtin_bswap32(marks[round % 2 == 0 ? 0 : round / 2 % 8]);
        for (uint32_t at = 0; at < 65536; at += REQUEST * 20)
            __atomic_store_n((uint32_t *)(void *)(flipper->ring + at), swapped, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void lengths_that_change(const struct whittle_onc_server_options *options)
{
    enum { ROUNDS = 20, REQUESTS = 65536 / REQUEST };
    const pid_t server = server_process(options);
    char *const path = path_of(address);
    struct whittle_onc_client *const honest = client_of(address, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        const int fd = raw_connection(path);
        struct whittle_net_memory_head *const head = greeted(fd);
        struct flipper flipper = {.ring = (char *)(head + 1)};
        pthread_t thread;
        CHECK(verdict_of(fd) == WHITTLE_NET_OK);
        uint32_t at = request_into(flipper.ring, 0, MARK);
        __atomic_store_n(&head->requests.head, at, __ATOMIC_SEQ_CST);
        send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        while (__atomic_load_n(&head->replies.head, __ATOMIC_ACQUIRE) == 0)     /* it is a request */
            wait_a_while(1);
        for (int request = 1; request < REQUESTS; request++)
            at = request_into(flipper.ring, at, MARK);
        CHECK(pthread_create(&thread, NULL, flip_lengths, &flipper) == 0);
        __atomic_store_n(&head->requests.head, at, __ATOMIC_SEQ_CST);
        send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        for (int32_t call = 0; call < 20; call++)
            add(honest, round, call);
        __atomic_store_n(&flipper.done, true, __ATOMIC_RELAXED);
        pthread_join(thread, NULL);
        munmap(head, whittle_net_memory_size(65536, 65536));
        close(fd);
    }
    CHECK(waitpid(server, NULL, WNOHANG) == 0);
    whittle_onc_client_close(honest);
    end_process(server);
    free(path);
}

/* --- Sides that stop in the greeting --- */

static void stop_process(pid_t process)
{
    int status;
    CHECK(kill(process, SIGSTOP) == 0 && waitpid(process, &status, WUNTRACED) == process && WIFSTOPPED(status));
}

static void stopped_in_the_greeting(const struct whittle_onc_server_options *options)
{
    const struct whittle_onc_client_options soon = {.timeout = 200};
    const pid_t server = server_process(options);
    stop_process(server);
    struct whittle_onc_client *const client = client_of(address, &soon);
    const uint64_t begun = whittle_net_now();
    IS(sample_nothing(client), WHITTLE_ONC_TIMED_OUT);
    CHECK(whittle_net_now() - begun < LONG / 3);
    CHECK(kill(server, SIGCONT) == 0);
    for (int tries = 0; tries < 100 && sample_nothing(client) != WHITTLE_ONC_OK; tries++)
        wait_a_while(10);
    add(client, 1, 2);
    /* A client that stops between two of its steps holds nobody up. */
    char *const path = path_of(address);
    const int half = raw_connection(path), silent = raw_connection(path);
    CHECK(send(half, whittle_net_greeting, 3, MSG_NOSIGNAL) == 3);
    for (int32_t round = 0; round < 100; round++)
        add(client, round, 1);
    CHECK(verdict_of(half) == WHITTLE_NET_OTHER_VERSION);
    close(half);
    close(silent);
    whittle_onc_client_close(client);
    end_process(server);
    free(path);
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
    CHECK(pipe(gate) == 0);
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

/* --- Names, descriptors, memory --- */

static bool is_near(const struct whittle_onc_client *client)
{
    return client->net.stream.memory != NULL;
}

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

/* A server that cannot take anybody at the moment has its name all the same. */
static void names_are_not_taken_over(void)
{
    char *const path = path_of(address);
    struct whittle_net_name name;
    CHECK(whittle_net_near_directory(path));
    const int listener = whittle_net_bind(&(struct whittle_net_address){.transport = WHITTLE_NET_UNIX, .host = path}, &name);
    CHECK(listener >= 0 && listen(listener, 0) == 0);
    int waiting[8], count = 0;
    while (count < 8 && (waiting[count] = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) >= 0
           && connect(waiting[count], (const struct sockaddr *)&name.storage, name.size) == 0)
        count++;
    CHECK(count < 8);       /* its queue is full */
    struct whittle_onc_server *const server = whittle_onc_server_new(NULL);
    IS(whittle_onc_server_listen(server, address), WHITTLE_ONC_CANNOT_LISTEN);
    CHECK(errno == EADDRINUSE && access(path, F_OK) == 0);
    whittle_onc_server_free(server);
    for (int index = 0; index <= count; index++)
        close(waiting[index]);
    close(listener);
    unlink(path);
    free(path);
}

/* A server that ends does not take the name away from who has it by then. */
static void names_of_others_stay(void)
{
    static const char *const addresses[] = {"shm:storm-names", NULL};
    struct running first, second;
    running_open(&first, NULL, addresses);
    char *const path = path_of(running_at(&first, "shm:"));
    CHECK(unlink(path) == 0);
    running_open(&second, NULL, addresses);
    running_close(&first);
    struct whittle_onc_client *const client = client_of(running_at(&second, "shm:"), NULL);
    add(client, 1, 2);
    whittle_onc_client_close(client);
    running_close(&second);
    CHECK(access(path, F_OK) != 0);
    free(path);
}

/* Without a descriptor for their memory clients hear that, and not that they are of another version. */
static void no_descriptors(const struct whittle_onc_server_options *options)
{
    enum { CLIENTS = 24, LEAST = 16, MOST = 34, STEP = 2 };
    const struct whittle_onc_client_options soon = {.timeout = 100};
    int good = 0;
    for (rlim_t most = LEAST; most < MOST; most += STEP) {
        struct whittle_onc_client *clients[CLIENTS];
        const struct rlimit before = {1024, 1024}, few = {most, 1024};
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        const pid_t server = server_process(options);
        CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
        for (int index = 0; index < CLIENTS; index++) {
            clients[index] = client_of(address, &soon);
            const int status = sample_nothing(clients[index]);
            good += status == WHITTLE_ONC_OK;
            if (status != WHITTLE_ONC_OK && status != WHITTLE_ONC_REFUSED && status != WHITTLE_ONC_TIMED_OUT)
                IS(status, WHITTLE_ONC_NO_MEMORY);
        }
        for (int index = 0; index < CLIENTS; index++)
            whittle_onc_client_close(clients[index]);
        struct whittle_onc_client *const client = client_of(address, NULL);
        for (int tries = 0; tries < 100 && sample_nothing(client) != WHITTLE_ONC_OK; tries++)
            wait_a_while(20);
        add(client, 1, 2);
        whittle_onc_client_close(client);
        end_process(server);
    }
    CHECK(good > CLIENTS);
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
    static const struct { const char *name; void (*run)(const struct whittle_onc_server_options *options); } all[] = {
        {"killed at each step", killed_at_each_step}, {"restarted", restarted}, {"crowd", crowd}, {"descriptors", descriptors},
        {"lengths that change", lengths_that_change}, {"stopped in the greeting", stopped_in_the_greeting}, {"flood", flood},
        {"signals", signals}, {"threads", threads}, {"both ways", both_ways}, {"no descriptors", no_descriptors},
        {"idle rings make room", idle_rings_make_room}};
    const char *const only = count > 1 ? arguments[1] : NULL;
    snprintf(address, sizeof address, "shm:storm-%d", (int)getpid());
    alarm(95);
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
            if (only == NULL || strcmp(only, all[index].name) == 0) {
                const uint64_t begun = whittle_net_now();
                all[index].run(kinds[kind]);
                printf("%s, %u: %u ms\n", all[index].name, (unsigned)kind, (unsigned)((whittle_net_now() - begun) / WHITTLE_NET_MILLISECOND));
                fflush(stdout);
            }
    if (only == NULL || strcmp(only, "names") == 0) {
        names_are_not_taken_over();
        names_of_others_stay();
    }
    char *const path = path_of(address);
    unlink(path);
    free(path);
    return 0;
}
