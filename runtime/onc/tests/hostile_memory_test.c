/* SPDX-License-Identifier: MIT-0 */
/*
 * Shared memory whose other side is hostile: it writes over rings, indices and words at random while calls run; greets with what
 * cannot be; is another user's, or of another version. Nobody is harmed but its own connection. The seed is the first argument.
 */
#include "check.h"
#include "../client.h"
#include "../../net/local_name.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t seed = 1;

static uint32_t random_word(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

struct scribbler {
    const struct whittle_net_memory *memory;
    char *all;      /* mapped once more: the client may unmap its own at any call */
    pthread_t thread;
    bool done;
};

/* Both sides' indices, the words by which they sleep, and bytes of messages. */
__attribute__((no_sanitize("thread"))) static void *scribble(void *opaque)
{
    struct scribbler *const scribbler = (struct scribbler *)opaque;
    char *const all = scribbler->all;
    while (!__atomic_load_n(&scribbler->done, __ATOMIC_RELAXED)) {
        const uint32_t kind = random_word() % 8, word = random_word();
        const size_t head = random_word() % (sizeof(struct whittle_net_memory_head) / 4) * 4;
        const size_t ring = sizeof(struct whittle_net_memory_head) + random_word() % 4096 / 4 * 4;
        uint32_t *const at = (uint32_t *)(void *)(all + (kind < 3 ? head : ring));
        if (kind == 0)
            __atomic_fetch_add(at, word % 64, __ATOMIC_RELAXED);    /* nearly right */
        else
            __atomic_store_n(at, kind == 1 ? word % 5 : word, __ATOMIC_RELAXED);
        for (int pause = 0; pause < 200; pause++)
            whittle_net_relax();
    }
    return NULL;
}

/* Calls over memory that a thread writes over: each ends in time, as it may. */
static void call_over_rubble(const char *address, int rounds)
{
    const struct whittle_onc_client_options options = {.timeout = 100, .longest = 1024 * 1024, .decoded = 1024 * 1024};
    static char block[20000];
    int connected = 0;
    for (int round = 0; round < rounds; round++) {
        struct whittle_onc_client *const client = client_of(address, &options);
        struct scribbler scribbler = {.memory = NULL};
        int32_t sum;
        if (sample_add(client, round, 1, &sum) != WHITTLE_ONC_OK) {     /* a busy machine takes longer than a call may */
            whittle_onc_client_close(client);
            continue;
        }
        connected++;
        scribbler.memory = client->net.stream.memory;
        scribbler.all = (char *)mremap(scribbler.memory->all, 0, scribbler.memory->size, MREMAP_MAYMOVE);
        CHECK(scribbler.all != MAP_FAILED);
        const size_t size = scribbler.memory->size;
        CHECK(pthread_create(&scribbler.thread, NULL, scribble, &scribbler) == 0);
        for (int call = 0; call < 30 && client->net.stream.memory == scribbler.memory; call++) {
            char *got = NULL;
            uint32_t count;
            const uint64_t begun = whittle_net_now();
            if (call % 3 == 0)
                sample_add(client, 1, 2, &sum);
            else if (call % 3 == 1)
                sample_upload(client, block, sizeof block, &count);
            else if (sample_download(client, 20000, &got, &count) == WHITTLE_ONC_OK)
                free(got);
            CHECK(whittle_net_now() - begun < 5000 * WHITTLE_NET_MILLISECOND);
        }
        __atomic_store_n(&scribbler.done, true, __ATOMIC_RELAXED);
        pthread_join(scribbler.thread, NULL);
        CHECK(munmap(scribbler.all, size) == 0);
        whittle_onc_client_close(client);
    }
    CHECK(connected > rounds / 4);
}

static void *call_rightly(void *opaque)
{
    struct whittle_onc_client *const client = client_of((const char *)opaque, NULL);
    for (int32_t round = 0; round < 20000; round++) {
        int32_t sum;
        GOOD(sample_add(client, round, 7, &sum));
        CHECK(sum == round + 7);
    }
    whittle_onc_client_close(client);
    return NULL;
}

static void scribbled(uint32_t workers)
{
    static const char *const addresses[] = {"shm:hostile-memory", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .patience = 1000};
    struct running running;
    pthread_t honest;
    running_open(&running, &options, addresses);
    char at[64];
    snprintf(at, sizeof at, "%s", running_at(&running, "shm:"));
    const pid_t child = fork();
    if (child == 0) {
        call_over_rubble(at, 40);
        _exit(0);
    }
    CHECK(pthread_create(&honest, NULL, call_rightly, at) == 0);
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    pthread_join(honest, NULL);
    running_close(&running);
}

static char *path_of(const char *address)
{
    struct whittle_net_address parsed;
    CHECK(whittle_net_address_parse(&parsed, address));
    return parsed.local;
}

static int connect_to(const char *path)
{
    struct whittle_net_name name;
    const struct whittle_net_limits soon = {.deadline = whittle_net_now() + 2000 * WHITTLE_NET_MILLISECOND};
    whittle_net_path_name(path, &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, &soon);
    CHECK(fd >= 0);
    return fd;
}

static struct whittle_net_memory_hello hello_of(uint32_t version, uint32_t requests, uint32_t replies)
{
    struct whittle_net_memory_hello hello = {.version = version, .requests = requests, .replies = replies};
    memcpy(hello.name, whittle_net_greeting, sizeof hello.name);
    return hello;
}

/* What the server answers: a failure, or 0; -99: it hangs up. */
static int handshake_status(const char *path, const void *said, size_t size, int memory)
{
    struct whittle_net_memory_answer answer;
    const int fd = connect_to(path);
    if (memory >= 0)
        CHECK(whittle_net_pass(fd, said, size, memory));
    else
        CHECK(send(fd, said, size, MSG_NOSIGNAL) == (ssize_t)size);
    CHECK(whittle_net_wait_for(fd, POLLIN, whittle_net_now() + 3000 * WHITTLE_NET_MILLISECOND) == 1);
    const ssize_t came = recv(fd, &answer, sizeof answer, MSG_DONTWAIT);
    close(fd);
    if (memory >= 0)
        close(memory);
    return came == (ssize_t)sizeof answer && answer.version == WHITTLE_NET_MEMORY_VERSION ? -(int)answer.status : -99;
}

static int memory_of(size_t size, bool sealed)
{
    if (sealed)
        return whittle_net_sealed_make(size, false);
    const int memory = memfd_create("open", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(memory >= 0 && ftruncate(memory, (off_t)size) == 0);
    return memory;
}

static void greetings(uint32_t workers)
{
    static const char *const addresses[] = {"shm:hostile-greetings", NULL};
    const struct whittle_onc_server_options options = {.workers = workers};
    struct running running;
    running_open(&running, &options, addresses);
    char *const path = path_of(running_at(&running, "shm:"));
    const size_t right = whittle_net_memory_size(4096, 8192);
    const struct whittle_net_memory_hello good = hello_of(WHITTLE_NET_MEMORY_VERSION, 4096, 8192);
    const struct whittle_net_memory_hello bad[] = {
        hello_of(WHITTLE_NET_MEMORY_VERSION + 1, 4096, 8192), hello_of(0, 4096, 8192), hello_of(WHITTLE_NET_MEMORY_VERSION, 4095, 8192),
        hello_of(WHITTLE_NET_MEMORY_VERSION, 4096, 0), hello_of(WHITTLE_NET_MEMORY_VERSION, 0x80000000u, 0x80000000u),
        hello_of(WHITTLE_NET_MEMORY_VERSION, 4096, 4096)};
    IS(handshake_status(path, &good, sizeof good, memory_of(right, true)), WHITTLE_NET_OK);
    for (size_t index = 0; index < sizeof bad / sizeof bad[0]; index++)
        IS(handshake_status(path, &bad[index], sizeof bad[index], memory_of(right, true)), WHITTLE_NET_OTHER_VERSION);
    IS(handshake_status(path, &good, sizeof good, -1), WHITTLE_NET_OTHER_VERSION);
    IS(handshake_status(path, &good, sizeof good, memory_of(right, false)), WHITTLE_NET_OTHER_VERSION);  /* it could shrink */
    IS(handshake_status(path, &good, sizeof good, memory_of(right - 1, true)), WHITTLE_NET_OTHER_VERSION);
    IS(handshake_status(path, &good, sizeof good, open("/dev/null", O_RDWR | O_CLOEXEC)), WHITTLE_NET_OTHER_VERSION);
    IS(handshake_status(path, "GET / HTTP/1.0\r\n\r\n", 18, -1), WHITTLE_NET_OTHER_VERSION);
    IS(handshake_status(path, &good, 5, memory_of(right, true)), WHITTLE_NET_OTHER_VERSION);
    struct whittle_onc_client *const client = client_of(running_at(&running, "shm:"), NULL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    free(path);
    running_close(&running);
}

/* A server that says this to each hello. */
static void answered(const void *said, size_t size, int wanted)
{
    char address[64];
    const struct whittle_onc_client_options options = {.timeout = wanted == WHITTLE_ONC_TIMED_OUT ? 300 : 10000};
    snprintf(address, sizeof address, "shm:hostile-server-%d", (int)getpid());
    char *const path = path_of(address);
    struct whittle_net_name name;
    CHECK(whittle_net_local_directory(path));
    unlink(path);
    const int listener = whittle_net_bind(&(struct whittle_net_address){.transport = WHITTLE_NET_UNIX, .host = path}, &name);
    CHECK(listener >= 0);
    const pid_t child = fork();
    if (child == 0) {
        CHECK(whittle_net_wait_for(listener, POLLIN, whittle_net_now() + 5000 * WHITTLE_NET_MILLISECOND) == 1);
        const int fd = accept(listener, NULL, NULL);
        struct whittle_net_memory_hello hello;
        /* A socket that is closed before the client has said hello refuses it, whatever was answered. */
        CHECK(fd >= 0 && recv(fd, &hello, sizeof hello, MSG_WAITALL) == (ssize_t)sizeof hello);
        CHECK(size == 0 || send(fd, said, size, MSG_NOSIGNAL) == (ssize_t)size);
        if (wanted == WHITTLE_ONC_TIMED_OUT)
            pause();
        _exit(0);
    }
    struct whittle_onc_client *const client = client_of(address, &options);
    IS(sample_nothing(client), wanted);
    whittle_onc_client_close(client);
    kill(child, SIGKILL);
    CHECK(waitpid(child, NULL, 0) == child);
    close(listener);
    unlink(path);
    free(path);
}

static void answers(void)
{
    struct whittle_net_memory_answer answer = {.version = WHITTLE_NET_MEMORY_VERSION + 1};
    memcpy(answer.name, whittle_net_greeting, sizeof answer.name);
    answered(&answer, sizeof answer, WHITTLE_ONC_OTHER_VERSION);
    answer.status = 77;
    answered(&answer, sizeof answer, WHITTLE_ONC_OTHER_VERSION);
    answered("220 hello\r\n", 11, WHITTLE_ONC_OTHER_VERSION);
    answered("", 0, WHITTLE_ONC_REFUSED);
    answered("", 0, WHITTLE_ONC_TIMED_OUT);
}

/* Another user's process, where the directory would let it in. Needs root, who may be anybody. */
static void other_user(void)
{
    enum { NOBODY = 65534 };
    char folder[64];
    static const char *const addresses[] = {"shm:other-user", NULL};
    const struct whittle_net_memory_hello good = hello_of(WHITTLE_NET_MEMORY_VERSION, 4096, 8192);
    struct running running;
    if (geteuid() != 0) {
        puts("another user is skipped: only root can be one");
        return;
    }
    snprintf(folder, sizeof folder, "/tmp/whittle-other-%d", (int)getpid());
    CHECK(mkdir(folder, 0755) == 0 && chmod(folder, 0755) == 0 && setenv("XDG_RUNTIME_DIR", folder, 1) == 0);
    running_open(&running, NULL, addresses);
    char *const path = path_of(running_at(&running, "shm:"));
    char *const inner = strdup(path);
    *strrchr(inner, '/') = 0;
    struct stat status;
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0600 && stat(inner, &status) == 0 && (status.st_mode & 0777) == 0700);
    CHECK(chmod(path, 0666) == 0 && chmod(inner, 0755) == 0);
    const pid_t child = fork();
    if (child == 0) {
        CHECK(seteuid(NOBODY) == 0);
        IS(sample_nothing(client_of(running_at(&running, "shm:"), NULL)), WHITTLE_ONC_NOT_ALLOWED);
        IS(handshake_status(path, &good, sizeof good, memory_of(whittle_net_memory_size(4096, 8192), true)), WHITTLE_NET_NOT_ALLOWED);
        _exit(0);
    }
    int ended;
    CHECK(waitpid(child, &ended, 0) == child && ended == 0);
    running_close(&running);
    CHECK(rmdir(inner) == 0 && rmdir(folder) == 0);
    free(inner);
    free(path);
    unsetenv("XDG_RUNTIME_DIR");
}

int main(int count, char **arguments)
{
    seed = count > 1 ? strtoull(arguments[1], NULL, 0) : 1;
    greetings(0);
    greetings(4);
    answers();
    scribbled(0);
    scribbled(4);
    other_user();
    return 0;
}
