/* SPDX-License-Identifier: MIT-0 */
/* The server under attack in the C mapping of CORBA, over ONC RPC or, with LINK_TIRPC, by a library. In: settings. Out: a server. */
#include "servant.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef LINK_TIRPC
enum { ATTACKED = 0x20000bad, ATTACKED_1 = 1 };
#include "library.h"
#else
static struct whittle_onc_server *server;
#endif

static void stop(int number)
{
    (void)number;
#ifdef LINK_TIRPC
    svc_exit();
#else
    whittle_onc_server_stop(server);
#endif
}

/* Where an exception is, the program ends. */
static void check(CORBA_Environment *ev, bool works)
{
    if (ev->_major == CORBA_NO_EXCEPTION && works)
        return;
    fprintf(stderr, "server: %s\n", works ? CORBA_exception_id(ev) : "cannot be set up");
    exit(1);
}

int main(int argc, char **argv)
{
    const struct setting setting = setting_read(argc, argv);
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    POA_ATTACKED_ATTACKED_1__init(&servant, &ev);
#ifdef LINK_TIRPC
    for (int index = 0; index < setting.link_count; index++) {
        char text[60];
        SVCXPRT *const transport = library_listen(setting.links[index], text);
        check(&ev, transport != NULL);
        POA_ATTACKED_ATTACKED_1__serve(&servant, transport, &ev);
        check(&ev, true);
        setting_address(text);
    }
    signal(SIGTERM, stop);
    setting_ready();
    svc_run();
#else
    const struct whittle_onc_server_options options = {
        .workers = setting.workers,
        .overtaking = setting.overtaking,
        .memory = setting.memory,
        .patience = setting.patience,
        .grace = setting.grace,
    };
    server = whittle_onc_server_new(&options);
    check(&ev, server != NULL);
    POA_ATTACKED_ATTACKED_1__serve(&servant, server, &ev);
    for (int index = 0; index < setting.link_count; index++) {
        const char *const link = setting.links[index];
        check(&ev, whittle_onc_server_listen(server, strcmp(link, "tcp") == 0 ? "tcp://127.0.0.1:0" : strcmp(link, "udp") == 0 ? "udp://127.0.0.1:0" : link) == 0);
        setting_address(whittle_onc_server_address(server, (size_t)index));
    }
    signal(SIGTERM, stop);
    setting_ready();
    check(&ev, whittle_onc_server_run(server) == 0);
    whittle_onc_server_free(server);
#endif
    POA_ATTACKED_ATTACKED_1__fini(&servant, &ev);
    setting_end();
    return 0;
}
