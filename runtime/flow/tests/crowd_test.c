/*
 * A thousand edges between two processes: they come to one socket, over one connection; each process has two threads, whatever its edges, starts with the
 * descriptors that a shell gives (1,024), uses no more memory than its queues and counters, and sleeps where nothing is to be done.
 * Prints what it cost.
 */
#include "common.h"
#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { EDGES = 1000, ROUNDS = 3, IDLE_MS = 2000 };

struct board { uint32_t sinks, taken, slept, over; };
static struct board *board;
static struct whittle_flow_edge edges[EDGES];
static char names[EDGES][32];

static unsigned count_files(const char *folder)
{
    DIR *const all = opendir(folder);
    unsigned count = 0;
    CHECK(all != NULL, "%s", strerror(errno));
    for (const struct dirent *each; (each = readdir(all)) != NULL;)
        count += each->d_name[0] != '.';
    closedir(all);
    return count;
}

static unsigned long value_of(const char *file, const char *name)
{
    char line[256];
    unsigned long value = 0;
    FILE *const in = fopen(file, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtoul(line + strlen(name) + 1, NULL, 10);
    if (in != NULL)
        fclose(in);
    return value;
}

/* The sockets of this process that others connect to. */
static unsigned count_listening(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 8192; fd++) {
        int listens = 0;
        socklen_t size = sizeof listens;
        count += getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0;
    }
    return count;
}

/* Connections from process to process: one, but that shared memory passes by one for each edge. */
static void check_connections(const struct whittle_flow_edge *edge)
{
    unsigned count = 0;
    for (int fd = 0; fd < 8192; fd++) {
        struct sockaddr_storage name;
        socklen_t size = sizeof name;
        count += getpeername(fd, (struct sockaddr *)&name, &size) == 0;
    }
    EQUAL(count, edge->transport == WHITTLE_FLOW_SHM ? EDGES : 1);
}

/* How often threads of this process have gone to sleep by themselves. */
static unsigned long sleeps(void)
{
    char file[300];
    unsigned long sum = 0;
    DIR *const all = opendir("/proc/self/task");
    for (const struct dirent *each; (each = readdir(all)) != NULL;)
        if (each->d_name[0] != '.') {
            snprintf(file, sizeof file, "/proc/self/task/%s/status", each->d_name);
            sum += value_of(file, "voluntary_ctxt_switches:");
        }
    closedir(all);
    return sum;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void begin(struct whittle_flow_process *process, const char *name)
{
    const double before = seconds();
    const unsigned long memory = value_of("/proc/self/status", "VmRSS:");
    char *arguments[] = {(char *)(uintptr_t)name, NULL};
    struct rlimit few;
    CHECK(getrlimit(RLIMIT_NOFILE, &few) == 0, "%s", strerror(errno));
    few.rlim_cur = 1024;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0, "%s", strerror(errno));
    process->flow = "test";
    process->name = name;
    process->security = &whittle_flow_keyed;
    CHECK(whittle_flow_begin(process, 1, arguments), "%s", name);
    const unsigned sockets = count_listening();
    printf("  %s: %.0f ms to begin, %u descriptors, %u listening, %lu KB\n", name, (seconds() - before) * 1e3, count_files("/proc/self/fd"), sockets,
        value_of("/proc/self/status", "VmRSS:") - memory);
    fflush(stdout);
    EQUAL(sockets, process->receiver_count != 0);
}

/* Nothing happens on any edge: nobody wakes, but for what each process does once a second or more seldom. */
static void idle(const char *name)
{
    enum { MOST = 20 };
    sleep_ms(500);
    const unsigned long before = sleeps();
    sleep_ms(IDLE_MS);
    const unsigned long times = sleeps() - before;
    const unsigned threads = count_files("/proc/self/task");
    check_connections(&edges[0]);
    printf("  %s: %u threads, woke %lu times in %d ms without packets, %lu KB\n", name, threads, times, IDLE_MS, value_of("/proc/self/status", "VmRSS:"));
    fflush(stdout);
    CHECK(times <= MOST, "%s woke %lu times", name, times);
}

static int source(const void *argument)
{
    static struct whittle_flow_sender ends[EDGES], *all[EDGES];
    struct whittle_flow_process process = {.senders = all, .sender_count = EDGES};
    (void)argument;
    for (int n = 0; n < EDGES; n++) {
        ends[n].edge = &edges[n];
        all[n] = &ends[n];
    }
    begin(&process, "source");
    const double before = seconds();
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t n = 0; n < EDGES; n++) {
            ((struct number *)whittle_flow_room(&ends[n]))->value = n * ROUNDS + round;
            CHECK(whittle_flow_send(&ends[n], 0) == WHITTLE_FLOW_IS_SENT, "packet %u of edge %u", round, n);
        }
    while (__atomic_load_n(&board->taken, __ATOMIC_SEQ_CST) < EDGES * ROUNDS)
        sleep_ms(1);
    printf("  the first packets of all edges: %.0f ms\n", (seconds() - before) * 1e3);
    idle("source");
    while (__atomic_load_n(&board->slept, __ATOMIC_SEQ_CST) == 0)
        sleep_ms(1);
    return whittle_flow_end(&process);
}

static void *watch_idle(void *argument)
{
    (void)argument;
    while (__atomic_load_n(&board->taken, __ATOMIC_SEQ_CST) < EDGES * ROUNDS)
        sleep_ms(100);
    idle("sink");
    __atomic_store_n(&board->slept, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static int sink(const void *argument)
{
    static struct whittle_flow_receiver ends[EDGES], *all[EDGES];
    static uint32_t next[EDGES];
    struct whittle_flow_process process = {.receivers = all, .receiver_count = EDGES};
    const struct number *packet;
    pthread_t watcher;
    size_t which = 0;
    (void)argument;
    for (int n = 0; n < EDGES; n++) {
        ends[n].edge = &edges[n];
        all[n] = &ends[n];
    }
    begin(&process, "sink");
    CHECK(pthread_create(&watcher, NULL, watch_idle, NULL) == 0, "thread");
    while ((packet = whittle_flow_receive_any(all, EDGES, &which)) != NULL) {
        EQUAL(packet->value, which * ROUNDS + next[which]);
        next[which]++;
        __atomic_fetch_add(&board->taken, 1, __ATOMIC_SEQ_CST);
    }
    pthread_join(watcher, NULL);
    return whittle_flow_end(&process);
}

int main(void)
{
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"a thousand edges over unix", WHITTLE_FLOW_UNIX}, {"a thousand edges over tcp", WHITTLE_FLOW_TCP}, {"a thousand edges over shm", WHITTLE_FLOW_SHM}};
    board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(board != MAP_FAILED, "%s", strerror(errno));
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        memset(board, 0, sizeof *board);
        for (int n = 0; n < EDGES; n++) {
            snprintf(names[n], sizeof names[n], "S.out -> T.in%d", n);
            edges[n] = an_edge(&number_type, ways[way].transport);
            edges[n].name = names[n];
            edges[n].number = edges[n].shares = (uint16_t)n;
        }
        new_place(ways[way].name);
        const pid_t to = spawn(sink, NULL), from = spawn(source, NULL);
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        for (unsigned n = 0; n < EDGES; n++)
            check_balance(n, 0);
    }
    return 0;
}
