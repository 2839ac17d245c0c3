/*
 * The limit: bare sockets that carry as many bytes as a call of ONC RPC does, request and reply, with nothing marshalled
 * and nothing looked at. One system call sends a request, as few as can be receive it.
 */
#include "driver.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MARK = 4, HEADER = 40, REPLY = 28, PIECE = 64 };
static int line;
static char *message;
static size_t size;
static const struct data *sent;

/* What hand.c does with a message, to which bare sockets do nothing. */
#ifdef BY_HAND
static void fill(void);
static void take(char *request, size_t bytes);
#else
static void fill(void) {}
static void take(char *request, size_t bytes) { (void)request, (void)bytes; }
#endif

static size_t on_wire(const struct data *data)
{
    switch (data->workload) {
    case INTS: return 4 + 4 * (size_t)data->count;
    case RECTS: return 4 + 16 * (size_t)data->count;
    case DIRENTS: return 4 + 256 * (size_t)data->count;
    default: return 0;
    }
}

static void get(int fd, char *to, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t came = read(fd, to, bytes);
        if (came <= 0)
            exit(0);
        to += came;
        bytes -= (size_t)came;
    }
}

static void put(int fd, const char *from, size_t bytes)
{
    while (bytes > 0) {
        const ssize_t gone = write(fd, from, bytes);
        if (gone <= 0)
            exit(0);
        from += gone;
        bytes -= (size_t)gone;
    }
}

static int made(const char *host, uint16_t port, const char *path, int is_server)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    const int fd = socket(path ? AF_UNIX : AF_INET, SOCK_STREAM, 0), on = 1;
    const struct sockaddr *address = path ? (void *)&there : (void *)&at;
    const socklen_t length = path ? sizeof there : sizeof at;
    if (path)
        snprintf(there.sun_path, sizeof there.sun_path, "%s", path);
    else if (inet_pton(AF_INET, host, &at.sin_addr) != 1)
        driver_fail("host");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (is_server ? bind(fd, address, length) || listen(fd, 8) : connect(fd, address, length))
        driver_fail("no connection");
    return fd;
}

static void tune(int fd)
{
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* A read takes what there is, up to a whole request: it is known how long the next is. */
static void serve(int fd)
{
    static char reply[MARK + REPLY];
    size_t room = 1 << 16, filled = 0;
    char *buffer = aligned_alloc(PIECE, room);
    for (;;) {
        uint32_t bytes = 0;
        while (filled < MARK || filled < (memcpy(&bytes, buffer, MARK), bytes)) {
            if (bytes > room) {
                room = (bytes + PIECE) / PIECE * PIECE;
                char *const more = aligned_alloc(PIECE, room);
                memcpy(more, buffer, filled);
                free(buffer);
                buffer = more;
            }
            const ssize_t came = read(fd, buffer + filled, room - filled);
            if (came <= 0)
                return free(buffer);
            filled += (size_t)came;
        }
        take(buffer, bytes);
        memmove(buffer, buffer + bytes, filled - bytes);
        filled -= bytes;
        put(fd, reply, sizeof reply);
    }
}

void participant_serve(const char *host, uint16_t port, const char *path)
{
    const int listener = made(host, port, path, 1);
    driver_ready();
    for (;;) {
        const int fd = accept(listener, NULL, NULL);
        tune(fd);
        serve(fd);
        close(fd);
    }
}

void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data)
{
    size = MARK + HEADER + on_wire(data);
    message = aligned_alloc(PIECE, (size + PIECE) / PIECE * PIECE);
    memset(message, 1, size);
    const uint32_t bytes = (uint32_t)size;
    memcpy(message, &bytes, MARK);
    message[MARK] = (char)data->workload;
    sent = data;
    line = made(host, port, path, 0);
    tune(line);
}

void participant_call(void)
{
    char reply[MARK + REPLY];
    fill();
    put(line, message, size);
    get(line, reply, sizeof reply);
}

int participant_pipeline(long count)
{
    (void)count;
    return 0;
}
