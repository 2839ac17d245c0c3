/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls between programs by IIOP (CORBA 3.3 part 2), without the C mapping of CORBA: what programs use beside the functions that are
 * generated for their interfaces. Calls go to an object reference as a string: `IOR:...`, `corbaloc::host:port/key`,
 * `corbaloc:shm:name/key` or `corbaname:...`. Any ORB may have made it.
 */
#ifndef WHITTLE_IIOP_H
#define WHITTLE_IIOP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "../../net/text.h"
#include "../../net/usage.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The status of a call: the system exceptions of CORBA (part 1, section 3.17.1), by number. */
enum whittle_iiop_status {
    WHITTLE_IIOP_OK = 0,
    WHITTLE_IIOP_UNKNOWN = -1,                  /* the server failed and gives no reason */
    WHITTLE_IIOP_BAD_PARAM = -2,
    WHITTLE_IIOP_NO_MEMORY = -3,
    WHITTLE_IIOP_IMP_LIMIT = -4,
    WHITTLE_IIOP_COMM_FAILURE = -5,             /* the connection was lost */
    WHITTLE_IIOP_INV_OBJREF = -6,               /* the reference is nil or malformed */
    WHITTLE_IIOP_NO_PERMISSION = -7,
    WHITTLE_IIOP_INTERNAL = -8,
    WHITTLE_IIOP_MARSHAL = -9,                  /* an argument or result cannot be encoded or decoded */
    WHITTLE_IIOP_INITIALIZE = -10,              /* cannot listen at the address: see errno */
    WHITTLE_IIOP_NO_IMPLEMENT = -11,            /* the server's function is NULL */
    WHITTLE_IIOP_BAD_TYPECODE = -12,
    WHITTLE_IIOP_BAD_OPERATION = -13,           /* the object has no such operation */
    WHITTLE_IIOP_NO_RESOURCES = -14,
    WHITTLE_IIOP_NO_RESPONSE = -15,
    WHITTLE_IIOP_PERSIST_STORE = -16,
    WHITTLE_IIOP_BAD_INV_ORDER = -17,
    WHITTLE_IIOP_TRANSIENT = -18,               /* no server listens there, or it cannot accept the call now */
    WHITTLE_IIOP_FREE_MEM = -19,
    WHITTLE_IIOP_INV_IDENT = -20,
    WHITTLE_IIOP_INV_FLAG = -21,
    WHITTLE_IIOP_INTF_REPOS = -22,
    WHITTLE_IIOP_BAD_CONTEXT = -23,
    WHITTLE_IIOP_OBJ_ADAPTER = -24,
    WHITTLE_IIOP_DATA_CONVERSION = -25,
    WHITTLE_IIOP_OBJECT_NOT_EXIST = -26,
    WHITTLE_IIOP_TRANSACTION_REQUIRED = -27,
    WHITTLE_IIOP_TRANSACTION_ROLLEDBACK = -28,
    WHITTLE_IIOP_INVALID_TRANSACTION = -29,
    WHITTLE_IIOP_INV_POLICY = -30,
    WHITTLE_IIOP_CODESET_INCOMPATIBLE = -31,
    WHITTLE_IIOP_REBIND = -32,
    WHITTLE_IIOP_TIMEOUT = -33,
    WHITTLE_IIOP_TRANSACTION_UNAVAILABLE = -34,
    WHITTLE_IIOP_TRANSACTION_MODE = -35,
    WHITTLE_IIOP_BAD_QOS = -36,
    WHITTLE_IIOP_INVALID_ACTIVITY = -37,
    WHITTLE_IIOP_ACTIVITY_COMPLETED = -38,
    WHITTLE_IIOP_ACTIVITY_REQUIRED = -39,
    WHITTLE_IIOP_THREAD_CANCELLED = -40
};
/* A status as a string; static storage. */
const char *whittle_iiop_text(int status);

/* Details of the last status below 0 that a function returned to this thread. */
enum whittle_iiop_completed { WHITTLE_IIOP_COMPLETED, WHITTLE_IIOP_NOT_BEGUN, WHITTLE_IIOP_PERHAPS };
struct whittle_iiop_failure {
    int status;                                 /* 0: there was none */
    uint32_t minor;                             /* the minor code; those from 0x4f4d0000 on are the OMG's */
    enum whittle_iiop_completed completed;      /* whether the operation ran */
};
struct whittle_iiop_failure whittle_iiop_failure(void);
/* In a server's function, raises a system exception: `return whittle_iiop_fail(WHITTLE_IIOP_NO_PERMISSION, 0, WHITTLE_IIOP_NOT_BEGUN);` */
int whittle_iiop_fail(int status, uint32_t minor, enum whittle_iiop_completed completed);

/* Options of a client. 0 selects the default, which follows the colon. */
enum whittle_iiop_forwards { WHITTLE_IIOP_FORWARDS_ANY = 1, WHITTLE_IIOP_FORWARDS_SAME_HOST, WHITTLE_IIOP_FORWARDS_OFF };
struct whittle_iiop_client_options {
    uint32_t timeout;                           /* of a call, in milliseconds; ~0: none: 25000 */
    /*
     * Where servers may forward calls to: anywhere (also 0), only to hosts in the reference, or nowhere. A call that is forwarded
     * elsewhere fails with WHITTLE_IIOP_REBIND. A call follows at most 16 forwards.
     */
    enum whittle_iiop_forwards forwards;
};

/*
 * A client of one object. Any number of threads may use it at the same time. It connects on the first call, shares connections with
 * other clients of the same server, reconnects, and follows forwards. A process keeps at most 64 idle connections.
 */
struct whittle_iiop_client;
/* NULL on failure; then `*status` is the reason, if `status` is not NULL. `options` may be NULL. Does not connect yet. */
struct whittle_iiop_client *whittle_iiop_client_open(const char *reference, const struct whittle_iiop_client_options *options, int *status);
void whittle_iiop_client_close(struct whittle_iiop_client *client);     /* no call may be in progress */
/* Whether the object has the interface: 1 yes, 0 no, or a status below 0. Generated headers define the repository ids. */
int whittle_iiop_client_is_a(struct whittle_iiop_client *client, const char *repository_id);
int whittle_iiop_client_exists(struct whittle_iiop_client *client);

/*
 * The reply message that holds the results of one call, for interfaces that are presented with `lent` results: they are valid until it
 * is freed, from any thread.
 */
struct whittle_iiop_reply;
void whittle_iiop_reply_free(struct whittle_iiop_reply *reply);

/* Options of a server. 0 selects the default, which follows the colon. docs/guides/limit-a-server.md explains the limits. */
struct whittle_iiop_server_options {
    uint32_t workers;                           /* threads that execute operations; 0 or 1: the thread that runs the server */
    uint32_t longest;                           /* largest request, in bytes, at most half of `memory`: 64 MB */
    uint32_t decoded;                           /* memory for the decoded arguments of one request, in bytes: 4 times `longest` */
    uint32_t memory;                            /* megabytes for all that clients cause: requests, arguments, unread replies: 256 */
    uint32_t pending;                           /* unread replies of one client, in bytes; then its requests are not read: 4 MB */
    uint32_t connections;                       /* at a time; for one more, one that was idle for 100 ms is closed, or the new one waits: as many as descriptors allow */
    uint32_t patience;                          /* milliseconds that a request or reply may move less than 1 KB a second: 30000 */
    uint32_t grace;                             /* milliseconds to execute and send what is left when the server stops: 5000 */
    const char *publish;                        /* the host in references, if it is not the one listened at */
};

struct whittle_iiop_server;
struct whittle_iiop_server *whittle_iiop_server_new(const struct whittle_iiop_server_options *options);
void whittle_iiop_server_free(struct whittle_iiop_server *server);      /* not while it runs */
/*
 * Listens at `tcp://host:port` or `host:port`; once. Port 0, or none: any free port. Without a host: all addresses of this machine.
 * `shm:name` is for processes of this user on this machine, through shared memory, and `auto:name@host:port` for both: references say
 * how, and a client takes shared memory where it can.
 */
int whittle_iiop_server_listen(struct whittle_iiop_server *server, const char *address);
uint16_t whittle_iiop_server_port(const struct whittle_iiop_server *server);    /* 0: not listening yet, or not by TCP */
/*
 * Sets the key of the next object to be served, so that `corbaloc::host:port/NAME` refers to it. The default is the interface's name
 * in C; further objects of one interface have a number appended (`Mail_Folder-2`).
 */
int whittle_iiop_server_name(struct whittle_iiop_server *server, const char *name);
/* The reference of the index-th object served, as a string; NULL: there are fewer, or the server cannot listen. */
const char *whittle_iiop_server_reference(struct whittle_iiop_server *server, size_t index);
/* Serves until it is stopped. If it does not listen yet, it listens at any free port. */
int whittle_iiop_server_run(struct whittle_iiop_server *server);
void whittle_iiop_server_stop(struct whittle_iiop_server *server);      /* from any thread, and from a signal handler */
/* Memory in use and counters. From any thread. */
void whittle_iiop_server_usage(const struct whittle_iiop_server *server, struct whittle_net_usage *usage);
#ifdef __cplusplus
}
#endif
#endif
