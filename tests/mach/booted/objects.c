/*
 * CORBA's style over the ports of a kernel that is booted for it: objects in one task, references to them in another. All places and numbers of
 * references, rights that a task sends at random, and a server that ends. Beside its memory the server has what it had before.
 */
#include "support.h"
#include "alone.h"
#include "whittle_mach.c"
#include "whittle_mach_object.c"
#include "whittle_corba_values.c"
/* Each file has routines of its own for what messages share. */
#define OWN_NAME(part, name) part##_##name
#define OWN(part, name) OWN_NAME(part, name)
#define release_Bytes OWN(PART, release_Bytes)
#define release_Item OWN(PART, release_Item)
#define release_Items OWN(PART, release_Items)
#define release_Named OWN(PART, release_Named)
#define release_Taken OWN(PART, release_Taken)
#define release_Note__state OWN(PART, release_Note__state)
#define encode_Bytes OWN(PART, encode_Bytes)
#define encode_Item OWN(PART, encode_Item)
#define encode_Items OWN(PART, encode_Items)
#define encode_Named OWN(PART, encode_Named)
#define encode_Note__state OWN(PART, encode_Note__state)
#define encode_Taken OWN(PART, encode_Taken)
#define decode_Bytes OWN(PART, decode_Bytes)
#define decode_Item OWN(PART, decode_Item)
#define decode_Items OWN(PART, decode_Items)
#define decode_Named OWN(PART, decode_Named)
#define decode_Note__state OWN(PART, decode_Note__state)
#define decode_Taken OWN(PART, decode_Taken)
#define PART common
#include "objects-common.c"
#undef PART
#define PART stubs
#include "objects-stubs.c"
#undef PART
#define PART skels
#include "objects-skels.c"
#include "object_tries.h"
#include "disturbing.h"

static void hold(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    (void)task_terminate(mach_task_self());
}

static void serves(void *port)
{
    struct whittle_mach_server *const server = whittle_mach_server_new(NULL);
    whittle_mach_server_use(server, (mach_port_t)(uintptr_t)port);
    serve(server);
    whittle_mach_server_run(server);
    FAILURE("the server ends");
}
static void server_task(void *port) { on_stack(STACK, serves, port); }

/* `forget` with a list of rights, changed at random. */
static struct forged a_request(mach_port_t to, mach_port_t reply)
{
    struct forged forged = good(to, reply);
    forged.header.msgh_id = id_of(any(2) ? "forget" : "count");
    forged.numbers[0] = (int32_t)any(3);
    forged.header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
    forged.other = type_of(any(4) ? MACH_MSG_TYPE_COPY_SEND : MACH_MSG_TYPE_MAKE_SEND_ONCE, 8 * sizeof(mach_port_name_inlined_t), 1 + any(2), 1);
    forged.port.name = to;
    return forged;
}
static void disturbs(void *port) { disturb((mach_port_t)(uintptr_t)port, a_request); }
static void disturbing_task(void *port) { on_stack(STACK, disturbs, port); }

static void tries(void *unused)
{
    (void)unused;
    mach_port_t port;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    task_t const server = start_task(server_task, &port);
    Folder const folder = whittle_mach_object(port, NULL, &ev);
    references(folder);
    many(folder);
    values(folder);
    printf("references travel, and are called\n");
    unsigned const before = rights_of(server), own_before = rights_of(mach_task_self());
    for (int i = 0; i < 50; i++)
        references(folder);
    EXPECT(rights_of(server) == before && rights_of(mach_task_self()) == own_before);
    printf("no right is left\n");
    task_t const task = start_beside(disturbing_task, port);
    for (int i = 0; i < 3 * MESSAGES; i++)
        EXPECT(Folder__get_number(folder, &ev) == 7);
    await_end(task);
    EXPECT(Folder__get_number(folder, &ev) == 7);
    unsigned const after = rights_of(server);
    printf("the server has %u rights, and %u before\n", after, before);
    EXPECT(after == before);
    printf("%d messages of another task do no harm\n", MESSAGES);
    Item const item = Folder_me(folder, &ev);
    Folder_hold(folder, &ev);
    EXPECT(is_raised(&ev, ex_CORBA_COMM_FAILURE));
    EXPECT(Folder__get_number(folder, &ev) == 0 && is_raised(&ev, ex_CORBA_OBJECT_NOT_EXIST));
    EXPECT(Item__get_number(item, &ev) == 0 && is_raised(&ev, ex_CORBA_OBJECT_NOT_EXIST));
    CORBA_Object_release(item, &ev);
    CORBA_Object_release(folder, &ev);
    printf("a server that ends is noticed\n");
}

int main(int argc, char **argv, int envc, char **envp)
{
    (void)argc, (void)argv, (void)envc, (void)envp;
    on_stack(STACK, tries, NULL);
    return 0;
}
