/* SPDX-License-Identifier: MIT-0 */
/*
 * How the one thread of a server's loop sleeps where all clients' bytes come without the system: in one wait for a word of each ring
 * (futex_waitv, Linux 5.16). So a client wakes it by a word of its own, which costs less than a byte through a socket, and no client
 * can write to a word by which others wake it. What the system reports, who comes, who dies, whose time is over, wakes it by one more
 * word, which only this process has: a thread, the watcher, waits until epoll has something, and rings. It takes nothing from epoll,
 * runs none of the program's code, and gets none of its signals.
 *
 * Where the system has no such wait, or no thread, or the clients are so many that the wait costs more, they wake epoll.
 */
#ifndef WHITTLE_NET_DOZE_H
#define WHITTLE_NET_DOZE_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { WHITTLE_NET_DOZE_MOST = 8 };     /* clients: each word adds a sixth of a microsecond to a wait */

struct whittle_net_watcher {
    pthread_t thread;
    pid_t owner;                        /* a child of this process has no such thread; 0: there is none */
    uint32_t rung;                      /* atomic: epoll has something; the watcher rests until the loop has seen to it */
    bool fails, ends;                   /* atomic: it cannot be; it is to end */
};

/* A word of a ring, and what is in it as long as nothing comes. */
struct whittle_net_dozed { uint32_t *word, value; };

struct whittle_net_server;
/* It is there from now on; false: it cannot be. */
bool whittle_net_watcher_begin(struct whittle_net_server *server);
/* Sleeps until one of these has changed, or epoll has something, which is seen to; there is a watcher. */
void whittle_net_doze(struct whittle_net_server *server, const struct whittle_net_dozed *words, uint32_t count);
/* No watcher any more. */
void whittle_net_watcher_end(struct whittle_net_server *server);
#endif
