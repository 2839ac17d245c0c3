/* SPDX-License-Identifier: MIT-0 */
/*
 * Misfortunes of those who meet through shared memory, with honest clients beside: clients that die or stop at each step, descriptors
 * that are no memory, or for which there is no place, lengths that change while they are read, names that two servers want. Nobody else
 * is harmed, and nothing is left behind.
 */
#include "peers.h"

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

/* A server that cannot take anybody at the moment has its name all the same. */
static void names_are_not_taken_over(void)
{
    char *const path = path_of(address);
    struct whittle_net_name name;
    CHECK(whittle_net_local_directory(path));
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

int main(int count, char **arguments)
{
    static const struct test all[] = {{"killed at each step", killed_at_each_step}, {"descriptors", descriptors},
                                      {"lengths that change", lengths_that_change}, {"stopped in the greeting", stopped_in_the_greeting},
                                      {"no descriptors", no_descriptors}};
    const char *const only = count > 1 ? arguments[1] : NULL;
    alarm(95);
    all_run(all, sizeof all / sizeof all[0], only);
    if (only == NULL || strcmp(only, "names") == 0) {
        names_are_not_taken_over();
        names_of_others_stay();
    }
    return 0;
}
