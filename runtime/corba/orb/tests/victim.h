/* SPDX-License-Identifier: MIT-0 */
/* A server with narrow limits, which peers without manners call. */
#ifndef VICTIM_H
#define VICTIM_H
#include "object.h"
#include "peer.h"
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

struct victim {
    CORBA_ORB orb;
    PortableServer_POA root;
    CORBA_Object object;
    struct echo echo;
    pthread_t thread;
    CORBA_Environment run;
    uint16_t port;
    const char *key;
    uint32_t key_length;
};
void victim_open(struct victim *victim, CORBA_Environment *ev);
void victim_open_with(struct victim *victim, const char *const *options, CORBA_Environment *ev);
/* It must not have taken more memory than it may. */
void victim_close(struct victim *victim, CORBA_Environment *ev);
/* Whatever was done to it: it serves. */
void still_serves(const struct victim *victim, CORBA_Environment *ev);
/* Reads until the server hangs up, which it does in time. */
size_t until_the_end(int fd, CORBA_Environment *ev);
#endif
