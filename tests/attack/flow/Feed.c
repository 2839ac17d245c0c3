/* SPDX-License-Identifier: MIT-0 */
/* The honest sender: a packet each millisecond until it is asked to end. At the end it says how many it has sent. */
#include "Feed.h"
#include <stdio.h>
#include <time.h>

static uint64_t sent;

bool feed(struct Feed *self)
{
    const struct timespec pause = {0, 1000000};
    struct timespec now;
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &now);
    self->stamp->number = sent;
    self->stamp->moment = (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
    const bool goes_on = Feed_send_stamp(self);
    sent++;
    return goes_on;
}

void Feed_end(struct Feed *self)
{
    (void)self;
    printf("sent %llu\n", (unsigned long long)sent);
}
