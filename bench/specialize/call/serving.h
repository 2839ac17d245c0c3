/*
 * The server, in a process of its own: one transport and one array for all participants, who answer as the version of
 * the program says (versions count from one).
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void dispatch(struct svc_req *request, SVCXPRT *transport)
{
    static int values[ROOM];
    static int line;
    const struct participant *who = &participants[request->rq_vers - 1];
    int size = 0;
    while (size < SIZE_COUNT && sizes[size] != (int)request->rq_proc)
        size++;
    if (size == SIZE_COUNT) {
        svcerr_noproc(transport);
        return;
    }
    integers = request->rq_proc;
    who->adopt(transport);
    line = (line + 5) % LINES;
    who->answer[size](transport, values + line * LINE);
    /* The library's own code takes the next message in, and has time for that. */
    participants[TIRPC].adopt(transport);
}

/* Serves on any port of the address, and writes the port. */
static void serve(struct sockaddr_in address, int port)
{
    const int file = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t length = sizeof address;
    if (bind(file, (struct sockaddr *)&address, length) != 0
        || getsockname(file, (struct sockaddr *)&address, &length) != 0)
        fail("bind");
    pin(1);
    SVCXPRT *transport = tirpc_svc_dg_create(file, BUFFER, BUFFER);
    for (rpcvers_t version = 1; version <= PARTICIPANTS; version++)
        if (transport == NULL || !tirpc_svc_reg(transport, PROGRAM, version, dispatch, NULL))
            exit(1);
    if (write(port, &address.sin_port, sizeof address.sin_port) != sizeof address.sin_port)
        fail("write");
    tirpc_svc_run();
    exit(1);
}

/* A process that ends with its parent, at the latest. */
static pid_t child(void)
{
    const pid_t process = fork();
    if (process < 0)
        fail("fork");
    if (process == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    return process;
}
