/* SPDX-License-Identifier: MIT-0 */
/*
 * Replies to datagrams that may come again, because a reply was lost or late: a call is executed once, and its reply sent again.
 * A call is known by its caller's address, its number, and a digest of it. The oldest are forgotten: there are so many at most,
 * and so many bytes, and none is older than a minute.
 */
#include "datagrams.h"

enum { WHITTLE_ONC_KEPT_BYTES = 4 * 1024 * 1024, WHITTLE_ONC_KEPT_SECONDS = 60 };

struct whittle_onc_duplicate {
    struct whittle_onc_duplicate *same;             /* the next of those with the same place in the table */
    struct whittle_onc_duplicate *next, *previous;  /* by age */
    uint64_t digest, when;
    struct whittle_net_name peer;
    uint32_t xid;
    size_t size;
    char *reply;                                    /* NULL: there is none */
    bool busy;                                      /* it is being executed */
};

struct whittle_onc_duplicates {
    pthread_mutex_t lock;
    struct whittle_onc_duplicate *oldest, *newest, **table;
    size_t mask, count, bytes;
};

bool whittle_onc_duplicates_open(struct whittle_onc_server *server)
{
    if (server->options.duplicates == UINT32_MAX)
        return true;
    struct whittle_onc_duplicates *const all = (struct whittle_onc_duplicates *)calloc(1, sizeof *all);
    if (all == NULL)
        return false;
    size_t places = 64;
    while (places < server->options.duplicates)
        places *= 2;
    all->mask = places - 1;
    all->table = (struct whittle_onc_duplicate **)calloc(places, sizeof *all->table);
    pthread_mutex_init(&all->lock, NULL);
    server->duplicates = all;
    return all->table != NULL;
}

static void whittle_onc_duplicate_forget(struct whittle_onc_server *server, struct whittle_onc_duplicate *duplicate)
{
    struct whittle_onc_duplicates *const all = server->duplicates;
    struct whittle_onc_duplicate **place = &all->table[duplicate->digest & all->mask];
    while (*place != duplicate)
        place = &(*place)->same;
    *place = duplicate->same;
    if (duplicate->previous != NULL)
        duplicate->previous->next = duplicate->next;
    else
        all->oldest = duplicate->next;
    if (duplicate->next != NULL)
        duplicate->next->previous = duplicate->previous;
    else
        all->newest = duplicate->previous;
    all->count--;
    all->bytes -= duplicate->size;
    whittle_net_budget_give(&server->net.pool.budget, sizeof *duplicate + duplicate->size);
    free(duplicate->reply);
    free(duplicate);
}

void whittle_onc_duplicates_close(struct whittle_onc_server *server)
{
    struct whittle_onc_duplicates *const all = server->duplicates;
    if (all == NULL)
        return;
    while (all->oldest != NULL)
        whittle_onc_duplicate_forget(server, all->oldest);
    pthread_mutex_destroy(&all->lock);
    free(all->table);
    free(all);
    server->duplicates = NULL;
}

/* FNV-1a, of the caller and of what the call begins with. */
static uint64_t whittle_onc_digest(const struct whittle_net_name *peer, const struct whittle_net_message *message)
{
    const size_t size = (size_t)(message->end - message->base), looked = size < 256 ? size : 256;
    const unsigned char *const parts[2] = {(const unsigned char *)&peer->storage, (const unsigned char *)message->base};
    const size_t sizes[2] = {peer->size, looked};
    uint64_t digest = UINT64_C(14695981039346656037) ^ size;
    for (int part = 0; part < 2; part++)
        for (size_t index = 0; index < sizes[part]; index++)
            digest = (digest ^ parts[part][index]) * UINT64_C(1099511628211);
    return digest ^ digest >> 32;
}

/* What there is no room for, and what is too old. */
static void whittle_onc_duplicates_trim(struct whittle_onc_server *server, uint64_t now)
{
    struct whittle_onc_duplicates *const all = server->duplicates;
    const uint64_t age = WHITTLE_ONC_KEPT_SECONDS * UINT64_C(1000000000);
    const size_t bound = server->net.pool.budget.bound / 8, most = bound != 0 && bound < WHITTLE_ONC_KEPT_BYTES ? bound : (size_t)WHITTLE_ONC_KEPT_BYTES;
    for (struct whittle_onc_duplicate *each = all->oldest, *next; each != NULL; each = next) {
        next = each->next;
        if (all->count < server->options.duplicates && all->bytes + all->count * sizeof *each < most && now - each->when < age)
            return;
        if (!each->busy)
            whittle_onc_duplicate_forget(server, each);
    }
}

static struct whittle_onc_duplicate *whittle_onc_duplicate_add(struct whittle_onc_server *server, uint64_t digest, uint64_t now)
{
    struct whittle_onc_duplicates *const all = server->duplicates;
    struct whittle_net_budget *const budget = &server->net.pool.budget;
    if (!whittle_net_budget_take(budget, sizeof(struct whittle_onc_duplicate), WHITTLE_NET_WANT_LONG))
        return NULL;
    struct whittle_onc_duplicate *const fresh = (struct whittle_onc_duplicate *)calloc(1, sizeof *fresh);
    if (fresh == NULL) {
        whittle_net_budget_give(budget, sizeof *fresh);
        return NULL;
    }
    fresh->digest = digest;
    fresh->when = now;
    fresh->busy = true;
    fresh->same = all->table[digest & all->mask];
    all->table[digest & all->mask] = fresh;
    fresh->previous = all->newest;
    if (all->newest != NULL)
        all->newest->next = fresh;
    else
        all->oldest = fresh;
    all->newest = fresh;
    all->count++;
    return fresh;
}

bool whittle_onc_duplicate_is_new(struct whittle_onc_server *server, struct whittle_onc_datagram *datagram, const struct whittle_net_message *message)
{
    struct whittle_onc_duplicates *const all = server->duplicates;
    datagram->duplicate = NULL;
    if (all == NULL || message->end - message->base < WHITTLE_ONC_CALL_HEADER)
        return true;
    const uint32_t xid = whittle_get32(message->base);
    const uint64_t digest = whittle_onc_digest(&datagram->peer, message), now = whittle_net_now();
    whittle_net_lock(&server->net, &all->lock);
    whittle_onc_duplicates_trim(server, now);
    struct whittle_onc_duplicate *found = all->table[digest & all->mask];
    while (found != NULL && (found->digest != digest || found->xid != xid || found->peer.size != datagram->peer.size
                             || memcmp(&found->peer.storage, &datagram->peer.storage, found->peer.size) != 0))
        found = found->same;
    if (found != NULL && found->reply != NULL)
        whittle_onc_datagram_send(datagram, found->reply, found->size);
    if (found == NULL) {
        datagram->duplicate = whittle_onc_duplicate_add(server, digest, now);
        if (datagram->duplicate != NULL) {
            datagram->duplicate->xid = xid;
            datagram->duplicate->peer = datagram->peer;
        }
    }
    whittle_net_unlock(&server->net, &all->lock);
    return found == NULL;
}

void whittle_onc_duplicate_answered(struct whittle_onc_server *server, struct whittle_onc_duplicate *duplicate, const char *base, size_t size)
{
    struct whittle_net_budget *const budget = &server->net.pool.budget;
    if (duplicate == NULL || !whittle_net_budget_take(budget, size, WHITTLE_NET_WANT_LONG))
        return;
    char *const copy = (char *)malloc(size);
    if (copy == NULL) {
        whittle_net_budget_give(budget, size);
        return;
    }
    memcpy(copy, base, size);
    whittle_net_lock(&server->net, &server->duplicates->lock);
    server->duplicates->bytes += size;
    duplicate->size = size;
    duplicate->reply = copy;
    whittle_net_unlock(&server->net, &server->duplicates->lock);
}

void whittle_onc_duplicate_done(struct whittle_onc_server *server, struct whittle_onc_duplicate *duplicate)
{
    if (duplicate == NULL)
        return;
    whittle_net_lock(&server->net, &server->duplicates->lock);
    duplicate->busy = false;
    whittle_net_unlock(&server->net, &server->duplicates->lock);
}
