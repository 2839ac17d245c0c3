/* SPDX-License-Identifier: MIT-0 */
/*
 * Storage for the parameters of a request being served, released all at once when it has been replied to. What they take on the
 * heap beside it counts with it until then, against the server's memory and against what one request may take.
 */
#include "parts.h"

static struct whittle_request *whittle_request_at(struct whittle_cdr_in *in)
{
    return (struct whittle_request *)(void *)((char *)in - offsetof(struct whittle_request, in));
}

/* For a call within this process nothing is counted but the bytes of one request. */
static struct whittle_net_pool *whittle_request_pool(struct whittle_request *request)
{
    return request->connection != NULL ? &request->orb->net.pool : &request->orb->pool;
}

void *whittle_request_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    struct whittle_request *const request = whittle_request_at(in);
    void *const here = whittle_net_arena_take(&request->arena, whittle_request_pool(request), size, count, release != NULL);
    request->too_large = request->too_large || here == NULL;
    return here;
}

static bool whittle_request_charge(struct whittle_account *account, size_t bytes)
{
    struct whittle_request *const request = (struct whittle_request *)(void *)((char *)account - offsetof(struct whittle_request, account));
    const bool charged = whittle_net_arena_charge(&request->arena, whittle_request_pool(request), bytes, 1);
    request->too_large = request->too_large || !charged;
    return charged;
}

static void *whittle_request_block(struct whittle_account *account, size_t bytes)
{
    struct whittle_request *const request = (struct whittle_request *)(void *)((char *)account - offsetof(struct whittle_request, account));
    return whittle_request_allocate(&request->in, bytes, 1, NULL);
}

void whittle_storage_open(struct whittle_request *request)
{
    whittle_net_arena_open(&request->arena, request->orb->net.options.decoded);
    request->later = NULL;
    request->too_large = false;
    request->account = (struct whittle_account){.take = whittle_request_charge, .block = whittle_request_block};
    request->in = (struct whittle_cdr_in){.borrow = true, .allocate = whittle_request_allocate, .account = &request->account};
}

/* What is released one by one, all the same. */
struct whittle_later {
    struct whittle_later *next;
    void *item;
    void (*release)(void *item);
};

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

void whittle_storage_close(struct whittle_request *request)
{
    for (struct whittle_later *later = request->later; later != NULL; later = later->next)
        later->release(later->item);
    whittle_net_arena_close(&request->arena, whittle_request_pool(request));
}
