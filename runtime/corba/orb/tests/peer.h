/* SPDX-License-Identifier: MIT-0 */
/* A peer without manners: bytes of GIOP written by hand, at either end of a connection. */
#ifndef PEER_H
#define PEER_H
#include "check.h"
#include "wire.h"
#include <pthread.h>

struct bytes {
    char at[8192];
    size_t size;
};

/* Listens on a port of its own. */
int peer_listen(uint16_t *port);
int peer_accept(int listener);
int peer_connect(uint16_t port);
/* Reads one message, whole; its size, 0: the end. */
size_t peer_read(int fd, struct bytes *message);
void peer_write(int fd, const void *bytes, size_t size);

/* Each message is begun, added to and closed; numbers in the byte order that `swapped` says. */
void message_begin(struct bytes *message, int version, int type, int flags);
void message_align(struct bytes *message, size_t to);
void message_byte(struct bytes *message, int value);
void message_word(struct bytes *message, uint32_t value, bool swapped);
void message_octets(struct bytes *message, const void *octets, uint32_t size, bool swapped);
void message_text(struct bytes *message, const char *text, bool swapped);
void message_close(struct bytes *message, bool swapped);

/* A whole request of GIOP 1.2 without parameters, or with one number. */
void message_request(struct bytes *message, int version, uint32_t id, bool waits, const char *key, uint32_t key_length, const char *operation,
                     const uint32_t *number, bool swapped);
/* A reply to the request, up to where its body begins. */
void message_reply(struct bytes *message, const struct bytes *request, uint32_t status, bool swapped);
/* The key in an IOR's first profile, of IIOP. */
const char *peer_key(CORBA_ORB orb, CORBA_Object object, uint32_t *length, CORBA_Environment *ev);
/* How many this process has open. */
int descriptors(void);
#endif
