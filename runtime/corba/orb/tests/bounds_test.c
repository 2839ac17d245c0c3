/* SPDX-License-Identifier: MIT-0 */
/* What peers cause at a server is bounded, all of it together: messages that do not come whole, values, requests that wait. */
#include "victim.h"
#include "value.h"
#include <signal.h>
#include <time.h>

enum { MEGABYTE = 1 << 20, MEMORY = 64, LONGEST = 8 * MEGABYTE };

/* An object whose operation takes a sequence of anys, and returns how many there are. */
static void dispatch(PortableServer_Servant servant, struct whittle_request *request)
{
    uint32_t count = 0, index = 0;
    const char *at = whittle_find32(&request->in, request->at, &count, request->swapped);
    (void)servant;
    for (; index < count && at != NULL; index++) {
        CORBA_any any;
        at = whittle_cdr_in_any(&request->in, at, &any, request->swapped);
    }
    if (at == NULL) {
        whittle_request_marshal(request);
        return;
    }
    char *const to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
    if (to != NULL)
        whittle_poke32(to, index);
    whittle_reply_end(request, to == NULL ? NULL : to + 4);
}

static const struct whittle_interface anys = {"IDL:Test/Anys:1.0", (const char *const[]){"IDL:Test/Anys:1.0", NULL}, dispatch};

/* `message` begins a request with room for parameters; so many anys of one kind, as they are on the wire, behind it. */
static void send_anys(int fd, const char *key, uint32_t key_length, const char *any, size_t size, uint32_t count)
{
    struct bytes head;
    message_request(&head, 2, 7, true, key, key_length, "anys", &count, false);
    whittle_poke32(head.at + WHITTLE_SIZE_AT, (uint32_t)(head.size - WHITTLE_HEADER + size * count));
    peer_write(fd, head.at, head.size);
    char *const all = (char *)malloc(size * count);
    for (uint32_t index = 0; index < count; index++)
        memcpy(all + size * index, any, size);
    peer_write(fd, all, size * count);
    free(all);
}

static void reply_is(int fd, enum whittle_reply_status status, const char *id, CORBA_Environment *ev)
{
    struct bytes reply;
    CHECK(peer_read(fd, &reply) >= 24 && reply.at[WHITTLE_TYPE_AT] == WHITTLE_REPLY);
    CHECK(whittle_peek32(reply.at + 16, false) == (uint32_t)status);
    CHECK(id == NULL || strcmp(reply.at + 28, id) == 0);
}

/* Few bytes of a message that become many: an any takes ten times what it came in. */
static void values_are_bounded(const struct victim *victim, CORBA_Environment *ev)
{
    const uint32_t number[2] = {CORBA_tk_long, 5};
    const uint32_t text[4] = {CORBA_tk_string, 0, 1, 0};
    POA_PortableServer_ServantActivator servant = {(void *)(uintptr_t)&anys, ((POA_PortableServer_ServantActivator *)(void *)&victim->echo)->vepv};
    CORBA_Object const object = PortableServer_POA_servant_to_reference(victim->root, &servant, ev);
    GOOD();
    uint32_t length;
    const char *const key = peer_key(victim->orb, object, &length, ev);
    const int fd = peer_connect(victim->port);
    send_anys(fd, key, length, (const char *)number, sizeof number, 1000);
    reply_is(fd, WHITTLE_NO_EXCEPTION, NULL, ev);
    send_anys(fd, key, length, (const char *)number, sizeof number, LONGEST / 8 - 100);
    reply_is(fd, WHITTLE_SYSTEM_EXCEPTION_REPLY, ex_CORBA_NO_MEMORY, ev);
    send_anys(fd, key, length, (const char *)text, sizeof text, LONGEST / 16 - 100);
    reply_is(fd, WHITTLE_SYSTEM_EXCEPTION_REPLY, ex_CORBA_NO_MEMORY, ev);
    send_anys(fd, key, length, (const char *)number, sizeof number, 1000);
    reply_is(fd, WHITTLE_NO_EXCEPTION, NULL, ev);
    close(fd);
    PortableServer_ObjectId *const id = PortableServer_POA_reference_to_id(victim->root, object, ev);
    PortableServer_POA_deactivate_object(victim->root, id, ev);
    CORBA_free(id);
    CORBA_Object_release(object, ev);
    GOOD();
}

/* Many messages of which all but a byte comes, whole or in fragments: memory stays within its bound, and others are served. */
static void unfinished_messages(const struct victim *victim, CORBA_Environment *ev)
{
    enum { PEERS = 24 };
    struct whittle_net_usage usage;
    struct bytes head;
    int all[PEERS];
    const size_t size = LONGEST - 4096;
    char *const much = (char *)calloc(1, size);
    for (int index = 0; index < PEERS; index++) {
        all[index] = peer_connect(victim->port);
        message_request(&head, 2, 5, true, victim->key, victim->key_length, "bytes", NULL, false);
        if (index % 2 == 0) {
            whittle_poke32(head.at + WHITTLE_SIZE_AT, (uint32_t)(head.size + size - WHITTLE_HEADER + 1));
        } else {
            head.at[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
            peer_write(all[index], head.at, head.size);
            message_begin(&head, 2, WHITTLE_FRAGMENT, WHITTLE_HOST_FLAG | WHITTLE_FLAG_MORE);
            message_word(&head, 5, false);
            whittle_poke32(head.at + WHITTLE_SIZE_AT, (uint32_t)(head.size + size - WHITTLE_HEADER));
        }
        peer_write(all[index], head.at, head.size);
        for (size_t sent = 0; sent < size;) {
            struct pollfd watched = {all[index], POLLOUT, 0};
            const ssize_t went = poll(&watched, 1, 2000) != 1 ? -1 : send(all[index], much, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (went <= 0)
                break;
            sent += (size_t)went;
        }
        if (index % 6 == 5)
            still_serves(victim, ev);
    }
    whittle_orb_usage(victim->orb, &usage);
    CHECK(usage.memory_bound == (uint64_t)MEMORY * MEGABYTE && usage.memory_most <= usage.memory_bound);
    for (int index = 0; index < PEERS; index++)
        close(all[index]);
    free(much);
    still_serves(victim, ev);
}

/* A byte now and then is no progress: such a connection is closed, as one is that says nothing. */
static void a_byte_now_and_then(const struct victim *victim, CORBA_Environment *ev)
{
    struct bytes message;
    const struct timespec moment = {0, 50000000};
    const int fd = peer_connect(victim->port);
    message_request(&message, 2, 1, true, victim->key, victim->key_length, "nothing", NULL, false);
    whittle_poke32(message.at + WHITTLE_SIZE_AT, 60000);
    peer_write(fd, message.at, message.size);
    int sent = 0;
    for (; sent < 200; sent++) {
        struct pollfd watched = {fd, POLLIN, 0};
        if (send(fd, "", 1, MSG_NOSIGNAL) != 1 || poll(&watched, 1, 0) == 1)
            break;
        nanosleep(&moment, NULL);
    }
    CHECK(sent < 200);
    close(fd);
    still_serves(victim, ev);
}

/* Requests that wait for a manager count, too: when they take all there is, the next one is refused in words. */
static void requests_that_wait(const struct victim *victim, CORBA_Environment *ev)
{
    enum { REQUESTS = 60 };
    struct whittle_net_usage usage;
    struct bytes head, reply;
    const size_t size = 2 * MEGABYTE;
    char *const much = (char *)calloc(1, size);
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(victim->root, ev);
    PortableServer_POAManager_hold_requests(manager, CORBA_TRUE, ev);
    int all[REQUESTS];
    for (int index = 0; index < REQUESTS; index++) {
        all[index] = peer_connect(victim->port);
        message_request(&head, 2, (uint32_t)index, true, victim->key, victim->key_length, "nothing", NULL, false);
        whittle_poke32(head.at + WHITTLE_SIZE_AT, (uint32_t)(head.size + size - WHITTLE_HEADER));
        peer_write(all[index], head.at, head.size);
        for (size_t sent = 0; sent < size;) {
            struct pollfd watched = {all[index], POLLOUT, 0};
            const ssize_t went = poll(&watched, 1, 500) != 1 ? -1 : send(all[index], much, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (went <= 0)
                break;
            sent += (size_t)went;
        }
    }
    whittle_orb_usage(victim->orb, &usage);
    CHECK(usage.memory_most <= usage.memory_bound);
    PortableServer_POAManager_activate(manager, ev);
    GOOD();
    CORBA_Object_release(manager, ev);
    int served = 0;
    for (int index = 0; index < REQUESTS; index++) {
        struct pollfd watched = {all[index], POLLIN, 0};
        if (poll(&watched, 1, 2000) == 1 && peer_read(all[index], &reply) > 0 && whittle_peek32(reply.at + 16, false) == WHITTLE_NO_EXCEPTION)
            served++;
        close(all[index]);
    }
    CHECK(served >= MEMORY / 2 / 4);
    free(much);
    still_serves(victim, ev);
}

int main(int argc, char **argv)
{
    static const char *const options[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", "-ORBMaxMessage", "8388608", "-ORBMaxDecoded", "16777216",
                                          "-ORBMaxMemory", "64", "-ORBPatience", "400", NULL};
    CORBA_Environment environment, *const ev = &environment;
    struct victim victim;
    const int only = argc > 1 ? atoi(argv[1]) : 0;
    CORBA_exception_init(ev);
    signal(SIGPIPE, SIG_IGN);
    victim_open_with(&victim, options, ev);
    if (only == 0 || only == 1)
        values_are_bounded(&victim, ev);
    if (only == 0 || only == 2)
        unfinished_messages(&victim, ev);
    if (only == 0 || only == 3)
        a_byte_now_and_then(&victim, ev);
    if (only == 0 || only == 4)
        requests_that_wait(&victim, ev);
    victim_close(&victim, ev);
    return 0;
}
