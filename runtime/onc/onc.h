/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls between programs by ONC RPC (RFC 5531), over TCP, UDP and Unix sockets: what programs use beside the functions that are
 * generated for their interfaces. Addresses are `tcp://host:port`, `udp://host:port` and `unix:/path` (`unix:@name` is abstract);
 * `host` alone is over TCP. IPv6 addresses stand in brackets. Where no port is given rpcbind is asked, or told.
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

/* What became of a call. */
enum whittle_onc_status {
    WHITTLE_ONC_OK = 0,
    /* The call was not made: */
    WHITTLE_ONC_NO_MEMORY = -1,
    WHITTLE_ONC_CANNOT_MARSHAL = -2,            /* an argument is not of its type: a missing pointer, a text that is too long */
    WHITTLE_ONC_TOO_LARGE = -3,                 /* a message longer than it may be */
    WHITTLE_ONC_BAD_ADDRESS = -4,
    WHITTLE_ONC_UNKNOWN_HOST = -5,
    WHITTLE_ONC_REFUSED = -6,                   /* nobody listens there */
    WHITTLE_ONC_UNREACHABLE = -7,
    WHITTLE_ONC_NOT_REGISTERED = -8,            /* rpcbind knows of no such program */
    WHITTLE_ONC_NO_RPCBIND = -9,                /* it is not there, or does not answer as it should */
    /* The call may have been made: */
    WHITTLE_ONC_TIMED_OUT = -10,
    WHITTLE_ONC_LOST = -11,                     /* the connection, before the reply came */
    WHITTLE_ONC_CANCELLED = -12,
    WHITTLE_ONC_BAD_REPLY = -13,                /* it is no reply of RFC 5531 */
    WHITTLE_ONC_CANNOT_UNMARSHAL = -14,         /* the results are not of their type */
    /* The server says: */
    WHITTLE_ONC_RPC_MISMATCH = -20,             /* it understands other versions of the protocol */
    WHITTLE_ONC_PROGRAM_UNAVAILABLE = -21,
    WHITTLE_ONC_PROGRAM_MISMATCH = -22,         /* it has other versions of the program */
    WHITTLE_ONC_PROCEDURE_UNAVAILABLE = -23,
    WHITTLE_ONC_GARBAGE_ARGUMENTS = -24,
    WHITTLE_ONC_SYSTEM_ERROR = -25,
    /* It does not accept who calls: less RFC 5531's number of the reason. */
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
    /* Of a server that is being set up: */
    WHITTLE_ONC_CANNOT_LISTEN = -200,           /* errno says why */
    WHITTLE_ONC_CANNOT_REGISTER = -201
};
const char *whittle_onc_text(int status);

/* Who calls, as AUTH_SYS tells it (RFC 5531, appendix A): whoever believes it trusts the network. */
struct whittle_onc_identity {
    uint32_t stamp;
    const char *machine;                        /* at most 255 bytes */
    uint32_t uid, gid, group_count;             /* at most 16 */
    const uint32_t *groups;
};

/* Zeros are what most want. */
struct whittle_onc_client_options {
    uint32_t timeout;                           /* of a call, in milliseconds: 25000; ~0: none */
    uint32_t connect_timeout;                   /* at most so much of it to connect */
    uint32_t retransmit;                        /* a datagram is sent again after so many milliseconds, then twice as many …: 500 */
    uint32_t longest;                           /* bytes of a reply: 64 MB */
    uint32_t decoded;                           /* bytes of memory that the results of one call may take: 256 MB */
    uint32_t fragment;                          /* bytes of a fragment; all in one */
    bool resend;                                /* a call whose connection was lost is made again: for procedures that may run twice */
    bool system;                                /* calls say who calls, by AUTH_SYS */
    const struct whittle_onc_identity *identity;    /* this one; NULL: of this process */
};

/* Whom calls go to; any number of threads may use it at the same time. It connects when it is called, and again after a loss. */
struct whittle_onc_client;
/* NULL: `status`, where there is one, says why. Without options: the usual. */
struct whittle_onc_client *whittle_onc_client_open(const char *address, const struct whittle_onc_client_options *options, int *status);
void whittle_onc_client_close(struct whittle_onc_client *client);   /* no call is under way */
/* Sends what waits to be sent together: calls without replies, and pipelined ones. */
int whittle_onc_client_flush(struct whittle_onc_client *client);
/* All calls under way fail, soon, with CANCELLED. Any thread may, and a signal's handler. */
void whittle_onc_client_cancel(struct whittle_onc_client *client);
/* What the server has instead, after PROGRAM_MISMATCH and RPC_MISMATCH: of the last such reply. */
void whittle_onc_client_versions(struct whittle_onc_client *client, uint32_t *lowest, uint32_t *highest);

/*
 * What the results of one call lie in, where an interface is presented with `lent` results: they last as long as it does, and are not freed
 * by themselves. To be freed before the client is closed, by any thread.
 */
struct whittle_onc_reply;
void whittle_onc_reply_free(struct whittle_onc_reply *reply);

/* Who made the call that is being served. */
struct whittle_onc_caller {
    uint32_t program, version, procedure;
    uint32_t flavor;                            /* of its credential: 0 none, 1 system, or another; with 1: */
    struct whittle_onc_identity identity;
    const char *credential;                     /* as it came */
    uint32_t credential_size;
    const void *address;                        /* a struct sockaddr */
    uint32_t address_size;
    bool datagram;
};

/* Zeros are what most want. */
struct whittle_onc_server_options {
    uint32_t workers;                           /* threads that serve; at most 1: the one that runs the server */
    bool overtaking;                            /* with workers: calls over one connection may be served at the same time; else in order */
    uint32_t longest;                           /* bytes of a request: 16 MB; at most half of `memory` */
    uint32_t decoded;                           /* bytes of memory that the arguments of one request may take: 4 times `longest` */
    uint32_t pending;                           /* bytes of replies that a client may leave unread before it is not listened to: 4 MB */
    uint32_t connections;                       /* at most; beyond it who was silent longest (100 ms at least) goes, or the new one waits: as many as descriptors allow */
    uint32_t memory;                            /* megabytes for all that clients cause: requests, arguments, replies that are not read: 256 */
    uint32_t patience;                          /* milliseconds in which a request, or a reply that is read, is to progress by 1 KB a second: 30000 */
    uint32_t grace;                             /* milliseconds to serve, and send, what is left when the server stops: 5000 */
    uint32_t fragment;                          /* bytes of a fragment; all in one */
    uint32_t duplicates;                        /* replies to datagrams that are kept, to be sent again: 1024; ~0: none */
    /* Whether a call is served: 0, or RFC 5531's number of why not (auth_stat). Without it all are that come with AUTH_NONE or AUTH_SYS. */
    uint32_t (*authenticate)(void *context, const struct whittle_onc_caller *caller);
    void *context;
};

struct whittle_onc_server;
struct whittle_onc_server *whittle_onc_server_new(const struct whittle_onc_server_options *options);
void whittle_onc_server_free(struct whittle_onc_server *server);    /* it does not run any more */
/* An address as above: port 0, or none, is any that is free. Without a host: all of this machine's addresses. */
int whittle_onc_server_listen(struct whittle_onc_server *server, const char *address);
/* A socket that whoever started the program bound, for connections or datagrams. Where that succeeds it is the server's. */
int whittle_onc_server_adopt(struct whittle_onc_server *server, int fd);
/* Where it listens, as an address; NULL: at fewer places. */
const char *whittle_onc_server_address(const struct whittle_onc_server *server, size_t index);
/* Tells rpcbind of all programs at all addresses; what is freed is taken back there. */
int whittle_onc_server_register(struct whittle_onc_server *server);
/* Serves until it is stopped; then what was asked is answered, and all is closed. */
int whittle_onc_server_run(struct whittle_onc_server *server);
void whittle_onc_server_stop(struct whittle_onc_server *server);    /* any thread may, and a signal's handler */
/* What it uses now, and what became of its clients so far. Any thread may ask. */
void whittle_onc_server_usage(const struct whittle_onc_server *server, struct whittle_net_usage *usage);
/* Who called, while this thread serves a call; NULL: it does not. */
const struct whittle_onc_caller *whittle_onc_caller(void);
#ifdef __cplusplus
}
#endif
#endif
