/* SPDX-License-Identifier: MIT-0 */
/*
 * The link fluke between threads of one process, without a kernel: a call goes on in the client's own thread, into the server's code
 * (as in Fluke, and in the doors of other systems). The first four words are arguments of that call, which the machine's calling
 * convention has in registers; the rest stays where the client wrote it. Calls of several threads run at the same time.
 */
#ifndef WHITTLE_FLUKE_THREADS_H
#define WHITTLE_FLUKE_THREADS_H
#include <stdint.h>

#define WHITTLE_FLUKE_REGISTERS 4
#ifndef WHITTLE_FLUKE_LONGEST
#define WHITTLE_FLUKE_LONGEST (8u << 20)        /* 64 MB */
#endif
#define WHITTLE_FLUKE_OBJECTS 8
struct whittle_fluke_threads;
/* A reference that is counted: whoever was given one releases it. NULL: to no object. */
typedef struct whittle_fluke_threads *whittle_fluke_object;
typedef struct whittle_fluke_threads *whittle_fluke_port;
#include "whittle_fluke_kernel.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A port that nobody serves yet: calls wait until somebody does. NULL: no memory. */
whittle_fluke_port whittle_fluke_port_new(void);
/* Calls that are running end; others get GONE, and who serves the port returns. From any thread. */
void whittle_fluke_port_close(whittle_fluke_port port);
/* Closes it, too. References to it remain valid; calls through them get GONE. Not while it is served. */
void whittle_fluke_port_free(whittle_fluke_port port);
/* A reference to what is served there. */
whittle_fluke_object whittle_fluke_port_object(whittle_fluke_port port);
/* Another reference to the same; one less. Both take NULL. */
whittle_fluke_object whittle_fluke_object_copy(whittle_fluke_object object);
void whittle_fluke_object_free(whittle_fluke_object object);

/* For the functions below. */
int whittle_fluke_threads_call(whittle_fluke_object object, struct whittle_fluke_message *request, struct whittle_fluke_message *reply);
int whittle_fluke_threads_serve(whittle_fluke_port port, whittle_fluke_enter enter, const void *served);
#ifdef __cplusplus
}
#endif

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_call(whittle_fluke_object object, struct whittle_fluke_message *request,
                                            struct whittle_fluke_message *reply)
{
    return whittle_fluke_threads_call(object, request, reply);
}

WHITTLE_FLUKE_INLINE void whittle_fluke_kernel_drop(struct whittle_fluke_message *message)
{
    uint32_t i;
    for (i = 0; i < message->object_count; i++)
        if ((message->kept >> i & 1) == 0)
            whittle_fluke_object_free(message->objects[i]);
    message->object_count = 0;
}

/* In the sender's thread, too: whatever the server does is done when it returns. */
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_send(whittle_fluke_object object, struct whittle_fluke_message *request)
{
    struct whittle_fluke_message reply;
    int status;
    reply.words = NULL;
    reply.room = reply.most = WHITTLE_FLUKE_REGISTERS;
    reply.owned = NULL;
    status = whittle_fluke_threads_call(object, request, &reply);
    if (status == WHITTLE_FLUKE_OK)
        whittle_fluke_kernel_drop(&reply);
    return status == WHITTLE_FLUKE_BAD_REPLY ? WHITTLE_FLUKE_OK : status;
}

WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_serve(whittle_fluke_port port, whittle_fluke_enter enter, const void *served)
{
    return whittle_fluke_threads_serve(port, enter, served);
}
#endif
