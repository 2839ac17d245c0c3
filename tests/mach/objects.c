/*
 * CORBA's style over ports: references travel as rights to send, and whoever releases the last has none left; objects that end, calls that
 * take too long, messages that nobody should send. kernel.c counts rights and memory.
 */
#include <pthread.h>
#include <time.h>
#include "objects.h"
#include "carrier.h"
#include "object_tries.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void hold(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    pthread_mutex_lock(&held);
    pthread_mutex_unlock(&held);
}

static void *serving(void *server)
{
    EXPECT(whittle_mach_server_run(server) == 0);
    return NULL;
}

static void *calling(void *folder)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (int i = 0; i < 100; i++) {
        Items *const items = Folder_all(folder, (CORBA_unsigned_long)i, &ev);
        Bytes const none = {0, 0, NULL, CORBA_FALSE};
        EXPECT(Folder_count(folder, items, &none, &ev) == items->_length - items->_length / 5 && ev._major == CORBA_NO_EXCEPTION);
        for (uint32_t each = 0; each < items->_length; each += 10)
            EXPECT(Item__get_number(items->_buffer[each], &ev) == 7);
        CORBA_free(items);
    }
    return NULL;
}

/* A server's thread may still be at a reply that nobody waits for. */
static bool is_left(unsigned most)
{
    for (int i = 0; i < 5000 && mach_left() > most; i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return mach_left() <= most;
}

/* One word of the bytes of each message that passes is changed. */
static unsigned place;
static uint32_t with;
static bool of_reply;
static void damage(mach_msg_header_t *header)
{
    if ((header->msgh_remote_port == MACH_PORT_NULL) != of_reply || place + sizeof with > header->msgh_size)
        return;
    memcpy((char *)header + place, &with, sizeof with);
}

static void damaged(Folder folder)
{
    static const uint32_t words[] = {0, 1, 2, 3, 0x7fffffff, 0xffffffff};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Item const item = Folder_me(folder, &ev);
    unsigned const begins = sizeof(mach_msg_header_t) + sizeof(mach_msg_type_long_t), left = mach_left();
    /* What describes the rights is the kernel's own word. */
    unsigned const ends[2] = {begins + 8 + 12, begins + 20};
    for (int which = 0; which < 2; which++)
        for (place = begins; place < ends[which]; place += 4)
            for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
                Named named = {CORBA_string_dup("n"), another(item)};
                CORBA_Object any = CORBA_OBJECT_NIL;
                with = words[i];
                of_reply = which != 0;
                mach_transit = damage;
                Folder_swap(folder, &named, &any, &ev);
                mach_transit = NULL;
                CORBA_exception_free(&ev);
                CORBA_free(named.name);
                CORBA_Object_release(named.it, &ev);
                CORBA_Object_release(any, &ev);
                CORBA_Object_release(kept, &ev);
                kept = CORBA_OBJECT_NIL;
            }
    EXPECT(is_left(left));
    CORBA_Object_release(item, &ev);
}

/* A place that no right has, and one that is asked for twice. */
static uint32_t wrong_place;
static void misplace(mach_msg_header_t *header)
{
    char *const at = (char *)header + sizeof(mach_msg_header_t) + sizeof(mach_msg_type_long_t);
    if (header->msgh_remote_port == MACH_PORT_NULL)
        return;
    /* Behind the link's own bytes and the length of the list. */
    memcpy(at + 8 + 4 + 4, &wrong_place, sizeof wrong_place);
}
static void misplaced(Folder folder)
{
    static const uint32_t wrong[] = {1, 3, 4, 0x80000000, 0xffffffff};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Item of[2] = {Folder_me(folder, &ev), Folder_me(folder, &ev)};
    Items const items = {2, 2, of, CORBA_FALSE};
    Bytes const none = {0, 0, NULL, CORBA_FALSE};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wrong_place = wrong[i];
        mach_transit = misplace;
        EXPECT(Folder_count(folder, &items, &none, &ev) == 0 && is_raised(&ev, ex_CORBA_MARSHAL));
        mach_transit = NULL;
    }
    EXPECT(Folder_count(folder, &items, &none, &ev) == 2 && ev._major == CORBA_NO_EXCEPTION);
    CORBA_Object_release(of[0], &ev);
    CORBA_Object_release(of[1], &ev);
}

/* An object that ends: calls say so, and its reference still travels. */
static void endings(Folder folder)
{
    CORBA_Environment ev;
    mach_port_t port;
    CORBA_exception_init(&ev);
    EXPECT(mach_port_allocate(mach_task_self(), MACH_PORT_RIGHT_RECEIVE, &port) == KERN_SUCCESS);
    EXPECT(mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS);
    Item const item = whittle_mach_object(port, &(struct whittle_mach_client_options){.timeout = 50}, &ev);
    EXPECT(whittle_mach_object_port(item) == port && whittle_mach_object_port(CORBA_OBJECT_NIL) == MACH_PORT_NULL);
    EXPECT(Item__get_number(item, &ev) == 0 && is_raised(&ev, ex_CORBA_TIMEOUT));
    EXPECT(mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_RECEIVE, -1) == KERN_SUCCESS);
    EXPECT(Item__get_number(item, &ev) == 0 && is_raised(&ev, ex_CORBA_OBJECT_NOT_EXIST));
    EXPECT(Folder_add(folder, item, "gone", &ev) == 4 && ev._major == CORBA_NO_EXCEPTION);
    CORBA_Object_release(item, &ev);
    Named named = {CORBA_string_dup(""), CORBA_OBJECT_NIL};
    CORBA_Object any;
    Folder_swap(folder, &named, &any, &ev);
    EXPECT(named.it != CORBA_OBJECT_NIL && Item__get_number(named.it, &ev) == 0 && is_raised(&ev, ex_CORBA_OBJECT_NOT_EXIST));
    CORBA_free(named.name);
    CORBA_Object_release(named.it, &ev);
    CORBA_Object_release(any, &ev);
    EXPECT(whittle_mach_object(MACH_PORT_NULL, NULL, &ev) == CORBA_OBJECT_NIL && is_raised(&ev, ex_CORBA_INV_OBJREF));
}

static void hurried(mach_port_t port)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    EXPECT(mach_port_mod_refs(mach_task_self(), port, MACH_PORT_RIGHT_SEND, 1) == KERN_SUCCESS);
    Folder const folder = whittle_mach_object(port, &(struct whittle_mach_client_options){.timeout = 50}, &ev);
    pthread_mutex_lock(&held);
    Folder_hold(folder, &ev);
    EXPECT(is_raised(&ev, ex_CORBA_TIMEOUT));
    pthread_mutex_unlock(&held);
    EXPECT(Folder__get_number(folder, &ev) == 7 && ev._major == CORBA_NO_EXCEPTION);
    CORBA_Object_release(folder, &ev);
}

int main(void)
{
    pthread_t threads[2], callers[4];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct whittle_mach_server *const server = whittle_mach_server_new(NULL);
    serve(server);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serving, server);
    Folder const folder = whittle_mach_object_served(server, 0, &ev);
    references(folder);
    many(folder);
    values(folder);
    unsigned const left = mach_left();
    misplaced(folder);
    damaged(folder);
    endings(folder);
    hurried(whittle_mach_object_port(folder));
    CORBA_Object_release(kept, &ev);
    kept = CORBA_OBJECT_NIL;
    EXPECT(is_left(left));
    for (int i = 0; i < 4; i++)
        pthread_create(&callers[i], NULL, calling, folder);
    for (int i = 0; i < 4; i++)
        pthread_join(callers[i], NULL);
    CORBA_Object_release(folder, &ev);
    whittle_mach_server_stop(server);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CORBA_Object_release(own, &ev);
    CORBA_Object_release(kept, &ev);
    EXPECT(forgotten == 1);
    whittle_mach_server_free(server);
    return failures == 0 ? 0 : 1;
}
