/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they came: the caller keeps the message, and what did not fit into it, until it needs them no more. */
#include "client.h"

struct whittle_onc_reply {
    struct whittle_onc_pool *pool;
    struct whittle_onc_buffer *message;
    struct whittle_onc_buffer *rooms;           /* for the rest, by `next`; the last holds this structure */
    char *at, *end;                             /* what is left of the first */
};

enum { WHITTLE_ONC_ROOM_ALIGNMENT = 16 };

static size_t whittle_onc_rounded(size_t size)
{
    return (size + WHITTLE_ONC_ROOM_ALIGNMENT - 1) & ~(size_t)(WHITTLE_ONC_ROOM_ALIGNMENT - 1);
}

/* Storage for results that cannot lie in the message. */
static void *whittle_onc_lent_room(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_call *const call = (struct whittle_onc_call *)(void *)((char *)in - offsetof(struct whittle_onc_call, in));
    struct whittle_onc_reply *const reply = call->lent;
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    const size_t total = whittle_onc_rounded(size * count);
    if (total > (size_t)(reply->end - reply->at)) {
        struct whittle_onc_buffer *const room = whittle_onc_buffer_take(reply->pool, total, total);
        if (room == NULL)
            return NULL;
        room->next = reply->rooms;
        reply->rooms = room;
        reply->at = room->bytes;
        reply->end = room->bytes + room->room;
    }
    char *const here = reply->at;
    reply->at += total;
    if (release != NULL)
        memset(here, 0, size * count);
    return here;
}

bool whittle_onc_lend(struct whittle_onc_call *call)
{
    struct whittle_onc_pool *const pool = &call->client->pool;
    struct whittle_onc_buffer *const room = whittle_onc_buffer_take(pool, WHITTLE_ONC_SMALL, WHITTLE_ONC_SMALL);
    if (room == NULL) {
        call->status = WHITTLE_ONC_NO_MEMORY;
        return false;
    }
    call->lent = (struct whittle_onc_reply *)(void *)room->bytes;
    *call->lent = (struct whittle_onc_reply){
        .pool = pool, .rooms = room, .at = room->bytes + whittle_onc_rounded(sizeof *call->lent), .end = room->bytes + room->room};
    call->in.borrow = true;
    call->in.allocate = whittle_onc_lent_room;
    return true;
}

int whittle_onc_end_lent(struct whittle_onc_call *call, const char *at, struct whittle_onc_reply **reply)
{
    struct whittle_onc_reply *const lent = call->lent;
    const bool kept = lent != NULL && at != NULL;
    *reply = kept ? lent : NULL;
    if (kept) {
        lent->message = call->reply;
        call->reply = NULL;
    } else {
        whittle_onc_reply_free(lent);
    }
    call->lent = NULL;
    return whittle_onc_end(call, at);
}

void whittle_onc_reply_free(struct whittle_onc_reply *reply)
{
    if (reply == NULL)
        return;
    struct whittle_onc_pool *const pool = reply->pool;
    whittle_onc_buffer_give(pool, reply->message);
    for (struct whittle_onc_buffer *room = reply->rooms, *next; room != NULL; room = next) {
        next = room->next;
        whittle_onc_buffer_give(pool, room);
    }
}
