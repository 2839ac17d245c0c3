/* SPDX-License-Identifier: MIT-0 */
/* Hostile servers: each has a manner in which it answers. They run in a process of their own, and are honest once they are told to be. */
#ifndef ATTACK_HOSTILE_H
#define ATTACK_HOSTILE_H
#include "attacker.h"

/* What both processes see. */
struct shared {
    atomic_bool honest;
    atomic_uint requests;
};
extern struct shared *shared;

enum { TIMEOUT = 500, PORTS = 200, SENT = 60 << 20, GOT = 16 << 20 };

/* One request that came. */
struct talk {
    int fd;                         /* of the connection, or the datagram socket */
    uint32_t id;
    enum procedure procedure;
    struct bytes arguments;         /* as they came */
    bool locate;                    /* a LocateRequest */
    uint32_t turn;                  /* which request of this server */
    struct attacker chance;
    const struct sockaddr_storage *from;    /* of a datagram */
    socklen_t from_size;
};

/* Sends bytes; false: the peer is gone, or honest times have come. */
bool say(struct talk *talk, const void *bytes, size_t size);
/* A reply with these results. */
void reply_make(struct bytes *bytes, const struct talk *talk, uint32_t id, const void *results, size_t size);
void reply_honest(struct bytes *bytes, const struct talk *talk);
/* GIOP: forwards to a host and a port. */
void reply_forward(struct bytes *bytes, const struct talk *talk, const char *host, uint16_t port);
bool hostile_times(void);

/* What the client's side does. */
enum deeds { SMALL, SEND_MUCH, GET_MUCH, TOGETHER, NAMED_HOST, NO_PORT };

struct manner {
    const char *name;
    const char *where;              /* as of attacks; `both`: datagrams, too */
    bool (*answer)(struct talk *talk);      /* whether the connection lasts */
    enum deeds deeds;
    bool lies;                      /* no call may succeed */
    bool works;                     /* each call succeeds */
    bool deaf, sips;                /* nothing is read, or little */
    bool closed;                    /* nothing is accepted */
    const char *about;
};
extern const struct manner manners_of_all[], manners_of_giop[];

/* Listens, forks, and says where in `address`. */
void hostile_start(const struct manner *manner, const char *link, uint64_t seed, char *address, size_t size);
void hostile_end(void);
extern uint16_t hostile_ports[PORTS];
/* One whole request from a connection; false: it is gone. */
bool request_read(struct talk *talk);
bool request_parse(struct talk *talk, const uint8_t *bytes, size_t size);
#endif
