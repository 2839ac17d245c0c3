/* SPDX-License-Identifier: MIT-0 */
/*
 * Waiting for a reply. Who finds nobody reading reads, and hands to others what is theirs; when its own has come, somebody else
 * who waits is woken to read on. Datagrams are sent again meanwhile.
 */
#include "client.h"
#include <errno.h>
#include <poll.h>
#include <time.h>

/* The next moment at which the call has something to do other than wait; 0: none. */
static uint64_t whittle_onc_due(const struct whittle_onc_call *call)
{
    const bool again = call->again != 0 && (call->deadline == 0 || call->again < call->deadline);
    return again ? call->again : call->deadline;
}

/* Its time is over, or it is cancelled, or to be sent again. */
WHITTLE_ONC_RARE static void whittle_onc_look_up(struct whittle_onc_client *client, struct whittle_onc_call *call, uint64_t now)
{
    enum { MOST = 16 };     /* times the first interval */
    if (!whittle_onc_client_goes_on(client, call->epoch)) {
        whittle_onc_call_done(client, call, WHITTLE_ONC_CANCELLED);
    } else if (call->deadline != 0 && now >= call->deadline) {
        whittle_onc_call_done(client, call, WHITTLE_ONC_TIMED_OUT);
    } else if (call->again != 0 && now >= call->again) {
        if (call->interval < MOST * client->retransmit)
            call->interval *= 2;
        call->again = now + call->interval;
        const int status = whittle_onc_send_datagram(client, call);
        if (status != WHITTLE_ONC_OK)
            whittle_onc_call_done(client, call, status);
    }
}

/* Nobody else reads. */
static void whittle_onc_lead(struct whittle_onc_client *client, struct whittle_onc_call *call, uint64_t now)
{
    const uint64_t due = whittle_onc_due(call);
    if (now != 0 && due != 0 && due < now + WHITTLE_ONC_SLICE) {
        client->reading = true;
        pthread_mutex_unlock(&client->lock);
        const int found = whittle_onc_wait_for(client->fd, POLLIN, due);
        pthread_mutex_lock(&client->lock);
        client->reading = false;
        if (found == 0)
            return;
    }
    whittle_onc_read_once(client, 0);
}

static void whittle_onc_waiter_open(pthread_cond_t *waiter)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(waiter, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Somebody else reads. */
WHITTLE_ONC_RARE static void whittle_onc_follow(struct whittle_onc_client *client, struct whittle_onc_call *call, pthread_cond_t *waiter)
{
    const uint64_t due = whittle_onc_due(call), slice = whittle_onc_now() + WHITTLE_ONC_SLICE;
    const uint64_t until = due != 0 && due < slice ? due : slice;
    const struct timespec moment = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    if (call->waiter == NULL) {
        whittle_onc_waiter_open(waiter);
        call->waiter = waiter;
    }
    pthread_cond_timedwait(waiter, &client->lock, &moment);
}

void whittle_onc_hand_over(struct whittle_onc_client *client)
{
    for (struct whittle_onc_call *other = client->first; other != NULL && !client->reading; other = other->next)
        if (other->waiter != NULL) {
            pthread_cond_signal((pthread_cond_t *)other->waiter);
            return;
        }
}

void whittle_onc_wait(struct whittle_onc_call *call, bool just_sent)
{
    struct whittle_onc_client *const client = call->client;
    pthread_cond_t waiter;
    pthread_mutex_lock(&client->lock);
    bool first = just_sent && !client->hasty;
    while (!call->done) {
        const uint64_t now = first ? 0 : whittle_onc_now();
        if (!first)
            whittle_onc_look_up(client, call, now);
        first = false;
        if (call->done)
            break;
        if (client->reading)
            whittle_onc_follow(client, call, &waiter);
        else
            whittle_onc_lead(client, call, now);
    }
    const bool opened = call->waiter != NULL;
    call->waiter = NULL;
    whittle_onc_hand_over(client);
    if (!client->open)
        pthread_cond_broadcast(&client->calm);
    pthread_mutex_unlock(&client->lock);
    if (opened)
        pthread_cond_destroy(&waiter);
}
