/*
 * What a style and protocol give to the tests of misfortunes (misfortunes.c): a client of near.idl, and a server of it, which meet
 * through shared memory by a name.
 */
#ifndef PEER_H
#define PEER_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: `%s` does not hold\n", __FILE__, __LINE__, #what); \
            abort(); \
        } \
    } while (0)

/* How a call ends: well, too late, with its connection, since nobody is there, for want of memory, or in another way. */
enum outcome { GOOD, LATE, LOST, REFUSED, FULL, OTHER };

/* Connects when it calls, and anew after a loss. `address`: `shm:NAME`, or in the protocol's own form what also goes by TCP. */
struct peer;
struct peer *peer_open(const char *name, uint32_t milliseconds);
void peer_close(struct peer *peer);
enum outcome peer_add(struct peer *peer, int32_t left, int32_t right, int32_t *sum);
enum outcome peer_rest(struct peer *peer, uint32_t milliseconds);
enum outcome peer_take(struct peer *peer, uint8_t *bytes, uint32_t count, uint32_t *taken);
enum outcome peer_give(struct peer *peer, uint32_t count, bool *as_it_should);
enum outcome peer_note(struct peer *peer, int32_t number);
enum outcome peer_noted(struct peer *peer, int32_t *sum);

/* Threads that serve; 0: a server of this style has one. */
extern const uint32_t peer_workers;
/* Listens, calls `ready`, and serves until it is killed, or another thread of its process stops it. */
void peer_serve(const char *name, uint32_t workers, void (*ready)(void));
void peer_stop(void);

/* What all servers do. */
static inline void servant_rest(uint32_t milliseconds)
{
    const struct timespec span = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000) * 1000000};
    nanosleep(&span, NULL);
}

static inline void servant_fill(uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count; at++)
        bytes[at] = (uint8_t)(at % 251);
}

static inline bool is_filled(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t at = 0; at < count; at++)
        if (bytes[at] != at % 251)
            return false;
    return true;
}
#endif
