/* SPDX-License-Identifier: MIT-0 */
/* Where servers on this machine are found by a name: a socket in the user's run-time directory, or in one that users share. */
#ifndef WHITTLE_NET_LOCAL_NAME_H
#define WHITTLE_NET_LOCAL_NAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The path of the socket of that name, which is `size` bytes; malloc's. NULL: it can be none, or no memory. */
char *whittle_net_local_path(const char *name, size_t size);
/* The name of such a path: within it. */
const char *whittle_net_local_name(const char *path);
/* The directory of that path is there, and this user's alone; or one that is named, which nobody else may write to. false: see errno. */
bool whittle_net_local_directory(const char *path);
/* This machine since it was started, and that directory, as a number: equal where a name means the same server. 0: it cannot be known. */
uint64_t whittle_net_local_place(const char *path);
#endif
