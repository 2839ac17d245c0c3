/* SPDX-License-Identifier: MIT-0 */
/* Addresses, as they are written and read; and the paths of Unix sockets, which go with who made them. */
#include "client.h"
#include "check.h"
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* What is written is read as the same. */
static void written(enum whittle_net_transport transport, const void *name, size_t size, const char *wanted)
{
    struct whittle_net_name held = {.size = (socklen_t)size};
    struct whittle_net_address address;
    memcpy(&held.storage, name, size);
    char *const text = whittle_net_address_text(transport, &held);
    if (text == NULL || strcmp(text, wanted) != 0) {
        fprintf(stderr, "`%s` is written `%s`\n", wanted, text == NULL ? "" : text);
        exit(99);
    }
    CHECK(whittle_net_address_parse(&address, text) && address.transport == transport);
    CHECK(transport == WHITTLE_NET_UNIX || address.port == 4711);
    whittle_net_address_drop(&address);
    free(text);
}

static void texts(void)
{
    const struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(4711), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(4711), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/run/some.socket"};
    const size_t head = offsetof(struct sockaddr_un, sun_path);
    struct whittle_net_name unknown = {.size = sizeof unknown.storage};
    written(WHITTLE_NET_TCP, &four, sizeof four, "tcp://127.0.0.1:4711");
    written(WHITTLE_NET_UDP, &four, sizeof four, "udp://127.0.0.1:4711");
    written(WHITTLE_NET_TCP, &six, sizeof six, "tcp://[::1]:4711");
    /* An address of one link is nowhere without the interface. */
    six.sin6_addr.s6_addr[0] = 0xfe;
    six.sin6_addr.s6_addr[1] = 0x80;
    six.sin6_scope_id = if_nametoindex("lo");
    CHECK(six.sin6_scope_id != 0);
    written(WHITTLE_NET_TCP, &six, sizeof six, "tcp://[fe80::1%lo]:4711");
    written(WHITTLE_NET_UNIX, &local, sizeof local, "unix:/run/some.socket");
    memcpy(local.sun_path, "\0hidden", 7);
    written(WHITTLE_NET_UNIX, &local, head + 7, "unix:@hidden");
    memcpy(local.sun_path, "@plain", 7);
    written(WHITTLE_NET_UNIX, &local, sizeof local, "unix:./@plain");
    CHECK(whittle_net_address_text(WHITTLE_NET_TCP, &unknown) == NULL);
}

/* Who gave the server its socket has its path, too; the server's own goes with it. */
static void paths(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    char own[80];
    snprintf(name.sun_path, sizeof name.sun_path, "/tmp/whittle-given-%d", (int)getpid());
    snprintf(own, sizeof own, "unix:/tmp/whittle-own-%d", (int)getpid());
    const int given = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(given >= 0 && bind(given, (const struct sockaddr *)&name, sizeof name) == 0 && listen(given, 5) == 0);
    struct whittle_onc_server *const server = whittle_onc_server_new(NULL);
    CHECK(server != NULL);
    GOOD(whittle_onc_server_adopt(server, given));
    GOOD(whittle_onc_server_listen(server, own));
    whittle_onc_server_free(server);
    CHECK(access(name.sun_path, F_OK) == 0 && access(own + 5, F_OK) != 0);
    CHECK(unlink(name.sun_path) == 0);
}

/* Where nobody listens, at a port that those who connect are given: whoever is given it does not talk to itself. */
static void nobody(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, own, peer;
    socklen_t size = sizeof name;
    char host[] = "127.0.0.1";
    const int held = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(held, (const struct sockaddr *)&name, sizeof name) == 0 && getsockname(held, (struct sockaddr *)&name, &size) == 0);
    close(held);
    const struct whittle_net_address address = {.transport = WHITTLE_NET_TCP, .host = host, .port = (uint16_t)(ntohs(name.sin_port) & ~1u)};     /* those are even */
    for (int tries = 0; tries < 20000; tries++) {
        const struct whittle_net_limits limits = {.deadline = whittle_net_now() + 10000 * WHITTLE_NET_MILLISECOND};
        const int fd = whittle_net_connect(&address, address.port, &limits);
        if (fd < 0)
            continue;
        CHECK(getsockname(fd, (struct sockaddr *)&own, &size) == 0 && getpeername(fd, (struct sockaddr *)&peer, &size) == 0);
        CHECK(own.sin_port != peer.sin_port);
        close(fd);
    }
}

/* Results that come in time and are large are not read beyond it: each string of them costs little, and there are millions. */
static void results_are_read_in_time(void)
{
    const size_t most = (size_t)1 << 32;
    struct whittle_onc_call call = {.decoded = most, .net = {.deadline = whittle_net_now() + 2 * WHITTLE_NET_MILLISECOND}};
    while (whittle_onc_call_charge(&call, 1)) {}
    CHECK(call.net.late && call.decoded > most / 2);
    struct whittle_onc_call other = {.decoded = 1000};
    while (whittle_onc_call_charge(&other, 1)) {}
    CHECK(!other.net.late && other.decoded < 100);
}

int main(void)
{
    results_are_read_in_time();
    texts();
    paths();
    nobody();
    return 0;
}
