/* SPDX-License-Identifier: MIT-0 */
/* The address that this ORB's objects are called at. */
#include "parts.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdlib.h>

/* The host that references name: as given, or as listened at, or the first address that others may reach. */
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

/* Where the options say: by TCP, through shared memory, or both; an address in the run time's terms, whose `local` is to be freed. */
static struct whittle_net_address whittle_address_of(const struct whittle_options *options)
{
    const bool local = options->local != NULL, remote = options->end_point || !local;
    return (struct whittle_net_address){.transport = remote ? WHITTLE_NET_TCP : WHITTLE_NET_UNIX, .host = remote ? options->host : NULL,
        .port = (uint16_t)options->port, .local = local ? whittle_net_local_path(options->local, strlen(options->local)) : NULL};
}

static bool whittle_listen_both(CORBA_ORB orb, const struct whittle_net_address *address)
{
    const bool remote = !whittle_net_address_is_local(address);
    if (orb->options.local != NULL && address->local == NULL)
        return false;
    free(orb->at.host);     /* of an address that could not be listened at */
    orb->at = (struct whittle_published){.host = remote ? whittle_public_host(&orb->options) : NULL};
    if ((remote && orb->at.host == NULL) || whittle_net_listen(&orb->net, address) != WHITTLE_NET_OK)
        return false;
    const struct whittle_net_listener *const listener = address->local != NULL && remote ? orb->net.listeners->next : orb->net.listeners;
    orb->at.port = remote ? whittle_net_name_port(&listener->name) : 0;
    orb->at.local = orb->options.local;
    orb->at.place = address->local == NULL ? 0 : whittle_net_local_place(address->local);
    return true;
}

bool whittle_listen_at(CORBA_ORB orb, CORBA_Environment *ev)
{
    if (orb->net.listeners != NULL)
        return true;
    const struct whittle_net_address address = whittle_address_of(&orb->options);
    const bool listens = whittle_listen_both(orb, &address);
    const int problem = errno;
    free(address.local);
    if (listens)
        __atomic_store_n(&orb->listens, true, __ATOMIC_RELEASE);
    else
        WHITTLE_RAISE(ev, INITIALIZE, WHITTLE_CANNOT_LISTEN, NO);
    errno = problem;
    return listens;
}

uint16_t whittle_orb_port(CORBA_ORB orb)
{
    return whittle_orb_listens(orb) ? orb->at.port : 0;
}

void whittle_orb_usage(CORBA_ORB orb, struct whittle_net_usage *usage)
{
    whittle_net_usage_of(&orb->net, usage);
}
