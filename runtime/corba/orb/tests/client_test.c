/* SPDX-License-Identifier: MIT-0 */
/* Clients of servers that answer in pieces, in the other byte order, or only who asks in their way. */
#include "scripted.h"

static const char *const quick[] = {"-ORBTimeout", "10000", NULL};

static void in_the_other_order(struct server *server)
{
    struct bytes request;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0)
        answer_number(fd, &request, 0x01020304, true);
    close(fd);
}

static void byte_by_byte(struct server *server)
{
    struct bytes request, reply;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0) {
        message_reply(&reply, &request, 0, false);
        message_word(&reply, 77, false);
        message_close(&reply, false);
        for (size_t index = 0; index < reply.size; index++)
            peer_write(fd, &reply.at[index], 1);
    }
    close(fd);
}

/* The first piece ends behind the request's id; fragments of a message that nobody waits for come between. */
static void in_fragments(struct server *server)
{
    struct bytes request, reply, part;
    const int fd = peer_accept(server->listener);
    while (peer_read(fd, &request) > 0) {
        message_reply(&reply, &request, 0, false);
        message_word(&reply, 4242, false);
        for (size_t from = WHITTLE_HEADER + 4; from < reply.size; from += 4) {
            const int more = from + 4 < reply.size ? WHITTLE_FLAG_MORE : 0;
            if (from == WHITTLE_HEADER + 4) {
                part = reply;
                part.at[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
                part.size = from;
                message_close(&part, false);
                peer_write(fd, part.at, part.size);
            }
            message_begin(&part, 2, WHITTLE_FRAGMENT, WHITTLE_HOST_FLAG | WHITTLE_FLAG_MORE);
            message_word(&part, 999999, false);
            message_close(&part, false);
            peer_write(fd, part.at, part.size);
            message_begin(&part, 2, WHITTLE_FRAGMENT, WHITTLE_HOST_FLAG | more);
            message_word(&part, whittle_peek32(request.at + WHITTLE_HEADER, false), false);
            memcpy(part.at + part.size, reply.at + from, 4);
            part.size += 4;
            message_close(&part, false);
            peer_write(fd, part.at, part.size);
        }
    }
    close(fd);
}

/* Wants each object named in another way than it was, and answers when it has seen all three. */
static void by_another_name(struct server *server)
{
    struct bytes request, reply;
    const int fd = peer_accept(server->listener);
    for (uint32_t way = 1; way <= 3 && peer_read(fd, &request) > 0; way++) {
        uint16_t named, wanted = (uint16_t)way;
        memcpy(&named, request.at + 20, 2);
        server->calls += named == way - 1;
        if (way == 3) {
            answer_number(fd, &request, 3, false);
            break;
        }
        message_reply(&reply, &request, WHITTLE_NEEDS_ADDRESSING_MODE, false);
        memcpy(reply.at + reply.size, &wanted, 2);
        reply.size += 2;
        message_close(&reply, false);
        peer_write(fd, reply.at, reply.size);
    }
    close(fd);
}

static void replies_come_in_any_form(CORBA_ORB orb, CORBA_Environment *ev)
{
    struct server server;
    for (int version = 0; version <= 2; version++) {
        CORBA_Object const other = begin_server(&server, orb, version, in_the_other_order, ev);
        for (int round = 0; round < 3; round++)
            CHECK(Test_Echo_noted(other, ev) == 0x01020304);
        whittle_client_close_all(orb);
        end_server(&server, other, ev);
        CORBA_Object const pieces = begin_server(&server, orb, version, byte_by_byte, ev);
        for (int round = 0; round < 3; round++)
            CHECK(Test_Echo_noted(pieces, ev) == 77);
        whittle_client_close_all(orb);
        end_server(&server, pieces, ev);
    }
    CORBA_Object const fragments = begin_server(&server, orb, 2, in_fragments, ev);
    for (int round = 0; round < 3; round++)
        CHECK(Test_Echo_noted(fragments, ev) == 4242);
    whittle_client_close_all(orb);
    end_server(&server, fragments, ev);
    CORBA_Object const named = begin_server(&server, orb, 2, by_another_name, ev);
    CHECK(Test_Echo_noted(named, ev) == 3);
    end_server(&server, named, ev);
    CHECK(server.calls == 3);
    GOOD();
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    CORBA_ORB const orb = begin("", quick, ev);
    replies_come_in_any_form(orb, ev);
    end(orb, ev);
    return 0;
}
