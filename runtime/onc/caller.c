/* SPDX-License-Identifier: MIT-0 */
/* Who calls (RFC 5531, section 8.2 and appendix A), and whether a call of theirs is served. */
#include "datagrams.h"

enum { WHITTLE_ONC_BAD_CREDENTIAL = 1, WHITTLE_ONC_REJECTED_CREDENTIAL = 2 };

static bool whittle_onc_identity_read(struct whittle_onc_request *request)
{
    const char *at = request->caller.credential, *const end = at + request->caller.credential_size;
    struct whittle_onc_identity *const identity = &request->caller.identity;
    if (end - at < 8)
        return false;
    const uint32_t length = whittle_get32(at + 4);
    identity->stamp = whittle_get32(at);
    at += 8;
    if (length > 255 || (size_t)(end - at) < whittle_pad4(length) + 12)
        return false;
    memcpy(request->machine, at, length);
    request->machine[length] = 0;
    at += whittle_pad4(length);
    identity->machine = request->machine;
    identity->uid = whittle_get32(at);
    identity->gid = whittle_get32(at + 4);
    identity->group_count = whittle_get32(at + 8);
    at += 12;
    if (identity->group_count > 16 || (size_t)(end - at) != 4 * (size_t)identity->group_count)
        return false;
    for (uint32_t index = 0; index < identity->group_count; index++)
        request->groups[index] = whittle_get32(at + 4 * (size_t)index);
    identity->groups = request->groups;
    return true;
}

void whittle_onc_caller_address(struct whittle_onc_request *request)
{
    const struct whittle_onc_datagram *const datagram = (const struct whittle_onc_datagram *)request->datagram;
    const struct whittle_net_name *const peer = datagram != NULL ? &datagram->peer : &request->connection->peer;
    request->caller.address = peer->size == 0 ? NULL : &peer->storage;
    request->caller.address_size = (uint32_t)peer->size;
}

__attribute__((noinline)) uint32_t whittle_onc_check_caller(struct whittle_onc_request *request)
{
    const struct whittle_onc_server_options *const options = &request->server->options;
    request->caller.identity = (struct whittle_onc_identity){.machine = NULL};
    if (request->caller.flavor == WHITTLE_ONC_AUTH_SYS && !whittle_onc_identity_read(request))
        return WHITTLE_ONC_BAD_CREDENTIAL;
    if (options->authenticate != NULL) {
        whittle_onc_caller_address(request);
        return options->authenticate(options->context, &request->caller);
    }
    return request->caller.flavor <= WHITTLE_ONC_AUTH_SYS ? 0 : WHITTLE_ONC_REJECTED_CREDENTIAL;
}
