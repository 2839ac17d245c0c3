/*
 * A process and what is around it: local sockets take this user's processes alone, on both sides; a host that the flow
 * names is where its receiver listens; a resolver that does not answer stops no other edge; a file that may not grow ends
 * its recording, and not the process; a crafted recording does not fill the terminal.
 */
#include "hostile_common.h"
#include "../packets.h"
#include <grp.h>
#include <netdb.h>
#include <poll.h>
#include <sys/resource.h>

enum { FEW = 100 };

/* In the resolver's place: one name takes long, the others are numbers. */
int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found)
{
    struct answer { struct addrinfo way; struct sockaddr_in at; } *const answer = calloc(1, sizeof *answer);
    (void)hints;
    if (strcmp(host, "slow.example") == 0 && (hints->ai_flags & AI_NUMERICHOST) == 0)
        sleep_ms(5000);
    answer->at = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    answer->way = (struct addrinfo){
        .ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_addr = (struct sockaddr *)&answer->at, .ai_addrlen = sizeof answer->at};
    *found = &answer->way;
    if (inet_pton(AF_INET, host, &answer->at.sin_addr) == 1)
        return 0;
    free(answer);
    return EAI_NONAME;
}
void freeaddrinfo(struct addrinfo *found) { free(found); }

static int few_source(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < FEW; n++) {
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static int few_sink(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    for (uint32_t n = 0; n < FEW; n++) {
        const struct number *const packet = whittle_flow_receive(&end.receiver);
        CHECK(packet != NULL && packet->value == n, "packet %u", n);
    }
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "one more");
    return whittle_flow_end(&end.process);
}

static void become_nobody(void)
{
    CHECK(setgroups(0, NULL) == 0 && setgid(65534) == 0 && setuid(65534) == 0, "%s", strerror(errno));
}

static int other_user_connects(const void *argument)
{
    char byte;
    become_nobody();
    for (int n = 0; n < 20; n++) {
        const int fd = dial(argument);
        CHECK(recv(fd, &byte, 1, 0) <= 0, "another user is sent something");
        close(fd);
    }
    return 0;
}

static int other_user_listens(const void *argument)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    char byte;
    become_nobody();
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(local.sun_path, sizeof local.sun_path, "%s/%u.socket", place_name(), ((const struct whittle_flow_edge *)argument)->number);
    CHECK(bind(listener, (struct sockaddr *)&local, sizeof local) == 0 && listen(listener, 4) == 0, "%s", strerror(errno));
    const int fd = accept(listener, NULL, NULL);
    CHECK(recv(fd, &byte, 1, 0) <= 0, "another user is sent something");
    unlink(local.sun_path);
    return 0;
}

static void other_users(enum whittle_flow_transport transport)
{
    const struct whittle_flow_edge edge = an_edge(&number_type, transport);
    char name[128];
    if (geteuid() != 0) {
        printf("skipped: only root can be two users\n");
        return;
    }
    new_place(transport == WHITTLE_FLOW_UNIX ? "another user's processes are not taken over unix" : "another user's processes are not taken over shm");
    CHECK(chmod(place_name(), 0777) == 0, "%s", strerror(errno));
    const pid_t listens = spawn(other_user_listens, &edge);
    snprintf(name, sizeof name, "%s/3.socket", place_name());
    while (access(name, F_OK) != 0)
        sleep_ms(1);
    CHECK(chmod(place_name(), 0700) == 0, "%s", strerror(errno));
    const pid_t from = spawn(few_source, &edge);
    CHECK(reap(listens) == 0, "it was sent something");
    const pid_t to = spawn(few_sink, &edge);
    while (page_of(3, "receiver") == NULL || access(name, F_OK) != 0)
        sleep_ms(1);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS) + counter_of(3, "sender", WHITTLE_FLOW_STRANGERS), 0);

    const pid_t again = spawn(few_sink, &edge);
    while (access(name, F_OK) != 0)
        sleep_ms(1);
    sleep_ms(50);
    CHECK(chmod(place_name(), 0777) == 0 && chmod(name, 0777) == 0, "%s", strerror(errno));
    EQUAL(reap(spawn(other_user_connects, &edge)), 0);
    CHECK(chmod(place_name(), 0700) == 0, "%s", strerror(errno));
    EQUAL(reap(spawn(few_source, &edge)), 0);
    EQUAL(reap(again), 0);
    EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS), 0);
}

static void listens_where_it_is_named(void)
{
    struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_TCP);
    new_place("a host that the flow names is where its receiver listens, and nowhere else");
    edge.host = "127.0.0.2";
    const pid_t to = spawn(few_sink, &edge);
    while (page_of(3, "receiver") == NULL)
        sleep_ms(1);
    sleep_ms(200);
    const struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + 3)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(connect(fd, (const struct sockaddr *)&at, sizeof at) != 0, "it listens at other addresses, too");
    close(fd);
    EQUAL(reap(spawn(few_source, &edge)), 0);
    EQUAL(reap(to), 0);
}

static int two_sources(const void *argument)
{
    const struct whittle_flow_edge *const edges = argument;
    struct whittle_flow_sender senders[2] = {{.edge = &edges[0]}, {.edge = &edges[1]}}, *const all[] = {&senders[0], &senders[1]};
    struct whittle_flow_process process = {.flow = "test", .name = "two", .security = &whittle_flow_keyed, .senders = all, .sender_count = 2};
    char *arguments[] = {(char *)(uintptr_t)"two", NULL};
    CHECK(whittle_flow_begin(&process, 1, arguments), "two");
    for (uint32_t n = 0; n < FEW; n++) {
        ((struct number *)whittle_flow_room(&senders[1]))->value = n;
        CHECK(whittle_flow_send(&senders[1], 0), "packet %u", n);
    }
    whittle_flow_close(&senders[1]);
    sleep_ms(100000);
    return 0;
}

static void slow_resolver(void)
{
    struct whittle_flow_edge edges[2] = {an_edge(&number_type, WHITTLE_FLOW_TCP), an_edge(&number_type, WHITTLE_FLOW_TCP)};
    struct timespec begun, ended;
    new_place("a resolver that does not answer stops no other edge");
    edges[0].host = "slow.example";
    edges[1].number = 4;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    const pid_t to = spawn(few_sink, &edges[1]), from = spawn(two_sources, edges);
    EQUAL(reap(to), 0);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    CHECK(ended.tv_sec - begun.tv_sec < 4, "the other edge waited for the resolver");
    kill_hard(from);
}

/* As few_source, with its packets recorded. */
static int recording_source(const void *argument)
{
    const struct rlimit least = {1000, 1000000};
    char folder[128];
    snprintf(folder, sizeof folder, "%s/kept", place_name());
    setenv("WHITTLE_RECORD", folder, 1);
    struct end end;
    begin_sender(&end, argument);
    setrlimit(RLIMIT_FSIZE, &least);
    for (uint32_t n = 0; n < FEW; n++) {
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static void small_files(void)
{
    const struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_UNIX);
    new_place("a recording that may not grow costs itself, and the exit status");
    const pid_t to = spawn(few_sink, &edge);
    EQUAL(reap(spawn(recording_source, &edge)), 1);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
}

static int crafted_source(const void *argument)
{
    struct whittle_flow_edge edge = *(const struct whittle_flow_edge *)argument;
    edge.replayed = true;
    char program[] = "source", replay[] = "--replay", folder[128], file[160];
    char *arguments[] = {program, replay, folder, NULL};
    snprintf(folder, sizeof folder, "%s/crafted", place_name());
    snprintf(file, sizeof file, "%s/3.packets", folder);
    mkdir(folder, 0700);
    FILE *const out = fopen(file, "w");
    struct whittle_flow_packets_head head = {.magic = WHITTLE_FLOW_PACKETS_MAGIC, .version = WHITTLE_FLOW_PACKETS_VERSION,
        .order = WHITTLE_FLOW_PACKETS_ORDER, .in_place = 1, .fingerprint = edge.type->fingerprint};
    fwrite(&head, sizeof head, 1, out);
    const struct { uint64_t when; uint32_t gap; } __attribute__((packed)) record = {0, WHITTLE_FLOW_PACKETS_GAP};
    for (uint64_t n = 0; n < 50000; n++) {
        fwrite(&record, sizeof record, 1, out);
        fwrite(&n, sizeof n, 1, out);
    }
    fclose(out);
    snprintf(file, sizeof file, "%s/lines", place_name());
    const int lines = open(file, O_WRONLY | O_CREAT, 0600), before = dup(STDERR_FILENO);
    dup2(lines, STDERR_FILENO);
    struct end end = {.sender = {.edge = &edge}, .senders = {&end.sender},
        .process = {.flow = "test", .name = "source", .senders = end.senders, .sender_count = 1}};
    CHECK(whittle_flow_begin(&end.process, 3, arguments), "source");
    const int status = whittle_flow_end(&end.process);
    dup2(before, STDERR_FILENO);
    struct stat found;
    CHECK(fstat(lines, &found) == 0 && found.st_size < 10000, "%lld bytes of messages", (long long)found.st_size);
    return status;
}

static void crafted_recording(void)
{
    const struct whittle_flow_edge edge = an_edge(&number_type, WHITTLE_FLOW_UNIX);
    new_place("a crafted recording does not fill the terminal");
    const pid_t from = spawn(crafted_source, &edge);
    struct end end;
    begin_receiver(&end, &edge);
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "a packet");
    EQUAL(whittle_flow_end(&end.process), 0);
    EQUAL(reap(from), 0);
}

static int sleeper(const void *argument)
{
    (void)argument;
    sleep_ms(100000);
    return 0;
}

/* Fails beside a process of its own. */
static int failing_test(const void *argument)
{
    spawn(sleeper, argument);
    _exit(99);
}

static void processes_of_a_failed_test(void)
{
    int ends[2];
    char byte;
    new_place("what a test has spawned ends with it");
    CHECK(pipe(ends) == 0, "%s", strerror(errno));
    const pid_t test = spawn(failing_test, NULL);
    close(ends[1]);
    EQUAL(reap(test), 99);
    /* All who could write are gone. */
    struct pollfd gone = {.fd = ends[0]};
    CHECK(poll(&gone, 1, 20000) == 1, "it lives on");
    EQUAL(read(ends[0], &byte, 1), 0);
    close(ends[0]);
}

int main(void)
{
    processes_of_a_failed_test();
    other_users(WHITTLE_FLOW_UNIX);
    other_users(WHITTLE_FLOW_SHM);
    listens_where_it_is_named();
    slow_resolver();
    small_files();
    crafted_recording();
    return 0;
}
