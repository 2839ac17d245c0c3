/* SPDX-License-Identifier: MIT-0 */
/*
 * Clients of servers that reply with what was not asked, send callers on and on, or keep them waiting in every way there is: each
 * call ends with an error at its deadline at the latest, and takes no more than its share. Linked with --wrap=getaddrinfo.
 */
#include "scripted.h"
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

enum { SOON = 300, SLACK = 1500 };   /* milliseconds: of a deadline; and what a busy machine may add */
static const char *const quick[] = {"-ORBTimeout", "10000", NULL};

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The name server that says nothing for a while. */
int __real_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
    if (host == NULL || strcmp(host, "silent.invalid") != 0 || (hints->ai_flags & AI_NUMERICHOST) != 0)
        return __real_getaddrinfo(host, service, hints, found);
    sleep(3);
    return EAI_AGAIN;
}

/* To each request the reply that the other kind gets: 20 bytes of "it is here", or an empty result. */
static void the_other_kind(struct server *server)
{
    struct bytes request, reply;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0 && request.at[WHITTLE_TYPE_AT] != WHITTLE_MESSAGE_ERROR) {
        const bool locates = request.at[WHITTLE_TYPE_AT] == WHITTLE_LOCATE_REQUEST, late = !locates && request.at[5] < 2;
        const uint32_t id = whittle_peek32(request.at + (late ? 16 : 12), false);
        message_begin(&reply, request.at[5], locates ? WHITTLE_REPLY : WHITTLE_LOCATE_REPLY, WHITTLE_HOST_FLAG);
        if (locates && request.at[5] < 2)
            message_word(&reply, 0, false);
        message_word(&reply, id, false);
        message_word(&reply, locates ? (uint32_t)WHITTLE_NO_EXCEPTION : (uint32_t)WHITTLE_OBJECT_HERE, false);
        message_close(&reply, false);
        peer_write(fd, reply.at, reply.size);
    }
    close(fd);
}

/* Whatever is asked fails, and is not believed. */
static void replies_of_another_kind_than_was_asked(CORBA_ORB orb, CORBA_Environment *ev)
{
    for (int version = 0; version <= 2; version++)
        for (int which = 0; which < 5; which++) {
            struct server server;
            CORBA_Object const object = begin_server(&server, orb, version, the_other_kind, ev);
            CORBA_boolean yes = false;
            if (which == 0)
                CHECK(Test_Echo_noted(object, ev) == 0);
            else if (which == 1)
                CHECK(Test_Echo_series(object, 3, ev) == NULL);
            else if (which == 2)
                CHECK(Test_Echo_self(object, ev) == CORBA_OBJECT_NIL);
            else if (which == 3)
                yes = CORBA_Object_is_a(object, "IDL:Test/Other:1.0", ev);
            else
                yes = whittle_object_locate(object, ev);
            CHECK(ev->_major == CORBA_SYSTEM_EXCEPTION && !yes);
            CORBA_exception_free(ev);
            whittle_client_close_all(orb);
            end_server(&server, object, ev);
        }
}

enum { HOPS = 150 };
/* The first request at each port is answered, the next ones are sent on to the next port. In a process of its own. */
static void hop(const int *listeners, const uint16_t *ports)
{
    static struct pollfd watched[2 * HOPS];
    static int at[2 * HOPS], asked[HOPS];
    int count = HOPS;
    struct bytes request;
    for (int index = 0; index < HOPS; index++) {
        watched[index] = (struct pollfd){listeners[index], POLLIN, 0};
        at[index] = index;
    }
    while (poll(watched, (nfds_t)count, 20000) > 0)
        for (int index = count - 1; index >= 0; index--) {
            const int port = at[index];
            if (watched[index].revents == 0) {
                continue;
            } else if (index < HOPS) {
                if (count == 2 * HOPS)
                    return;
                watched[count] = (struct pollfd){peer_accept(listeners[index]), POLLIN, 0};
                at[count++] = port;
            } else if (peer_read(watched[index].fd, &request) == 0) {
                close(watched[index].fd);
                watched[index] = watched[--count];
                at[index] = at[count];
            } else if (asked[port]++ == 0 || port == HOPS - 1) {
                answer_number(watched[index].fd, &request, (uint32_t)port, false);
            } else {
                answer_forward(watched[index].fd, &request, WHITTLE_LOCATION_FORWARD, "127.0.0.1", ports[port + 1]);
            }
        }
}

static void forwards_take_few_descriptors(CORBA_ORB orb, CORBA_Environment *ev)
{
    int listeners[HOPS];
    uint16_t ports[HOPS];
    char text[100];
    for (int index = 0; index < HOPS; index++)
        listeners[index] = peer_listen(&ports[index]);
    const pid_t child = fork();
    if (child == 0) {
        hop(listeners, ports);
        _exit(0);
    }
    for (int index = 0; index < HOPS; index++)
        close(listeners[index]);
    const int before = descriptors();
    sprintf(text, "corbaloc:iiop:1.2@127.0.0.1:%u/key", (unsigned)ports[0]);
    CORBA_Object const object = CORBA_ORB_string_to_object(orb, text, ev);
    for (int index = 0; index < HOPS - 1; index++) {
        CHECK(Test_Echo_noted(object, ev) == index);
        GOOD();
    }
    CHECK(descriptors() - before <= 70);
    CORBA_Object_release(object, ev);
    whittle_client_close_all(orb);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void to_a_silent_name(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0)
        answer_forward(fd, &request, WHITTLE_LOCATION_FORWARD, "silent.invalid", 1);
    close(fd);
}

/* Replies to calls that nobody made, as fast as they are taken, for three seconds. */
static void flood(struct server *server)
{
    static char many[262144];
    struct bytes request, reply;
    size_t size = 0;
    const int fd = peer_accept(server->listener);
    peer_read(fd, &request);
    message_reply(&reply, &request, 0, false);
    whittle_poke32(reply.at + WHITTLE_HEADER, 999998);
    for (; size + reply.size <= sizeof many; size += reply.size)
        memcpy(many + size, reply.at, reply.size);
    for (const uint64_t end = milliseconds() + 3000; milliseconds() < end && send(fd, many, size, MSG_NOSIGNAL) > 0;)
        ;
    close(fd);
}

/* A reply of which a byte comes now and then. */
static void drip(struct server *server)
{
    struct bytes request, reply;
    const int fd = peer_accept(server->listener);
    peer_read(fd, &request);
    message_reply(&reply, &request, 0, false);
    message_word(&reply, 1, false);
    message_close(&reply, false);
    for (size_t at = 0; at < reply.size && send(fd, reply.at + at, 1, MSG_NOSIGNAL) == 1; at++)
        usleep(100000);
    close(fd);
}

/* Takes a little now and then. */
static bool has_seen_enough;     /* the server that sips may close: not before, however slow the machine is */

static void sip(struct server *server)
{
    static char some[65536];
    const int small = 65536, fd = peer_accept(server->listener);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    for (const uint64_t end = milliseconds() + 60000; milliseconds() < end && recv(fd, some, 4096, 0) > 0;) {
        if (__atomic_load_n(&has_seen_enough, __ATOMIC_ACQUIRE))
            break;
        __atomic_store_n(&server->calls, 1, __ATOMIC_RELEASE);
        usleep(20000);
    }
    close(fd);
}

/* The call raises TIMEOUT, soon. */
static void in_time(void (*script)(struct server *server), CORBA_ORB orb, uint32_t octets, CORBA_Environment *ev)
{
    struct server server;
    __atomic_store_n(&has_seen_enough, false, __ATOMIC_RELEASE);
    CORBA_Object const object = begin_server(&server, orb, 2, script, ev);
    Test_Octets given = {octets, octets, octets == 0 ? NULL : CORBA_sequence_CORBA_octet_allocbuf(octets), CORBA_TRUE};
    if (octets != 0)
        memset(given._buffer, 7, octets);
    whittle_object_timeout(object, SOON);
    const uint64_t begun = milliseconds();
    if (octets == 0)
        Test_Echo_noted(object, ev);
    else
        CORBA_free(Test_Echo_bytes(object, &given, ev));
    const uint64_t took = milliseconds() - begun;
    CHECK(raised(ev, ex_CORBA_TIMEOUT));
    CHECK(took >= SOON - 1 && took < SOON + SLACK);
    __atomic_store_n(&has_seen_enough, true, __ATOMIC_RELEASE);
    CORBA_free(given._buffer);
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
}

static void *sends_much(void *opaque)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_Object const object = (CORBA_Object)opaque;
    const uint32_t octets = 32 << 20;
    CORBA_exception_init(ev);
    Test_Octets given = {octets, octets, CORBA_sequence_CORBA_octet_allocbuf(octets), CORBA_TRUE};
    memset(given._buffer, 7, octets);
    CORBA_free(Test_Echo_bytes(object, &given, ev));
    CHECK(ev->_major == CORBA_SYSTEM_EXCEPTION);
    CORBA_exception_free(ev);
    CORBA_free(given._buffer);
    return NULL;
}

/* Another thread is sending for longer than this one has time. */
static void behind_another_thread(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    pthread_t thread;
    __atomic_store_n(&has_seen_enough, false, __ATOMIC_RELEASE);
    CORBA_Object const object = begin_server(&server, orb, 2, sip, ev);
    char text[100];
    sprintf(text, "corbaloc:iiop:1.2@127.0.0.1:%u/key", (unsigned)server.port);
    CORBA_Object const hurried = CORBA_ORB_string_to_object(orb, text, ev);
    whittle_object_timeout(hurried, SOON);
    pthread_create(&thread, NULL, sends_much, object);
    for (int tries = 0; __atomic_load_n(&server.calls, __ATOMIC_ACQUIRE) == 0 && tries < 4000; tries++)
        usleep(1000);
    usleep(100000);     /* the socket is full by now */
    const uint64_t begun = milliseconds();
    Test_Echo_noted(hurried, ev);
    const uint64_t took = milliseconds() - begun;
    CHECK(raised(ev, ex_CORBA_TIMEOUT));
    CHECK(took < SOON + SLACK);
    __atomic_store_n(&has_seen_enough, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    CORBA_Object_release(hurried, ev);
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
}

static void to_another_host(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0)
        if (server->calls++ == 0)
            answer_forward(fd, &request, WHITTLE_LOCATION_FORWARD, "127.0.0.2", server->port);
        else
            answer_number(fd, &request, 5, false);
    close(fd);
}

static void to_the_same_host(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0)
        if (server->calls++ == 0)
            answer_forward(fd, &request, WHITTLE_LOCATION_FORWARD, "127.0.0.1", server->port);
        else
            answer_number(fd, &request, 5, false);
    close(fd);
}

static void forwards_are_refused(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    CORBA_Object object = begin_server(&server, orb, 2, to_another_host, ev);
    whittle_object_forwards(object, WHITTLE_FORWARDS_SAME_HOST);
    Test_Echo_noted(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_NO && raised(ev, ex_CORBA_REBIND));
    CHECK(Test_Echo_noted(object, ev) == 5);
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
    object = begin_server(&server, orb, 2, to_the_same_host, ev);
    whittle_object_forwards(object, WHITTLE_FORWARDS_SAME_HOST);
    CHECK(Test_Echo_noted(object, ev) == 5);
    GOOD();
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
    static const char *const strict[] = {"-ORBForwards", "off", NULL};
    CORBA_ORB const other = begin("strict", strict, ev);
    object = begin_server(&server, other, 2, to_the_same_host, ev);
    Test_Echo_noted(object, ev);
    CHECK(raised(ev, ex_CORBA_REBIND));
    whittle_client_close_all(other);
    end_server(&server, object, ev);
    end(other, ev);
}

enum { CALLERS = 8, CALLS = 100 };
/* Each connection serves some requests, says goodbye and closes, whatever has come since. */
static void some_at_a_time(struct server *server)
{
    struct bytes request, bye;
    const struct timeval moment = {0, 100000};
    const int yes = 1;
    while (__atomic_load_n(&server->gone, __ATOMIC_ACQUIRE) == 0) {
        struct pollfd watched = {server->listener, POLLIN, 0};
        if (poll(&watched, 1, 50) <= 0)
            continue;
        const int fd = peer_accept(server->listener);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &moment, sizeof moment);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);     /* the goodbye is not to wait, and be lost */
        for (int count = server->calls++ % 4; count < 4 && peer_read(fd, &request) > 0; count++)
            answer_number(fd, &request, 3, false);
        message_begin(&bye, 0, WHITTLE_CLOSE_CONNECTION, 0);
        peer_write(fd, bye.at, bye.size);
        close(fd);
    }
}

static void *calls_on_and_on(void *object)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    for (int call = 0; call < CALLS; call++) {
        CHECK(Test_Echo_noted((CORBA_Object)object, ev) == 3);
        GOOD();
    }
    return NULL;
}

static void closing_in_order_is_no_failure(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    pthread_t threads[CALLERS];
    CORBA_Object const object = begin_server(&server, orb, 2, some_at_a_time, ev);
    for (int index = 0; index < CALLERS; index++)
        pthread_create(&threads[index], NULL, calls_on_and_on, object);
    for (int index = 0; index < CALLERS; index++)
        pthread_join(threads[index], NULL);
    __atomic_store_n(&server.gone, 1, __ATOMIC_RELEASE);
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
}

int main(int argc, char **argv)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    signal(SIGPIPE, SIG_IGN);
    CORBA_ORB const orb = begin("", quick, ev);
    const int only = argc > 1 ? atoi(argv[1]) : 0;
    if (only == 0 || only == 1)
        replies_of_another_kind_than_was_asked(orb, ev);
    if (only == 0 || only == 2)
        forwards_take_few_descriptors(orb, ev);
    if (only == 0 || only == 3)
        in_time(to_a_silent_name, orb, 0, ev);
    if (only == 0 || only == 4)
        in_time(flood, orb, 0, ev);
    if (only == 0 || only == 5)
        in_time(drip, orb, 0, ev);
    if (only == 0 || only == 6)
        in_time(sip, orb, 8 << 20, ev);
    if (only == 0 || only == 7)
        behind_another_thread(orb, ev);
    if (only == 0 || only == 8)
        forwards_are_refused(orb, ev);
    if (only == 0 || only == 9)
        closing_in_order_is_no_failure(orb, ev);
    end(orb, ev);
    return 0;
}
