/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls between programs by ONC RPC (RFC 5531), over TCP, UDP and Unix sockets: what programs use beside the functions that are
 * generated for their interfaces. Addresses are `tcp://host:port`, `udp://host:port` and `unix:/path` (`unix:@name` is abstract);
 * `host` alone means TCP. IPv6 addresses are in brackets. Without a port, a client asks rpcbind for it, and a server uses any free port.
 * `shm:name` is a server of that name on this machine, of the same user or with the same key ($WHITTLE_CALLS_KEY), through shared
 * memory; `auto:name@host:port` is the same where there is one, and TCP otherwise. A server listens at both.
 */
#ifndef WHITTLE_ONC_H
#define WHITTLE_ONC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "text.h"
#include "usage.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The status of a call. */
enum whittle_onc_status {
    WHITTLE_ONC_OK = 0,
    /* The call was not made: */
    WHITTLE_ONC_NO_MEMORY = -1,
    WHITTLE_ONC_CANNOT_MARSHAL = -2,            /* a pointer is NULL, or a string or array is longer than its bound */
    WHITTLE_ONC_TOO_LARGE = -3,                 /* the message is longer than a limit */
    WHITTLE_ONC_BAD_ADDRESS = -4,
    WHITTLE_ONC_UNKNOWN_HOST = -5,
    WHITTLE_ONC_REFUSED = -6,                   /* no server listens at the address */
    WHITTLE_ONC_UNREACHABLE = -7,
    WHITTLE_ONC_NOT_REGISTERED = -8,            /* the program is not registered with rpcbind */
    WHITTLE_ONC_NO_RPCBIND = -9,                /* it does not reply, or not correctly */
    WHITTLE_ONC_NOT_ALLOWED = -30,              /* shared memory: the other side is another user's, without the same key */
    WHITTLE_ONC_OTHER_VERSION = -31,            /* shared memory: the other side's version does not go with this one */
    /* The call may have been executed: */
    WHITTLE_ONC_TIMED_OUT = -10,
    WHITTLE_ONC_LOST = -11,                     /* the connection was lost before the reply arrived */
    WHITTLE_ONC_CANCELLED = -12,
    WHITTLE_ONC_BAD_REPLY = -13,                /* not a valid reply (RFC 5531) */
    WHITTLE_ONC_CANNOT_UNMARSHAL = -14,         /* the results cannot be decoded */
    /* The server reports: */
    WHITTLE_ONC_RPC_MISMATCH = -20,             /* it supports other versions of the protocol */
    WHITTLE_ONC_PROGRAM_UNAVAILABLE = -21,
    WHITTLE_ONC_PROGRAM_MISMATCH = -22,         /* it has the program in other versions only */
    WHITTLE_ONC_PROCEDURE_UNAVAILABLE = -23,
    WHITTLE_ONC_GARBAGE_ARGUMENTS = -24,
    WHITTLE_ONC_SYSTEM_ERROR = -25,
    /* Authentication failed: -100 minus the number of RFC 5531's auth_stat. */
    WHITTLE_ONC_AUTH_FAILED_SO = -100,
    WHITTLE_ONC_AUTH_BAD_CREDENTIAL = -101,
    WHITTLE_ONC_AUTH_REJECTED_CREDENTIAL = -102,
    WHITTLE_ONC_AUTH_BAD_VERIFIER = -103,
    WHITTLE_ONC_AUTH_REJECTED_VERIFIER = -104,
    WHITTLE_ONC_AUTH_TOO_WEAK = -105,
    WHITTLE_ONC_AUTH_INVALID_RESPONSE = -106,
    WHITTLE_ONC_AUTH_FAILED = -107,
    WHITTLE_ONC_AUTH_KERBEROS_GENERIC = -108,
    WHITTLE_ONC_AUTH_TIME_EXPIRED = -109,
    WHITTLE_ONC_AUTH_TICKET_FILE = -110,
    WHITTLE_ONC_AUTH_DECODE = -111,
    WHITTLE_ONC_AUTH_NETWORK_ADDRESS = -112,
    WHITTLE_ONC_AUTH_GSS_CREDENTIAL = -113,
    WHITTLE_ONC_AUTH_GSS_CONTEXT = -114,
    /* Only while a server is set up: */
    WHITTLE_ONC_CANNOT_LISTEN = -200,           /* errno says why */
    WHITTLE_ONC_CANNOT_REGISTER = -201
};
/* A status as a string; static storage. */
const char *whittle_onc_text(int status);

/* An AUTH_SYS credential (RFC 5531, appendix A). It is the client's claim and proves nothing. */
struct whittle_onc_identity {
    uint32_t stamp;
    const char *machine;                        /* at most 255 bytes */
    uint32_t uid, gid, group_count;             /* at most 16 */
    const uint32_t *groups;
};

/* Options of a client. 0 selects the default, which follows the colon. */
struct whittle_onc_client_options {
    uint32_t timeout;                           /* of a call, in milliseconds; ~0: none: 25000 */
    uint32_t connect_timeout;                   /* the part of `timeout` that connecting may take, in milliseconds: all of it */
    uint32_t retransmit;                        /* UDP: milliseconds until a request is sent again; doubles each time: 500 */
    uint32_t longest;                           /* largest reply, in bytes: 64 MB */
    uint32_t decoded;                           /* memory for the decoded results of one call, in bytes: 256 MB */
    uint32_t fragment;                          /* largest fragment of a record, in bytes: one fragment a record */
    bool resend;                                /* repeat a call whose connection was lost; only for procedures that may run twice */
    bool system;                                /* send an AUTH_SYS credential */
    const struct whittle_onc_identity *identity;    /* that credential; NULL: this process's */
};

/* A client of one server. Any number of threads may use it at the same time. It connects on the first call, and reconnects. */
struct whittle_onc_client;
/* NULL on failure; then `*status` is the reason, if `status` is not NULL. `options` may be NULL. Does not connect yet. */
struct whittle_onc_client *whittle_onc_client_open(const char *address, const struct whittle_onc_client_options *options, int *status);
void whittle_onc_client_close(struct whittle_onc_client *client);   /* no call may be in progress */
/* Sends requests that are still buffered: one-way and pipelined ones. */
int whittle_onc_client_flush(struct whittle_onc_client *client);
/* All calls in progress fail with CANCELLED. May be called by any thread, and by a signal handler. */
void whittle_onc_client_cancel(struct whittle_onc_client *client);
/* The versions that the server supports, from its last PROGRAM_MISMATCH or RPC_MISMATCH reply. */
void whittle_onc_client_versions(struct whittle_onc_client *client, uint32_t *lowest, uint32_t *highest);

/*
 * The reply message that holds the results of one call, for interfaces that are presented with `lent` results: they are valid until it
 * is freed. Free it before the client is closed, from any thread.
 */
struct whittle_onc_reply;
void whittle_onc_reply_free(struct whittle_onc_reply *reply);

/* The caller of the procedure that is being executed. */
struct whittle_onc_caller {
    uint32_t program, version, procedure;
    uint32_t flavor;                            /* of its credential: 0 AUTH_NONE, 1 AUTH_SYS, or another; with 1: */
    struct whittle_onc_identity identity;
    const char *credential;                     /* undecoded */
    uint32_t credential_size;
    const void *address;                        /* a struct sockaddr */
    uint32_t address_size;
    bool datagram;
};

/* Options of a server. 0 selects the default, which follows the colon. docs/guides/limit-a-server.md explains the limits. */
struct whittle_onc_server_options {
    uint32_t workers;                           /* threads that execute procedures; 0 or 1: the thread that runs the server */
    bool overtaking;                            /* with workers: requests of one connection may be executed at the same time; else in order */
    uint32_t longest;                           /* largest request, in bytes, at most half of `memory`: 16 MB */
    uint32_t decoded;                           /* memory for the decoded arguments of one request, in bytes: 4 times `longest` */
    uint32_t pending;                           /* unread replies of one client, in bytes; then its requests are not read: 4 MB */
    uint32_t connections;                       /* at a time; for one more, one that was idle for 100 ms is closed, or the new one waits: as many as descriptors allow */
    uint32_t memory;                            /* megabytes for all that clients cause: requests, arguments, unread replies: 256 */
    uint32_t patience;                          /* milliseconds that a request or reply may move less than 1 KB a second: 30000 */
    uint32_t grace;                             /* milliseconds to execute and send what is left when the server stops: 5000 */
    uint32_t fragment;                          /* largest fragment of a record, in bytes: one fragment a record */
    uint32_t duplicates;                        /* UDP: replies kept for retransmitted requests; ~0: none: 1024 */
    /* Called before each procedure: 0 to execute it, or an auth_stat of RFC 5531 to reject it. NULL: AUTH_NONE and AUTH_SYS are accepted. */
    uint32_t (*authenticate)(void *context, const struct whittle_onc_caller *caller);
    void *context;                              /* of `authenticate` */
};

struct whittle_onc_server;
/* NULL: no memory, or no descriptors. */
struct whittle_onc_server *whittle_onc_server_new(const struct whittle_onc_server_options *options);
void whittle_onc_server_free(struct whittle_onc_server *server);    /* not while it runs */
/* Listens at an address as above. Port 0, or none: any free port. Without a host: all addresses of this machine. */
int whittle_onc_server_listen(struct whittle_onc_server *server, const char *address);
/* Serves a bound socket (stream or datagram) that the program inherited. On success the server owns it. */
int whittle_onc_server_adopt(struct whittle_onc_server *server, int fd);
/* The index-th address that it listens at; NULL: there are fewer. */
const char *whittle_onc_server_address(const struct whittle_onc_server *server, size_t index);
/* Registers all programs at all addresses with rpcbind; whittle_onc_server_free unregisters them. */
int whittle_onc_server_register(struct whittle_onc_server *server);
/* Serves until it is stopped; then executes and answers the requests that have arrived, and closes all connections. */
int whittle_onc_server_run(struct whittle_onc_server *server);
void whittle_onc_server_stop(struct whittle_onc_server *server);    /* from any thread, and from a signal handler */
/* Memory in use and counters. From any thread. */
void whittle_onc_server_usage(const struct whittle_onc_server *server, struct whittle_net_usage *usage);
/* The caller, while this thread executes a procedure; else NULL. */
const struct whittle_onc_caller *whittle_onc_caller(void);
#ifdef __cplusplus
}
#endif
#endif
