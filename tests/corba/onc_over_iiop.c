/* directory.x in the style of CORBA: an object of this process is called through its messages. */
#include "directory.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Found *find(PortableServer_Servant servant, const CORBA_char *path, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    Found *const found = Found__alloc();
    found->_d = FOLDER_KIND;
    found->_u.all._buffer = Entries_allocbuf(2);
    found->_u.all._length = found->_u.all._maximum = 2;
    found->_u.all._release = CORBA_TRUE;
    for (CORBA_unsigned_long i = 0; i < 2; i++) {
        Entry *const entry = &found->_u.all._buffer[i];
        entry->name = CORBA_string_dup(path);
        memset(&entry->info, (int)i + 1, sizeof entry->info);
    }
    return found;
}

static CORBA_long count(PortableServer_Servant servant, const Entries *entries, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return (CORBA_long)entries->_length;
}

/* What is optional in `.x` is a sequence of at most one. */
static Chain *turn(PortableServer_Servant servant, const Chain *chain, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    Chain *last = NULL;
    for (const Chain *at = chain; at != NULL; at = at->next._length > 0 ? at->next._buffer : NULL) {
        Chain *const link = Chain__alloc();
        link->value = at->value;
        if (last != NULL) {
            link->next._buffer = last;
            link->next._length = link->next._maximum = 1;
            link->next._release = CORBA_TRUE;
        }
        last = link;
    }
    return last;
}

static PortableServer_ServantBase__epv base;
static POA_DIRECTORY_V1__epv functions = {NULL, find, count, turn};
static POA_DIRECTORY_V1__vepv tables = {&base, &functions};
static POA_DIRECTORY_V1 directory = {NULL, &tables};

int main(int argc, char **argv)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB orb = CORBA_ORB_init(&argc, argv, "", &ev);
    PortableServer_POA adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    POA_DIRECTORY_V1__init(&directory, &ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &directory, &ev));
    DIRECTORY_V1 object = PortableServer_POA_servant_to_reference(adapter, &directory, &ev);
    PortableServer_POAManager_activate(PortableServer_POA__get_the_POAManager(adapter, &ev), &ev);
    Found *const found = DIRECTORY_V1_FIND(object, "/home", &ev);
    assert(ev._major == CORBA_NO_EXCEPTION && found->_d == FOLDER_KIND && found->_u.all._length == 2);
    assert(strcmp(found->_u.all._buffer[1].name, "/home") == 0 && found->_u.all._buffer[1].info.tag[15] == 2);
    assert(DIRECTORY_V1_COUNT(object, &found->_u.all, &ev) == 2);
    CORBA_free(found);
    Chain second = {2, {0, 0, NULL, CORBA_FALSE}}, first = {1, {1, 1, &second, CORBA_FALSE}};
    Chain *const turned = DIRECTORY_V1_TURN(object, &first, &ev);
    assert(ev._major == CORBA_NO_EXCEPTION && turned->value == 2 && turned->next._buffer->value == 1);
    assert(turned->next._buffer->next._length == 0 && CORBA_Object_is_a(object, "IDL:DIRECTORY/V1:1.0", &ev));
    CORBA_free(turned);
    puts("the .x was served");
    return 0;
}
