/* The plain style's peer, over ONC RPC or GIOP, as the interface's header has it. */
#include "peer.h"
#include "near.h"
#ifdef WHITTLE_IIOP_H
#define CARRIER(name) whittle_iiop_##name
#define REFERENCE "corbaloc:shm:%s/near"
enum { OK = WHITTLE_IIOP_OK, TOO_LATE = WHITTLE_IIOP_TIMEOUT, GONE = WHITTLE_IIOP_COMM_FAILURE, NOBODY = WHITTLE_IIOP_TRANSIENT, NO_MEMORY = WHITTLE_IIOP_NO_RESOURCES };
#else
#define CARRIER(name) whittle_onc_##name
#define REFERENCE "shm:%s"
enum { OK = WHITTLE_ONC_OK, TOO_LATE = WHITTLE_ONC_TIMED_OUT, GONE = WHITTLE_ONC_LOST, NOBODY = WHITTLE_ONC_REFUSED, NO_MEMORY = WHITTLE_ONC_NO_MEMORY };
#endif

struct peer { struct CARRIER(client) *client; };

static enum outcome outcome_of(int status)
{
    return status == OK ? GOOD : status == TOO_LATE ? LATE : status == GONE ? LOST : status == NOBODY ? REFUSED : status == NO_MEMORY ? FULL : OTHER;
}

struct peer *peer_open(const char *name, uint32_t milliseconds)
{
    struct peer *const peer = (struct peer *)malloc(sizeof *peer);
    const struct CARRIER(client_options) options = {.timeout = milliseconds};
    char reference[128];
    CHECK(peer != NULL);
    snprintf(reference, sizeof reference, REFERENCE, name);
    peer->client = CARRIER(client_open)(reference, &options, NULL);
    CHECK(peer->client != NULL);
    return peer;
}

void peer_close(struct peer *peer)
{
    CARRIER(client_close)(peer->client);
    free(peer);
}

enum outcome peer_add(struct peer *peer, int32_t left, int32_t right, int32_t *sum)
{
    return outcome_of(near_add(peer->client, left, right, sum));
}

enum outcome peer_rest(struct peer *peer, uint32_t milliseconds)
{
    int32_t rested;
    return outcome_of(near_rest(peer->client, milliseconds, &rested));
}

enum outcome peer_take(struct peer *peer, uint8_t *bytes, uint32_t count, uint32_t *taken)
{
    const struct block block = {count, bytes};
    return outcome_of(near_take(peer->client, &block, taken));
}

enum outcome peer_give(struct peer *peer, uint32_t count, bool *as_it_should)
{
    struct block block = {0, NULL};
    const enum outcome outcome = outcome_of(near_give(peer->client, count, &block));
    *as_it_should = outcome == GOOD && block.length == count && is_filled(block.items, count);
    block_free(&block);
    return outcome;
}

enum outcome peer_note(struct peer *peer, int32_t number)
{
    return outcome_of(near_note(peer->client, number));
}

enum outcome peer_noted(struct peer *peer, int32_t *sum)
{
    return outcome_of(near_noted(peer->client, sum));
}

static int add(void *context, int32_t left, int32_t right, int32_t *sum)
{
    (void)context;
    *sum = (int32_t)((uint32_t)left + (uint32_t)right);
    return 0;
}

static int rest(void *context, uint32_t milliseconds, int32_t *rested)
{
    (void)context;
    servant_rest(milliseconds);
    *rested = 1;
    return 0;
}

static int take(void *context, const struct block *bytes, uint32_t *taken)
{
    (void)context;
    *taken = is_filled(bytes->items, bytes->length) ? bytes->length : 0;
    return 0;
}

static int give(void *context, uint32_t count, struct block *bytes)
{
    (void)context;
    bytes->items = (uint8_t *)malloc(count == 0 ? 1 : count);
    if (bytes->items == NULL)
        return -1;
    bytes->length = count;
    servant_fill(bytes->items, count);
    return 0;
}

static int32_t sum_of_notes;

static int note(void *context, int32_t number)
{
    (void)context;
    __atomic_fetch_add(&sum_of_notes, number, __ATOMIC_RELAXED);
    return 0;
}

static int noted(void *context, int32_t *sum)
{
    (void)context;
    *sum = __atomic_load_n(&sum_of_notes, __ATOMIC_RELAXED);
    return 0;
}

static const struct near_operations operations = {.add = add, .rest = rest, .take = take, .give = give, .note = note, .noted = noted};
const uint32_t peer_workers = 4;
static struct CARRIER(server) *server;

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    char address[128];
    const struct CARRIER(server_options) options = {.workers = workers};
    server = CARRIER(server_new)(&options);
    snprintf(address, sizeof address, "shm:%s", name);
    CHECK(server != NULL && near_serve(server, &operations, NULL) == 0 && CARRIER(server_listen)(server, address) == 0);
#ifdef WHITTLE_IIOP_H
    CHECK(whittle_iiop_server_port(server) == 0);
#endif
    ready();
    CARRIER(server_run)(server);
}

void peer_stop(void)
{
    CARRIER(server_stop)(server);
}
