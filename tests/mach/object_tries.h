/*
 * What is tried with objects behind ports, on the stand-in for the kernel and in the kernel itself: objects.idl's servants, references in
 * arguments, results and exceptions, nil ones, many at once, and those to objects that have ended.
 */
#ifndef OBJECT_TRIES_H
#define OBJECT_TRIES_H
#include <stdlib.h>
#include <string.h>
#include "objects.h"
#include "expect.h"

static void hold(PortableServer_Servant servant, CORBA_Environment *ev);
static int forgotten;
static CORBA_Object own = CORBA_OBJECT_NIL, kept = CORBA_OBJECT_NIL;

static CORBA_Object another(CORBA_Object object)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    return CORBA_Object_duplicate(object, &ev);
}
static bool is_raised(CORBA_Environment *ev, const char *id)
{
    bool const is = ev->_major != CORBA_NO_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0;
    CORBA_exception_free(ev);
    return is;
}

static void raise_taken(const char *by, CORBA_Object holder, CORBA_Environment *ev)
{
    Taken *const taken = Taken__alloc();
    taken->by = CORBA_string_dup(by);
    taken->holder = another(holder);
    CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Taken, taken);
}
static CORBA_long get_number(PortableServer_Servant servant, CORBA_Environment *ev) { return (void)servant, (void)ev, 7; }
static void renames(PortableServer_Servant servant, const CORBA_char *name, CORBA_Environment *ev)
{
    (void)servant;
    if (strcmp(name, "fine") != 0)
        raise_taken(name, CORBA_OBJECT_NIL, ev);
}
static Item me(PortableServer_Servant servant, CORBA_Environment *ev) { return (void)servant, (void)ev, another(own); }
static CORBA_long add(PortableServer_Servant servant, Item what, const CORBA_char *name, CORBA_Environment *ev)
{
    (void)servant;
    if (what == CORBA_OBJECT_NIL) {
        raise_taken("nobody", own, ev);
        return 0;
    }
    CORBA_Object_release(kept, ev);
    kept = another(what);
    return (CORBA_long)strlen(name);
}
static void swap(PortableServer_Servant servant, Named *one, CORBA_Object *any, CORBA_Environment *ev)
{
    CORBA_Object const old = one->it;
    (void)servant, (void)ev;
    CORBA_free(one->name);
    one->name = CORBA_string_dup("swapped");
    one->it = kept;
    kept = old;
    *any = another(own);
}
static Items *all(PortableServer_Servant servant, CORBA_unsigned_long count, CORBA_Environment *ev)
{
    Items *const items = Items__alloc();
    (void)servant, (void)ev;
    items->_maximum = items->_length = count;
    items->_buffer = Items_allocbuf(count);
    items->_release = CORBA_TRUE;
    for (CORBA_unsigned_long i = 0; i < count; i++)
        items->_buffer[i] = i % 5 == 4 ? CORBA_OBJECT_NIL : another(own);
    return items;
}
static CORBA_unsigned_long count_of(PortableServer_Servant servant, const Items *list, const Bytes *data, CORBA_Environment *ev)
{
    CORBA_unsigned_long count = data->_length;
    (void)servant, (void)ev;
    for (CORBA_unsigned_long i = 0; i < list->_length; i++)
        count += list->_buffer[i] != CORBA_OBJECT_NIL && (i == 0 || list->_buffer[i] != list->_buffer[i - 1]);
    return count;
}
static void forget(PortableServer_Servant servant, Item what, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    __atomic_add_fetch(&forgotten, what != CORBA_OBJECT_NIL, __ATOMIC_RELAXED);
}
static CORBA_wchar *wide(PortableServer_Servant servant, const CORBA_wchar *text, CORBA_long_double much, CORBA_fixed_5_2 *price,
                         CORBA_Environment *ev)
{
    (void)servant, (void)ev, (void)price;
    EXPECT(much == 0.5L);
    return CORBA_wstring_dup(text);
}

/* Values by copy: what comes is the servant's to look at, what goes is the client's. */
static Note reversed(PortableServer_Servant servant, Note first, CORBA_Environment *ev)
{
    Note so_far = NULL;
    (void)servant, (void)ev;
    for (; first != NULL; first = first->next) {
        Note const note = Note__alloc();
        note->x = first->x;
        note->text = CORBA_string_dup(first->text);
        note->of = another(first->of);
        note->next = so_far;
        so_far = note;
    }
    return so_far;
}

static PortableServer_ServantBase__epv base;
static POA_Item__epv of_item = {._get_number = get_number, .rename = renames, .me = me};
static POA_Folder__epv of_folder = {.add = add, .swap = swap, .all = all, .count = count_of, .forget = forget, .wide = wide,
                                       .reversed = reversed, .hold = hold};
static POA_Item__vepv all_of_item = {&base, &of_item};
static POA_Folder__vepv all_of_folder = {&base, &of_item, &of_folder};
static POA_Item the_item = {NULL, &all_of_item};
static POA_Folder the_folder = {NULL, &all_of_folder};

/* Two objects; the second is the folder, and `own` the first. */
static void serve(struct whittle_mach_server *server)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    POA_Item__init(&the_item, &ev);
    POA_Folder__init(&the_folder, &ev);
    POA_Folder__serve(&the_folder, server, &ev);
    POA_Item__serve(&the_item, server, &ev);
    POA_Item__serve(NULL, server, &ev);
    EXPECT(is_raised(&ev, ex_CORBA_BAD_PARAM));
    own = whittle_mach_object_served(server, 1, &ev);
    EXPECT(own != CORBA_OBJECT_NIL && ev._major == CORBA_NO_EXCEPTION);
    EXPECT(whittle_mach_object_served(server, 2, &ev) == CORBA_OBJECT_NIL && is_raised(&ev, ex_CORBA_INV_OBJREF));
}

/* References that came are called: they are the receiver's own. */
static void references(Folder folder)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    EXPECT(Folder__get_number(folder, &ev) == 7 && ev._major == CORBA_NO_EXCEPTION);
    Item const item = Folder_me(folder, &ev);
    EXPECT(item != CORBA_OBJECT_NIL && Item__get_number(item, &ev) == 7 && ev._major == CORBA_NO_EXCEPTION);
    EXPECT(Folder_add(folder, item, "seven", &ev) == 5 && ev._major == CORBA_NO_EXCEPTION);
    EXPECT(Folder_add(folder, CORBA_OBJECT_NIL, "none", &ev) == 0 && ev._major == CORBA_USER_EXCEPTION);
    Taken *const taken = CORBA_exception_value(&ev);
    EXPECT(strcmp(taken->by, "nobody") == 0 && Item__get_number(taken->holder, &(CORBA_Environment){._major = CORBA_NO_EXCEPTION}) == 7);
    EXPECT(is_raised(&ev, ex_Taken));
    Item_rename(item, "fine", &ev);
    EXPECT(ev._major == CORBA_NO_EXCEPTION);
    Item_rename(item, "wrong", &ev);
    EXPECT(is_raised(&ev, ex_Taken));
    Named named = {CORBA_string_dup("before"), CORBA_OBJECT_NIL};
    CORBA_Object any = CORBA_OBJECT_NIL;
    Folder_swap(folder, &named, &any, &ev);
    EXPECT(ev._major == CORBA_NO_EXCEPTION && strcmp(named.name, "swapped") == 0 && Item__get_number(named.it, &ev) == 7);
    EXPECT(Item__get_number(any, &ev) == 7 && ev._major == CORBA_NO_EXCEPTION);
    CORBA_free(named.name);
    CORBA_Object_release(named.it, &ev);
    CORBA_Object_release(any, &ev);
    Folder_forget(folder, item, &ev);
    CORBA_Object_release(item, &ev);
    EXPECT(Folder_missing(folder, &ev) == 0 && is_raised(&ev, ex_CORBA_BAD_OPERATION));
    EXPECT(Folder__get_number(CORBA_OBJECT_NIL, &ev) == 0 && is_raised(&ev, ex_CORBA_INV_OBJREF));
    CORBA_wchar text[] = {0x20ac, 'a', 0x1f600, 0};
    CORBA_fixed_5_2 price;
    memset(&price, 0, sizeof price);
    price._digits = 5;
    price._scale = 2;
    CORBA_wchar *const same = Folder_wide(folder, text, 0.5L, &price, &ev);
    EXPECT(ev._major == CORBA_NO_EXCEPTION && memcmp(same, text, sizeof text) == 0);
    CORBA_free(same);
}

/* Leaves nothing of what calls before may have left on the stack. */
static void soil(void)
{
    volatile char stack[8192];
    for (size_t at = 0; at < sizeof stack; at++)
        stack[at] = (char)0xa5;
}

/* A list of values, with references in it. */
static void values(Folder folder)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    EXPECT(Folder_reversed(folder, NULL, &ev) == NULL && ev._major == CORBA_NO_EXCEPTION);
    Item const item = Folder_me(folder, &ev);
    Note first = NULL;
    for (int i = 0; i < 100; i++) {
        Note const note = Note__alloc();
        note->x = i;
        note->text = CORBA_string_dup(i % 2 ? "odd" : "even");
        note->of = i % 3 ? CORBA_OBJECT_NIL : another(item);
        note->next = first;
        first = note;
    }
    soil();
    Note const back = Folder_reversed(folder, first, &ev);
    EXPECT(ev._major == CORBA_NO_EXCEPTION);
    int at = 0;
    for (Note note = back; note != NULL; note = note->next, at++) {
        EXPECT(note->x == at && strcmp(note->text, at % 2 ? "odd" : "even") == 0);
        EXPECT(at % 3 ? note->of == CORBA_OBJECT_NIL : Item__get_number(note->of, &ev) == 7);
    }
    EXPECT(at == 100);
    CORBA_free(back);
    CORBA_free(first);
    CORBA_Object_release(item, &ev);
}

/* As many as there are, with few bytes beside them and with many. */
static void many(Folder folder)
{
    static const uint32_t counts[] = {0, 1, 4, 63, 64, 65, 66, 200}, sizes[] = {0, 900, 65000, 65800, 3000000};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        Items *const items = Folder_all(folder, counts[i], &ev);
        EXPECT(ev._major == CORBA_NO_EXCEPTION && items->_length == counts[i]);
        for (uint32_t each = 0; each < counts[i]; each++)
            EXPECT(each % 5 == 4 ? items->_buffer[each] == CORBA_OBJECT_NIL : Item__get_number(items->_buffer[each], &ev) == 7);
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            Bytes data = {sizes[j], sizes[j], CORBA_sequence_CORBA_octet_allocbuf(sizes[j]), CORBA_TRUE};
            memset(data._buffer, 0, sizes[j]);
            EXPECT(Folder_count(folder, items, &data, &ev) == sizes[j] + counts[i] - counts[i] / 5 && ev._major == CORBA_NO_EXCEPTION);
            CORBA_free(data._buffer);
        }
        CORBA_free(items);
    }
}
#endif
