/*
 * Calls between two processes of this machine, in turns: whittle's over shared memory, a Unix socket and TCP, by ONC RPC and by GIOP, and
 * beside them what bare memory, futexes and sockets take. In: the number of rounds; `asleep` for that workload alone, which one processor can do, too.
 * Out: lines of workload, bytes, who, round, nanoseconds.
 */
#include "local.h"
#include "giop.h"
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "whittle_onc_stubs.h"

enum { NULLS = 20000, SLOW_NULLS = 500, SLEEPS = 60, BATCHES = 100, BATCH = 64, LONGEST = 1 << 20, WARM = 200000000 };

static uint64_t now(void)
{
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    return (uint64_t)moment.tv_sec * 1000000000u + (uint64_t)moment.tv_nsec;
}

static void must(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

static void rest(void)
{
    const struct timespec span = {0, 200000};
    nanosleep(&span, NULL);
}

/* whittle's server and clients. */
static int nothing(void *context)
{
    (void)context;
    return 0;
}

static int take(void *context, const struct LOCAL_1_TAKE_arg1 *argument, uint32_t *result)
{
    (void)context;
    *result = argument->length;
    return 0;
}

static const struct local_operations operations = {.nothing = nothing, .take = take};

/* Bare peers: one word goes there and back. */
struct shared { _Alignas(128) uint32_t there; _Alignas(128) uint32_t back; _Alignas(128) uint32_t sleeps; };

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void spin_until(uint32_t *word, uint32_t value)
{
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
        relax();
}

static void futex(uint32_t *word, int operation, uint32_t value)
{
    syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

static void sleep_until(uint32_t *word, uint32_t value)
{
    for (uint32_t is; (is = __atomic_load_n(word, __ATOMIC_ACQUIRE)) != value;)
        futex(word, FUTEX_WAIT, is);
}

static void set(uint32_t *word, uint32_t value, int wakes)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    if (wakes)
        futex(word, FUTEX_WAKE, 1);
}

static pid_t children[16];
static int child_count;

static int is_child(void)
{
    const pid_t child = fork();
    must(child >= 0, "fork");
    if (child != 0)
        children[child_count++] = child;
    return child == 0;
}

static struct shared *memory_peer(int sleeps)
{
    struct shared *const shared = (struct shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    must(shared != MAP_FAILED, "mmap");
    if (!is_child())
        return shared;
    for (uint32_t round = 1;; round++) {
        if (!sleeps)    /* idle while others take their turns */
            for (int look = 0; look < 20000 && __atomic_load_n(&shared->there, __ATOMIC_ACQUIRE) != round; look++)
                relax();
        if (__atomic_load_n(&shared->there, __ATOMIC_ACQUIRE) != round) {
            __atomic_store_n(&shared->sleeps, 1, __ATOMIC_SEQ_CST);
            sleep_until(&shared->there, round);
            __atomic_store_n(&shared->sleeps, 0, __ATOMIC_SEQ_CST);
        }
        set(&shared->back, round, sleeps);
    }
}

static void memory_call(struct shared *shared, int sleeps)
{
    const uint32_t round = shared->back + 1;
    __atomic_store_n(&shared->there, round, __ATOMIC_SEQ_CST);
    if (sleeps || __atomic_load_n(&shared->sleeps, __ATOMIC_SEQ_CST) != 0)
        futex(&shared->there, FUTEX_WAKE, 1);
    if (sleeps)
        sleep_until(&shared->back, round);
    else
        spin_until(&shared->back, round);
}

static void echo(int fd)
{
    char word[64];
    for (ssize_t came; (came = recv(fd, word, sizeof word, 0)) > 0;)
        must(send(fd, word, (size_t)came, 0) == came, "send");
    _exit(0);
}

static int unix_peer(void)
{
    int both[2];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0, "socketpair");
    if (is_child())
        echo(both[1]);
    return both[0];
}

static int tcp_peer(void)
{
    const int yes = 1, listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    must(bind(listener, (struct sockaddr *)&name, size) == 0 && listen(listener, 1) == 0, "listen");
    must(getsockname(listener, (struct sockaddr *)&name, &size) == 0 && connect(fd, (struct sockaddr *)&name, size) == 0, "connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (is_child()) {
        const int accepted = accept(listener, NULL, NULL);
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        echo(accepted);
    }
    return fd;
}

static void socket_call(int fd)
{
    char word[44] = {0};    /* as many bytes as a call of nothing has */
    must(send(fd, word, sizeof word, 0) == (ssize_t)sizeof word && recv(fd, word, sizeof word, MSG_WAITALL) == (ssize_t)sizeof word, "socket");
}

/* Who takes turns. */
struct who {
    const char *name;
    struct whittle_onc_client *client;      /* whittle's; or: */
    void *giop;                             /* the same over GIOP; or: */
    struct shared *shared;
    int sleeps, fd;
};

static void call(struct who *who)
{
    if (who->client != NULL)
        must(local_nothing(who->client) == 0, who->name);
    else if (who->giop != NULL)
        must(giop_call(who->giop) == 0, who->name);
    else if (who->shared != NULL)
        memory_call(who->shared, who->sleeps);
    else
        socket_call(who->fd);
}

static void report(const char *workload, int size, const struct who *who, int round, double nanoseconds)
{
    printf("%s %d %s %d %.1f\n", workload, size, who->name, round, nanoseconds);
}

static void nulls(struct who *who, int round)
{
    const int is_memory = who->shared != NULL || who->giop != NULL || strncmp(who->name, "shm", 3) == 0, count = is_memory ? NULLS : SLOW_NULLS;
    /* Both sides are busy: a while after they slept, the system has put them on the processors that suit them. */
    for (const uint64_t end = now() + WARM; now() < end;)
        call(who);
    const uint64_t begun = now();
    for (int done = 0; done < count; done++)
        call(who);
    report("null", 0, who, round, (double)(now() - begun) / count);
}

static int ascending(const void *one, const void *other)
{
    const uint64_t left = *(const uint64_t *)one, right = *(const uint64_t *)other;
    return left < right ? -1 : left > right;
}

/* Both sides have gone to sleep before each call: the middle one. */
static void asleep(struct who *who, int round)
{
    uint64_t times[SLEEPS];
    for (int done = 0; done < SLEEPS; done++) {
        rest();
        const uint64_t begun = now();
        call(who);
        times[done] = now() - begun;
    }
    qsort(times, SLEEPS, sizeof times[0], ascending);
    report("asleep", 0, who, round, (double)times[SLEEPS / 2]);
}

static void send_batch(struct whittle_onc_call *calls, struct whittle_onc_client *client)
{
    for (int each = 0; each < BATCH; each++)
        must(whittle_onc_send(&calls[each], whittle_onc_begin(&calls[each], client, LOCAL_PROGRAM, LOCAL_VERSION, 1)) == 0, "send");
    must(whittle_onc_client_flush(client) == 0, "flush");
}

/* One batch is on its way while the other is seen to, so that both sides are at work. */
static void pipelined(struct who *who, int round)
{
    static struct whittle_onc_call calls[2][BATCH];
    const uint64_t begun = now();
    send_batch(calls[0], who->client);
    for (int batch = 1; batch <= BATCHES; batch++) {
        if (batch < BATCHES)
            send_batch(calls[batch % 2], who->client);
        for (int each = 0; each < BATCH; each++) {
            struct whittle_onc_call *const call = &calls[(batch - 1) % 2][each];
            must(whittle_onc_receive(call) == 0, "receive");
            must(whittle_onc_end(call, call->at) == 0, "end");
        }
    }
    report("pipelined", 0, who, round, (double)(now() - begun) / (BATCHES * BATCH));
}

/* Calls without replies, and one with, behind which all of them have been served. */
static void one_way(struct who *who, int round)
{
    const uint64_t begun = now();
    for (int each = 0; each < BATCHES * BATCH; each++) {
        struct whittle_onc_call one;
        must(whittle_onc_post(&one, whittle_onc_begin(&one, who->client, LOCAL_PROGRAM, LOCAL_VERSION, 1)) == 0, "post");
        must(whittle_onc_end(&one, one.at) == 0, "end");
    }
    call(who);
    report("one-way", 0, who, round, (double)(now() - begun) / (BATCHES * BATCH));
}

static uint8_t bytes[LONGEST], copy[LONGEST];

static void large(struct who *who, uint32_t size, int round)
{
    enum { TIMES = 40 };
    const struct LOCAL_1_TAKE_arg1 argument = {size, bytes};
    uint32_t taken = 0;
    const uint64_t begun = now();
    for (int time = 0; time < TIMES; time++) {
        must(local_take(who->client, &argument, &taken) == 0 && taken == size, who->name);
    }
    report("bytes", (int)size, who, round, (double)(now() - begun) / TIMES);
}

static void copied(uint32_t size, int round)
{
    enum { TIMES = 40 };
    const struct who memcpy_itself = {.name = "memcpy"};
    const uint64_t begun = now();
    for (int time = 0; time < TIMES; time++) {
        memcpy(copy, bytes, size);
        __asm__ volatile("" : : "r"(copy) : "memory");
    }
    report("bytes", (int)size, &memcpy_itself, round, (double)(now() - begun) / TIMES);
}

static struct whittle_onc_client *client_of(const char *address)
{
    struct whittle_onc_client *const client = whittle_onc_client_open(address, NULL, NULL);
    must(client != NULL && local_nothing(client) == 0, address);
    return client;
}

/* A server, and a client of it. */
static struct whittle_onc_client *whittle_peer(const char *address)
{
    int known[2];
    char at[128] = "";
    must(pipe(known) == 0, "pipe");
    if (is_child()) {
        struct whittle_onc_server *const server = whittle_onc_server_new(NULL);
        must(server != NULL && local_serve(server, &operations, NULL) == 0 && whittle_onc_server_listen(server, address) == 0, address);
        const char *const own = whittle_onc_server_address(server, 0);
        must(write(known[1], own, strlen(own)) > 0, "write");
        whittle_onc_server_run(server);
        _exit(0);
    }
    must(read(known[0], at, sizeof at - 1) > 0, "read");
    return client_of(at);
}

static int listening;

static void ready(void)
{
    must(write(listening, "", 1) == 1, "write");
}

/* The same over GIOP. `others`: clients in processes of their own, which do nothing more. */
static void *giop_peer(const char *name, int others)
{
    int known[2];
    char byte;
    must(pipe(known) == 0, "pipe");
    listening = known[1];
    if (is_child()) {
        giop_serve(name, ready);
        perror(name);
        _exit(1);
    }
    must(read(known[0], &byte, 1) == 1, name);
    for (; others > 0; others--) {
        if (is_child()) {
            void *const other = giop_open(name);
            must(other != NULL && giop_call(other) == 0, name);
            ready();
            for (;;)
                pause();
        }
        must(read(known[0], &byte, 1) == 1, name);
    }
    void *const client = giop_open(name);
    must(client != NULL && giop_call(client) == 0, name);
    return client;
}

int main(int count, char **arguments)
{
    const int rounds = count > 1 ? atoi(arguments[1]) : 9, only_asleep = count > 2 && strcmp(arguments[2], "asleep") == 0;
    char shm[64], shm_of_two[64], local[64], giop[64], giop_of_two[64];
    snprintf(shm, sizeof shm, "shm:bench-%d", (int)getpid());
    snprintf(shm_of_two, sizeof shm_of_two, "shm:bench-two-%d", (int)getpid());
    snprintf(giop, sizeof giop, "bench-giop-%d", (int)getpid());
    snprintf(giop_of_two, sizeof giop_of_two, "bench-giop-two-%d", (int)getpid());
    snprintf(local, sizeof local, "unix:@bench-%d", (int)getpid());
    memset(bytes, 7, sizeof bytes);
    struct who all[] = {
        {.name = "shm", .client = whittle_peer(shm)},
        {.name = "unix", .client = whittle_peer(local)},
        {.name = "tcp", .client = whittle_peer("tcp://127.0.0.1")},
        {.name = "bare-spinning", .shared = memory_peer(0)},
        {.name = "bare-futex", .shared = memory_peer(1), .sleeps = 1},
        {.name = "bare-unix", .fd = unix_peer()},
        {.name = "bare-tcp", .fd = tcp_peer()},
        {.name = "giop", .giop = giop_peer(giop, 0)},
        {.name = "giop-of-two", .giop = giop_peer(giop_of_two, 1)},
        {.name = "shm-of-two", .client = whittle_peer(shm_of_two)},
    };
    struct whittle_onc_client *const second = client_of(shm_of_two);     /* which does nothing more */
    enum { ALL = sizeof all / sizeof all[0], WHITTLES = 3 };
    for (int round = 0; round < rounds; round++) {
        for (int each = 0; each < ALL && !only_asleep; each++)
            nulls(&all[each], round);
        for (int each = 0; each < ALL; each++)
            if (strcmp(all[each].name, "bare-spinning") != 0)
                asleep(&all[each], round);
        if (only_asleep)
            continue;
        for (int each = 0; each < WHITTLES; each++)
            pipelined(&all[each], round);
        for (int each = 0; each < WHITTLES; each++)
            one_way(&all[each], round);
        for (uint32_t size = 65536; size <= LONGEST; size *= 16) {
            for (int each = 0; each < WHITTLES; each++)
                large(&all[each], size, round);
            copied(size, round);
        }
    }
    for (int each = 0; each < WHITTLES; each++)
        whittle_onc_client_close(all[each].client);
    whittle_onc_client_close(all[ALL - 1].client);
    whittle_onc_client_close(second);
    for (int each = 0; each < ALL; each++)
        if (all[each].giop != NULL)
            giop_close(all[each].giop);
    for (int each = 0; each < child_count; each++) {
        kill(children[each], SIGTERM);
        waitpid(children[each], NULL, 0);
    }
    return 0;
}
