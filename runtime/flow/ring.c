/* SPDX-License-Identifier: MIT-0 */
/*
 * A mirrored ring: one piece of nameless memory, mapped twice, side by side. In goes a least size, out comes a ring whose
 * every run of bytes is contiguous, so that no packet is ever split and a batch is one run.
 */
#include "internal.h"
#include <sys/mman.h>
#include <unistd.h>

bool whittle_flow_ring_open(struct whittle_flow_ring *ring, size_t least)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t size = (least + page - 1) / page * page;
    if (size < least || size > SIZE_MAX / 2)
        return false;
    const int memory = memfd_create("whittle", MFD_CLOEXEC);
    if (memory < 0)
        return false;
    unsigned char *data = MAP_FAILED;
    if (ftruncate(memory, (off_t)size) == 0)
        data = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    bool done = data != MAP_FAILED;
    for (int half = 0; half < 2 && done; half++)
        done = mmap(data + (size_t)half * size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0) != MAP_FAILED;
    if (data != MAP_FAILED && !done)
        munmap(data, 2 * size);
    close(memory);
    if (done)
        *ring = (struct whittle_flow_ring){data, size};
    return done;
}

void whittle_flow_ring_close(struct whittle_flow_ring *ring)
{
    if (ring->data != NULL)
        munmap(ring->data, 2 * ring->size);
    *ring = (struct whittle_flow_ring){NULL, 0};
}
