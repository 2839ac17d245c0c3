/* SPDX-License-Identifier: MIT-0 */
/*
 * Waiting for a reply. Who finds nobody reading reads, and hands to others what is theirs; when its own has come, somebody else who
 * waits is woken to read on. A thread that is serving a request itself may go on serving others meanwhile.
 */
#include "client.h"
#include <errno.h>
#include <poll.h>

/* Its time is over, or it is cancelled, or something is to be sent again. */
WHITTLE_NET_COLD static void whittle_net_look_up(struct whittle_net_client *client, struct whittle_net_call *call, uint64_t now)
{
    if (!whittle_net_goes_on(client, call->epoch)) {
        whittle_net_call_done(client, call, WHITTLE_NET_CANCELLED);
    } else if (call->deadline != 0 && now >= call->deadline) {
        whittle_net_call_done(client, call, WHITTLE_NET_TIMED_OUT);
    } else if (call->again != 0 && now >= call->again) {
        const int failure = client->protocol->resend(client, call, now);
        if (failure != WHITTLE_NET_OK)
            whittle_net_call_done(client, call, failure);
    }
}

/* Nobody else reads. `now` 0: there is time. */
static void whittle_net_lead(struct whittle_net_client *client, struct whittle_net_call *call, uint64_t now)
{
    const uint64_t due = whittle_net_sooner(call->deadline, call->again);
    const bool due_soon = now != 0 && due != 0 && due < now + WHITTLE_NET_SLICE;
    if (due_soon) {
        client->reading = true;
        pthread_mutex_unlock(&client->lock);
        const int found = client->stream.ops->wait(&client->stream, POLLIN, due);
        pthread_mutex_lock(&client->lock);
        client->reading = false;
        if (found == 0)
            return;
    }
    whittle_net_receive(client, due_soon ? MSG_DONTWAIT : 0);
}

/* Somebody else reads. */
WHITTLE_NET_COLD static void whittle_net_follow(struct whittle_net_client *client, struct whittle_net_call *call, pthread_cond_t *waiter)
{
    if (call->waiter == NULL) {
        whittle_net_condition_open(waiter);
        call->waiter = waiter;
        client->waiters++;
    }
    whittle_net_condition_wait(waiter, &client->lock,
                               whittle_net_sooner(whittle_net_sooner(call->deadline, call->again), whittle_net_now() + WHITTLE_NET_SLICE));
}

/* Serves others, which may read from this connection, too. */
WHITTLE_NET_COLD static void whittle_net_serve_and_wait(struct whittle_net_client *client, struct whittle_net_call *call, uint64_t now)
{
    const uint64_t until = whittle_net_sooner(whittle_net_sooner(call->deadline, call->again), now + WHITTLE_NET_SLICE);
    client->waiters++;      /* whoever else reads meanwhile hands over to it */
    pthread_mutex_unlock(&client->lock);
    const bool readable = client->protocol->meanwhile(client, until);
    pthread_mutex_lock(&client->lock);
    client->waiters--;
    if (readable && !client->reading && !call->done)
        whittle_net_receive(client, MSG_DONTWAIT);
}

WHITTLE_NET_HOT void whittle_net_hand_over(struct whittle_net_client *client)
{
    if (client->waiters == 0)   /* many calls may be under way, and their thread not waiting */
        return;
    for (struct whittle_net_call *other = client->first; other != NULL && !client->reading; other = other->next)
        if (other->waiter != NULL) {
            pthread_cond_signal((pthread_cond_t *)other->waiter);
            return;
        } else if (other->serves) {
            client->protocol->wake(client);
            return;
        }
}

WHITTLE_NET_HOT void whittle_net_await(struct whittle_net_client *client, struct whittle_net_call *call, bool just_sent)
{
    pthread_cond_t waiter;
    if (__atomic_load_n(&call->done, __ATOMIC_ACQUIRE))     /* it came with another's */
        return;
    pthread_mutex_lock(&client->lock);
    bool first = just_sent && !call->slow && !client->short_deadlines && !call->serves;
    while (!call->done) {
        const uint64_t now = first ? 0 : whittle_net_now();
        if (!first)
            whittle_net_look_up(client, call, now);
        first = false;
        if (call->done)
            break;
        if (call->serves)
            whittle_net_serve_and_wait(client, call, now);
        else if (client->reading)
            whittle_net_follow(client, call, &waiter);
        else
            whittle_net_lead(client, call, now);
    }
    /* What began to come, and did not end in time, would hide the replies behind it. */
    if (call->status == WHITTLE_NET_TIMED_OUT && client->first == NULL && client->open && !client->reading && !client->datagrams
        && whittle_net_reader_is_mid_message(&client->reader))
        whittle_net_client_fail(client, WHITTLE_NET_LOST);
    const bool opened = call->waiter != NULL;
    call->waiter = NULL;
    client->waiters -= opened;
    whittle_net_hand_over(client);
    if (!client->open)
        pthread_cond_broadcast(&client->reader_left);
    pthread_mutex_unlock(&client->lock);
    if (opened)
        pthread_cond_destroy(&waiter);
}
