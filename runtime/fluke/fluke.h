/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls whose first words travel in registers: what programs use beside the functions that are generated for their interfaces. Between
 * threads of one process, or over the kernel whose header -DWHITTLE_FLUKE_KERNEL='"FILE"' names; all files of a program take the same.
 */
#ifndef WHITTLE_FLUKE_H
#define WHITTLE_FLUKE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"
#ifndef WHITTLE_FLUKE_KERNEL
#define WHITTLE_FLUKE_KERNEL "whittle_fluke_threads.h"
#endif
#include WHITTLE_FLUKE_KERNEL
#ifdef __cplusplus
extern "C" {
#endif

/* Whom a client's functions call. Any number of threads may use it at the same time. The program fills it. */
struct whittle_fluke_client {
    whittle_fluke_object object;
};

/* Where an interface is served: one port for one interface. The program fills it. X_serve serves until the port is closed. */
struct whittle_fluke_server {
    whittle_fluke_port port;
};

/* A status as a string; static storage. */
const char *whittle_fluke_text(int status);

/* The reply that holds the results of one call, for interfaces that are presented with `lent` results: they are valid until it is freed. */
struct whittle_fluke_reply;
void whittle_fluke_reply_free(struct whittle_fluke_reply *reply);
#ifdef __cplusplus
}
#endif
#endif
