/* The same call over GIOP, for local.c: a server by its name in shared memory, and a client of it. */
#ifndef GIOP_H
#define GIOP_H
/* Calls `ready` when it listens, and serves until it is killed. It returns where it cannot. */
void giop_serve(const char *name, void (*ready)(void));
/* NULL: it cannot. */
void *giop_open(const char *name);
/* 0: it was served. */
int giop_call(void *client);
void giop_close(void *client);
#endif
