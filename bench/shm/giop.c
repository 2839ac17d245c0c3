/* A server of turn.idl and its clients: giop.h. */
#include "giop.h"
#include "turn.h"
#include <stdio.h>

static int nothing(void *context)
{
    (void)context;
    return 0;
}

void giop_serve(const char *name, void (*ready)(void))
{
    static const struct turn_operations operations = {.nothing = nothing};
    char address[80];
    struct whittle_iiop_server *const server = whittle_iiop_server_new(NULL);
    snprintf(address, sizeof address, "shm:%s", name);
    if (server == NULL || turn_serve(server, &operations, NULL) != 0 || whittle_iiop_server_listen(server, address) != 0)
        return;
    ready();
    whittle_iiop_server_run(server);
}

void *giop_open(const char *name)
{
    char reference[80];
    snprintf(reference, sizeof reference, "corbaloc:shm:%s/turn", name);
    return whittle_iiop_client_open(reference, NULL, NULL);
}

int giop_call(void *client)
{
    return turn_nothing((struct whittle_iiop_client *)client);
}

void giop_close(void *client)
{
    whittle_iiop_client_close((struct whittle_iiop_client *)client);
}
