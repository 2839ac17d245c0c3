/* SPDX-License-Identifier: MIT-0 */
/*
 * A receiver's packets, on the stage's thread: each message is held against the page, which says what was delivered before,
 * and acknowledged once it is done. In go messages; out come packets, acknowledgements, and word of how far the edge is.
 */
#include "channel.h"
#include <endian.h>
#include <string.h>

/* What a message says of itself. */
struct whittle_nats_message {
    uint64_t run, number, skipped;
    uint64_t sequence, consumed, pending;   /* the stream's number, the consumer's, and how many follow */
    bool is_end;
};

/* A message's places are in the subject that acknowledges it: $JS.ACK[.DOMAIN.ACCOUNT].STREAM.CONSUMER.TIMES.STREAM'S.CONSUMER'S.TIME.PENDING[.TOKEN] */
static bool whittle_nats_read(natsMsg *message, struct whittle_nats_message *said)
{
    const char *reply = natsMsg_GetReply(message), *id = NULL, *text = NULL, *end = NULL, *rest = NULL;
    int dots = 0;
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
    said->sequence = whittle_nats_number(reply, '.', &rest);
    said->consumed = rest != NULL ? whittle_nats_number(rest, '.', &rest) : 0;
    rest = rest != NULL ? strchr(rest, '.') : NULL;
    said->pending = rest != NULL ? strtoull(rest + 1, NULL, 10) : 0;
    said->is_end = natsMsgHeader_Get(message, "Whittle-End", &end) == NATS_OK;
    said->skipped = natsMsgHeader_Get(message, "Whittle-Skipped", &text) == NATS_OK ? strtoull(text, NULL, 10) : 0;
    if (rest == NULL || natsMsgHeader_Get(message, "Nats-Msg-Id", &id) != NATS_OK || strlen(id) < 18 || id[16] != '-')
        return false;
    said->run = strtoull(id, NULL, 16);
    said->number = whittle_nats_number(id + 17, said->is_end ? '-' : '\0', &rest);
    return rest != NULL && said->run != 0;
}

static void whittle_nats_acknowledge(const struct whittle_nats_link *own, natsMsg *message)
{
    natsConnection_Publish(own->connection, natsMsg_GetReply(message), NULL, 0);
    natsMsg_Destroy(message);
}

void whittle_nats_hint(struct whittle_nats_link *own, bool refuses)
{
    const struct whittle_ledger *const page = own->link->page;
    const uint64_t done = whittle_ledger_taken(page) - whittle_ledger_hand(page);
    char text[80];
    if (own->connection == NULL || own->link->edge->full == WHITTLE_DROP_OLDEST || (!refuses && (page->stream == 0 || done == own->hinted)))
        return;
    snprintf(text, sizeof text, "%016llx %llu%s", (unsigned long long)page->stream, (unsigned long long)done, refuses ? " refuses" : "");
    natsConnection_PublishString(own->connection, own->told, text);
    own->hinted = done;
}

void whittle_nats_done(struct whittle_link *link)
{
    struct whittle_nats_link *const own = link->nats;
    if (own->hand == NULL)
        return;
    whittle_set(link, WHITTLE_MARK, own->sequence);
    whittle_nats_acknowledge(own, own->hand);
    own->hand = NULL;
    if (whittle_ledger_taken(link->page) - own->hinted > whittle_nats_items(link->edge) / 4)
        whittle_nats_hint(own, false);
}

static void whittle_nats_stand_at(struct whittle_link *link, uint64_t number)
{
    whittle_set(link, WHITTLE_TAKEN, number);
    whittle_set(link, WHITTLE_AT, number);
    whittle_set(link, WHITTLE_DONE_AT, number);
}

/* Numbers that did not come: the sender says of how many it knows; the others the server has dropped, or lost. */
static void whittle_nats_gap(struct whittle_link *link, const struct whittle_nats_message *said)
{
    const uint64_t gap = said->number - whittle_ledger_taken(link->page), known_before = whittle_counter(link->page, WHITTLE_SETTLED);
    const uint64_t told = said->skipped > known_before ? said->skipped - known_before : 0, known = told < gap ? told : gap;
    const bool drops = link->edge->full == WHITTLE_DROP_OLDEST;
    whittle_count(link, WHITTLE_SKIPPED, drops ? gap : known);
    whittle_count(link, drops ? WHITTLE_FULL_OLDEST : WHITTLE_UNKNOWN, gap - known);
    whittle_set(link, WHITTLE_SETTLED, said->skipped);
    if (!drops && gap > known)
        whittle_say(link, "%llu packets that the server had acknowledged never came: it has lost its store, or somebody has taken them",
            (unsigned long long)(gap - known));
    whittle_nats_stand_at(link, said->number);
}

static void whittle_nats_other_run(struct whittle_link *link, const struct whittle_nats_message *said)
{
    for (int n = WHITTLE_QUEUED; n < WHITTLE_REASONS_END; n++)
        whittle_set(link, (enum whittle_counter)n, 0);
    /* What a work queue no longer has, an earlier receiver was given; elsewhere the server has dropped it. */
    const uint64_t from = link->edge->full == WHITTLE_DROP_OLDEST ? 0 : said->number;
    whittle_set(link, WHITTLE_SKIPPED, from);
    whittle_set(link, WHITTLE_SETTLED, from == 0 ? 0 : said->skipped);
    whittle_nats_stand_at(link, from);
    link->page->stream = said->run;
}

/* Whether the message is to be looked at any further; what is not has been let go. */
static bool whittle_nats_fresh(struct whittle_nats_link *own, natsMsg *message, const struct whittle_nats_message *said)
{
    struct whittle_link *const link = own->link;
    const bool replays = link->carrier->replay && said->sequence > own->sequence;
    if (link->page->stream != said->run)
        whittle_nats_other_run(link, said);
    const uint64_t taken = whittle_ledger_taken(link->page);
    if (said->number > taken)
        whittle_nats_gap(link, said);
    const bool again = said->number < taken;
    if (again)
        whittle_count(link, WHITTLE_DUPLICATES, 1);
    if ((again && !replays) || (said->is_end && replays && said->pending > 0)) {
        whittle_nats_acknowledge(own, message);
        return false;
    }
    return true;
}

/* The packet's bytes, or NULL: counted, and gone. */
static const void *whittle_nats_take(struct whittle_nats_link *own, natsMsg *message, const struct whittle_nats_message *said)
{
    struct whittle_link *const link = own->link;
    const struct whittle_type *const type = link->edge->type;
    const char *data = natsMsg_GetData(message);
    uint64_t bytes = (uint64_t)natsMsg_GetDataLength(message), born = 0;
    if (said->number == whittle_ledger_taken(link->page)) {
        whittle_set(link, WHITTLE_AT, said->number + 1);
        whittle_set(link, WHITTLE_TAKEN, said->number + 1);
    }
    own->hand = message;
    own->sequence = said->sequence;
    whittle_count(link, WHITTLE_BYTES, bytes);
    whittle_count(link, WHITTLE_BATCHES, 1);
    if (link->edge->stamped) {
        if (bytes < sizeof born)
            return whittle_faulty(link);
        memcpy(&born, data, sizeof born);
        data += sizeof born;
        bytes -= sizeof born;
    }
    if (type->fixed == 0)
        return bytes == 0 || bytes > type->largest ? whittle_faulty(link) : whittle_judge(link, data, bytes, le64toh(born));
    if (bytes < type->fixed || bytes > type->size)
        return whittle_faulty(link);
    memcpy(link->private, data, bytes);
    if (bytes != (type->used != NULL ? type->used(link->private) : type->size))
        return whittle_faulty(link);
    return whittle_judge(link, link->private, bytes, le64toh(born));
}

/* Whether nothing was lost between the server and here; else a new consumer begins with what was. */
static bool whittle_nats_follows(struct whittle_nats_link *own, const struct whittle_nats_message *said)
{
    pthread_mutex_lock(&own->link->lock);
    const bool follows = said->consumed == own->consumed + 1;
    own->consumed = said->consumed;
    if (!follows)
        whittle_nats_again(own, WHITTLE_NATS_APART, 0);
    pthread_mutex_unlock(&own->link->lock);
    return follows;
}

enum whittle_have whittle_nats_look(struct whittle_link *link, const void **packet)
{
    struct whittle_nats_link *const own = link->nats;
    struct whittle_nats_message said;
    natsMsg *message;
    whittle_nats_done(link);
    while (!link->heard_end && (message = whittle_nats_next(own)) != NULL) {
        if (!whittle_nats_read(message, &said)) {
            whittle_count(link, WHITTLE_STRANGERS, 1);
            whittle_nats_acknowledge(own, message);
            continue;
        }
        if (!whittle_nats_follows(own, &said)) {
            natsMsg_Destroy(message);
            break;
        }
        if (!whittle_nats_fresh(own, message, &said))
            continue;
        if (said.is_end) {
            own->last = message;
            link->heard_end = true;
            break;
        }
        *packet = whittle_nats_take(own, message, &said);
        if (*packet != NULL)
            return WHITTLE_PACKET;
        whittle_nats_done(link);
    }
    whittle_nats_hint(own, false);
    const bool over = link->heard_end || link->abandoned || own->state == WHITTLE_NATS_FAILED;
    return over ? WHITTLE_OVER : WHITTLE_NOTHING;
}

void whittle_nats_refuse(struct whittle_link *link)
{
    if (!link->heard_end && link->edge->delivery != WHITTLE_DURABLE)
        whittle_nats_hint(link->nats, true);
}
