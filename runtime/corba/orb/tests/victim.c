/* SPDX-License-Identifier: MIT-0 */
/* A server with narrow limits: victim.h. */
#include "victim.h"
#include <sys/resource.h>

static void *serve(void *opaque)
{
    struct victim *const victim = (struct victim *)opaque;
    CORBA_ORB_run(victim->orb, &victim->run);
    return NULL;
}

void victim_open(struct victim *victim, CORBA_Environment *ev)
{
    static const char *const modest[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", "-ORBPatience", "400", "-ORBMaxConnections", "8",
                                         "-ORBMaxMessage", "65536", "-ORBMaxPending", "100000", NULL};
    victim_open_with(victim, modest, ev);
}

void victim_open_with(struct victim *victim, const char *const *options, CORBA_Environment *ev)
{
    CORBA_exception_init(&victim->run);
    victim->orb = begin("", options, ev);
    victim->root = root_of(victim->orb, ev);
    echo_open(&victim->echo, victim->orb, victim->root);
    victim->object = PortableServer_POA_servant_to_reference(victim->root, &victim->echo, ev);
    victim->key = peer_key(victim->orb, victim->object, &victim->key_length, ev);
    victim->port = whittle_orb_port(victim->orb);
    pthread_create(&victim->thread, NULL, serve, victim);
    still_serves(victim, ev);
}

void victim_close(struct victim *victim, CORBA_Environment *ev)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    CHECK(usage.ru_maxrss < 600 * 1024);
    CORBA_ORB_shutdown(victim->orb, CORBA_TRUE, ev);
    pthread_join(victim->thread, NULL);
    CHECK(victim->run._major == CORBA_NO_EXCEPTION);
    CORBA_Object_release(victim->object, ev);
    CORBA_Object_release(victim->root, ev);
    end(victim->orb, ev);
}

void still_serves(const struct victim *victim, CORBA_Environment *ev)
{
    struct bytes message;
    const uint32_t number = 40;
    const int fd = peer_connect(victim->port);
    for (int version = 0; version <= 2; version++) {
        message_request(&message, version, 9, true, victim->key, victim->key_length, "note", &number, version == 1);
        peer_write(fd, message.at, message.size);
        CHECK(peer_read(fd, &message) == 24 && message.at[WHITTLE_TYPE_AT] == WHITTLE_REPLY);
        CHECK(whittle_peek32(message.at + (version < 2 ? 20 : 16), false) == WHITTLE_NO_EXCEPTION);
    }
    close(fd);
}

size_t until_the_end(int fd, CORBA_Environment *ev)
{
    char rest[65536];
    size_t all = 0;
    for (;;) {
        struct pollfd watched = {fd, POLLIN, 0};
        CHECK(poll(&watched, 1, 10000) == 1);
        const ssize_t came = recv(fd, rest, sizeof rest, 0);
        if (came <= 0)
            return all;
        all += (size_t)came;
    }
}
