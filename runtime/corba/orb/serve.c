/* SPDX-License-Identifier: MIT-0 */
/* Requests as they come: their headers read. Source: CORBA 3.3 part 2, sections 9.4.2 and 9.4.5. */
#include "parts.h"

__thread struct whittle_request *whittle_begun;

/* Whom a request of GIOP 1.2 names: a key, a profile, or a whole reference and which of its profiles. */
static bool whittle_target_scan(struct whittle_scan *scan, struct whittle_request *request)
{
    uint32_t length, key_length, chosen = 0, count = 1;
    const uint16_t way = whittle_scan16(scan);
    if (way == 0) {
        request->key = whittle_scan_octets(scan, &request->key_length);
        return !scan->bad;
    }
    if (way == 2) {
        chosen = whittle_scan32(scan);
        whittle_scan_text(scan, &length);
        count = whittle_scan32(scan);
    }
    for (uint32_t index = 0; index < count && !scan->bad && way <= 2; index++) {
        const uint32_t tag = whittle_scan32(scan);
        const char *const data = whittle_scan_octets(scan, &length);
        if (index != chosen || tag != WHITTLE_TAG_INTERNET_IOP)
            continue;
        struct whittle_scan inside = whittle_scan_inside(data, length);
        whittle_scan16(&inside);    /* two octets: the version, at an odd place */
        inside.at = inside.bad ? inside.at : data + 3;
        whittle_scan_text(&inside, &length);
        whittle_scan16(&inside);
        request->key = whittle_scan_octets(&inside, &key_length);
        request->key_length = key_length;
        scan->bad = scan->bad || inside.bad;
    }
    return !scan->bad && request->key != NULL;
}

static const char *whittle_request_scan(struct whittle_scan *scan, struct whittle_request *request, uint8_t *flags)
{
    uint32_t length;
    if (request->version < 2)
        whittle_contexts_scan(scan);
    request->id = whittle_scan32(scan);
    *flags = whittle_scan8(scan);
    if (request->version < 2) {
        *flags = *flags != 0 ? 3 : 0;
        request->key = whittle_scan_octets(scan, &request->key_length);
    } else {
        whittle_scan_bytes(scan, 3, 1);
        if (!whittle_target_scan(scan, request))
            return NULL;
    }
    const char *const operation = whittle_scan_text(scan, &request->operation_length);
    if (request->version < 2) {
        whittle_scan_octets(scan, &length);     /* who asks, which nobody believes */
    } else {
        whittle_contexts_scan(scan);
        if (scan->at < scan->end)
            whittle_scan_bytes(scan, 0, 8);
    }
    return scan->bad ? NULL : operation;
}

/* Zeros up to a multiple of eight bytes, so that it can be looked at by words. */
static bool whittle_operation_keep(struct whittle_request *request, const char *operation)
{
    const size_t words = ((size_t)request->operation_length + 7) / 8;
    uint64_t *name = request->name;
    if (words > sizeof request->name / 8)
        name = (uint64_t *)whittle_request_allocate(&request->in, 8, (uint32_t)words, NULL);
    if (name == NULL)
        return false;
    name[words - 1] = 0;
    memcpy(name, operation, request->operation_length);
    request->operation = (const char *)name;
    return true;
}

static bool whittle_locate_scan(struct whittle_scan *scan, struct whittle_request *request)
{
    request->id = whittle_scan32(scan);
    request->locating = request->waits = true;
    if (request->version == 2)
        return whittle_target_scan(scan, request);
    request->key = whittle_scan_octets(scan, &request->key_length);
    return !scan->bad;
}

/* false: it makes no sense at all. */
static bool whittle_serve_one(struct whittle_request *request)
{
    const struct whittle_net_message *const message = &request->message;
    struct whittle_scan scan = {message->base, message->base + WHITTLE_HEADER, message->end, whittle_is_swapped(message->base), false};
    uint8_t flags;
    request->swapped = scan.swapped;
    request->version = (uint8_t)message->base[5];
    if (message->base[WHITTLE_TYPE_AT] == WHITTLE_LOCATE_REQUEST) {
        if (!whittle_locate_scan(&scan, request))
            return false;
        whittle_invoke(request);
        return true;
    }
    const char *const operation = whittle_request_scan(&scan, request, &flags);
    request->at = scan.at;
    request->in.base = message->base;
    request->in.end = message->end;
    if (operation == NULL || !whittle_operation_keep(request, operation))
        return false;
    request->waits = (flags & 1) != 0;
    if ((flags & 3) == 1) {     /* wants to know that it has come, not what comes of it */
        whittle_reply_end(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT));
        request->waits = false;
    }
    whittle_invoke(request);
    return true;
}

static bool whittle_serve_request(struct whittle_request *request)
{
    request->before = whittle_begun;
    whittle_begun = request;
    const bool good = whittle_serve_one(request);
    whittle_begun = request->before;
    whittle_request_close(request);
    return good;
}

bool whittle_serve(CORBA_ORB orb, struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    struct whittle_request request;
    whittle_request_open(&request, orb, connection, message);
    return whittle_serve_request(&request);
}

void whittle_serve_not(CORBA_ORB orb, struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    struct whittle_request request;
    struct whittle_scan scan = {message->base, message->base + WHITTLE_HEADER, message->end, whittle_is_swapped(message->base), false};
    whittle_request_open(&request, orb, connection, message);
    request.version = (uint8_t)message->base[5];
    request.locating = message->base[WHITTLE_TYPE_AT] == WHITTLE_LOCATE_REQUEST;
    if (request.version < 2 && !request.locating)
        whittle_contexts_scan(&scan);
    request.id = whittle_scan32(&scan);
    request.waits = (request.locating || (whittle_scan8(&scan) & 1) != 0) && !scan.bad;
    whittle_reply_refuse(&request);
    whittle_request_close(&request);
}

void whittle_serve_here(struct whittle_call *call, char *end)
{
    struct whittle_request request;
    const struct whittle_net_message message = {call->buffer, call->out.base, end};
    whittle_net_buffer_share(call->buffer);
    whittle_poke32(call->out.base + WHITTLE_SIZE_AT, (uint32_t)(end - call->out.base - WHITTLE_HEADER));
    whittle_request_open(&request, whittle_reference_of(call->object)->orb, NULL, &message);
    request.here = call;
    whittle_serve_request(&request);
}
