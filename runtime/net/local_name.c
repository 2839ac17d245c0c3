/* SPDX-License-Identifier: MIT-0 */
/* Names of servers on this machine: local_name.h. `$WHITTLE_CALLS_DIR/NAME`, `$XDG_RUNTIME_DIR/whittle-calls/NAME`, or the same below /tmp/whittle-UID. */
#include "local_name.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A directory of an absolute path; NULL: none is named. */
static const char *whittle_net_directory_of(const char *variable)
{
    const char *const path = secure_getenv(variable);
    return path != NULL && path[0] == '/' ? path : NULL;
}

char *whittle_net_local_path(const char *name, size_t size)
{
    const char *const shared = whittle_net_directory_of("WHITTLE_CALLS_DIR"), *const run = whittle_net_directory_of("XDG_RUNTIME_DIR");
    char *path = NULL;
    if (size == 0 || size > 100 || name[0] == '.')
        return NULL;
    for (size_t at = 0; at < size; at++)
        if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", name[at]) == NULL || name[at] == 0)
            return NULL;
    const int length = shared != NULL ? asprintf(&path, "%s/%.*s", shared, (int)size, name)
        : run != NULL ? asprintf(&path, "%s/whittle-calls/%.*s", run, (int)size, name)
        : asprintf(&path, "/tmp/whittle-%u/whittle-calls/%.*s", (unsigned)geteuid(), (int)size, name);
    if (length < 0)
        return NULL;
    if ((size_t)length < sizeof((struct sockaddr_un *)NULL)->sun_path)
        return path;
    free(path);
    return NULL;
}

const char *whittle_net_local_name(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* `strict`: nobody else may read it, either. */
static bool whittle_net_is_private(const char *directory, bool strict)
{
    struct stat found;
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return false;
    if (lstat(directory, &found) != 0)
        return false;
    const bool own = S_ISDIR(found.st_mode) && found.st_uid == geteuid() && (found.st_mode & (strict ? 077 : 022)) == 0;
    errno = own ? 0 : EACCES;
    return own;
}

/* Others may come in, but only this user, or root, may put a socket there, or take one away. */
static bool whittle_net_is_safe(const char *directory)
{
    struct stat found;
    if (mkdir(directory, 0755) != 0 && errno != EEXIST)
        return false;
    if (stat(directory, &found) != 0)
        return false;
    const bool safe = S_ISDIR(found.st_mode) && (found.st_uid == geteuid() || found.st_uid == 0) && (found.st_mode & 022) == 0;
    errno = safe ? 0 : EACCES;
    return safe;
}

bool whittle_net_local_directory(const char *path)
{
    char directory[sizeof((struct sockaddr_un *)NULL)->sun_path];
    snprintf(directory, sizeof directory, "%s", path);
    *strrchr(directory, '/') = 0;
    if (whittle_net_directory_of("WHITTLE_CALLS_DIR") != NULL)
        return whittle_net_is_safe(directory);
    char *const parent_end = strrchr(directory, '/');
    if (whittle_net_directory_of("XDG_RUNTIME_DIR") == NULL) {
        *parent_end = 0;
        if (!whittle_net_is_private(directory, false))
            return false;
        *parent_end = '/';
    }
    return whittle_net_is_private(directory, true);
}

/* Source of the mix: FNV-1a, 64 bits. */
static uint64_t whittle_net_mix(uint64_t mixed, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at++)
        mixed = (mixed ^ ((const unsigned char *)bytes)[at]) * 0x100000001b3u;
    return mixed;
}

/* Containers of one machine differ in the directory, machines in what the system was named when it started. */
uint64_t whittle_net_local_place(const char *path)
{
    char directory[sizeof((struct sockaddr_un *)NULL)->sun_path], boot[64];
    struct stat found;
    const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, boot, sizeof boot);
    if (file >= 0)
        close(file);
    snprintf(directory, sizeof directory, "%s", path);
    *strrchr(directory, '/') = 0;
    if (size <= 0 || stat(directory, &found) != 0)
        return 0;
    const uint64_t numbers[] = {found.st_dev, found.st_ino};
    const uint64_t place = whittle_net_mix(whittle_net_mix(0xcbf29ce484222325u, boot, (size_t)size), numbers, sizeof numbers);
    return place == 0 ? 1 : place;
}
