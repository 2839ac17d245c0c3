/* The style of CORBA's mapping for C, over ONC RPC: mapped.h. */
#include "mapped.h"

const uint32_t peer_workers = 3;

struct peer *peer_open(const char *name, uint32_t milliseconds)
{
    char address[128];
    const struct whittle_onc_client_options options = {.timeout = milliseconds};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct peer *const peer = (struct peer *)malloc(sizeof *peer);
    CHECK(peer != NULL);
    snprintf(address, sizeof address, "shm:%s", name);
    peer->object = whittle_onc_object(address, &options, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION && peer->object != CORBA_OBJECT_NIL);
    return peer;
}

void peer_close(struct peer *peer)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_Object_release(peer->object, &ev);
    free(peer);
}

static struct whittle_onc_server *server;

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    char address[128];
    const struct whittle_onc_server_options options = {.workers = workers};
    server = whittle_onc_server_new(&options);
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    POA_near__init(&servant, &ev);
    POA_near__serve(&servant, server, &ev);
    snprintf(address, sizeof address, "shm:%s", name);
    CHECK(ev._major == CORBA_NO_EXCEPTION && whittle_onc_server_listen(server, address) == 0);
    ready();
    whittle_onc_server_run(server);
}

void peer_stop(void)
{
    whittle_onc_server_stop(server);
}
