/* SPDX-License-Identifier: MIT-0 */
/* a server is registered with rpcbind, and asked for it. `serve`: prints what is to be looked at, and waits. */
#include "check.h"
#include <unistd.h>

static void finds(const char *address)
{
    struct whittle_onc_client *const client = client_of(address, NULL);
    int32_t sum;
    GOOD(sample_add(client, 2, 3, &sum));
    CHECK(sum == 5);
    whittle_onc_client_close(client);
}

static void knows_nothing(const char *address)
{
    struct whittle_onc_client *const client = client_of(address, NULL);
    IS(sample_nothing(client), WHITTLE_ONC_NOT_REGISTERED);
    whittle_onc_client_close(client);
}

/* An rpcbind that understands one version only, and knows one program. */
struct old {
    uint32_t asked;
    const char *tcp, *udp;
};

static void old_dispatch(const void *operations, void *context, struct whittle_onc_request *request)
{
    struct old *const old = (struct old *)context;
    const bool datagrams = whittle_onc_caller()->datagram;
    const unsigned port = (unsigned)atoi(strrchr(datagrams ? old->udp : old->tcp, ':') + 1);
    char universal[40] = "";
    (void)operations;
    old->asked++;
    if (request->procedure != 3 || request->in.end - request->at < 16) {
        whittle_onc_unknown(request);
        return;
    }
    const bool known = whittle_get32(request->at) == SAMPLE_PROGRAM;
    if (known)
        snprintf(universal, sizeof universal, "127.0.0.1.%u.%u", port >> 8, port & 255);
    const size_t length = strlen(universal);
    char *at = whittle_onc_reply(request);
    CHECK(at != NULL);
    if (whittle_onc_caller()->version == 2) {
        whittle_put32(at, known ? port : 0);
        whittle_onc_answer(request, at + 4);
        return;
    }
    whittle_put32(at, (uint32_t)length);
    memset(at + 4, 0, 40);
    memcpy(at + 4, universal, length);
    whittle_onc_answer(request, at + 4 + whittle_pad4(length));
}

static void *run_old(void *server)
{
    GOOD(whittle_onc_server_run((struct whittle_onc_server *)server));
    return NULL;
}

static void old_rpcbind(const struct running *running, uint32_t version)
{
    const struct whittle_onc_program program = {100000, version, old_dispatch};
    struct old old = {0, running_at(running, "tcp"), running_at(running, "udp")};
    struct whittle_onc_server *const server = whittle_onc_server_new(NULL);
    struct whittle_onc_call call;
    pthread_t thread;
    CHECK(server != NULL);
    GOOD(whittle_onc_serve(server, &program, NULL, &old));
    GOOD(whittle_onc_server_listen(server, "tcp://127.0.0.1:111"));
    GOOD(whittle_onc_server_listen(server, "udp://127.0.0.1:111"));
    CHECK(pthread_create(&thread, NULL, run_old, server) == 0);
    finds("tcp://127.0.0.1");
    finds("udp://127.0.0.1");
    CHECK(old.asked == 2);
    struct whittle_onc_client *const client = client_of("127.0.0.1", NULL);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM + 5, 1, 0));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_NOT_REGISTERED);
    whittle_onc_client_close(client);
    whittle_onc_server_stop(server);
    pthread_join(thread, NULL);
    whittle_onc_server_free(server);
}

int main(int count, char **arguments)
{
    static const char *const addresses[] = {"tcp://", "udp://", "unix:/run/whittle-onc-sample", NULL};
    static const char *const found[] = {"127.0.0.1", "tcp://127.0.0.1", "udp://127.0.0.1", "tcp://[::1]", "udp://[::1]", "tcp://localhost", "udp://localhost", NULL};
    struct running running;
    running_open(&running, NULL, addresses);
    if (count > 1 && strcmp(arguments[1], "nobody") == 0) {     /* there is no rpcbind */
        struct whittle_onc_client *const client = client_of("127.0.0.1", NULL);
        IS(sample_nothing(client), WHITTLE_ONC_NO_RPCBIND);   /* and not REFUSED: it is not the server that does not listen */
        whittle_onc_client_close(client);
        IS(whittle_onc_server_register(running.server), WHITTLE_ONC_NO_RPCBIND);
        for (uint32_t version = 2; version <= 4; version++)
            old_rpcbind(&running, version);
        running_close(&running);
        return 0;
    }
    knows_nothing("127.0.0.1");
    GOOD(whittle_onc_server_register(running.server));
    GOOD(whittle_onc_server_register(running.server));
    for (int index = 0; found[index] != NULL; index++)
        finds(found[index]);
    if (count > 1) {
        puts("registered");
        fflush(stdout);
        CHECK(getchar() == '\n');
    }
    running_close(&running);
    knows_nothing("tcp://127.0.0.1");
    knows_nothing("udp://127.0.0.1");
    return 0;
}
