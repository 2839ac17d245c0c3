/* The plain style over ONC RPC: plain.h. */
#define CLIENT_OF struct whittle_onc_client
#include "plain.h"

static enum outcome outcome_of(int status)
{
    return status == WHITTLE_ONC_OK ? GOOD : status == WHITTLE_ONC_TIMED_OUT ? LATE : status == WHITTLE_ONC_LOST ? LOST
        : status == WHITTLE_ONC_REFUSED ? REFUSED : status == WHITTLE_ONC_NO_MEMORY ? FULL : OTHER;
}

static struct whittle_onc_client *client_of(const char *name, uint32_t milliseconds)
{
    char address[128];
    const struct whittle_onc_client_options options = {.timeout = milliseconds};
    snprintf(address, sizeof address, "shm:%s", name);
    return whittle_onc_client_open(address, &options, NULL);
}

void peer_close(struct peer *peer)
{
    whittle_onc_client_close(peer->client);
    free(peer);
}

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    char address[128];
    const struct whittle_onc_server_options options = {.workers = workers};
    struct whittle_onc_server *const server = whittle_onc_server_new(&options);
    snprintf(address, sizeof address, "shm:%s", name);
    CHECK(server != NULL && near_serve(server, &operations, NULL) == 0 && whittle_onc_server_listen(server, address) == 0);
    ready();
    whittle_onc_server_run(server);
}
