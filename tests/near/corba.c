/* The style of CORBA's mapping for C. The server's adapter is one whose objects outlive it, so that their keys are known. */
#include "peer.h"
#include "near.h"

/* Each has an ORB, and so connections of its own. */
struct peer {
    CORBA_ORB orb;
    near object;
};
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

static enum outcome outcome_of(CORBA_Environment *ev)
{
    static const struct { const char *id; enum outcome outcome; } known[] = {
        {ex_CORBA_TIMEOUT, LATE}, {ex_CORBA_COMM_FAILURE, LOST}, {ex_CORBA_TRANSIENT, REFUSED}, {ex_CORBA_NO_RESOURCES, FULL}};
    enum outcome outcome = ev->_major == CORBA_NO_EXCEPTION ? GOOD : OTHER;
    for (size_t index = 0; outcome == OTHER && index < sizeof known / sizeof known[0]; index++)
        if (strcmp(CORBA_exception_id(ev), known[index].id) == 0)
            outcome = known[index].outcome;
    CORBA_exception_free(ev);
    return outcome;
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

enum outcome peer_add(struct peer *peer, int32_t left, int32_t right, int32_t *sum)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *sum = near_add(peer->object, left, right, &ev);
    return outcome_of(&ev);
}

enum outcome peer_rest(struct peer *peer, uint32_t milliseconds)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    near_rest(peer->object, milliseconds, &ev);
    return outcome_of(&ev);
}

enum outcome peer_take(struct peer *peer, uint8_t *bytes, uint32_t count, uint32_t *taken)
{
    CORBA_Environment ev;
    const block given = {count, count, bytes, CORBA_FALSE};
    CORBA_exception_init(&ev);
    *taken = near_take(peer->object, &given, &ev);
    return outcome_of(&ev);
}

enum outcome peer_give(struct peer *peer, uint32_t count, bool *as_it_should)
{
    CORBA_Environment ev;
    block *given = NULL;
    CORBA_exception_init(&ev);
    near_give(peer->object, count, &given, &ev);
    *as_it_should = ev._major == CORBA_NO_EXCEPTION && given->_length == count && is_filled(given->_buffer, count);
    if (ev._major == CORBA_NO_EXCEPTION)
        CORBA_free(given);
    return outcome_of(&ev);
}

enum outcome peer_note(struct peer *peer, int32_t number)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    near_note(peer->object, number, &ev);
    return outcome_of(&ev);
}

enum outcome peer_noted(struct peer *peer, int32_t *sum)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *sum = near_noted(peer->object, &ev);
    return outcome_of(&ev);
}

static CORBA_long add(PortableServer_Servant servant, CORBA_long left, CORBA_long right, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return (CORBA_long)((uint32_t)left + (uint32_t)right);
}

static CORBA_long rest(PortableServer_Servant servant, CORBA_unsigned_long milliseconds, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    servant_rest(milliseconds);
    return 1;
}

static CORBA_unsigned_long take(PortableServer_Servant servant, const block *bytes, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return is_filled(bytes->_buffer, bytes->_length) ? bytes->_length : 0;
}

static void give(PortableServer_Servant servant, CORBA_unsigned_long count, block **bytes, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    *bytes = block__alloc();
    CHECK(*bytes != NULL);
    **bytes = (block){count, count, CORBA_sequence_CORBA_octet_allocbuf(count + 1), CORBA_TRUE};
    servant_fill((*bytes)->_buffer, count);
}

static CORBA_long sum_of_notes;

static void note(PortableServer_Servant servant, CORBA_long number, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    __atomic_fetch_add(&sum_of_notes, number, __ATOMIC_RELAXED);
}

static CORBA_long noted(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return __atomic_load_n(&sum_of_notes, __ATOMIC_RELAXED);
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

void peer_serve(const char *name, uint32_t workers, void (*ready)(void))
{
    static PortableServer_ServantBase__epv base;
    static POA_near__epv functions = {NULL, add, rest, take, give, note, noted};
    static POA_near__vepv all = {&base, &functions};
    static POA_near servant = {NULL, &all};
    char end_point[128], threads[16];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    snprintf(end_point, sizeof end_point, "giop:shm:%s", name);
    snprintf(threads, sizeof threads, "%u", (unsigned)workers);
    const char *const options[] = {"-ORBEndPoint", end_point, "-ORBWorkers", threads};
    CORBA_ORB const orb = orb_of("server", options, 4);
    PortableServer_POA const root = CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev), poa = lasting(root, &ev);
    POA_near__init(&servant, &ev);
    PortableServer_ObjectId *const id = PortableServer_string_to_ObjectId("near", &ev);
    PortableServer_POA_activate_object_with_id(poa, id, &servant, &ev);
    CORBA_Object const object = PortableServer_POA_servant_to_reference(poa, &servant, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION && object != CORBA_OBJECT_NIL);
    ready();
    CORBA_ORB_run(orb, &ev);
}
