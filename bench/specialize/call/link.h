/*
 * A link of 100 Mbit a second, both ways: two network namespaces, joined by a pair of virtual devices that token buckets
 * slow down. They have no names, and end with the processes that are in them. Needs root and iproute2.
 */
#include <stdarg.h>

static const char link_client[] = "10.99.0.1", link_server[] = "10.99.0.2";

static int command(const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return system(line) == 0;
}

/* A namespace of one's own; without the right to one, false. */
static int leave_network(void)
{
    return unshare(CLONE_NEWNET) == 0 && command("ip link set lo up");
}

static int set_up(const char *device, const char *address)
{
    return command("ip addr add %s/24 dev %s && ip link set %s up", address, device, device)
        && command("tc qdisc add dev %s root tbf rate 100mbit burst 1600 latency 500ms", device);
}

/* In the client's namespace: a device, whose other end is in the server's. */
static int join(pid_t server)
{
    return command("ip link add client type veth peer name server netns %d", (int)server)
        && set_up("client", link_client);
}
