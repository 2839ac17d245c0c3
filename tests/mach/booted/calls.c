/*
 * Calls over the ports of a kernel that is booted for it: a client and a server, each in a task of its own. All sizes, forged requests, a third
 * task that sends whatever comes to its mind while calls go on, and a server that ends in the middle of a call. Beside its memory the server has
 * what it had before.
 */
#include "support.h"
#include "whittle_mach.c"
#include "store_types.c"
#include "store_client.c"
#include "store_server.c"
#include "tries.h"

enum { STACK = 1 << 20, MESSAGES = 4000 };

static int hold(void *context)
{
    (void)context;
    (void)task_terminate(mach_task_self());
    return 0;
}

static void serves(void *port)
{
    struct whittle_mach_server *const server = whittle_mach_server_new(NULL);
    whittle_mach_server_use(server, (mach_port_t)(uintptr_t)port);
    EXPECT(Store_serve(server, &operations, NULL) == 0);
    whittle_mach_server_run(server);
    FAILURE("the server ends");
}
static void server_task(void *port) { on_stack(STACK, serves, port); }

/* Good requests that are changed at random: the kernel refuses some, the server the others. */
static uint64_t state = 88172645463325252u;
static uint32_t any(uint32_t limit)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}
static void disturbs(void *port)
{
    mach_port_t const to = (mach_port_t)(uintptr_t)port, reply = mach_reply_port();
    /* A change may move a right away. */
    ASSERT_RET(mach_port_mod_refs(mach_task_self(), to, MACH_PORT_RIGHT_SEND, MESSAGES), "more rights to send");
    for (int i = 0; i < MESSAGES; i++) {
        struct forged forged = good(to, any(4) == 0 ? MACH_PORT_NULL : reply);
        forged.header.msgh_id = id_of(any(2) ? "sum" : "add");
        if (any(3) == 0) {
            forged.header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
            forged.other = type_of(MACH_MSG_TYPE_COPY_SEND, 8 * sizeof(mach_port_name_inlined_t), 1, 1);
            forged.port.name = to;
        }
        uint32_t const size = any(4) ? sizeof forged : sizeof forged.header + any(sizeof forged - sizeof forged.header) / 8 * 8;
        for (uint32_t changes = any(4); changes > 0; changes--)
            ((char *)&forged)[sizeof forged.header + any(sizeof forged - sizeof forged.header)] ^= (char)(1 << any(8));
        mach_msg_return_t const result = mach_msg(&forged.header, MACH_SEND_MSG | MACH_SEND_TIMEOUT | MACH_RCV_MSG | MACH_RCV_TIMEOUT, size,
                                                  sizeof forged, reply, 10, MACH_PORT_NULL);
        if (result == MACH_MSG_SUCCESS)
            whittle_mach_discard((char *)&forged);
    }
    (void)task_terminate(mach_task_self());
}
static void disturbing_task(void *port) { on_stack(STACK, disturbs, port); }

/* But for rights to receive: the test library makes a port for each call of the kernel. */
static unsigned rights_of(task_t task)
{
    unsigned rights = 0;
    mach_port_t *names;
    mach_port_type_t *types;
    mach_msg_type_number_t count, other;
    ASSERT_RET(mach_port_names(task, &names, &count, &types, &other), "the names of the server's rights");
    for (mach_msg_type_number_t i = 0; i < count; i++)
        rights += types[i] != MACH_PORT_TYPE_RECEIVE;
    vm_deallocate(mach_task_self(), (vm_address_t)names, count * sizeof *names);
    vm_deallocate(mach_task_self(), (vm_address_t)types, other * sizeof *types);
    return rights;
}

static void tries(void *unused)
{
    (void)unused;
    mach_port_t port;
    int32_t result;
    task_t const server = start_task(server_task, &port);
    struct whittle_mach_client *const client = whittle_mach_client_open(port, NULL, NULL);
    EXPECT(Store_add(client, 1, 2, &result) == 0 && result == 3);
    sizes(client);
    unsigned const before = rights_of(server);
    forgeries(port, client);
    printf("forged requests are refused\n");
    task_t task;
    ASSERT_RET(task_create(mach_task_self(), TRUE, &task), "a task");
    ASSERT_RET(mach_port_insert_right(task, port, port, MACH_MSG_TYPE_COPY_SEND), "a right to send");
    test_thread_start(task, disturbing_task, (void *)(uintptr_t)port);
    for (int i = 0; i < 3 * MESSAGES; i++)
        EXPECT(Store_add(client, i, 2, &result) == 0 && result == i + 2);
    mach_port_type_t type;
    for (int i = 0; i < 600 && mach_port_type(mach_task_self(), task, &type) == KERN_SUCCESS && !(type & MACH_PORT_TYPE_DEAD_NAME); i++)
        msleep(100);
    EXPECT(Store_add(client, 1, 2, &result) == 0 && result == 3);
    unsigned const after = rights_of(server);
    printf("the server has %u rights, and %u before\n", after, before);
    EXPECT(after == before);
    printf("%d messages of another task do no harm\n", MESSAGES);
    EXPECT(Store_hold(client) == WHITTLE_MACH_LOST);
    EXPECT(Store_add(client, 1, 2, &result) == WHITTLE_MACH_BAD_PORT);
    whittle_mach_client_close(client);
    printf("a server that ends is noticed\n");
}

int main(int argc, char **argv, int envc, char **envp)
{
    (void)argc, (void)argv, (void)envc, (void)envp;
    on_stack(STACK, tries, NULL);
    return 0;
}
