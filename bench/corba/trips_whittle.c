/* Round trips through whittle's stubs, skeletons and ORB. */
#include "flick.h"
#include "trips.h"
#include <stdio.h>
#include <stdlib.h>

static CORBA_Environment ev;
static flick_Sink sink;

static void must(CORBA_Environment *env)
{
    if (env->_major != CORBA_NO_EXCEPTION)
        trips_failed(CORBA_exception_id(env));
}

static void nothing(PortableServer_Servant servant, CORBA_Environment *env) { (void)servant, (void)env; }

static void put_ints(PortableServer_Servant servant, const flick_Ints *items, CORBA_Environment *env)
{
    (void)servant, (void)env;
    if (items->_buffer[items->_length - 1] != trips_number(items->_length - 1))
        trips_failed("other numbers came");
}

static PortableServer_ServantBase__epv base;
static POA_flick_Sink__epv functions = {.nothing = nothing, .put_ints = put_ints};
static POA_flick_Sink__vepv tables = {&base, &functions};
static POA_flick_Sink servant = {NULL, &tables};

static CORBA_ORB begin(int argc, char **argv)
{
    CORBA_exception_init(&ev);
    CORBA_ORB orb = CORBA_ORB_init(&argc, argv, "", &ev);
    must(&ev);
    return orb;
}

void trips_serve(int argc, char **argv)
{
    CORBA_ORB orb = begin(argc, argv);
    PortableServer_POA adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    POA_flick_Sink__init(&servant, &ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &servant, &ev));
    must(&ev);
    puts(CORBA_ORB_object_to_string(orb, PortableServer_POA_servant_to_reference(adapter, &servant, &ev), &ev));
    fflush(stdout);
    PortableServer_POAManager_activate(PortableServer_POA__get_the_POAManager(adapter, &ev), &ev);
    CORBA_ORB_run(orb, &ev);
    must(&ev);
}

void trips_open(int argc, char **argv, const char *reference)
{
    sink = CORBA_ORB_string_to_object(begin(argc, argv), reference, &ev);
    must(&ev);
}

void trips_nothing(void)
{
    flick_Sink_nothing(sink, &ev);
    must(&ev);
}

void trips_ints(int32_t *numbers, uint32_t count)
{
    const flick_Ints items = {count, count, numbers, CORBA_FALSE};
    flick_Sink_put_ints(sink, &items, &ev);
    must(&ev);
}
