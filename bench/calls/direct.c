/* whittle's direct stubs over ONC RPC: no library. */
#include "driver.h"
#include "flick.h"
#include "whittle_onc_stubs.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct whittle_onc_client *client;
static enum workload workload;
static struct intseq ints;
static struct rectseq rects;
static struct direntseq dirents;

static int take_ints(void *context, const struct intseq *argument)
{
    (void)context, (void)argument;
    return 0;
}

static int take_rects(void *context, const struct rectseq *argument)
{
    (void)context, (void)argument;
    return 0;
}

static int take_dirents(void *context, const struct direntseq *argument)
{
    (void)context, (void)argument;
    return 0;
}

static void address_of(char *text, size_t room, const char *host, uint16_t port, const char *path)
{
    if (path != NULL)
        snprintf(text, room, "unix:%s", path);
    else if (strcmp(host, "shm") == 0)
        snprintf(text, room, "shm:calls-%u", port);
    else
        snprintf(text, room, "tcp://%s:%u", host, port);
}

void participant_serve(const char *host, uint16_t port, const char *path)
{
    static const struct flick_operations operations = {take_ints, take_rects, take_dirents};
    char address[300];
    address_of(address, sizeof address, host, port, path);
    struct whittle_onc_server *const server = whittle_onc_server_new(NULL);
    if (server == NULL || flick_serve(server, &operations, NULL) != 0 || whittle_onc_server_listen(server, address) != 0)
        driver_fail("cannot serve");
    driver_ready();
    whittle_onc_server_run(server);
}

void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data)
{
    char address[300];
    int status = 0;
    address_of(address, sizeof address, host, port, path);
    client = whittle_onc_client_open(address, NULL, &status);
    if (client == NULL)
        driver_fail(whittle_onc_text(status));
    workload = data->workload;
    ints = (struct intseq){data->count, data->items.ints};
    rects = (struct rectseq){data->count, (struct rect *)(void *)data->items.rects};
    dirents = (struct direntseq){data->count, calloc(data->count + 1, sizeof(struct direntry))};
    for (uint32_t i = 0; workload == DIRENTS && i < data->count; i++) {
        const struct dirent_item *const item = &data->items.dirents[i];
        dirents.items[i].name = item->name;
        memcpy(dirents.items[i].info.fields, item->fields, sizeof item->fields);
        memcpy(dirents.items[i].info.tag, item->tag, sizeof item->tag);
    }
}

/* Procedure 0, which no file declares. */
static int ping(void)
{
    struct whittle_onc_call call;
    char *const to = whittle_onc_begin(&call, client, FLICK_PROGRAM, FLICK_VERSION, 0);
    return whittle_onc_end(&call, whittle_onc_exchange(&call, to) == 0 ? call.at : NULL);
}

void participant_call(void)
{
    int status = 0;
    switch (workload) {
    case NOTHING: status = ping(); break;
    case INTS: status = flick_send_ints(client, &ints); break;
    case RECTS: status = flick_send_rects(client, &rects); break;
    case DIRENTS: status = flick_send_dirents(client, &dirents); break;
    }
    if (status != 0)
        driver_fail(whittle_onc_text(status));
}

/* Up to 64 calls are under way. The words go as the stubs write them. */
int participant_pipeline(long count)
{
    enum { UNDER_WAY = 64 };
    static struct whittle_onc_call calls[UNDER_WAY];
    for (long n = 0; n < count + UNDER_WAY; n++) {
        struct whittle_onc_call *const call = &calls[n % UNDER_WAY];
        if (n >= UNDER_WAY && n - UNDER_WAY < count &&
            whittle_onc_end(call, whittle_onc_receive(call) == 0 ? call->at : NULL) != 0)
            driver_fail("a call in the pipeline");
        if (n >= count)
            continue;
        char *to = whittle_onc_begin(call, client, FLICK_PROGRAM, FLICK_VERSION, 1);
        const uint32_t length = __builtin_bswap32(ints.length);
        to = to == NULL ? NULL : whittle_xdr_out_need(&call->out, to, 4 + 4 * (size_t)ints.length);
        if (to != NULL) {
            memcpy(to, &length, 4);
            to += 4;
            for (uint32_t i = 0; i < ints.length; i++, to += 4) {
                const uint32_t word = __builtin_bswap32((uint32_t)ints.items[i]);
                memcpy(to, &word, 4);
            }
        }
        whittle_onc_send(call, to);
    }
    return 1;
}
