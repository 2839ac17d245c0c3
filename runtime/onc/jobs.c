/* SPDX-License-Identifier: MIT-0 */
/* Requests that wait for a thread of the loop: epoll wakes one for each. */
#include "server.h"
#include <unistd.h>

void whittle_onc_job_add(struct whittle_onc_connection *connection, const struct whittle_onc_message *message)
{
    struct whittle_onc_server *const server = connection->server;
    struct whittle_onc_job *const job = (struct whittle_onc_job *)malloc(sizeof *job);
    const uint64_t one = 1;
    if (job == NULL) {      /* nobody can be told later: it is not served */
        whittle_onc_buffer_give(&server->pool, message->buffer);
        shutdown(connection->fd, SHUT_RDWR);
        whittle_onc_connection_served(connection);
        return;
    }
    *job = (struct whittle_onc_job){NULL, connection, *message};
    whittle_onc_connection_keep(connection);
    pthread_mutex_lock(&server->gate);
    if (server->last_job != NULL)
        server->last_job->next = job;
    else
        server->jobs = job;
    server->last_job = job;
    pthread_mutex_unlock(&server->gate);
    if (write(server->wake, &one, sizeof one) < 0)
        abort();    /* it counts to 2^64 */
}

static struct whittle_onc_job *whittle_onc_job_take(struct whittle_onc_server *server)
{
    whittle_onc_hold(server, &server->gate);
    struct whittle_onc_job *const job = server->jobs;
    if (job != NULL && (server->jobs = job->next) == NULL)
        server->last_job = NULL;
    whittle_onc_let_go(server, &server->gate);
    return job;
}

static void whittle_onc_job_serve(struct whittle_onc_server *server, struct whittle_onc_job *job)
{
    if (!whittle_onc_serve_message(server, job->connection, NULL, &job->message))
        shutdown(job->connection->fd, SHUT_RDWR);
    whittle_onc_connection_served(job->connection);
    whittle_onc_connection_drop(job->connection);
    free(job);
}

void whittle_onc_job_do(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events)
{
    uint64_t count;
    (void)watched;
    (void)events;
    if (read(server->wake, &count, sizeof count) < 0)
        return;
    struct whittle_onc_job *const job = whittle_onc_job_take(server);
    if (job != NULL)
        whittle_onc_job_serve(server, job);
}

void whittle_onc_jobs_finish(struct whittle_onc_server *server)
{
    for (struct whittle_onc_job *job; (job = whittle_onc_job_take(server)) != NULL;)
        whittle_onc_job_serve(server, job);
}
