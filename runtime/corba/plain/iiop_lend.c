/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they came: the caller keeps the message, and what did not fit into it, until it needs them no more. */
#include "iiop_parts.h"

/* It stands in the storage of what it holds. */
struct whittle_iiop_reply {
    CORBA_ORB orb;                      /* whose buffers these are */
    struct whittle_net_lent *lent;
    struct whittle_net_pool *pool;      /* of the message */
    struct whittle_net_buffer *message;
};

/* Storage for results that cannot lie in the message. */
static void *whittle_iiop_lent_take(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_iiop_call *const call =
        (struct whittle_iiop_call *)(void *)((char *)in - offsetof(struct whittle_call, in) - offsetof(struct whittle_iiop_call, giop));
    return whittle_net_lent_take(call->lent->lent, size, count, release != NULL);
}

bool whittle_iiop_lend(struct whittle_iiop_call *call)
{
    CORBA_ORB const orb = whittle_reference_of(call->client->object)->orb;
    struct whittle_net_lent *const lent = whittle_net_lend(&orb->pool, orb->net.options.decoded);
    if (lent == NULL || (call->lent = (struct whittle_iiop_reply *)whittle_net_lent_take(lent, sizeof *call->lent, 1, false)) == NULL) {
        whittle_net_lent_free(lent);
        WHITTLE_RAISE(&call->ev, NO_MEMORY, 0, YES);
        return false;
    }
    *call->lent = (struct whittle_iiop_reply){(CORBA_ORB)(void *)whittle_keep(&orb->head), lent, call->giop.replies, NULL};
    call->giop.in.borrow = true;
    call->giop.in.allocate = whittle_iiop_lent_take;
    return true;
}

int whittle_iiop_end_lent(struct whittle_iiop_call *call, const char *at, struct whittle_iiop_reply **reply)
{
    struct whittle_iiop_reply *const lent = call->lent;
    const bool kept = lent != NULL && at != NULL;
    *reply = kept ? lent : NULL;
    if (kept) {
        lent->message = call->giop.net.reply.buffer;
        call->giop.net.reply.buffer = NULL;
        /* What the program keeps is not the server's doing any more. */
        if (whittle_net_buffer_move(lent->pool, &lent->orb->pool, lent->message))
            lent->pool = &lent->orb->pool;
    } else {
        whittle_iiop_reply_free(lent);
    }
    return whittle_iiop_end(call, at, 0);
}

void whittle_iiop_reply_free(struct whittle_iiop_reply *reply)
{
    if (reply == NULL)
        return;
    CORBA_ORB const orb = reply->orb;
    whittle_net_buffer_give(reply->pool, reply->message);
    whittle_net_lent_free(reply->lent);
    whittle_drop(&orb->head);
}
