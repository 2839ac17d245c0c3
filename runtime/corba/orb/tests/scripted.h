/* SPDX-License-Identifier: MIT-0 */
/* A server that follows a script, in a thread of its own. */
#ifndef SCRIPTED_H
#define SCRIPTED_H
#include "parts.h"
#include "peer.h"
#include <unistd.h>

struct server {
    pthread_t thread;
    int listener;
    uint16_t port;
    void (*script)(struct server *server);
    int calls, gone;        /* gone: connections that the script has closed */
};
/* What calls it, with this version of GIOP. */
CORBA_Object begin_server(struct server *server, CORBA_ORB orb, int version, void (*script)(struct server *server), CORBA_Environment *ev);
void end_server(struct server *server, CORBA_Object object, CORBA_Environment *ev);
void answer_number(int fd, const struct bytes *request, uint32_t number, bool swapped);
/* Sends the caller to another host and port; `status`: WHITTLE_LOCATION_FORWARD or WHITTLE_LOCATION_FORWARD_PERM. */
void answer_forward(int fd, const struct bytes *request, uint32_t status, const char *host, uint16_t port);
#endif
