/*
 * Calls over ports: small and large messages, several threads, a server that does not answer or ends, and messages that nobody should send.
 * Whatever they bring is released: kernel.c counts rights and memory.
 */
#include <pthread.h>
#include <time.h>
#include "store.h"
#include "carrier.h"
#include "tries.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static int hold(void *context)
{
    (void)context;
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
    return 0;
}

static void *serving(void *server)
{
    EXPECT(whittle_mach_server_run(server) == 0);
    return NULL;
}

static void *calling(void *client)
{
    int32_t result;
    for (int i = 0; i < 300; i++)
        EXPECT(Store_add(client, i, 5, &result) == 0 && result == i + 5);
    for (uint32_t i = 0; i < 20; i++) {
        struct Bytes got;
        EXPECT(Store_get(client, i * 3000, &got) == 0 && got.length == i * 3000);
        Bytes_free(&got);
        EXPECT(Store_note(client, 1) == 0);
    }
    return NULL;
}

/* Nobody serves the port: in time, and when it ends. */
static void *ending(void *port)
{
    nanosleep(&(struct timespec){0, 100000000}, NULL);
    EXPECT(mach_port_mod_refs(mach_task_self(), *(mach_port_t *)port, MACH_PORT_RIGHT_RECEIVE, -1) == KERN_SUCCESS);
    return NULL;
}
/* Who answers with more than a reply: a right to send. */
static void *asking_back(void *port)
{
    mach_port_t const to = *(mach_port_t *)port;
    struct {
        mach_msg_header_t header;
        char bytes[1000];
    } message;
    EXPECT(mach_msg(&message.header, MACH_RCV_MSG, 0, sizeof message, to, 0, MACH_PORT_NULL) == MACH_MSG_SUCCESS);
    message.header.msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_MOVE_SEND_ONCE, MACH_MSG_TYPE_MAKE_SEND);
    message.header.msgh_local_port = to;
    message.header.msgh_id += 100;
    EXPECT(mach_msg(&message.header, MACH_SEND_MSG, message.header.msgh_size, 0, MACH_PORT_NULL, 0, MACH_PORT_NULL) == MACH_MSG_SUCCESS);
    return NULL;
}

/* Nobody reads: what cannot be sent in time comes back, memory beside it included. */
static void full_queues(struct whittle_mach_client *hurried)
{
    uint32_t count;
    struct Bytes data = {100000, calloc(100000, 1)};
    for (int i = 0; i < 5; i++)
        EXPECT(Store_note(hurried, 1) == (i < 3 ? 0 : WHITTLE_MACH_TIMED_OUT));
    EXPECT(Store_put(hurried, &data, &count) == WHITTLE_MACH_TIMED_OUT && Store_hold(hurried) == WHITTLE_MACH_TIMED_OUT);
    Bytes_free(&data);
}

static void misfortunes(void)
{
    mach_port_t port;
    pthread_t thread;
    int status;
    EXPECT(mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &port) == KERN_SUCCESS);
    EXPECT(mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS);
    struct whittle_mach_client *const hurried = whittle_mach_client_open(port, &(struct whittle_mach_client_options){.timeout = 50}, &status);
    EXPECT(hurried != NULL && status == 0 && Store_hold(hurried) == WHITTLE_MACH_TIMED_OUT && Store_hold(hurried) == WHITTLE_MACH_TIMED_OUT);
    full_queues(hurried);
    whittle_mach_client_close(hurried);
    EXPECT(mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1) == KERN_SUCCESS);
    EXPECT(mach_port_deallocate(mach_task_self(), port) == KERN_SUCCESS);
    EXPECT(mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &port) == KERN_SUCCESS);
    EXPECT(mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS);
    struct whittle_mach_client *const client = whittle_mach_client_open(port, NULL, NULL);
    pthread_create(&thread, NULL, asking_back, &port);
    EXPECT(Store_hold(client) == WHITTLE_MACH_BAD_REPLY);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, ending, &port);
    EXPECT(Store_hold(client) == WHITTLE_MACH_LOST);
    pthread_join(thread, NULL);
    EXPECT(Store_hold(client) == WHITTLE_MACH_BAD_PORT && Store_note(client, 1) == WHITTLE_MACH_BAD_PORT);
    whittle_mach_client_close(client);
    EXPECT(mach_port_deallocate(mach_task_self(), port) == KERN_SUCCESS);
    EXPECT(whittle_mach_client_open(MACH_PORT_NULL, NULL, &status) == NULL && status == WHITTLE_MACH_BAD_PORT);
}

/* What comes back may be forged as well: the client sees to itself. */
static int which;
static void forge_reply(mach_msg_header_t *header)
{
    struct forged *const forged = (struct forged *)header;
    if (header->msgh_remote_port != MACH_PORT_NULL)
        return;
    switch (which) {
    case 0: header->msgh_id++; break;
    case 1: forged->type.msgtl_number = 3; break;
    case 2: forged->type.msgtl_number = 0x7fffffff; break;
    case 3: forged->type.msgtl_size = 32; break;
    case 4: header->msgh_size = sizeof(mach_msg_header_t); break;
    case 5: forged->type = type_of(MACH_MSG_TYPE_INTEGER_32, 32, 2, 1); break;
    }
}
static void replies(struct whittle_mach_client *client)
{
    static const int expected[] = {WHITTLE_MACH_BAD_REPLY, WHITTLE_MACH_CANNOT_UNMARSHAL, WHITTLE_MACH_BAD_REPLY,
                                   WHITTLE_MACH_BAD_REPLY, WHITTLE_MACH_BAD_REPLY, WHITTLE_MACH_BAD_REPLY};
    int32_t result;
    mach_transit = forge_reply;
    for (which = 0; which < 6; which++)
        EXPECT(Store_add(client, 1, 2, &result) == expected[which] && result == 0);
    mach_transit = NULL;
    EXPECT(Store_add(client, 1, 2, &result) == 0 && result == 3);
}

int main(void)
{
    pthread_t threads[2], callers[4];
    struct whittle_mach_server *const server = whittle_mach_server_new(NULL);
    EXPECT(Store_serve(server, &operations, NULL) == 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serving, server);
    mach_port_t const port = right_to(server, 0);
    struct whittle_mach_client *const client = whittle_mach_client_open(port, NULL, NULL);
    sizes(client);
    for (int i = 0; i < 4; i++)
        pthread_create(&callers[i], NULL, calling, client);
    for (int i = 0; i < 4; i++)
        pthread_join(callers[i], NULL);
    /* Who notes is not waited for. */
    for (int i = 0; i < 5000 && __atomic_load_n(&noted, __ATOMIC_RELAXED) < 80; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    EXPECT(__atomic_load_n(&noted, __ATOMIC_RELAXED) == 80);
    forgeries(port, client);
    replies(client);
    /* A call that takes too long does no harm to the next. */
    struct whittle_mach_client *const hurried = whittle_mach_client_open(port, &(struct whittle_mach_client_options){.timeout = 50}, NULL);
    int32_t result;
    pthread_mutex_lock(&held);
    EXPECT(Store_hold(hurried) == WHITTLE_MACH_TIMED_OUT);
    pthread_mutex_unlock(&held);
    EXPECT(Store_add(hurried, 1, 2, &result) == 0 && result == 3);
    whittle_mach_client_close(hurried);
    whittle_mach_client_close(client);
    whittle_mach_server_stop(server);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    whittle_mach_server_free(server);
    misfortunes();
    return failures == 0 ? 0 : 1;
}
