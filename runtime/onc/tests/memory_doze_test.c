/* SPDX-License-Identifier: MIT-0 */
/*
 * Servers that sleep while their clients do (net/doze.h), a few clients or a crowd: each call wakes them; so does who comes, who dies,
 * and who stops them. Where the system has no such wait all goes by epoll. Clients write over the words by which they wake them.
 */
#include "peers.h"
#include "../../../tests/near/rings.h"
#include <dirent.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>

enum { ASLEEP = 30, CROWD = 200 };      /* milliseconds after which a server sleeps; clients */

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
    const uint64_t end = whittle_net_now() + LONG;
    while (rings_of(server) != count && whittle_net_now() < end)
        wait_a_while(5);
    CHECK(rings_of(server) == count);
}

/* Nothing comes, and it does nothing. */
static void sleeps(pid_t server)
{
    clockid_t clock;
    CHECK(clock_getcpuclockid(server, &clock) == 0);
    wait_a_while(ASLEEP);
    const uint64_t before = whittle_net_clock((int)clock);
    wait_a_while(100);
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

static void clients_wake_it(const struct whittle_onc_server_options *options)
{
    static struct whittle_onc_client *clients[CROWD];
    const pid_t server = server_process(options);
    const int before = threads_of(server);
    for (int32_t count = 0; count < CROWD; count++) {
        clients[count] = client_of(address, NULL);
        add(clients[count], count, 1);
        CHECK(is_near(clients[count]));
        if (count > 10 && count % 60 != 0 && count != CROWD - 1)
            continue;
        for (int32_t each = 0; each <= count; each += count > 10 ? 19 : 1) {
            wait_a_while(each < 3 ? ASLEEP : 1);
            add(clients[each], each, 2);
        }
        if (count != 2)
            continue;
        sleeps(server);
        if (options->workers == 0)
            CHECK(threads_of(server) >= before + system_has_it());
    }
    until_rings(server, CROWD);
    sleeps(server);
    for (int count = 0; count < CROWD; count++)
        whittle_onc_client_close(clients[count]);
    until_rings(server, 0);
    end_process(server);
}

/* They are gone at once, though they did not say so. */
static void killed_meanwhile(const struct whittle_onc_server_options *options)
{
    enum { CLIENTS = 4 };
    pid_t clients[CLIENTS];
    const pid_t server = server_process(options);
    struct whittle_onc_client *const honest = client_of(address, NULL);
    add(honest, 1, 2);
    for (int round = 0; round < 3; round++) {
        for (int index = 0; index < CLIENTS; index++)
            if ((clients[index] = begin()) == 0) {
                add(client_of(address, NULL), index, 1);
                for (;;)
                    pause();
            }
        until_rings(server, 1 + CLIENTS);
        wait_a_while(ASLEEP);
        for (int index = 0; index < CLIENTS; index++) {
            end_process(clients[index]);
            until_rings(server, CLIENTS - index);
        }
        add(honest, round, 3);
    }
    whittle_onc_client_close(honest);
    end_process(server);
}

/* Nor does it miss who called while it was cut, or sleep on when it is stopped. */
static void stopped_meanwhile(const struct whittle_onc_server_options *options)
{
    static const char *const addresses[] = {"shm:doze", NULL};
    struct running running;
    const pid_t server = server_process(options);
    struct whittle_onc_client *const one = client_of(address, NULL), *const other = client_of(address, NULL);
    for (int32_t round = 0; round < 8; round++) {
        struct whittle_onc_call call;
        const char *at = NULL;
        add(one, round, 1);
        add(other, round, 2);
        wait_a_while(round % 2 == 0 ? ASLEEP : 0);
        stop_process(server);
        GOOD(whittle_onc_send(&call, whittle_onc_begin(&call, one, 0x20005678, 1, 0)));
        GOOD(whittle_onc_client_flush(one));
        wait_a_while(round % 3);
        CHECK(kill(server, SIGCONT) == 0);
        if (whittle_onc_receive(&call) == WHITTLE_ONC_OK)
            at = call.at;
        GOOD(whittle_onc_end(&call, at));
    }
    whittle_onc_client_close(one);
    whittle_onc_client_close(other);
    end_process(server);
    running_open(&running, options, addresses);
    struct whittle_onc_client *const last = client_of(running_at(&running, "shm:"), NULL);
    add(last, 1, 2);
    wait_a_while(ASLEEP);
    running_close(&running);
    whittle_onc_client_close(last);
}

/* Whatever stands in its words, and however often it wakes the server: others are served, and the server sleeps when it has gone. */
static void write_words(const char *path, uint64_t seed)
{
    struct whittle_net_memory_head *const head = greeted(raw_connection(path));
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

static void words_are_written_over(const struct whittle_onc_server_options *options)
{
    enum { HOSTILE = 3 };
    pid_t hostile[HOSTILE];
    const pid_t server = server_process(options);
    char *const path = path_of(address);
    struct whittle_onc_client *const one = client_of(address, NULL), *const other = client_of(address, NULL);
    add(one, 1, 2);
    add(other, 1, 2);
    for (int index = 0; index < HOSTILE; index++)
        if ((hostile[index] = begin()) == 0)
            write_words(path, (uint64_t)index + 1);
    until_rings(server, 2 + HOSTILE);
    for (int32_t round = 0; round < 300; round++) {
        add(round % 2 == 0 ? one : other, round, 3);
        if (round % 10 == 0)
            wait_a_while(2);
    }
    for (int index = 0; index < HOSTILE; index++)
        end_process(hostile[index]);
    until_rings(server, 2);
    sleeps(server);
    add(one, 1, 2);
    free(path);
    whittle_onc_client_close(one);
    whittle_onc_client_close(other);
    end_process(server);
}

/* A system that has no such wait. */
static void the_system_cannot(const struct whittle_onc_server_options *options)
{
#if defined(SYS_futex_waitv)
    struct sock_filter lines[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex_waitv, 0, 1),
                                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog program = {sizeof lines / sizeof lines[0], lines};
    const pid_t child = begin();
    if (child == 0) {
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
            _exit(0);   /* nor has it filters */
        CHECK(!system_has_it());
        const pid_t server = server_process(options);
        const int before = threads_of(server);
        struct whittle_onc_client *clients[3];
        for (int32_t index = 0; index < 3; index++) {
            clients[index] = client_of(address, NULL);
            for (int32_t each = 0; each <= index; each++) {
                wait_a_while(ASLEEP);
                add(clients[each], index, each);
            }
        }
        until_rings(server, 3);
        sleeps(server);
        CHECK(options->workers != 0 || threads_of(server) == before);
        for (int index = 0; index < 3; index++)
            whittle_onc_client_close(clients[index]);
        until_rings(server, 0);
        end_process(server);
        _exit(0);
    }
    await_process(child);
#else
    (void)options;
#endif
}

int main(int count, char **arguments)
{
    static const struct test all[] = {{"clients wake it", clients_wake_it}, {"killed meanwhile", killed_meanwhile}, {"stopped meanwhile", stopped_meanwhile},
                                      {"words are written over", words_are_written_over}, {"the system cannot", the_system_cannot}};
    alarm(95);
    all_run(all, sizeof all / sizeof all[0], count > 1 ? arguments[1] : NULL);
    return 0;
}
