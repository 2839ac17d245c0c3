/* A task that sends requests changed at random while calls go on, and what rights a task has. The kernel refuses some, the server the others. */
#ifndef DISTURBING_H
#define DISTURBING_H
#include "support.h"
#include "forged.h"

enum { STACK = 1 << 20, MESSAGES = 4000 };

static uint64_t state = 88172645463325252u;
static uint32_t any(uint32_t limit)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 11) % limit;
}

static void disturb(mach_port_t to, struct forged (*request)(mach_port_t to, mach_port_t reply))
{
    mach_port_t const reply = mach_reply_port();
    /* A change may move a right away. */
    ASSERT_RET(mach_port_mod_refs(mach_task_self(), to, MACH_PORT_RIGHT_SEND, MESSAGES), "more rights to send");
    for (int i = 0; i < MESSAGES; i++) {
        struct forged forged = request(to, any(4) == 0 ? MACH_PORT_NULL : reply);
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

/* A task beside this one, with a right to send of its own. */
static task_t start_beside(void (*function)(void *), mach_port_t port)
{
    task_t task;
    ASSERT_RET(task_create(mach_task_self(), TRUE, &task), "a task");
    ASSERT_RET(mach_port_insert_right(task, port, port, MACH_MSG_TYPE_COPY_SEND), "a right to send");
    test_thread_start(task, function, (void *)(uintptr_t)port);
    return task;
}
static void await_end(task_t task)
{
    mach_port_type_t type;
    for (int i = 0; i < 600 && mach_port_type(mach_task_self(), task, &type) == KERN_SUCCESS && !(type & MACH_PORT_TYPE_DEAD_NAME); i++)
        msleep(100);
}

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
#endif
