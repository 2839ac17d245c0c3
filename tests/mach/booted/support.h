/* What programs that the kernel boots have beside its test library: storage, stacks of any size, a second task, the clock. */
#ifndef SUPPORT_H
#define SUPPORT_H
#include <stdlib.h>
#include <string.h>
#include <testlib.h>
#include "mach.h"
#include <mach/mig_support.h>

/*
 * Freestanding C is compiled by a compiler that knows nothing of these functions, and the test library's move single bytes: here they are
 * what they are in other programs, for MIG's stubs and ours.
 */
/* Moves words, as the kernel's own copying between tasks does. */
static inline void *words_copied(void *to, const void *from, size_t n)
{
    void *t = to;
    size_t words = n / 8, rest = n % 8;
    __asm__ volatile("rep movsq\n\tmovq %3, %%rcx\n\trep movsb" : "+D"(t), "+S"(from), "+c"(words) : "r"(rest) : "memory");
    return to;
}
#define memcpy(to, from, n) (__builtin_constant_p(n) && (n) <= 64 ? __builtin_memcpy(to, from, n) : words_copied(to, from, n))
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define memcmp(one, other, n) __builtin_memcmp(one, other, n)

void abort(void)
{
    FAILURE("aborted");
}

void *memchr(const void *bytes, int byte, size_t n)
{
    const unsigned char *at = bytes;
    uint64_t const all = 0x0101010101010101u * (unsigned char)byte;
    for (uint64_t word; n >= 8; n -= 8, at += 8) {
        __builtin_memcpy(&word, at, 8);
        word ^= all;
        if (((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0)
            break;
    }
    for (; n > 0; n--, at++)
        if (*at == (unsigned char)byte)
            return (void *)(uintptr_t)at;
    return NULL;
}

/* By words, as C libraries do it, with nothing that a kernel would have to save. */
static inline size_t length_of(const char *text)
{
    const char *at = text;
    for (; ((uintptr_t)at & 7) != 0; at++)
        if (*at == 0)
            return (size_t)(at - text);
    for (uint64_t word; __builtin_memcpy(&word, at, 8), ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) == 0; at += 8)
        ;
    while (*at != 0)
        at++;
    return (size_t)(at - text);
}
#define strlen(text) length_of(text)

/* Pieces of powers of two; what is free waits in a list of its size. Each thread that has storage is alone in its task. */
static struct piece {
    struct piece *next;
    size_t size;
} *pieces[64];

void *malloc(size_t size)
{
    size_t const whole = size + sizeof(struct piece);
    unsigned kind = 5;
    while (((size_t)1 << kind) < whole)
        kind++;
    struct piece *piece = pieces[kind];
    if (piece != NULL) {
        pieces[kind] = piece->next;
    } else if (kind >= 12) {
        vm_address_t place;
        if (vm_allocate(mach_task_self(), &place, (vm_size_t)1 << kind, TRUE) != KERN_SUCCESS)
            return NULL;
        piece = (struct piece *)place;
    } else {
        static char *at, *end;
        if ((size_t)(end - at) < (size_t)1 << kind) {
            vm_address_t place;
            if (vm_allocate(mach_task_self(), &place, 65536, TRUE) != KERN_SUCCESS)
                return NULL;
            at = (char *)place;
            end = at + 65536;
        }
        piece = (struct piece *)at;
        at += (size_t)1 << kind;
    }
    piece->size = kind;
    return piece + 1;
}

void free(void *storage)
{
    if (storage == NULL)
        return;
    struct piece *const piece = (struct piece *)storage - 1;
    piece->next = pieces[piece->size];
    pieces[piece->size] = piece;
}

void *calloc(size_t count, size_t size)
{
    void *const storage = malloc(count * size);
    if (storage != NULL)
        memset(storage, 0, count * size);
    return storage;
}

void *realloc(void *old, size_t size)
{
    void *const storage = malloc(size);
    if (storage == NULL || old == NULL)
        return storage;
    size_t const before = ((size_t)1 << ((struct piece *)old - 1)->size) - sizeof(struct piece);
    memcpy(storage, old, before < size ? before : size);
    free(old);
    return storage;
}

/* Calls a function on a stack of its own: the test library's are small. */
static void on_stack(size_t size, void (*function)(void *), void *argument)
{
    vm_address_t place;
    ASSERT_RET(vm_allocate(mach_task_self(), &place, size, TRUE), "a stack");
    char *const top = (char *)place + size - 64;
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%rsp\n\tcallq *%1\n\tmovq %%rbx, %%rsp"
                     : : "r"(top), "r"(function), "D"(argument)
                     : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory");
}

/* A task with a copy of this one's memory, whose one thread runs the function. It alone receives from the port; this one can send to it. */
static task_t start_task(void (*function)(void *), mach_port_t *port)
{
    task_t task;
    ASSERT_RET(mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, port), "a port");
    ASSERT_RET(mach_port_insert_right(mach_task_self(), *port, *port, MACH_MSG_TYPE_MAKE_SEND), "a right to send");
    ASSERT_RET(task_create(mach_task_self(), TRUE, &task), "a task");
    ASSERT_RET(mach_port_insert_right(task, *port, *port, MACH_MSG_TYPE_MOVE_RECEIVE), "the right to receive");
    test_thread_start(task, function, (void *)(uintptr_t)*port);
    return task;
}

/* Instructions, where the emulator counts them (`-icount shift=0`). */
static inline uint64_t instructions(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}
#endif
