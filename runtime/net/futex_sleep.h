/* SPDX-License-Identifier: MIT-0 */
/*
 * How the one thread of a server's loop sleeps where all clients' bytes come without the system: in one wait for a word of each ring
 * (futex_waitv, Linux 5.16). So a client wakes it by a word of its own, which costs less than a byte through a socket, and no client
 * can write to a word by which others wake it. What the system reports, who comes, who dies, whose time is over, wakes it by one more
 * word, which only this process has: a thread, the watcher, waits until epoll has something, and rings. It takes nothing from epoll,
 * runs none of the program's code, and gets none of its signals.
 *
 * An only client's word is waited for by itself, on any Linux, and without a moment to end: a wait for one word costs less than one for
 * two, and a clock that need not be set less than one that is. The watcher rings by that word. The client may write over it at the same
 * time, so the watcher wakes it again and again until it is seen.
 *
 * Where the system has no such wait, or no thread, or the clients are so many that the wait costs more, they wake epoll.
 */
#ifndef WHITTLE_NET_FUTEX_SLEEP_H
#define WHITTLE_NET_FUTEX_SLEEP_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { WHITTLE_NET_FUTEXES_MOST = 8 };     /* clients: each word adds a sixth of a microsecond to a wait */

struct whittle_net_watcher {
    pthread_t thread;
    bool begun;                         /* there is one */
    uint32_t forks;                     /* of this process, when it began: a child has no such thread */
    uint32_t pending;                   /* atomic: epoll has something; the watcher rests until the loop has seen to it */
    uintptr_t asleep;                   /* atomic: an only client's word, at which the loop sleeps; and 1 while the watcher has it. 0: it does not */
    bool fails, ends;                   /* atomic: it cannot be; it is to end */
    bool several;                       /* there is one wait for several words */
};

/* A word of a ring, and what is in it as long as nothing comes. */
struct whittle_net_futex_word { uint32_t *word, value; };

struct whittle_net_server;
/* It is there from now on, for so many clients; false: it cannot be. */
bool whittle_net_watcher_begin(struct whittle_net_server *server, uint32_t count);
/* Sleeps until one of these has changed, or epoll has something, which is seen to; there is a watcher. */
void whittle_net_futex_sleep(struct whittle_net_server *server, const struct whittle_net_futex_word *words, uint32_t count);
/* No watcher any more. */
void whittle_net_watcher_end(struct whittle_net_server *server);
#endif
