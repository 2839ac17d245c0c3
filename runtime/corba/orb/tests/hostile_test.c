/* SPDX-License-Identifier: MIT-0 */
/* A server among peers that lie, dawdle, flood and vanish: it answers, complains or hangs up, and goes on serving. */
#include "victim.h"
#include <time.h>

static struct victim victim;

/* A header that promises much, and nothing after it. */
static void promises_without_deeds(CORBA_Environment *ev)
{
    struct bytes message;
    int all[6];
    for (int index = 0; index < 6; index++) {
        all[index] = peer_connect(victim.port);
        message_request(&message, 2, 1, true, victim.key, victim.key_length, "nothing", NULL, false);
        whittle_poke32(message.at + WHITTLE_SIZE_AT, 60000);
        message.at[WHITTLE_FLAGS_AT] = WHITTLE_HOST_FLAG;
        peer_write(all[index], message.at, (size_t)(index == 0 ? 1 : index == 1 ? 11 : 40));
    }
    still_serves(&victim, ev);
    for (int index = 0; index < 6; index++) {
        until_the_end(all[index], ev);
        close(all[index]);
    }
    message_begin(&message, 2, WHITTLE_REQUEST, WHITTLE_HOST_FLAG);
    whittle_poke32(message.at + WHITTLE_SIZE_AT, 0x7ffffff0);
    const int fd = peer_connect(victim.port);
    peer_write(fd, message.at, message.size);
    CHECK(peer_read(fd, &message) == WHITTLE_HEADER && message.at[WHITTLE_TYPE_AT] == WHITTLE_MESSAGE_ERROR);
    close(fd);
    still_serves(&victim, ev);
}

static void fragments_without_end(CORBA_Environment *ev)
{
    struct bytes message;
    const int fd = peer_connect(victim.port);
    message_request(&message, 2, 5, true, victim.key, victim.key_length, "bytes", NULL, false);
    message.at[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
    peer_write(fd, message.at, message.size);
    for (int count = 0; count < 200; count++) {
        message_begin(&message, 2, WHITTLE_FRAGMENT, WHITTLE_HOST_FLAG | WHITTLE_FLAG_MORE);
        message_word(&message, 5, false);
        memset(message.at + message.size, 0, 1024);
        message.size += 1024;
        message_close(&message, false);
        peer_write(fd, message.at, message.size);
    }
    until_the_end(fd, ev);
    close(fd);
    still_serves(&victim, ev);
}

/* Puts a message behind `at` and numbers from `from` on behind it; where that ends. */
static char *with_numbers(char *at, const struct bytes *message, uint32_t from, uint32_t count, int flags)
{
    memcpy(at, message->at, message->size);
    at[WHITTLE_FLAGS_AT] = (char)flags;
    whittle_poke32(at + WHITTLE_SIZE_AT, (uint32_t)message->size + 4 * count - WHITTLE_HEADER);
    at += message->size;
    for (uint32_t number = from; number < from + count; number++, at += 4)
        whittle_poke32(at, number);
    return at;
}

/* A long request in three parts, others in between, all at once: each part has its place, and the others stay as they are. */
static void fragments_among_others(CORBA_Environment *ev)
{
    static char all[70000];
    for (uint32_t count = 3500; count < 15000; count += 771) {
        struct bytes first, fragment, other;
        const int fd = peer_connect(victim.port), more = WHITTLE_HOST_FLAG | WHITTLE_FLAG_MORE;
        message_request(&first, 2, 5, true, victim.key, victim.key_length, "sum", NULL, false);
        message_align(&first, 8);
        message_word(&first, count, false);
        message_begin(&fragment, 2, WHITTLE_FRAGMENT, WHITTLE_HOST_FLAG);
        message_word(&fragment, 5, false);
        const uint32_t begun = (count - 400) | 1;   /* so that it is a multiple of eight bytes long */
        char *at = with_numbers(all, &first, 0, begun, more);
        message_request(&other, 2, 6, true, victim.key, victim.key_length, "nothing", NULL, false);
        at = (char *)memcpy(at, other.at, other.size) + other.size;
        at = with_numbers(at, &fragment, begun, 200, more);
        message_request(&other, 2, 7, true, victim.key, victim.key_length, "nothing", NULL, false);
        at = (char *)memcpy(at, other.at, other.size) + other.size;
        at = with_numbers(at, &fragment, begun + 200, count - begun - 200, WHITTLE_HOST_FLAG);
        peer_write(fd, all, (size_t)(at - all));
        uint32_t sum = 0;
        for (int replies = 0; replies < 3; replies++) {
            CHECK(peer_read(fd, &other) >= 24 && whittle_peek32(other.at + 16, false) == WHITTLE_NO_EXCEPTION);
            if (whittle_peek32(other.at + WHITTLE_HEADER, false) == 5)
                sum = whittle_peek32(other.at + 24, false);
        }
        CHECK(sum == count * (count - 1) / 2);
        close(fd);
    }
    still_serves(&victim, ev);
}

/* Asks and asks, and never reads an answer. */
static void replies_unread(CORBA_Environment *ev)
{
    struct bytes message;
    const uint32_t count = 15000;
    const int fd = peer_connect(victim.port), small = 4096;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (int asked = 0; asked < 500; asked++) {
        message_request(&message, 2, (uint32_t)asked, true, victim.key, victim.key_length, "series", &count, false);
        if (send(fd, message.at, message.size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)message.size)
            break;
    }
    still_serves(&victim, ev);
    const struct timespec while_ = {1, 0};
    nanosleep(&while_, NULL);
    until_the_end(fd, ev);
    close(fd);
    still_serves(&victim, ev);
}

/* More than it takes: the silent ones are asked to go. */
static void too_many(CORBA_Environment *ev)
{
    struct bytes message;
    int all[30];
    for (int index = 0; index < 30; index++) {
        all[index] = peer_connect(victim.port);
        message_request(&message, 2, 1, true, victim.key, victim.key_length, "nothing", NULL, false);
        peer_write(all[index], message.at, message.size);
        CHECK(peer_read(all[index], &message) == 24);
    }
    CHECK(peer_read(all[0], &message) == WHITTLE_HEADER && message.at[WHITTLE_TYPE_AT] == WHITTLE_CLOSE_CONNECTION);
    still_serves(&victim, ev);
    for (int index = 0; index < 30; index++)
        close(all[index]);
}

/* GIOP 1.2 has three ways to name an object. */
static void named_in_each_way(CORBA_Environment *ev)
{
    struct bytes message;
    const int fd = peer_connect(victim.port);
    const struct whittle_profile *const profile = &((const struct whittle_reference *)victim.object)->profiles[0];
    for (int way = 1; way <= 2; way++) {
        message_begin(&message, 2, WHITTLE_REQUEST, WHITTLE_HOST_FLAG);
        message_word(&message, 3, false);
        message_word(&message, 3 * (WHITTLE_HOST_FLAG ? 1u : 0x1000000u), false);
        message_word(&message, (uint32_t)way * (WHITTLE_HOST_FLAG ? 1u : 0x10000u), false);
        if (way == 2) {
            message_word(&message, 0, false);
            message_text(&message, "IDL:Test/Echo:1.0", false);
            message_word(&message, 1, false);
        }
        message_word(&message, profile->tag, false);
        message_octets(&message, profile->data, profile->size, false);
        message_text(&message, "nothing", false);
        message_word(&message, 0, false);
        message_close(&message, false);
        peer_write(fd, message.at, message.size);
        CHECK(peer_read(fd, &message) == 24 && whittle_peek32(message.at + 16, false) == WHITTLE_NO_EXCEPTION);
    }
    close(fd);
}

/* Requests that come while the manager holds them are served when it lets them through. */
static void held(CORBA_Environment *ev)
{
    struct bytes message;
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(victim.root, ev);
    const int fd = peer_connect(victim.port);
    PortableServer_POAManager_hold_requests(manager, CORBA_TRUE, ev);
    for (uint32_t id = 0; id < 10; id++) {
        message_request(&message, 2, id, true, victim.key, victim.key_length, "nothing", NULL, false);
        peer_write(fd, message.at, message.size);
    }
    struct pollfd watched = {fd, POLLIN, 0};
    CHECK(poll(&watched, 1, 100) == 0);
    PortableServer_POAManager_activate(manager, ev);
    for (uint32_t id = 0; id < 10; id++)
        CHECK(peer_read(fd, &message) == 24 && whittle_peek32(message.at + WHITTLE_HEADER, false) == id);
    close(fd);
    CORBA_Object_release(manager, ev);
    GOOD();
}

/* A held request whose connection has been closed, or reset, keeps no descriptor, nor a place. */
static void held_and_gone(bool reset, CORBA_Environment *ev)
{
    enum { REQUESTS = 100, TURNS = 300 };
    const struct linger at_once = {.l_onoff = reset, .l_linger = 0};
    const struct timespec moment = {.tv_nsec = 10000000};
    struct bytes message;
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(victim.root, ev);
    const int before = descriptors();
    PortableServer_POAManager_hold_requests(manager, CORBA_TRUE, ev);
    message_request(&message, 2, 1, true, victim.key, victim.key_length, "nothing", NULL, false);
    for (int index = 0; index < REQUESTS; index++) {
        const int fd = peer_connect(victim.port);
        peer_write(fd, message.at, message.size);
        nanosleep(&moment, NULL);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(fd);
    }
    for (int turns = 0; turns < TURNS && descriptors() > before; turns++)
        nanosleep(&moment, NULL);
    CHECK(descriptors() <= before);
    PortableServer_POAManager_activate(manager, ev);
    CORBA_Object_release(manager, ev);
    still_serves(&victim, ev);
    GOOD();
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    victim_open(&victim, ev);
    promises_without_deeds(ev);
    fragments_without_end(ev);
    fragments_among_others(ev);
    replies_unread(ev);
    too_many(ev);
    named_in_each_way(ev);
    held(ev);
    held_and_gone(true, ev);
    held_and_gone(false, ev);
    victim_close(&victim, ev);
    return 0;
}
