/*
 * What tests of edges over NATS share: a server of the test's own, on a port of its own, with its files in the test's
 * folder; processes that use it.
 */
#include "nats_common.h"
#include <arpa/inet.h>
#include <nats/nats.h>
#include <sys/prctl.h>
#include <sys/socket.h>

pid_t server;
static unsigned server_port;
static char server_folder[96];

/*
 * A port that nobody has just now, and that no connection is given by itself while the server is away: below those that
 * the system hands out.
 */
static unsigned free_port(void)
{
    for (unsigned n = 0; n < 1000; n++) {
        const unsigned port = 30000 + ((unsigned)getpid() + 7 * n) % 2700;
        const struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
        const int fd = socket(AF_INET, SOCK_STREAM, 0);
        const bool free = fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof address) == 0;
        close(fd);
        if (free)
            return port;
    }
    CHECK(false, "no port is free");
    return 0;
}

static bool server_answers(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)server_port)};
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const bool done = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    return done;
}

bool has_server(void)
{
    const bool has = system("nats-server --version >/dev/null 2>&1") == 0;
    if (!has)
        printf("skipped: nats-server is not installed\n");
    return has;
}

void start_server(bool jetstream)
{
    char port[16];
    snprintf(port, sizeof port, "%u", server_port);
    server = fork();
    CHECK(server >= 0, "fork");
    if (server == 0) {
        char *const with[] = {"nats-server", "-a", "127.0.0.1", "-p", port, "-l", "/dev/null", jetstream ? "-js" : NULL, "-sd", server_folder, NULL};
        prctl(PR_SET_PDEATHSIG, SIGKILL);   /* it ends with a test that fails */
        execvp("nats-server", with);
        _exit(127);
    }
    for (int n = 0; n < 1000 && !server_answers(); n++)
        sleep_ms(10);
    CHECK(server_answers(), "the server does not start");
}

void stop_server(int how)
{
    kill(server, how);
    waitpid(server, NULL, 0);
    server = 0;
}

void new_server_place(const char *test)
{
    char url[64];
    new_place(test);
    snprintf(server_folder, sizeof server_folder, "%s/server", place_name());
    server_port = free_port();
    snprintf(url, sizeof url, "nats://127.0.0.1:%u", server_port);
    setenv("NATS_URL", url, 1);
}

/* libnats's threads end first: what libcrypto keeps for a thread that is just ending looks like a leak to LeakSanitizer. */
enum { PATIENCE = 5000 };
int end_with_library(struct end *end)
{
    const int status = whittle_flow_end(&end->process);
    nats_CloseAndWait(PATIENCE);
    return status;
}

void begin_over_nats(struct end *end, const struct whittle_flow_edge *edge, bool sends, bool replay)
{
    char *arguments[] = {"test", replay ? "--replay" : NULL, NULL};
    memset(end, 0, sizeof *end);
    end->sender.edge = end->receiver.edge = edge;
    end->senders[0] = &end->sender;
    end->receivers[0] = &end->receiver;
    end->process.flow = "test";
    end->process.name = sends ? "source" : "sink";
    end->process.senders = end->senders;
    end->process.receivers = end->receivers;
    end->process.sender_count = sends;
    end->process.receiver_count = !sends;
    end->process.nats = &whittle_flow_nats;
    end->process.security = &whittle_flow_keyed;
    if (!whittle_flow_begin(&end->process, replay ? 2 : 1, arguments)) {
        nats_CloseAndWait(PATIENCE);
        exit(77);
    }
}
