/* SPDX-License-Identifier: MIT-0 */
/*
 * What an end has in its DDS domain: a participant, a writer, a reader, their topics and qualities of service. In goes the edge's contract;
 * out come the entities, or the reason why there are none, said. A process has one domain; where nothing else is configured and all of the
 * flow is on this machine, that does not leave the loopback.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The domain that this library has configured, for all ends of the process; 0: none is. */
static struct {
    pthread_mutex_t lock;
    dds_entity_t domain;
    unsigned users;
} whittle_flow_dds_domain = {.lock = PTHREAD_MUTEX_INITIALIZER};

/*
 * What waits for a reader is bounded by the history, so that no writer is to wait for what its packets weigh beside that.
 */
#define WHITTLE_FLOW_DDS_NO_WATERMARK "<Internal><Watermarks><WhcHigh>1 GiB</WhcHigh><WhcHighInit>1 GiB</WhcHighInit></Watermarks></Internal>"
static const char whittle_flow_dds_anywhere[] = WHITTLE_FLOW_DDS_NO_WATERMARK;
static const char whittle_flow_dds_here[] = WHITTLE_FLOW_DDS_NO_WATERMARK
    "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>"
    "<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>99</MaxAutoParticipantIndex>"
    "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

/* The number of the domain; false: it was refused, which has been said. */
static bool whittle_flow_dds_number(const struct whittle_flow_link *link, dds_domainid_t *number)
{
    const char *const text = getenv("WHITTLE_DDS_DOMAIN"), *const uri = getenv("CYCLONEDDS_URI");
    char *end = NULL;
    *number = uri != NULL && *uri != '\0' ? DDS_DOMAIN_DEFAULT : 0;
    if (text == NULL || *text == '\0')
        return true;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value > 230) {
        whittle_flow_log(link, "`%s` is no DDS domain: give WHITTLE_DDS_DOMAIN a number of 0 to 230", text);
        return false;
    }
    *number = (dds_domainid_t)value;
    return true;
}

static bool whittle_flow_dds_open_domain(struct whittle_flow_dds_link *own, dds_domainid_t number)
{
    const struct whittle_flow_link *const link = own->link;
    const char *const uri = getenv("CYCLONEDDS_URI");
    if (uri != NULL && *uri != '\0')
        return true;    /* whoever runs the program says how */
    const bool here = link->edge->one_clock || link->loop->here;
    pthread_mutex_lock(&whittle_flow_dds_domain.lock);
    if (whittle_flow_dds_domain.users == 0)
        whittle_flow_dds_domain.domain = dds_create_domain(number, here ? whittle_flow_dds_here : whittle_flow_dds_anywhere);
    const dds_return_t done = whittle_flow_dds_domain.domain;
    own->joined = done > 0;
    whittle_flow_dds_domain.users += own->joined;
    pthread_mutex_unlock(&whittle_flow_dds_domain.lock);
    /* The program has made it itself: that is as good. */
    if (done < 0 && done != DDS_RETCODE_PRECONDITION_NOT_MET) {
        whittle_flow_log(link, "the DDS domain %u cannot be had: %s", number, dds_strretcode(done));
        return false;
    }
    return true;
}

/* How many samples a writer or reader keeps: all that may be sent and not taken, and the first and the last. */
static int32_t whittle_flow_dds_depth(const struct whittle_flow_dds_link *own)
{
    enum { BESIDE = 2, MOST = 1 << 20 };
    return own->items < MOST ? (int32_t)own->items + BESIDE : MOST + BESIDE;
}

static dds_qos_t *whittle_flow_dds_contract(const struct whittle_flow_dds_link *own)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    const int32_t depth = whittle_flow_dds_depth(own);
    dds_qos_t *const qos = dds_create_qos();
    dds_qset_reliability(qos, own->repeats ? DDS_RELIABILITY_BEST_EFFORT : DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
    dds_qset_durability(qos, own->repeats ? DDS_DURABILITY_VOLATILE : DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, depth);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    dds_qset_writer_data_lifecycle(qos, false);
    if (edge->priority != 0)
        dds_qset_transport_priority(qos, edge->priority);
    return qos;
}

/* What the receiver reports goes without loss, and the last of it stays. */
static dds_qos_t *whittle_flow_dds_for_answers(void)
{
    enum { ANSWERS = 16 };
    dds_qos_t *const qos = dds_create_qos();
    dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, ANSWERS);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_LAST, ANSWERS, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
    dds_qset_writer_data_lifecycle(qos, false);
    return qos;
}

/* Whether a writer is still there. */
bool whittle_flow_dds_lives(const struct whittle_flow_dds_link *own, dds_instance_handle_t writer)
{
    dds_builtintopic_endpoint_t *const found = writer != 0 ? dds_get_matched_publication_data(own->reader, writer) : NULL;
    if (found != NULL)
        dds_builtintopic_free_endpoint(found);
    return found != NULL;
}

/* Two receivers of one edge have another machine or directory each: in one directory, the second does not begin. */
uint64_t whittle_flow_dds_receiver(const struct whittle_flow_link *link)
{
    char host[65] = "", text[sizeof host + sizeof link->loop->directory];
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    snprintf(text, sizeof text, "%s %s", host, link->loop->directory);
    const uint64_t receiver = whittle_flow_mix(text);
    return receiver != 0 ? receiver : 1;
}

/*
 * The topic of an edge's packets. Other flows of its name have other edges or other types, so that none takes another's packets; runs of
 * one flow in one domain are kept apart by partitions. `STEM.idl` has the same name (crates/isg/src/idl.rs).
 */
static void whittle_flow_dds_name(const struct whittle_flow_edge *edge, char *name, size_t room)
{
    char text[400];
    snprintf(text, sizeof text, "%.200s\n%.120s", edge->name, edge->type->name);
    snprintf(name, room, "%.80s_%u_%012llx", edge->flow, edge->number, (unsigned long long)(whittle_flow_mix(text) & 0xffffffffffffu));
}

/* The runs of a flow that share a domain have a partition each. */
static void whittle_flow_dds_set_partition(dds_qos_t *qos)
{
    const char *const partition = getenv("WHITTLE_DDS_PARTITION");
    if (partition != NULL && *partition != '\0')
        dds_qset_partition1(qos, partition);
}

/* The first of two ends to open makes each topic; both name the same. */
static dds_return_t whittle_flow_dds_make_ends(struct whittle_flow_dds_link *own)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    const bool sends = own->link->sender != NULL;
    const struct ddsi_sertype *of_packets = NULL, *of_answers = NULL;
    char packets[112], taken[120], type[96];
    whittle_flow_dds_name(edge, packets, sizeof packets);
    snprintf(taken, sizeof taken, "%s_taken", packets);
    snprintf(type, sizeof type, "samples::%.80s", edge->type->name);
    const dds_entity_t topic = whittle_flow_dds_topic(own->participant, packets, type, whittle_flow_dds_largest(edge), &of_packets);
    const dds_entity_t answers = whittle_flow_dds_topic(own->participant, taken, "whittle_flow::Progress", 256, &of_answers);
    if (topic < 0 || answers < 0)
        return topic < 0 ? topic : answers;
    dds_listener_t *const listener = dds_create_listener(own);
    dds_qos_t *const contract = whittle_flow_dds_contract(own), *const reliable = whittle_flow_dds_for_answers();
    whittle_flow_dds_set_partition(contract);
    whittle_flow_dds_set_partition(reliable);
    if (sends)
        dds_lset_publication_matched(listener, whittle_flow_dds_readers);
    own->writer = dds_create_writer(own->participant, sends ? topic : answers, sends ? contract : reliable, sends ? listener : NULL);
    dds_reset_listener(listener);
    dds_lset_data_available(listener, sends ? whittle_flow_dds_answered : whittle_flow_dds_come);
    own->written = sends ? of_packets : of_answers;
    if (own->writer > 0)
        own->reader = dds_create_reader(own->participant, sends ? answers : topic, sends ? reliable : contract, listener);
    dds_delete_listener(listener);
    dds_delete_qos(contract);
    dds_delete_qos(reliable);
    return own->writer < 0 ? own->writer : own->reader;
}

bool whittle_flow_dds_join(struct whittle_flow_dds_link *own)
{
    dds_domainid_t number;
    if (!whittle_flow_dds_number(own->link, &number) || !whittle_flow_dds_open_domain(own, number))
        return false;
    own->participant = dds_create_participant(number, NULL, NULL);
    const dds_return_t done = own->participant < 0 ? own->participant : whittle_flow_dds_make_ends(own);
    if (done <= 0)
        whittle_flow_log(own->link, "DDS cannot be used: %s: look at CYCLONEDDS_URI and WHITTLE_DDS_DOMAIN", dds_strretcode(done));
    return done > 0;
}

/* No function of this end's is called by Cyclone's threads after this. */
void whittle_flow_dds_leave(struct whittle_flow_dds_link *own)
{
    if (own->participant > 0)
        dds_delete(own->participant);
    if (!own->joined)
        return;
    pthread_mutex_lock(&whittle_flow_dds_domain.lock);
    if (--whittle_flow_dds_domain.users == 0)
        dds_delete(whittle_flow_dds_domain.domain);
    pthread_mutex_unlock(&whittle_flow_dds_domain.lock);
}
