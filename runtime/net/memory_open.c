/* SPDX-License-Identifier: MIT-0 */
/* Memory that a stream goes through, as each side has it; and whether it is still this process's: memory.h. */
#include "memory.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t whittle_net_forks;

static void whittle_net_forked(void)
{
    __atomic_fetch_add(&whittle_net_forks, 1, __ATOMIC_RELAXED);
}

static void whittle_net_watch_forks(void)
{
    pthread_atfork(NULL, NULL, whittle_net_forked);
}

uint32_t whittle_net_forks_now(void)
{
    return __atomic_load_n(&whittle_net_forks, __ATOMIC_RELAXED);
}

bool whittle_net_memory_is_own(const struct whittle_net_memory *memory)
{
    return memory->forks == whittle_net_forks_now();
}

static bool whittle_net_memory_open(struct whittle_net_stream *stream, char *all, size_t size, uint32_t requests, uint32_t replies, bool server)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct whittle_net_memory_head *const head = (struct whittle_net_memory_head *)(void *)all;
    char *const bytes = all + sizeof *head;
    struct whittle_net_memory *const memory = (struct whittle_net_memory *)calloc(1, sizeof *memory);
    if (memory == NULL)
        return false;
    pthread_once(&once, whittle_net_watch_forks);
    memory->all = all;
    memory->size = size;
    memory->spin_time = whittle_net_spin_time();
    memory->patience = server ? WHITTLE_NET_MILLISECOND : WHITTLE_NET_SLICE;
    memory->forks = whittle_net_forks_now();
    whittle_net_ring_open(server ? &memory->in : &memory->out, &head->requests, bytes, requests);
    whittle_net_ring_open(server ? &memory->out : &memory->in, &head->replies, bytes + requests, replies);
    stream->memory = memory;
    return true;
}

const char whittle_net_greeting[8] = {'w', 'h', 'i', 't', 't', 'l', 'e', 'm'};

size_t whittle_net_memory_size(uint32_t requests, uint32_t replies)
{
    return sizeof(struct whittle_net_memory_head) + requests + replies;
}

/* The descriptor, mapped and closed; false: see errno. */
bool whittle_net_memory_map(struct whittle_net_stream *stream, int descriptor, const struct whittle_net_memory_hello *hello, bool server)
{
    const size_t size = whittle_net_memory_size(hello->requests, hello->replies);
    void *const all = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (all == MAP_FAILED)
        return false;
    if (whittle_net_memory_open(stream, (char *)all, size, hello->requests, hello->replies, server))
        return true;
    munmap(all, size);
    errno = ENOMEM;
    return false;
}
