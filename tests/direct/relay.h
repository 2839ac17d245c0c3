/* Between a client and a server, both of this process: passes records on, and damages the one it is told to. */
#ifndef RELAY_H
#define RELAY_H
#include <arpa/inet.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct relay {
    int listening;
    uint16_t port, to;          /* its own, and the server's */
    enum { REQUEST, REPLY } which;
    enum { NOTHING, CUT, OVERWRITE } how;
    uint32_t at, with;          /* where in the record, and what is written there */
    uint32_t lengths[2];        /* of the last request, and the last reply, before the damage */
} relay;

static bool all(int socket, void *bytes, size_t count, bool is_read)
{
    for (char *at = bytes; count > 0;) {
        ssize_t const done = is_read ? read(socket, at, count) : write(socket, at, count);
        if (done <= 0)
            return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

/* One record of one fragment. */
static bool pass(int from, int to, int which)
{
    uint32_t mark;
    if (!all(from, &mark, 4, true))
        return false;
    uint32_t length = ntohl(mark) & 0x7fffffff;
    char *const record = malloc(length + 4);
    bool good = record != NULL && all(from, record + 4, length, true);
    relay.lengths[which] = length;
    bool const is_damaged = (int)relay.which == which && relay.at < length;
    if (good && is_damaged && relay.how == CUT)
        length = relay.at;
    if (good && is_damaged && relay.how == OVERWRITE && relay.at + 4 <= length)
        memcpy(record + 4 + relay.at, &relay.with, 4);
    mark = htonl(length | 0x80000000);
    if (good)
        memcpy(record, &mark, 4);
    good = good && all(to, record, length + 4, false);
    free(record);
    return good;
}

static struct sockaddr_in here(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
}

static void *relay_run(void *unused)
{
    (void)unused;
    for (int client; (client = accept(relay.listening, NULL, NULL)) >= 0;) {
        struct sockaddr_in const to = here(relay.to);
        int const server = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(server, (const struct sockaddr *)&to, sizeof to) == 0)
            while (pass(client, server, REQUEST) && pass(server, client, REPLY))
                ;
        close(server);
        close(client);
    }
    return NULL;
}

/* Begins to listen, in front of the server at that port. */
static bool relay_begin(pthread_t *thread, uint16_t to)
{
    struct sockaddr_in own = here(0);
    socklen_t size = sizeof own;
    relay.to = to;
    relay.listening = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(relay.listening, (const struct sockaddr *)&own, sizeof own) != 0 || listen(relay.listening, 5) != 0)
        return false;
    if (getsockname(relay.listening, (struct sockaddr *)&own, &size) != 0)
        return false;
    relay.port = ntohs(own.sin_port);
    return pthread_create(thread, NULL, relay_run, NULL) == 0;
}

static void relay_end(pthread_t thread)
{
    shutdown(relay.listening, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(relay.listening);
}
#endif
