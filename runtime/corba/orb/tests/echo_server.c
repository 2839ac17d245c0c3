/* SPDX-License-Identifier: MIT-0 */
/* A server with one Echo: writes its reference into the file that is named first, and serves until it is asked to stop. */
#include "echo.h"
#include <stdio.h>
#include <stdlib.h>

static void check(const CORBA_Environment *ev, const char *what)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return;
    fprintf(stderr, "echo_server: %s: %s, minor code %u\n", what, ev->_id, (unsigned)ev->_system.minor);
    exit(1);
}

static PortableServer_POA lasting(PortableServer_POA root, CORBA_Environment *ev)
{
    CORBA_Policy policies[2] = {PortableServer_POA_create_lifespan_policy(root, PortableServer_PERSISTENT, ev),
                                PortableServer_POA_create_id_assignment_policy(root, PortableServer_USER_ID, ev)};
    const CORBA_PolicyList list = {2, 2, policies, CORBA_FALSE};
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, ev);
    PortableServer_POA const poa = PortableServer_POA_create_POA(root, "lasting", manager, &list, ev);
    CORBA_Object_release(policies[0], ev);
    CORBA_Object_release(policies[1], ev);
    CORBA_Object_release(manager, ev);
    return poa;
}

int main(int argc, char **argv)
{
    CORBA_Environment ev;
    struct echo echo;
    CORBA_exception_init(&ev);
    CORBA_ORB const orb = CORBA_ORB_init(&argc, argv, "", &ev);
    check(&ev, "CORBA_ORB_init");
    PortableServer_POA const root = CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    check(&ev, "RootPOA");
    PortableServer_POA const poa = lasting(root, &ev);
    check(&ev, "create_POA");
    echo_open(&echo, orb, poa);
    PortableServer_ObjectId *const id = PortableServer_string_to_ObjectId("echo", &ev);
    PortableServer_POA_activate_object_with_id(poa, id, &echo, &ev);
    CORBA_free(id);
    check(&ev, "activate_object_with_id");
    CORBA_Object const object = PortableServer_POA_servant_to_reference(poa, &echo, &ev);
    CORBA_char *const ior = CORBA_ORB_object_to_string(orb, object, &ev);
    check(&ev, "object_to_string");
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, &ev);
    PortableServer_POAManager_activate(manager, &ev);
    FILE *const file = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (file == NULL || fprintf(file, "%s\n", ior) < 0 || fflush(file) != 0) {
        perror("echo_server");
        return 1;
    }
    if (file != stdout)
        fclose(file);
    CORBA_ORB_run(orb, &ev);
    check(&ev, "CORBA_ORB_run");
    CORBA_free(ior);
    CORBA_Object_release(object, &ev);
    CORBA_Object_release(manager, &ev);
    CORBA_Object_release(poa, &ev);
    CORBA_Object_release(root, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    return 0;
}
