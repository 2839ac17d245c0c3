/* SPDX-License-Identifier: MIT-0 */
/* Who serves: an ORB of its own, and the objects in it, found by their keys. */
#include "iiop_parts.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { WHITTLE_IIOP_BUCKETS = 256 };

struct whittle_iiop_server {
    CORBA_ORB orb;
    pthread_mutex_t lock;               /* of what follows */
    struct whittle_iiop_object *first, **last;
    struct whittle_iiop_object *buckets[WHITTLE_IIOP_BUCKETS];
    char *name;                         /* of the next object */
};

static struct whittle_iiop_object **whittle_iiop_bucket(struct whittle_iiop_server *server, const char *key, uint32_t length)
{
    return &server->buckets[whittle_hash(key, length) % WHITTLE_IIOP_BUCKETS];
}

/* With the lock held. */
static struct whittle_iiop_object *whittle_iiop_of_key(struct whittle_iiop_server *server, const char *key, uint32_t length)
{
    struct whittle_iiop_object *object = *whittle_iiop_bucket(server, key, length);
    while (object != NULL && (object->key_length != length || memcmp(object->key, key, length) != 0))
        object = object->next_of_hash;
    return object;
}

static const struct whittle_interface *whittle_iiop_found(void *finder, const char *key, uint32_t length, PortableServer_Servant *servant)
{
    struct whittle_iiop_server *const server = (struct whittle_iiop_server *)finder;
    pthread_mutex_lock(&server->lock);
    struct whittle_iiop_object *const object = whittle_iiop_of_key(server, key, length);
    pthread_mutex_unlock(&server->lock);
    *servant = object;
    return object == NULL ? NULL : object->interface;
}

static bool whittle_iiop_options(struct whittle_options *to, const struct whittle_iiop_server_options *from)
{
    *to = whittle_options_usual();
    if (from == NULL)
        return true;
    const struct { uint32_t *to, asked; } numbers[] = {
        {&to->longest, from->longest}, {&to->decoded, from->decoded}, {&to->pending, from->pending}, {&to->memory, from->memory},
        {&to->connections, from->connections}, {&to->patience, from->patience}, {&to->grace, from->grace}};
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++)
        if (numbers[index].asked != 0)
            *numbers[index].to = numbers[index].asked;
    to->workers = from->workers > 1 ? from->workers - 1 : 0;
    to->publish = from->publish == NULL ? NULL : strdup(from->publish);
    return from->publish == NULL || to->publish != NULL;
}

/* Each has an ORB of its own: its id is its address. */
static CORBA_ORB whittle_iiop_server_orb(const void *server, struct whittle_options *options)
{
    char id[48];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    snprintf(id, sizeof id, "whittle_iiop_server %p", server);
    CORBA_ORB const orb = whittle_orb_open(id, options, &ev);
    CORBA_exception_free(&ev);
    return orb;
}

struct whittle_iiop_server *whittle_iiop_server_new(const struct whittle_iiop_server_options *given)
{
    struct whittle_options options;
    struct whittle_iiop_server *const server = (struct whittle_iiop_server *)calloc(1, sizeof *server);
    if (server == NULL || !whittle_iiop_options(&options, given) || (server->orb = whittle_iiop_server_orb(server, &options)) == NULL) {
        free(server);
        return NULL;
    }
    pthread_mutex_init(&server->lock, NULL);
    server->last = &server->first;
    server->orb->finder = server;
    server->orb->find = whittle_iiop_found;
    return server;
}

void whittle_iiop_server_free(struct whittle_iiop_server *server)
{
    CORBA_Environment ev;
    if (server == NULL)
        return;
    CORBA_exception_init(&ev);
    CORBA_ORB_destroy(server->orb, &ev);
    CORBA_exception_free(&ev);
    whittle_drop(&server->orb->head);
    for (struct whittle_iiop_object *object = server->first, *next; object != NULL; object = next) {
        next = object->next;
        free(object->key);
        free(object->reference);
        free(object);
    }
    pthread_mutex_destroy(&server->lock);
    free(server->name);
    free(server);
}

/* Into the ORB's options: `[tcp://]host:port`, `shm:name` or `auto:name@host:port`. A status. */
static int whittle_iiop_address_read(struct whittle_options *options, const char *text)
{
    struct whittle_net_address address;
    const bool known = strstr(text, "://") == NULL || strncmp(text, "tcp://", 6) == 0;
    const bool local = strncmp(text, "shm:", 4) == 0, both = strncmp(text, "auto:", 5) == 0;
    if (!known || !whittle_net_address_parse(&address, text) || (address.transport == WHITTLE_NET_UNIX && !local)) {
        if (known)
            whittle_net_address_drop(&address);
        return whittle_iiop_fail(WHITTLE_IIOP_BAD_PARAM, WHITTLE_BAD_OPTION, WHITTLE_IIOP_NOT_BEGUN);
    }
    free(options->host);
    free(options->local);
    options->local = address.local == NULL ? NULL : strdup(whittle_net_local_name(address.local));
    options->host = address.host;
    options->port = address.port;
    options->end_point = !local;
    address.host = NULL;
    whittle_net_address_drop(&address);
    return (local || both) && options->local == NULL ? whittle_iiop_fail(WHITTLE_IIOP_NO_MEMORY, 0, WHITTLE_IIOP_NOT_BEGUN) : 0;
}

/* Listens as the ORB's options say, where it does not yet. */
static int whittle_iiop_listening(struct whittle_iiop_server *server)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    errno = 0;
    pthread_mutex_lock(&server->lock);
    whittle_listen_at(server->orb, &ev);
    pthread_mutex_unlock(&server->lock);
    return whittle_iiop_status_of(&ev);
}

int whittle_iiop_server_listen(struct whittle_iiop_server *server, const char *address)
{
    if (whittle_orb_listens(server->orb))
        return whittle_iiop_fail(WHITTLE_IIOP_BAD_INV_ORDER, 0, WHITTLE_IIOP_NOT_BEGUN);
    const int failed = whittle_iiop_address_read(&server->orb->options, address);
    return failed != 0 ? failed : whittle_iiop_listening(server);
}

uint16_t whittle_iiop_server_port(const struct whittle_iiop_server *server)
{
    return whittle_orb_port(server->orb);
}

int whittle_iiop_server_name(struct whittle_iiop_server *server, const char *name)
{
    char *const copy = strdup(name);
    pthread_mutex_lock(&server->lock);
    free(server->name);
    server->name = copy;
    pthread_mutex_unlock(&server->lock);
    return copy != NULL ? 0 : whittle_iiop_fail(WHITTLE_IIOP_NO_MEMORY, 0, WHITTLE_IIOP_NOT_BEGUN);
}

/* The name that was given, or the interface's, and a number where there is one already. With the lock held. */
static char *whittle_iiop_key(struct whittle_iiop_server *server, const char *interface)
{
    char *key = server->name;
    server->name = NULL;
    const size_t room = strlen(interface) + 24;
    if (key != NULL || (key = (char *)malloc(room)) == NULL)
        return key;
    snprintf(key, room, "%s", interface);
    for (size_t number = 2; whittle_iiop_of_key(server, key, (uint32_t)strlen(key)) != NULL; number++)
        snprintf(key, room, "%s-%zu", interface, number);
    return key;
}

int whittle_iiop_serve(struct whittle_iiop_server *server, const struct whittle_interface *interface, const char *name, const void *operations,
                       void *context)
{
    struct whittle_iiop_object *const object = (struct whittle_iiop_object *)calloc(1, sizeof *object);
    pthread_mutex_lock(&server->lock);
    char *const key = object == NULL ? NULL : whittle_iiop_key(server, name);
    const uint32_t length = key == NULL ? 0 : (uint32_t)strlen(key);
    const bool taken = key != NULL && whittle_iiop_of_key(server, key, length) != NULL;
    if (key != NULL && !taken) {
        struct whittle_iiop_object **const bucket = whittle_iiop_bucket(server, key, length);
        *object = (struct whittle_iiop_object){
            .operations = operations, .context = context, .next_of_hash = *bucket, .interface = interface, .key = key, .key_length = length};
        *bucket = *server->last = object;
        server->last = &object->next;
    }
    pthread_mutex_unlock(&server->lock);
    if (key != NULL && !taken)
        return 0;
    free(key);
    free(object);
    return whittle_iiop_fail(taken ? WHITTLE_IIOP_BAD_PARAM : WHITTLE_IIOP_NO_MEMORY, 0, WHITTLE_IIOP_NOT_BEGUN);
}

static char *whittle_iiop_reference_text(CORBA_ORB orb, const struct whittle_iiop_object *object)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct whittle_profile *const profile = (struct whittle_profile *)calloc(1, sizeof *profile);
    if (profile == NULL || !whittle_profile_make(profile, (uint8_t)orb->options.version, &orb->at, object->key, object->key_length, true)) {
        if (profile != NULL)
            whittle_profile_drop(profile);
        free(profile);
        return NULL;
    }
    struct whittle_reference *const reference = whittle_reference_new(orb, object->interface->repository_id, profile, 1);
    CORBA_char *const given = reference == NULL ? NULL : CORBA_ORB_object_to_string(orb, &reference->head, &ev);
    char *const text = given == NULL ? NULL : strdup(given);
    CORBA_free(given);
    CORBA_exception_free(&ev);
    if (reference != NULL)
        whittle_drop(&reference->head);
    return text;
}

const char *whittle_iiop_server_reference(struct whittle_iiop_server *server, size_t index)
{
    if (whittle_iiop_listening(server) != 0)
        return NULL;
    pthread_mutex_lock(&server->lock);
    struct whittle_iiop_object *object = server->first;
    for (size_t at = 0; object != NULL && at < index; at++)
        object = object->next;
    if (object != NULL && object->reference == NULL)
        object->reference = whittle_iiop_reference_text(server->orb, object);
    const char *const reference = object == NULL ? NULL : object->reference;
    pthread_mutex_unlock(&server->lock);
    return reference;
}

int whittle_iiop_server_run(struct whittle_iiop_server *server)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const int failed = whittle_iiop_listening(server);
    if (failed != 0)
        return failed;
    CORBA_ORB_run(server->orb, &ev);
    return whittle_iiop_status_of(&ev);
}

void whittle_iiop_server_stop(struct whittle_iiop_server *server)
{
    const int before = errno;
    __atomic_store_n(&server->orb->stopping, true, __ATOMIC_SEQ_CST);
    whittle_net_stop(&server->orb->net);
    errno = before;
}

void whittle_iiop_server_usage(const struct whittle_iiop_server *server, struct whittle_net_usage *usage)
{
    whittle_orb_usage(server->orb, usage);
}
