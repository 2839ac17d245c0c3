/* SPDX-License-Identifier: MIT-0 */
/* Peers that play a part, byte by byte. */
#ifndef SCRIPTED_H
#define SCRIPTED_H
#include "check.h"

/* A server that takes one connection after the other, or hears datagrams at one socket. */
struct scripted {
    int fd;
    pthread_t thread;
    char address[64];
    void (*play)(int fd, int turn);     /* each connection's; its end is its end */
    bool datagrams;
    int ended;                          /* connections that were played, and closed */
};
void scripted_open(struct scripted *scripted, bool datagrams, void (*play)(int fd, int turn));
void scripted_close(struct scripted *scripted);

/* Waits until so many connections have ended. */
void scripted_hung_up(struct scripted *scripted, int count);

/* A call, read whole; its number. 0: there is none. */
uint32_t scripted_hear(int fd);
void scripted_write(int fd, const void *bytes, size_t size);
/* A record of words, of which the first `count` are sent. */
void scripted_say(int fd, const uint32_t *words, size_t count);
/* The results of a call that has none. */
void scripted_answer(int fd, uint32_t xid);

/* A client's end: connected to the port of an address. */
int peer_connect(const char *address);
/* A call of sample.x's program, as a record; how long it is. */
size_t peer_call(char *to, uint32_t xid, uint32_t procedure, const uint32_t *arguments, size_t count);
/* A reply, as a record without its mark, in words of this machine; how many. 0: the connection is at its end. */
size_t peer_read(int fd, uint32_t *words, size_t most);
/* Whether it ends in time, whatever is said before. */
bool peer_ends(int fd, int milliseconds);
void pause_for(int milliseconds);
#endif
