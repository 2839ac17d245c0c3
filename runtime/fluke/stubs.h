/* SPDX-License-Identifier: MIT-0 */
/*
 * What generated code and the run time do for each other. Values are CDR in the machine's own order: none straddles two words that fits
 * into one. All that a short message needs is inlined, so that its words stay in registers from the stub to the kernel.
 */
#ifndef WHITTLE_FLUKE_STUBS_H
#define WHITTLE_FLUKE_STUBS_H
#include "fluke.h"
#include "version.h"
#include <whittle/cdr_out.h>
#include <whittle/later.h>
#include <whittle/cdr_in.h>

/* Storage of decoded values that goes all at once. */
struct whittle_fluke_storage {
    struct whittle_fluke_storage *next;
    /* Aligned for whatever is stored: C99 has no word for that. */
    union { long long whole; long double real; void *address; void (*code)(void); } bytes[1];
};

/* A call, as one side of it knows it, on that side's stack. */
struct whittle_fluke_call {
    struct whittle_cdr_out out;                 /* what is sent */
    struct whittle_cdr_in in;                   /* what was received */
    const char *at;                             /* where that begins */
    /* The run time's: */
    struct whittle_fluke_message sent, received;
    struct whittle_fluke_storage *storage;      /* the server's arguments; what lent results lie in */
    uint64_t *room;                             /* of the server's reply, and bytes that it takes at most */
    size_t most;
    whittle_fluke_object object;
    int status;
    bool too_large;
};

/* A request that a server has received, and its reply. No pointer leads into it, so that its words may be in registers. */
struct whittle_fluke_turn {
    struct whittle_fluke_message received, sent;
    uint64_t *results;                          /* room for the reply */
};

/* Words of a message that takes at most so many bytes: never fewer than travel in registers. A macro, for the size of an array. */
#define WHITTLE_FLUKE_WORDS(BYTES)                                                                                     \
    ((BYTES) / 8 >= WHITTLE_FLUKE_ROOM ? WHITTLE_FLUKE_ROOM                                                            \
     : (BYTES) <= 8 * WHITTLE_FLUKE_REGISTERS ? WHITTLE_FLUKE_REGISTERS : ((BYTES) + 7) / 8)
/* The registers, one after the other; unrolled, so that they stay what they are. */
#define WHITTLE_FLUKE_EACH(I) WHITTLE_UNROLL for (size_t I = 0; I < WHITTLE_FLUKE_REGISTERS; I++)
/* A message that has no bound. */
#define WHITTLE_FLUKE_ANY SIZE_MAX

#ifdef __cplusplus
extern "C" {
#endif
/* Makes room; NULL: there is none, or the message would be too large. */
char *whittle_fluke_grow(struct whittle_cdr_out *out, char *at, size_t more);
/* Storage of malloc's, and such as goes with the call. */
void *whittle_fluke_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
void *whittle_fluke_stored(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item));
__attribute__((cold)) void whittle_fluke_storage_free(struct whittle_fluke_storage *storage);
/* The client's status for a reply's code. */
__attribute__((cold)) int whittle_fluke_refused(uint64_t code);
/* The results will stay in the message, and in storage beside it. false: no memory. */
bool whittle_fluke_lend(struct whittle_fluke_call *call);
/* The same end for these: `reply` holds what they lie in, and is NULL where there are none. */
int whittle_fluke_end_lent(struct whittle_fluke_call *call, const char *at, struct whittle_fluke_reply **reply);
#ifdef __cplusplus
}
#endif

/* Where a message begins that takes at most `most` words. */
WHITTLE_IN_PLACE char *whittle_fluke_open(struct whittle_fluke_call *call, uint64_t *words, size_t most)
{
    call->sent.object_count = call->sent.kept = 0;
    call->sent.objects[0] = 0;
    call->sent.owned = NULL;
    call->too_large = false;
    call->out.base = (char *)words;
    call->out.end = call->out.base + most * 8;
    call->out.grow = most <= WHITTLE_FLUKE_REGISTERS ? NULL : whittle_fluke_grow;
    call->out.refer = NULL;
    call->out.depth = call->out.level = 0;
    return call->out.base;
}

/* It ends at `to`: the first words go where they travel from. */
WHITTLE_IN_PLACE void whittle_fluke_close(struct whittle_fluke_call *call, char *to)
{
    struct whittle_fluke_message *const message = &call->sent;
    char *const base = call->out.base;
    const size_t bytes = (size_t)(to - base), count = (bytes + 7) / 8;
    if (bytes % 8 != 0)
        memset(to, 0, count * 8 - bytes);
    /* As many words as there are registers, at least: so nobody need look how many of those hold any. */
    message->count = count < WHITTLE_FLUKE_REGISTERS ? WHITTLE_FLUKE_REGISTERS : count;
    message->words = (uint64_t *)(void *)base;
    WHITTLE_FLUKE_EACH(i)
        if (i < count)
            memcpy(&message->first[i], base + 8 * i, 8);
        else
            message->first[i] = 0;
}

/* What came is read from `words` on, where the first of it are put. Fewer words than all send, or more than `most`: as if none had come. */
WHITTLE_IN_PLACE void whittle_fluke_read(struct whittle_fluke_call *call, const struct whittle_fluke_message *message, uint64_t *words,
                                         size_t most)
{
    WHITTLE_FLUKE_EACH(i)
        words[i] = message->first[i];
    call->in.base = call->at = (const char *)words;
    /* The kernel has looked at what has no room for more. */
    if (most <= WHITTLE_FLUKE_REGISTERS && message->room <= WHITTLE_FLUKE_REGISTERS)
        call->in.end = call->in.base + 8 * WHITTLE_FLUKE_REGISTERS;
    else if (most <= WHITTLE_FLUKE_REGISTERS)
        call->in.end = call->in.base + (WHITTLE_LIKELY(message->count == WHITTLE_FLUKE_REGISTERS) ? 8 * WHITTLE_FLUKE_REGISTERS : 0);
    else
        call->in.end = call->in.base + (message->count < WHITTLE_FLUKE_REGISTERS ? 0 : message->count * 8);
    call->in.owed = call->in.spent = 0;
    call->in.depth = 0;
    call->in.account = NULL;
}

/* The client: the request has at most so many bytes, and so has its reply. `words` has room for either. */
WHITTLE_IN_PLACE char *whittle_fluke_begin(struct whittle_fluke_call *call, const struct whittle_fluke_client *client, uint32_t code,
                                           uint64_t *words, size_t most, size_t most_of_reply)
{
    const size_t room = WHITTLE_FLUKE_WORDS(most_of_reply);
    call->sent.code = code;
    call->object = client->object;
    call->status = WHITTLE_FLUKE_OK;
    call->storage = NULL;
    call->received.words = words;
    call->received.room = room;
    call->received.most = room < WHITTLE_FLUKE_ROOM ? room : WHITTLE_FLUKE_LONGEST;
    call->received.owned = NULL;
    call->received.object_count = call->received.kept = 0;
    call->received.objects[0] = 0;
    call->in.base = call->in.end = call->at = (const char *)words;
    return whittle_fluke_open(call, words, WHITTLE_FLUKE_WORDS(most));
}

WHITTLE_IN_PLACE int whittle_fluke_not_sent(const struct whittle_fluke_call *call)
{
    return call->too_large ? WHITTLE_FLUKE_TOO_LARGE : WHITTLE_FLUKE_CANNOT_MARSHAL;
}

/* Sends what ends at `to`, and waits. 0: the results lie from call->at to call->in.end. */
WHITTLE_IN_PLACE int whittle_fluke_exchange(struct whittle_fluke_call *call, char *to)
{
    if (to == NULL)
        return call->status = whittle_fluke_not_sent(call);
    whittle_fluke_close(call, to);
    int status = whittle_fluke_kernel_call(call->object, &call->sent, &call->received);
    if (WHITTLE_LIKELY(status == WHITTLE_FLUKE_OK)) {
        if (WHITTLE_LIKELY(call->received.code == 0))
            whittle_fluke_read(call, &call->received, call->received.words, call->received.most);
        else
            status = whittle_fluke_refused(call->received.code);
    }
    call->in.borrow = false;
    call->in.allocate = whittle_fluke_heap;
    return call->status = status;
}

/* Releases what a message has of malloc's, and of references that nobody keeps. */
WHITTLE_IN_PLACE void whittle_fluke_finish(struct whittle_fluke_call *call)
{
    if (!WHITTLE_LIKELY(call->received.object_count == 0))
        whittle_fluke_kernel_drop(&call->received);
    if (call->received.owned != NULL)
        free(call->received.owned);
    if (call->sent.owned != NULL)
        free(call->sent.owned);
}

/* Sends, and expects no reply. */
WHITTLE_IN_PLACE int whittle_fluke_post(struct whittle_fluke_call *call, char *to)
{
    if (to == NULL) {
        call->status = whittle_fluke_not_sent(call);
    } else {
        whittle_fluke_close(call, to);
        call->status = whittle_fluke_kernel_send(call->object, &call->sent);
    }
    whittle_fluke_finish(call);
    return call->status;
}

/* `at` is behind the results, NULL: they could not be read, or the call failed before. Returns the call's status. */
WHITTLE_IN_PLACE int whittle_fluke_end(struct whittle_fluke_call *call, const char *at)
{
    if (at == NULL) {
        call->received.kept = 0;
        if (call->status == WHITTLE_FLUKE_OK)
            call->status = WHITTLE_FLUKE_CANNOT_UNMARSHAL;
    }
    whittle_fluke_finish(call);
    return call->status;
}

/* There are no results: this is said instead. */
WHITTLE_IN_PLACE void whittle_fluke_say(struct whittle_fluke_message *sent, int status)
{
    sent->code = (uint64_t)-(int64_t)status;
    sent->count = WHITTLE_FLUKE_REGISTERS;
    sent->object_count = 0;
    WHITTLE_FLUKE_EACH(i)
        sent->first[i] = 0;
}

/* Of a message for the receiver: its references, too. */
WHITTLE_IN_PLACE void whittle_fluke_pass(struct whittle_fluke_message *to, const struct whittle_fluke_message *from)
{
    to->object_count = from->object_count;
    to->kept = 0;
    if (from->object_count != 0)
        memcpy(to->objects, from->objects, sizeof to->objects);
}

/* The server: arguments have at most so many bytes, and so have results. `few` has room for the short ones. */
WHITTLE_IN_PLACE void whittle_fluke_arrived(struct whittle_fluke_call *call, struct whittle_fluke_turn *turn, uint64_t *few, size_t most,
                                            size_t most_of_reply)
{
    const bool is_short = WHITTLE_FLUKE_WORDS(most) <= WHITTLE_FLUKE_REGISTERS;
    const bool is_few = is_short || turn->received.count <= WHITTLE_FLUKE_REGISTERS;
    whittle_fluke_read(call, &turn->received, is_few ? few : turn->received.words, WHITTLE_FLUKE_WORDS(most));
    whittle_fluke_pass(&call->received, &turn->received);
    call->in.borrow = true;
    call->in.allocate = whittle_fluke_stored;
    call->storage = NULL;
    call->most = most_of_reply;
    call->room = WHITTLE_FLUKE_WORDS(most_of_reply) <= WHITTLE_FLUKE_REGISTERS ? few + WHITTLE_FLUKE_REGISTERS : turn->results;
    call->sent.owned = NULL;
    call->sent.words = call->room;
    whittle_fluke_say(&call->sent, WHITTLE_FLUKE_OK);
}

/* Where results go. */
WHITTLE_IN_PLACE char *whittle_fluke_reply(struct whittle_fluke_call *call)
{
    return whittle_fluke_open(call, call->room, WHITTLE_FLUKE_WORDS(call->most));
}

/* They end at `to`; NULL: they could not be written, and the caller gets a system error. */
WHITTLE_IN_PLACE void whittle_fluke_answer(struct whittle_fluke_call *call, char *to)
{
    if (to == NULL)
        whittle_fluke_say(&call->sent, WHITTLE_FLUKE_SYSTEM_ERROR);
    else
        whittle_fluke_close(call, to);
}

WHITTLE_IN_PLACE void whittle_fluke_unknown(struct whittle_fluke_call *call)
{
    whittle_fluke_say(&call->sent, WHITTLE_FLUKE_UNKNOWN_OPERATION);
}

WHITTLE_IN_PLACE void whittle_fluke_bad_arguments(struct whittle_fluke_call *call)
{
    whittle_fluke_say(&call->sent, WHITTLE_FLUKE_BAD_ARGUMENTS);
}

/* What a server's function returned below 0: one of the server's statuses; all others are SYSTEM_ERROR. */
WHITTLE_IN_PLACE void whittle_fluke_refuse(struct whittle_fluke_call *call, int status)
{
    const bool is_known = status <= WHITTLE_FLUKE_UNKNOWN_OPERATION && status >= WHITTLE_FLUKE_SYSTEM_ERROR;
    whittle_fluke_say(&call->sent, is_known ? status : WHITTLE_FLUKE_SYSTEM_ERROR);
}

/* The reply goes; the arguments are released. */
WHITTLE_IN_PLACE void whittle_fluke_depart(struct whittle_fluke_call *call, struct whittle_fluke_turn *turn)
{
    turn->sent.code = call->sent.code;
    turn->sent.count = call->sent.count;
    turn->sent.words = call->sent.words;
    turn->sent.owned = call->sent.owned;
    WHITTLE_FLUKE_EACH(i)
        turn->sent.first[i] = call->sent.first[i];
    whittle_fluke_pass(&turn->sent, &call->sent);
    if (call->storage != NULL)
        whittle_fluke_storage_free(call->storage);
}

/* The request is for no operation of the interface. */
WHITTLE_IN_PLACE void whittle_fluke_no_operation(struct whittle_fluke_turn *turn)
{
    turn->sent.owned = NULL;
    whittle_fluke_say(&turn->sent, WHITTLE_FLUKE_UNKNOWN_OPERATION);
}

/* Finds what serves a request, and has it answered: generated for each interface. */
typedef void whittle_fluke_dispatch(const void *operations, void *context, struct whittle_fluke_turn *turn);

#ifdef WHITTLE_FLUKE_RECEIVES
/* Until there will be no more requests. Inlined where `dispatch` is known, so that the words of a message stay in registers. */
WHITTLE_IN_PLACE int whittle_fluke_serve(const struct whittle_fluke_server *server, whittle_fluke_dispatch *dispatch, const void *operations,
                                         void *context)
{
    const whittle_fluke_port port = server->port;
    uint64_t arguments[WHITTLE_FLUKE_ROOM], results[WHITTLE_FLUKE_ROOM];
    struct whittle_fluke_turn turn;
    turn.received.words = arguments;
    turn.received.room = turn.received.most = WHITTLE_FLUKE_ROOM;
    turn.received.owned = NULL;
    turn.received.objects[0] = turn.sent.objects[0] = 0;
    turn.results = results;
    int status = whittle_fluke_kernel_receive(port, &turn.received);
    while (status == WHITTLE_FLUKE_OK) {
        dispatch(operations, context, &turn);
        void *const owned = turn.sent.owned;
        /* Arguments are for the call alone. */
        turn.received.kept = 0;
        status = whittle_fluke_kernel_reply_and_receive(port, &turn.sent, &turn.received);
        if (owned != NULL)
            free(owned);
    }
    return status == WHITTLE_FLUKE_GONE ? WHITTLE_FLUKE_OK : status;
}
#else
struct whittle_fluke_served {
    whittle_fluke_dispatch *dispatch;
    const void *operations;
    void *context;
};

/* The same, in the client's thread. */
WHITTLE_SHARED void whittle_fluke_entered(const void *what, const struct whittle_fluke_message *from, struct whittle_fluke_message *to,
                                          uint64_t first, uint64_t second, uint64_t third, uint64_t fourth)
{
    const struct whittle_fluke_served *const served = (const struct whittle_fluke_served *)what;
    uint64_t results[WHITTLE_FLUKE_ROOM];
    struct whittle_fluke_turn turn;
    turn.received.code = from->code;
    turn.received.count = from->count;
    turn.received.words = from->words;
    turn.received.room = WHITTLE_FLUKE_LONGEST;
    turn.received.first[0] = first;
    turn.received.first[1] = second;
    turn.received.first[2] = third;
    turn.received.first[3] = fourth;
    whittle_fluke_pass(&turn.received, from);
    turn.results = results;
    served->dispatch(served->operations, served->context, &turn);
    const struct whittle_fluke_message *const sent = &turn.sent;
    to->code = sent->code;
    to->count = sent->count;
    WHITTLE_FLUKE_EACH(i)
        to->first[i] = sent->first[i];
    whittle_fluke_pass(to, sent);
    if (sent->count <= WHITTLE_FLUKE_REGISTERS || sent->count > to->most) {
        free(sent->owned);
    } else if (sent->owned != NULL || sent->count > to->room) {
        to->owned = sent->owned != NULL ? sent->owned : malloc(sent->count * 8);
        if (to->owned != NULL && to->owned != sent->owned)
            memcpy(to->owned, sent->words, sent->count * 8);
        to->words = (uint64_t *)to->owned;
    } else {
        memcpy(to->words, sent->words, sent->count * 8);
    }
}

WHITTLE_IN_PLACE int whittle_fluke_serve(const struct whittle_fluke_server *server, whittle_fluke_dispatch *dispatch, const void *operations,
                                         void *context)
{
    const struct whittle_fluke_served served = {dispatch, operations, context};
    return whittle_fluke_kernel_serve(server->port, whittle_fluke_entered, &served);
}
#endif

/* A reference to an object: its place among those of the message, counted from 1; 0 is none. */
WHITTLE_SHARED char *whittle_cdr_out_capability(struct whittle_cdr_out *out, char *at, const whittle_fluke_object *value)
{
    struct whittle_fluke_message *const sent =
        &((struct whittle_fluke_call *)(void *)((char *)out - offsetof(struct whittle_fluke_call, out)))->sent;
    uint32_t place = 0;
    at = whittle_cdr_out_align_and(out, at, 4, 4);
    if (at == NULL)
        return NULL;
    if (*value) {
        if (sent->object_count == WHITTLE_FLUKE_OBJECTS)
            return NULL;
        sent->objects[sent->object_count] = *value;
        place = ++sent->object_count;
    }
    memcpy(at, &place, 4);
    return at + 4;
}

/* Each reference of a message is taken once. */
WHITTLE_SHARED const char *whittle_cdr_in_capability(struct whittle_cdr_in *in, const char *at, whittle_fluke_object *value, bool swapped)
{
    struct whittle_fluke_message *const received =
        &((struct whittle_fluke_call *)(void *)((char *)in - offsetof(struct whittle_fluke_call, in)))->received;
    uint32_t place;
    (void)swapped;
    at = whittle_cdr_in_align_and(in, at, 4, 4);
    if (at == NULL)
        return NULL;
    memcpy(&place, at, 4);
    *value = 0;
    if (place > received->object_count || (place != 0 && (received->kept >> (place - 1) & 1) != 0))
        return NULL;
    if (place != 0) {
        received->kept |= (uint32_t)1 << (place - 1);
        *value = received->objects[place - 1];
    }
    return at + 4;
}
#endif
