/* SPDX-License-Identifier: MIT-0 */
/* rpcbind (RFC 1833): programs are registered, and looked up. */
#include "rpc_inner.h"
#include <unistd.h>

bool whittle_rpc_bind(uint32_t program, uint32_t version, const char *network, int port, bool on)
{
    char owner[16], address[64];
    bool taken = false;
    struct whittle_onc_client *const rpcbind = whittle_onc_rpcbind_here();
    if (rpcbind == NULL)
        return false;
    snprintf(owner, sizeof owner, "%u", (unsigned)geteuid());
    snprintf(address, sizeof address, "%s.%d.%d", strchr(network, '6') != NULL ? "::" : "0.0.0.0", port >> 8 & 255, port & 255);
    const struct whittle_onc_mapping mapping = {program, version, network, address, owner, (uint16_t)port};
    const int status = whittle_onc_rpcbind_ask(rpcbind, on ? WHITTLE_ONC_RPCB_SET : WHITTLE_ONC_RPCB_UNSET, &mapping, NULL, &taken);
    whittle_onc_client_close(rpcbind);
    return status == WHITTLE_ONC_OK && taken;
}

bool_t pmap_set(u_long program, u_long version, int protocol, int port)
{
    if (protocol != IPPROTO_TCP && protocol != IPPROTO_UDP)
        return FALSE;
    return whittle_rpc_bind((uint32_t)program, (uint32_t)version, protocol == IPPROTO_TCP ? "tcp" : "udp", port, true);
}

bool_t pmap_unset(u_long program, u_long version)
{
    const bool streams = whittle_rpc_bind((uint32_t)program, (uint32_t)version, "tcp", 0, false);
    const bool datagrams = whittle_rpc_bind((uint32_t)program, (uint32_t)version, "udp", 0, false);
    return streams || datagrams;
}

u_short pmap_getport(struct sockaddr_in *address, u_long program, u_long version, u_int protocol)
{
    struct sockaddr_in host = *address;
    struct rpc_err error;
    int status = WHITTLE_ONC_NO_MEMORY;
    host.sin_port = 0;
    char *const text = whittle_rpc_address(protocol == IPPROTO_UDP ? "udp" : "tcp", (const struct sockaddr *)&host, sizeof host);
    struct whittle_onc_client *const client = text == NULL ? NULL : whittle_onc_client_open(text, NULL, &status);
    free(text);
    if (client != NULL)
        status = whittle_onc_lookup(client, (uint32_t)program, (uint32_t)version, whittle_net_now() + client->timeout);
    whittle_onc_client_close(client);
    if (status > 0)
        return (u_short)status;
    whittle_rpc_explain(status, NULL, &error);
    whittle_rpc_not_created(error.re_status, &error);
    return 0;
}
