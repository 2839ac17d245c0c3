/* SPDX-License-Identifier: MIT-0 */
/* Object adapters, called from within the process: ids, policies, servant managers, managers' states. */
#include "check.h"
#include <pthread.h>
#include <time.h>

static const char *const here[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", NULL};

/* A child with these policies, and the root's manager. */
static PortableServer_POA child_of(PortableServer_POA root, const char *name, CORBA_Policy *policies, uint32_t count, CORBA_Environment *ev)
{
    const CORBA_PolicyList list = {count, count, policies, CORBA_FALSE};
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, ev);
    PortableServer_POA const child = PortableServer_POA_create_POA(root, name, manager, &list, ev);
    for (uint32_t index = 0; index < count; index++)
        CORBA_Object_release(policies[index], ev);
    CORBA_Object_release(manager, ev);
    return child;
}

static void ids_are_found_again(CORBA_ORB orb, PortableServer_POA root, CORBA_Environment *ev)
{
    struct echo echo, other;
    echo_open(&echo, orb, root);
    echo_open(&other, orb, root);
    PortableServer_ObjectId *const id = PortableServer_POA_activate_object(root, &echo, ev);
    GOOD();
    CHECK(PortableServer_POA_activate_object(root, &echo, ev) == NULL && raised(ev, ex_PortableServer_POA_ServantAlreadyActive));
    PortableServer_POA_activate_object_with_id(root, id, &other, ev);
    CHECK(raised(ev, ex_PortableServer_POA_ObjectAlreadyActive));
    PortableServer_ObjectId *const same = PortableServer_POA_servant_to_id(root, &echo, ev);
    CHECK(same->_length == id->_length && memcmp(same->_buffer, id->_buffer, id->_length) == 0);
    CORBA_Object const object = PortableServer_POA_id_to_reference(root, id, ev);
    CHECK(PortableServer_POA_reference_to_servant(root, object, ev) == &echo);
    CHECK(PortableServer_POA_id_to_servant(root, id, ev) == &echo);
    CORBA_Object const implicit = PortableServer_POA_servant_to_reference(root, &other, ev);
    CHECK(Test_Echo_add(object, 1, 2, ev) == 3 && Test_Echo_add(implicit, 3, 4, ev) == 7);
    Test_Echo_note(object, 5, ev);
    CHECK(echo.noted == 5 && other.noted == 0);
    CHECK(!CORBA_Object_is_equivalent(object, implicit, ev));
    CHECK(CORBA_Object_is_a(object, "IDL:Test/Echo:1.0", ev) && !CORBA_Object_non_existent(object, ev));
    CHECK(whittle_object_locate(object, ev));
    PortableServer_POA_deactivate_object(root, id, ev);
    GOOD();
    PortableServer_POA_deactivate_object(root, id, ev);
    CHECK(raised(ev, ex_PortableServer_POA_ObjectNotActive));
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.completed == CORBA_COMPLETED_NO && raised(ev, ex_CORBA_OBJECT_NOT_EXIST));
    CHECK(CORBA_Object_non_existent(object, ev) && !whittle_object_locate(object, ev));
    GOOD();
    CORBA_free(id);
    CORBA_free(same);
    CORBA_Object_release(object, ev);
    CORBA_Object_release(implicit, ev);
}

static void many_objects_have_their_servants(CORBA_ORB orb, PortableServer_POA root, CORBA_Environment *ev)
{
    enum { MANY = 500 };
    struct echo *const echoes = (struct echo *)calloc(MANY, sizeof *echoes);
    for (int index = 0; index < MANY; index++) {
        echo_open(&echoes[index], orb, root);
        CORBA_free(PortableServer_POA_activate_object(root, &echoes[index], ev));
        GOOD();
    }
    for (int index = 0; index < MANY; index++) {
        CORBA_Object const object = PortableServer_POA_servant_to_reference(root, &echoes[index], ev);
        Test_Echo_note(object, index, ev);
        CHECK(echoes[index].noted == index);
        PortableServer_ObjectId *const id = PortableServer_POA_reference_to_id(root, object, ev);
        PortableServer_POA_deactivate_object(root, id, ev);
        GOOD();
        CORBA_free(id);
        CORBA_Object_release(object, ev);
    }
    free(echoes);
}

/* What an earlier call raised is none of a later one's; a parameter may lie in it as long as the call takes. */
static void each_call_says_how_it_ended(CORBA_ORB orb, PortableServer_POA root, CORBA_Environment *ev)
{
    struct echo echo;
    echo_open(&echo, orb, root);
    CORBA_Object const object = PortableServer_POA_servant_to_reference(root, &echo, ev);
    CORBA_free(Test_Echo_greet(object, "", ev));
    CHECK(ev->_major == CORBA_USER_EXCEPTION);
    CHECK(Test_Echo_add(object, 1, 2, ev) == 3);
    GOOD();
    CORBA_free(Test_Echo_greet(object, "", ev));
    CORBA_char *const text = Test_Echo_greet(object, ((Test_Refused *)CORBA_exception_value(ev))->why, ev);
    GOOD();
    CHECK(strcmp(text, "Hello, nobody is nobody") == 0);
    CORBA_free(text);
    CORBA_free(Test_Echo_greet(object, "", ev));
    CHECK(Test_Echo_greet(object, NULL, ev) == NULL && raised(ev, ex_CORBA_MARSHAL));
    CORBA_free(Test_Echo_greet(object, "", ev));
    Test_Echo_nothing(NULL, ev);
    CHECK(raised(ev, ex_CORBA_INV_OBJREF));
    CORBA_Object_release(object, ev);
}

static void policies_must_fit(PortableServer_POA root, CORBA_Environment *ev)
{
    CORBA_Policy wrong[] = {PortableServer_POA_create_servant_retention_policy(root, PortableServer_NON_RETAIN, ev)};
    CHECK(child_of(root, "wrong", wrong, 1, ev) == NULL && raised(ev, ex_PortableServer_POA_InvalidPolicy));
    PortableServer_POA const child = child_of(root, "child", NULL, 0, ev);
    GOOD();
    CHECK(child_of(root, "child", NULL, 0, ev) == NULL && raised(ev, ex_PortableServer_POA_AdapterAlreadyExists));
    PortableServer_POA const found = PortableServer_POA_find_POA(root, "child", CORBA_FALSE, ev);
    CHECK(found == child);
    CHECK(PortableServer_POA_find_POA(root, "nobody", CORBA_TRUE, ev) == NULL && raised(ev, ex_PortableServer_POA_AdapterNonExistent));
    CORBA_char *const name = PortableServer_POA__get_the_name(child, ev);
    CHECK(strcmp(name, "child") == 0);
    CORBA_free(name);
    PortableServer_POA const parent = PortableServer_POA__get_the_parent(child, ev);
    CHECK(parent == root);
    CORBA_Object_release(parent, ev);
    PortableServer_POA_destroy(child, CORBA_TRUE, CORBA_TRUE, ev);
    CHECK(PortableServer_POA_find_POA(root, "child", CORBA_FALSE, ev) == NULL && raised(ev, ex_PortableServer_POA_AdapterNonExistent));
    CORBA_Object_release(child, ev);
    CORBA_Object_release(found, ev);
}

/* Objects of a default servant, which asks who it is. */
static PortableServer_Current current;
static CORBA_long which(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant;
    PortableServer_ObjectId *const id = PortableServer_Current_get_object_id(current, ev);
    CORBA_char *const text = PortableServer_ObjectId_to_string(id, ev);
    const CORBA_long number = atoi(text);
    CORBA_free(id);
    CORBA_free(text);
    return number;
}

static void one_servant_is_many_objects(CORBA_ORB orb, PortableServer_POA root, CORBA_Environment *ev)
{
    static POA_Test_Echo__epv epv;
    static POA_Test_Echo__vepv vepv;
    struct echo echo;
    CORBA_Policy policies[] = {PortableServer_POA_create_request_processing_policy(root, PortableServer_USE_DEFAULT_SERVANT, ev),
                               PortableServer_POA_create_id_uniqueness_policy(root, PortableServer_MULTIPLE_ID, ev),
                               PortableServer_POA_create_servant_retention_policy(root, PortableServer_NON_RETAIN, ev),
                               PortableServer_POA_create_id_assignment_policy(root, PortableServer_USER_ID, ev)};
    PortableServer_POA const poa = child_of(root, "default", policies, 4, ev);
    GOOD();
    current = CORBA_ORB_resolve_initial_references(orb, "POACurrent", ev);
    CHECK(PortableServer_Current_get_object_id(current, ev) == NULL && raised(ev, ex_PortableServer_Current_NoContext));
    echo_open(&echo, orb, poa);
    epv = *echo.servant.vepv->Test_Echo_epv;
    vepv = *echo.servant.vepv;
    epv.noted = which;
    vepv.Test_Echo_epv = &epv;
    echo.servant.vepv = &vepv;
    CHECK(PortableServer_POA_get_servant(poa, ev) == NULL && raised(ev, ex_PortableServer_POA_NoServant));
    PortableServer_ObjectId *const seven = PortableServer_string_to_ObjectId("7", ev), *const eight = PortableServer_string_to_ObjectId("8", ev);
    CORBA_Object const first = PortableServer_POA_create_reference_with_id(poa, seven, "IDL:Test/Echo:1.0", ev);
    CORBA_Object const second = PortableServer_POA_create_reference_with_id(poa, eight, "IDL:Test/Echo:1.0", ev);
    Test_Echo_nothing(first, ev);
    CHECK(raised(ev, ex_CORBA_OBJ_ADAPTER));
    PortableServer_POA_set_servant(poa, &echo, ev);
    CHECK(Test_Echo_noted(first, ev) == 7 && Test_Echo_noted(second, ev) == 8);
    GOOD();
    CORBA_free(seven);
    CORBA_free(eight);
    CORBA_Object_release(first, ev);
    CORBA_Object_release(second, ev);
    CORBA_Object_release(current, ev);
    CORBA_Object_release(poa, ev);
}

static void *activate_soon(void *manager)
{
    CORBA_Environment environment, *const ev = &environment;
    const struct timespec soon = {0, 50000000};
    CORBA_exception_init(ev);
    nanosleep(&soon, NULL);
    PortableServer_POAManager_activate((PortableServer_POAManager)manager, ev);
    GOOD();
    return NULL;
}

static void managers_hold_and_discard(CORBA_ORB orb, PortableServer_POA root, CORBA_Environment *ev)
{
    struct echo echo;
    pthread_t thread;
    PortableServer_POA const poa = PortableServer_POA_create_POA(root, "held", CORBA_OBJECT_NIL, NULL, ev);
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(poa, ev);
    CHECK(PortableServer_POAManager_get_state(manager, ev) == PortableServer_POAManager_HOLDING);
    echo_open(&echo, orb, poa);
    CORBA_free(PortableServer_POA_activate_object(poa, &echo, ev));
    CORBA_Object const object = PortableServer_POA_servant_to_reference(poa, &echo, ev);
    pthread_create(&thread, NULL, activate_soon, manager);
    CHECK(Test_Echo_add(object, 1, 1, ev) == 2);    /* held until then */
    pthread_join(thread, NULL);
    PortableServer_POAManager_discard_requests(manager, CORBA_TRUE, ev);
    Test_Echo_nothing(object, ev);
    CHECK(ev->_system.minor == (CORBA_OMGVMCID | 1) && raised(ev, ex_CORBA_TRANSIENT));
    PortableServer_POAManager_deactivate(manager, CORBA_TRUE, CORBA_TRUE, ev);
    Test_Echo_nothing(object, ev);
    CHECK(raised(ev, ex_CORBA_OBJ_ADAPTER));
    PortableServer_POAManager_activate(manager, ev);
    CHECK(raised(ev, ex_PortableServer_POAManager_AdapterInactive));
    CORBA_Object_release(object, ev);
    CORBA_Object_release(manager, ev);
    CORBA_Object_release(poa, ev);
}

/* The ORB could not be made, or cannot listen: the calls behind it leave the reason where it is, and do nothing. */
static void what_is_nil_is_refused(CORBA_Environment *ev)
{
    static const char *const orders[][3] = {{"-ORBendPoint", "giop:tcp:127.0.0.1:70000", ex_CORBA_BAD_PARAM},
                                            {"-ORBendPoint", "giop:tcp:203.0.113.1:", ex_CORBA_INITIALIZE}};
    for (size_t index = 0; index < sizeof orders / sizeof orders[0]; index++) {
        char *arguments[] = {(char *)(uintptr_t)"test", (char *)(uintptr_t)orders[index][0], (char *)(uintptr_t)orders[index][1], NULL};
        int count = 3;
        struct echo echo;
        CORBA_ORB const orb = CORBA_ORB_init(&count, arguments, "nil", ev);
        CHECK((orb == NULL) == (index == 0));
        PortableServer_POA const root = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", ev);
        CHECK(root == CORBA_OBJECT_NIL);
        CORBA_free(PortableServer_POA_activate_object(root, &echo, ev));
        CORBA_Object const object = PortableServer_POA_servant_to_reference(root, &echo, ev);
        CORBA_free(CORBA_ORB_object_to_string(orb, object, ev));
        PortableServer_POAManager_activate(PortableServer_POA__get_the_POAManager(root, ev), ev);
        if (index == 0)
            CORBA_ORB_run(orb, ev);
        CHECK(raised(ev, orders[index][2]));
        if (orb != NULL)
            end(orb, ev);
    }
    CHECK(PortableServer_POA__get_the_name(CORBA_OBJECT_NIL, ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    CHECK(PortableServer_POA__get_the_parent(CORBA_OBJECT_NIL, ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    CHECK(PortableServer_POA_find_POA(CORBA_OBJECT_NIL, "child", CORBA_FALSE, ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    CHECK(PortableServer_POA_reference_to_servant(CORBA_OBJECT_NIL, CORBA_OBJECT_NIL, ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    CHECK(PortableServer_POA_create_reference(CORBA_OBJECT_NIL, "", ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    CHECK(CORBA_ORB_list_initial_services(NULL, ev) == NULL && raised(ev, ex_CORBA_BAD_PARAM));
    PortableServer_POAManager_get_state(CORBA_OBJECT_NIL, ev);
    CHECK(raised(ev, ex_CORBA_BAD_PARAM));
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    what_is_nil_is_refused(ev);
    for (int again = 0; again < 2; again++) {
        CORBA_ORB const orb = begin("", here, ev);
        PortableServer_POA const root = root_of(orb, ev);
        ids_are_found_again(orb, root, ev);
        many_objects_have_their_servants(orb, root, ev);
        each_call_says_how_it_ended(orb, root, ev);
        policies_must_fit(root, ev);
        one_servant_is_many_objects(orb, root, ev);
        managers_hold_and_discard(orb, root, ev);
        CORBA_Object_release(root, ev);
        end(orb, ev);
    }
    return 0;
}
