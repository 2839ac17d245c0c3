/* SPDX-License-Identifier: MIT-0 */
/* A server among peers that lie, dawdle, flood and vanish: it hangs up on them, and goes on serving. */
#include "scripted.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct running running;
static const char *address;
static struct whittle_onc_client *honest;

/* LATEST: it hangs up long before, but where the machine has much else to do. */
enum { PATIENCE = 200, LATEST = 20000, LONGEST = 65536, CONNECTIONS = 64 };

/* Over a connection of its own, and over one that is there from the beginning. */
static void still_serves(void)
{
    uint32_t words[16], sum[2] = {40, 2};
    char call[100];
    int32_t result;
    const int fd = peer_connect(address);
    scripted_write(fd, call, peer_call(call, 9, SAMPLE_ADD, sum, 2));
    CHECK(peer_read(fd, words, 16) == 7 && words[0] == 9 && words[6] == 42);
    close(fd);
    GOOD(sample_add(honest, 1, 2, &result));
    CHECK(result == 3);
}

static void mark_of(char *to, uint32_t size, bool last)
{
    whittle_put32(to, size | (last ? 0x80000000u : 0));
}

/* It does not come at once. */
static void large_request(void)
{
    static char bytes[44 + 4 + 50000];
    const uint32_t count = 50000;
    uint32_t words[16];
    const int fd = peer_connect(address);
    peer_call(bytes, 7, SAMPLE_UPLOAD, &count, 1);
    mark_of(bytes, sizeof bytes - 4, true);
    for (uint32_t index = 0; index < count; index++)
        bytes[48 + index] = (char)(index % 251);
    scripted_write(fd, bytes, 30000);
    pause_for(5);
    scripted_write(fd, bytes + 30000, sizeof bytes - 30000);
    CHECK(peer_read(fd, words, 16) == 7 && words[0] == 7 && words[6] == count);
    close(fd);
}

/* A mark that promises much, and little after it. */
static void promises_without_deeds(void)
{
    char call[100];
    int all[4];
    for (int index = 0; index < 4; index++) {
        all[index] = peer_connect(address);
        peer_call(call, 1, SAMPLE_NOTHING, NULL, 0);
        mark_of(call, 60000, index % 2 == 0);
        scripted_write(all[index], call, (size_t)(index == 0 ? 1 : index == 1 ? 4 : 44));
    }
    still_serves();
    for (int index = 0; index < 4; index++) {
        CHECK(peer_ends(all[index], LATEST));
        close(all[index]);
    }
}

static void lengths_that_lie(void)
{
    static const uint32_t all[] = {LONGEST + 1, 0x7fffffff, 0x7ffffff0, 39, 7, 1, 0};
    char call[100];
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++) {
        const int fd = peer_connect(address);
        peer_call(call, 1, SAMPLE_NOTHING, NULL, 0);
        mark_of(call, all[index], true);
        scripted_write(fd, call, 44);
        CHECK(peer_ends(fd, LATEST));
        close(fd);
    }
    still_serves();
}

/* Of a thousand bytes each, of one, of none. */
static void fragments_without_end(uint32_t size)
{
    static char piece[4 + 1000];
    const int fd = peer_connect(address);
    mark_of(piece, size, false);
    for (int count = 0; count < 200000; count++)
        if (send(fd, piece, 4 + size, MSG_NOSIGNAL) < 0)
            break;
    CHECK(peer_ends(fd, LATEST));
    close(fd);
    still_serves();
}

/* A byte now and then. */
static void slow_drip(void)
{
    char call[100];
    const int fd = peer_connect(address);
    const size_t size = peer_call(call, 1, SAMPLE_NOTHING, NULL, 0);
    for (size_t index = 0; index < size - 1 && !peer_ends(fd, PATIENCE / 20); index++)
        scripted_write(fd, call + index, 1);
    CHECK(peer_ends(fd, LATEST));
    close(fd);
    still_serves();
}

/* It says no more, but hears what it asked for. */
static void half_closed(void)
{
    char call[300];
    uint32_t words[16], milliseconds = 50;
    size_t size = 0;
    const int fd = peer_connect(address);
    for (uint32_t xid = 0; xid < 3; xid++)
        size += peer_call(call + size, xid, SAMPLE_REST, &milliseconds, 1);
    scripted_write(fd, call, size);
    shutdown(fd, SHUT_WR);
    bool heard[3] = {false, false, false};
    for (int count = 0; count < 3; count++) {
        CHECK(peer_read(fd, words, 16) == 6 && words[0] < 3 && !heard[words[0]]);
        heard[words[0]] = true;
    }
    CHECK(peer_read(fd, words, 16) == 0);
    close(fd);
    still_serves();
}

/* Asks and asks, and never reads an answer. */
static void replies_unread(void)
{
    char call[100];
    const uint32_t much = 60000;
    const int fd = peer_connect(address), small = 4096;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (uint32_t asked = 0; asked < 2000; asked++)
        if (send(fd, call, peer_call(call, asked, SAMPLE_DOWNLOAD, &much, 1), MSG_NOSIGNAL | MSG_DONTWAIT) <= 0)
            break;
    still_serves();
    pause_for(3 * PATIENCE);
    CHECK(peer_ends(fd, LATEST));
    close(fd);
    still_serves();
}

/* Calls in which words are replaced, and bytes that never were a call. */
static void at_random(void)
{
    uint64_t state = 88172645463325252u;
    for (int turn = 0; turn < 200; turn++) {
        char call[400];
        const uint32_t words[] = {3, 4};
        const int fd = peer_connect(address);
        size_t size = 0;
        while (size < 300)
            size += peer_call(call + size, (uint32_t)turn, (uint32_t)turn % 12, words, 2);
        for (int change = 0; change < 1 + turn % 5; change++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            whittle_put32(call + state % 70 * 4, turn % 3 == 0 ? (uint32_t)(state >> 20) : (uint32_t)(state >> 40) % 50);
        }
        scripted_write(fd, call, size);
        shutdown(fd, SHUT_WR);
        CHECK(peer_ends(fd, LATEST));
        close(fd);
        if (turn % 100 == 99)
            still_serves();
    }
}

/* More than it takes, silent: who has asked something stays. */
static void too_many(bool begin_something)
{
    int all[4 * CONNECTIONS];
    for (int index = 0; index < 4 * CONNECTIONS; index++) {
        all[index] = peer_connect(address);
        if (begin_something)
            scripted_write(all[index], "\x80", 1);
        if (index % CONNECTIONS == 0)
            still_serves();
    }
    still_serves();
    for (int index = 0; index < 4 * CONNECTIONS; index++)
        close(all[index]);
    still_serves();
}

/* Each holds a record that is nearly whole. */
static void hoarders(void)
{
    static char bytes[60000];
    int all[CONNECTIONS - 4];
    mark_of(bytes, 65000, true);
    for (int index = 0; index < CONNECTIONS - 4; index++) {
        all[index] = peer_connect(address);
        scripted_write(all[index], bytes, sizeof bytes);
    }
    still_serves();
    for (int index = 0; index < CONNECTIONS - 4; index++) {
        CHECK(peer_ends(all[index], LATEST));
        close(all[index]);
    }
    still_serves();
}

/* Who has been served before: each holds nearly a whole record, and goes on, a little at a time. */
static void known_hoarders(void)
{
    static char bytes[60000];
    enum { COUNT = 40 };
    char call[100];
    uint32_t words[16], sum[2] = {40, 2};
    int all[COUNT];
    mark_of(bytes, 65000, true);
    for (int index = 0; index < COUNT; index++) {
        all[index] = peer_connect(address);
        scripted_write(all[index], call, peer_call(call, 9, SAMPLE_ADD, sum, 2));
        CHECK(peer_read(all[index], words, 16) == 7);
        scripted_write(all[index], bytes, sizeof bytes);
    }
    pause_for(100);
    for (int turn = 0; turn < 10; turn++) {
        for (int index = 0; index < COUNT; index++)
            send(all[index], bytes + 4, 4, MSG_NOSIGNAL);
        pause_for(5);
        large_request();
    }
    for (int index = 0; index < COUNT; index++)
        close(all[index]);
    still_serves();
}

static int local_connect(const char *name)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    const size_t length = strlen(name);
    memcpy(local.sun_path + 1, name, length);
    CHECK(connect(fd, (const struct sockaddr *)&local, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length)) == 0);
    return fd;
}

/* Calls for more than is sent unread: of the replies, each of 60 KB, how many come. */
enum { REPLIES = 40 };

static int greedy(void)
{
    const uint32_t much = 60000;
    char call[100];
    const int fd = local_connect(running_at(&running, "unix:@") + strlen("unix:@"));
    for (uint32_t asked = 0; asked < REPLIES; asked++)
        scripted_write(fd, call, peer_call(call, asked, SAMPLE_DOWNLOAD, &much, 1));
    return fd;
}

static int replies_read(int fd)
{
    static char reply[4 + 24 + 4 + 60000];
    int count = 0;
    while (count < REPLIES && recv(fd, reply, sizeof reply, MSG_WAITALL) == (ssize_t)sizeof reply)
        count++;
    close(fd);
    return count;
}

/* Who reads late has all of it. */
static void replies_read_late(void)
{
    for (int turn = 0; turn < 3; turn++) {
        const int fd = greedy();
        still_serves();
        CHECK(replies_read(fd) == REPLIES);
    }
}

/* Until one of them is asked to go: the server may be behind with what it was asked. */
static void one_leaves(const int *all, int count)
{
    for (int tries = 0; tries < 4000; tries++) {
        for (int index = 0; index < count; index++) {
            struct pollfd asked = {.fd = all[index], .events = POLLRDHUP};
            if (poll(&asked, 1, 0) == 1)
                return;
        }
        pause_for(5);
    }
}

/* Each leaves less unread than it may: all of it together is too much. */
static void replies_hoarded(void)
{
    enum { COUNT = 40 };
    int all[COUNT], served = 0;
    for (int index = 0; index < COUNT; index++) {
        int there = 0, before = 0, same = 0;
        all[index] = greedy();
        struct pollfd hung_up = {.fd = all[index], .events = POLLRDHUP};
        /* No more than a little fits between; and where there is no memory, replies are short: they say so. */
        while (there < 120000 && same < 100 && poll(&hung_up, 1, 0) == 0) {
            CHECK(ioctl(all[index], FIONREAD, &there) == 0);
            same = there > 0 && there == before ? same + 1 : 0;
            before = there;
            pause_for(5);
        }
    }
    one_leaves(all, COUNT);
    still_serves();
    for (int index = 0; index < COUNT; index++) {
        shutdown(all[index], SHUT_WR);      /* a stream with short replies in it ends, too */
        served += replies_read(all[index]) == REPLIES;
    }
    CHECK(served < COUNT);
    large_request();
    still_serves();
}

/* Where nobody is too slow for its patience. */
static void patient(uint32_t workers, bool overtaking, uint32_t memory)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", "unix:@whittle-hostile", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .overtaking = overtaking, .longest = LONGEST, .pending = 100000,
                                                       .connections = CONNECTIONS, .memory = memory};
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    honest = client_of(address, NULL);
}

static void ends(void)
{
    whittle_onc_client_close(honest);
    running_close(&running);
}

static void memory_is_short(uint32_t workers, bool overtaking)
{
    patient(workers, overtaking, 64);
    replies_read_late();
    ends();
    patient(workers, overtaking, 1);
    known_hoarders();
    replies_hoarded();
    ends();
}

static void all(uint32_t workers, bool overtaking)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .overtaking = overtaking, .patience = PATIENCE, .longest = LONGEST, .pending = 100000,
                                                       .connections = CONNECTIONS, .memory = 1};
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    honest = client_of(address, NULL);
    still_serves();
    promises_without_deeds();
    lengths_that_lie();
    fragments_without_end(1000);
    fragments_without_end(1);
    fragments_without_end(0);
    slow_drip();
    half_closed();
    replies_unread();
    at_random();
    too_many(false);
    too_many(true);
    hoarders();
    whittle_onc_client_close(honest);
    running_close(&running);
}

/*
 * A long record that comes slowly is no hostile one: what is there of it counts, however much of it the server waits for before it
 * looks. The short request behind it, and one in the same bytes as its end, wait for nothing.
 */
static void long_and_slow(uint32_t workers, bool overtaking)
{
    enum { SIZE = 1000000, AT_ONCE = 400000, PART = 10000 };
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .overtaking = overtaking, .patience = PATIENCE};
    static char call[48 + SIZE + 2 * 100];
    const uint32_t size = SIZE, sum[2] = {40, 2};
    uint32_t words[16];
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    const int fd = peer_connect(address);
    size_t all = peer_call(call, 1, SAMPLE_UPLOAD, &size, 1), gone = AT_ONCE;
    for (uint32_t index = 0; index < SIZE; index++)
        call[all + index] = (char)(index % 251);
    mark_of(call, (uint32_t)all - 4 + SIZE, true);
    all += SIZE;
    all += peer_call(call + all, 2, SAMPLE_ADD, sum, 2);
    for (scripted_write(fd, call, gone); gone < all; gone += PART < all - gone ? PART : all - gone) {
        pause_for(10);
        scripted_write(fd, call + gone, PART < all - gone ? PART : all - gone);
    }
    scripted_write(fd, call, peer_call(call, 3, SAMPLE_ADD, sum, 2));
    for (uint32_t count = 0; count < 3; count++) {
        CHECK(peer_read(fd, words, 16) == 7 && words[0] >= 1 && words[0] <= 3);
        CHECK(words[6] == (words[0] == 1 ? SIZE : 42));
    }
    close(fd);
    running_close(&running);
}

/* However many come at once, no more connections are served than may be: one that leaves makes room for one. */
static void places_are_few(uint32_t workers)
{
    enum { PLACES = 40, BURST = 16, BURSTS = 6 };
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .connections = PLACES, .patience = 20000};
    struct whittle_net_usage usage;
    int all[PLACES + BURSTS * BURST], count = 0;
    char call[100];
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    const size_t size = peer_call(call, 1, SAMPLE_NOTHING, NULL, 0);
    for (int burst = 0; burst <= BURSTS; burst++) {
        /* All are busy with half a request, but for one, who says nothing. */
        for (int some = burst == 0 ? PLACES : BURST; some > 0; some--) {
            all[count] = peer_connect(address);
            if (some > 1) {
                scripted_write(all[count], call, size);
                scripted_write(all[count], call, size / 2);
            }
            count++;
        }
        pause_for(150);
        whittle_onc_server_usage(running.server, &usage);
        CHECK(usage.connections <= PLACES + workers + 1u);
    }
    while (count > 0)
        close(all[--count]);
    running_close(&running);
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 4096; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* Requests that wait for a thread hold the descriptors of connections that have gone: they are counted, and end soon. */
static void descriptors_are_few(uint32_t workers)
{
    enum { PLACES = 16, CALLS = 64, ROUNDS = 40, AT_ONCE = 40 };
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .overtaking = true, .connections = PLACES, .patience = 20000};
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    const uint32_t milliseconds = 1;
    static char calls[CALLS * 100];
    size_t size = 0;
    int most = 0;
    for (uint32_t index = 0; index < CALLS; index++)
        size += peer_call(calls + size, index, SAMPLE_REST, &milliseconds, 1);
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    const int before = open_descriptors();
    for (int round = 0; round < ROUNDS; round++) {
        int all[AT_ONCE];
        for (int index = 0; index < AT_ONCE; index++) {
            all[index] = peer_connect(address);
            scripted_write(all[index], calls, size);
        }
        pause_for(4);
        for (int index = 0; index < AT_ONCE; index++) {
            setsockopt(all[index], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            close(all[index]);
        }
        const int now = open_descriptors();
        most = now > most ? now : most;
    }
    CHECK(most - before <= PLACES + 16 + (int)workers + 1);
    running_close(&running);
}

/* What cannot fit into the memory is refused when its length is read, not when the memory is used up. */
static void more_than_memory(uint32_t workers)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = workers, .memory = 1, .longest = 16 << 20, .patience = 4 * LATEST};
    char call[100];
    running_open(&running, &options, addresses);
    address = running_at(&running, "tcp");
    honest = client_of(address, NULL);
    const int fd = peer_connect(address);
    peer_call(call, 1, SAMPLE_NOTHING, NULL, 0);
    mark_of(call, 600 * 1024, true);
    scripted_write(fd, call, 44);
    CHECK(peer_ends(fd, LATEST));
    close(fd);
    still_serves();
    ends();
}

int main(void)
{
    struct rusage usage;
    more_than_memory(0);
    more_than_memory(3);
    places_are_few(0);
    places_are_few(4);
    descriptors_are_few(4);
    all(0, false);
    all(3, false);
    all(3, true);
    long_and_slow(0, false);
    long_and_slow(3, false);
    long_and_slow(3, true);
    memory_is_short(0, false);
    memory_is_short(3, false);
    memory_is_short(3, true);
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 400 * 1024);
    return 0;
}
