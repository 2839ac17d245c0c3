/*
 * All of ledger.defs over a link that is not Mach's: each form of data in, out, in and out; return codes; a message without an answer.
 * `ADDRESS`: client and server in one process.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ledger.h"
#include "carrier.h"
#include "expect.h"

enum { OVERDRAWN = 77 };
static char last[32];
static struct CARRIER(server) *server;

static int post(void *context, const char *name, const struct entries_t *entries, long_t *sum, struct far_t *all, kern_return_t *result)
{
    (void)context;
    EXPECT(strcmp(name, "cash") == 0);
    *sum = 0;
    for (uint32_t at = 0; at < entries->length; at++)
        *sum += entries->items[at].cents;
    *result = *sum < 0 ? OVERDRAWN : 0;
    all->items = calloc(entries->length + 1, sizeof *all->items);
    if (all->items == NULL)
        abort();
    all->length = entries->length + 1;
    for (uint32_t at = 0; at < entries->length; at++)
        all->items[at + 1] = entries->items[at];
    all->items[0].account = 4000000000u;
    return 0;
}

static int turn(void *context, uint8_t *token, const struct blob_t *blob, boolean_t *same, celsius_t *temperature, kern_return_t *result)
{
    (void)context;
    *same = blob->length == 16 && memcmp(blob->items, token, 16) == 0;
    for (int at = 0; at < 8; at++) {
        uint8_t const kept = token[at];
        token[at] = token[15 - at], token[15 - at] = kept;
    }
    *temperature = -*temperature;
    *result = 0;
    return 0;
}

static int measure(void *context, const char *place, const uint8_t *record, const int32_t *when, const int32_t (*grid)[3],
                   const struct few_t *few, const struct few_t *more, int32_t (*corner)[3], real_t *mean, char *letter,
                   kern_return_t *result)
{
    (void)context;
    EXPECT(strcmp(place, "fifteen letters") == 0);
    EXPECT(memcmp(record, "twelve bytes", 12) == 0);
    EXPECT(when[0] == -1 && when[1] == 2);
    EXPECT(few->length == 4 && more->length == 4 && few->items[3] == -4 && more->items[0] == 5);
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            corner[row][column] = grid[1 - row][2 - column];
    *mean = 2.5;
    *letter = 'w';
    *result = 0;
    return 0;
}

static int note(void *context, const char *name)
{
    (void)context;
    snprintf(last, sizeof last, "%s", name);
    return 0;
}

static int noted(void *context, char **name, kern_return_t *result)
{
    (void)context;
    *name = strdup(last);
    *result = 0;
    return *name == NULL ? -1 : 0;
}

static struct ledger_operations const operations = {post, turn, measure, note, noted};

static void *serving(void *nothing)
{
    CARRIER(server_run)(server);
    return nothing;
}

static void call(struct CARRIER(client) *client, int round)
{
    struct entry_t rows[200];
    struct entries_t entries = {200, rows};
    for (uint32_t at = 0; at < 200; at++)
        rows[at] = (struct entry_t){at, (int64_t)at << 33};
    long_t sum = 0;
    struct far_t all;
    kern_return_t result = -1;
    EXPECT(ledger_post(client, "cash", &entries, &sum, &all, &result) == 0 && result == 0);
    EXPECT(sum == (int64_t)199 * 100 << 33 && all.length == 201 && all.items[0].account == 4000000000u && all.items[200].account == 199);
    far_t_free(&all);
    rows[0].cents = -sum - 1;
    EXPECT(ledger_post(client, "cash", &entries, &sum, &all, &result) == 0 && result == OVERDRAWN && sum == -1);
    far_t_free(&all);
    /* Longer than the type says: nobody is asked. */
    EXPECT(ledger_post(client, "a name of more than thirty-one letters", &entries, &sum, &all, &result) == CANNOT_MARSHAL);

    uint8_t token[16], bytes[16];
    for (int at = 0; at < 16; at++)
        token[at] = bytes[at] = (uint8_t)(at * 17);
    boolean_t same = false;
    celsius_t temperature = round;
    EXPECT(ledger_turn(client, token, &(struct blob_t){16, bytes}, &same, &temperature, &result) == 0);
    EXPECT(same && temperature == -round && token[0] == 255 && token[15] == 0);

    int32_t const when[2] = {-1, 2}, grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int32_t corner[2][3];
    int16_t few[4] = {-1, -2, -3, -4}, more[4] = {5, 6, 7, 8};
    real_t mean = 0;
    char letter = 0;
    EXPECT(ledger_measure(client, "fifteen letters", (const uint8_t *)"twelve bytes", when, grid, &(struct few_t){4, few},
                          &(struct few_t){4, more}, corner, &mean, &letter, &result) == 0);
    EXPECT(corner[0][0] == 6 && corner[1][2] == 1 && mean == 2.5 && letter == 'w');

    char *name = NULL;
    EXPECT(ledger_note(client, "remembered") == 0);
    EXPECT(ledger_noted(client, &name, &result) == 0 && name != NULL && strcmp(name, "remembered") == 0);
    free(name);
}

int main(int argc, char **argv)
{
    pthread_t thread;
    server = CARRIER(server_new)(NULL);
    if (argc < 2 || ledger_serve(server, &operations, NULL) != 0 || CARRIER(server_listen)(server, argv[1]) != 0)
        return 1;
    pthread_create(&thread, NULL, serving, NULL);
    struct CARRIER(client) *const client = CARRIER(client_open)(ADDRESS(server, 0), NULL, NULL);
    EXPECT(client != NULL);
    for (int round = 1; client != NULL && round <= 3; round++)
        call(client, round);
    CARRIER(client_close)(client);
    CARRIER(server_stop)(server);
    pthread_join(thread, NULL);
    CARRIER(server_free)(server);
    return failures == 0 ? 0 : 1;
}
