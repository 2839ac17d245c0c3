/* SPDX-License-Identifier: MIT-0 */
/* What is asked of rpcbind (RFC 1833), in its versions 4, 3 and 2. */
#ifndef WHITTLE_ONC_RPCBIND_H
#define WHITTLE_ONC_RPCBIND_H
#include "client.h"

enum { WHITTLE_ONC_RPCBIND = 100000, WHITTLE_ONC_RPCBIND_PORT = 111 };
enum { WHITTLE_ONC_RPCB_SET = 1, WHITTLE_ONC_RPCB_UNSET = 2, WHITTLE_ONC_RPCB_GETADDR = 3 };

/* An entry of rpcbind's: version 2 has no names of networks but TCP and UDP, and no addresses but ports. */
struct whittle_onc_mapping {
    uint32_t program, version;
    const char *network, *address, *owner;
    uint16_t port;
};
/* Asks in the newest version that is understood. `answer` holds a universal address or a port: to be freed; NULL: none is expected.
   The result of SET and UNSET is in `taken`. */
int whittle_onc_rpcbind_ask(struct whittle_onc_client *client, uint32_t procedure, const struct whittle_onc_mapping *mapping,
                            char **answer, bool *taken);
/* register.c: a client of this machine's; NULL: no memory. */
struct whittle_onc_client *whittle_onc_rpcbind_here(void);
#endif
