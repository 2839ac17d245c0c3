/* SPDX-License-Identifier: MIT-0 */
/*
 * A ring of bytes in memory that two processes share, one of which writes and the other reads. Each side's index is its own, on lines
 * of its own; it keeps a private copy, and never reads back what it has written. The other side's is read once for each use, and what
 * cannot be means that the ring is broken. Bytes are copied out before anybody looks at them.
 *
 * A few bytes, which most calls are, stand beside the index that announces them, too: so one line goes to the other side in place of
 * two or three. The copy there counts only as long as its mark is the index; a reader that comes late, or finds the mark changed when
 * it has copied, takes the ring's own bytes. (A sequence lock, whose readers have another place to read.)
 *
 * Who sleeps says so first, and looks once more; who moves an index looks afterwards whether the other side sleeps. The words by which
 * they do so are read only to decide whom to wake: whatever a hostile peer writes there costs a wake-up, or a wait for a while.
 */
#ifndef WHITTLE_NET_RING_H
#define WHITTLE_NET_RING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the other side is woken: by a futex, by a byte over the socket, or not at all: it looks itself. */
enum whittle_net_rest { WHITTLE_NET_AWAKE_NOW, WHITTLE_NET_IN_FUTEX, WHITTLE_NET_AT_SOCKET, WHITTLE_NET_LOOKING };

enum { WHITTLE_NET_BESIDE = 112 / sizeof(uintptr_t) };  /* machine words beside an index */

struct whittle_net_ring_head {          /* in shared memory */
    __attribute__((aligned(128))) uint32_t head;    /* the writer's: bytes written, modulo 2^32 */
    uint32_t mark;                      /* the index whose last bytes stand beside it */
    uint32_t count, unused;             /* how many */
    uintptr_t beside[WHITTLE_NET_BESIDE];
    __attribute__((aligned(128))) uint32_t wants;   /* the writer waits for room */
    uint32_t ended;                     /* nothing more comes */
    __attribute__((aligned(128))) uint32_t tail;    /* the reader's: bytes read */
    uint32_t sleeps;                    /* it waits for bytes */
};

/* One side's view of it. */
struct whittle_net_ring {
    struct whittle_net_ring_head *shared;
    char *bytes;
    uint32_t size;                      /* a power of two */
    uint32_t at, published;                  /* the own index, and the one that the other side knows of */
    uint32_t seen;                      /* the other side's, as last read */
    bool broken;                        /* the other side's cannot be */
};

void whittle_net_ring_open(struct whittle_net_ring *ring, struct whittle_net_ring_head *shared, char *bytes, uint32_t size);

/* The reader. How many bytes there are; a broken ring has none. */
uint32_t whittle_net_ring_has(struct whittle_net_ring *ring);
/* Copies out at most `most` bytes: how many. What stands behind them, up to `most`, may be written to, too. */
size_t whittle_net_ring_get(struct whittle_net_ring *ring, void *to, size_t most);
/* The writer. Room for how many bytes there is, looked at anew where it is less than `wanted`; a broken ring has none. */
uint32_t whittle_net_ring_room(struct whittle_net_ring *ring, size_t wanted);
/* Copies in bytes that there is room for. */
void whittle_net_ring_put(struct whittle_net_ring *ring, const void *from, size_t size);
/* The reader knows of what was put from now on. `last`: the bytes that it did not know of, where they are one piece; else NULL. */
void whittle_net_ring_publish(struct whittle_net_ring *ring, const void *last);
#endif
