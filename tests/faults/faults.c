/* SPDX-License-Identifier: MIT-0 */
/*
 * Makes one system call or allocation of a program fail: the one that FAULT counts to (`FAULT=17:1`: the 17th, with the second errno that
 * fits it). In: LD_PRELOAD, FAULT, FAULT_REPORT. Out: at the program's end, in the file that FAULT_REPORT names, how many calls there
 * were, which one failed, and how many blocks of memory were never freed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_uint calls;
static atomic_int live;
static atomic_bool armed;
static unsigned failing, choice;
static const char *failed = "none";
static int failed_with;

static void report(void);

/* Whether this call is the one; `errno` is set then, to one of those that fit. */
static bool fails(const char *name, const int *errors)
{
    unsigned count = 0;
    if (!atomic_load_explicit(&armed, memory_order_relaxed) || atomic_fetch_add(&calls, 1) + 1 != failing)
        return false;
    while (errors[count] != 0)
        count++;
    failed = name;
    failed_with = errors[choice % count];
    report();
    atomic_store(&armed, true);
    errno = failed_with;
    return true;
}
#define FAILS(name, ...) fails(name, (const int[]){__VA_ARGS__, 0})
#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))

static void *real(void *_Atomic *kept, const char *name)
{
    void *found = atomic_load(kept);
    if (found == NULL) {
        found = dlsym(RTLD_NEXT, name);
        atomic_store(kept, found);
    }
    return found;
}

__attribute__((constructor)) static void arm(void)
{
    const char *const fault = getenv("FAULT");
    if (fault == NULL)
        return;
    failing = (unsigned)strtoul(fault, NULL, 10);
    choice = strchr(fault, ':') == NULL ? 0 : (unsigned)strtoul(strchr(fault, ':') + 1, NULL, 10);
    atomic_store(&armed, true);
}

/* Written when the call fails, and again at the end: a program that hangs is known by it. */
__attribute__((destructor)) static void report(void)
{
    char text[200];
    const char *const path = getenv("FAULT_REPORT");
    atomic_store(&armed, false);
    if (failing != 0 && atomic_load(&calls) < failing)
        failed = "none";
    const int size = snprintf(text, sizeof text, "calls %u live %d failed %s errno %d\n", atomic_load(&calls), atomic_load(&live), failed, failed_with);
    const int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        if (write(fd, text, (size_t)size) != size)
            _exit(9);
        close(fd);
    }
}

static void *counted(void *block)
{
    if (block != NULL)
        atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    return block;
}

void *malloc(size_t size)
{
    return FAILS("malloc", ENOMEM) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return FAILS("calloc", ENOMEM) ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    if (FAILS("realloc", ENOMEM))
        return NULL;
    void *const grown = __libc_realloc(block, size);
    return block == NULL ? counted(grown) : grown;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS("aligned_alloc", ENOMEM) ? NULL : counted(__libc_memalign(alignment, size));
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (FAILS("posix_memalign", ENOMEM))
        return ENOMEM;
    *block = counted(__libc_memalign(alignment, size));
    return *block == NULL ? ENOMEM : 0;
}

void free(void *block)
{
    if (block != NULL)
        atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    __libc_free(block);
}

/* A function that gives -1, with its errnos. */
#define WRAP(type, name, parameters, arguments, ...)          \
    type name parameters                                      \
    {                                                         \
        static void *_Atomic real_##name;                     \
        return FAILS(#name, __VA_ARGS__) ? -1 : REAL(name) arguments; \
    }

/* Errnos that the kernel gives. EAGAIN is not among those of sockets: it says that nothing is there, and that an event will tell. */
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol), EMFILE, ENFILE, ENOBUFS, EAFNOSUPPORT)
WRAP(int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size), EADDRINUSE, EACCES)
WRAP(int, listen, (int fd, int backlog), (fd, backlog), EADDRINUSE)
WRAP(int, accept, (int fd, struct sockaddr *address, socklen_t *size), (fd, address, size), EMFILE, ECONNABORTED, EINTR, ENOBUFS)
WRAP(int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags), EMFILE, ECONNABORTED, EINTR, ENFILE, ENOBUFS, ENOMEM, EPERM)
WRAP(int, connect, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size), ECONNREFUSED, ETIMEDOUT, EADDRNOTAVAIL, ENETUNREACH, EAGAIN)
WRAP(ssize_t, recv, (int fd, void *bytes, size_t size, int flags), (fd, bytes, size, flags), ECONNRESET, EINTR, ENOMEM)
WRAP(ssize_t, recvfrom, (int fd, void *bytes, size_t size, int flags, struct sockaddr *from, socklen_t *from_size), (fd, bytes, size, flags, from, from_size), ECONNREFUSED, EINTR, ENOMEM)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), ECONNRESET, EINTR, ENOMEM)
WRAP(ssize_t, send, (int fd, const void *bytes, size_t size, int flags), (fd, bytes, size, flags), EPIPE, ECONNRESET, EINTR)
WRAP(ssize_t, sendto, (int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t to_size), (fd, bytes, size, flags, to, to_size), ECONNREFUSED, EINTR, EPERM)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), EPIPE, ECONNRESET, EINTR)
WRAP(int, epoll_create1, (int flags), (flags), EMFILE, ENOMEM)
WRAP(int, epoll_ctl, (int fd, int what, int which, struct epoll_event *event), (fd, what, which, event), ENOMEM, ENOSPC)
WRAP(int, epoll_wait, (int fd, struct epoll_event *events, int count, int wait), (fd, events, count, wait), EINTR)
WRAP(int, eventfd, (unsigned int value, int flags), (value, flags), EMFILE, ENOMEM)
WRAP(int, timerfd_create, (int clock, int flags), (clock, flags), EMFILE)
WRAP(int, pipe2, (int fds[2], int flags), (fds, flags), EMFILE)
WRAP(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t size), (fd, level, name, value, size), EINVAL, ENOMEM)
WRAP(int, getsockopt, (int fd, int level, int name, void *restrict value, socklen_t *restrict size), (fd, level, name, value, size), ENOBUFS)
WRAP(int, getsockname, (int fd, struct sockaddr *address, socklen_t *size), (fd, address, size), ENOBUFS)
WRAP(int, getpeername, (int fd, struct sockaddr *address, socklen_t *size), (fd, address, size), ENOTCONN)
WRAP(ssize_t, getrandom, (void *bytes, size_t size, unsigned int flags), (bytes, size, flags), EAGAIN, EINTR, ENOSYS)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *given)
{
    static void *_Atomic real_pthread_create;
    return FAILS("pthread_create", EAGAIN) ? EAGAIN : REAL(pthread_create)(thread, attributes, run, given);
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    static void *_Atomic real_getaddrinfo;
    static const int codes[] = {EAI_AGAIN, EAI_MEMORY, EAI_FAIL, EAI_SYSTEM};
    return FAILS("getaddrinfo", ENOMEM) ? codes[choice % 4] : REAL(getaddrinfo)(node, service, hints, result);
}

int fcntl(int fd, int command, ...)
{
    static void *_Atomic real_fcntl;
    va_list more;
    va_start(more, command);
    void *const argument = va_arg(more, void *);
    va_end(more);
    return FAILS("fcntl", EINVAL, EMFILE) ? -1 : REAL(fcntl)(fd, command, argument);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    static void *_Atomic real_mmap;
    return FAILS("mmap", ENOMEM) ? MAP_FAILED : REAL(mmap)(at, size, protection, flags, fd, offset);
}
