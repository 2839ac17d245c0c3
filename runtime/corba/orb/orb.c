/* SPDX-License-Identifier: MIT-0 */
/* ORBs: begun, run, ended. Source: CORBA 3.3 part 1, sections 8.2 and 8.5. */
#include "parts.h"
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Those of this process, the last one first: who calls ORB_init with an id that is there gets that one. */
static pthread_mutex_t whittle_orbs_lock = PTHREAD_MUTEX_INITIALIZER;
static CORBA_ORB whittle_orbs;

static void *whittle_work(void *orb)
{
    whittle_loop_run((CORBA_ORB)orb);
    return NULL;
}

static CORBA_ORB whittle_orb_new(const char *id, const struct whittle_options *options)
{
    struct timespec now;
    CORBA_ORB const orb = (CORBA_ORB)calloc(1, sizeof *orb);
    if (orb == NULL)
        return NULL;
    orb->head = (struct CORBA_Object_struct){WHITTLE_AN_ORB, 1};
    orb->options = *options;
    orb->shared = options->workers > 0;
    clock_gettime(CLOCK_REALTIME, &now);
    orb->stamp = ((uint64_t)now.tv_sec << 32 | (uint64_t)now.tv_nsec) ^ ((uint64_t)getpid() << 40) ^ (uintptr_t)orb;
    whittle_net_pool_open(&orb->pool, 0);
    whittle_net_pool_open(&orb->replies, (size_t)options->memory << 20);
    pthread_mutex_init(&orb->lock, NULL);
    pthread_mutex_init(&orb->loop, NULL);
    pthread_mutex_init(&orb->gate, NULL);
    pthread_cond_init(&orb->idle, NULL);
    orb->id = strdup(id);
    if (orb->id != NULL && whittle_loop_open(orb))
        return orb;
    orb->options = (struct whittle_options){.initial = NULL};
    whittle_orb_destroy(orb);
    return NULL;
}

/* With the process's lock held. */
static CORBA_ORB whittle_orb_find(const char *id)
{
    CORBA_ORB orb = whittle_orbs;
    while (orb != NULL && (orb->destroyed || strcmp(orb->id, id) != 0))
        orb = orb->next;
    return orb;
}

CORBA_ORB whittle_orb_open(const char *id, struct whittle_options *options, CORBA_Environment *ev)
{
    pthread_mutex_lock(&whittle_orbs_lock);
    CORBA_ORB orb = whittle_orb_find(id);
    if (orb != NULL) {
        whittle_keep(&orb->head);
        whittle_options_drop(options);
    } else if ((orb = whittle_orb_new(id, options)) != NULL) {
        whittle_keep(&orb->head);   /* the process's own, until the ORB is destroyed */
        orb->next = whittle_orbs;
        whittle_orbs = orb;
    } else {
        whittle_options_drop(options);
        WHITTLE_RAISE(ev, INITIALIZE, 0, NO);
    }
    pthread_mutex_unlock(&whittle_orbs_lock);
    return orb;
}

CORBA_ORB CORBA_ORB_init(int *argc, char **argv, const CORBA_char *orb_identifier, CORBA_Environment *ev)
{
    struct whittle_options options;
    if (!whittle_options_read(&options, argc, argv, ev))
        return NULL;
    return whittle_orb_open(orb_identifier == NULL ? "" : orb_identifier, &options, ev);
}

CORBA_ORB whittle_orb_at_hand(void)
{
    if (whittle_current != NULL)
        return whittle_current->orb;
    return __atomic_load_n(&whittle_orbs, __ATOMIC_ACQUIRE);
}

/* The last reference is gone, and with it everything that could use it. */
void whittle_orb_destroy(CORBA_ORB orb)
{
    whittle_net_server_close(&orb->net);
    whittle_options_drop(&orb->options);
    whittle_net_pool_close(&orb->pool);
    whittle_net_pool_close(&orb->replies);
    pthread_mutex_destroy(&orb->lock);
    pthread_mutex_destroy(&orb->loop);
    pthread_mutex_destroy(&orb->gate);
    pthread_cond_destroy(&orb->idle);
    free(orb->id);
    free(orb->at.host);
    free(orb);
}

static bool whittle_orb_is_open(CORBA_ORB orb, CORBA_Environment *ev)
{
    if (orb == NULL || orb->head.kind != WHITTLE_AN_ORB)
        whittle_nil(ev);
    else if (whittle_orb_has_ended(orb))
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 4, NO);
    return ev->_major == CORBA_NO_EXCEPTION;
}

/* Workers run beside the thread that runs the ORB, from its first request on: as many as there is memory for. */
static void whittle_workers_begin(CORBA_ORB orb)
{
    bool good = true;
    pthread_mutex_lock(&orb->lock);
    if (orb->workers == NULL && orb->options.workers > 0) {
        orb->workers = (pthread_t *)calloc(orb->options.workers, sizeof *orb->workers);
        while (orb->workers != NULL && orb->worker_count < orb->options.workers && good) {
            good = pthread_create(&orb->workers[orb->worker_count], NULL, whittle_work, orb) == 0;
            orb->worker_count += good;
        }
    }
    pthread_mutex_unlock(&orb->lock);
}

void CORBA_ORB_run(CORBA_ORB orb, CORBA_Environment *ev)
{
    if (!whittle_orb_is_open(orb, ev))
        return;
    whittle_workers_begin(orb);
    whittle_loop_run(orb);
    whittle_loop_end(orb, true);
}

CORBA_boolean CORBA_ORB_work_pending(CORBA_ORB orb, CORBA_Environment *ev)
{
    return whittle_orb_is_open(orb, ev) && whittle_loop_has_work(orb, 0);
}

void CORBA_ORB_perform_work(CORBA_ORB orb, CORBA_Environment *ev)
{
    if (!whittle_orb_is_open(orb, ev))
        return;
    whittle_loop_once(orb);
}

void CORBA_ORB_shutdown(CORBA_ORB orb, CORBA_boolean wait_for_completion, CORBA_Environment *ev)
{
    if (orb == NULL || orb->head.kind != WHITTLE_AN_ORB)
        whittle_nil(ev);
    else if (wait_for_completion && whittle_current != NULL && whittle_current->orb == orb)
        WHITTLE_RAISE(ev, BAD_INV_ORDER, WHITTLE_OMG | 3, NO);
    else
        whittle_loop_end(orb, wait_for_completion);
}

void CORBA_ORB_destroy(CORBA_ORB orb, CORBA_Environment *ev)
{
    CORBA_ORB_shutdown(orb, CORBA_TRUE, ev);
    if (ev->_major != CORBA_NO_EXCEPTION)
        return;
    pthread_mutex_lock(&whittle_orbs_lock);
    const bool first = !orb->destroyed;
    orb->destroyed = true;
    CORBA_ORB *place = &whittle_orbs;
    while (*place != NULL && *place != orb)
        place = &(*place)->next;
    if (*place == orb)
        *place = orb->next;
    pthread_mutex_unlock(&whittle_orbs_lock);
    if (!first)
        return;
    for (uint32_t index = 0; index < orb->worker_count; index++)
        pthread_join(orb->workers[index], NULL);
    free(orb->workers);
    orb->workers = NULL;
    orb->worker_count = 0;
    whittle_adapters_end(orb);
    whittle_client_close_all(orb);
    whittle_drop(orb->current);
    orb->current = NULL;
    whittle_drop(&orb->head);
}
