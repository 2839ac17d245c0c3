/* SPDX-License-Identifier: MIT-0 */
/* The port of a program at a host, as its rpcbind knows it. */
#include "rpcbind.h"
#include <stdio.h>

/* The end of a universal address (RFC 5665, section 5.2.3): .high.low; 0: it is none. */
static int whittle_onc_universal_port(const char *text)
{
    const char *last = strrchr(text, '.'), *first = last;
    while (first != NULL && first > text && *--first != '.')
        ;
    unsigned high, low;
    char more;
    if (first == NULL || first == text || sscanf(first, ".%3u.%3u%c", &high, &low, &more) != 2 || high > 255 || low > 255)
        return 0;
    return (int)(high << 8 | low);
}

/* A client of the host's rpcbind, over the same transport. */
static struct whittle_onc_client *whittle_onc_rpcbind_at(const struct whittle_onc_client *client, uint64_t until, int *status)
{
    const struct whittle_onc_client_options options = {.timeout = UINT32_MAX, .retransmit = client->options.retransmit};
    char *address = NULL;
    const bool six = strchr(client->address.host, ':') != NULL;
    if (asprintf(&address, "%s://%s%s%s:%d", client->net.datagrams ? "udp" : "tcp", six ? "[" : "", client->address.host, six ? "]" : "",
                 WHITTLE_ONC_RPCBIND_PORT) < 0) {
        *status = WHITTLE_ONC_NO_MEMORY;
        return NULL;
    }
    struct whittle_onc_client *const rpcbind = whittle_onc_client_open(address, &options, status);
    free(address);
    if (rpcbind != NULL) {      /* all of its calls together last no longer, and are cancelled with the one that asks */
        rpcbind->until = until;
        rpcbind->net.short_deadlines = until != 0;
        rpcbind->net.epochs = client->net.epochs;
    }
    return rpcbind;
}

/* Of a network's name; what rpcbind does not know is at no port. */
static int whittle_onc_lookup_in(struct whittle_onc_client *rpcbind, uint32_t program, uint32_t version, const char *network)
{
    const struct whittle_onc_mapping mapping = {program, version, network, "", "", 0};
    char *answer = NULL;
    int status = whittle_onc_rpcbind_ask(rpcbind, WHITTLE_ONC_RPCB_GETADDR, &mapping, &answer, NULL);
    if (status == WHITTLE_ONC_OK)
        status = answer[0] == 0 ? WHITTLE_ONC_NOT_REGISTERED : whittle_onc_universal_port(answer);
    free(answer);
    return status == 0 ? WHITTLE_ONC_NO_RPCBIND : status;
}

int whittle_onc_lookup(const struct whittle_onc_client *client, uint32_t program, uint32_t version, uint64_t until)
{
    int status;
    const bool six = strchr(client->address.host, ':') != NULL;
    struct whittle_onc_client *const rpcbind = whittle_onc_rpcbind_at(client, until, &status);
    if (rpcbind == NULL)
        return status;
    const char *const networks[] = {client->net.datagrams ? "udp" : "tcp", client->net.datagrams ? "udp6" : "tcp6"};
    status = whittle_onc_lookup_in(rpcbind, program, version, networks[six]);
    if (status == WHITTLE_ONC_NOT_REGISTERED && !six) {     /* a name may be of either kind */
        const int other = whittle_onc_lookup_in(rpcbind, program, version, networks[1]);
        status = other > 0 ? other : status;
    }
    whittle_onc_client_close(rpcbind);
    /* Refused by rpcbind is not refused by the server: whoever gave no port wants to know which of them is missing. */
    const bool strange = status < 0 && status != WHITTLE_ONC_NOT_REGISTERED && status != WHITTLE_ONC_TIMED_OUT && status != WHITTLE_ONC_CANCELLED
        && status != WHITTLE_ONC_UNKNOWN_HOST && status != WHITTLE_ONC_UNREACHABLE && status != WHITTLE_ONC_NO_MEMORY;
    return strange ? WHITTLE_ONC_NO_RPCBIND : status;
}
