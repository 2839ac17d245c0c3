/*
 * NATS: packets are published to a subject, the server hands them to the subscriber. Usage: nats source|relay|sink URL.
 * Nothing bounds what waits in the subscriber, and what the server may hold is in nats.conf: with less, packets are lost.
 */
#include "packets.h"
#include "work.h"
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static natsConnection *connection;
static natsSubscription *back;
static PACKET packet;

static natsSubscription *subscribe(const char *subject)
{
    natsSubscription *subscription = NULL;
    if (natsConnection_SubscribeSync(&subscription, connection, subject) != NATS_OK ||
        natsSubscription_SetPendingLimits(subscription, -1, -1) != NATS_OK ||
        natsConnection_Flush(connection) != NATS_OK)
        exit(1);
    return subscription;
}

/* The library gathers what is published, for a millisecond or more, unless a flush asks for it at once. */
static bool publish(const char *subject, bool last)
{
    return natsConnection_Publish(connection, subject, &packet, sizeof packet) == NATS_OK &&
           (!last || natsConnection_Flush(connection) == NATS_OK);
}

static inline void *room(void)
{
    return &packet;
}

static inline bool pass(bool last)
{
    return publish("data", last);
}

/* The last packet may be lost, and the answer with it. */
static inline int32_t answer(void)
{
    natsMsg *message;
    int32_t code = 0;
    if (natsSubscription_NextMsg(&message, back, 5000) == NATS_OK) {
        memcpy(&code, natsMsg_GetData(message), sizeof code);
        natsMsg_Destroy(message);
    }
    return code;
}

#include "drive.h"

int main(int argc, char **argv)
{
    natsMsg *message;
    int32_t code;
    if (argc < 3)
        return 2;
    while (natsConnection_ConnectTo(&connection, argv[2]) != NATS_OK)
        usleep(20000);
    if (strcmp(argv[1], "source") == 0) {
        back = subscribe("back");
        sleep(1);       /* until the others have subscribed: what nobody asked for is lost */
        drive();
        return 0;
    }
    const bool is_relay = strcmp(argv[1], "relay") == 0;
    natsSubscription *in = subscribe(is_relay || NODES == 2 ? "data" : "onwards");
    prepare();
    while (natsSubscription_NextMsg(&message, in, 3600000) == NATS_OK) {
        if (is_relay) {
            relay((const PACKET *)natsMsg_GetData(message), &packet);
            publish("onwards", (packet.numbers[0] & ANSWER) != 0);
        } else if (take(natsMsg_GetData(message), &code)) {
            natsConnection_Publish(connection, "back", &code, sizeof code);
            natsConnection_Flush(connection);
        }
        natsMsg_Destroy(message);
    }
    return 0;
}
