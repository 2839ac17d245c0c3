/* SPDX-License-Identifier: MIT-0 */
/* Servers and clients by libtirpc's interface, which whittle's run time has, too: its transports and CLIENTs, by the addresses of attacks. */
#ifndef ATTACK_LIBRARY_H
#define ATTACK_LIBRARY_H
#include <arpa/inet.h>
#include <rpc/rpc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Listens at a free port of this machine, by `udp` or TCP; `text` says where. NULL: it cannot. */
static inline SVCXPRT *library_listen(const char *link, char text[60])
{
    const int udp = strcmp(link, "udp") == 0;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, udp ? SOCK_DGRAM : SOCK_STREAM, 0);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || (!udp && listen(fd, 128) != 0))
        return NULL;
    static SVCXPRT *transport;      /* the program's to keep: reachable when it ends */
    transport = udp ? svcudp_create(fd) : svctcp_create(fd, 0, 0);
    if (transport != NULL)
        snprintf(text, 60, "%s://127.0.0.1:%d", udp ? "udp" : "tcp", (int)transport->xp_port);
    return transport;
}

/* tcp://127.0.0.1:PORT or udp://127.0.0.1:PORT; each call has so many milliseconds. NULL: it cannot. */
static inline CLIENT *library_open(const char *address, uint32_t timeout)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    at.sin_port = htons((uint16_t)atoi(strrchr(address, ':') + 1));
    int fd = RPC_ANYSOCK;
    struct timeval time = {timeout / 1000, (int)(timeout % 1000) * 1000}, retry = {0, 500000};
    CLIENT *const client = strncmp(address, "udp", 3) == 0 ? clntudp_create(&at, ATTACKED, ATTACKED_1, retry, &fd)
                                                           : clnttcp_create(&at, ATTACKED, ATTACKED_1, &fd, 0, 0);
    if (client != NULL)
        clnt_control(client, CLSET_TIMEOUT, (char *)&time);
    return client;
}
#endif
