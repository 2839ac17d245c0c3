/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls between programs by IIOP (CORBA 3.3 part 2), without the C mapping of CORBA: what programs use beside the functions that are
 * generated for their interfaces. Whom calls go to is an object's reference, as a text: `IOR:...`, `corbaloc::host:port/key` or
 * `corbaname:...`; any ORB may have made it.
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

/* What became of a call: the system exceptions of CORBA (part 1, section 3.17.1), by number. */
enum whittle_iiop_status {
    WHITTLE_IIOP_OK = 0,
    WHITTLE_IIOP_UNKNOWN = -1,                  /* the server failed, and does not say how */
    WHITTLE_IIOP_BAD_PARAM = -2,
    WHITTLE_IIOP_NO_MEMORY = -3,
    WHITTLE_IIOP_IMP_LIMIT = -4,
    WHITTLE_IIOP_COMM_FAILURE = -5,             /* the connection was lost */
    WHITTLE_IIOP_INV_OBJREF = -6,               /* the reference is none */
    WHITTLE_IIOP_NO_PERMISSION = -7,
    WHITTLE_IIOP_INTERNAL = -8,
    WHITTLE_IIOP_MARSHAL = -9,                  /* an argument, or a result, is not of its type */
    WHITTLE_IIOP_INITIALIZE = -10,              /* the address cannot be listened at: errno says why */
    WHITTLE_IIOP_NO_IMPLEMENT = -11,            /* the server's function is NULL */
    WHITTLE_IIOP_BAD_TYPECODE = -12,
    WHITTLE_IIOP_BAD_OPERATION = -13,           /* the object has no such operation */
    WHITTLE_IIOP_NO_RESOURCES = -14,
    WHITTLE_IIOP_NO_RESPONSE = -15,
    WHITTLE_IIOP_PERSIST_STORE = -16,
    WHITTLE_IIOP_BAD_INV_ORDER = -17,
    WHITTLE_IIOP_TRANSIENT = -18,               /* nobody listens there, or not now */
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
const char *whittle_iiop_text(int status);

/* What else such an exception says. The last status below 0 that a function gave this thread. */
enum whittle_iiop_completed { WHITTLE_IIOP_COMPLETED, WHITTLE_IIOP_NOT_BEGUN, WHITTLE_IIOP_PERHAPS };
struct whittle_iiop_failure {
    int status;                                 /* 0: there was none */
    uint32_t minor;                             /* which case of it; those from 0x4f4d0000 on are OMG's */
    enum whittle_iiop_completed completed;      /* whether the operation ran */
};
struct whittle_iiop_failure whittle_iiop_failure(void);
/* At a server: `return whittle_iiop_fail(WHITTLE_IIOP_NO_PERMISSION, 0, WHITTLE_IIOP_NOT_BEGUN);` tells the caller all of it. */
int whittle_iiop_fail(int status, uint32_t minor, enum whittle_iiop_completed completed);

/* Zeros are what most want. */
enum whittle_iiop_forwards { WHITTLE_IIOP_FORWARDS_ANY = 1, WHITTLE_IIOP_FORWARDS_SAME_HOST, WHITTLE_IIOP_FORWARDS_OFF };
struct whittle_iiop_client_options {
    uint32_t timeout;                           /* of a call, in milliseconds: 25000; ~0: none */
    /*
     * Where servers may send calls on to: anywhere (0, too), to hosts that the reference names, or nowhere; else the call's status is
     * WHITTLE_IIOP_REBIND. However that is, a call is sent on 16 times at most.
     */
    enum whittle_iiop_forwards forwards;
};

/*
 * Whom calls go to: one object; any number of threads may use it at the same time. It connects when it is called, over the
 * connection of whoever calls there already, and again after a loss; it goes where the object has moved to. All of a process keep 64
 * connections at most that nobody uses.
 */
struct whittle_iiop_client;
/* NULL: `status`, where there is one, says why. Without options: the usual. */
struct whittle_iiop_client *whittle_iiop_client_open(const char *reference, const struct whittle_iiop_client_options *options, int *status);
void whittle_iiop_client_close(struct whittle_iiop_client *client);     /* no call is under way */
/* Asks the object: 1 yes, 0 no, or a status below 0. For ids see the interfaces' headers. */
int whittle_iiop_client_is_a(struct whittle_iiop_client *client, const char *repository_id);
int whittle_iiop_client_exists(struct whittle_iiop_client *client);

/*
 * What the results of one call lie in, where an interface is presented with `lent` results: they last as long as it does, and are not freed
 * by themselves. To be freed by any thread.
 */
struct whittle_iiop_reply;
void whittle_iiop_reply_free(struct whittle_iiop_reply *reply);

/* Zeros are what most want. */
struct whittle_iiop_server_options {
    uint32_t workers;                           /* threads that serve; at most 1: the one that runs the server */
    uint32_t longest;                           /* bytes of a request: 64 MB */
    uint32_t decoded;                           /* bytes that the values of one request may take: four times `longest` */
    uint32_t memory;                            /* megabytes for all that clients cause: 256 */
    uint32_t pending;                           /* bytes of replies that a client may leave unread before it is not listened to: 4 MB */
    uint32_t connections;                       /* at most; beyond it who was silent longest (100 ms at least) goes, or the new one waits: as many as descriptors allow */
    uint32_t patience;                          /* milliseconds for a request to come whole, or a reply to be read: 30000 */
    uint32_t grace;                             /* milliseconds to send what is left when the server stops: 5000 */
    const char *publish;                        /* the host that references name, where it is not the one listened at */
};

struct whittle_iiop_server;
struct whittle_iiop_server *whittle_iiop_server_new(const struct whittle_iiop_server_options *options);
void whittle_iiop_server_free(struct whittle_iiop_server *server);      /* it does not run any more */
/* `tcp://host:port`, or `host:port`; once. Port 0, or none, is any that is free. Without a host: all of this machine's addresses. */
int whittle_iiop_server_listen(struct whittle_iiop_server *server, const char *address);
uint16_t whittle_iiop_server_port(const struct whittle_iiop_server *server);    /* 0: it does not listen yet */
/*
 * The key of the next object to be served: it is called at corbaloc::host:port/NAME, too. Else it is the interface's name in C, and with
 * a number behind it (`Mail_Folder-2`) for each further one.
 */
int whittle_iiop_server_name(struct whittle_iiop_server *server, const char *name);
/* The reference of each object, in the order in which they were served, as a text; NULL: there are fewer, or the server cannot listen. */
const char *whittle_iiop_server_reference(struct whittle_iiop_server *server, size_t index);
/* Serves until it is stopped; where it does not listen it begins to, at any port. */
int whittle_iiop_server_run(struct whittle_iiop_server *server);
void whittle_iiop_server_stop(struct whittle_iiop_server *server);      /* any thread may, and a signal's handler */
/* The memory that clients cause, and what became of them; any thread may ask. */
void whittle_iiop_server_usage(const struct whittle_iiop_server *server, struct whittle_net_usage *usage);
#ifdef __cplusplus
}
#endif
#endif
