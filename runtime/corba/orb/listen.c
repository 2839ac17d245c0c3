/* SPDX-License-Identifier: MIT-0 */
/* The address that this ORB's objects are called at. */
#include "parts.h"
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

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

/* Looks after connections that stand still, now and then. */
static bool whittle_timer_open(CORBA_ORB orb)
{
    const uint64_t period = (uint64_t)orb->options.patience * 250000u;
    const struct timespec each = {(time_t)(period / 1000000000u), (long)(period % 1000000000u)};
    const struct itimerspec often = {each, each};
    orb->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return orb->timer >= 0 && timerfd_settime(orb->timer, 0, &often, NULL) == 0 && whittle_loop_add(orb, orb->timer, WHITTLE_WATCH_TIMER, EPOLLIN);
}

bool whittle_listen(CORBA_ORB orb, CORBA_Environment *ev)
{
    uint16_t port = 0;
    if (orb->listener >= 0)
        return true;
    orb->listener = whittle_socket_listen(orb->options.host, (uint16_t)orb->options.port, &port);
    free(orb->host);    /* of an address that could not be listened at */
    orb->host = whittle_public_host(&orb->options);
    orb->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (orb->listener < 0 || orb->host == NULL || !whittle_timer_open(orb) || !whittle_loop_add(orb, orb->listener, WHITTLE_WATCH_LISTENER, EPOLLIN)) {
        whittle_listen_end(orb);
        WHITTLE_RAISE(ev, INITIALIZE, WHITTLE_CANNOT_LISTEN, NO);
        return false;
    }
    __atomic_store_n(&orb->port, port, __ATOMIC_RELEASE);
    return true;
}

void whittle_accept(CORBA_ORB orb)
{
    const int fd = accept4(orb->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        whittle_server_accept(orb, fd);
    } else if ((errno == EMFILE || errno == ENFILE) && orb->spare >= 0) {
        /* Nobody can be taken in: who knocks is told so, instead of knocking for ever. */
        close(orb->spare);
        const int refused = accept4(orb->listener, NULL, NULL, SOCK_CLOEXEC);
        if (refused >= 0)
            close(refused);
        orb->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
}

void whittle_listen_end(CORBA_ORB orb)
{
    int *const all[] = {&orb->listener, &orb->timer, &orb->spare};
    for (size_t index = 0; index < sizeof all / sizeof all[0]; index++) {
        if (*all[index] >= 0)
            close(*all[index]);
        *all[index] = -1;
    }
}

uint16_t whittle_orb_port(CORBA_ORB orb)
{
    return __atomic_load_n(&orb->port, __ATOMIC_ACQUIRE);
}
