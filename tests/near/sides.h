/*
 * What the tests of peers (peer.h) that meet through shared memory have in common: servers and clients in processes of their own, and
 * clients that keep to nothing. In: `name`, and whose the servers are.
 */
#ifndef SIDES_H
#define SIDES_H
#include "peer.h"
#include "rings.h"
#include "whittle_net.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[64];
static int told = -1;

/* A process that does not outlive this one. */
static inline pid_t begin(void)
{
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

static inline void tell(void)
{
    CHECK(write(told, "", 1) == 1);
    close(told);
}

/* Of another user, with a key: what two_users() sets. 0: this process's. */
static uid_t server_user;
static char server_key[96];

static inline void become(uid_t user, const char *key)
{
    CHECK(setenv("WHITTLE_CALLS_KEY", key, 1) == 0 && setgid(user) == 0 && setuid(user) == 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* A server in a process of its own, which listens when this returns, and has called `listens`, which is to tell(). */
static inline pid_t begin_server_with(uint32_t workers, void (*listens)(void))
{
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    const pid_t server = begin();
    if (server == 0) {
        told = ready[1];
        if (server_user != 0)
            become(server_user, server_key);
        peer_serve(name, workers, listens);
        _exit(0);
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return server;
}

static inline pid_t begin_server(uint32_t workers)
{
    return begin_server_with(workers, tell);
}

static inline void end_process(pid_t process)
{
    int status;
    CHECK(kill(process, SIGKILL) == 0 && waitpid(process, &status, 0) == process);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* It has ended by itself, and well. */
static inline void await(pid_t process)
{
    int status;
    CHECK(waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static inline void add(struct peer *peer, int32_t left, int32_t right)
{
    int32_t sum = 0;
    CHECK(peer_add(peer, left, right, &sum) == GOOD && sum == left + right);
}

/* It goes through shared memory: some of this process's is shared. */
static inline bool is_near(void)
{
    return rings_of(getpid()) > 0;
}

/* All its threads stand still when this returns. */
static inline void stop_process(pid_t process)
{
    int status;
    CHECK(kill(process, SIGSTOP) == 0 && waitpid(process, &status, WUNTRACED) == process && WIFSTOPPED(status));
}

/* Peers that keep to nothing. */
static inline struct whittle_net_memory_hello hello_of(uint32_t version)
{
    struct whittle_net_memory_hello hello = {.version = version, .requests = 65536, .replies = 65536};
    memcpy(hello.name, whittle_net_greeting, sizeof hello.name);
    return hello;
}

static inline char *path_of(void)
{
    char *const path = whittle_net_local_path(name, strlen(name));
    CHECK(path != NULL && whittle_net_local_directory(path));
    return path;
}

static inline int connected(void)
{
    struct whittle_net_name at;
    const struct whittle_net_limits soon = {.deadline = whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND};
    char *const path = path_of();
    whittle_net_path_name(path, &at);
    const int fd = whittle_net_connect_name(&at, SOCK_STREAM, &soon);
    CHECK(fd >= 0);
    free(path);
    return fd;
}

/* Says hello with memory, which is mapped; the server's status. */
static inline uint32_t greet(int fd, uint32_t version, char **all, size_t *size)
{
    const struct whittle_net_memory_hello hello = hello_of(version);
    struct whittle_net_memory_answer answer;
    *size = whittle_net_memory_size(hello.requests, hello.replies);
    const int memory = whittle_net_sealed_make(*size, true);
    CHECK(memory >= 0 && whittle_net_pass(fd, &hello, sizeof hello, memory));
    *all = (char *)mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    CHECK(*all != MAP_FAILED && whittle_net_wait_for(fd, POLLIN, whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND) == 1);
    CHECK(recv(fd, &answer, sizeof answer, MSG_DONTWAIT) == (ssize_t)sizeof answer && answer.version == WHITTLE_NET_MEMORY_VERSION);
    return answer.status;
}

/* A test, and each with a server of one thread, and of several where the style has them: those that `only` names, or all. */
struct test { const char *name; void (*run)(uint32_t workers); };

static inline void all_run(const struct test *tests, size_t count, const char *only)
{
    snprintf(name, sizeof name, "near-%d", (int)getpid());
    for (size_t index = 0; index < count; index++)
        for (uint32_t workers = 0; workers <= peer_workers && (only == NULL || strcmp(only, tests[index].name) == 0); workers += peer_workers == 0 ? 1 : peer_workers) {
            fprintf(stderr, "%s, %u workers\n", tests[index].name, (unsigned)workers);
            tests[index].run(workers);
        }
    char *const path = path_of();
    unlink(path);
    free(path);
}
#endif
