/* whittle's stubs, skeletons and ORB over IIOP, in this machine's byte order. The reference goes from the server to the client in a file. */
#include "driver.h"
#include "flick.h"
#include <stdio.h>
#include <string.h>

static CORBA_Environment ev;
static flick_Sink sink;
static enum workload workload;
static flick_Ints ints;
static flick_Rects rects;
static flick_Dirents dirents;

static void must(CORBA_Environment *env)
{
    if (env->_major != CORBA_NO_EXCEPTION)
        driver_fail(CORBA_exception_id(env));
}

static void nothing(PortableServer_Servant servant, CORBA_Environment *env) { (void)servant, (void)env; }

static void put_ints(PortableServer_Servant servant, const flick_Ints *items, CORBA_Environment *env)
{
    (void)servant, (void)items, (void)env;
}

static void put_rects(PortableServer_Servant servant, const flick_Rects *items, CORBA_Environment *env)
{
    (void)servant, (void)items, (void)env;
}

static void put_dirents(PortableServer_Servant servant, const flick_Dirents *items, CORBA_Environment *env)
{
    (void)servant, (void)items, (void)env;
}

static PortableServer_ServantBase__epv base;
static POA_flick_Sink__epv functions = {
    .nothing = nothing, .put_ints = put_ints, .put_rects = put_rects, .put_dirents = put_dirents};
static POA_flick_Sink__vepv tables = {&base, &functions};
static POA_flick_Sink servant = {NULL, &tables};

static CORBA_ORB begin(int argc, char **argv)
{
    CORBA_exception_init(&ev);
    CORBA_ORB orb = CORBA_ORB_init(&argc, argv, "", &ev);
    must(&ev);
    return orb;
}

void participant_serve(const char *host, uint16_t port, const char *path)
{
    char endpoint[300], *argv[] = {"giop", "-ORBEndPoint", endpoint, NULL};
    if (path != NULL)
        driver_fail("TCP alone");
    snprintf(endpoint, sizeof endpoint, "giop:tcp:%s:%u", host, port);
    CORBA_ORB orb = begin(3, argv);
    PortableServer_POA adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    must(&ev);
    POA_flick_Sink__init(&servant, &ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &servant, &ev));
    must(&ev);
    CORBA_Object reference = PortableServer_POA_servant_to_reference(adapter, &servant, &ev);
    must(&ev);
    driver_publish(CORBA_ORB_object_to_string(orb, reference, &ev));
    PortableServer_POAManager_activate(PortableServer_POA__get_the_POAManager(adapter, &ev), &ev);
    must(&ev);
    driver_ready();
    CORBA_ORB_run(orb, &ev);
}

void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data)
{
    char *argv[] = {"giop", NULL};
    (void)host, (void)port, (void)path;
    sink = CORBA_ORB_string_to_object(begin(1, argv), driver_reference(), &ev);
    must(&ev);
    workload = data->workload;
    ints = (flick_Ints){data->count, data->count, (CORBA_long *)data->items.ints, CORBA_FALSE};
    rects = (flick_Rects){data->count, data->count, (flick_Rect *)(void *)data->items.rects, CORBA_FALSE};
    if (workload != DIRENTS)
        return;
    dirents = (flick_Dirents){data->count, data->count, flick_Dirents_allocbuf(data->count), CORBA_FALSE};
    for (uint32_t i = 0; i < data->count; i++) {
        const struct dirent_item *const item = &data->items.dirents[i];
        dirents._buffer[i].name = item->name;
        memcpy(dirents._buffer[i].info.fields, item->fields, sizeof item->fields);
        memcpy(dirents._buffer[i].info.tag, item->tag, sizeof item->tag);
    }
}

void participant_call(void)
{
    switch (workload) {
    case NOTHING: flick_Sink_nothing(sink, &ev); break;
    case INTS: flick_Sink_put_ints(sink, &ints, &ev); break;
    case RECTS: flick_Sink_put_rects(sink, &rects, &ev); break;
    case DIRENTS: flick_Sink_put_dirents(sink, &dirents, &ev); break;
    }
    must(&ev);
}

/* A thread waits for each call: more under way would be more threads. */
int participant_pipeline(long count)
{
    for (long n = 0; n < count; n++)
        participant_call();
    return 1;
}
