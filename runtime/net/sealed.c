/* SPDX-License-Identifier: MIT-0 */
/* Shared memory and its way to the other side: sealed.h. */
#include "sealed.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { WHITTLE_NET_SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static bool whittle_net_seal(int memory, size_t size, bool reserve)
{
    if (ftruncate(memory, (off_t)size) != 0)
        return false;
    while (reserve && fallocate(memory, 0, 0, (off_t)size) != 0)
        if (errno != EINTR)
            return false;
    return fcntl(memory, F_ADD_SEALS, WHITTLE_NET_SEALS) == 0;
}

int whittle_net_sealed_make(size_t size, bool reserve)
{
    const int memory = memfd_create("whittle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0 || whittle_net_seal(memory, size, reserve))
        return memory;
    const int problem = errno;
    close(memory);
    errno = problem;
    return -1;
}

/* Not a file of huge pages, which may be short of them. */
bool whittle_net_sealed_is(int memory, size_t size)
{
    struct stat found;
    struct statfs system;
    const int seals = fcntl(memory, F_GET_SEALS);
    return seals >= 0 && (seals & WHITTLE_NET_SEALS) == WHITTLE_NET_SEALS && fstat(memory, &found) == 0 && found.st_size >= 0
        && (uint64_t)found.st_size == size && fstatfs(memory, &system) == 0 && system.f_type == TMPFS_MAGIC;
}

bool whittle_net_pass(int socket, const void *bytes, size_t size, int descriptor)
{
    union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
    struct iovec part = {(char *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    memset(&control, 0, sizeof control);
    control.head.cmsg_len = CMSG_LEN(sizeof(int));
    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.head), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

/* Every descriptor that came is ours to close; one is what is expected, or none is taken. */
static int whittle_net_descriptor_of(struct msghdr *message)
{
    int found = -1, count = 0;
    for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head != NULL; head = CMSG_NXTHDR(message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
            continue;
        for (size_t at = CMSG_LEN(0); at + sizeof(int) <= head->cmsg_len; at += sizeof(int), count++) {
            int fd;
            memcpy(&fd, (const char *)head + at, sizeof fd);
            if (found >= 0)
                close(found);
            found = fd;
        }
    }
    /* There is room for all that can be passed: what was cut off found no free number. */
    if (found < 0 && (message->msg_flags & MSG_CTRUNC) != 0)
        return WHITTLE_NET_NOT_PASSED;
    if (found >= 0 && (count != 1 || (message->msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0)) {
        close(found);
        found = -1;
    }
    return found;
}

ssize_t whittle_net_take(int socket, void *bytes, size_t size, int *descriptor)
{
    enum { DESCRIPTORS_MOST = 253 };    /* that the system passes at once: all of them arrive, and are closed */
    union { struct cmsghdr head; char room[CMSG_SPACE(DESCRIPTORS_MOST * sizeof(int))]; } control;
    struct iovec part = {bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
    const ssize_t came = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *descriptor = came < 0 ? -1 : whittle_net_descriptor_of(&message);
    return came;
}
