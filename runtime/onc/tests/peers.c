/* SPDX-License-Identifier: MIT-0 */
/* Servers and clients in processes of their own, and peers that keep to nothing: peers.h. */
#include "peers.h"

const struct whittle_onc_server_options alone = {.workers = 0}, many = {.workers = 4}, overtaking = {.workers = 4, .overtaking = true};

void wait_a_while(long milliseconds)
{
    const struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&span, NULL);
}

void add(struct whittle_onc_client *client, int32_t left, int32_t right)
{
    int32_t sum;
    GOOD(sample_add(client, left, right, &sum));
    CHECK(sum == left + right);
}

pid_t begin(void)
{
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return child;
}

static int gate[2];

void gate_close(void)
{
    CHECK(pipe(gate) == 0);
}

void gate_open(void)
{
    close(gate[1]);
    close(gate[0]);
}

void gate_pass(void)
{
    char byte;
    close(gate[1]);
    CHECK(read(gate[0], &byte, 1) == 0);
    close(gate[0]);
}

void end_process(pid_t child)
{
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
}

void await_process(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

char address[64];

pid_t server_process(const struct whittle_onc_server_options *options)
{
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    const pid_t child = begin();
    if (child == 0) {
        static struct sample_servant servant;
        struct whittle_onc_server *const server = whittle_onc_server_new(options);
        GOOD(sample_serve(server, &sample_servant_operations, &servant));
        GOOD(whittle_onc_server_listen(server, address));
        CHECK(write(ready[1], "", 1) == 1);
        close(ready[1]);
        whittle_onc_server_run(server);
        _exit(0);
    }
    close(ready[1]);
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    return child;
}

int open_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < 1000; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

void until_calm(const struct running *running, uint64_t memory, int descriptors)
{
    struct whittle_net_usage usage;
    const uint64_t end = whittle_net_now() + LONG;
    do {
        wait_a_while(5);
        whittle_onc_server_usage(running->server, &usage);
    } while ((usage.connections != 0 || usage.memory > memory || open_descriptors() > descriptors) && whittle_net_now() < end);
    CHECK(usage.connections == 0 && usage.memory <= memory && open_descriptors() <= descriptors);
}

char *path_of(const char *at)
{
    struct whittle_net_address parsed;
    CHECK(whittle_net_address_parse(&parsed, at));
    return parsed.local;
}

int raw_connection(const char *path)
{
    struct whittle_net_name name;
    const struct whittle_net_limits soon = {.deadline = whittle_net_now() + LONG};
    whittle_net_path_name(path, &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, &soon);
    CHECK(fd >= 0);
    return fd;
}

struct whittle_net_memory_hello hello_of(uint32_t requests, uint32_t replies)
{
    struct whittle_net_memory_hello hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = requests, .replies = replies};
    memcpy(hello.name, whittle_net_greeting, sizeof hello.name);
    return hello;
}

int verdict_of(int fd)
{
    struct whittle_net_memory_answer answer;
    CHECK(whittle_net_wait_for(fd, POLLIN, whittle_net_now() + LONG) == 1);
    return recv(fd, &answer, sizeof answer, MSG_DONTWAIT) == (ssize_t)sizeof answer ? -(int)answer.status : -99;
}

/* A client that has come so far: the memory, as it is mapped. */
struct whittle_net_memory_head *greeted(int fd)
{
    const struct whittle_net_memory_hello hello = hello_of(65536, 65536);
    const size_t size = whittle_net_memory_size(hello.requests, hello.replies);
    const int memory = whittle_net_sealed_make(size, true);
    CHECK(memory >= 0 && whittle_net_pass(fd, &hello, sizeof hello, memory));
    void *const all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    close(memory);
    CHECK(all != MAP_FAILED);
    return (struct whittle_net_memory_head *)all;
}

bool is_near(const struct whittle_onc_client *client)
{
    return client->net.stream.memory != NULL;
}

void stop_process(pid_t process)
{
    int status;
    CHECK(kill(process, SIGSTOP) == 0 && waitpid(process, &status, WUNTRACED) == process && WIFSTOPPED(status));
}

void all_run(const struct test *tests, size_t count, const char *only)
{
    const struct whittle_onc_server_options *const kinds[] = {&alone, &many, &overtaking};
    snprintf(address, sizeof address, "shm:peers-%d", (int)getpid());
    for (size_t index = 0; index < count; index++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
            if (only == NULL || strcmp(only, tests[index].name) == 0) {
                const uint64_t begun = whittle_net_now();
                tests[index].run(kinds[kind]);
                printf("%s, %u: %u ms\n", tests[index].name, (unsigned)kind, (unsigned)((whittle_net_now() - begun) / WHITTLE_NET_MILLISECOND));
                fflush(stdout);
            }
    char *const path = path_of(address);
    unlink(path);
    free(path);
}
