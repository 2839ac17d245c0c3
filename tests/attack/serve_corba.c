/* SPDX-License-Identifier: MIT-0 */
/* The server under attack in the C mapping of CORBA: the object of attack.x, and one that takes `any`. In: settings. Out: a server. */
#include "any.h"
#include "attack.h"
#include "procedures.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CORBA_ORB orb;

/* NULL: no memory. */
static blob *blob_of(CORBA_unsigned_long size, CORBA_Environment *ev)
{
    blob *const made = blob__alloc();
    CORBA_octet *const bytes = CORBA_sequence_CORBA_octet_allocbuf(size);
    if (made != NULL && bytes != NULL) {
        *made = (blob){size, size, bytes, CORBA_TRUE};
        return made;
    }
    CORBA_free(made);
    CORBA_free(bytes);
    CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
    return NULL;
}

static void nothing(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
}

static blob *echo(PortableServer_Servant servant, const blob *argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    blob *const made = blob_of(argument->_length, ev);
    if (made != NULL)
        memcpy(made->_buffer, argument->_buffer, made->_length);
    return made;
}

static word_list *words(PortableServer_Servant servant, const word_list *argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    const CORBA_unsigned_long length = argument->_length;
    word_list *const made = word_list__alloc();
    CORBA_unsigned_long *const items = CORBA_sequence_CORBA_unsigned_long_allocbuf(length);
    if (made == NULL || items == NULL) {
        CORBA_free(made);
        CORBA_free(items);
        CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
        return NULL;
    }
    *made = (word_list){length, length, items, CORBA_TRUE};
    memcpy(items, argument->_buffer, 4 * (size_t)length);
    return made;
}

static blob *large(PortableServer_Servant servant, CORBA_unsigned_long argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    blob *const made = blob_of(argument > LARGEST ? LARGEST : argument, ev);
    if (made != NULL)
        procedure_fill(made->_buffer, made->_length);
    return made;
}

static CORBA_unsigned_long slow(PortableServer_Servant servant, CORBA_unsigned_long argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return procedure_slow(argument);
}

static CORBA_unsigned_long titles(PortableServer_Servant servant, const title_list *argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return argument->_length;
}

static CORBA_unsigned_long parts(PortableServer_Servant servant, const part_list *argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return argument->_length;
}

static CORBA_unsigned_long count(PortableServer_Servant servant, const AnyTarget_Anys *values, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return values->_length;
}

static PortableServer_ServantBase__epv base;
static POA_ATTACKED_ATTACKED_1__epv functions = {NULL, nothing, echo, words, large, slow, parts, titles};
static POA_ATTACKED_ATTACKED_1__vepv tables = {&base, &functions};
static POA_ATTACKED_ATTACKED_1 servant = {NULL, &tables};
static POA_AnyTarget__epv any_functions = {NULL, count, NULL};
static POA_AnyTarget__vepv any_tables = {&base, &any_functions};
static POA_AnyTarget any_servant = {NULL, &any_tables};

static void publish(PortableServer_POA adapter, PortableServer_Servant which, CORBA_Environment *ev)
{
    CORBA_free(PortableServer_POA_activate_object(adapter, which, ev));
    CORBA_Object reference = PortableServer_POA_servant_to_reference(adapter, which, ev);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, reference, ev);
    if (ev->_major != CORBA_NO_EXCEPTION) {
        fprintf(stderr, "server: %s\n", CORBA_exception_id(ev));
        exit(1);
    }
    setting_address(text);
    CORBA_free(text);
    CORBA_Object_release(reference, ev);
}

static void stop(int number)
{
    CORBA_Environment ev;
    (void)number;
    CORBA_exception_init(&ev);
    CORBA_ORB_shutdown(orb, CORBA_FALSE, &ev);
}

/* What a number of the settings is called on the ORB's command line. */
static char *option(const char *name, uint32_t number, char *text)
{
    if (name == NULL)
        sprintf(text, "%u", (unsigned)number);
    else
        strcpy(text, name);
    return text;
}

int main(int argc, char **argv)
{
    const struct setting setting = setting_read(argc, argv);
    static char texts[16][40];
    char *words_[16] = {option("server", 0, texts[0])};
    int at = 1;
    const struct { const char *name; uint32_t number; } numbers[] = {
        {"-ORBWorkers", setting.workers > 1 ? setting.workers : 0},
        {"-ORBPatience", setting.patience == 0 ? 30000 : setting.patience},
#ifdef ORB_MEMORY
        {"-ORBMaxMemory", setting.memory == 0 ? 256 : setting.memory},
#endif
    };
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
        words_[at] = option(numbers[index].name, 0, texts[at]), at++;
        words_[at] = option(NULL, numbers[index].number, texts[at]), at++;
    }
    words_[at] = option("-ORBEndPoint", 0, texts[at]), at++;
    words_[at] = option("giop:tcp:127.0.0.1:0", 0, texts[at]), at++;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    orb = CORBA_ORB_init(&at, words_, "", &ev);
    PortableServer_POA adapter = ev._major == CORBA_NO_EXCEPTION
        ? (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev) : NULL;
    if (adapter == NULL) {
        fprintf(stderr, "server: %s\n", CORBA_exception_id(&ev));
        return 1;
    }
    POA_ATTACKED_ATTACKED_1__init(&servant, &ev);
    POA_AnyTarget__init(&any_servant, &ev);
    publish(adapter, &servant, &ev);
    publish(adapter, &any_servant, &ev);
    PortableServer_POAManager manager = PortableServer_POA__get_the_POAManager(adapter, &ev);
    PortableServer_POAManager_activate(manager, &ev);
    signal(SIGTERM, stop);
    setting_ready();
    CORBA_ORB_run(orb, &ev);
    const bool ran = ev._major == CORBA_NO_EXCEPTION;
    if (!ran)
        fprintf(stderr, "server: %s\n", CORBA_exception_id(&ev));
    CORBA_Object_release((CORBA_Object)manager, &ev);
    CORBA_Object_release((CORBA_Object)adapter, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    setting_end();
    return ran ? 0 : 1;
}
