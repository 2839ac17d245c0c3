/* SPDX-License-Identifier: MIT-0 */
/* The calls that wait at a client, oldest first; all of them fail with its connection. */
#include "client.h"

void whittle_net_call_remove(struct whittle_net_client *client, struct whittle_net_call *call)
{
    if (!call->waiting)
        return;
    call->waiting = false;
    if (call->previous != NULL)
        call->previous->next = call->next;
    else
        client->first = call->next;
    if (call->next != NULL)
        call->next->previous = call->previous;
    else
        client->last = call->previous;
}

void whittle_net_call_done(struct whittle_net_client *client, struct whittle_net_call *call, int failure)
{
    pthread_cond_t *const waiter = (pthread_cond_t *)call->waiter;
    const bool serves = call->serves;
    whittle_net_call_remove(client, call);
    call->status = failure;
    /* From here on whoever finds it done without the lock may end it: only who waits with a condition, or serves, cannot yet. */
    __atomic_store_n(&call->done, true, __ATOMIC_RELEASE);
    if (serves)
        client->protocol->wake(client);
    else if (waiter != NULL)
        pthread_cond_signal(waiter);
}

WHITTLE_NET_COLD void whittle_net_client_fail(struct whittle_net_client *client, int failure)
{
    while (client->first != NULL)
        whittle_net_call_done(client, client->first, failure);
    /* Who refuses datagrams is looked for anew: it may be at another address, or port, next time. */
    if (!client->open || (client->datagrams && failure != WHITTLE_NET_REFUSED))
        return;
    __atomic_store_n(&client->open, false, __ATOMIC_RELEASE);
    if (!client->datagrams)
        client->stream.ops->hang_up(&client->stream, SHUT_RDWR);        /* whoever reads or writes sees its end */
}

bool whittle_net_call_decodes_late(struct whittle_net_call *call)
{
    enum { OFTEN = 1024, TO_RELEASE = 40 };     /* looks at the clock; nanoseconds for each piece, which are the call's, too */
    if (call->deadline != 0 && ++call->taken % OFTEN == 0)
        call->late = call->late || whittle_net_now() + (uint64_t)call->taken * TO_RELEASE >= call->deadline;
    return call->late;
}
