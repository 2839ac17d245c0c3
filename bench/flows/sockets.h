/* Sockets by hand: tcp or unix, `where` an address and a port, or a path. */
#ifndef SOCKETS_H
#define SOCKETS_H
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

union address { struct sockaddr any; struct sockaddr_in tcp; struct sockaddr_un path; };

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

/* `10.0.0.1:4000`, or a path */
static inline int open_socket(const char *where, union address *address, socklen_t *length)
{
    const char *colon = strchr(where, ':');
    char host[64];
    int on = 1;
    memset(address, 0, sizeof *address);
    if (colon == NULL) {
        address->path.sun_family = AF_UNIX;
        snprintf(address->path.sun_path, sizeof address->path.sun_path, "%s", where);
        *length = sizeof address->path;
        return socket(AF_UNIX, SOCK_STREAM, 0);
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - where), where);
    address->tcp.sin_family = AF_INET;
    address->tcp.sin_port = htons((uint16_t)atoi(colon + 1));
    inet_pton(AF_INET, host, &address->tcp.sin_addr);
    *length = sizeof address->tcp;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static inline int dial(const char *where)
{
    union address address;
    socklen_t length;
    for (int i = 0; i < 1000; i++) {
        int fd = open_socket(where, &address, &length);
        if (connect(fd, &address.any, length) == 0)
            return fd;
        close(fd);
        usleep(10000);
    }
    give_up(where);
    return -1;
}

static inline int listen_at(const char *where)
{
    union address address;
    socklen_t length;
    int fd = open_socket(where, &address, &length);
    if (address.any.sa_family == AF_UNIX)
        unlink(where);
    if (bind(fd, &address.any, length) != 0 || listen(fd, 4) != 0)
        give_up(where);
    return fd;
}

static inline int welcome(int listener)
{
    int on = 1, fd = accept(listener, NULL, NULL);
    if (fd < 0)
        give_up("accept");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static inline bool write_all(int fd, const void *from, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = send(fd, from, bytes, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR)
            return false;
        from = (const char *)from + (done > 0 ? done : 0);
        bytes -= (size_t)(done > 0 ? done : 0);
    }
    return true;
}

static inline bool read_all(int fd, void *to, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = recv(fd, to, bytes, MSG_WAITALL);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        to = (char *)to + (done > 0 ? done : 0);
        bytes -= (size_t)(done > 0 ? done : 0);
    }
    return true;
}
#endif
