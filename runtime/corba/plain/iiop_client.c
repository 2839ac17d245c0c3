/* SPDX-License-Identifier: MIT-0 */
/* Whom calls go to. All clients of a process share an ORB, and so connections; it ends with the last of them. */
#include "iiop_parts.h"
#include <stdlib.h>

static pthread_mutex_t whittle_iiop_lock = PTHREAD_MUTEX_INITIALIZER;
static CORBA_ORB whittle_iiop_orb;
static size_t whittle_iiop_clients;

/* The ORB for one client more. */
static CORBA_ORB whittle_iiop_orb_take(CORBA_Environment *ev)
{
    struct whittle_options options = whittle_options_usual();
    options.timeout = WHITTLE_IIOP_USUAL_TIMEOUT;     /* of who asks for other references: corbaname:... */
    pthread_mutex_lock(&whittle_iiop_lock);
    if (whittle_iiop_clients == 0)
        whittle_iiop_orb = whittle_orb_open("whittle_iiop_client", &options, ev);
    CORBA_ORB const orb = whittle_iiop_orb;
    whittle_iiop_clients += orb != NULL;
    pthread_mutex_unlock(&whittle_iiop_lock);
    return orb;
}

static void whittle_iiop_orb_give(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    pthread_mutex_lock(&whittle_iiop_lock);
    if (--whittle_iiop_clients == 0) {
        CORBA_ORB_destroy(whittle_iiop_orb, &ev);
        whittle_drop(&whittle_iiop_orb->head);
        whittle_iiop_orb = NULL;
    }
    pthread_mutex_unlock(&whittle_iiop_lock);
    CORBA_exception_free(&ev);
}

static CORBA_Object whittle_iiop_find(CORBA_ORB orb, const char *reference, CORBA_Environment *ev)
{
    CORBA_Object const object = reference == NULL ? CORBA_OBJECT_NIL : CORBA_ORB_string_to_object(orb, reference, ev);
    if (ev->_major == CORBA_NO_EXCEPTION && object == CORBA_OBJECT_NIL)
        WHITTLE_RAISE(ev, INV_OBJREF, 0, NO);
    return object;
}

struct whittle_iiop_client *whittle_iiop_client_open(const char *reference, const struct whittle_iiop_client_options *options, int *status)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct whittle_iiop_client *const client = (struct whittle_iiop_client *)malloc(sizeof *client);
    CORBA_ORB const orb = client == NULL ? NULL : whittle_iiop_orb_take(&ev);
    CORBA_Object const object = orb == NULL ? CORBA_OBJECT_NIL : whittle_iiop_find(orb, reference, &ev);
    const uint32_t asked = options == NULL ? 0 : options->timeout;
    if (client == NULL)
        WHITTLE_RAISE(&ev, NO_MEMORY, 0, NO);
    const int failed = whittle_iiop_status_of(&ev);
    if (status != NULL)
        *status = failed;
    if (failed != 0) {
        whittle_drop(object);
        if (orb != NULL)
            whittle_iiop_orb_give();
        free(client);
        return NULL;
    }
    whittle_object_forwards(object, options == NULL ? (enum whittle_forwards)0 : (enum whittle_forwards)options->forwards);
    whittle_object_timeout(object, asked == 0 ? (uint32_t)WHITTLE_IIOP_USUAL_TIMEOUT : asked);
    client->object = object;
    return client;
}

void whittle_iiop_client_close(struct whittle_iiop_client *client)
{
    if (client == NULL)
        return;
    whittle_drop(client->object);
    whittle_iiop_orb_give();
    free(client);
}

int whittle_iiop_client_is_a(struct whittle_iiop_client *client, const char *repository_id)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const bool is = CORBA_Object_is_a(client->object, repository_id, &ev);
    const int failed = whittle_iiop_status_of(&ev);
    return failed != 0 ? failed : is;
}

int whittle_iiop_client_exists(struct whittle_iiop_client *client)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const bool gone = CORBA_Object_non_existent(client->object, &ev);
    const int failed = whittle_iiop_status_of(&ev);
    return failed != 0 ? failed : !gone;
}
