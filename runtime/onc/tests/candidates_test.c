/* SPDX-License-Identifier: MIT-0 */
/* A name with several addresses: whoever of them answers is called, whatever the others do. */
#include "scripted.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* What the name `several` stands for, in order; an address stands for itself. */
static const char *hosts[4];
static struct addrinfo found[4];
static struct sockaddr_in names[4];

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **all)
{
    const char *const itself[] = {node, NULL}, *const *const is = strcmp(node, "several") == 0 ? hosts : itself;
    size_t count = 0;
    for (; count < 4 && is[count] != NULL; count++) {
        names[count] = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(service))};
        CHECK(inet_pton(AF_INET, is[count], &names[count].sin_addr) == 1);
        found[count] = (struct addrinfo){.ai_family = AF_INET, .ai_socktype = hints->ai_socktype, .ai_addrlen = sizeof names[count],
                                         .ai_addr = (struct sockaddr *)&names[count]};
        if (count > 0)
            found[count - 1].ai_next = &found[count];
    }
    *all = count == 0 ? NULL : &found[0];
    return count == 0 ? EAI_NONAME : 0;
}

void freeaddrinfo(struct addrinfo *all)
{
    (void)all;
}

static void stands_for(const char *first, const char *second, const char *third)
{
    hosts[0] = first, hosts[1] = second, hosts[2] = third, hosts[3] = NULL;
}

/* A socket at that address and the server's port, which nobody reads. */
static int silent_at(const char *host, const char *port)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK(inet_pton(AF_INET, host, &name.sin_addr) == 1 && bind(fd, (struct sockaddr *)&name, sizeof name) == 0);
    return fd;
}

/* The same of streams: more want to be connected than it takes, and nobody accepts them. */
enum { WAITING = 4 };

static void silent_stream(const char *host, const char *port, int all[WAITING])
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    for (int index = 0; index < WAITING; index++)
        all[index] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    CHECK(inet_pton(AF_INET, host, &name.sin_addr) == 1 && bind(all[0], (struct sockaddr *)&name, sizeof name) == 0);
    CHECK(listen(all[0], 0) == 0);
    for (int index = 1; index < WAITING; index++)
        CHECK(connect(all[index], (struct sockaddr *)&name, sizeof name) < 0);
}

static uint32_t calls_of(const struct running *running)
{
    return __atomic_load_n(&running->servant.calls, __ATOMIC_RELAXED);
}

/* Each procedure is executed once, whoever was asked before. */
static void called(const struct running *running, const char *address, uint32_t connect_timeout)
{
    const struct whittle_onc_client_options options = {.timeout = 60000, .connect_timeout = connect_timeout};
    struct whittle_onc_client *const client = client_of(address, &options);
    const uint32_t before = calls_of(running);
    int32_t sum;
    GOOD(sample_add(client, 3, 4, &sum));
    CHECK(sum == 7 && calls_of(running) == before + 1);
    GOOD(sample_add(client, 3, 5, &sum));
    CHECK(sum == 8 && calls_of(running) == before + 2);
    whittle_onc_client_close(client);
}

static void called_by_streams(void)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    struct running running;
    char address[64];
    int all[WAITING];
    running_open(&running, NULL, addresses);
    const char *const port = strrchr(running_at(&running, "tcp"), ':') + 1;
    snprintf(address, sizeof address, "tcp://several:%s", port);
    silent_stream("127.0.0.3", port, all);
    stands_for("127.0.0.2", "127.0.0.1", NULL);
    called(&running, address, 0);
    stands_for("127.0.0.3", "127.0.0.1", NULL);
    called(&running, address, 4000);
    for (int index = 0; index < WAITING; index++)
        close(all[index]);
    running_close(&running);
}

static void fails(const char *address, uint32_t timeout, int wanted)
{
    const struct whittle_onc_client_options options = {.timeout = timeout};
    struct whittle_onc_client *const client = client_of(address, &options);
    IS(sample_nothing(client), wanted);
    IS(sample_nothing(client), wanted);
    whittle_onc_client_close(client);
}

static void *cancel(void *opaque)
{
    pause_for(300);
    whittle_onc_client_cancel((struct whittle_onc_client *)opaque);
    return NULL;
}

static void cancelled(const char *address)
{
    pthread_t thread;
    struct whittle_onc_client *const client = client_of(address, NULL);
    CHECK(pthread_create(&thread, NULL, cancel, client) == 0);
    IS(sample_nothing(client), WHITTLE_ONC_CANCELLED);
    pthread_join(thread, NULL);
    whittle_onc_client_close(client);
}

/* What refused is asked again where the name leads then. */
static void somewhere_else(void)
{
    static const char *const addresses[] = {"udp://127.0.0.4", NULL};
    struct running running;
    char there[64];
    stands_for("127.0.0.5", "127.0.0.6", NULL);
    running_open(&running, NULL, addresses);
    snprintf(there, sizeof there, "udp://several%s", strrchr(running_at(&running, "udp"), ':'));
    struct whittle_onc_client *const client = client_of(there, NULL);
    IS(sample_nothing(client), WHITTLE_ONC_REFUSED);
    stands_for("127.0.0.6", "127.0.0.4", NULL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    running_close(&running);
}

int main(void)
{
    static const char *const addresses[] = {"udp://127.0.0.1", NULL};
    struct running running;
    char address[64];
    running_open(&running, NULL, addresses);
    const char *const port = strrchr(running_at(&running, "udp"), ':') + 1;
    snprintf(address, sizeof address, "udp://several:%s", port);
    const int silent = silent_at("127.0.0.3", port);
    stands_for("127.0.0.1", NULL, NULL);
    called(&running, address, 0);
    stands_for("127.0.0.1", "127.0.0.2", NULL);
    called(&running, address, 0);
    stands_for("127.0.0.2", "127.0.0.1", NULL);
    called(&running, address, 0);
    stands_for("127.0.0.3", "127.0.0.1", NULL);
    called(&running, address, 0);
    stands_for("127.0.0.3", "127.0.0.2", "127.0.0.1");
    called(&running, address, 0);
    stands_for("127.0.0.2", "127.0.0.5", NULL);
    fails(address, 20000, WHITTLE_ONC_REFUSED);
    stands_for("127.0.0.2", "127.0.0.3", NULL);
    fails(address, 400, WHITTLE_ONC_TIMED_OUT);
    cancelled(address);
    stands_for(NULL, NULL, NULL);
    fails(address, 400, WHITTLE_ONC_UNKNOWN_HOST);
    somewhere_else();
    called_by_streams();
    close(silent);
    running_close(&running);
    return 0;
}
