/* Between a client and a server, both of this process: passes records on, or messages of IIOP or Mach, and damages the one it is told to. */
#ifndef RELAY_H
#define RELAY_H
#ifdef FLUKE
#include "relay_of_registers.h"
#else
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
    enum { REQUEST, RESPONSE } which;
    enum { NOTHING, CUT, OVERWRITE } how;
    uint32_t at, with;          /* where in the record, and what is written there */
    uint32_t lengths[2];        /* of the last request, and the last reply, before the damage */
    uint32_t begins[2];         /* where what they carry begins */
} relay;

#ifdef MACH
#include <mach.h>

struct relayed {
    mach_msg_header_t header;
    mach_msg_type_long_t type;
};

/* While the kernel has it. Places count from where the bytes begin, in the message or beside it. */
static void passes(mach_msg_header_t *header)
{
    struct relayed *const message = (struct relayed *)header;
    int const which = header->msgh_remote_port != MACH_PORT_NULL ? REQUEST : RESPONSE;
    if (header->msgh_size < sizeof *message || message->type.msgtl_name != MACH_MSG_TYPE_BYTE)
        return;
    char *bytes = (char *)(message + 1);
    bool const are_beside = header->msgh_bits & MACH_MSGH_BITS_COMPLEX;
    if (are_beside)
        memcpy(&bytes, message + 1, sizeof bytes);
    uint32_t const length = message->type.msgtl_number;
    relay.lengths[which] = length;
    relay.begins[which] = which == REQUEST ? 8 : 0;
    if ((int)relay.which != which || relay.at >= length)
        return;
    if (relay.how == OVERWRITE && relay.at + 4 <= length)
        memcpy(bytes + relay.at, &relay.with, 4);
    if (relay.how != CUT)
        return;
    message->type.msgtl_number = relay.at;
    if (!are_beside)
        header->msgh_size = (uint32_t)((sizeof *message + relay.at + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *));
}

static bool relay_begin(pthread_t *thread, uint16_t to)
{
    (void)thread, (void)to;
    mach_transit = passes;
    return true;
}

static void relay_end(pthread_t thread)
{
    (void)thread;
    mach_transit = NULL;
}
#else
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

#ifdef IIOP
enum { HEAD = 12, IN_LENGTH = 12 };  /* places count from the message's beginning, as its alignment does */

/* In the order that the message has, as its flags say. */
static uint32_t number(const char *message, uint32_t at)
{
    uint8_t bytes[4];
    memcpy(bytes, message + at, 4);
    bool const is_little = message[6] & 1;
    return is_little ? bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24
                     : bytes[3] | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[0] << 24;
}
static uint32_t length_of(const char *head) { return HEAD + number(head, 8); }
static void set_length(char *record, uint32_t length)
{
    for (int i = 0; i < 4; i++)
        record[record[6] & 1 ? 8 + i : 11 - i] = (char)((length - HEAD) >> (8 * i));
}
static uint32_t aligned(uint32_t at, uint32_t to) { return (at + to - 1) / to * to; }

/* Of GIOP 1.2, behind a key, an operation and contexts. */
static uint32_t begin_of(const char *message, int which)
{
    if (which == RESPONSE)
        return 24;
    uint32_t at = aligned(28 + number(message, 24), 4);
    at = aligned(at + 4 + number(message, at), 4);
    uint32_t const contexts = number(message, at);
    at += 4;
    for (uint32_t i = 0; i < contexts; i++)
        at = aligned(at + 8 + number(message, at + 4), 4);
    return aligned(at, 8);
}
#else
enum { HEAD = 4, IN_LENGTH = 0 };
static uint32_t length_of(const char *head)
{
    uint32_t mark;
    memcpy(&mark, head, 4);
    return ntohl(mark) & 0x7fffffff;
}
static void set_length(char *record, uint32_t length)
{
    uint32_t const mark = htonl(length | 0x80000000);
    memcpy(record, &mark, 4);
}
static uint32_t begin_of(const char *message, int which) { return (void)message, which == REQUEST ? 40 : 24; }
#endif

/* One record of one fragment. */
static bool pass(int from, int to, int which)
{
    char head[HEAD];
    if (!all(from, head, HEAD, true))
        return false;
    uint32_t length = length_of(head);
    uint32_t const before = HEAD - IN_LENGTH;   /* places do not count these */
    char *const record = malloc(length + before);
    bool good = record != NULL && all(from, record + HEAD, length - IN_LENGTH, true);
    if (good)
        memcpy(record, head, HEAD);
    relay.lengths[which] = length;
    relay.begins[which] = good ? begin_of(record, which) : 0;
    bool const is_damaged = (int)relay.which == which && relay.at < length;
    if (good && is_damaged && relay.how == CUT)
        length = relay.at;
    if (good && is_damaged && relay.how == OVERWRITE && relay.at + 4 <= length)
        memcpy(record + before + relay.at, &relay.with, 4);
    if (good)
        set_length(record, length);
    good = good && all(to, record, length + before, false);
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
            while (pass(client, server, REQUEST) && pass(server, client, RESPONSE))
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
#endif
#endif
