/* Peers of an edge that is lied to: the honest ones beside, and sockets that take whatever comes. */
#ifndef HOSTILE_COMMON_H
#define HOSTILE_COMMON_H
#include "common.h"
#include "../parts.h"
#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>

enum { HONEST = 500 };

/* Writes what it can; the other side may close at any time. */
static void put(int fd, const void *bytes, size_t count)
{
    if (send(fd, bytes, count, MSG_NOSIGNAL) < 0)
        return;
}

/* Until the other side has closed. */
static void await_close(int fd)
{
    char rest[256];
    while (recv(fd, rest, sizeof rest, 0) > 0)
        ;
    close(fd);
}

static int sink(const void *argument)
{
    const struct whittle_flow_edge *const edge = argument;
    struct end end;
    const void *packet;
    begin_receiver(&end, edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL)
        if (edge->type->used != NULL)
            CHECK(edge->type->used(packet) != 0, "a packet over its bounds");
    return whittle_flow_end(&end.process);
}

static int honest(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < HONEST; n++) {
        struct list *const list = whittle_flow_room(&end.sender);
        list->used = 3;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

#endif
