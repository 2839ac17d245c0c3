/*
 * One source, many subscribers: what is the same for all who take part. A subscriber notes on a board, a file that all map, how many
 * packets it has had, and how long the last one took; the source looks there. Before `drive`, a participant says how it sends:
 *
 *   void publish(const Mixed *packet, bool last)    `last`: nothing follows for a while
 *
 * SUBSCRIBERS says how many there are. The source reads what to measure from standard input, and writes what it found, as `drive.h` does:
 * of latency, how long a packet by itself takes to each subscriber; of throughput, packets that each subscriber had, and until the last
 * one had come.
 */
#ifndef FAN_H
#define FAN_H
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct note {
    _Atomic uint64_t count, nanoseconds;
    uint64_t rest[6];
};

static struct note *board;

static inline uint64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

static void open_board(void)
{
    const size_t bytes = SUBSCRIBERS * sizeof *board;
    const int file = open("board", O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        exit(1);
    board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (board == MAP_FAILED)
        exit(1);
    close(file);
}

/* What a subscriber does with a packet. A lone one carries the time at which it was sent. */
static inline void arrived(size_t subscriber, const void *packet)
{
    struct note *note = &board[subscriber];
    uint64_t sent;
    memcpy(&sent, packet, sizeof sent);
    if (sent != 0)
        note->nanoseconds = now() - sent;
    atomic_store_explicit(&note->count, note->count + 1, memory_order_release);
}

/* A thread for each subscriber, until the first one ends; `subscribe` gets the subscriber's number. */
static inline int run_subscribers(void *(*subscribe)(void *))
{
    pthread_t threads[SUBSCRIBERS];
    open_board();
    for (size_t n = 0; n < SUBSCRIBERS; n++)
        pthread_create(&threads[n], NULL, subscribe, (void *)n);
    pthread_join(threads[0], NULL);
    return 0;
}
#endif
