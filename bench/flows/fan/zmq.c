/*
 * libzmq: PUB and SUB with the library's own queues; the publisher waits where one is full, as a flow's does, and drops nothing. Usage:
 * zmq source|sink ADDRESS, tcp:// or ipc:// before it.
 */
#include "../packets.h"
#include <stdbool.h>
#include <string.h>
#include <zmq.h>

static void *context, *out;

static void publish(const Mixed *packet, bool last)
{
    (void)last;
    zmq_send(out, packet, sizeof *packet, 0);
}

#include "drive.h"

static const char *address;

static void *subscribe(void *which)
{
    void *in = zmq_socket(context, ZMQ_SUB);
    Mixed packet;
    zmq_setsockopt(in, ZMQ_SUBSCRIBE, "", 0);
    if (zmq_connect(in, address) != 0)
        exit(1);
    while (zmq_recv(in, &packet, sizeof packet, 0) == sizeof packet)
        arrived((size_t)which, &packet);
    return NULL;
}

int main(int argc, char **argv)
{
    const int waits = 1;
    if (argc < 3)
        return 2;
    address = argv[2];
    context = zmq_ctx_new();
    if (strcmp(argv[1], "source") == 0) {
        out = zmq_socket(context, ZMQ_PUB);
        zmq_setsockopt(out, ZMQ_XPUB_NODROP, &waits, sizeof waits);
        if (zmq_bind(out, address) != 0)
            return 1;
        drive();
        _Exit(0);
    }
    return run_subscribers(subscribe);
}
