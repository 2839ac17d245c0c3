/* The style of CORBA's mapping for C, over GIOP: mapped.h. The server's adapter is one whose objects outlive it, so that their keys are known. */
#include "mapped.h"

const uint32_t peer_workers = 3;

static CORBA_ORB orb_of(const char *id, const char *const *options, int count)
{
    char *arguments[16] = {(char *)(uintptr_t)"near"};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (int index = 0; index < count; index++)
        arguments[index + 1] = (char *)(uintptr_t)options[index];
    count++;
    CORBA_ORB const orb = CORBA_ORB_init(&count, arguments, id, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
    return orb;
}

struct peer *peer_open(const char *name, uint32_t milliseconds)
{
    char reference[128], id[32];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct peer *const peer = (struct peer *)malloc(sizeof *peer);
    CHECK(peer != NULL);
    snprintf(reference, sizeof reference, "corbaloc:shm:%s/Wp%%00%%02p%%00near", name);
    static int number;
    snprintf(id, sizeof id, "client %d", number++);
    peer->orb = orb_of(id, NULL, 0);
    peer->object = CORBA_ORB_string_to_object(peer->orb, reference, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION && peer->object != CORBA_OBJECT_NIL);
    whittle_object_timeout(peer->object, milliseconds);
    return peer;
}

void peer_close(struct peer *peer)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_Object_release(peer->object, &ev);
    CORBA_ORB_destroy(peer->orb, &ev);
    CORBA_Object_release((CORBA_Object)peer->orb, &ev);
    free(peer);
}

static PortableServer_POA lasting(PortableServer_POA root, CORBA_Environment *ev)
{
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, ev);
    CORBA_Policy policies[2] = {PortableServer_POA_create_lifespan_policy(root, PortableServer_PERSISTENT, ev),
                                PortableServer_POA_create_id_assignment_policy(root, PortableServer_USER_ID, ev)};
    const CORBA_PolicyList list = {2, 2, policies, CORBA_FALSE};
    PortableServer_POA const poa = PortableServer_POA_create_POA(root, "p", manager, &list, ev);
    PortableServer_POAManager_activate(manager, ev);
    return poa;
}

static CORBA_ORB served;

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    char end_point[128], threads[16];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    snprintf(end_point, sizeof end_point, "giop:shm:%s", name);
    snprintf(threads, sizeof threads, "%u", (unsigned)workers);
    const char *const options[] = {"-ORBEndPoint", end_point, "-ORBWorkers", threads};
    CORBA_ORB const orb = served = orb_of("server", options, 4);
    PortableServer_POA const root = CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev), poa = lasting(root, &ev);
    POA_near__init(&servant, &ev);
    PortableServer_ObjectId *const id = PortableServer_string_to_ObjectId("near", &ev);
    PortableServer_POA_activate_object_with_id(poa, id, &servant, &ev);
    CORBA_Object const object = PortableServer_POA_servant_to_reference(poa, &servant, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION && object != CORBA_OBJECT_NIL);
    ready();
    CORBA_ORB_run(orb, &ev);
}

void peer_stop(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB_shutdown(served, CORBA_FALSE, &ev);
}
