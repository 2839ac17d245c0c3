/* SPDX-License-Identifier: MIT-0 */
/* Requests that wait for a thread of the loop: epoll wakes one for each. */
#include "server.h"
#include <stdlib.h>
#include <unistd.h>

void whittle_net_jobs_wake(struct whittle_net_server *server)
{
    const uint64_t one = 1;
    if (write(server->job_event.fd, &one, sizeof one) < 0)
        return;     /* it counts to 2^64; and the sweep timer looks */
}

struct whittle_net_job *whittle_net_job_new(struct whittle_net_connection *connection, const struct whittle_net_message *message)
{
    struct whittle_net_server *const server = connection->server;
    /* One that is to be tried again needs it since memory is short. */
    if (message->buffer == NULL)
        whittle_net_budget_charge(&server->pool.budget, sizeof(struct whittle_net_job));
    else if (!whittle_net_budget_take(&server->pool.budget, sizeof(struct whittle_net_job), WHITTLE_NET_WANT_REQUEST))
        return NULL;
    struct whittle_net_job *const job = (struct whittle_net_job *)malloc(sizeof *job);
    if (job == NULL) {
        whittle_net_budget_give(&server->pool.budget, sizeof *job);
        return NULL;
    }
    *job = (struct whittle_net_job){NULL, connection, *message};
    whittle_net_source_keep(&connection->source);
    return job;
}

void whittle_net_job_put(struct whittle_net_job *job)
{
    struct whittle_net_server *const server = job->connection->server;
    job->next = NULL;
    pthread_mutex_lock(&server->gate);
    if (server->last_job != NULL)
        server->last_job->next = job;
    else
        server->jobs = job;
    server->last_job = job;
    pthread_mutex_unlock(&server->gate);
    whittle_net_jobs_wake(server);
}

bool whittle_net_job_add(struct whittle_net_connection *connection, const struct whittle_net_message *message)
{
    struct whittle_net_job *const job = whittle_net_job_new(connection, message);
    if (job != NULL)
        whittle_net_job_put(job);
    return job != NULL;
}

struct whittle_net_job *whittle_net_job_take(struct whittle_net_server *server)
{
    pthread_mutex_lock(&server->gate);  /* any thread may have added it, one of the program's own, too */
    struct whittle_net_job *const job = server->jobs;
    if (job != NULL && (server->jobs = job->next) == NULL)
        server->last_job = NULL;
    pthread_mutex_unlock(&server->gate);
    return job;
}

void whittle_net_job_free(struct whittle_net_server *server, struct whittle_net_job *job)
{
    whittle_net_source_drop(&job->connection->source);
    free(job);
    whittle_net_budget_give(&server->pool.budget, sizeof *job);
}
