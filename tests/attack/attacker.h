/* SPDX-License-Identifier: MIT-0 */
/*
 * Attackers of servers: what they share. Each attack is a function that several threads run until the time is up; messages are made by
 * hand for either protocol, so that an attack is written once. Random numbers come from a seed: a run can be repeated.
 */
#ifndef ATTACK_ATTACKER_H
#define ATTACK_ATTACKER_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum procedure { NOTHING, ECHO, WORDS, LARGE, SLOW, PARTS, TITLES };

/* What is attacked. */
struct aim {
    bool giop, datagrams;
    struct sockaddr_storage address;
    socklen_t address_size;
    uint8_t key[256];           /* of the object, with GIOP */
    uint32_t key_size;
    const char *operation;      /* instead of the procedure's name */
    uint64_t until;             /* microseconds */
    uint64_t seed;
    atomic_ullong connections, calls, replies, refused;
};
extern struct aim aim;

/* One thread of an attack. */
struct attacker {
    uint32_t index;
    uint64_t random;
};
uint32_t random_below(struct attacker *attacker, uint32_t bound);
uint64_t now(void);
bool goes_on(void);
void pause_for(uint32_t milliseconds);

/* Messages: bytes that grow. */
struct bytes {
    uint8_t *at;
    size_t size, room;
};
void bytes_add(struct bytes *bytes, const void *what, size_t size);
void bytes_zeros(struct bytes *bytes, size_t size);
void bytes_word(struct bytes *bytes, uint32_t word);    /* big-endian */
void bytes_free(struct bytes *bytes);

/* A request behind what is there: begin, arguments, end. */
size_t request_begin(struct bytes *bytes, uint32_t id, enum procedure procedure);
void request_end(struct bytes *bytes, size_t begin);
/* A whole one of a number, or of so many bytes. */
void request_word(struct bytes *bytes, uint32_t id, enum procedure procedure, uint32_t word);
void request_blob(struct bytes *bytes, uint32_t id, uint32_t size);
/* The one message in `whole`, cut into fragments of so many bytes. */
void fragments(struct bytes *to, const struct bytes *whole, size_t size);
/* A GIOP message with nothing but its header and what is given. */
void giop_message(struct bytes *bytes, uint8_t minor, uint8_t flags, uint8_t type, uint32_t claimed, const void *body, size_t size);

int to_server(void);            /* -1: it does not take us now */
bool put(int fd, const void *bytes, size_t size);       /* all of it, until the time is up; false: the connection is gone */
ssize_t put_some(int fd, const void *bytes, size_t size);   /* what goes without waiting; -1: the connection is gone */
/* Reads what is there; false: the connection has been closed. Counts nothing. */
bool drain(int fd);
/* Waits for a reply of any kind, at most so long. */
bool reply_comes(int fd, uint32_t milliseconds);
void reset(int fd);             /* closes by a reset */
void leave(struct attacker *attacker, int fd);  /* closes, by a reset or not */
/* Sends the message over a connection of its own, and waits for a reply, at most so long. */
void ask(const struct bytes *message, uint32_t milliseconds);
/* The same, as often as time allows, each until a reply comes or the connection is gone. */
void ask_again_and_again(const struct bytes *message);
/* Connected sockets that are kept, up to `count`: one by one they are opened, the oldest closed. */

struct attack {
    const char *name;
    void (*run)(struct attacker *attacker);
    uint32_t threads;
    const char *where;          /* onc, giop, any, udp, flow, all (connections of any kind), corba */
    const char *flags;          /* what the one who starts it reads: see `attacker list` */
    const char *about;
};
extern const struct attack attacks_of_memory[], attacks_of_time[], attacks_of_text[], attacks_of_giop[], attacks_of_values[], attacks_of_datagrams[], attacks_of_crowds[], attacks_of_flows[];
#endif
