/* SPDX-License-Identifier: MIT-0 */
/* Storage for the parameters of a request being served: let go of all at once when it has been answered. */
#include "parts.h"
#include <stdlib.h>

struct whittle_chunk {
    struct whittle_chunk *next;
    struct whittle_buffer *buffer;
};

/* What is let go of one by one, all the same. */
struct whittle_later {
    struct whittle_later *next;
    void *item;
    void (*release)(void *item);
};

static struct whittle_request *whittle_request_at(struct whittle_cdr_in *in)
{
    return (struct whittle_request *)(void *)((char *)in - offsetof(struct whittle_request, in));
}

/* Each chunk stands at the beginning of a buffer of the pool. */
static bool whittle_arena_more(struct whittle_request *request, size_t size)
{
    const size_t least = size + sizeof(struct whittle_chunk) + 32;
    struct whittle_buffer *const buffer = whittle_buffer_take(&request->orb->pool, least, least);
    if (buffer == NULL)
        return false;
    struct whittle_chunk *const chunk = (struct whittle_chunk *)(void *)buffer->bytes;
    *chunk = (struct whittle_chunk){request->chunks, buffer};
    request->chunks = chunk;
    request->arena = (char *)(chunk + 1);
    request->arena_end = buffer->bytes + buffer->room;
    return true;
}

void *whittle_request_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_request *const request = whittle_request_at(in);
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    const size_t total = (size * count + 15) & ~(size_t)15;
    if (total > (size_t)(request->arena_end - request->arena) && !whittle_arena_more(request, total))
        return NULL;
    char *const here = request->arena;
    request->arena += total;
    if (release != NULL)
        memset(here, 0, size * count);
    return here;
}

bool whittle_cdr_in_later(struct whittle_cdr_in *in, void *item, void (*release)(void *item))
{
    struct whittle_request *const request = whittle_request_at(in);
    struct whittle_later *const later = in->allocate == whittle_request_allocate
        ? (struct whittle_later *)whittle_request_allocate(in, sizeof *later, 1, NULL) : NULL;
    if (later == NULL) {
        release(item);
        return false;
    }
    *later = (struct whittle_later){request->later, item, release};
    request->later = later;
    return true;
}

void whittle_arena_close(struct whittle_request *request)
{
    for (struct whittle_later *later = request->later; later != NULL; later = later->next)
        later->release(later->item);
    while (request->chunks != NULL) {
        struct whittle_chunk *const chunk = request->chunks;
        request->chunks = chunk->next;
        whittle_buffer_give(&request->orb->pool, chunk->buffer);
    }
}
