/* SPDX-License-Identifier: MIT-0 */
/* Servers: objects and their ports. */
#include "server.h"

/* A port of our own, among those of the set. */
static mach_port_t whittle_mach_port_new(const struct whittle_mach_server *server)
{
    mach_port_t port = MACH_PORT_NULL;
    if (mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &port) != KERN_SUCCESS)
        return MACH_PORT_NULL;
    if (mach_port_move_member(mach_task_self(), port, server->set) == KERN_SUCCESS)
        return port;
    (void)mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1);
    return MACH_PORT_NULL;
}

struct whittle_mach_server *whittle_mach_server_new(const struct whittle_mach_server_options *options)
{
    struct whittle_mach_server *const server = (struct whittle_mach_server *)calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    if (options != NULL)
        server->options = *options;
    struct whittle_mach_server_options *const of = &server->options;
    of->longest = of->longest == 0 ? 16u << 20 : of->longest;
    of->decoded = of->decoded != 0 ? of->decoded : of->longest > UINT32_MAX / 4 ? UINT32_MAX : 4 * of->longest;
    if (mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_PORT_SET, &server->set) == KERN_SUCCESS) {
        server->control = whittle_mach_port_new(server);
        if (server->control != MACH_PORT_NULL)
            return server;
        (void)mach_port_mod_refs(mach_task_self(), server->set, MACH_PORT_RIGHT_PORT_SET, -1);
    }
    free(server);
    return NULL;
}

void whittle_mach_server_free(struct whittle_mach_server *server)
{
    if (server == NULL)
        return;
    for (size_t i = 0; i < server->count; i++)
        if (server->objects[i].is_given)
            (void)mach_port_move_member(mach_task_self(), server->objects[i].port, MACH_PORT_NULL);
        else
            (void)mach_port_mod_refs(mach_task_self(), server->objects[i].port, MACH_PORT_RIGHT_RECEIVE, -1);
    (void)mach_port_mod_refs(mach_task_self(), server->control, MACH_PORT_RIGHT_RECEIVE, -1);
    (void)mach_port_mod_refs(mach_task_self(), server->set, MACH_PORT_RIGHT_PORT_SET, -1);
    free(server->objects);
    free(server);
}

void whittle_mach_server_use(struct whittle_mach_server *server, mach_port_t port)
{
    server->next = port;
}

mach_port_t whittle_mach_server_port(const struct whittle_mach_server *server, size_t index)
{
    return index < server->count ? server->objects[index].port : MACH_PORT_NULL;
}

int whittle_mach_serve(struct whittle_mach_server *server, const struct whittle_mach_interface *interface, const void *operations, void *context)
{
    const bool is_given = server->next != MACH_PORT_NULL;
    struct whittle_mach_object *const objects =
        (struct whittle_mach_object *)realloc(server->objects, (server->count + 1) * sizeof *objects);
    if (objects == NULL)
        return WHITTLE_MACH_NO_MEMORY;
    server->objects = objects;
    mach_port_t port = is_given ? server->next : whittle_mach_port_new(server);
    if (is_given && mach_port_move_member(mach_task_self(), port, server->set) != KERN_SUCCESS)
        port = MACH_PORT_NULL;
    if (port == MACH_PORT_NULL)
        return WHITTLE_MACH_KERNEL;
    objects[server->count++] = (struct whittle_mach_object){port, is_given, interface, operations, context};
    server->next = MACH_PORT_NULL;
    return WHITTLE_MACH_OK;
}

void whittle_mach_server_stop(struct whittle_mach_server *server)
{
    mach_msg_header_t header;
    memset(&header, 0, sizeof header);
    header.msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_MAKE_SEND, 0);
    header.msgh_size = sizeof header;
    header.msgh_remote_port = server->control;
    __atomic_store_n(&server->stops, true, __ATOMIC_RELEASE);
    /* A queue that is full wakes it as well. */
    if (mach_msg(&header, MACH_SEND_MSG | MACH_SEND_TIMEOUT, sizeof header, 0, MACH_PORT_NULL, 0, MACH_PORT_NULL) == MACH_SEND_TIMED_OUT)
        whittle_mach_discard_returned((char *)&header);
}
