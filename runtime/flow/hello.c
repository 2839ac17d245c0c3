/* SPDX-License-Identifier: MIT-0 */
/*
 * What two ends say to each other when a connection begins, and whether they fit: the sender says which edge of which
 * flow it is, the type's fingerprint, and how numbers look on its machine; the receiver answers that all is well and how
 * many packets have come, or why not. Both ends say the reason. Bytes of an encoded type are the same on every machine.
 */
#include "internal.h"
#include <endian.h>
#include <float.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(struct whittle_flow_hello) == 1296 && sizeof(struct whittle_flow_answer) == 1136 && sizeof(struct whittle_flow_challenge) == 80, "no padding in handshakes");

/* FNV-1a: names as numbers. */
uint64_t whittle_flow_mix(const char *text)
{
    uint64_t mixed = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        mixed = (mixed ^ (unsigned char)*text) * 0x100000001b3u;
    return mixed;
}

/* Above the flags stands what a subscriber wants: who sends must choose as who receives has said, or be given it (filter.c). */
uint32_t whittle_flow_terms(const struct whittle_flow_link *link)
{
    const uint32_t filter = link->edge->filter != NULL ? (uint32_t)whittle_flow_mix(link->edge->filter) & ~WHITTLE_FLOW_TERMS_FLAGS : 0u;
    return filter | (link->edge->type->fixed != 0 ? WHITTLE_FLOW_IN_PLACE : 0u) | (link->edge->stamped ? WHITTLE_FLOW_STAMPED : 0u)
        | (whittle_flow_transport_of(link->edge)->shared ? WHITTLE_FLOW_SHARED : 0u);
}

/* What of the terms is other at the sender. */
uint32_t whittle_flow_terms_differ(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello)
{
    return le32toh(hello->flags) ^ whittle_flow_terms(link);
}

/* Whether a receiver can say what it wants to a sender that was built with another condition. */
static bool whittle_flow_can_send_filter(const struct whittle_flow_link *link)
{
    return link->edge->subscription && (link->edge->filter == NULL || link->edge->filter_code != NULL);
}

static void whittle_flow_machine(uint8_t sizes[8])
{
    const uint8_t here[8] = {
        sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(void *), sizeof(float), sizeof(double),
        offsetof(struct { char c; double d; }, d),
    };
    memcpy(sizes, here, 8);
}

/* This process, for people elsewhere. */
void whittle_flow_process_name(const struct whittle_flow_link *link, char who[64])
{
    char host[22] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        snprintf(host, sizeof host, "an unknown host");
    snprintf(who, 64, "process %d (%.15s) on %s", (int)getpid(), link->loop->process->name, host);
}

void whittle_flow_hello_write(const struct whittle_flow_link *link, struct whittle_flow_hello *hello)
{
    const struct whittle_flow_type *const type = link->edge->type;
    memset(hello, 0, sizeof *hello);
    memcpy(hello->magic, "whittle\n", 8);
    hello->protocol = htole32(WHITTLE_FLOW_PROTOCOL);
    hello->edge = htole32(link->edge->number);
    hello->flags = htole32(whittle_flow_terms(link));
    hello->order = 0x01020304;
    whittle_flow_machine(hello->sizes);
    hello->flow = htole64(whittle_flow_mix(link->edge->flow));
    hello->fingerprint = htole64(type->fingerprint);
    hello->stream = htole64(link->page->stream);
    hello->window = htole64(link->window < link->queue_bytes ? link->window : link->queue_bytes);
    hello->items = htole64(link->queue_items);
    hello->size = htole32(type->size);
    hello->alignment = htole32(type->alignment);
    hello->slots = htole32((uint32_t)link->slot_count);
    hello->stride = htole32((uint32_t)link->slot_stride);
    snprintf(hello->type, sizeof hello->type, "%s", type->name);
    snprintf(hello->name, sizeof hello->name, "%s", link->edge->name);
    whittle_flow_schema_write(type, hello->schema);
}

/* A peer's text, made fit to be printed. */
void whittle_flow_clean(const char *from, size_t bytes, char *to)
{
    size_t n = 0;
    for (; n + 1 < bytes && from[n] != '\0'; n++)
        to[n] = from[n] >= ' ' && from[n] < 127 ? from[n] : '?';
    to[n] = '\0';
}

static void whittle_flow_other_protocol(const struct whittle_flow_hello *hello, char *why, size_t room)
{
    snprintf(why, room, "it speaks version %u of the protocol, this one %u: build both with one whittle",
        (unsigned)le32toh(hello->protocol), (unsigned)WHITTLE_FLOW_PROTOCOL);
}

/* Of a connection that several edges are to join: each says for itself which it is. */
enum whittle_flow_verdict whittle_flow_hello_check_mux(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello, char *why, size_t room)
{
    if (le32toh(hello->protocol) != WHITTLE_FLOW_PROTOCOL) {
        whittle_flow_other_protocol(hello, why, room);
        return WHITTLE_FLOW_OTHER_PROTOCOL;
    }
    if (le64toh(hello->flow) != whittle_flow_mix(link->edge->flow)) {
        snprintf(why, room, "it is of another flow: see that both are built from one flow, and use the same first port");
        return WHITTLE_FLOW_OTHER_EDGE;
    }
    return WHITTLE_FLOW_ACCEPTED;
}

enum whittle_flow_verdict whittle_flow_hello_check(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello, char *why, size_t room)
{
    const struct whittle_flow_type *const type = link->edge->type;
    char name[64];
    uint8_t sizes[8];
    whittle_flow_machine(sizes);
    if (le32toh(hello->protocol) != WHITTLE_FLOW_PROTOCOL) {
        whittle_flow_other_protocol(hello, why, room);
        return WHITTLE_FLOW_OTHER_PROTOCOL;
    }
    if (le32toh(hello->edge) != link->edge->number || le64toh(hello->flow) != whittle_flow_mix(link->edge->flow)) {
        whittle_flow_clean(hello->name, sizeof hello->name, name);
        snprintf(why, room, "it is of the edge `%s` (%u) of %s: see that both are built from one flow, and use the same first port", name,
            (unsigned)le32toh(hello->edge), le64toh(hello->flow) == whittle_flow_mix(link->edge->flow) ? "this flow, which does not come here"
                                                                                                      : "another flow");
        return WHITTLE_FLOW_OTHER_EDGE;
    }
    if (le64toh(hello->fingerprint) != type->fingerprint || le32toh(hello->size) != type->size) {
        whittle_flow_schema_differs(type, le64toh(hello->fingerprint), hello->type, hello->schema, (const char *[]){"it sends", "this one takes"}, why, room);
        return WHITTLE_FLOW_OTHER_TYPE;
    }
    if (type->fixed != 0 && (hello->order != 0x01020304 || memcmp(hello->sizes, sizes, 8) != 0)) {
        snprintf(why, room, "its machine has another byte order or other sizes of words: say `encode xdr` on the edge");
        return WHITTLE_FLOW_OTHER_MACHINE;
    }
    if (whittle_flow_terms_differ(link, hello) & (whittle_flow_can_send_filter(link) ? WHITTLE_FLOW_TERMS_FLAGS : ~0u)) {
        snprintf(why, room, "its contract of the edge is another: build both from one flow");
        return WHITTLE_FLOW_OTHER_TERMS;
    }
    return WHITTLE_FLOW_ACCEPTED;
}

void whittle_flow_answer_write(const struct whittle_flow_link *link, enum whittle_flow_verdict verdict, struct whittle_flow_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    memcpy(answer->magic, "whittle\n", 8);
    answer->protocol = htole32(WHITTLE_FLOW_PROTOCOL);
    answer->verdict = htole32(verdict);
    answer->fingerprint = htole64(link->edge->type->fingerprint);
    snprintf(answer->type, sizeof answer->type, "%s", link->edge->type->name);
    if (verdict == WHITTLE_FLOW_OTHER_TYPE)
        whittle_flow_schema_write(link->edge->type, (char *)answer->filter);
}

/* Says, once per reason, why the receiver will not have us. */
bool whittle_flow_answer_refused(struct whittle_flow_link *link, const struct whittle_flow_answer *answer)
{
    static const char *const reasons[] = {
        [WHITTLE_FLOW_OTHER_PROTOCOL] = "it speaks another version of the protocol: build both with one whittle",
        [WHITTLE_FLOW_OTHER_EDGE] = "it is another edge: see that both are built from one flow, and use the same first port",
        [WHITTLE_FLOW_OTHER_MACHINE] = "its machine has another byte order or other sizes of words: say `encode xdr` on the edge",
        [WHITTLE_FLOW_HELD] = "",
        [WHITTLE_FLOW_OTHER_TERMS] = "its contract of the edge is another: build both from one flow",
    };
    char name[64], why[640];
    const uint32_t number = le32toh(answer->verdict);
    if (memcmp(answer->magic, "whittle\n", 8) == 0 && number == WHITTLE_FLOW_ACCEPTED)
        return false;
    const enum whittle_flow_verdict verdict = memcmp(answer->magic, "whittle\n", 8) != 0 || number > WHITTLE_FLOW_HELD
        ? WHITTLE_FLOW_OTHER_EDGE : (enum whittle_flow_verdict)number;
    if (link->verdict == verdict)
        return true;
    link->verdict = verdict;
    whittle_flow_clean(answer->type, sizeof answer->type, name);
    if (verdict == WHITTLE_FLOW_OTHER_TYPE) {
        whittle_flow_schema_differs(link->edge->type, le64toh(answer->fingerprint), answer->type, (const char *)answer->filter,
            (const char *[]){"it takes", "this one sends"}, why, sizeof why);
        whittle_flow_log(link, "refused by the receiver: %s", why);
    } else if (verdict == WHITTLE_FLOW_HELD)
        whittle_flow_log(link, "another sender has this edge: %s; this one waits until that has ended", name);
    else
        whittle_flow_log(link, "refused by the receiver: %s", reasons[verdict]);
    return true;
}
