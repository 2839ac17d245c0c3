/* SPDX-License-Identifier: MIT-0 */
/* A server in a thread: check.h. */
#include "check.h"
#include <unistd.h>

static void *run(void *opaque)
{
    GOOD(whittle_onc_server_run((struct whittle_onc_server *)opaque));
    return NULL;
}

void running_open(struct running *running, const struct whittle_onc_server_options *options, const char *const *addresses)
{
    *running = (struct running){.server = whittle_onc_server_new(options)};
    CHECK(running->server != NULL);
    GOOD(sample_serve(running->server, &sample_servant_operations, &running->servant));
    for (; *addresses != NULL; addresses++) {
        char own[120];      /* abstract names are the whole machine's, those of shared memory the user's */
        snprintf(own, sizeof own, strncmp(*addresses, "unix:@", 6) == 0 || strncmp(*addresses, "shm:", 4) == 0 ? "%s-%d" : "%s", *addresses, (int)getpid());
        GOOD(whittle_onc_server_listen(running->server, own));
    }
    CHECK(pthread_create(&running->thread, NULL, run, running->server) == 0);
}

void running_close(struct running *running)
{
    whittle_onc_server_stop(running->server);
    pthread_join(running->thread, NULL);
    whittle_onc_server_free(running->server);
}

const char *running_at(const struct running *running, const char *transport)
{
    const char *address;
    for (size_t index = 0; (address = whittle_onc_server_address(running->server, index)) != NULL; index++)
        if (strncmp(address, transport, strlen(transport)) == 0)
            return address;
    CHECK(false);
    return NULL;
}

struct whittle_onc_client *client_of(const char *address, const struct whittle_onc_client_options *options)
{
    int status;
    struct whittle_onc_client *const client = whittle_onc_client_open(address, options, &status);
    GOOD(status);
    CHECK(client != NULL);
    return client;
}
