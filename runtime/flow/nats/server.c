/* SPDX-License-Identifier: MIT-0 */
/*
 * What is asked of the server: the edge's stream, the receiver's consumer. Each is made where it is not there,
 * and refused, with what to do, where it is another's. On the thread of the end, without the lock.
 */
#include "transport.h"
#include <string.h>

static const int64_t whittle_flow_nats_second = 1000000000;

/* What both ends must agree on, for people and for the server to compare. */
static void whittle_flow_nats_describe(const struct whittle_flow_link *link, char *text, size_t room)
{
    const struct whittle_flow_edge *const edge = link->edge;
    char machine[64] = "encoded";
    if (edge->type->fixed != 0) {
        struct whittle_flow_hello hello;
        whittle_flow_hello_write(link, &hello);
        const uint8_t *const z = hello.sizes;
        snprintf(machine, sizeof machine, "in place %s-%u%u%u%u%u%u%u%u", htole32(1) == 1 ? "little" : "big", z[0], z[1], z[2], z[3], z[4],
            z[5], z[6], z[7]);
    }
    snprintf(text, room, "whittle 1: %s: %s: %s %016llx, %s%s", edge->flow, edge->name, edge->type->name,
        (unsigned long long)edge->type->fingerprint, machine, edge->stamped ? ", stamped" : "");
}

/* The name of the packets' type in what `whittle_flow_nats_describe` said at the other end; NULL: what differs is not the type. */
static const char *whittle_flow_nats_other_type(const struct whittle_flow_edge *edge, const char *theirs, char name[64])
{
    char before[512], type[512];
    const int length = snprintf(before, sizeof before, "whittle 1: %s: %s: ", edge->flow, edge->name);
    snprintf(type, sizeof type, "%s %016llx,", edge->type->name, (unsigned long long)edge->type->fingerprint);
    if (length < 0 || (size_t)length >= sizeof before || strncmp(theirs, before, (size_t)length) != 0 || strncmp(theirs + length, type, strlen(type)) == 0)
        return NULL;
    snprintf(name, 64, "%.*s", (int)strcspn(theirs + length, " "), theirs + length);
    return name;
}

/* The server has a stream of this name that is not this edge's: says what it is of, where that is what differs. */
static void whittle_flow_nats_say_other(const struct whittle_flow_nats_link *own)
{
    char mine[512], theirs[512] = "", name[64], unknown[256] = "";
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    whittle_flow_nats_describe(own->link, mine, sizeof mine);
    if (js_GetStreamInfo(&info, own->js, own->stream, NULL, &code) == NATS_OK && info->Config != NULL && info->Config->Description != NULL)
        whittle_flow_clean(info->Config->Description, strnlen(info->Config->Description, sizeof theirs - 1) + 1, theirs);
    jsStreamInfo_Destroy(info);
    if (whittle_flow_nats_other_type(own->link->edge, theirs, name) != NULL)
        snprintf(unknown, sizeof unknown, "The server keeps no fields: which one differs between `%s` there and `%.63s` here is not known. ", name,
            own->link->edge->type->name);
    if (*theirs != '\0' && strcmp(theirs, mine) != 0)
        whittle_flow_log(own->link, "the server at %s has a stream %s of other packets: `%s`, and not `%s`. %sBuild both ends from one flow; or end what uses it and "
            "delete it (`nats stream rm %s`)", own->server->place, own->stream, theirs, mine, unknown, own->stream);
    else
        whittle_flow_log(own->link, "the server at %s has a stream %s of another configuration: of another queue, or not of a flow. "
            "End what uses it and delete it (`nats stream rm %s`), or use another server", own->server->place, own->stream, own->stream);
}

/* Why the server does not do as asked; whether that is final. */
static void whittle_flow_nats_refused(struct whittle_flow_nats_link *own, natsStatus status, jsErrCode code)
{
    struct whittle_flow_link *const link = own->link;
    const bool first = !own->said_other;
    own->said_other = true;
    if (code == JSStreamNameExistErr) {
        whittle_flow_nats_say_other(own);
        own->state = WHITTLE_FLOW_NATS_FAILED;
    } else if (status == NATS_NO_RESPONDERS || code == JSNotEnabledErr || code == JSNotEnabledForAccountErr) {
        if (first)
            whittle_flow_log(link, "the server at %s has no JetStream: start it with `nats-server -js`, or say `jetstream {}` in its configuration",
                own->server->place);
        if (!own->running)
            own->state = WHITTLE_FLOW_NATS_FAILED;
    } else if (first)
        whittle_flow_log(link, "the server at %s gives no stream %s: %s (%d); trying again", own->server->place, own->stream, natsStatus_GetText(status), code);
}

bool whittle_flow_nats_stream(struct whittle_flow_nats_link *own, jsStreamState *state)
{
    const struct whittle_flow_edge *const edge = own->link->edge;
    const bool oldest = edge->full == WHITTLE_FLOW_DROP_OLDEST;
    const uint64_t largest = whittle_flow_nats_largest(own->link) + 256, items = whittle_flow_nats_items(edge);
    const char *subjects[] = {own->subject};
    char description[512];
    jsStreamConfig config;
    jsStreamInfo *info = NULL;
    jsErrCode code = 0;
    jsStreamConfig_Init(&config);
    whittle_flow_nats_describe(own->link, description, sizeof description);
    config.Name = own->stream;
    config.Description = description;
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Storage = js_FileStorage;
    config.Retention = oldest ? js_LimitsPolicy : js_WorkQueuePolicy;
    config.Discard = oldest ? js_DiscardOld : js_DiscardNew;
    config.MaxMsgs = items > 0 ? (int64_t)items : -1;
    if (oldest && edge->queue_bytes > 0)
        config.MaxBytes = (int64_t)(edge->queue_bytes > largest ? edge->queue_bytes : largest);
    const natsStatus status = js_AddStream(&info, own->js, &config, NULL, &code);
    if (status != NATS_OK) {
        whittle_flow_nats_refused(own, status, code);
        return false;
    }
    *state = info->State;
    own->said_other = false;
    jsStreamInfo_Destroy(info);
    return true;
}

/* Where the consumer begins in a stream that keeps what was acknowledged; 0: with the first. */
static uint64_t whittle_flow_nats_start(struct whittle_flow_nats_link *own)
{
    const struct whittle_flow_link *const link = own->link;
    uint64_t start = whittle_flow_counter(link->page, WHITTLE_FLOW_MARK) + 1;
    jsConsumerInfo *info = NULL;
    jsErrCode code = 0;
    if (link->loop->replay && own->sequence == 0)
        return 0;
    if (start == 1 && js_GetConsumerInfo(&info, own->js, own->stream, "whittle", NULL, &code) == NATS_OK)
        start = info->AckFloor.Stream + 1;
    jsConsumerInfo_Destroy(info);
    return start == 1 ? 0 : start;
}

bool whittle_flow_nats_consumer(struct whittle_flow_nats_link *own)
{
    jsStreamState state;
    jsConsumerConfig config;
    jsErrCode code = 0;
    if (!whittle_flow_nats_stream(own, &state))
        return false;
    const uint64_t start = own->link->edge->full == WHITTLE_FLOW_DROP_OLDEST ? whittle_flow_nats_start(own) : 0;
    natsStatus status = js_DeleteConsumer(own->js, own->stream, "whittle", NULL, &code);
    if (status != NATS_OK && code != JSConsumerNotFoundErr)
        return false;
    jsConsumerConfig_Init(&config);
    config.Durable = "whittle";
    config.AckPolicy = js_AckExplicit;
    config.AckWait = 300 * whittle_flow_nats_second;     /* deaths and lost connections are seen otherwise */
    config.MaxAckPending = 2 * (int64_t)own->queue_room;
    config.DeliverPolicy = js_DeliverAll;
    if (start > 1 && start <= state.LastSeq + 1) {
        config.DeliverPolicy = js_DeliverByStartSequence;
        config.OptStartSeq = start;
    }
    status = js_AddConsumer(NULL, own->js, own->stream, &config, NULL, &code);
    if (status != NATS_OK)
        whittle_flow_nats_refused(own, status, code);
    return status == NATS_OK && whittle_flow_nats_subscribe(own);
}

static void whittle_flow_nats_completed(void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    pthread_mutex_lock(&own->link->lock);
    own->subscribed--;
    whittle_flow_nats_wake(own);
    pthread_mutex_unlock(&own->link->lock);
}

static natsSubscription *whittle_flow_nats_listen(struct whittle_flow_nats_link *own, const char *subject, natsMsgHandler handler)
{
    natsSubscription *subscription = NULL;
    pthread_mutex_lock(&own->link->lock);   /* no message is handled before it is known which subscription this is */
    if (natsConnection_Subscribe(&subscription, own->connection, subject, handler, own) == NATS_OK) {
        natsSubscription_SetPendingLimits(subscription, -1, -1);
        own->subscribed += natsSubscription_SetOnCompleteCB(subscription, whittle_flow_nats_completed, own) == NATS_OK;
    }
    pthread_mutex_unlock(&own->link->lock);
    return subscription;
}

/* A sender hears answers and receivers; a receiver what it asked for, each consumer's in a box of its own. */
bool whittle_flow_nats_subscribe(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    natsSubscription *const before = own->answers;
    natsInbox *inbox = NULL;
    char answers[80];
    if (link->sender != NULL && before != NULL)
        return true;
    if (natsInbox_Create(&inbox) != NATS_OK)
        return false;
    pthread_mutex_lock(&link->lock);
    snprintf(own->inbox, sizeof own->inbox, "%s", inbox);
    own->answers = NULL;
    if (link->receiver != NULL)
        whittle_flow_nats_forget(own);
    pthread_mutex_unlock(&link->lock);
    natsInbox_Destroy(inbox);
    natsSubscription_Destroy(before);
    snprintf(answers, sizeof answers, "%s%s", own->inbox, link->sender != NULL ? ".*.*" : "");
    natsSubscription *const now = whittle_flow_nats_listen(own, answers, link->sender != NULL ? whittle_flow_nats_answered : whittle_flow_nats_come);
    pthread_mutex_lock(&link->lock);
    own->answers = now;
    pthread_mutex_unlock(&link->lock);
    if (link->sender != NULL && own->hints == NULL)
        own->hints = whittle_flow_nats_listen(own, own->progress, whittle_flow_nats_hinted);
    if (link->sender != NULL && own->asks_of_others == NULL)
        own->asks_of_others = whittle_flow_nats_listen(own, own->leases, whittle_flow_nats_answer);
    return now != NULL && (link->sender == NULL || (own->hints != NULL && own->asks_of_others != NULL));
}
