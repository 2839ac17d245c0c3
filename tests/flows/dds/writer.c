/* Writes an edge's packets with what `idlc` made of the printed IDL, in place of its sender: 100 of them, and the end. */
#include "weather.h"
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS = 100 };
static unsigned first;     /* the number of the first packet: those before it are lost */

static void fill(samples_Reading *sample, unsigned at, uint8_t bytes[40], int32_t history[5])
{
    memset(sample, 0, sizeof *sample);
    sample->head.run = 4711;
    sample->head.number = first + at;
    sample->head.kind = at == READINGS ? 3 : 0;
    packets_Reading *const reading = &sample->packet;
    reading->number = at;
    reading->good = at % 2 == 0;
    reading->level = (int16_t)-(int)at;
    snprintf(reading->place, sizeof reading->place, "station %u", at % 7);
    for (int n = 0; n < 2; n++) {
        reading->where[n].x = (float)n + 0.5f;
        reading->where[n].y = at + 0.25;
    }
    reading->time = 1000000000000u + at;
    memset(bytes, (int)at, at % 41);
    reading->bytes._buffer = bytes;
    reading->bytes._length = reading->bytes._maximum = at % 41;
    for (unsigned n = 0; n < at % 6; n++)
        history[n] = (int32_t)(at * n);
    reading->history._buffer = history;
    reading->history._length = reading->history._maximum = at % 6;
}

int main(void)
{
    first = getenv("FIRST") != NULL ? (unsigned)atoi(getenv("FIRST")) : 0;
    const dds_domainid_t domain = (dds_domainid_t)atoi(getenv("WHITTLE_DDS_DOMAIN"));
    const dds_entity_t participant = dds_create_participant(domain, NULL, NULL);
    const dds_entity_t packets = dds_create_topic(participant, &samples_Reading_desc, topics_weather_0, NULL, NULL);
    dds_qos_t *const qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_ALL, 0, -1, -1, -1);
    dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
    const dds_entity_t writer = dds_create_writer(participant, packets, qos, NULL);
    dds_publication_matched_status_t matched = {0};
    samples_Reading sample;
    uint8_t bytes[40];
    int32_t history[5];
    if (participant < 0 || writer < 0)
        return 2;
    while (dds_get_publication_matched_status(writer, &matched) == 0 && matched.current_count == 0)
        dds_sleepfor(DDS_MSECS(10));
    /* The reader may find this writer later than this writer finds it, and would lose what is written until then. */
    dds_sleepfor(DDS_SECS(1));
    /* The receiver keeps 18 samples: it does not ask this writer to wait. */
    for (unsigned at = 0; at <= READINGS; at++) {
        fill(&sample, at, bytes, history);
        if (dds_write(writer, &sample) < 0)
            return 3;
        dds_sleepfor(DDS_MSECS(3));
    }
    dds_wait_for_acks(writer, DDS_SECS(10));
    dds_delete(participant);
    return 0;
}
