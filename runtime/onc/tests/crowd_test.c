/* SPDX-License-Identifier: MIT-0 */
/*
 * As many connections as descriptors allow, up to ten thousand, held by another process: a tenth of them malicious (nonsense,
 * drips, fragments without end, silence amid a record), the others served, all of them, again and again. Memory stays bounded,
 * and nothing is left afterwards.
 */
#include "scripted.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 10000, ROUNDS = 3 };

static uint32_t number_of_connections(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > MOST + 200 ? MOST : (uint32_t)limit.rlim_cur - 200;
}

/* Something bad, a little more of it each round. */
static void attack(int fd, uint32_t which, uint32_t round)
{
    static char zeros[3000];
    char call[100];
    const size_t size = peer_call(call, which, which % 12, NULL, 0);
    switch (which % 5) {
    case 0:     /* nonsense */
        for (size_t index = 0; index < size; index++)
            call[index] = (char)(call[index] ^ (char)(which * 31 + index * round));
        send(fd, call, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        break;
    case 1: send(fd, call + round, 1, MSG_NOSIGNAL | MSG_DONTWAIT); break;      /* a drip */
    case 2: /* fragments without end */
        whittle_put32(zeros, (uint32_t)sizeof zeros - 4);
        send(fd, zeros, sizeof zeros, MSG_NOSIGNAL | MSG_DONTWAIT);
        break;
    case 3: /* a long record, never whole */
        whittle_put32(call, 0x80000000u + 1000000);
        send(fd, round == 0 ? call : zeros, round == 0 ? size : sizeof zeros, MSG_NOSIGNAL | MSG_DONTWAIT);
        break;
    default: shutdown(fd, SHUT_WR); break;
    }
}

static void honest_round(const int *all, uint32_t count, uint32_t round)
{
    char call[100];
    uint32_t words[16];
    for (uint32_t index = 0; index < count; index++) {
        const uint32_t arguments[] = {index, round};
        if (index % 10 == 0)
            attack(all[index], index / 10, round);
        else
            scripted_write(all[index], call, peer_call(call, index, SAMPLE_ADD, arguments, 2));
    }
    for (uint32_t index = 0; index < count; index++)
        if (index % 10 != 0)
            CHECK(peer_read(all[index], words, 16) == 7 && words[0] == index && words[6] == index + round);
}

static void crowd(const char *address, uint32_t count)
{
    int *const all = calloc(count, sizeof *all);
    CHECK(all != NULL);
    for (uint32_t index = 0; index < count; index++)
        all[index] = peer_connect(address);
    for (uint32_t round = 0; round < ROUNDS; round++)
        honest_round(all, count, round);
    _exit(0);
}

static void serve(uint32_t workers, uint32_t count)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .memory = 64};
    struct running running;
    struct rusage before, after;
    int status = 1;
    getrusage(RUSAGE_SELF, &before);
    running_open(&running, &options, addresses);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        crowd(running_at(&running, "tcp"), count);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    struct whittle_onc_client *const client = client_of(running_at(&running, "tcp"), NULL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < 256 * 1024);
    CHECK(__atomic_load_n(&running.servant.calls, __ATOMIC_RELAXED) >= ROUNDS * (count - count / 10 - 1));
    running_close(&running);
}

int main(void)
{
    const uint32_t count = number_of_connections();
    const int before = dup(0);
    close(before);
    serve(0, count);
    serve(3, count);
    const int after = dup(0);
    CHECK(before == after);     /* no descriptor is left open */
    return 0;
}
