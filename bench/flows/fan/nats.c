/* Core NATS with its defaults: a connection for each subscriber, a server between. Usage: nats source|sink URL. */
#include "../packets.h"
#include <nats/nats.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static natsConnection *out;
static const char *url;

/* The library gathers what is published, for a millisecond or more, unless a flush asks for it at once. */
static void publish(const Mixed *packet, bool last)
{
    natsConnection_Publish(out, "data", packet, sizeof *packet);
    if (last)
        natsConnection_Flush(out);
}

#include "drive.h"

static natsConnection *join(void)
{
    natsConnection *connection = NULL;
    while (natsConnection_ConnectTo(&connection, url) != NATS_OK)
        usleep(20000);
    return connection;
}

static void *subscribe(void *which)
{
    natsConnection *connection = join();
    natsSubscription *in = NULL;
    natsMsg *message;
    if (natsConnection_SubscribeSync(&in, connection, "data") != NATS_OK || natsConnection_Flush(connection) != NATS_OK)
        exit(1);
    for (;;) {
        const natsStatus status = natsSubscription_NextMsg(&message, in, 3600000);
        if (status == NATS_SLOW_CONSUMER)
            continue;       /* packets were dropped: the source sees that they have not come */
        if (status != NATS_OK)
            return NULL;
        arrived((size_t)which, natsMsg_GetData(message));
        natsMsg_Destroy(message);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    url = argv[2];
    if (strcmp(argv[1], "source") == 0) {
        out = join();
        drive();
        _Exit(0);
    }
    return run_subscribers(subscribe);
}
