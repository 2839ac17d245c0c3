/* SPDX-License-Identifier: MIT-0 */
/* What is not done for each call: room for long messages, storage of values, texts of statuses. */
#include "stubs.h"

/* Those of the network run time, where a program has that, too. */
extern const int whittle_runtime_version_2 __attribute__((weak));
const int whittle_runtime_version_2 = WHITTLE_RUNTIME_VERSION;

__attribute__((weak)) void whittle_text_free(struct whittle_text *text)
{
    free(text->items);
    text->length = 0;
    text->items = NULL;
}

char *whittle_fluke_grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct whittle_fluke_call *const call = (struct whittle_fluke_call *)(void *)((char *)out - offsetof(struct whittle_fluke_call, out));
    const size_t longest = (size_t)WHITTLE_FLUKE_LONGEST * 8, used = (size_t)(at - out->base);
    if (more > longest || used > longest - more) {
        call->too_large = true;
        return NULL;
    }
    const size_t needed = (used + more + 7) & ~(size_t)7, twice = used > longest / 2 ? longest : used * 2;
    const size_t room = needed > twice ? needed : twice & ~(size_t)7;
    char *const grown = (char *)malloc(room);
    if (grown == NULL)
        return NULL;
    memcpy(grown, out->base, used);
    free(call->sent.owned);
    call->sent.owned = grown;
    out->base = grown;
    out->end = grown + room;
    return grown + used;
}

void *whittle_fluke_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    (void)in;
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return release != NULL ? calloc(count, size) : malloc(size * count);
}

void *whittle_fluke_stored(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_fluke_call *const call = (struct whittle_fluke_call *)(void *)((char *)in - offsetof(struct whittle_fluke_call, in));
    const size_t head = offsetof(struct whittle_fluke_storage, bytes);
    if (size != 0 && count > (SIZE_MAX - head) / size)
        return NULL;
    struct whittle_fluke_storage *const storage = (struct whittle_fluke_storage *)malloc(head + size * count);
    if (storage == NULL)
        return NULL;
    storage->next = call->storage;
    call->storage = storage;
    if (release != NULL)
        memset(storage->bytes, 0, size * count);
    return storage->bytes;
}

void whittle_fluke_storage_free(struct whittle_fluke_storage *storage)
{
    while (storage != NULL) {
        struct whittle_fluke_storage *const next = storage->next;
        free(storage);
        storage = next;
    }
}

int whittle_fluke_refused(uint64_t code)
{
    switch (code) {
    case -WHITTLE_FLUKE_UNKNOWN_OPERATION: return WHITTLE_FLUKE_UNKNOWN_OPERATION;
    case -WHITTLE_FLUKE_BAD_ARGUMENTS: return WHITTLE_FLUKE_BAD_ARGUMENTS;
    case -WHITTLE_FLUKE_SYSTEM_ERROR: return WHITTLE_FLUKE_SYSTEM_ERROR;
    default: return WHITTLE_FLUKE_BAD_REPLY;
    }
}

/* The reply's words move to storage that the caller may keep. */
bool whittle_fluke_lend(struct whittle_fluke_call *call)
{
    const size_t size = (size_t)(call->in.end - call->in.base);
    char *const bytes = (char *)whittle_fluke_stored(&call->in, 1, (uint32_t)size, NULL);
    if (bytes == NULL) {
        call->status = WHITTLE_FLUKE_NO_MEMORY;
        return false;
    }
    memcpy(bytes, call->in.base, size);
    call->in.base = call->at = bytes;
    call->in.end = bytes + size;
    call->in.borrow = true;
    call->in.allocate = whittle_fluke_stored;
    return true;
}

int whittle_fluke_end_lent(struct whittle_fluke_call *call, const char *at, struct whittle_fluke_reply **reply)
{
    const int status = whittle_fluke_end(call, at);
    if (status != WHITTLE_FLUKE_OK) {
        whittle_fluke_storage_free(call->storage);
        call->storage = NULL;
    }
    *reply = (struct whittle_fluke_reply *)call->storage;
    return status;
}

void whittle_fluke_reply_free(struct whittle_fluke_reply *reply)
{
    whittle_fluke_storage_free((struct whittle_fluke_storage *)reply);
}

const char *whittle_fluke_text(int status)
{
    switch (status) {
    case WHITTLE_FLUKE_OK: return "the call succeeded";
    case WHITTLE_FLUKE_NO_MEMORY: return "out of memory";
    case WHITTLE_FLUKE_CANNOT_MARSHAL:
        return "an argument cannot be encoded: a pointer is NULL, a string or array is longer than its bound, or there are too many references";
    case WHITTLE_FLUKE_TOO_LARGE: return "the message is longer than the kernel's longest";
    case WHITTLE_FLUKE_GONE: return "there is no such object, or its server has ended";
    case WHITTLE_FLUKE_SERVED: return "the port is served already";
    case WHITTLE_FLUKE_BAD_REPLY: return "the reply is not a valid one";
    case WHITTLE_FLUKE_CANNOT_UNMARSHAL: return "the results cannot be decoded";
    case WHITTLE_FLUKE_UNKNOWN_OPERATION: return "the server does not have the operation";
    case WHITTLE_FLUKE_BAD_ARGUMENTS: return "the server cannot decode the arguments";
    case WHITTLE_FLUKE_SYSTEM_ERROR: return "the server reports a system error";
    default: return "unknown status";
    }
}
