/* Looks on at an edge over NATS with what protoc-c made of reading.proto, and has each message's bytes again by writing what it read. */
#include "reading.pb-c.h"
#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_right(const Reading *reading, unsigned at)
{
    char place[21] = "";
    bool right;
    if (at > 0)
        snprintf(place, sizeof place, "station %u", at % 7);
    right = reading->number == at && reading->level == -(int32_t)at && reading->good == (at > 0 && at % 2 == 0) && strcmp(reading->place, place) == 0
        && reading->time == (at > 0 ? 1000000000000 + at : 0) && reading->n_where == at % 4 && reading->bytes.len == at % 41
        && reading->n_history == at % 6;
    for (unsigned n = 0; right && n < at % 4; n++)
        right = reading->where[n]->x == (float)n + 0.5f && reading->where[n]->y == at + 0.25;
    for (unsigned n = 0; right && n < at % 41; n++)
        right = reading->bytes.data[n] == (uint8_t)at;
    for (unsigned n = 0; right && n < at % 6; n++)
        right = reading->history[n] == -(int32_t)(at * n);
    return right;
}

static bool has_same_bytes(const Reading *reading, const uint8_t *bytes, size_t length)
{
    uint8_t again[1024];
    return reading__get_packed_size(reading) == length && reading__pack(reading, again) == length && memcmp(again, bytes, length) == 0;
}

int main(void)
{
    natsConnection *connection = NULL;
    natsSubscription *packets = NULL;
    natsMsg *message = NULL;
    const char *end;
    unsigned readings = 0, wrong = 0;
    if (natsConnection_ConnectTo(&connection, getenv("NATS_URL")) != NATS_OK
        || natsConnection_SubscribeSync(&packets, connection, "whittle.weather.*.0") != NATS_OK || natsConnection_Flush(connection) != NATS_OK)
        return 2;
    puts("reader: ready");
    fflush(stdout);
    while (natsSubscription_NextMsg(&message, packets, 120000) == NATS_OK && natsMsgHeader_Get(message, "Whittle-End", &end) != NATS_OK) {
        const uint8_t *const bytes = (const uint8_t *)natsMsg_GetData(message);
        const size_t length = (size_t)natsMsg_GetDataLength(message);
        Reading *const reading = reading__unpack(NULL, length, bytes);
        wrong += reading == NULL || !is_right(reading, readings) || !has_same_bytes(reading, bytes, length);
        readings++;
        if (reading != NULL)
            reading__free_unpacked(reading, NULL);
        natsMsg_Destroy(message);
    }
    printf("reader: %u readings, %u wrong\n", readings, wrong);
    natsMsg_Destroy(message);
    natsSubscription_Destroy(packets);
    natsConnection_Destroy(connection);
    nats_Close();
    return 0;
}
