/*
 * What may befall two sides that meet through shared memory, in one table for all styles and protocols (peer.h): each line is tried
 * with a server of one thread, and with one of several where the style has them. How long something may take is not looked at: what
 * takes for ever is ended by the alarm. In: a seed, if any, for what is at random.
 */
#include "sides.h"
#include <sys/resource.h>
#include <sys/stat.h>

enum { CALLS = 300, LARGE = 700000, NEVER = 600000 };

static uint64_t seed = 1;

static uint32_t random_word(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

static uint8_t block[LARGE];

static void call_much(int32_t number)
{
    struct peer *const peer = peer_open(name, 0);
    uint32_t taken = 0;
    bool whole = false;
    for (int32_t round = 0; round < CALLS; round++) {
        add(peer, number, round);
        CHECK(peer_note(peer, 1) == GOOD);
        if (round % 100 != number)
            continue;
        CHECK(peer_take(peer, block, LARGE, &taken) == GOOD && taken == LARGE);     /* more than a ring holds */
        CHECK(peer_give(peer, LARGE, &whole) == GOOD && whole);
    }
    CHECK(is_near());
    peer_close(peer);
    _exit(0);
}

static void several_clients(uint32_t workers)
{
    enum { CLIENTS = 4 };
    pid_t clients[CLIENTS];
    int32_t sum = 0;
    const pid_t server = begin_server(workers);
    for (int32_t number = 0; number < CLIENTS; number++)
        if ((clients[number] = begin()) == 0)
            call_much(number);
    for (int32_t number = 0; number < CLIENTS; number++)
        await(clients[number]);
    struct peer *const peer = peer_open(name, 0);
    while (sum != CLIENTS * CALLS)      /* who sends one way does not know when it arrives */
        CHECK(peer_noted(peer, &sum) == GOOD && sum <= CLIENTS * CALLS);
    peer_close(peer);
    end_process(server);
}

static void deadlines(uint32_t workers)
{
    const pid_t server = begin_server(workers);
    struct peer *const peer = peer_open(name, 100), *const patient = peer_open(name, 0);
    add(patient, 1, 2);
    CHECK(peer_rest(peer, 600) == LATE);
    CHECK(peer_rest(patient, 10) == GOOD);
    add(patient, 3, 4);
    peer_close(peer);
    peer_close(patient);
    end_process(server);
}

/* A call that would take for ever ends with its server; who comes behind it is found. */
static void killed_server(uint32_t workers)
{
    pid_t server = begin_server(workers);
    int32_t sum;
    struct peer *const peer = peer_open(name, NEVER);
    add(peer, 1, 2);
    const pid_t killer = begin();
    if (killer == 0) {
        servant_rest(100);
        kill(server, SIGKILL);
        _exit(0);
    }
    CHECK(peer_rest(peer, NEVER) == LOST);
    await(killer);
    CHECK(waitpid(server, NULL, 0) == server);
    CHECK(peer_add(peer, 1, 2, &sum) == REFUSED);
    server = begin_server(workers);
    add(peer, 3, 4);
    CHECK(is_near());
    peer_close(peer);
    end_process(server);
}

/* Descriptors and mappings of memory that a process shares. */
static int held_by(pid_t process)
{
    char path[64], line[512];
    int count = rings_of(process);
    for (int descriptor = 0; descriptor < 100; descriptor++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)process, descriptor);
        count += access(path, F_OK) == 0 || readlink(path, line, sizeof line) > 0;
    }
    return count;
}

/* All that a client held there is released when it dies, whatever it was doing; others go on. */
static void killed_clients(uint32_t workers)
{
    const pid_t server = begin_server(workers);
    struct peer *const peer = peer_open(name, 0);
    add(peer, 1, 2);
    const int before = held_by(server);
    for (int round = 0; round < 6; round++) {
        const pid_t client = begin();
        if (client == 0) {
            struct peer *const own = peer_open(name, 0);
            uint32_t taken;
            for (;;)
                peer_take(own, block, round % 2 == 0 ? 100 : LARGE, &taken);
        }
        servant_rest(40);
        end_process(client);
        add(peer, round, 1);
    }
    while (held_by(server) != before)
        servant_rest(10);
    add(peer, 3, 4);
    peer_close(peer);
    end_process(server);
}

static void stopped_server(uint32_t workers)
{
    const pid_t server = begin_server(workers);
    struct peer *const peer = peer_open(name, 200);
    int32_t sum;
    uint32_t taken;
    add(peer, 1, 2);
    stop_process(server);
    CHECK(peer_add(peer, 1, 2, &sum) == LATE);
    CHECK(peer_take(peer, block, LARGE, &taken) == LATE);   /* more than the ring takes */
    CHECK(kill(server, SIGCONT) == 0);
    while (peer_add(peer, 1, 2, &sum) != GOOD)
        servant_rest(10);
    peer_close(peer);
    end_process(server);
}

static void stopped_client(uint32_t workers)
{
    const pid_t server = begin_server(workers), sleeper = begin();
    if (sleeper == 0) {
        struct peer *const own = peer_open(name, 0);
        for (bool whole;;)
            peer_give(own, LARGE, &whole);
    }
    struct peer *const peer = peer_open(name, 0);
    add(peer, 1, 2);
    servant_rest(50);
    stop_process(sleeper);
    for (int32_t round = 0; round < 200; round++)
        add(peer, round, 1);
    CHECK(kill(sleeper, SIGCONT) == 0);
    end_process(sleeper);
    add(peer, 3, 4);
    peer_close(peer);
    end_process(server);
}

/* A child has a connection of its own; the parent's goes on, and outlives it. */
static void forked(uint32_t workers)
{
    const pid_t server = begin_server(workers);
    struct peer *const peer = peer_open(name, 0);
    add(peer, 1, 2);
    const pid_t child = begin();
    if (child == 0) {
        for (int32_t round = 0; round < 200; round++)
            add(peer, round, 1000);
        peer_close(peer);
        _exit(0);
    }
    for (int32_t round = 0; round < 200; round++)
        add(peer, round, 2000);
    await(child);
    add(peer, 3, 4);
    peer_close(peer);
    end_process(server);
}

/* No memory for the rings: an error of that call, and nobody else's. */
static void no_memory(uint32_t workers)
{
    const struct rlimit limit = {4096, 4096};
    const pid_t server = begin_server(workers);
    const pid_t child = begin();
    if (child == 0) {
        int32_t sum;
        signal(SIGXFSZ, SIG_IGN);
        CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
        struct peer *const peer = peer_open(name, 0);
        CHECK(peer_add(peer, 1, 2, &sum) == FULL && !is_near());
        _exit(0);
    }
    await(child);
    struct peer *const peer = peer_open(name, 0);
    add(peer, 1, 2);
    peer_close(peer);
    end_process(server);
}

static int listening(void)
{
    char *const path = path_of();
    const struct whittle_net_address at = {.transport = WHITTLE_NET_UNIX, .host = path};
    struct whittle_net_name bound;
    unlink(path);
    const int listener = whittle_net_bind(&at, &bound);
    CHECK(listener >= 0);
    free(path);
    return listener;
}

/* A server takes a client's hello, and answers; the memory. NULL: whoever it was has gone. */
static char *taken(int listener, uint32_t version, int *fd, struct whittle_net_memory_hello *hello)
{
    struct whittle_net_memory_answer answer = {.version = version};
    int memory = -1;
    memcpy(answer.name, whittle_net_greeting, sizeof answer.name);
    CHECK(whittle_net_wait_for(listener, POLLIN, whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND) == 1);
    *fd = accept(listener, NULL, NULL);
    CHECK(*fd >= 0 && whittle_net_wait_for(*fd, POLLIN, whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND) == 1);
    if (whittle_net_take(*fd, hello, sizeof *hello, &memory) != (ssize_t)sizeof *hello)
        return NULL;
    char *const all = (char *)mmap(NULL, whittle_net_memory_size(hello->requests, hello->replies), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    CHECK(all != MAP_FAILED);
    send(*fd, &answer, sizeof answer, MSG_NOSIGNAL);
    return all;
}

static void other_versions(uint32_t workers)
{
    char *all;
    size_t size;
    int32_t sum;
    const pid_t server = begin_server(workers);
    int fd = connected();
    CHECK(greet(fd, WHITTLE_NET_MEMORY_VERSION + 1, &all, &size) != 0);
    close(fd);
    struct peer *peer = peer_open(name, 0);
    add(peer, 1, 2);
    peer_close(peer);
    end_process(server);
    const int listener = listening();
    const pid_t other = begin();
    if (other == 0) {
        struct whittle_net_memory_hello hello;
        taken(listener, WHITTLE_NET_MEMORY_VERSION + 1, &fd, &hello);
        pause();
    }
    peer = peer_open(name, NEVER);
    const enum outcome outcome = peer_add(peer, 1, 2, &sum);
    CHECK(outcome == OTHER || outcome == REFUSED);
    peer_close(peer);
    end_process(other);
    close(listener);
}

/* The bytes of a request, as a client of this protocol sends it. */
static size_t request_of(char *to, size_t room)
{
    const int listener = listening();
    const pid_t client = begin();
    if (client == 0) {
        uint32_t count;
        struct peer *const peer = peer_open(name, NEVER);
        peer_take(peer, block, 100, &count);
        _exit(0);
    }
    int fd;
    struct whittle_net_memory_hello hello;
    char *const all = taken(listener, WHITTLE_NET_MEMORY_VERSION, &fd, &hello);
    const struct whittle_net_memory_head *const head = (struct whittle_net_memory_head *)(void *)all;
    while (__atomic_load_n(&head->requests.head, __ATOMIC_ACQUIRE) == 0)
        servant_rest(1);
    servant_rest(20);
    const size_t size = __atomic_load_n(&head->requests.head, __ATOMIC_ACQUIRE);
    CHECK(size > 40 && size < room);
    memcpy(to, all + sizeof *head, size);
    end_process(client);
    close(fd);
    close(listener);
    return size;
}

/* Something is written, anywhere: indices nearly right and wholly wrong, words by which sides sleep, bytes of messages. */
__attribute__((no_sanitize("thread"))) static void scribble(char *all, size_t size)
{
    const uint32_t kind = random_word() % 8, word = random_word();
    const size_t head = random_word() % (sizeof(struct whittle_net_memory_head) / 4) * 4;
    const size_t ring = sizeof(struct whittle_net_memory_head) + random_word() % ((size - sizeof(struct whittle_net_memory_head)) / 4) * 4;
    uint32_t *const at = (uint32_t *)(void *)(all + (kind < 3 ? head : ring));
    if (kind == 0)
        __atomic_fetch_add(at, word % 64, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n(at, kind == 1 ? word % 5 : word, __ATOMIC_SEQ_CST);
}

/* Requests as they should be but for a few bytes, changed while they are read, too; then whatever. */
static void fuzz_server(const char *request, size_t size)
{
    char *all;
    size_t room;
    const int fd = connected();
    CHECK(greet(fd, WHITTLE_NET_MEMORY_VERSION, &all, &room) == 0);
    struct whittle_net_memory_head *const head = (struct whittle_net_memory_head *)(void *)all;
    char *const ring = all + sizeof *head;
    uint32_t at = 0;
    for (int message = 0; message < 200; message++) {
        const uint32_t flips = random_word() % 4;
        for (size_t byte = 0; byte < size; byte++)
            ring[(at + byte) % 65536] = request[byte];
        at += (uint32_t)size;
        __atomic_store_n(&head->requests.head, at, __ATOMIC_SEQ_CST);
        for (uint32_t flip = 0; flip < flips; flip++)   /* it may be reading them */
            ((volatile char *)ring)[(at - 1 - random_word() % (uint32_t)size) % 65536] ^= (char)(1 << random_word() % 8);
        if (message % 16 == 0)
            send(fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        __atomic_store_n(&head->replies.tail, __atomic_load_n(&head->replies.head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
        for (uint32_t look = random_word() % 2000; look > 0; look--)
            whittle_net_relax();
    }
    for (int round = 0; round < 3000; round++)
        scribble(all, room);
    _exit(0);
}

static void hostile_clients(uint32_t workers)
{
    enum { ROUNDS = 12 };
    static char request[4096];
    const size_t size = request_of(request, sizeof request);
    const pid_t server = begin_server(workers);
    struct peer *const peer = peer_open(name, 0);
    for (int round = 0; round < ROUNDS; round++) {
        const pid_t client = begin();
        random_word();
        if (client == 0)
            fuzz_server(request, size);
        for (int32_t call = 0; call < 20; call++)
            add(peer, round, call);
        await(client);
    }
    CHECK(waitpid(server, NULL, WNOHANG) == 0);
    peer_close(peer);
    end_process(server);
}

/* A server that writes over its clients' memory: each call ends, and nobody is harmed. */
static void hostile_server(uint32_t workers)
{
    enum { ROUNDS = 8 };
    (void)workers;
    const int listener = listening();
    const pid_t server = begin();
    if (server == 0)
        for (;;) {
            int fd;
            struct whittle_net_memory_hello hello;
            char *const all = taken(listener, WHITTLE_NET_MEMORY_VERSION, &fd, &hello);
            for (int round = 0; all != NULL && round < 20000; round++)
                scribble(all, whittle_net_memory_size(hello.requests, hello.replies));
            close(fd);
        }
    for (int round = 0; round < ROUNDS; round++) {
        struct peer *const peer = peer_open(name, 100);
        int32_t sum;
        uint32_t count;
        bool whole;
        for (int call = 0; call < 3; call++) {
            peer_add(peer, 1, 2, &sum);
            peer_take(peer, block, LARGE, &count);
            peer_give(peer, 1000, &whole);
        }
        peer_close(peer);
    }
    end_process(server);
    close(listener);
}

static void write_key(const char *path, char digit, uid_t user)
{
    char text[65];
    memset(text, digit, sizeof text - 1);
    text[sizeof text - 1] = '\n';
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(file >= 0 && write(file, text, sizeof text) == (ssize_t)sizeof text && fchown(file, user, user) == 0);
    close(file);
}

/* Another user's client calls by the same key, and by no other. Only root can be both users. */
static void two_users(uint32_t workers)
{
    enum { SERVER = 65534, CLIENT = 65533 };
    char folder[64], calls[80], keys[2][96];
    if (geteuid() != 0) {
        fprintf(stderr, "two users are skipped: only root can be both\n");
        return;
    }
    snprintf(folder, sizeof folder, "/tmp/whittle-near-%d-%u", (int)getpid(), (unsigned)workers);
    snprintf(calls, sizeof calls, "%s/calls", folder);
    snprintf(server_key, sizeof server_key, "%s/server.key", folder);
    CHECK(mkdir(folder, 0755) == 0 && mkdir(calls, 0755) == 0 && chown(calls, SERVER, SERVER) == 0 && setenv("WHITTLE_CALLS_DIR", calls, 1) == 0);
    write_key(server_key, 'a', SERVER);
    for (int which = 0; which < 2; which++) {
        snprintf(keys[which], sizeof keys[which], "%s/client%d.key", folder, which);
        write_key(keys[which], which == 0 ? 'a' : 'b', CLIENT);
    }
    server_user = SERVER;
    const pid_t server = begin_server(workers);
    for (int which = 0; which < 2; which++) {
        const pid_t client = begin();
        if (client == 0) {
            int32_t sum = 0;
            become(CLIENT, keys[which]);
            struct peer *const peer = peer_open(name, 0);
            const enum outcome outcome = peer_add(peer, 1, 2, &sum);
            CHECK(which == 0 ? outcome == GOOD && sum == 3 : outcome == OTHER);
            peer_close(peer);
            _exit(0);
        }
        await(client);
    }
    end_process(server);
    server_user = 0;
    char *const path = whittle_net_local_path(name, strlen(name));
    CHECK(path != NULL && unlink(path) == 0 && rmdir(calls) == 0 && unlink(server_key) == 0 && unlink(keys[0]) == 0 && unlink(keys[1]) == 0 && rmdir(folder) == 0);
    free(path);
    unsetenv("WHITTLE_CALLS_DIR");
}

int main(int count, char **arguments)
{
    static const struct test misfortunes[] = {
        {"several clients", several_clients}, {"deadlines", deadlines}, {"a killed server", killed_server}, {"killed clients", killed_clients},
        {"a stopped server", stopped_server}, {"a stopped client", stopped_client}, {"a fork", forked}, {"no memory", no_memory},
        {"other versions", other_versions}, {"hostile clients", hostile_clients}, {"a hostile server", hostile_server}, {"two users", two_users}};
    if (count > 1)
        seed = strtoull(arguments[1], NULL, 10);
    alarm(200);
    servant_fill(block, LARGE);
    all_run(misfortunes, sizeof misfortunes / sizeof misfortunes[0], NULL);
    return 0;
}
