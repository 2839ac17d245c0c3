/* SPDX-License-Identifier: MIT-0 */
/* Replies whose results stay where they were received. */
#include "message.h"

struct whittle_mach_reply {
    struct whittle_arena arena;                 /* storage for results that cannot lie in the message */
    struct whittle_mach_buffer *message;
    void *out_of_line;
    size_t out_of_line_size;
};

static void *whittle_mach_allocate_lent(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_mach_call *const call = (struct whittle_mach_call *)(void *)((char *)in - offsetof(struct whittle_mach_call, in));
    if (size > call->decoded / count)
        return NULL;
    call->decoded -= size * count;
    void *const storage = whittle_arena_allocate(&call->lent->arena, size * count, 2 * sizeof(void *));
    if (storage != NULL && release != NULL)
        memset(storage, 0, size * count);
    return storage;
}

bool whittle_mach_lend(struct whittle_mach_call *call)
{
    struct whittle_mach_reply *const lent = (struct whittle_mach_reply *)calloc(1, sizeof *lent);
    call->lent = lent;
    if (lent == NULL) {
        call->status = WHITTLE_MACH_NO_MEMORY;
        return false;
    }
    whittle_arena_begin(&lent->arena, NULL, 0);
    /* What is on the caller's stack, or in a buffer for the next call, is to stay. */
    const size_t n = (size_t)(call->in.end - call->at);
    if (call->out_of_line == NULL) {
        lent->message = whittle_mach_buffer_new(WHITTLE_MACH_HEAD + n);
        if (lent->message == NULL) {
            call->status = WHITTLE_MACH_NO_MEMORY;
            return false;
        }
        char *const bytes = lent->message->message + WHITTLE_MACH_HEAD;
        memcpy(bytes, call->at, n);
        call->at = call->in.base = bytes;
        call->in.end = bytes + n;
    }
    call->in.borrow = true;
    call->in.allocate = whittle_mach_allocate_lent;
    return true;
}

int whittle_mach_end_lent(struct whittle_mach_call *call, const char *at, struct whittle_mach_reply **reply)
{
    struct whittle_mach_reply *const lent = call->lent;
    const bool kept = lent != NULL && at != NULL;
    *reply = kept ? lent : NULL;
    if (kept) {
        lent->out_of_line = call->out_of_line;
        lent->out_of_line_size = call->out_of_line_size;
        call->out_of_line = NULL;
    } else {
        whittle_mach_reply_free(lent);
    }
    return whittle_mach_end(call, at);
}

void whittle_mach_reply_free(struct whittle_mach_reply *reply)
{
    if (reply == NULL)
        return;
    if (reply->out_of_line != NULL)
        (void)vm_deallocate(mach_task_self(), (vm_address_t)(uintptr_t)reply->out_of_line, reply->out_of_line_size);
    whittle_arena_release(&reply->arena);
    free(reply->message);
    free(reply);
}
