/* SPDX-License-Identifier: MIT-0 */
/* Calls in datagrams, and what was answered to them before. */
#ifndef WHITTLE_ONC_DATAGRAMS_H
#define WHITTLE_ONC_DATAGRAMS_H
#include "server.h"

struct whittle_onc_datagram {
    const struct whittle_net_listener *listener;
    struct whittle_net_name peer;
    struct whittle_onc_duplicate *duplicate;    /* NULL: what comes of it is not kept */
    union {
        char bytes[128];
        size_t aligned;                         /* as a struct cmsghdr, which ends in an open array */
    } control;
    size_t control_size;
};

void whittle_onc_datagram_send(const struct whittle_onc_datagram *datagram, const char *base, size_t size);

/* duplicates.c. false: it is under way, or was answered already, and the answer was sent again. */
bool whittle_onc_duplicate_is_new(struct whittle_onc_server *server, struct whittle_onc_datagram *datagram, const struct whittle_net_message *message);
void whittle_onc_duplicate_answered(struct whittle_onc_server *server, struct whittle_onc_duplicate *duplicate, const char *base, size_t size);
void whittle_onc_duplicate_done(struct whittle_onc_server *server, struct whittle_onc_duplicate *duplicate);
bool whittle_onc_duplicates_open(struct whittle_onc_server *server);
void whittle_onc_duplicates_close(struct whittle_onc_server *server);
#endif
