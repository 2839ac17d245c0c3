/* SPDX-License-Identifier: MIT-0 */
/* The address that this ORB's objects are called at. */
#include "parts.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>

/* The host that references name: as told, or as listened at, or the first address that others may reach. */
static char *whittle_public_host(const struct whittle_options *options)
{
    char text[INET_ADDRSTRLEN] = "127.0.0.1";
    struct ifaddrs *all = NULL;
    if (options->publish != NULL || options->host != NULL)
        return strdup(options->publish != NULL ? options->publish : options->host);
    if (getifaddrs(&all) == 0) {
        for (const struct ifaddrs *each = all; each != NULL; each = each->ifa_next)
            if (each->ifa_addr != NULL && each->ifa_addr->sa_family == AF_INET && (each->ifa_flags & IFF_LOOPBACK) == 0
                && (each->ifa_flags & IFF_UP) != 0) {
                struct sockaddr_in address;
                memcpy(&address, each->ifa_addr, sizeof address);
                inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
                break;
            }
        freeifaddrs(all);
    }
    return strdup(text);
}

bool whittle_listen_at(CORBA_ORB orb, CORBA_Environment *ev)
{
    const struct whittle_net_address address = {.transport = WHITTLE_NET_TCP, .host = orb->options.host, .port = (uint16_t)orb->options.port};
    if (orb->net.listeners != NULL)
        return true;
    free(orb->host);    /* of an address that could not be listened at */
    orb->host = whittle_public_host(&orb->options);
    if (orb->host == NULL || whittle_net_listen(&orb->net, &address) != WHITTLE_NET_OK) {
        const int problem = errno;
        WHITTLE_RAISE(ev, INITIALIZE, WHITTLE_CANNOT_LISTEN, NO);
        errno = problem;
        return false;
    }
    __atomic_store_n(&orb->port, whittle_net_name_port(&orb->net.listeners->name), __ATOMIC_RELEASE);
    return true;
}

uint16_t whittle_orb_port(CORBA_ORB orb)
{
    return __atomic_load_n(&orb->port, __ATOMIC_ACQUIRE);
}

void whittle_orb_usage(CORBA_ORB orb, struct whittle_net_usage *usage)
{
    whittle_net_usage_of(&orb->net, usage);
}
