/* Awkward::Echo, client and servant in one process. */
#include "awkward.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: `%s` does not hold\n", __FILE__, __LINE__, #what); \
            exit(99); \
        } \
    } while (0)

static Awkward_Far *pass_far(PortableServer_Servant servant, const Awkward_Far *given, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    Awkward_Far *const result = Awkward_Far__alloc();
    *result = *given;
    if (given->_d == 1)
        result->_u.text = CORBA_string_dup(given->_u.text);
    return result;
}

static Awkward_High *pass_high(PortableServer_Servant servant, const Awkward_High *given, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    Awkward_High *const result = Awkward_High__alloc();
    *result = *given;
    if (given->_d == 0)
        result->_u.text = CORBA_string_dup(given->_u.text);
    return result;
}

/* An exception that has members, and none is given. */
static void fails(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant;
    CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Awkward_Refused, NULL);
}

static bool raised(CORBA_Environment *ev, const char *id)
{
    const bool is = ev->_major == CORBA_SYSTEM_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0;
    CORBA_exception_free(ev);
    return is;
}

static void discriminants_are_whole(Awkward_Echo echo, CORBA_Environment *ev)
{
    Awkward_Far far = {._d = 1, ._u = {.text = (CORBA_char *)(uintptr_t)"one"}};
    Awkward_Far *got = Awkward_Echo_pass_far(echo, &far, ev);
    CHECK(got != NULL && got->_d == 1 && strcmp(got->_u.text, "one") == 0);
    CORBA_free(got);
    far = (Awkward_Far){._d = 4294967297, ._u = {.number = 77}};
    got = Awkward_Echo_pass_far(echo, &far, ev);
    CHECK(got != NULL && got->_d == 4294967297 && got->_u.number == 77);
    CORBA_free(got);
    far = (Awkward_Far){._d = 8589934593, ._u = {.other = 5}};      /* 1 in its low half */
    got = Awkward_Echo_pass_far(echo, &far, ev);
    CHECK(got != NULL && got->_d == 8589934593 && got->_u.other == 5);
    CORBA_free(got);
    far = (Awkward_Far){._d = 9223372036854775807, ._u = {.last = 2.5}};
    got = Awkward_Echo_pass_far(echo, &far, ev);
    CHECK(got != NULL && got->_d == 9223372036854775807 && got->_u.last == 2.5);
    CORBA_free(got);
    const Awkward_High high = {._d = 4294967295, ._u = {.number = 0.5}};
    Awkward_High *const same = Awkward_Echo_pass_high(echo, &high, ev);
    CHECK(same != NULL && same->_d == 4294967295 && same->_u.number == 0.5);
    CORBA_free(same);
}

static void what_is_missing_is_said(Awkward_Echo echo, POA_Awkward_Echo__vepv *tables, CORBA_Environment *ev)
{
    CHECK(Awkward_Echo_missing(echo, "text", ev) == NULL && raised(ev, ex_CORBA_NO_IMPLEMENT));
    Awkward_Echo_fails(echo, ev);
    CHECK(raised(ev, ex_CORBA_MARSHAL));
    tables->Awkward_Echo_epv = NULL;
    Awkward_Echo_fails(echo, ev);
    CHECK(raised(ev, ex_CORBA_NO_IMPLEMENT));
}

int main(int argc, char **argv)
{
    static PortableServer_ServantBase__epv base;
    static POA_Awkward_Echo__epv functions = {.pass_far = pass_far, .pass_high = pass_high, .fails = fails};
    static POA_Awkward_Echo__vepv tables = {&base, &functions};
    static POA_Awkward_Echo servant = {NULL, &tables};
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    CORBA_ORB const orb = CORBA_ORB_init(&argc, argv, "", ev);
    PortableServer_POA const root = CORBA_ORB_resolve_initial_references(orb, "RootPOA", ev);
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(root, ev);
    PortableServer_POAManager_activate(manager, ev);
    POA_Awkward_Echo__init(&servant, ev);
    CORBA_Object const echo = PortableServer_POA_servant_to_reference(root, &servant, ev);
    CHECK(ev->_major == CORBA_NO_EXCEPTION);
    discriminants_are_whole(echo, ev);
    what_is_missing_is_said(echo, &tables, ev);
    CORBA_Object_release(echo, ev);
    CORBA_Object_release(manager, ev);
    CORBA_Object_release(root, ev);
    CORBA_ORB_destroy(orb, ev);
    CORBA_Object_release((CORBA_Object)orb, ev);
    return 0;
}
