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
#include "disturbing.h"

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

static struct forged a_request(mach_port_t to, mach_port_t reply)
{
    struct forged forged = good(to, reply);
    forged.header.msgh_id = id_of(any(2) ? "sum" : "add");
    if (any(3) == 0) {
        forged.header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
        forged.other = type_of(MACH_MSG_TYPE_COPY_SEND, 8 * sizeof(mach_port_name_inlined_t), 1, 1);
        forged.port.name = to;
    }
    return forged;
}
static void disturbs(void *port) { disturb((mach_port_t)(uintptr_t)port, a_request); }
static void disturbing_task(void *port) { on_stack(STACK, disturbs, port); }

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
    task_t const task = start_beside(disturbing_task, port);
    for (int i = 0; i < 3 * MESSAGES; i++)
        EXPECT(Store_add(client, i, 2, &result) == 0 && result == i + 2);
    await_end(task);
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
