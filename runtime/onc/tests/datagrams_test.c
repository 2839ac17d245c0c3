/* SPDX-License-Identifier: MIT-0 */
/* Datagrams that are lost, late, doubled and strange: calls are sent again, and executed once. */
#include "scripted.h"
#include <poll.h>
#include <sys/socket.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <time.h>
#include <unistd.h>

static uint64_t arrivals[3];
static uint32_t numbers[3], last_number;

static uint64_t now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (uint64_t)moment.tv_sec * 1000 + (uint64_t)moment.tv_nsec / 1000000;
}

/* Answers the third time only, then twice, among nonsense: until another call comes and is answered, too. */
static void forgetful(int fd, int turn)
{
    char call[4096], reply[24] = {0};
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    (void)turn;
    for (int count = 0; last_number == 0; count++) {
        const ssize_t came = recvfrom(fd, call, sizeof call, 0, (struct sockaddr *)&name, &size);
        CHECK(came >= 40);
        const uint32_t number = whittle_get32(call);
        if (count < 3) {
            arrivals[count] = now();
            numbers[count] = number;
        }
        if (count < 2)
            continue;
        memcpy(reply, call, 4);
        reply[7] = 1;
        last_number = number == numbers[0] ? 0 : number;    /* the machine may be slow, and the first come once more */
        const size_t lengths[] = {0, 3, 24, 24};
        for (size_t index = 0; index < 4; index++)
            sendto(fd, index == 2 || count > 2 ? reply : call + 1, lengths[index], 0, (struct sockaddr *)&name, size);
        sendto(fd, reply, sizeof reply, 0, (struct sockaddr *)&name, size);
    }
}

static void sent_again(void)
{
    struct scripted scripted;
    const struct whittle_onc_client_options options = {.retransmit = 200};
    scripted_open(&scripted, true, forgetful);
    struct whittle_onc_client *const client = client_of(scripted.address, &options);
    const uint64_t began = now();
    GOOD(sample_nothing(client));
    GOOD(sample_nothing(client));
    pthread_join(scripted.thread, NULL);
    CHECK(numbers[0] == numbers[1] && numbers[1] == numbers[2] && numbers[2] != last_number);
    /* A machine that is at work lets the first come late: what is certain is when it was sent at the earliest. */
    CHECK(arrivals[1] - began >= 199 && arrivals[2] - began >= 199 + 399);
    const struct whittle_onc_client_options short_deadlines = {.retransmit = 20, .timeout = 90};
    struct whittle_onc_client *const other = client_of(scripted.address, &short_deadlines);
    IS(sample_nothing(other), WHITTLE_ONC_TIMED_OUT);
    whittle_onc_client_close(other);
    whittle_onc_client_close(client);
    close(scripted.fd);
}

static bool hears(int fd, int milliseconds, uint32_t *xid)
{
    char reply[4096];
    struct pollfd watched = {fd, POLLIN, 0};
    if (poll(&watched, 1, milliseconds) != 1)
        return false;
    CHECK(recv(fd, reply, sizeof reply, 0) >= 24);
    *xid = whittle_get32(reply);
    return true;
}

static uint32_t calls_of(const struct running *running)
{
    return __atomic_load_n(&running->servant.calls, __ATOMIC_RELAXED);
}

static void executed_once(struct running *running)
{
    char call[100];
    const uint32_t words[] = {4, 5};
    uint32_t xid;
    const int fd = peer_connect(running_at(running, "udp")), other = peer_connect(running_at(running, "udp"));
    const size_t size = peer_call(call, 77, SAMPLE_ADD, words, 2) - 4;
    const uint32_t before = calls_of(running);
    for (int count = 0; count < 5; count++) {
        CHECK(send(fd, call + 4, size, 0) == (ssize_t)size);
        CHECK(hears(fd, 20000, &xid) && xid == 77);
    }
    CHECK(calls_of(running) == before + 1);
    CHECK(send(other, call + 4, size, 0) == (ssize_t)size && hears(other, 20000, &xid));     /* another caller's */
    CHECK(calls_of(running) == before + 2);
    for (uint32_t next = 100; next < 140; next++) {     /* more than are kept */
        const size_t more = peer_call(call, next, SAMPLE_ADD, words, 2) - 4;
        CHECK(send(fd, call + 4, more, 0) == (ssize_t)more && hears(fd, 20000, &xid) && xid == next);
    }
    peer_call(call, 77, SAMPLE_ADD, words, 2);
    CHECK(send(fd, call + 4, size, 0) == (ssize_t)size && hears(fd, 20000, &xid) && xid == 77);
    CHECK(calls_of(running) == before + 43);
    close(fd);
    close(other);
}

/* While it is executed, what comes again is not answered. */
static void once_at_a_time(struct running *running)
{
    char call[100];
    const uint32_t span = 600;
    uint32_t xid;
    const int fd = peer_connect(running_at(running, "udp"));
    const uint32_t before = calls_of(running);
    const size_t size = peer_call(call, 9, SAMPLE_REST, &span, 1) - 4;
    for (int count = 0; count < 4; count++)
        CHECK(send(fd, call + 4, size, 0) == (ssize_t)size);
    CHECK(hears(fd, 20000, &xid) && xid == 9 && !hears(fd, 100, &xid));
    CHECK(send(fd, call + 4, size, 0) == (ssize_t)size && hears(fd, 20000, &xid) && xid == 9);
    CHECK(calls_of(running) == before + 1);
    close(fd);
}

/* What is no call is not answered; what cannot be accepted is refused. */
static void strange(struct running *running)
{
    char bytes[300];
    uint32_t xid;
    const int fd = peer_connect(running_at(running, "udp"));
    for (size_t size = 0; size < 40; size++) {
        const size_t whole = peer_call(bytes, (uint32_t)size, SAMPLE_NOTHING, NULL, 0);
        CHECK(whole == 44 && send(fd, bytes + 4, size, 0) == (ssize_t)size);
    }
    CHECK(!hears(fd, 100, &xid));
    peer_call(bytes, 5, SAMPLE_NOTHING, NULL, 0);
    bytes[15] = 3;
    CHECK(send(fd, bytes + 4, 40, 0) == 40 && hears(fd, 20000, &xid) && xid == 5);
    close(fd);
}

int main(void)
{
    static const char *const addresses[] = {"udp://", NULL};
    const struct whittle_onc_server_options modest = {.duplicates = 16}, many = {.workers = 3};
    struct running running;
    sent_again();
    running_open(&running, &modest, addresses);
    executed_once(&running);
    strange(&running);
    char there[64];
    snprintf(there, sizeof there, "udp://127.0.0.2%s", strrchr(running_at(&running, "udp"), ':'));
    const struct whittle_onc_client_options soon = {.timeout = 20000};
    struct whittle_onc_client *const client = client_of(there, &soon);
    GOOD(sample_nothing(client));   /* the answer comes from where the call went */
    whittle_onc_client_close(client);
    running_close(&running);
    running_open(&running, &many, addresses);
    once_at_a_time(&running);
    running_close(&running);
    return 0;
}
