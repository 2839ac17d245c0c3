/* SPDX-License-Identifier: MIT-0 */
/* Bytes of GIOP written by hand: peer.h. */
#include "peer.h"
#include "object.h"
#include <dirent.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void must(bool good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(98);
}

static struct sockaddr_in local(uint16_t port)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

int peer_listen(uint16_t *port)
{
    struct sockaddr_in name = local(0);
    socklen_t size = sizeof name;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(fd, (struct sockaddr *)&name, sizeof name) == 0 && listen(fd, 16) == 0, "listen");
    must(getsockname(fd, (struct sockaddr *)&name, &size) == 0, "getsockname");
    *port = ntohs(name.sin_port);
    return fd;
}

int peer_accept(int listener)
{
    const int fd = accept(listener, NULL, NULL);
    must(fd >= 0, "accept");
    return fd;
}

int peer_connect(uint16_t port)
{
    const struct sockaddr_in name = local(port);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval patience = {60, 0};
    must(connect(fd, (const struct sockaddr *)&name, sizeof name) == 0, "connect");
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

static bool read_all(int fd, char *to, size_t size)
{
    while (size > 0) {
        const ssize_t came = recv(fd, to, size, 0);
        if (came <= 0)
            return false;
        to += came;
        size -= (size_t)came;
    }
    return true;
}

size_t peer_read(int fd, struct bytes *message)
{
    message->size = 0;
    if (!read_all(fd, message->at, WHITTLE_HEADER))
        return 0;
    const size_t size = whittle_peek32(message->at + WHITTLE_SIZE_AT, whittle_is_swapped(message->at));
    must(size <= sizeof message->at - WHITTLE_HEADER, "a message too long for the test");
    if (!read_all(fd, message->at + WHITTLE_HEADER, size))
        return 0;
    return message->size = size + WHITTLE_HEADER;
}

void peer_write(int fd, const void *bytes, size_t size)
{
    for (const char *at = (const char *)bytes; size > 0;) {
        const ssize_t went = send(fd, at, size, MSG_NOSIGNAL);
        if (went <= 0)
            return;
        at += went;
        size -= (size_t)went;
    }
}

void message_begin(struct bytes *message, int version, int type, int flags)
{
    const char header[WHITTLE_HEADER] = {'G', 'I', 'O', 'P', 1, (char)version, (char)flags, (char)type};
    memcpy(message->at, header, sizeof header);
    message->size = sizeof header;
}

void message_byte(struct bytes *message, int value)
{
    must(message->size < sizeof message->at, "room in the message");
    message->at[message->size++] = (char)value;
}

void message_align(struct bytes *message, size_t to)
{
    while (message->size % to != 0)
        message_byte(message, 0);
}

void message_word(struct bytes *message, uint32_t value, bool swapped)
{
    message_align(message, 4);
    must(message->size + 4 <= sizeof message->at, "room in the message");
    whittle_poke32(message->at + message->size, swapped ? __builtin_bswap32(value) : value);
    message->size += 4;
}

void message_octets(struct bytes *message, const void *octets, uint32_t size, bool swapped)
{
    message_word(message, size, swapped);
    for (uint32_t index = 0; index < size; index++)
        message_byte(message, ((const char *)octets)[index]);
}

void message_text(struct bytes *message, const char *text, bool swapped)
{
    message_octets(message, text, (uint32_t)strlen(text) + 1, swapped);
}

void message_close(struct bytes *message, bool swapped)
{
    const uint32_t size = (uint32_t)(message->size - WHITTLE_HEADER);
    whittle_poke32(message->at + WHITTLE_SIZE_AT, swapped ? __builtin_bswap32(size) : size);
}

static int order(bool swapped)
{
    return swapped ? 1 - WHITTLE_HOST_FLAG : WHITTLE_HOST_FLAG;
}

void message_request(struct bytes *message, int version, uint32_t id, bool waits, const char *key, uint32_t key_length, const char *operation,
                     const uint32_t *number, bool swapped)
{
    message_begin(message, version, WHITTLE_REQUEST, order(swapped));
    if (version < 2)
        message_word(message, 0, swapped);
    message_word(message, id, swapped);
    message_byte(message, version < 2 ? waits : waits ? 3 : 0);
    if (version == 2)
        message_word(message, 0, swapped);
    message_octets(message, key, key_length, swapped);
    message_text(message, operation, swapped);
    message_word(message, 0, swapped);  /* contexts, or the principal */
    if (version == 2 && number != NULL)
        message_align(message, 8);
    if (number != NULL)
        message_word(message, *number, swapped);
    message_close(message, swapped);
}

void message_reply(struct bytes *message, const struct bytes *request, uint32_t status, bool swapped)
{
    const bool theirs = whittle_is_swapped(request->at);
    const int version = request->at[5];
    message_begin(message, version, WHITTLE_REPLY, order(swapped));
    if (version < 2)
        message_word(message, 0, swapped);
    /* Nothing in requests to the test's peers has contexts. */
    message_word(message, whittle_peek32(request->at + (version < 2 ? 16 : 12), theirs), swapped);
    message_word(message, status, swapped);
    if (version == 2)
        message_word(message, 0, swapped);
    message_close(message, swapped);
}

const char *peer_key(CORBA_ORB orb, CORBA_Object object, uint32_t *length, CORBA_Environment *ev)
{
    (void)orb, (void)ev;
    const struct whittle_reference *const reference = whittle_reference_of(object);
    *length = reference->profiles[0].key_length;
    return reference->profiles[0].key;
}

int descriptors(void)
{
    int count = 0;
    DIR *const all = opendir("/proc/self/fd");
    while (all != NULL && readdir(all) != NULL)
        count++;
    if (all != NULL)
        closedir(all);
    return count;
}
