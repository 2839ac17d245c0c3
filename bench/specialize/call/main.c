/*
 * Round trips over UDP, on loopback or on a link of 100 Mbit/s. Whoever takes part calls through the same client, buffers
 * and server, one call each a turn; the order, and where the arrays begin, are drawn anew each turn. For each round of turns the medians are
 * printed, of the times by the clock and of the client's processor time with the system's, and those of the
 * differences within turns: what marshalling costs (tirpc less limit), and what whittle saves of it:
 *     call-client|call-client-processor|call-both BYTES tirpc|whittle|limit|copy ROUND NANOSECONDS
 *     call-client-paired|… BYTES cost|saved ROUND NANOSECONDS
 * `both` has the server marshal as the client does; `client` has tirpc answer. `limit` is tirpc's own code with nothing
 * marshalled, `copy` with the integers copied as they are. Before, tirpc and whittle are seen to send the same bytes.
 * usage: calls ROUNDS TURNS [link]
 */
#include "../timing.h"
#include "participants.h"
#include "serving.h"
#include "link.h"
#include "witness.h"
#include <arpa/inet.h>

enum { MOST_TURNS = 1000 };
/* Who is in the client, and who in the server. */
static const struct { int client, server; } pairs[] = {
    {TIRPC, TIRPC}, {WHITTLE, TIRPC},   {LIMIT, TIRPC}, {COPY, TIRPC},
                    {WHITTLE, WHITTLE}, {LIMIT, LIMIT}, {COPY, COPY}};
enum { PAIRS = sizeof pairs / sizeof *pairs, SHOWN = 4 };
/* The pairs of a row, by participant. */
static const int client_alone[SHOWN] = {0, 1, 2, 3}, both[SHOWN] = {0, 4, 5, 6};

/* A call's times: by the clock, and the client's processor time. */
enum { CLOCK, PROCESSOR, TIMES };
static double taken[TIMES][PAIRS][MOST_TURNS];
static int sending[ROOM], receiving[ROOM], *sent = sending, *back = receiving;
/* What the names of workloads begin with. */
static const char *where = "";

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *less, const double *from, int turns)
{
    double values[MOST_TURNS];
    for (int i = 0; i < turns; i++)
        values[i] = from[i] - (less == NULL ? 0 : less[i]);
    qsort(values, (size_t)turns, sizeof *values, by_size);
    return values[turns / 2];
}

static CLIENT *connect_to(struct sockaddr_in address)
{
    const struct netbuf where = {sizeof address, sizeof address, &address};
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    CLIENT *client = tirpc_clnt_dg_create(file, &where, PROGRAM, 1, SENDING, SENDING);
    if (client == NULL)
        fail("clnt_dg_create");
    return client;
}

/* Everything that a pair needs before its call. */
static void prepare(CLIENT *client, int pair, int size)
{
    rpcvers_t version = (rpcvers_t)pairs[pair].server + 1;
    integers = (unsigned)sizes[size];
    client->cl_auth = participants[pairs[pair].client].authenticator();
    CLNT_CONTROL(client, CLSET_VERS, (char *)&version);
}

static enum clnt_stat call_as(CLIENT *client, int pair, int size)
{
    const struct timeval patience = {5, 0};
    return participants[pairs[pair].client].call[size](client, sent, back, patience);
}

/* What is marshalled comes back, and all send and get the same bytes. */
static void check(struct sockaddr_in server)
{
    pid_t process;
    struct sockaddr_in address;
    const struct sums *sums = witness(server, &address, &process);
    CLIENT *client = connect_to(address);
    for (int size = 0; size < SIZE_COUNT; size++) {
        struct sums first = {0, 0};
        for (int pair = 0; pair < PAIRS; pair++) {
            if (pairs[pair].client != TIRPC && pairs[pair].client != WHITTLE)
                continue;
            memset(back, 0, (size_t)sizes[size] * sizeof *back);
            prepare(client, pair, size);
            const enum clnt_stat status = call_as(client, pair, size);
            if (pair == 0)
                first = *sums;
            if (status != RPC_SUCCESS || memcmp(sent, back, (size_t)sizes[size] * sizeof *sent) != 0
                || memcmp(&first, sums, sizeof first) != 0) {
                fprintf(stderr, "pair %d with %d integers: status %d, or other bytes\n", pair, sizes[size], status);
                exit(1);
            }
        }
    }
    kill(process, SIGKILL);
    close(*(int *)client->cl_private);
}

static void time_call(CLIENT *client, int pair, int size, int turn)
{
    prepare(client, pair, size);
    const double processor = now(CLOCK_THREAD_CPUTIME_ID), clock = now(CLOCK_MONOTONIC);
    if (call_as(client, pair, size) != RPC_SUCCESS)
        fail("call");
    taken[CLOCK][pair][turn] = now(CLOCK_MONOTONIC) - clock;
    taken[PROCESSOR][pair][turn] = now(CLOCK_THREAD_CPUTIME_ID) - processor;
}

static int chance(int below)
{
    static unsigned last = 1;
    last = last * 1664525 + 1013904223;
    return (int)((last >> 16) % (unsigned)below);
}

static void take_turns(CLIENT *client, int size, int turns)
{
    int order[PAIRS];
    for (int turn = 0; turn < turns; turn++) {
        sent = sending + LINE * chance(LINES);
        back = receiving + LINE * chance(LINES);
        for (int i = 0; i < PAIRS; i++) {
            const int at = chance(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        for (int i = 0; i < PAIRS; i++)
            time_call(client, order[i], size, turn);
    }
}

static void print(const char *workload, double (*times)[MOST_TURNS], const int *who, int size, int round, int turns)
{
    static const char *const names[SHOWN] = {"tirpc", "whittle", "limit", "copy"};
    const int bytes = 4 * sizes[size];
    for (int i = 0; i < SHOWN; i++)
        printf("%scall-%s %d %s %d %.0f\n", where, workload, bytes, names[i], round,
               median(NULL, times[who[i]], turns));
    const double *all = times[who[TIRPC]], *limit = times[who[LIMIT]], *whittle = times[who[WHITTLE]];
    printf("%scall-%s-paired %d cost %d %.0f\n", where, workload, bytes, round, median(limit, all, turns));
    printf("%scall-%s-paired %d saved %d %.0f\n", where, workload, bytes, round, median(whittle, all, turns));
}

static void measure(struct sockaddr_in server, int rounds, int turns)
{
    CLIENT *client = connect_to(server);
    for (int size = 0; size < SIZE_COUNT; size++) {
        take_turns(client, size, turns < 50 ? turns : 50);
        for (int round = 0; round < rounds; round++) {
            take_turns(client, size, turns);
            print("client", taken[CLOCK], client_alone, size, round, turns);
            print("client-processor", taken[PROCESSOR], client_alone, size, round, turns);
            print("both", taken[CLOCK], both, size, round, turns);
        }
    }
}

int main(int count, char **arguments)
{
    if (count != 3 && (count != 4 || strcmp(arguments[3], "link") != 0))
        return 2;
    const int has_link = count == 4, turns = atoi(arguments[2]) < MOST_TURNS ? atoi(arguments[2]) : MOST_TURNS;
    const char *address = has_link ? link_server : "127.0.0.1";
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_addr.s_addr = inet_addr(address)};
    int port[2], go[2];
    if (has_link && !leave_network()) {
        printf("no-link: no right to a network namespace, or no iproute2\n");
        return 0;
    }
    if (pipe(port) != 0 || pipe(go) != 0)
        fail("pipe");
    const pid_t process = child();
    char sign = 0;
    if (process == 0) {
        if (has_link && (!leave_network() || write(port[1], &sign, 1) != 1 || read(go[0], &sign, 1) != 1
                         || !set_up("server", link_server)))
            fail("the server's end of the link");
        serve(server, port[1]);
    }
    close(port[1]);
    if (has_link && (read(port[0], &sign, 1) != 1 || !join(process) || write(go[1], &sign, 1) != 1)) {
        printf("no-link: no pair of virtual devices, or no token bucket\n");
        return 0;
    }
    if (read(port[0], &server.sin_port, sizeof server.sin_port) != sizeof server.sin_port)
        fail("the server");
    for (int i = 0; i < ROOM; i++)
        sending[i] = i * 77777;
    pin(0);
    check(server);
    where = has_link ? "link-" : "";
    measure(server, atoi(arguments[1]), turns);
    kill(process, SIGKILL);
    return 0;
}
