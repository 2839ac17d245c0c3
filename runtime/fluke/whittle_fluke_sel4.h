/* SPDX-License-Identifier: MIT-0 */
/*
 * The link fluke over seL4, of 64 bits, without MCS: endpoints, message registers, and the IPC buffer for what does not fit into them.
 * A call of at most four words without a capability takes the kernel's fast path. Needs libsel4 alone; the thread has its IPC buffer set.
 */
#ifndef WHITTLE_FLUKE_SEL4_H
#define WHITTLE_FLUKE_SEL4_H
#include <stdint.h>
#include <sel4/sel4.h>

#define WHITTLE_FLUKE_REGISTERS 4
#define WHITTLE_FLUKE_LONGEST 120               /* seL4_MsgMaxLength */
#define WHITTLE_FLUKE_OBJECTS 1                 /* that a receiver gets; a message may carry more, as badges */
#define WHITTLE_FLUKE_RECEIVES 1
typedef seL4_CPtr whittle_fluke_object;         /* an endpoint's capability; 0: none */
typedef seL4_CPtr whittle_fluke_port;           /* the endpoint */
#include "whittle_fluke_kernel.h"

/* libsel4 leaves it to the compiler whether these are inlined; where they are not, all words go through memory. */
WHITTLE_FLUKE_INLINE seL4_MessageInfo_t seL4_CallWithMRs(seL4_CPtr, seL4_MessageInfo_t, seL4_Word *, seL4_Word *, seL4_Word *, seL4_Word *);
WHITTLE_FLUKE_INLINE seL4_MessageInfo_t seL4_ReplyRecvWithMRs(seL4_CPtr, seL4_MessageInfo_t, seL4_Word *, seL4_Word *, seL4_Word *, seL4_Word *,
                                                              seL4_Word *);

_Static_assert(sizeof(seL4_Word) == sizeof(uint64_t), "the link fluke takes a seL4 of 64 bits");
_Static_assert(WHITTLE_FLUKE_LONGEST == seL4_MsgMaxLength, "the IPC buffer is of another size");

/*
 * The slot, of the thread's root CNode, that the thread's next capability comes into: what seL4_SetCapReceivePath was last given, with
 * seL4_WordBits as its depth. The program has it set before the thread serves, or calls what returns references. A reference that is a
 * result stays in the slot, and is the caller's, who names another one before it calls again; an argument is deleted after the call.
 */
WHITTLE_FLUKE_INLINE seL4_CPtr whittle_fluke_sel4_slot(void)
{
    return seL4_GetIPCBuffer()->receiveIndex;
}

/* Puts all but the first words into the IPC buffer, and the references. */
WHITTLE_FLUKE_INLINE seL4_MessageInfo_t whittle_fluke_sel4_put(const struct whittle_fluke_message *message)
{
    size_t i;
    for (i = WHITTLE_FLUKE_REGISTERS; i < message->count; i++)
        seL4_SetMR((int)i, message->words[i]);
    if (__builtin_expect(message->object_count != 0, 0))
        seL4_SetCap(0, message->objects[0]);
    if (message->count < WHITTLE_FLUKE_REGISTERS)
        __builtin_unreachable();
    return seL4_MessageInfo_new(message->code, 0, message->object_count, message->count);
}

/* Takes what came with the first words: all of it is read once, before anything is checked. `false`: there are more words than room. */
WHITTLE_FLUKE_INLINE int whittle_fluke_sel4_take(struct whittle_fluke_message *message, seL4_MessageInfo_t tag)
{
    /* All but the label at once: most messages are of registers alone. */
    const seL4_Word but_label = seL4_MessageInfo_new(0, 7, 3, 127).words[0];
    const size_t count = seL4_MessageInfo_get_length(tag);
    size_t i;
    message->code = seL4_MessageInfo_get_label(tag);
    message->kept = 0;
    message->object_count = 0;
    if (__builtin_expect((tag.words[0] & but_label) == seL4_MessageInfo_new(0, 0, 0, WHITTLE_FLUKE_REGISTERS).words[0], 1)) {
        message->count = WHITTLE_FLUKE_REGISTERS;
        return 1;
    }
    message->count = count;
    if (__builtin_expect(seL4_MessageInfo_get_extraCaps(tag) != 0, 0) && (seL4_MessageInfo_get_capsUnwrapped(tag) & 1) == 0) {
        message->object_count = 1;
        message->objects[0] = whittle_fluke_sel4_slot();
    }
    if (__builtin_expect(count > WHITTLE_FLUKE_REGISTERS, 0)) {
        if (count > message->room)
            return 0;
        for (i = WHITTLE_FLUKE_REGISTERS; i < count; i++)
            message->words[i] = seL4_GetMR((int)i);
    }
    return 1;
}

WHITTLE_FLUKE_INLINE void whittle_fluke_kernel_drop(struct whittle_fluke_message *message)
{
    if ((message->kept & 1) == 0 && message->object_count != 0)
        seL4_CNode_Delete(seL4_GetIPCBuffer()->receiveCNode, message->objects[0], (seL4_Uint8)seL4_GetIPCBuffer()->receiveDepth);
    message->object_count = 0;
}

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_call(whittle_fluke_object object, struct whittle_fluke_message *request,
                                            struct whittle_fluke_message *reply)
{
    seL4_Word a, b, c, d;
    seL4_MessageInfo_t tag;
    if (object == seL4_CapNull)
        return WHITTLE_FLUKE_GONE;
    a = request->first[0], b = request->first[1], c = request->first[2], d = request->first[3];
    tag = seL4_CallWithMRs(object, whittle_fluke_sel4_put(request), &a, &b, &c, &d);
    reply->first[0] = a, reply->first[1] = b, reply->first[2] = c, reply->first[3] = d;
    /* Results in registers alone: the most usual reply. */
    if (__builtin_expect(tag.words[0] == seL4_MessageInfo_new(0, 0, 0, WHITTLE_FLUKE_REGISTERS).words[0], 1)) {
        reply->code = 0;
        reply->count = WHITTLE_FLUKE_REGISTERS;
        reply->object_count = reply->kept = 0;
        return WHITTLE_FLUKE_OK;
    }
    if (!whittle_fluke_sel4_take(reply, tag) || reply->count < WHITTLE_FLUKE_REGISTERS) {
        whittle_fluke_kernel_drop(reply);
        return WHITTLE_FLUKE_BAD_REPLY;
    }
    return WHITTLE_FLUKE_OK;
}

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_send(whittle_fluke_object object, struct whittle_fluke_message *request)
{
    seL4_Word a, b, c, d;
    if (object == seL4_CapNull)
        return WHITTLE_FLUKE_GONE;
    a = request->first[0], b = request->first[1], c = request->first[2], d = request->first[3];
    seL4_SendWithMRs(object, whittle_fluke_sel4_put(request), &a, &b, &c, &d);
    return WHITTLE_FLUKE_OK;
}

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_receive(whittle_fluke_port port, struct whittle_fluke_message *request)
{
    seL4_Word a, b, c, d, badge;
    const seL4_MessageInfo_t tag = seL4_RecvWithMRs(port, &badge, &a, &b, &c, &d);
    request->first[0] = a, request->first[1] = b, request->first[2] = c, request->first[3] = d;
    if (!whittle_fluke_sel4_take(request, tag))
        request->count = 0;
    return WHITTLE_FLUKE_OK;
}

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_reply_and_receive(whittle_fluke_port port, struct whittle_fluke_message *reply,
                                                         struct whittle_fluke_message *request)
{
    seL4_Word a, b, c, d, badge;
    seL4_MessageInfo_t tag;
    a = reply->first[0], b = reply->first[1], c = reply->first[2], d = reply->first[3];
    tag = whittle_fluke_sel4_put(reply);
    if (__builtin_expect(request->object_count != 0, 0)) {
        /* The reply may carry the very reference that the request brought: it goes when that is on its way. */
        seL4_ReplyWithMRs(tag, &a, &b, &c, &d);
        whittle_fluke_kernel_drop(request);
        return whittle_fluke_kernel_receive(port, request);
    }
    tag = seL4_ReplyRecvWithMRs(port, tag, &badge, &a, &b, &c, &d);
    request->first[0] = a, request->first[1] = b, request->first[2] = c, request->first[3] = d;
    if (!whittle_fluke_sel4_take(request, tag))
        request->count = 0;
    return WHITTLE_FLUKE_OK;
}
#endif
