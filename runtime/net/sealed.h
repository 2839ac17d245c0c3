/* SPDX-License-Identifier: MIT-0 */
/*
 * Memory that two processes share, and descriptors passed over a Unix socket. It is nameless, so that nothing stays behind, reserved
 * when it is made, and sealed against change of size, so that no access to it can fault, whatever the other side does.
 */
#ifndef WHITTLE_NET_SEALED_H
#define WHITTLE_NET_SEALED_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Its descriptor; -1: see errno (ENOMEM, ENOSPC, EMFILE ...). `reserve`: its pages are there from the beginning. */
int whittle_net_sealed_make(size_t size, bool reserve);
/* What somebody passed is such memory, and of that size. */
bool whittle_net_sealed_is(int memory, size_t size);
/* A message with a descriptor; false: it did not go. */
bool whittle_net_pass(int socket, const void *bytes, size_t size, int descriptor);
/* Such a message, as recvmsg without waiting. `*descriptor` is the caller's to close; below 0: none came, or more than one, or: */
enum { WHITTLE_NET_NOT_PASSED = -2 };      /* this process has no place left for one */
ssize_t whittle_net_take(int socket, void *bytes, size_t size, int *descriptor);
#endif
