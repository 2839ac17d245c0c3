/*
 * Cyclone DDS: reliable topics that keep all; small packets are batched by the library, and flushed where an answer is
 * waited for. Usage: cyclone source|relay|sink
 */
#include "dds/dds.h"
#include "dds_packets.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#define JOINED(type) type##_desc
#define DESCRIPTION(type) JOINED(type)

enum { WAITING = BYTES > 131072 ? 4 : 524288 / BYTES > 10000 ? 10000 : 524288 / BYTES };

static dds_entity_t participant, out, back;
static PACKET packet;

static dds_entity_t end_of(const char *topic, const dds_topic_descriptor_t *type, bool writes)
{
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
    dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
    /* A bound at a reader would stop the thread that hears acknowledgements, too, and a relay with it. */
    if (writes)
        dds_qset_resource_limits(qos, WAITING, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    dds_entity_t place = dds_create_topic(participant, type, topic, NULL, NULL);
    dds_entity_t end = writes ? dds_create_writer(participant, place, qos, NULL)
                              : dds_create_reader(participant, place, qos, NULL);
    dds_delete_qos(qos);
    if (end < 0) {
        fprintf(stderr, "%s: %s\n", topic, dds_strretcode(end));
        exit(1);
    }
    return end;
}

static void meet(dds_entity_t writer)
{
    dds_publication_matched_status_t status = { 0 };
    while (status.current_count == 0) {
        dds_get_publication_matched_status(writer, &status);
        dds_sleepfor(DDS_MSECS(20));
    }
}

/* Waits until there is something; takes as many as there are, on loan. */
static int32_t wait_for(dds_entity_t reader, dds_entity_t set, void **loans, int most, dds_duration_t patience)
{
    dds_sample_info_t about[64];
    int32_t taken;
    loans[0] = NULL;
    while ((taken = dds_take(reader, loans, about, (size_t)most, (uint32_t)most)) == 0)
        if (dds_waitset_wait(set, NULL, 0, patience) == 0)
            return 0;
    return taken;
}

static dds_entity_t watch(dds_entity_t reader)
{
    dds_entity_t set = dds_create_waitset(participant);
    dds_set_status_mask(reader, DDS_DATA_AVAILABLE_STATUS);
    dds_waitset_attach(set, reader, 0);
    return set;
}

static dds_entity_t back_set;

static inline void *room(void)
{
    return &packet;
}

static inline bool pass(bool last)
{
    if (dds_write(out, &packet) != 0)
        return false;
    if (last)
        dds_write_flush(out);
    return true;
}

static inline int32_t answer(void)
{
    void *loan[1];
    if (wait_for(back, back_set, loan, 1, DDS_SECS(10)) <= 0)
        return 0;
    int32_t code = ((Answer *)loan[0])->code;
    dds_return_loan(back, loan, 1);
    return code;
}

#include "drive.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
    dds_write_set_batch(BYTES < 4096);      /* of domains that are there */
    if (strcmp(argv[1], "source") == 0) {
        out = end_of("data", &DESCRIPTION(PACKET), true);
        back = end_of("back", &Answer_desc, false);
        back_set = watch(back);
        meet(out);
        dds_sleepfor(DDS_SECS(1));
        drive();
        return 0;
    }
    const bool is_relay = strcmp(argv[1], "relay") == 0;
    dds_entity_t in = end_of(is_relay || NODES == 2 ? "data" : "onwards", &DESCRIPTION(PACKET), false), set = watch(in);
    out = is_relay ? end_of("onwards", &DESCRIPTION(PACKET), true) : end_of("back", &Answer_desc, true);
    prepare();
    meet(out);
    for (;;) {
        void *loans[64];
        Answer reply;
        const int32_t taken = wait_for(in, set, loans, 64, DDS_INFINITY);
        if (taken < 0)
            return 1;
        for (int32_t i = 0; i < taken; i++) {
            if (is_relay) {
                relay(loans[i], loans[i]);
                dds_write(out, loans[i]);
            } else if (take(loans[i], &reply.code)) {
                dds_write(out, &reply);
                dds_write_flush(out);
            }
        }
        if (is_relay)
            dds_write_flush(out);
        dds_return_loan(in, loans, taken);
    }
}
