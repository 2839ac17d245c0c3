/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they came: the caller keeps the message, and what did not fit into it, until it needs them no more. */
#include "iiop_parts.h"

struct whittle_iiop_room {
    struct whittle_iiop_room *next;
    struct whittle_buffer *buffer;
};

/* It stands in the first of its rooms. */
struct whittle_iiop_reply {
    CORBA_ORB orb;                      /* whose buffers these are */
    struct whittle_buffer *message;
    struct whittle_iiop_room *rooms;    /* the last holds this structure */
    char *at, *end;                     /* what is left of the first */
};

enum { WHITTLE_IIOP_ALIGNMENT = 16 };

static size_t whittle_iiop_rounded(size_t size)
{
    return (size + WHITTLE_IIOP_ALIGNMENT - 1) & ~(size_t)(WHITTLE_IIOP_ALIGNMENT - 1);
}

/* `size` bytes, and what tells of the room; NULL: no memory. */
static struct whittle_iiop_room *whittle_iiop_room_take(CORBA_ORB orb, size_t size)
{
    const size_t head = whittle_iiop_rounded(sizeof(struct whittle_iiop_room));
    struct whittle_buffer *const buffer = whittle_buffer_take(&orb->pool, head + size, head + size);
    if (buffer == NULL)
        return NULL;
    struct whittle_iiop_room *const room = (struct whittle_iiop_room *)(void *)buffer->bytes;
    *room = (struct whittle_iiop_room){NULL, buffer};
    return room;
}

static char *whittle_iiop_room_bytes(struct whittle_iiop_room *room)
{
    return room->buffer->bytes + whittle_iiop_rounded(sizeof *room);
}

/* Storage for results that cannot lie in the message. */
static void *whittle_iiop_lent_room(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_iiop_call *const call =
        (struct whittle_iiop_call *)(void *)((char *)in - offsetof(struct whittle_call, in) - offsetof(struct whittle_iiop_call, giop));
    struct whittle_iiop_reply *const reply = call->lent;
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    const size_t total = whittle_iiop_rounded(size * count);
    if (total > (size_t)(reply->end - reply->at)) {
        struct whittle_iiop_room *const room = whittle_iiop_room_take(reply->orb, total);
        if (room == NULL)
            return NULL;
        room->next = reply->rooms;
        reply->rooms = room;
        reply->at = whittle_iiop_room_bytes(room);
        reply->end = room->buffer->bytes + room->buffer->room;
    }
    char *const here = reply->at;
    reply->at += total;
    if (release != NULL)
        memset(here, 0, size * count);
    return here;
}

bool whittle_iiop_lend(struct whittle_iiop_call *call)
{
    CORBA_ORB const orb = whittle_reference_of(call->client->object)->orb;
    const size_t head = whittle_iiop_rounded(sizeof(struct whittle_iiop_reply));
    struct whittle_iiop_room *const room = whittle_iiop_room_take(orb, head);
    if (room == NULL) {
        WHITTLE_RAISE(&call->ev, NO_MEMORY, 0, YES);
        return false;
    }
    char *const bytes = whittle_iiop_room_bytes(room);
    call->lent = (struct whittle_iiop_reply *)(void *)bytes;
    *call->lent = (struct whittle_iiop_reply){
        .orb = (CORBA_ORB)(void *)whittle_keep(&orb->head), .rooms = room, .at = bytes + head, .end = room->buffer->bytes + room->buffer->room};
    call->giop.in.borrow = true;
    call->giop.in.allocate = whittle_iiop_lent_room;
    return true;
}

int whittle_iiop_end_lent(struct whittle_iiop_call *call, const char *at, struct whittle_iiop_reply **reply)
{
    struct whittle_iiop_reply *const lent = call->lent;
    const bool kept = lent != NULL && at != NULL;
    *reply = kept ? lent : NULL;
    if (kept) {
        lent->message = call->giop.reply.buffer;
        call->giop.reply.buffer = NULL;
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
    whittle_buffer_give(&orb->pool, reply->message);
    for (struct whittle_iiop_room *room = reply->rooms, *next; room != NULL; room = next) {
        next = room->next;
        whittle_buffer_give(&orb->pool, room->buffer);
    }
    whittle_drop(&orb->head);
}
