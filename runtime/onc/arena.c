/* SPDX-License-Identifier: MIT-0 */
/* Storage for the arguments of a request being served: let go of all at once behind the dispatch. */
#include "server.h"

struct whittle_onc_chunk {
    struct whittle_onc_chunk *next;
    struct whittle_onc_buffer *buffer;
};

/* Each chunk stands at the beginning of a buffer of the pool. */
static bool whittle_onc_arena_more(struct whittle_onc_request *request, size_t size)
{
    const size_t least = size + sizeof(struct whittle_onc_chunk) + 32;
    struct whittle_onc_buffer *const buffer = whittle_onc_buffer_take(&request->server->pool, least, least);
    if (buffer == NULL)
        return false;
    struct whittle_onc_chunk *const chunk = (struct whittle_onc_chunk *)(void *)buffer->bytes;
    *chunk = (struct whittle_onc_chunk){request->chunks, buffer};
    request->chunks = chunk;
    request->arena = (char *)(chunk + 1);
    request->arena_end = buffer->bytes + buffer->room;
    return true;
}

void *whittle_onc_arena(struct whittle_xdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_onc_request *const request =
        (struct whittle_onc_request *)(void *)((char *)in - offsetof(struct whittle_onc_request, in));
    if (size != 0 && count > (SIZE_MAX / 4) / size)
        return NULL;
    const size_t total = (size * count + 15) & ~(size_t)15;
    if (total > (size_t)(request->arena_end - request->arena) && !whittle_onc_arena_more(request, total))
        return NULL;
    char *const here = request->arena;
    request->arena += total;
    if (release != NULL)
        memset(here, 0, size * count);
    return here;
}

void whittle_onc_arena_close(struct whittle_onc_request *request)
{
    while (request->chunks != NULL) {
        struct whittle_onc_chunk *const chunk = request->chunks;
        request->chunks = chunk->next;
        whittle_onc_buffer_give(&request->server->pool, chunk->buffer);
    }
}
