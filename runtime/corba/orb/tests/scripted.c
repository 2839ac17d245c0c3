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
