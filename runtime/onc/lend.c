/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they came (net/lend.h). */
#include "client.h"

/* Storage for results that cannot lie in the message. */
static void *whittle_onc_lent_room(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)in - offsetof(struct whittle_onc_call, in));
    return whittle_net_lent_take(call->lent, size, count, release != NULL);
}

bool whittle_onc_lend(struct whittle_onc_call *call)
{
    call->lent = whittle_net_lend(&call->client->pool, call->client->options.decoded);
    if (call->lent == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return false;
    }
    call->in.borrow = true;
    call->in.allocate = whittle_onc_lent_room;
    return true;
}

int whittle_onc_end_lent(struct whittle_onc_call *call, const char *at, struct whittle_onc_reply **reply)
{
    struct whittle_net_lent *const lent = call->lent;
    const bool kept = lent != NULL && at != NULL;
    *reply = kept ? (struct whittle_onc_reply *)lent : NULL;
    if (kept) {
        lent->message = call->net.reply.buffer;
        call->net.reply.buffer = NULL;
    } else {
        whittle_net_lent_free(lent);
    }
    call->lent = NULL;
    return whittle_onc_end(call, at);
}

void whittle_onc_reply_free(struct whittle_onc_reply *reply)
{
    whittle_net_lent_free((struct whittle_net_lent *)reply);
}
