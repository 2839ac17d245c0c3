/* SPDX-License-Identifier: MIT-0 */
/* Servers of ONC RPC: made, listening, run, freed. What they do with connections is runtime/net's. */
#include "client.h"
#include "datagrams.h"
#include <errno.h>

WHITTLE_NET_HOT static bool whittle_onc_serve_request(struct whittle_net_server *net, struct whittle_net_connection *connection,
                                                      struct whittle_net_message *message)
{
    return whittle_onc_serve_message((struct whittle_onc_server *)(void *)net, connection, NULL, message);
}

static const struct whittle_net_protocol whittle_onc_protocol = {
    .lead = WHITTLE_ONC_CALL_LEAD, .keep = WHITTLE_ONC_MARK, .next = whittle_onc_next, .serve = whittle_onc_serve_request,
    .refuse = whittle_onc_refuse_message};

static struct whittle_net_options whittle_onc_options(const struct whittle_onc_server_options *options)
{
    return (struct whittle_net_options){
        .workers = options->workers, .overtaking = options->overtaking, .longest = options->longest, .decoded = options->decoded,
        .pending = options->pending, .memory = (size_t)options->memory * 1024 * 1024, .connections = options->connections,
        .patience = options->patience * WHITTLE_NET_MILLISECOND, .grace = options->grace * WHITTLE_NET_MILLISECOND};
}

struct whittle_onc_server *whittle_onc_server_new(const struct whittle_onc_server_options *options)
{
    enum { DUPLICATES = 1024 };
    struct whittle_onc_server *const server = (struct whittle_onc_server *)calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    if (options != NULL)
        server->options = *options;
    if (server->options.duplicates == 0)
        server->options.duplicates = DUPLICATES;
    const struct whittle_net_options net = whittle_onc_options(&server->options);
    server->net.datagram_ready = whittle_onc_datagram_ready;
    if (whittle_net_server_open(&server->net, &whittle_onc_protocol, &net) && whittle_onc_duplicates_open(server))
        return server;
    whittle_onc_server_free(server);
    return NULL;
}

void whittle_onc_server_free(struct whittle_onc_server *server)
{
    if (server == NULL)
        return;
    whittle_onc_unregister(server);
    whittle_onc_duplicates_close(server);
    whittle_net_server_close(&server->net);
    free(server->services);
    free(server);
}

int whittle_onc_server_listen(struct whittle_onc_server *server, const char *text)
{
    struct whittle_net_address address;
    if (text == NULL || !whittle_net_address_parse(&address, text))
        return WHITTLE_ONC_BAD_ADDRESS;
    const int failure = whittle_net_listen(&server->net, &address);
    const int problem = errno;
    whittle_net_address_drop(&address);
    errno = problem;
    return failure == WHITTLE_NET_REFUSED ? (int)WHITTLE_ONC_CANNOT_LISTEN : whittle_onc_status_of(failure);
}

int whittle_onc_server_adopt(struct whittle_onc_server *server, int fd)
{
    const int failure = whittle_net_listen_adopted(&server->net, fd);
    return failure == WHITTLE_NET_REFUSED ? (int)WHITTLE_ONC_CANNOT_LISTEN : whittle_onc_status_of(failure);
}

const char *whittle_onc_server_address(const struct whittle_onc_server *server, size_t index)
{
    return whittle_net_listener_text(&server->net, index);
}

int whittle_onc_server_run(struct whittle_onc_server *server)
{
    whittle_net_run(&server->net);
    whittle_onc_unregister(server);
    return WHITTLE_ONC_OK;
}

void whittle_onc_server_look(struct whittle_onc_server *server)
{
    if (whittle_net_runs(&server->net))
        whittle_net_poll(&server->net.poller, WHITTLE_NET_EVENTS, 0);
    whittle_net_settle(&server->net);
}

void whittle_onc_server_finish(struct whittle_onc_server *server)
{
    whittle_net_finish(&server->net);
    whittle_onc_unregister(server);
}

void whittle_onc_server_stop(struct whittle_onc_server *server)
{
    whittle_net_stop(&server->net);
}

void whittle_onc_server_usage(const struct whittle_onc_server *server, struct whittle_net_usage *usage)
{
    whittle_net_usage_of(&server->net, usage);
}
