/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls between tasks over Mach's ports: what programs use beside the functions that are generated for their interfaces. A server's
 * object is a port, and who has a right to send to it calls it. Needs Mach's own calls and malloc, no sockets and no threads.
 */
#ifndef WHITTLE_MACH_H
#define WHITTLE_MACH_H
#include <mach/port.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The status of a call. */
enum whittle_mach_status {
    WHITTLE_MACH_OK = 0,
    /* The call was not made: */
    WHITTLE_MACH_NO_MEMORY = -1,
    WHITTLE_MACH_CANNOT_MARSHAL = -2,           /* a pointer is NULL, or a string or array is longer than its bound */
    WHITTLE_MACH_TOO_LARGE = -3,                /* the message is longer than a limit */
    WHITTLE_MACH_BAD_PORT = -4,                 /* the client's port is no right to send, or the server is gone */
    /* The call may have been executed: */
    WHITTLE_MACH_TIMED_OUT = -10,
    WHITTLE_MACH_LOST = -11,                    /* the server ended, or gave the call up, without a reply */
    WHITTLE_MACH_BAD_REPLY = -13,               /* not a message of this link */
    WHITTLE_MACH_CANNOT_UNMARSHAL = -14,        /* the results cannot be decoded */
    WHITTLE_MACH_KERNEL = -15,                  /* the kernel reports another failure */
    /* The server reports: */
    WHITTLE_MACH_OPERATION_UNAVAILABLE = -23,
    WHITTLE_MACH_GARBAGE_ARGUMENTS = -24,
    WHITTLE_MACH_SYSTEM_ERROR = -25
};
/* A status as a string; static storage. */
const char *whittle_mach_text(int status);

/* Options of a client. 0 selects the default, which follows the colon. */
struct whittle_mach_client_options {
    uint32_t timeout;                           /* of a call, in milliseconds: none */
    uint32_t longest;                           /* largest reply, in bytes: 64 MB */
    uint32_t decoded;                           /* memory for the decoded results of one call, in bytes: 256 MB */
    uint32_t inlined;                           /* most bytes of arguments that are inline; more go out of line: 64 KB, the most */
};

/* A client of one port. Any number of threads may use it at the same time. */
struct whittle_mach_client;
/* `server` is a right to send, and stays the caller's. NULL on failure; then `*status` is the reason, if `status` is not NULL. */
struct whittle_mach_client *whittle_mach_client_open(mach_port_t server, const struct whittle_mach_client_options *options, int *status);
void whittle_mach_client_close(struct whittle_mach_client *client);     /* no call may be in progress */

/*
 * The reply message that holds the results of one call, for interfaces that are presented with `lent` results: they are valid until it
 * is freed, from any thread.
 */
struct whittle_mach_reply;
void whittle_mach_reply_free(struct whittle_mach_reply *reply);

/* Options of a server. 0 selects the default, which follows the colon. */
struct whittle_mach_server_options {
    uint32_t longest;                           /* largest request, in bytes: 16 MB */
    uint32_t decoded;                           /* memory for the decoded arguments of one request, in bytes: 4 times `longest` */
};

struct whittle_mach_server;
/* NULL: no memory, or no ports. */
struct whittle_mach_server *whittle_mach_server_new(const struct whittle_mach_server_options *options);
/* Its ports with it, but for those that it was given. Not while it runs. */
void whittle_mach_server_free(struct whittle_mach_server *server);
/* The next interface to be served has this port, to which the caller has the right to receive. Else it gets one of its own. */
void whittle_mach_server_use(struct whittle_mach_server *server, mach_port_t port);
/* The index-th object's port, a right to receive: rights to send are made of it. MACH_PORT_NULL: there are fewer. */
mach_port_t whittle_mach_server_port(const struct whittle_mach_server *server, size_t index);
/* Serves until it is stopped. Any number of threads may be here. 0, or a status. */
int whittle_mach_server_run(struct whittle_mach_server *server);
void whittle_mach_server_stop(struct whittle_mach_server *server);      /* from any thread */
#ifdef __cplusplus
}
#endif
#endif
