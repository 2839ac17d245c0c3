/* SPDX-License-Identifier: MIT-0 */
/* A server that follows a script: scripted.h. */
#include "scripted.h"

static void *play(void *server)
{
    ((struct server *)server)->script((struct server *)server);
    return NULL;
}

CORBA_Object begin_server(struct server *server, CORBA_ORB orb, int version, void (*script)(struct server *server), CORBA_Environment *ev)
{
    char text[100];
    *server = (struct server){.script = script};
    server->listener = peer_listen(&server->port);
    sprintf(text, "corbaloc:iiop:1.%d@127.0.0.1:%u/key", version, (unsigned)server->port);
    pthread_create(&server->thread, NULL, play, server);
    CORBA_Object const object = CORBA_ORB_string_to_object(orb, text, ev);
    GOOD();
    return object;
}

void end_server(struct server *server, CORBA_Object object, CORBA_Environment *ev)
{
    CORBA_Object_release(object, ev);
    pthread_join(server->thread, NULL);
    close(server->listener);
}

void answer_number(int fd, const struct bytes *request, uint32_t number, bool swapped)
{
    struct bytes reply;
    message_reply(&reply, request, 0, swapped);
    message_align(&reply, 8);
    message_word(&reply, number, swapped);
    message_close(&reply, swapped);
    peer_write(fd, reply.at, reply.size);
}

void answer_forward(int fd, const struct bytes *request, uint32_t status, const char *host, uint16_t port)
{
    struct bytes reply, profile = {.size = 0};
    message_byte(&profile, WHITTLE_HOST_FLAG);
    message_byte(&profile, 1);
    message_byte(&profile, 2);
    message_text(&profile, host, false);
    message_align(&profile, 2);
    memcpy(profile.at + profile.size, &port, 2);
    profile.size += 2;
    message_octets(&profile, "key", 3, false);
    message_word(&profile, 0, false);
    message_reply(&reply, request, status, false);
    message_text(&reply, "IDL:Test/Echo:1.0", false);
    message_word(&reply, 1, false);
    message_word(&reply, 0, false);
    message_octets(&reply, profile.at, (uint32_t)profile.size, false);
    message_close(&reply, false);
    peer_write(fd, reply.at, reply.size);
}
