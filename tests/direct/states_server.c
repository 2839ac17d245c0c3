/* Serves states.x over datagrams and streams. Prints both addresses; ends when as many have told it to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "states.h"

static struct whittle_onc_server *server;
static int listening = 2;

static int nothing(void *context)
{
    (void)context;
    return 0;
}

static int twice(void *context, int32_t number, int32_t *result)
{
    (void)context;
    *result = 2 * number;
    return 0;
}

static int fail(void *context, int32_t status)
{
    (void)context;
    return status;
}

static int who(void *context, struct person *result)
{
    const struct whittle_onc_caller *const caller = whittle_onc_caller();
    const struct whittle_onc_identity *const told = &caller->identity;
    (void)context;
    result->machine = strdup(caller->flavor == 1 ? told->machine : "");
    if (caller->flavor != 1 || result->machine == NULL)
        return result->machine == NULL ? -1 : 0;
    result->uid = told->uid;
    result->gid = told->gid;
    result->groups.length = told->group_count;
    result->groups.items = malloc(told->group_count * sizeof *result->groups.items + 1);
    if (result->groups.items == NULL)
        return -1;
    memcpy(result->groups.items, told->groups, told->group_count * sizeof *result->groups.items);
    return 0;
}

static int same(void *context, const struct netobj *given, struct netobj *result)
{
    (void)context;
    result->items = malloc(given->length + 1);
    if (result->items == NULL)
        return -1;
    result->length = given->length;
    memcpy(result->items, given->items, given->length);
    return 0;
}

static int shut_down(void *context)
{
    (void)context;
    if (--listening == 0)
        whittle_onc_server_stop(server);
    return 0;
}

static const struct states_2_operations second = {.nothing = nothing, .twice = twice, .fail = fail, .who = who, .same = same};
static const struct states_3_operations third = {.nothing = nothing, .shut_down = shut_down};

int main(void)
{
    server = whittle_onc_server_new(NULL);
    int status = server == NULL ? WHITTLE_ONC_NO_MEMORY : states_2_serve(server, &second, NULL);
    if (status == 0)
        status = states_3_serve(server, &third, NULL);
    if (status == 0)
        status = whittle_onc_server_listen(server, "udp://127.0.0.1");
    if (status == 0)
        status = whittle_onc_server_listen(server, "tcp://127.0.0.1");
    if (status == 0) {
        printf("%s %s\n", whittle_onc_server_address(server, 0), whittle_onc_server_address(server, 1));
        fflush(stdout);
        status = whittle_onc_server_run(server);
    }
    if (status != 0)
        fprintf(stderr, "server: %s\n", whittle_onc_text(status));
    whittle_onc_server_free(server);
    return status == 0 ? 0 : 1;
}
