/* SPDX-License-Identifier: MIT-0 */
/* What the tests of shared memory have in common: servers and clients in processes of their own, and peers that keep to nothing. */
#ifndef PEERS_H
#define PEERS_H
#include "check.h"
#include "../client.h"
#include "../../net/local_name.h"
#include "../../net/sealed.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONG (30000 * WHITTLE_NET_MILLISECOND)      /* what takes so long does not happen */

/* Of servers: one thread, several, and several at one connection. */
extern const struct whittle_onc_server_options alone, many, overtaking;
/* Of the servers in other processes; all_run sets it. */
extern char address[64];

void wait_a_while(long milliseconds);
void add(struct whittle_onc_client *client, int32_t left, int32_t right);
/* Its connection goes through shared memory. */
bool is_near(const struct whittle_onc_client *client);

/* A process that does not outlive this one; it is killed, has ended well, stands still. */
pid_t begin(void);
void end_process(pid_t child);
void await_process(pid_t child);
void stop_process(pid_t process);
/* A server at `address` in a process of its own, which listens when this returns. */
pid_t server_process(const struct whittle_onc_server_options *options);
/*
 * Where a server is in this process, others begin before its threads do, so that no lock of theirs is held in a child; and wait until
 * it listens.
 */
void gate_close(void);
void gate_open(void);
void gate_pass(void);

int open_descriptors(void);
/* Nothing of the clients that have gone is left, in good time. */
void until_calm(const struct running *running, uint64_t memory, int descriptors);

/* Without the run time: a connection, a hello, what the server says to it (-99: it hangs up), and memory that it has taken. */
char *path_of(const char *at);
int raw_connection(const char *path);
struct whittle_net_memory_hello hello_of(uint32_t requests, uint32_t replies);
int verdict_of(int fd);
struct whittle_net_memory_head *greeted(int fd);

/* Runs those of the tests that the first argument names, or all, with each kind of server. */
struct test { const char *name; void (*run)(const struct whittle_onc_server_options *options); };
void all_run(const struct test *tests, size_t count, const char *only);
#endif
