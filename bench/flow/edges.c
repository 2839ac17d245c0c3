/*
 * One edge between two processes of one machine, as generated code uses it, beside the same by hand over bare sockets:
 * packets gathered to 64 KB and written when the buffer is full, or one by one where the answer is waited for.
 * made with: cc -O2 -pthread -D_GNU_SOURCE -Iruntime/include bench/flow/edges.c runtime/flow/*.c runtime/flow/key/*.c runtime/net/*.c -lcrypto
 * usage: edges whittle|keyed|hand tcp|unix|shm throughput|latency 4|152|12288 COUNT [QUEUE [EDGES]]
 * EDGES: so many edges go each way, of which the others are idle: more than one share a connection.
 * keyed: TCP edges are authenticated; `whittle` leaves that out, as by hand.
 * prints nanoseconds per packet, and of each process's time: of a stream of COUNT packets up to the 4 bytes that say that the last has come, or of a
 * packet and a 4-byte one back.
 */
#include "../../runtime/flow/flow.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BATCH = 65536 };
static struct { uint32_t word[3072]; } pattern;
static uint32_t sum;
static size_t size;
static long count;
static bool latency, keyed;

/* What a source does: a whole packet is written. What a sink does: looks at both ends of it. */
static inline void fill(void *packet, size_t bytes, long n)
{
    const uint32_t first = (uint32_t)n;
    memcpy(packet, &pattern, bytes);
    memcpy(packet, &first, 4);
}
static inline void look(const void *packet, size_t bytes)
{
    uint32_t first, last;
    if (packet == NULL)
        exit(1);
    memcpy(&first, packet, 4);
    memcpy(&last, (const char *)packet + bytes - 4, 4);
    sum += first ^ last;
}

/* ---- whittle ---- */
static struct whittle_flow_type type = {.name = "packet", .fingerprint = 1, .alignment = 4};
static const struct whittle_flow_type word = {.name = "word", .fingerprint = 2, .size = 4, .alignment = 4, .fixed = 4};
static struct whittle_flow_edge there = {.flow = "bench", .name = "there", .from = "a", .to = "b", .number = 1, .delivery = WHITTLE_FLOW_RELIABLE, .one_clock = true, .type = &type};
static struct whittle_flow_edge back = {.flow = "bench", .name = "back", .from = "b", .to = "a", .number = 2, .delivery = WHITTLE_FLOW_RELIABLE, .one_clock = true, .type = &word};
enum { EDGES = 1000 };
static struct whittle_flow_edge idle[2][EDGES];
static struct whittle_flow_sender sender, idle_sender[EDGES], *senders[EDGES] = {&sender};
static struct whittle_flow_receiver receiver, idle_receiver[EDGES], *receivers[EDGES] = {&receiver};
static struct whittle_flow_process process = {.flow = "bench", .name = "edges", .security = &whittle_flow_keyed, .senders = senders, .sender_count = 1, .receivers = receivers, .receiver_count = 1};

/* Edges of each direction come to the socket of its first. */
static void whittle_add_idle(bool first, size_t edges)
{
    for (size_t n = 1; n < edges && n < EDGES; n++) {
        for (int way = 0; way < 2; way++) {
            idle[way][n] = way == 0 ? there : back;
            idle[way][n].number = (uint16_t)(idle[way][n].number + 2 * n);
            idle[way][n].shares = (uint16_t)(2 * n);
        }
        idle_sender[n].edge = &idle[first ? 0 : 1][n];
        idle_receiver[n].edge = &idle[first ? 1 : 0][n];
        senders[n] = &idle_sender[n];
        receivers[n] = &idle_receiver[n];
        process.sender_count = process.receiver_count = n + 1;
    }
}

static inline __attribute__((always_inline)) double whittle_source(size_t bytes)
{
    uint64_t begun = 0;
    for (long n = -1; n < count; n++) {
        fill(whittle_flow_room(&sender), bytes, n);
        whittle_flow_send(&sender, 0);
        if (n < 0 || latency)
            look(whittle_flow_receive(&receiver), 4);
        if (n < 0)
            begun = whittle_flow_now(true);
    }
    if (!latency) {
        whittle_flow_flush(&process);
        look(whittle_flow_receive(&receiver), 4);
    }
    return (double)(whittle_flow_now(true) - begun) / (double)count;
}

static inline __attribute__((always_inline)) void whittle_sink(size_t bytes)
{
    const void *packet;
    for (long n = -1; (packet = whittle_flow_receive(&receiver)) != NULL; n++) {
        look(packet, bytes);
        if (n < 0 || latency || n == count - 1) {
            fill(whittle_flow_room(&sender), 4, n);
            whittle_flow_send(&sender, 0);
        }
    }
}

static double whittle_run_pair(bool first, size_t edges)
{
    double each = 0;
    sender.edge = first ? &there : &back;
    receiver.edge = first ? &back : &there;
    whittle_add_idle(first, edges);
    char *arguments[] = {(char *)"edges", (char *)"--unauthenticated", NULL};
    if (!whittle_flow_begin(&process, keyed ? 1 : 2, arguments))
        exit(1);
    if (first)
        each = size == 4 ? whittle_source(4) : size == 152 ? whittle_source(152) : whittle_source(12288);
    else if (size == 4)
        whittle_sink(4);
    else if (size == 152)
        whittle_sink(152);
    else
        whittle_sink(12288);
    size_t which;
    for (size_t n = 0; n < process.sender_count; n++)
        whittle_flow_close(senders[n]);
    while (edges > 1 && whittle_flow_receive_any(receivers, process.receiver_count, &which) != NULL)
        continue;
    if (whittle_flow_end(&process) != 0)
        exit(1);
    return each;
}

/* ---- by hand ---- */
static void all(ssize_t (*io)(int, void *, size_t), int fd, char *at, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t some = io(fd, at, bytes);
        if (some <= 0)
            exit(1);
        at += some;
        bytes -= (size_t)some;
    }
}
static ssize_t put(int fd, void *at, size_t bytes) { return write(fd, at, bytes); }

static inline __attribute__((always_inline)) double hand_source(int fd, size_t bytes, size_t batch)
{
    static char buffer[BATCH + 12288];
    char answer[4];
    size_t filled = 0;
    uint64_t begun = 0;
    for (long n = -1; n < count; n++) {
        fill(buffer + filled, bytes, n);
        filled += bytes;
        if (n >= 0 && !latency && filled < batch && n < count - 1)
            continue;
        all(put, fd, buffer, filled);
        filled = 0;
        if (n < 0 || latency || n == count - 1) {
            all(read, fd, answer, 4);
            look(answer, 4);
        }
        if (n < 0)
            begun = whittle_flow_now(true);
    }
    return (double)(whittle_flow_now(true) - begun) / (double)count;
}

static inline __attribute__((always_inline)) void hand_sink(int fd, size_t bytes)
{
    static char buffer[BATCH];
    char answer[4];
    size_t filled = 0;
    for (long n = -1; n < count;) {
        const ssize_t some = read(fd, buffer + filled, sizeof buffer - filled);
        if (some <= 0)
            exit(1);
        filled += (size_t)some;
        size_t at = 0;
        for (; at + bytes <= filled; at += bytes, n++) {
            look(buffer + at, bytes);
            if (n < 0 || latency || n == count - 1) {
                fill(answer, 4, n);
                all(put, fd, answer, 4);
            }
        }
        memmove(buffer, buffer + at, filled - at);
        filled -= at;
    }
}

static void hand_pair(bool tcp, int fd[2])
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (!tcp) {
        socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
        return;
    }
    if (bind(listener, (void *)&at, length) || listen(listener, 1) || getsockname(listener, (void *)&at, &length))
        exit(1);
    fd[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd[0], (void *)&at, length))
        exit(1);
    fd[1] = accept(listener, NULL, NULL);
    for (int end = 0; end < 2; end++)
        setsockopt(fd[end], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static double used(const struct rusage *usage)
{
    return ((double)usage->ru_utime.tv_sec + (double)usage->ru_stime.tv_sec) * 1e9
        + ((double)usage->ru_utime.tv_usec + (double)usage->ru_stime.tv_usec) * 1e3;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    const bool hand = strcmp(argv[1], "hand") == 0, tcp = strcmp(argv[2], "tcp") == 0;
    keyed = strcmp(argv[1], "keyed") == 0;
    latency = strcmp(argv[3], "latency") == 0;
    size = (size_t)atol(argv[4]);
    count = atol(argv[5]);
    type.size = type.fixed = (uint32_t)size;
    there.transport = back.transport = tcp ? WHITTLE_FLOW_TCP : strcmp(argv[2], "unix") == 0 ? WHITTLE_FLOW_UNIX : WHITTLE_FLOW_SHM;
    there.queue_items = argc > 6 ? (uint64_t)atol(argv[6]) : 0;
    const size_t edges = argc > 7 ? (size_t)atol(argv[7]) : 1;
    const size_t batch = there.queue_items > 0 && there.queue_items * size < BATCH ? there.queue_items * size : BATCH;
    char directory[64];
    snprintf(directory, sizeof directory, "/tmp/whittle-bench-%d", (int)getpid());
    mkdir(directory, 0700);
    setenv("WHITTLE_DIR", directory, 1);
    char port[16];
    snprintf(port, sizeof port, "%d", 10000 + (int)getpid() % 9000);
    setenv("WHITTLE_PORT", port, 1);
    int fd[2];
    if (hand)
        hand_pair(tcp, fd);
    const pid_t child = fork();
    if (child == 0) {
        if (!hand)
            whittle_run_pair(false, edges);
        else if (size == 4)
            hand_sink(fd[1], 4);
        else if (size == 152)
            hand_sink(fd[1], 152);
        else
            hand_sink(fd[1], 12288);
        return 0;
    }
    const double each = !hand ? whittle_run_pair(true, edges)
        : size == 4 ? hand_source(fd[0], 4, batch) : size == 152 ? hand_source(fd[0], 152, batch) : hand_source(fd[0], 12288, batch);
    waitpid(child, NULL, 0);
    struct rusage own, others;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &others);
    printf("%.1f %.1f %.1f\n", each, used(&own) / (double)count, used(&others) / (double)count);
    return 0;
}
