/* SPDX-License-Identifier: MIT-0 */
/* The server under attack in the C mapping of CORBA: the object of attack.x, and one that takes `any`. In: settings. Out: a server. */
#include "any.h"
#include "attack.h"
#include "procedures.h"
#include "servant.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CORBA_ORB orb;

static CORBA_unsigned_long count(PortableServer_Servant servant, const AnyTarget_Anys *values, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return values->_length;
}

/* No value is met twice, though a sender may have one stand in many places. */
static CORBA_unsigned_long weigh(PortableServer_Servant servant, const Nodes *nodes, const Leaves *leaves, CORBA_Environment *ev)
{
    uint32_t weight = leaves->_length;
    (void)servant, (void)ev;
    procedure_served();
    for (uint32_t index = 0; index < nodes->_length; index++)
        for (Node node = nodes->_buffer[index]; node != NULL; node = node->left)
            weight += (uint32_t)strlen(node->text) + (node->last == NULL ? 0 : (uint32_t)node->last->number);
    return weight;
}

static POA_AnyTarget__epv any_functions = {NULL, count, NULL, weigh};
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
