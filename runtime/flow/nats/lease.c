/* SPDX-License-Identifier: MIT-0 */
/*
 * One sender of an edge over NATS: who wants to send asks on a subject of the edge's who has it. A sender that has it, or
 * that asks at the same time and whose run began earlier, answers with its name; who hears nothing has it as long as its
 * connection to the server lasts. Asked and answered under the flow's key: an answer repeats the asker's random number, so
 * that an old one says nothing. On the thread of the end's, but for the answering, which is a thread of libnats'.
 */
#include "transport.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { WHITTLE_FLOW_NATS_PATIENCE = 200 };    /* milliseconds */

/* RUN BEGAN NUMBER TAG, of who asks; RUN NUMBER TAG WHO, of who answers; the tag is over all but itself. */
static bool whittle_flow_nats_asked(const struct whittle_flow_nats_link *own, const natsMsg *message, unsigned long long asked[3])
{
    char text[160], head[80], tag[64] = "";
    const int length = natsMsg_GetDataLength(message);
    snprintf(text, sizeof text, "%.*s", length < 159 ? length : 159, natsMsg_GetData(message));
    if (sscanf(text, "%16llx %20llu %16llx %63s", &asked[0], &asked[1], &asked[2], tag) != 4)
        return false;
    snprintf(head, sizeof head, "asks %llx %llu %llx", asked[0], asked[1], asked[2]);
    return whittle_flow_nats_is_marked(own, own->leases, head, NULL, 0, tag);
}

/* Another sender asks. */
void whittle_flow_nats_answer(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *closure)
{
    struct whittle_flow_nats_link *const own = closure;
    const struct whittle_flow_ledger *const page = own->link->page;
    const char *const box = natsMsg_GetReply(message);
    unsigned long long asked[3];
    char who[64], head[160], tag[WHITTLE_FLOW_NATS_TAG + 1], text[256];
    (void)subscription;
    if (box != NULL && whittle_flow_nats_asked(own, message, asked) && asked[0] != page->stream) {
        const bool earlier = page->stream_began != asked[1] ? page->stream_began < asked[1] : page->stream < asked[0];
        pthread_mutex_lock(&own->link->lock);
        const bool has = !own->ending && (own->leased || (own->leasing && earlier));
        pthread_mutex_unlock(&own->link->lock);
        whittle_flow_process_name(own->link, who);
        snprintf(head, sizeof head, "has %llx %s", asked[2], who);
        if (has && whittle_flow_nats_mark(own, own->leases, head, NULL, 0, tag)) {
            snprintf(text, sizeof text, "%s %s", tag, who);
            natsConnection_PublishString(connection, box, text);
        }
    }
    natsMsg_Destroy(message);
}

/* Waits for an answer that only another sender of this flow can have given; who: its name. False: nobody has the edge. */
static bool whittle_flow_nats_is_had(const struct whittle_flow_nats_link *own, natsSubscription *box, unsigned long long number, char who[64])
{
    const uint64_t until = whittle_net_now() + WHITTLE_FLOW_NATS_PATIENCE * UINT64_C(1000000);
    bool had = false;
    for (uint64_t now = whittle_net_now(); !had && now < until; now = whittle_net_now()) {
        natsMsg *message = NULL;
        char text[160], head[160], name[64];
        if (natsSubscription_NextMsg(&message, box, (int64_t)((until - now) / 1000000u) + 1) != NATS_OK)
            break;
        const int length = natsMsg_GetDataLength(message);
        snprintf(text, sizeof text, "%.*s", length < 159 ? length : 159, length > 0 ? natsMsg_GetData(message) : "");
        natsMsg_Destroy(message);
        if (strlen(text) <= WHITTLE_FLOW_NATS_TAG || text[WHITTLE_FLOW_NATS_TAG] != ' ')
            continue;
        text[WHITTLE_FLOW_NATS_TAG] = '\0';
        snprintf(name, sizeof name, "%.63s", text + WHITTLE_FLOW_NATS_TAG + 1);
        snprintf(head, sizeof head, "has %llx %s", number, name);
        had = whittle_flow_nats_is_marked(own, own->leases, head, NULL, 0, text);
        if (had)
            whittle_flow_clean(name, sizeof name, who);
    }
    return had;
}

static bool whittle_flow_nats_ask_who(struct whittle_flow_nats_link *own, char who[64], bool *had)
{
    const struct whittle_flow_ledger *const page = own->link->page;
    unsigned long long number = 0;
    natsInbox *inbox = NULL;
    natsSubscription *box = NULL;
    char head[80], text[160], tag[WHITTLE_FLOW_NATS_TAG + 1];
    if (getrandom(&number, sizeof number, 0) != sizeof number || natsInbox_Create(&inbox) != NATS_OK)
        return false;
    snprintf(head, sizeof head, "asks %llx %llu %llx", (unsigned long long)page->stream, (unsigned long long)page->stream_began, number);
    bool done = whittle_flow_nats_mark(own, own->leases, head, NULL, 0, tag)
        && natsConnection_SubscribeSync(&box, own->connection, inbox) == NATS_OK;
    snprintf(text, sizeof text, "%s %s", head + strlen("asks "), tag);
    done = done && natsConnection_PublishRequestString(own->connection, own->leases, inbox, text) == NATS_OK;
    if (done)
        *had = whittle_flow_nats_is_had(own, box, number, who);
    natsSubscription_Destroy(box);
    natsInbox_Destroy(inbox);
    return done;
}

/* Whether the edge is this sender's; without the lock. Says once who has it. */
bool whittle_flow_nats_lease(struct whittle_flow_nats_link *own)
{
    struct whittle_flow_link *const link = own->link;
    char who[64] = "";
    bool had = true;
    pthread_mutex_lock(&link->lock);
    const bool leased = own->leased;
    own->leasing = !leased;
    own->lease_lost = false;
    pthread_mutex_unlock(&link->lock);
    if (leased)
        return true;
    const bool done = whittle_flow_nats_ask_who(own, who, &had);
    pthread_mutex_lock(&link->lock);
    own->leased = done && !had && !own->lease_lost;
    own->leasing = false;
    const bool says = done && had && link->verdict != WHITTLE_FLOW_HELD, has = own->leased;
    link->verdict = done && had ? WHITTLE_FLOW_HELD : WHITTLE_FLOW_ACCEPTED;
    pthread_mutex_unlock(&link->lock);
    if (says)
        whittle_flow_log(link, "another sender has this edge: %s; this one waits until that has ended", who);
    return has;
}
