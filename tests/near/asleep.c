/*
 * Servers that sleep while their clients do (net/futex_sleep.h), a few clients or a crowd, in every style and over every protocol: each call
 * wakes them; so does who comes, who dies, and who stops them. Where the system has no such wait all goes by epoll. Clients write over the
 * words by which they wake them. In: which of the tests, if not all.
 */
#include "sides.h"
#include <dirent.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>

enum { ASLEEP = 30, CROWD = 12 };       /* milliseconds after which a server sleeps; clients, more than one wait is for */

static int threads_of(pid_t process)
{
    char path[64];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *const all = opendir(path);
    CHECK(all != NULL);
    for (const struct dirent *each; (each = readdir(all)) != NULL;)
        count += each->d_name[0] != '.';
    closedir(all);
    return count;
}

static void until_rings(pid_t server, int count)
{
    while (rings_of(server) != count)
        servant_rest(5);
}

/* Nothing comes, and it does nothing. */
static void sleeps(pid_t server)
{
    clockid_t clock;
    CHECK(clock_getcpuclockid(server, &clock) == 0);
    servant_rest(ASLEEP);
    const uint64_t before = whittle_net_clock((int)clock);
    servant_rest(100);
    CHECK(whittle_net_clock((int)clock) - before < 2 * WHITTLE_NET_MILLISECOND);
}

static bool system_has_it(void)
{
#if defined(SYS_futex_waitv)
    return syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) < 0 && errno != ENOSYS;
#else
    return false;
#endif
}

/* A client in a process of its own: those of one process may share a connection. */
struct client {
    pid_t process;
    int wire;                           /* to it: a byte for each call, or its end; and one back for each call that has ended well */
};

enum { CALL, LEAVE };

static void client_run(int wire)
{
    struct peer *const peer = peer_open(name, 0);
    char order = CALL;
    for (int32_t round = 0; order == CALL; round++) {
        add(peer, round, 1);
        CHECK(is_near() && write(wire, "", 1) == 1 && read(wire, &order, 1) == 1);
    }
    peer_close(peer);
    _exit(0);
}

static void client_begins_call(const struct client *client)
{
    const char order = CALL;
    CHECK(write(client->wire, &order, 1) == 1);
}

static void client_ends_call(const struct client *client)
{
    char done;
    CHECK(read(client->wire, &done, 1) == 1);
}

static void client_calls(const struct client *client)
{
    client_begins_call(client);
    client_ends_call(client);
}

/* It has called, once. */
static struct client client_begin(void)
{
    int both[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0);
    const pid_t process = begin();
    if (process == 0)
        client_run(both[1]);
    close(both[1]);
    const struct client client = {process, both[0]};
    client_ends_call(&client);
    return client;
}

static void client_leaves(const struct client *client)
{
    const char order = LEAVE;
    CHECK(write(client->wire, &order, 1) == 1);
    await(client->process);
    close(client->wire);
}

static void client_dies(const struct client *client)
{
    end_process(client->process);
    close(client->wire);
}

static void clients_wake_it(uint32_t workers)
{
    static struct client clients[CROWD];
    const pid_t server = begin_server(workers);
    const int before = threads_of(server);
    for (int count = 0; count < CROWD; count++) {
        clients[count] = client_begin();
        for (int each = 0; each <= count; each++) {
            servant_rest(each < 2 ? ASLEEP : 1);
            client_calls(&clients[each]);
        }
        if (count != 2)
            continue;
        sleeps(server);
        CHECK(workers != 0 || threads_of(server) >= before + system_has_it());
    }
    until_rings(server, CROWD);
    sleeps(server);
    for (int count = 0; count < CROWD; count++)
        client_leaves(&clients[count]);
    until_rings(server, 0);
    end_process(server);
}

/* They are gone at once, though they did not say so. */
static void killed_meanwhile(uint32_t workers)
{
    enum { CLIENTS = 4 };
    struct client clients[CLIENTS];
    const pid_t server = begin_server(workers);
    const struct client honest = client_begin();
    for (int round = 0; round < 3; round++) {
        for (int index = 0; index < CLIENTS; index++)
            clients[index] = client_begin();
        until_rings(server, 1 + CLIENTS);
        servant_rest(ASLEEP);
        for (int index = 0; index < CLIENTS; index++) {
            client_dies(&clients[index]);
            until_rings(server, CLIENTS - index);
        }
        client_calls(&honest);
    }
    client_leaves(&honest);
    end_process(server);
}

static int gate[2];

/* Stops the server when the gate is opened. */
static void *stop(void *unused)
{
    char byte;
    CHECK(read(gate[0], &byte, 1) == 1);
    peer_stop();
    return unused;
}

static void tell_and_stop(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, stop, NULL) == 0 && pthread_detach(thread) == 0);
    tell();
}

/* Nor does it miss who called while it was cut, or sleep on when it is stopped. */
static void stopped_meanwhile(uint32_t workers)
{
    CHECK(pipe(gate) == 0);
    const pid_t server = begin_server_with(workers, tell_and_stop);
    const struct client one = client_begin(), other = client_begin();
    for (int round = 0; round < 8; round++) {
        client_calls(&other);
        servant_rest(round % 2 == 0 ? ASLEEP : 0);
        stop_process(server);
        client_begins_call(&one);
        servant_rest((uint32_t)round % 3);
        CHECK(kill(server, SIGCONT) == 0);
        client_ends_call(&one);
    }
    client_leaves(&one);
    servant_rest(ASLEEP);
    CHECK(write(gate[1], "", 1) == 1);
    await(server);
    client_leaves(&other);
    close(gate[0]);
    close(gate[1]);
}

/* Whatever stands in its words, and however often it wakes the server: others are served, and the server sleeps when it has gone. */
static void write_words(uint64_t seed)
{
    char *all;
    size_t size;
    CHECK(greet(connected(), WHITTLE_NET_MEMORY_VERSION, &all, &size) == 0);
    struct whittle_net_memory_head *const head = (struct whittle_net_memory_head *)(void *)all;
    uint32_t *const words[] = {&head->requests.sleeps, &head->requests.wants, &head->replies.sleeps, &head->replies.wants, &head->requests.tail, &head->replies.mark};
    for (;;) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t *const word = words[(seed >> 40) % 6];
        __atomic_store_n(word, (seed >> 62) == 0 ? (uint32_t)(seed >> 33) : (uint32_t)(seed >> 33) % 5, __ATOMIC_SEQ_CST);
        if ((seed >> 50) % 4 == 0)
            syscall(SYS_futex, word, FUTEX_WAKE, (int)(seed >> 52) % 3, NULL, NULL, 0);
        if ((seed >> 45) % 8 == 0)      /* it sleeps on its own words, as the server does */
            syscall(SYS_futex, word, FUTEX_WAIT, *word, &(struct timespec){0, 50000}, NULL, 0);
    }
}

static void words_are_written_over(uint32_t workers)
{
    enum { HOSTILE = 3 };
    pid_t hostile[HOSTILE];
    const pid_t server = begin_server(workers);
    const struct client one = client_begin(), other = client_begin();
    for (int index = 0; index < HOSTILE; index++)
        if ((hostile[index] = begin()) == 0)
            write_words((uint64_t)index + 1);
    until_rings(server, 2 + HOSTILE);
    for (int32_t round = 0; round < 300; round++) {
        client_calls(round % 2 == 0 ? &one : &other);
        if (round % 10 == 0)
            servant_rest(2);
    }
    for (int index = 0; index < HOSTILE; index++)
        end_process(hostile[index]);
    until_rings(server, 2);
    sleeps(server);
    client_calls(&one);
    client_leaves(&one);
    client_leaves(&other);
    end_process(server);
}

/* It says without end that the server sleeps, and never wakes it. */
static void say_asleep(void)
{
    char *all;
    size_t size;
    CHECK(greet(connected(), WHITTLE_NET_MEMORY_VERSION, &all, &size) == 0);
    for (;;)
        __atomic_store_n(&((struct whittle_net_memory_head *)(void *)all)->requests.sleeps, WHITTLE_NET_IN_FUTEX, __ATOMIC_SEQ_CST);
}

/* The same where it sleeps for the hostile one alone: who comes is heard, and so is its end. */
static void an_only_client_writes(uint32_t workers)
{
    CHECK(pipe(gate) == 0);
    const pid_t server = begin_server_with(workers, tell_and_stop);
    for (uint64_t round = 1; round <= 8; round++) {
        const pid_t hostile = begin();
        if (hostile == 0 && round % 2 == 0)
            say_asleep();
        if (hostile == 0)
            write_words(round);
        until_rings(server, 1);
        servant_rest(ASLEEP);
        const struct client honest = client_begin();
        client_calls(&honest);
        client_leaves(&honest);
        if (round < 8) {
            end_process(hostile);
            until_rings(server, 0);
            continue;
        }
        CHECK(write(gate[1], "", 1) == 1);
        await(server);
        end_process(hostile);
    }
    close(gate[0]);
    close(gate[1]);
}

/* A system that has no wait for several words. */
static void the_system_cannot(uint32_t workers)
{
#if defined(SYS_futex_waitv)
    enum { CLIENTS = 3 };
    struct sock_filter lines[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex_waitv, 0, 1),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof lines / sizeof lines[0], lines};
    const pid_t child = begin();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
            _exit(0);   /* nor has it filters */
        CHECK(!system_has_it());
        const pid_t server = begin_server(workers);
        struct client clients[CLIENTS];
        for (int index = 0; index < CLIENTS; index++) {
            clients[index] = client_begin();
            for (int each = 0; each <= index; each++) {
                servant_rest(ASLEEP);
                client_calls(&clients[each]);
            }
        }
        until_rings(server, CLIENTS);
        sleeps(server);
        for (int index = 0; index < CLIENTS; index++)
            client_leaves(&clients[index]);
        until_rings(server, 0);
        end_process(server);
        _exit(0);
    }
    await(child);
#else
    (void)workers;
#endif
}

int main(int count, char **arguments)
{
    static const struct test all[] = {{"clients wake it", clients_wake_it}, {"killed meanwhile", killed_meanwhile}, {"stopped meanwhile", stopped_meanwhile},
                                      {"words are written over", words_are_written_over}, {"an only client writes", an_only_client_writes}, {"the system cannot", the_system_cannot}};
    alarm(200);
    all_run(all, sizeof all / sizeof all[0], count > 1 ? arguments[1] : NULL);
    return 0;
}
