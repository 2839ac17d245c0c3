/* The plain style over GIOP: plain.h. */
#define CLIENT_OF struct whittle_iiop_client
#include "plain.h"

static enum outcome outcome_of(int status)
{
    return status == WHITTLE_IIOP_OK ? GOOD : status == WHITTLE_IIOP_TIMEOUT ? LATE : status == WHITTLE_IIOP_COMM_FAILURE ? LOST
        : status == WHITTLE_IIOP_TRANSIENT ? REFUSED : status == WHITTLE_IIOP_NO_RESOURCES ? FULL : OTHER;
}

static struct whittle_iiop_client *client_of(const char *name, uint32_t milliseconds)
{
    char reference[128];
    const struct whittle_iiop_client_options options = {.timeout = milliseconds};
    snprintf(reference, sizeof reference, "corbaloc:shm:%s/near", name);
    return whittle_iiop_client_open(reference, &options, NULL);
}

void peer_close(struct peer *peer)
{
    whittle_iiop_client_close(peer->client);
    free(peer);
}

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    char address[128];
    const struct whittle_iiop_server_options options = {.workers = workers};
    struct whittle_iiop_server *const server = whittle_iiop_server_new(&options);
    snprintf(address, sizeof address, "shm:%s", name);
    CHECK(server != NULL && whittle_iiop_server_name(server, "near") == 0 && near_serve(server, &operations, NULL) == 0);
    CHECK(whittle_iiop_server_listen(server, address) == 0 && whittle_iiop_server_port(server) == 0);
    ready();
    whittle_iiop_server_run(server);
}
