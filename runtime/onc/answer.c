/* SPDX-License-Identifier: MIT-0 */
/* What a reply says: results, or one of RFC 5531's reasons why not (section 9). */
#include "client.h"

struct whittle_onc_scan {
    const char *at, *end;
    bool bad;
};

static uint32_t whittle_onc_scan32(struct whittle_onc_scan *scan)
{
    scan->bad = scan->bad || scan->end - scan->at < 4;
    if (scan->bad)
        return 0;
    scan->at += 4;
    return whittle_get32(scan->at - 4);
}

static void whittle_onc_scan_versions(struct whittle_onc_scan *scan, struct whittle_onc_client *client)
{
    const uint32_t lowest = whittle_onc_scan32(scan), highest = whittle_onc_scan32(scan);
    if (scan->bad)
        return;
    __atomic_store_n(&client->lowest, lowest, __ATOMIC_RELAXED);
    __atomic_store_n(&client->highest, highest, __ATOMIC_RELAXED);
}

static int whittle_onc_scan_denied(struct whittle_onc_scan *scan, struct whittle_onc_client *client)
{
    enum { REASONS = 100 };     /* statuses that there are for them */
    const uint32_t why = whittle_onc_scan32(scan);
    if (why == WHITTLE_ONC_DENIED_VERSION) {
        whittle_onc_scan_versions(scan, client);
        return WHITTLE_ONC_RPC_MISMATCH;
    }
    const uint32_t reason = whittle_onc_scan32(scan);
    return why != WHITTLE_ONC_DENIED_AUTH || reason >= REASONS ? WHITTLE_ONC_BAD_REPLY : WHITTLE_ONC_AUTH_FAILED_SO - (int)reason;
}

static int whittle_onc_scan_accepted(struct whittle_onc_scan *scan, struct whittle_onc_client *client)
{
    whittle_onc_scan32(scan);
    const uint32_t verifier = whittle_onc_scan32(scan);
    const uint64_t padded = whittle_pad4(verifier);
    if (scan->bad || verifier > WHITTLE_ONC_AUTH_BYTES || padded > (uint64_t)(scan->end - scan->at))
        return WHITTLE_ONC_BAD_REPLY;
    scan->at += padded;
    switch (whittle_onc_scan32(scan)) {
    case WHITTLE_ONC_SUCCESS: return WHITTLE_ONC_OK;
    case WHITTLE_ONC_NO_PROGRAM: return WHITTLE_ONC_PROGRAM_UNAVAILABLE;
    case WHITTLE_ONC_NO_VERSION: whittle_onc_scan_versions(scan, client); return WHITTLE_ONC_PROGRAM_MISMATCH;
    case WHITTLE_ONC_NO_PROCEDURE: return WHITTLE_ONC_PROCEDURE_UNAVAILABLE;
    case WHITTLE_ONC_GARBAGE: return WHITTLE_ONC_GARBAGE_ARGUMENTS;
    case WHITTLE_ONC_SYSTEM: return WHITTLE_ONC_SYSTEM_ERROR;
    default: return WHITTLE_ONC_BAD_REPLY;
    }
}

bool whittle_onc_call_charge(struct whittle_onc_call *call, size_t size)
{
    if (size > SIZE_MAX / 2 || whittle_net_block(size) > call->decoded || whittle_net_call_decodes_late(&call->net))
        return false;
    call->decoded -= whittle_net_block(size);
    return true;
}

/* What results hold is malloc's, and no more of it than is allowed. */
static void *whittle_onc_result(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)in - offsetof(struct whittle_onc_call, in));
    (void)release;
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    return whittle_onc_call_charge(call, size * count) ? malloc(size * count) : NULL;
}

int whittle_onc_answer_read(struct whittle_onc_call *call)
{
    static const char usual[WHITTLE_ONC_REPLY_HEADER - 4] = {0, 0, 0, WHITTLE_ONC_REPLY};
    struct whittle_onc_scan scan = {call->net.reply.base + 4, call->net.reply.end, false};
    int status = WHITTLE_ONC_OK;
    if (call->net.reply.end - scan.at >= (ptrdiff_t)sizeof usual && memcmp(scan.at, usual, sizeof usual) == 0) {
        scan.at += sizeof usual;
    } else {
        const uint32_t kind = whittle_onc_scan32(&scan), taken = whittle_onc_scan32(&scan);
        status = kind != WHITTLE_ONC_REPLY ? WHITTLE_ONC_BAD_REPLY
            : taken == WHITTLE_ONC_ACCEPTED ? whittle_onc_scan_accepted(&scan, call->client)
            : taken == WHITTLE_ONC_DENIED ? whittle_onc_scan_denied(&scan, call->client) : WHITTLE_ONC_BAD_REPLY;
        if (scan.bad)
            status = WHITTLE_ONC_BAD_REPLY;
    }
    call->at = scan.at;
    call->in = (struct whittle_xdr_in){.end = call->net.reply.end, .allocate = whittle_onc_result};
    call->decoded = call->client->options.decoded;
    return status;
}
