/* A server in C for every.idl: echoes whatever it is sent. Prints its reference, and ends when it is told to. */
#include "samples.h"

static CORBA_ORB orb;
static CORBA_char *noted;

#define BY_VALUE(operation, T)                                                                                             \
    static T operation(PortableServer_Servant servant, T a, T *b, T *c, CORBA_Environment *ev)                             \
    {                                                                                                                      \
        (void)servant, (void)ev;                                                                                           \
        *c = *b;                                                                                                           \
        *b = a;                                                                                                            \
        return a;                                                                                                          \
    }
#define FIXED(operation, T)                                                                                                \
    static T operation(PortableServer_Servant servant, const T *a, T *b, T *c, CORBA_Environment *ev)                      \
    {                                                                                                                      \
        (void)servant, (void)ev;                                                                                           \
        *c = *b;                                                                                                           \
        *b = *a;                                                                                                           \
        return *a;                                                                                                         \
    }
#define VARIABLE(operation, T)                                                                                             \
    static T *operation(PortableServer_Servant servant, const T *a, T *b, T **c, CORBA_Environment *ev)                    \
    {                                                                                                                      \
        (void)servant, (void)ev;                                                                                           \
        T *const now = (T *)copy_of(TC_##T, a);                                                                            \
        const T before = *b;                                                                                               \
        *c = (T *)copy_of(TC_##T, b);                                                                                      \
        *b = *now;                                                                                                         \
        *now = before;                                                                                                     \
        CORBA_free(now);                                                                                                   \
        return (T *)copy_of(TC_##T, a);                                                                                    \
    }
#define FIXED_ARRAY(operation, T)                                                                                          \
    static T##_slice *operation(PortableServer_Servant servant, const T##_slice *a, T##_slice *b, T##_slice *c,            \
                                CORBA_Environment *ev)                                                                     \
    {                                                                                                                      \
        (void)servant, (void)ev;                                                                                           \
        memcpy(c, b, sizeof(T));                                                                                           \
        memcpy(b, a, sizeof(T));                                                                                           \
        return (T##_slice *)copy_of(TC_##T, a);                                                                            \
    }
#define TEXT(operation, C, duplicate)                                                                                      \
    static C *operation(PortableServer_Servant servant, const C *a, C **b, C **c, CORBA_Environment *ev)                   \
    {                                                                                                                      \
        (void)servant, (void)ev;                                                                                           \
        *c = *b;                                                                                                           \
        *b = duplicate(a);                                                                                                 \
        return duplicate(a);                                                                                               \
    }
#define OBJECT(operation, T)                                                                                               \
    static T operation(PortableServer_Servant servant, T a, T *b, T *c, CORBA_Environment *ev)                             \
    {                                                                                                                      \
        (void)servant;                                                                                                     \
        *c = *b;                                                                                                           \
        *b = CORBA_Object_duplicate(a, ev);                                                                                \
        return CORBA_Object_duplicate(a, ev);                                                                              \
    }

BY_VALUE(a_short, CORBA_short)
BY_VALUE(a_long, CORBA_long)
BY_VALUE(a_long_long, CORBA_long_long)
BY_VALUE(a_ushort, CORBA_unsigned_short)
BY_VALUE(a_ulong, CORBA_unsigned_long)
BY_VALUE(a_ulong_long, CORBA_unsigned_long_long)
BY_VALUE(a_float, CORBA_float)
BY_VALUE(a_double, CORBA_double)
BY_VALUE(a_char, CORBA_char)
BY_VALUE(a_wchar, CORBA_wchar)
BY_VALUE(a_boolean, CORBA_boolean)
BY_VALUE(an_octet, CORBA_octet)
BY_VALUE(a_color, Every_Color)
FIXED(a_point, Every_Point)
FIXED(a_mixed, Every_Mixed)
FIXED(a_flag, Every_Flag)
FIXED(a_price, Every_Price)
TEXT(a_string, CORBA_char, CORBA_string_dup)
TEXT(a_wstring, CORBA_wchar, CORBA_wstring_dup)
TEXT(a_short_text, CORBA_char, CORBA_string_dup)
VARIABLE(a_person, Every_Person)
VARIABLE(a_tree, Every_Tree)
VARIABLE(a_shape, Every_Shape)
VARIABLE(a_wide, Every_Wide)
VARIABLE(a_key, Every_Key)
VARIABLE(some_longs, Every_Longs)
VARIABLE(some_doubles, Every_Doubles)
VARIABLE(some_shorts, Every_Shorts)
VARIABLE(some_octets, Every_Octets)
VARIABLE(some_flags, Every_Flags)
VARIABLE(some_texts, Every_Texts)
VARIABLE(some_rects, Every_Rects)
VARIABLE(some_people, Every_People)
VARIABLE(some_lists, Every_Lists)
VARIABLE(some_colors, Every_Colors)
VARIABLE(some_anys, Every_Anys)
VARIABLE(an_any, CORBA_any)
FIXED_ARRAY(a_grid, Every_Grid)
FIXED_ARRAY(a_key16, Every_Key16)
FIXED_ARRAY(some_corners, Every_Corners)
OBJECT(an_echo, Every_Echo)
OBJECT(an_object, CORBA_Object)

static Every_Words_slice *some_words(PortableServer_Servant servant, const Every_Words_slice *a, Every_Words_slice *b,
                                     Every_Words_slice **c, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    *c = (Every_Words_slice *)copy_of(TC_Every_Words, b);
    for (int i = 0; i < 2; i++) {
        CORBA_free(b[i]);
        b[i] = CORBA_string_dup(a[i]);
    }
    return (Every_Words_slice *)copy_of(TC_Every_Words, a);
}

static void fails(PortableServer_Servant servant, CORBA_long how, CORBA_Environment *ev)
{
    (void)servant;
    if (how == 1) {
        Every_Refused *const refused = Every_Refused__alloc();
        refused->why = CORBA_string_dup("because");
        refused->code = 42;
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Every_Refused, refused);
    } else if (how == 2) {
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Every_Empty, Every_Empty__alloc());
    } else if (how == 3) {
        CORBA_exception_set_system(ev, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO);
    }
}

static void remember(PortableServer_Servant servant, const CORBA_char *text, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    CORBA_free(noted);
    noted = CORBA_string_dup(text);
}

static CORBA_char *remembered(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return CORBA_string_dup(noted == NULL ? "" : noted);
}

static void shut_down(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant;
    CORBA_ORB_shutdown(orb, CORBA_FALSE, ev);
}

static CORBA_char *title(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return CORBA_string_dup("every construct");
}

static Every_Point extent = {3, 4};
static CORBA_long limit = 10;

static Every_Point get_extent(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return extent;
}

static void set_extent(PortableServer_Servant servant, const Every_Point *value, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    extent = *value;
}

static CORBA_long get_limit(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return limit;
}

static void set_limit(PortableServer_Servant servant, CORBA_long value, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    limit = value;
}

static PortableServer_ServantBase__epv base_functions;
static POA_Every_Named__epv named_functions = {NULL, title};
static POA_Every_Sized__epv sized_functions = {NULL, get_extent, set_extent, get_limit, set_limit};
static POA_Every_Echo__epv echo_functions = {
    NULL,       a_short,      a_long,      a_long_long, a_ushort,   a_ulong,     a_ulong_long, a_float,    a_double,
    a_char,     a_wchar,      a_boolean,   an_octet,    a_color,    a_point,     a_mixed,      a_string,   a_wstring,
    a_short_text, a_person,   a_tree,      a_shape,     a_wide,     a_flag,      a_key,        some_longs, some_doubles,
    some_shorts, some_octets, some_flags,  some_texts,  some_rects, some_people, some_lists,   some_colors, some_anys,
    a_grid,     some_words,   a_key16,     some_corners, an_any,    a_price,     an_echo,      an_object,  fails,
    remember,   remembered,   shut_down,
};
static POA_Every_Echo__vepv functions = {&base_functions, &named_functions, &sized_functions, &echo_functions};
static POA_Every_Echo echo = {NULL, &functions};

static void must(CORBA_Environment *ev, const char *what)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return;
    fprintf(stderr, "%s: %s\n", what, CORBA_exception_id(ev));
    exit(1);
}

int main(int argc, char **argv)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    orb = CORBA_ORB_init(&argc, argv, "", &ev);
    must(&ev, "the ORB");
    PortableServer_POA adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    must(&ev, "the adapter");
    POA_Every_Echo__init(&echo, &ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &echo, &ev));
    must(&ev, "activation");
    CORBA_Object reference = PortableServer_POA_servant_to_reference(adapter, &echo, &ev);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, reference, &ev);
    must(&ev, "the reference");
    puts(text);
    fflush(stdout);
    PortableServer_POAManager manager = PortableServer_POA__get_the_POAManager(adapter, &ev);
    PortableServer_POAManager_activate(manager, &ev);
    CORBA_ORB_run(orb, &ev);
    must(&ev, "serving");
    CORBA_free(text);
    CORBA_free(noted);
    CORBA_Object_release((CORBA_Object)manager, &ev);
    CORBA_Object_release(reference, &ev);
    CORBA_Object_release((CORBA_Object)adapter, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    POA_Every_Echo__fini(&echo, &ev);
    return 0;
}
