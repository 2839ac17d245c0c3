/*
 * Every way through a call: a server that answers as a script says, and what the client makes of it. Original and residual
 * print the same. For each message the server gets, its length and the sum of its bytes but for the number are printed.
 */
#include <errno.h>
#include <netinet/in.h>
#include <rpc/rpc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ints.h"

enum { PROGRAM = 0x20000077, MOST = 64, USUAL = 8800 };

extern enum clnt_stat call_ints(CLIENT *, struct ints *, struct ints *, struct timeval);
extern CLIENT *clnt_dg_create(int, const struct netbuf *, rpcprog_t, rpcvers_t, u_int, u_int);

static struct log { int count; struct { long length; unsigned sum; } message[MOST]; } *seen;
static struct sockaddr_in server;
static int is_usual;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* What the residual code calls before it takes the general code: only where the buffer is not what the scenario says. */
void takes_general(void)
{
    if (is_usual) {
        fprintf(stderr, "the general code was taken although all facts hold\n");
        exit(1);
    }
}

/* The words of an answer; returns its length in bytes. */
static long answer(char how, const unsigned *message, unsigned *out)
{
    unsigned *at = out;
    *at++ = message[0];
    *at++ = htonl(how == 'd' ? 0 : 1);
    if (how == 'a' || how == 'v' || how == 'r') {
        *at++ = htonl(how == 'r' ? 9 : 1);
        *at++ = htonl(how == 'a' ? 1 : 0);
        *at++ = htonl(how == 'a' ? 2 : 3);
        *at++ = htonl(5);
        return (char *)(how == 'a' ? at - 1 : at) - (char *)out;
    }
    *at++ = 0;
    *at++ = htonl(how == 'f' ? 5 : 0);
    *at++ = htonl(how == 'f' ? 6 : how == 'l' ? 401 : 0);
    if (how == 'f') {
        *at++ = htonl(0x01020304);
        *at++ = htonl(0x05060000);
    }
    const char statuses[] = "upgqe";
    const char *status = strchr(statuses, how);
    *at++ = htonl(how == 'p' ? 2 : how == 'u' ? 3 : how == 'g' ? 4 : how == 'q' ? 5 : how == 'e' ? 77 : 0);
    if (how == 'p') {
        *at++ = htonl(7);
        *at++ = htonl(8);
    }
    if (status != NULL)
        return (char *)at - (char *)out;
    const int count = how == 't' ? 90 : 100;
    for (int i = 0; i < count; i++)
        *at++ = htonl(ntohl(message[10 + i]) + 1);
    if (how == 'b') {
        *at++ = 1;
        *at++ = 2;
    }
    return (char *)at - (char *)out;
}

static void serve(int file, const char *script)
{
    static unsigned message[3000], out[3000];
    for (;;) {
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        const long length = recvfrom(file, message, sizeof message, 0, (struct sockaddr *)&from, &size);
        if (length < 0)
            exit(0);
        const int number = seen->count < MOST - 1 ? seen->count++ : MOST - 1;
        seen->message[number].length = length;
        seen->message[number].sum = 0;
        for (long i = 4; i < length; i++)
            seen->message[number].sum = seen->message[number].sum * 31 + ((unsigned char *)message)[i];
        const char how = script[0] == '\0' ? 'n' : *script++;
        if (how == 'n')
            continue;
        if (how == 'x' || how == 's') {
            out[0] = ~message[0];
            sendto(file, out, how == 'x' ? 40 : 2, 0, (struct sockaddr *)&from, size);
            continue;
        }
        sendto(file, out, (size_t)answer(how, message, out), 0, (struct sockaddr *)&from, size);
    }
}

static void show(const char *title, CLIENT *client, enum clnt_stat status, const struct ints *results, int messages)
{
    struct rpc_err error;
    memset(&error, 0, sizeof error);
    CLNT_GETERR(client, &error);
    unsigned sum = 0;
    for (int i = 0; i < 100; i++)
        sum = sum * 31 + (unsigned)results->v[i];
    printf("%s: status %d, results %u", title, (int)status, sum);
    if (error.re_status == RPC_CANTRECV || error.re_status == RPC_CANTSEND)
        printf(", errno %d", error.re_errno);
    if (error.re_status == RPC_AUTHERROR)
        printf(", why %d", (int)error.re_why);
    if (error.re_status == RPC_VERSMISMATCH || error.re_status == RPC_PROGVERSMISMATCH)
        printf(", versions %u to %u", error.re_vers.low, error.re_vers.high);
    for (int i = 0; i < messages && i < seen->count; i++)
        printf(", %ld bytes %08x", seen->message[i].length, seen->message[i].sum);
    printf("\n");
}

/* One client, one script; then a plain call, to see that nothing of the first is left. */
static void path(const char *script, int sending, int connects, int closed)
{
    const int listening = socket(AF_INET, SOCK_DGRAM, 0), calling = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listening, (struct sockaddr *)&address, size) != 0 || getsockname(listening, (struct sockaddr *)&address, &size) != 0)
        fail("bind");
    char whole[64];
    snprintf(whole, sizeof whole, "%so", script);
    is_usual = sending == USUAL;
    seen->count = 0;
    const pid_t child = closed ? 0 : fork();
    if (child == 0 && !closed) {
        close(calling);
        serve(listening, whole);
    }
    close(listening);
    const struct netbuf where = {sizeof address, sizeof address, &address};
    CLIENT *client = clnt_dg_create(calling, &where, PROGRAM, 1, (u_int)sending, 8800);
    if (client == NULL)
        fail("clnt_dg_create");
    struct timeval again = {0, 60000}, patience = {0, 250000};
    CLNT_CONTROL(client, CLSET_RETRY_TIMEOUT, (char *)&again);
    if (connects)
        CLNT_CONTROL(client, CLSET_CONNECT, (char *)&connects);
    static struct ints arguments, results;
    for (int turn = 0; turn < (closed || strchr(script, 'n') == script ? 1 : 2); turn++) {
        char title[96];
        for (int i = 0; i < 100; i++) {
            arguments.v[i] = i * 1000003 + turn;
            results.v[i] = -1;
        }
        const enum clnt_stat status = call_ints(client, &arguments, &results, patience);
        snprintf(title, sizeof title, "%s, buffer %d%s%s, call %d", script, sending, connects ? ", connected" : "",
                 closed ? ", nobody there" : "", turn);
        const int is_quiet = strcmp(script, "nnnnnnnnnnnn") == 0;
        show(title, client, status, &results, is_quiet ? 1 : MOST);
    }
    CLNT_DESTROY(client);
    close(calling);
    if (!closed) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
}

int main(void)
{
    static const char *const scripts[] = {"o", "xo", "so", "no", "sxo", "b", "t", "a", "v", "r", "d", "f",
                                          "l", "e", "p", "u", "g", "q", "nnnnnnnnnnnn"};
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (seen == MAP_FAILED)
        fail("mmap");
    setbuf(stdout, NULL);
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        for (int connects = 0; connects < 2; connects++) {
            path(scripts[i], USUAL, connects, 0);
            path(scripts[i], 4000, connects, 0);
        }
    path("o", USUAL, 0, 1);
    path("o", USUAL, 1, 1);
    return 0;
}
