/* Reads an edge's packets with what `idlc` made of the printed IDL, in place of its receiver, and says how far it is. */
#include "weather.h"
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned shown, wrong;

static void look(const packets_Reading *reading)
{
    char place[24];
    snprintf(place, sizeof place, "station %u", reading->number % 7);
    bool right = reading->number == shown && reading->good == (shown % 2 == 0) && reading->level == (int16_t)-(int)shown
        && strcmp(reading->place, place) == 0 && reading->where[1].x == 1.5f && reading->where[1].y == shown + 0.25
        && reading->time == 1000000000000u + shown && reading->bytes._length == shown % 41 && reading->history._length == shown % 6;
    for (uint32_t n = 0; n < reading->bytes._length; n++)
        right = right && reading->bytes._buffer[n] == shown % 256;
    for (uint32_t n = 0; n < reading->history._length; n++)
        right = right && reading->history._buffer[n] == (int32_t)(shown * n);
    wrong += !right;
    shown++;
}

int main(void)
{
    const dds_domainid_t domain = (dds_domainid_t)atoi(getenv("WHITTLE_DDS_DOMAIN"));
    const dds_entity_t participant = dds_create_participant(domain, NULL, NULL);
    const dds_entity_t packets = dds_create_topic(participant, &samples_Reading_desc, topics_weather_0, NULL, NULL);
    const dds_entity_t answers = dds_create_topic(participant, &whittle_flow_Progress_desc, topics_weather_0_taken, NULL, NULL);
    dds_qos_t *const qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
    const dds_entity_t reader = dds_create_reader(participant, packets, qos, NULL), writer = dds_create_writer(participant, answers, qos, NULL);
    if (participant < 0 || reader < 0 || writer < 0)
        return 2;
    samples_Reading *sample = NULL;
    void *samples[1] = {NULL};
    dds_sample_info_t info;
    for (bool ended = false; !ended;) {
        if (dds_take(reader, samples, &info, 1, 1) < 1) {
            dds_sleepfor(DDS_MSECS(2));
            continue;
        }
        sample = samples[0];
        if (info.valid_data) {
            if (sample->head.kind == 0)
                look(&sample->packet);
            ended = sample->head.kind == 3;
            whittle_flow_Progress said = {.run = sample->head.run, .taken = shown, .process = sample->head.process, .flags = ended ? 1 : 0};
            dds_write(writer, &said);
        }
        dds_return_loan(reader, samples, 1);
        samples[0] = NULL;
    }
    dds_wait_for_acks(writer, DDS_SECS(5));
    dds_delete(participant);
    printf("reader: %u readings, %u wrong\n", shown, wrong);
    return wrong != 0;
}
