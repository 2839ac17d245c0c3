/* SPDX-License-Identifier: MIT-0 */
/* Servant managers: activators make servants when they are needed, locators for each request; either may send the caller elsewhere. */
#include "check.h"

static const char *const here[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", NULL};
static CORBA_ORB orb;
static struct echo echoes[4];
static CORBA_Object elsewhere;
static int made, unmade, before, after;

static bool is_called(const PortableServer_ObjectId *id, const char *name)
{
    return id->_length == strlen(name) && memcmp(id->_buffer, name, id->_length) == 0;
}

/* "0" to "3" are echoes, "else" is elsewhere, nothing else is. */
static PortableServer_Servant find(const PortableServer_ObjectId *id, CORBA_Environment *ev)
{
    if (id->_length == 1 && id->_buffer[0] >= '0' && id->_buffer[0] < '4')
        return &echoes[id->_buffer[0] - '0'];
    if (is_called(id, "else")) {
        PortableServer_ForwardRequest *const forward = PortableServer_ForwardRequest__alloc();
        forward->forward_reference = CORBA_Object_duplicate(elsewhere, ev);
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_PortableServer_ForwardRequest, forward);
    } else {
        CORBA_exception_set_system(ev, ex_CORBA_OBJECT_NOT_EXIST, CORBA_COMPLETED_NO);
    }
    return NULL;
}

static PortableServer_Servant incarnate(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                                        CORBA_Environment *ev)
{
    (void)manager, (void)adapter;
    made++;
    return find(id, ev);
}

static void etherealize(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                        PortableServer_Servant servant, CORBA_boolean cleanup, CORBA_boolean remaining, CORBA_Environment *ev)
{
    (void)manager, (void)adapter, (void)cleanup;
    CHECK(servant == &echoes[id->_buffer[0] - '0'] && !remaining);
    unmade++;
}

static PortableServer_Servant preinvoke(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                                        const CORBA_char *operation, PortableServer_ServantLocator_Cookie *cookie, CORBA_Environment *ev)
{
    (void)manager, (void)adapter, (void)operation;
    before++;
    *cookie = &before;
    return find(id, ev);
}

static void postinvoke(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                       const CORBA_char *operation, PortableServer_ServantLocator_Cookie cookie, PortableServer_Servant servant,
                       CORBA_Environment *ev)
{
    (void)manager, (void)adapter, (void)operation;
    CHECK(cookie == &before && servant == &echoes[id->_buffer[0] - '0']);
    after++;
}

static CORBA_Object object_of(PortableServer_POA poa, const char *name, CORBA_Environment *ev)
{
    PortableServer_ObjectId *const id = PortableServer_string_to_ObjectId(name, ev);
    CORBA_Object const object = PortableServer_POA_create_reference_with_id(poa, id, "IDL:Test/Echo:1.0", ev);
    GOOD();
    CORBA_free(id);
    return object;
}

static PortableServer_POA managed(PortableServer_POA root, const char *name, PortableServer_ServantRetentionPolicyValue retention,
                                  PortableServer_Servant manager, CORBA_Environment *ev)
{
    CORBA_Policy policies[] = {PortableServer_POA_create_request_processing_policy(root, PortableServer_USE_SERVANT_MANAGER, ev),
                               PortableServer_POA_create_servant_retention_policy(root, retention, ev),
                               PortableServer_POA_create_lifespan_policy(root, PortableServer_PERSISTENT, ev),
                               PortableServer_POA_create_id_assignment_policy(root, PortableServer_USER_ID, ev)};
    const CORBA_PolicyList list = {4, 4, policies, CORBA_FALSE};
    PortableServer_POAManager const of_root = PortableServer_POA__get_the_POAManager(root, ev);
    PortableServer_POA const poa = PortableServer_POA_create_POA(root, name, of_root, &list, ev);
    GOOD();
    CORBA_Object const nobody = object_of(poa, "0", ev);
    Test_Echo_nothing(nobody, ev);
    CHECK(ev->_system.minor == (CORBA_OMGVMCID | 4) && raised(ev, ex_CORBA_OBJ_ADAPTER));
    CORBA_Object_release(nobody, ev);
    CORBA_Object const reference = PortableServer_POA_servant_to_reference(root, manager, ev);
    PortableServer_POA_set_servant_manager(poa, reference, ev);
    GOOD();
    PortableServer_POA_set_servant_manager(poa, reference, ev);
    CHECK(raised(ev, ex_CORBA_BAD_INV_ORDER));
    CORBA_Object_release(reference, ev);
    CORBA_Object_release(of_root, ev);
    for (int index = 0; index < 4; index++)
        CORBA_Object_release(policies[index], ev);
    return poa;
}

static void calls(PortableServer_POA poa, CORBA_Environment *ev)
{
    for (int round = 0; round < 3; round++)
        for (int which = 0; which < 4; which++) {
            const char name[2] = {(char)('0' + which), 0};
            CORBA_Object const object = object_of(poa, name, ev);
            const CORBA_long noted = echoes[which].noted;
            Test_Echo_note(object, which, ev);
            CHECK(Test_Echo_noted(object, ev) == noted + which);
            CORBA_Object_release(object, ev);
        }
    CORBA_Object const nobody = object_of(poa, "nobody", ev), away = object_of(poa, "else", ev);
    Test_Echo_nothing(nobody, ev);
    CHECK(raised(ev, ex_CORBA_OBJECT_NOT_EXIST));
    CHECK(CORBA_Object_non_existent(nobody, ev));
    CHECK(Test_Echo_add(away, 20, 3, ev) == 23 && Test_Echo_add(away, 20, 4, ev) == 24);
    CHECK(whittle_object_locate(away, ev));
    GOOD();
    CORBA_Object_release(nobody, ev);
    CORBA_Object_release(away, ev);
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    PortableServer_ServantBase__epv base = {0};
    POA_PortableServer_ServantActivator__epv activator_epv = {NULL, incarnate, etherealize};
    POA_PortableServer_ServantActivator__vepv activator_vepv = {&base, &activator_epv};
    POA_PortableServer_ServantActivator activator = {NULL, &activator_vepv};
    POA_PortableServer_ServantLocator__epv locator_epv = {NULL, preinvoke, postinvoke};
    POA_PortableServer_ServantLocator__vepv locator_vepv = {&base, &locator_epv};
    POA_PortableServer_ServantLocator locator = {NULL, &locator_vepv};
    struct echo far;
    CORBA_exception_init(ev);
    orb = begin("", here, ev);
    PortableServer_POA const root = root_of(orb, ev);
    POA_PortableServer_ServantActivator__init(&activator, ev);
    POA_PortableServer_ServantLocator__init(&locator, ev);
    echo_open(&far, orb, root);
    elsewhere = PortableServer_POA_servant_to_reference(root, &far, ev);
    PortableServer_POA const activating = managed(root, "activating", PortableServer_RETAIN, &activator, ev);
    PortableServer_POA const locating = managed(root, "locating", PortableServer_NON_RETAIN, &locator, ev);
    for (int index = 0; index < 4; index++)
        echo_open(&echoes[index], orb, activating);
    calls(activating, ev);
    CHECK(made == 4 + 3 && unmade == 0);    /* each echo once; who is not there, and who is elsewhere, whenever they are asked for */
    calls(locating, ev);
    CHECK(before > 24 && after == 24);
    PortableServer_POA_destroy(activating, CORBA_TRUE, CORBA_TRUE, ev);
    CHECK(unmade == 4);
    CORBA_Object_release(elsewhere, ev);
    CORBA_Object_release(activating, ev);
    CORBA_Object_release(locating, ev);
    CORBA_Object_release(root, ev);
    end(orb, ev);
    return 0;
}
