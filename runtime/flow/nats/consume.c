/* SPDX-License-Identifier: MIT-0 */
/*
 * A receiver's packets, on the stage's thread: each message is held against the page, which says what was delivered before,
 * and acknowledged once it is done. In go messages; out come packets, acknowledgements, and word of how far the edge is.
 */
#include "transport.h"
#include <endian.h>
#include <string.h>

/* A message: what it says of itself, and its place. */
struct whittle_flow_nats_message {
    struct whittle_flow_nats_said said;
    uint64_t sequence, consumed, pending;   /* the stream's number, the consumer's, and how many follow */
};

/* A message's places are in the subject that acknowledges it: $JS.ACK[.DOMAIN.ACCOUNT].STREAM.CONSUMER.TIMES.STREAM'S.CONSUMER'S.TIME.PENDING[.TOKEN] */
static bool whittle_flow_nats_place_of(natsMsg *message, struct whittle_flow_nats_message *come)
{
    const char *reply = natsMsg_GetReply(message), *rest = NULL;
    int dots = 0;
    memset(come, 0, sizeof *come);
    if (reply == NULL || strncmp(reply, "$JS.ACK.", 8) != 0)
        return false;
    for (const char *at = reply; *at != '\0'; at++)
        dots += *at == '.';
    for (int skip = dots >= 10 ? 7 : 5; skip > 0 && reply != NULL; skip--) {
        reply = strchr(reply, '.');
        reply = reply != NULL ? reply + 1 : NULL;
    }
    if (reply == NULL)
        return false;
    come->sequence = whittle_flow_nats_number(reply, '.', &rest);
    come->consumed = rest != NULL ? whittle_flow_nats_number(rest, '.', &rest) : 0;
    rest = rest != NULL ? strchr(rest, '.') : NULL;
    come->pending = rest != NULL ? strtoull(rest + 1, NULL, 10) : 0;
    return rest != NULL;
}

static void whittle_flow_nats_acknowledge(const struct whittle_flow_nats_link *own, natsMsg *message)
{
    natsConnection_Publish(own->connection, natsMsg_GetReply(message), NULL, 0);
    natsMsg_Destroy(message);
}

void whittle_flow_nats_hint(struct whittle_flow_nats_link *own, bool refuses)
{
    const struct whittle_flow_ledger *const page = own->link->page;
    const uint64_t done = whittle_flow_ledger_taken(page) - whittle_flow_ledger_hand(page);
    char text[160], tag[WHITTLE_FLOW_NATS_TAG + 1];
    if (own->connection == NULL || own->link->edge->full == WHITTLE_FLOW_DROP_OLDEST || (!refuses && (page->stream == 0 || done == own->hinted)))
        return;
    snprintf(text, sizeof text, "%016llx %llu %llu %s", (unsigned long long)page->stream, (unsigned long long)done,
        (unsigned long long)whittle_flow_now(false), refuses ? "refuses" : "done");
    if (!whittle_flow_nats_mark(own, own->progress, text, NULL, 0, tag))
        return;
    snprintf(text + strlen(text), sizeof text - strlen(text), " %s", tag);
    natsConnection_PublishString(own->connection, own->progress, text);
    own->hinted = done;
}

void whittle_flow_nats_done(struct whittle_flow_link *link)
{
    struct whittle_flow_nats_link *const own = link->own;
    if (own->hand == NULL)
        return;
    whittle_flow_set(link, WHITTLE_FLOW_MARK, own->sequence);
    whittle_flow_nats_acknowledge(own, own->hand);
    own->hand = NULL;
    if (whittle_flow_ledger_taken(link->page) - own->hinted > whittle_flow_nats_items(link->edge) / 4)
        whittle_flow_nats_hint(own, false);
}

/* Numbers that did not come: the sender says of how many it knows; the others the server has dropped, or lost. */
static void whittle_flow_nats_gap(struct whittle_flow_link *link, const struct whittle_flow_nats_message *come)
{
    const uint64_t lost = whittle_flow_gap(link, come->said.number, come->said.skipped, WHITTLE_FLOW_UNKNOWN);
    if (lost > 0)
        whittle_flow_log(link, "%llu packets that the server had acknowledged never came: it has lost its store, or somebody has taken them",
            (unsigned long long)lost);
}

/* Whether the message is to be looked at any further; what is not has been released. */
static bool whittle_flow_nats_fresh(struct whittle_flow_nats_link *own, natsMsg *message, const struct whittle_flow_nats_message *come)
{
    struct whittle_flow_link *const link = own->link;
    const bool replays = link->loop->replay && come->sequence > own->sequence;
    if (link->page->stream != come->said.run && come->said.began < link->page->stream_began) {
        /* Of a run that is over: somebody has kept it. */
        whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
        whittle_flow_reject(link->loop, link, "a message of an earlier run came once more");
        whittle_flow_nats_acknowledge(own, message);
        return false;
    }
    if (link->page->stream != come->said.run)
        whittle_flow_other_run(link, come->said.run, come->said.began, come->said.number, come->said.skipped);
    const uint64_t taken = whittle_flow_ledger_taken(link->page);
    if (come->said.number > taken)
        whittle_flow_nats_gap(link, come);
    const bool again = come->said.number < taken;
    if (again)
        whittle_flow_count(link, WHITTLE_FLOW_DUPLICATES, 1);
    if ((again && !replays) || (come->said.is_end && replays && come->pending > 0)) {
        whittle_flow_nats_acknowledge(own, message);
        return false;
    }
    return true;
}

/* The packet's bytes, or NULL: counted, and gone. */
static const void *whittle_flow_nats_take(struct whittle_flow_nats_link *own, natsMsg *message, const struct whittle_flow_nats_message *come)
{
    struct whittle_flow_link *const link = own->link;
    const char *data = natsMsg_GetData(message);
    /* What is replayed is as old as it is. */
    uint64_t bytes = (uint64_t)natsMsg_GetDataLength(message), born = link->loop->replay ? 0 : come->said.born;
    if (come->said.number == whittle_flow_ledger_taken(link->page)) {
        whittle_flow_set(link, WHITTLE_FLOW_AT, come->said.number + 1);
        whittle_flow_set(link, WHITTLE_FLOW_TAKEN, come->said.number + 1);
    }
    own->hand = message;
    own->sequence = come->sequence;
    whittle_flow_count(link, WHITTLE_FLOW_BYTES, bytes);
    whittle_flow_count(link, WHITTLE_FLOW_BATCHES, 1);
    if (link->edge->stamped) {
        if (bytes < sizeof born)
            return whittle_flow_faulty(link);
        memcpy(&born, data, sizeof born);
        born = le64toh(born);
        data += sizeof born;
        bytes -= sizeof born;
    }
    return whittle_flow_validate_body(link, data, bytes, born);
}

/* Whether nothing was lost between the server and here; else a new consumer begins with what was. */
static bool whittle_flow_nats_continues(struct whittle_flow_nats_link *own, const struct whittle_flow_nats_message *come)
{
    pthread_mutex_lock(&own->link->lock);
    const bool follows = come->consumed == own->consumed + 1;
    own->consumed = come->consumed;
    if (!follows)
        whittle_flow_nats_again(own, WHITTLE_FLOW_NATS_APART, 0);
    pthread_mutex_unlock(&own->link->lock);
    return follows;
}

enum whittle_flow_have whittle_flow_nats_look(struct whittle_flow_link *link, const void **packet)
{
    struct whittle_flow_nats_link *const own = link->own;
    struct whittle_flow_nats_message come;
    natsMsg *message;
    whittle_flow_nats_done(link);
    while (!link->heard_end && (message = whittle_flow_nats_next(own)) != NULL) {
        if (!whittle_flow_nats_place_of(message, &come)) {
            natsMsg_Destroy(message);
            continue;
        }
        if (!whittle_flow_nats_continues(own, &come)) {
            natsMsg_Destroy(message);
            break;
        }
        if (!whittle_flow_nats_read(own, message, &come.said)) {
            whittle_flow_count(link, WHITTLE_FLOW_ALTERED, 1);
            whittle_flow_reject(link->loop, link, "a message that nobody with the flow's key has published");
            whittle_flow_nats_acknowledge(own, message);
            continue;
        }
        if (!whittle_flow_nats_fresh(own, message, &come))
            continue;
        if (come.said.is_end) {
            own->last = message;
            link->heard_end = true;
            break;
        }
        *packet = whittle_flow_nats_take(own, message, &come);
        if (*packet != NULL)
            return WHITTLE_FLOW_PACKET;
        whittle_flow_nats_done(link);
    }
    whittle_flow_nats_hint(own, false);
    const bool over = link->heard_end || link->abandoned || own->state == WHITTLE_FLOW_NATS_FAILED;
    return over ? WHITTLE_FLOW_OVER : WHITTLE_FLOW_NOTHING;
}

/* Whether the message that comes next is a packet that was not taken before. */
bool whittle_flow_nats_follows(struct whittle_flow_link *link)
{
    struct whittle_flow_nats_said said;
    natsMsg *const message = whittle_flow_nats_peek(link->own);
    return message != NULL && whittle_flow_nats_read(link->own, message, &said) && !said.is_end && said.run == link->page->stream
        && said.number >= whittle_flow_ledger_taken(link->page);
}

void whittle_flow_nats_refuse(struct whittle_flow_link *link)
{
    if (!link->heard_end && link->edge->delivery != WHITTLE_FLOW_DURABLE)
        whittle_flow_nats_hint(link->own, true);
}
