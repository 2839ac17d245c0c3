/* SPDX-License-Identifier: MIT-0 */
/* What the ORB's tests in C have in common. */
#ifndef CHECK_H
#define CHECK_H
#include "echo.h"
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: `%s` does not hold (%s, minor code %u)\n", __FILE__, __LINE__, #what, \
                    ev->_id == NULL ? "no exception" : ev->_id, (unsigned)ev->_system.minor); \
            exit(99); \
        } \
    } while (0)
#define GOOD() CHECK(ev->_major == CORBA_NO_EXCEPTION)

/* Whether it is this exception; it is gone afterwards. */
__attribute__((unused)) static bool raised(CORBA_Environment *ev, const char *id)
{
    const bool is = ev->_major != CORBA_NO_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0;
    if (is)
        CORBA_exception_free(ev);
    return is;
}

/* An ORB of this process with these options, up to a NULL. */
__attribute__((unused)) static CORBA_ORB begin(const char *id, const char *const *options, CORBA_Environment *ev)
{
    char *arguments[32] = {(char *)(uintptr_t)"test"};
    int count = 1;
    for (; options != NULL && options[count - 1] != NULL && count < 31; count++)
        arguments[count] = (char *)(uintptr_t)options[count - 1];
    CORBA_ORB const orb = CORBA_ORB_init(&count, arguments, id, ev);
    GOOD();
    CHECK(count == 1);
    return orb;
}

__attribute__((unused)) static void end(CORBA_ORB orb, CORBA_Environment *ev)
{
    CORBA_ORB_destroy(orb, ev);
    GOOD();
    CORBA_Object_release((CORBA_Object)orb, ev);
}

__attribute__((unused)) static PortableServer_POA root_of(CORBA_ORB orb, CORBA_Environment *ev)
{
    PortableServer_POA const root = CORBA_ORB_resolve_initial_references(orb, "RootPOA", ev);
    GOOD();
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, ev);
    PortableServer_POAManager_activate(manager, ev);
    CORBA_Object_release(manager, ev);
    GOOD();
    return root;
}
#endif
