/* SPDX-License-Identifier: MIT-0 */
/* Clients of servers that answer late, with nonsense, or not at all, hang up, or send everybody elsewhere. */
#include "scripted.h"

static const char *const quick[] = {"-ORBTimeout", "10000", NULL};

/* Each connection serves one request, then says goodbye, though the next request may be there already. */
static void one_at_a_time(struct server *server)
{
    struct bytes request, bye;
    for (server->calls = 0; server->calls < 5; server->calls++) {
        const int fd = peer_accept(server->listener);
        if (peer_read(fd, &request) > 0)
            answer_number(fd, &request, (uint32_t)server->calls, false);
        if (server->calls % 2 == 0)
            peer_read(fd, &request);    /* and is not served */
        message_begin(&bye, 0, WHITTLE_CLOSE_CONNECTION, 0);
        peer_write(fd, bye.at, bye.size);
        close(fd);
    }
}

/* Each connection answers once and is gone, as those of a server that begins anew. */
static void gone_meanwhile(struct server *server)
{
    struct bytes request;
    for (server->calls = 0; server->calls < 3; server->calls++) {
        const int fd = peer_accept(server->listener);
        if (peer_read(fd, &request) > 0)
            answer_number(fd, &request, (uint32_t)server->calls, false);
        close(fd);
        __atomic_store_n(&server->gone, server->calls + 1, __ATOMIC_RELEASE);
    }
}

static void without_a_word(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    peer_read(fd, &request);
    close(fd);
}

static void with_nonsense(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    peer_read(fd, &request);
    peer_write(fd, "HTTP/1.1 400 Bad Request\r\n\r\n", 28);
    while (peer_read(fd, &request) > 0)
        ;
    close(fd);
}

/* Answers the first request when the second has come, and looks for a word that the first was given up. */
static void too_late(struct server *server)
{
    struct bytes first, cancel, second;
    const int fd = peer_accept(server->listener);
    peer_read(fd, &first);
    server->calls += peer_read(fd, &cancel) == 16 && cancel.at[WHITTLE_TYPE_AT] == WHITTLE_CANCEL_REQUEST
        && memcmp(cancel.at + WHITTLE_HEADER, first.at + WHITTLE_HEADER, 4) == 0;
    peer_read(fd, &second);
    answer_number(fd, &first, 1, false);
    answer_number(fd, &second, 2, false);
    while (peer_read(fd, &second) > 0)
        ;
    close(fd);
}

/* Sends everybody to itself, for ever. */
static void in_circles(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0) {
        answer_forward(fd, &request, server->calls++ % 2 == 0 ? WHITTLE_LOCATION_FORWARD : WHITTLE_LOCATION_FORWARD_PERM, "127.0.0.1",
            server->port);
    }
    close(fd);
}

static void closed_connections_are_opened_again(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    CORBA_Object const object = begin_server(&server, orb, 2, one_at_a_time, ev);
    for (int round = 0; round < 5; round++)
        CHECK(Test_Echo_noted(object, ev) == round);
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
    CHECK(server.calls == 5);
    GOOD();
    struct server restarting = {.gone = 0};
    CORBA_Object const restarted = begin_server(&restarting, orb, 2, gone_meanwhile, ev);
    for (int round = 0; round < 3; round++) {
        CHECK(Test_Echo_noted(restarted, ev) == round);
        for (int tries = 0; __atomic_load_n(&restarting.gone, __ATOMIC_ACQUIRE) <= round && tries < 4000; tries++)
            usleep(5000);
        usleep(150000);     /* as long as a client does not look whether its connection is there */
    }
    end_server(&restarting, restarted, ev);
    GOOD();
}

static void failures_are_reported(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    CORBA_Object object = begin_server(&server, orb, 2, without_a_word, ev);
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_MAYBE && raised(ev, ex_CORBA_COMM_FAILURE));
    end_server(&server, object, ev);
    object = begin_server(&server, orb, 2, with_nonsense, ev);
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_MAYBE && raised(ev, ex_CORBA_COMM_FAILURE));
    end_server(&server, object, ev);
    object = begin_server(&server, orb, 2, in_circles, ev);
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_NO && raised(ev, ex_CORBA_TRANSIENT));
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
    object = CORBA_ORB_string_to_object(orb, "corbaloc::127.0.0.1:1/nobody", ev);
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_NO && raised(ev, ex_CORBA_TRANSIENT));
    CORBA_Object_release(object, ev);
    Test_Echo_nothing(CORBA_OBJECT_NIL, ev);
    CHECK(raised(ev, ex_CORBA_INV_OBJREF));
}

static void nobody_waits_for_ever(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    CORBA_Object const object = begin_server(&server, orb, 2, too_late, ev);
    whittle_object_timeout(object, 100);
    CHECK(Test_Echo_noted(object, ev) == 0);
    CHECK(ev->_system.completed == CORBA_COMPLETED_MAYBE && raised(ev, ex_CORBA_TIMEOUT));
    whittle_object_timeout(object, 60000);
    CHECK(Test_Echo_noted(object, ev) == 2);
    GOOD();
    whittle_client_close_all(orb);
    end_server(&server, object, ev);
    CHECK(server.calls == 1);
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    CORBA_ORB const orb = begin("", quick, ev);
    closed_connections_are_opened_again(orb, ev);
    failures_are_reported(orb, ev);
    nobody_waits_for_ever(orb, ev);
    end(orb, ev);
    return 0;
}
