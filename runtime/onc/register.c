/* SPDX-License-Identifier: MIT-0 */
/* A server's programs registered with this machine's rpcbind, at all addresses that it listens at; and taken back. */
#include "rpcbind.h"
#include "client.h"
#include "server.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

/* The local socket first: there rpcbind sees who asks. */
struct whittle_onc_client *whittle_onc_rpcbind_here(void)
{
    const char *const local = "/run/rpcbind.sock";
    struct whittle_onc_client *const rpcbind =
        whittle_onc_client_open(access(local, W_OK) == 0 ? "unix:/run/rpcbind.sock" : "tcp://127.0.0.1:111", NULL, NULL);
    if (rpcbind != NULL)    /* all that is asked of it together */
        rpcbind->until = whittle_net_now() + 5000 * WHITTLE_NET_MILLISECOND;
    return rpcbind;
}

/* A network's name (RFC 5665, section 5.2.3.3) and the universal address there; malloc's. `four`: how IPv4 reaches what hears both. */
static char *whittle_onc_universal(const struct whittle_net_listener *listener, bool four, const char **network)
{
    char host[INET6_ADDRSTRLEN] = "0.0.0.0";
    char *text = NULL;
    const bool datagrams = listener->transport == WHITTLE_NET_UDP, six = listener->name.storage.ss_family == AF_INET6 && !four;
    const uint16_t port = whittle_net_name_port(&listener->name);
    if (listener->transport == WHITTLE_NET_UNIX) {
        *network = "local";
        return strncmp(listener->text, "unix:", 5) != 0 || listener->text[5] == '@' ? NULL : strdup(listener->text + 5);
    }
    *network = datagrams ? six ? "udp6" : "udp" : six ? "tcp6" : "tcp";
    const size_t at = six ? offsetof(struct sockaddr_in6, sin6_addr) : offsetof(struct sockaddr_in, sin_addr);
    if (!four)
        inet_ntop(six ? AF_INET6 : AF_INET, (const char *)&listener->name.storage + at, host, sizeof host);
    return asprintf(&text, "%s.%u.%u", host, (unsigned)port >> 8, (unsigned)port & 255) < 0 ? NULL : text;
}

/* Whatever was there before is gone: a server that fell left it. */
static int whittle_onc_register_one(struct whittle_onc_client *rpcbind, const struct whittle_onc_service *service,
                                    const struct whittle_net_listener *listener, bool four, bool on)
{
    char owner[16];
    bool taken = true;
    const char *network;
    char *const address = whittle_onc_universal(listener, four, &network);
    if (address == NULL)    /* an abstract one, which rpcbind cannot say */
        return WHITTLE_ONC_OK;
    snprintf(owner, sizeof owner, "%u", (unsigned)geteuid());
    const struct whittle_onc_mapping mapping = {service->program->program, service->program->version, network, address, owner,
                                                whittle_net_name_port(&listener->name)};
    int status = whittle_onc_rpcbind_ask(rpcbind, WHITTLE_ONC_RPCB_UNSET, &mapping, NULL, &taken);
    if (on && status == WHITTLE_ONC_OK) {
        taken = false;
        status = whittle_onc_rpcbind_ask(rpcbind, WHITTLE_ONC_RPCB_SET, &mapping, NULL, &taken);
        if (status == WHITTLE_ONC_OK && !taken)
            status = WHITTLE_ONC_CANNOT_REGISTER;
    }
    free(address);
    return status;
}

static bool whittle_onc_is_dual_stack(const struct whittle_net_listener *listener)
{
    struct sockaddr_in6 six;
    memcpy(&six, &listener->name.storage, sizeof six);
    return listener->transport != WHITTLE_NET_UNIX && six.sin6_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr);
}

static int whittle_onc_register_all(struct whittle_onc_server *server, bool on)
{
    struct whittle_onc_client *const rpcbind = whittle_onc_rpcbind_here();
    int status = rpcbind == NULL ? WHITTLE_ONC_NO_MEMORY : WHITTLE_ONC_OK;
    for (size_t index = 0; index < server->service_count && status == WHITTLE_ONC_OK; index++)
        for (const struct whittle_net_listener *each = server->net.listeners; each != NULL && status == WHITTLE_ONC_OK; each = each->next) {
            status = whittle_onc_register_one(rpcbind, &server->services[index], each, false, on);
            if (status == WHITTLE_ONC_OK && whittle_onc_is_dual_stack(each))
                status = whittle_onc_register_one(rpcbind, &server->services[index], each, true, on);
        }
    whittle_onc_client_close(rpcbind);
    return status;
}

int whittle_onc_server_register(struct whittle_onc_server *server)
{
    server->registered = true;
    const int status = whittle_onc_register_all(server, true);
    if (status == WHITTLE_ONC_OK || status == WHITTLE_ONC_CANNOT_REGISTER || status == WHITTLE_ONC_NO_MEMORY)
        return status;
    return WHITTLE_ONC_NO_RPCBIND;
}

void whittle_onc_unregister(struct whittle_onc_server *server)
{
    if (server->registered)
        whittle_onc_register_all(server, false);
    server->registered = false;
}
