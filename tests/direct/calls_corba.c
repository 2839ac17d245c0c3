/*
 * All of calls.idl in the style of CORBA's C mapping over ONC RPC or, as carrier.h says, another carrier: each type in every way, exceptions, attributes, what is inherited, calls
 * without replies. `ADDRESS`: client and server in one process; `-s ADDRESS`: the server alone; `-c ADDRESS`: the client; `-d`: messages are
 * damaged on their way, at every place of every type.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "calls.h"
#include "carrier.h"
#include "expect.h"
#include "relay.h"

/* What was sent is not what came; sanitizers look on. */
static bool damaged;
#define HOLDS(condition) EXPECT(damaged || (condition))

static CORBA_char *text(int n)
{
    CORBA_char *const made = CORBA_string_alloc(16);
    if (made == NULL)
        abort();
    snprintf(made, 16, "%.*s%d", n, "abcdefg", n);
    return made;
}
static bool is_text(const CORBA_char *value, int n)
{
    CORBA_char *const wanted = text(n);
    bool const same = strcmp(value, wanted) == 0;
    CORBA_free(wanted);
    return same;
}

/* Values by number: made in empty storage, and recognized. */
#define NUMBERS(name, T, from)                                                                                                               \
    static void make_##name(T *v, int n) { *v = (T)(from); }                                                                                 \
    static bool is_##name(const T *v, int n) { return *v == (T)(from); }
NUMBERS(a_short, CORBA_short, (int16_t)(n * -9000))
NUMBERS(a_huge, CORBA_unsigned_long_long, UINT64_MAX - (uint64_t)n)
NUMBERS(a_double, CORBA_double, n / 3.0)
NUMBERS(a_char, CORBA_char, (char)('a' + n))
NUMBERS(a_boolean, CORBA_boolean, n == 1)
NUMBERS(an_octet, CORBA_octet, (uint8_t)(255 - n))
NUMBERS(a_color, Calls_Color, n == 1 ? Calls_blue : Calls_green)

static void make_a_string(CORBA_char **v, int n) { *v = text(n); }
static bool is_a_string(CORBA_char *const *v, int n) { return is_text(*v, n); }
#define make_a_short_text make_a_string
#define is_a_short_text is_a_string

static void make_a_point(Calls_Point *v, int n) { v->x = n, v->y = -n; }
static bool is_a_point(const Calls_Point *v, int n) { return v->x == n && v->y == -n; }
static void make_a_flag(Calls_Flag *v, int n) { v->_d = n == 1, v->_u.number = n == 1 ? -7 : 0; }
static bool is_a_flag(const Calls_Flag *v, int n) { return v->_d == (n == 1) && (n != 1 || v->_u.number == -7); }

#define FILL(sequence, of, count)                                                                                                            \
    ((sequence)->_maximum = (sequence)->_length = (CORBA_unsigned_long)(count), (sequence)->_release = CORBA_TRUE,                           \
     (sequence)->_buffer = CORBA_sequence_##of##_allocbuf((CORBA_unsigned_long)(count)))

static void make_a_person(Calls_Person *v, int n)
{
    v->name = text(n);
    v->likes = Calls_blue;
    FILL(&v->picture, CORBA_octet, n * 3);
    memset(v->picture._buffer, 0, v->picture._length);
    FILL(&v->scores, CORBA_long, n);
    for (int i = 0; i < n; i++)
        v->scores._buffer[i] = -i - 1;
}
static bool is_a_person(const Calls_Person *v, int n)
{
    return is_text(v->name, n) && v->likes == Calls_blue && v->picture._length == (uint32_t)n * 3 && v->picture._buffer[n] == 0
        && v->scores._length == (uint32_t)n && v->scores._buffer[n - 1] == -n;
}
static void make_a_tree(Calls_Tree *v, int n)
{
    v->value = n;
    FILL(&v->branches, Calls_Tree, n);
    for (int i = 0; i < n; i++)
        make_a_tree(&v->branches._buffer[i], i);
}
static bool is_a_tree(const Calls_Tree *v, int n)
{
    bool same = v->value == n && v->branches._length == (uint32_t)n;
    for (int i = 0; same && i < n; i++)
        same = is_a_tree(&v->branches._buffer[i], i);
    return same;
}
static void make_a_shape(Calls_Shape *v, int n)
{
    v->_d = n == 1 ? Calls_red : Calls_blue;
    if (n == 1)
        make_a_point(&v->_u.at, n);
    else
        v->_u.text = text(n);
}
static bool is_a_shape(const Calls_Shape *v, int n)
{
    return n == 1 ? v->_d == Calls_red && is_a_point(&v->_u.at, n) : v->_d == Calls_blue && is_text(v->_u.text, n);
}
static void make_an_open(Calls_Open *v, int n)
{
    v->_d = (CORBA_short)n;
    if (n == 1)
        v->_u.text = text(n);
}
static bool is_an_open(const Calls_Open *v, int n) { return v->_d == n && (n != 1 || is_text(v->_u.text, n)); }
static void make_a_key(Calls_Key *v, int n)
{
    v->_d = (CORBA_char)('a' + n - 1);
    if (n == 1)
        v->_u.first = text(n);
    else
        v->_u.second = n / 4.0;
}
static bool is_a_key(const Calls_Key *v, int n)
{
    return v->_d == 'a' + n - 1 && (n == 1 ? is_text(v->_u.first, n) : v->_u.second == n / 4.0);
}
static void make_a_long(CORBA_long *v, int n) { *v = n * 100000; }
static bool is_a_long(const CORBA_long *v, int n) { return *v == n * 100000; }
#define SEQUENCES(name, T, of, how_many, element)                                                                                            \
    static void make_##name(T *v, int n)                                                                                                     \
    {                                                                                                                                        \
        FILL(v, of, how_many);                                                                                                               \
        for (uint32_t i = 0; i < v->_length; i++)                                                                                            \
            make_##element(&v->_buffer[i], n);                                                                                               \
    }                                                                                                                                        \
    static bool is_##name(const T *v, int n)                                                                                                 \
    {                                                                                                                                        \
        bool same = v->_length == (uint32_t)(how_many);                                                                                      \
        for (uint32_t i = 0; same && i < v->_length; i++)                                                                                    \
            same = is_##element(&v->_buffer[i], n);                                                                                          \
        return same;                                                                                                                         \
    }
SEQUENCES(some_longs, Calls_Longs, CORBA_long, n * 500, a_long)
SEQUENCES(some_people, Calls_People, Calls_Person, n * 2, a_person)
SEQUENCES(some_texts, Calls_Texts, CORBA_string, n, a_string)
static void make_a_grid(Calls_Grid *v, int n) { memset(v, n, sizeof *v); }
static bool is_a_grid(const Calls_Grid *v, int n) { return (*v)[0][0] == n * 0x01010101 && (*v)[1][2] == n * 0x01010101; }
static void make_a_key16(Calls_Key16 *v, int n) { memset(v, n, sizeof *v); }
static bool is_a_key16(const Calls_Key16 *v, int n) { return (*v)[0] == n && (*v)[15] == n; }
static void make_some_words(Calls_Words *v, int n) { (*v)[0] = text(n), (*v)[1] = text(n + 1); }
static bool is_some_words(const Calls_Words *v, int n) { return is_text((*v)[0], n) && is_text((*v)[1], n + 1); }

#define OPERATIONS(VALUE, TEXT, FIXED, VARIABLE, ARRAY, WORDS)                                                                               \
    VALUE(a_short, CORBA_short) VALUE(a_huge, CORBA_unsigned_long_long) VALUE(a_double, CORBA_double) VALUE(a_char, CORBA_char)              \
    VALUE(a_boolean, CORBA_boolean) VALUE(an_octet, CORBA_octet) VALUE(a_color, Calls_Color)                                                 \
    TEXT(a_string, CORBA_char *) TEXT(a_short_text, CORBA_char *) FIXED(a_point, Calls_Point) FIXED(a_flag, Calls_Flag)                      \
    VARIABLE(a_person, Calls_Person) VARIABLE(a_tree, Calls_Tree) VARIABLE(a_shape, Calls_Shape) VARIABLE(an_open, Calls_Open)               \
    VARIABLE(a_key, Calls_Key) VARIABLE(some_longs, Calls_Longs) VARIABLE(some_people, Calls_People)                                         \
    VARIABLE(some_texts, Calls_Texts) ARRAY(a_grid, Calls_Grid) ARRAY(a_key16, Calls_Key16) WORDS(some_words, Calls_Words)

/* The servant: 1 came in `a`, 2 in `b`. */
#define SERVE_VALUE(name, T)                                                                                                                 \
    static T name(PortableServer_Servant servant, T a, T *b, T *c, CORBA_Environment *ev)                                                    \
    {                                                                                                                                        \
        T result;                                                                                                                            \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_##name(&a, 1) && is_##name(b, 2));                                                                                         \
        make_##name(c, 2), make_##name(b, 1), make_##name(&result, 1);                                                                       \
        return result;                                                                                                                       \
    }
#define SERVE_TEXT(name, T)                                                                                                                  \
    static T name(PortableServer_Servant servant, const CORBA_char *a, T *b, T *c, CORBA_Environment *ev)                                    \
    {                                                                                                                                        \
        T result;                                                                                                                            \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_text(a, 1) && is_##name(b, 2));                                                                                            \
        CORBA_free(*b);                                                                                                                      \
        make_##name(c, 2), make_##name(b, 1), make_##name(&result, 1);                                                                       \
        return result;                                                                                                                       \
    }
#define SERVE_FIXED(name, T)                                                                                                                 \
    static T name(PortableServer_Servant servant, const T *a, T *b, T *c, CORBA_Environment *ev)                                             \
    {                                                                                                                                        \
        T result;                                                                                                                            \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_##name(a, 1) && is_##name(b, 2));                                                                                          \
        make_##name(c, 2), make_##name(b, 1), make_##name(&result, 1);                                                                       \
        return result;                                                                                                                       \
    }
/* What was in `b` goes with the storage that it changes places with. */
#define REPLACE(name, T, b, slice)                                                                                                           \
    do {                                                                                                                                     \
        T old;                                                                                                                               \
        slice *const fresh = T##__alloc();                                                                                                   \
        make_##name((T *)fresh, 1);                                                                                                          \
        memcpy(&old, b, sizeof old), memcpy(b, fresh, sizeof old), memcpy(fresh, &old, sizeof old);                                          \
        CORBA_free(fresh);                                                                                                                   \
    } while (0)
#define SERVE_VARIABLE(name, T)                                                                                                              \
    static T *name(PortableServer_Servant servant, const T *a, T *b, T **c, CORBA_Environment *ev)                                           \
    {                                                                                                                                        \
        T *const result = T##__alloc();                                                                                                      \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_##name(a, 1) && is_##name(b, 2));                                                                                          \
        REPLACE(name, T, b, T);                                                                                                              \
        *c = T##__alloc();                                                                                                                   \
        make_##name(*c, 2), make_##name(result, 1);                                                                                          \
        return result;                                                                                                                       \
    }
#define SERVE_ARRAY(name, T)                                                                                                                 \
    static T##_slice *name(PortableServer_Servant servant, const T##_slice *a, T##_slice *b, T##_slice *c, CORBA_Environment *ev)            \
    {                                                                                                                                        \
        T##_slice *const result = T##__alloc();                                                                                              \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_##name((const T *)a, 1) && is_##name((const T *)b, 2));                                                                    \
        make_##name((T *)c, 2), make_##name((T *)b, 1), make_##name((T *)result, 1);                                                         \
        return result;                                                                                                                       \
    }
#define SERVE_WORDS(name, T)                                                                                                                 \
    static T##_slice *name(PortableServer_Servant servant, const T##_slice *a, T##_slice *b, T##_slice **c, CORBA_Environment *ev)           \
    {                                                                                                                                        \
        T##_slice *const result = T##__alloc();                                                                                              \
        (void)servant, (void)ev;                                                                                                             \
        HOLDS(is_##name((const T *)a, 1) && is_##name((const T *)b, 2));                                                                    \
        REPLACE(name, T, b, T##_slice);                                                                                                      \
        *c = T##__alloc();                                                                                                                   \
        make_##name((T *)*c, 2), make_##name((T *)result, 1);                                                                                \
        return result;                                                                                                                       \
    }
OPERATIONS(SERVE_VALUE, SERVE_TEXT, SERVE_FIXED, SERVE_VARIABLE, SERVE_ARRAY, SERVE_WORDS)

#define UNUSED (void)servant, (void)ev
static struct CARRIER(server) *server;
static Calls_Point extent;
static CORBA_long limit;
static CORBA_char *noted;

static CORBA_char *get_title(PortableServer_Servant servant, CORBA_Environment *ev) { return UNUSED, text(4); }
static Calls_Point get_extent(PortableServer_Servant servant, CORBA_Environment *ev) { return UNUSED, extent; }
static void set_extent(PortableServer_Servant servant, const Calls_Point *value, CORBA_Environment *ev) { UNUSED, extent = *value; }
static CORBA_long get_limit(PortableServer_Servant servant, CORBA_Environment *ev) { return UNUSED, limit; }
static void set_limit(PortableServer_Servant servant, CORBA_long value, CORBA_Environment *ev) { UNUSED, limit = value; }

static void refuse(CORBA_Environment *ev, int n)
{
    Calls_Refused *const refused = Calls_Refused__alloc();
    refused->why = text(n);
    refused->code = n * 11;
    CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Calls_Refused, refused);
}
static void fails(PortableServer_Servant servant, CORBA_long how, CORBA_Environment *ev)
{
    (void)servant;
    if (how == 1)
        refuse(ev, 5);
    else if (how == 2)
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Calls_Empty, NULL);
    else if (how == REFUSED)
        CORBA_exception_set_system(ev, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_NO);
    else if (how != 0)      /* one that it does not raise */
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, "IDL:Another:1.0", NULL);
}
static Calls_Point fails_with(PortableServer_Servant servant, CORBA_long how, CORBA_char **given, Calls_Longs **found, CORBA_Environment *ev)
{
    Calls_Point result = {0, 0};
    (void)servant;
    HOLDS(is_text(*given, 1));
    if (how == 1)
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Calls_Empty, NULL);
    else if (how == 2)
        refuse(ev, 6);
    else if (how != 0)
        CORBA_exception_set_system(ev, ex_CORBA_INTERNAL, CORBA_COMPLETED_NO);
    if (how != 0)
        return result;
    CORBA_free(*given);
    *given = text(2);
    *found = Calls_Longs__alloc();
    make_some_longs(*found, 1);
    make_a_point(&result, 3);
    return result;
}
static void fails_bare(PortableServer_Servant servant, CORBA_long how, CORBA_Environment *ev)
{
    (void)servant;
    if (how == 1)
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Calls_Empty, NULL);
    else if (how != 0)
        CORBA_exception_set_system(ev, ex_CORBA_INTERNAL, CORBA_COMPLETED_NO);
}
static void remember(PortableServer_Servant servant, const CORBA_char *value, CORBA_Environment *ev)
{
    UNUSED;
    CORBA_free(noted);
    noted = CORBA_string_dup(value);
    if (strcmp(value, "stop") == 0)
        CARRIER(server_stop)(server);
}
static CORBA_char *remembered(PortableServer_Servant servant, CORBA_Environment *ev)
{
    return UNUSED, CORBA_string_dup(noted == NULL ? "" : noted);
}
static CORBA_char *unwritten(PortableServer_Servant servant, CORBA_Environment *ev) { return UNUSED, NULL; }

/* The client: `b` was 2, and is 1 now. */
#define FINE (ev._major == CORBA_NO_EXCEPTION)
#define TRY_PLACED(name, T, address)                                                                                                         \
    static void try_##name(Calls_Echo echo)                                                                                                  \
    {                                                                                                                                        \
        T a; T b; T c; T result;                                                                                                                 \
        CORBA_Environment ev;                                                                                                                \
        CORBA_exception_init(&ev);                                                                                                           \
        memset(&c, 0, sizeof c);                                                                                                             \
        make_##name(&a, 1), make_##name(&b, 2);                                                                                              \
        result = Calls_Echo_##name(echo, address a, &b, &c, &ev);                                                                            \
        HOLDS(FINE && is_##name(&b, 1) && is_##name(&c, 2) && is_##name(&result, 1));                                                        \
        CORBA_exception_free(&ev);
#define TRY_VALUE(name, T) TRY_PLACED(name, T, ) }
#define TRY_FIXED(name, T) TRY_PLACED(name, T, &) }
#define TRY_TEXT(name, T)                                                                                                                    \
    TRY_PLACED(name, T, )                                                                                                                    \
    CORBA_free(a), CORBA_free(b), CORBA_free(c), CORBA_free(result);                                                                         \
    }
#define TRY_VARIABLE(name, T)                                                                                                                \
    static void try_##name(Calls_Echo echo)                                                                                                  \
    {                                                                                                                                        \
        T *const a = T##__alloc(), *const b = T##__alloc(), *c = NULL, *result;                                                              \
        CORBA_Environment ev;                                                                                                                \
        CORBA_exception_init(&ev);                                                                                                           \
        make_##name(a, 1), make_##name(b, 2);                                                                                                \
        result = Calls_Echo_##name(echo, a, b, &c, &ev);                                                                                     \
        HOLDS(FINE && is_##name(b, 1) && is_##name(c, 2) && is_##name(result, 1));                                                           \
        EXPECT(FINE || (c == NULL && result == NULL));                                                                                       \
        CORBA_exception_free(&ev);                                                                                                           \
        CORBA_free(a), CORBA_free(b), CORBA_free(c), CORBA_free(result);                                                                     \
    }
#define TRY_ARRAY(name, T)                                                                                                                   \
    static void try_##name(Calls_Echo echo)                                                                                                  \
    {                                                                                                                                        \
        T a, b, c;                                                                                                                           \
        CORBA_Environment ev;                                                                                                                \
        CORBA_exception_init(&ev);                                                                                                           \
        make_##name(&a, 1), make_##name(&b, 2);                                                                                              \
        T##_slice *const result = Calls_Echo_##name(echo, (const T##_slice *)a, b, c, &ev);                                                  \
        HOLDS(FINE && is_##name((const T *)b, 1) && is_##name((const T *)c, 2) && is_##name((const T *)result, 1));                          \
        EXPECT(FINE || result == NULL);                                                                                                      \
        CORBA_exception_free(&ev);                                                                                                           \
        CORBA_free(result);                                                                                                                  \
    }
#define TRY_WORDS(name, T)                                                                                                                   \
    static void try_##name(Calls_Echo echo)                                                                                                  \
    {                                                                                                                                        \
        T##_slice *const a = T##__alloc(), *const b = T##__alloc(), *c = NULL, *result;                                                      \
        CORBA_Environment ev;                                                                                                                \
        CORBA_exception_init(&ev);                                                                                                           \
        make_##name((T *)a, 1), make_##name((T *)b, 2);                                                                                      \
        result = Calls_Echo_##name(echo, (const T##_slice *)a, b, &c, &ev);                                                                  \
        HOLDS(FINE && is_##name((const T *)b, 1) && is_##name((const T *)c, 2) && is_##name((const T *)result, 1));                          \
        EXPECT(FINE || result == NULL);                                                                                                      \
        CORBA_exception_free(&ev);                                                                                                           \
        CORBA_free(a), CORBA_free(b), CORBA_free(c), CORBA_free(result);                                                                     \
    }
OPERATIONS(TRY_VALUE, TRY_TEXT, TRY_FIXED, TRY_VARIABLE, TRY_ARRAY, TRY_WORDS)

/* Whether that was raised; what it is goes. */
static bool raised(CORBA_Environment *ev, CORBA_exception_type major, const char *id)
{
    bool const same = ev->_major == major && strcmp(CORBA_exception_id(ev), id) == 0;
    if (!same)
        fprintf(stderr, "%s in place of %s\n", ev->_major == CORBA_NO_EXCEPTION ? "nothing" : CORBA_exception_id(ev), id);
    CORBA_exception_free(ev);
    return same;
}
static bool is_refused(CORBA_Environment *ev, int n)
{
    if (ev->_major != CORBA_USER_EXCEPTION || strcmp(CORBA_exception_id(ev), ex_Calls_Refused) != 0)
        return false;
    const Calls_Refused *const refused = CORBA_exception_value(ev);
    bool const same = is_text(refused->why, n) && refused->code == n * 11;
    CORBA_exception_free(ev);
    return same;
}

/* The reply tells an exception with members, or without. */
static void try_raised(Calls_Echo echo, CORBA_long how)
{
    CORBA_Environment ev;
    CORBA_char *given = text(1);
    Calls_Longs *found = NULL;
    CORBA_exception_init(&ev);
    Calls_Echo_fails_with(echo, how, &given, &found, &ev);
    EXPECT(FINE || found == NULL);
    CORBA_exception_free(&ev);
    CORBA_free(found);
    CORBA_free(given);
}
static void try_results(Calls_Echo echo) { try_raised(echo, 0); }
static void try_bare(Calls_Echo echo) { try_raised(echo, 1); }
static void try_members(Calls_Echo echo) { try_raised(echo, 2); }

static void try_exceptions(Calls_Echo echo)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Calls_Echo_fails(echo, 0, &ev);
    EXPECT(FINE);
    Calls_Echo_fails(echo, 1, &ev);
    EXPECT(is_refused(&ev, 5));
    Calls_Echo_fails(echo, 1, &ev);     /* what an environment holds goes with the next call */
    Calls_Echo_fails(echo, 2, &ev);
    EXPECT(raised(&ev, CORBA_USER_EXCEPTION, ex_Calls_Empty));
    Calls_Echo_fails(echo, 3, &ev);
    EXPECT(ev._system.minor == (CORBA_unsigned_long)-FAILED && raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_UNKNOWN));
    Calls_Echo_fails(echo, REFUSED, &ev);
#ifdef MACH     /* a refusal has few words */
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_UNKNOWN));
#else
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_NO_PERMISSION));
#endif
    Calls_Echo_fails_bare(echo, 0, &ev);
    EXPECT(FINE);
    Calls_Echo_fails_bare(echo, 1, &ev);
    EXPECT(raised(&ev, CORBA_USER_EXCEPTION, ex_Calls_Empty));
    for (int how = 0; how <= 3; how++) {
        CORBA_char *given = text(1);
        Calls_Longs *found = NULL;
        Calls_Point const point = Calls_Echo_fails_with(echo, how, &given, &found, &ev);
        EXPECT(is_text(given, how == 0 ? 2 : 1));
        if (how == 0)
            EXPECT(FINE && is_some_longs(found, 1) && is_a_point(&point, 3));
        else
            EXPECT(found == NULL && point.x == 0 && point.y == 0);
        if (how == 1)
            EXPECT(raised(&ev, CORBA_USER_EXCEPTION, ex_Calls_Empty));
        if (how == 2)
            EXPECT(ev._major == CORBA_USER_EXCEPTION && strcmp(CORBA_exception_id(&ev), ex_Calls_Refused) == 0
                   && is_text(((const Calls_Refused *)CORBA_exception_value(&ev))->why, 6));
        if (how == 3)
            EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_UNKNOWN));
        CORBA_exception_free(&ev);
        CORBA_free(found);
        CORBA_free(given);
    }
}

static void try_others(Calls_Echo echo)
{
    const Calls_Point given = {3, 4};
    CORBA_char *value, *b = text(1), *c = NULL;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Calls_Echo__set_extent(echo, &given, &ev);
    Calls_Echo__set_limit(echo, -12, &ev);
    Calls_Point const point = Calls_Echo__get_extent(echo, &ev);
    EXPECT(FINE && point.x == 3 && point.y == 4 && Calls_Echo__get_limit(echo, &ev) == -12);
    /* The same server, by the interface that is inherited from; another one that it does not serve by itself. */
#ifndef TIRPC   /* a CLIENT is for one program */
    EXPECT(Calls_Sized__get_limit(echo, &ev) == -12 && FINE);
#endif
#ifndef MACH    /* an heir's object is an ancestor's, too */
    EXPECT(Calls_Named__get_title(echo, &ev) == NULL && raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_OBJECT_NOT_EXIST));
#endif
    value = Calls_Echo__get_title(echo, &ev);
    EXPECT(FINE && is_text(value, 4));
    CORBA_free(value);
    Calls_Echo_remember(echo, "once", &ev);
    Calls_Echo_remember(echo, "twice", &ev);
    value = Calls_Echo_remembered(echo, &ev);
    EXPECT(FINE && strcmp(value, "twice") == 0);
    CORBA_free(value);
    Calls_Echo_missing(echo, &ev);
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_BAD_OPERATION));
    EXPECT(Calls_Echo_unwritten(echo, &ev) == NULL && raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_UNKNOWN));
    /* What is not of its type is not sent. */
    value = Calls_Echo_a_short_text(echo, "too long by far", &b, &c, &ev);
    EXPECT(value == NULL && is_text(b, 1) && raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_MARSHAL));
    CORBA_free(b);
    /* Who is nobody's object is not called. */
    Calls_Echo_missing(CORBA_OBJECT_NIL, &ev);
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_INV_OBJREF));
    Calls_Echo_remember(CORBA_OBJECT_NIL, "nobody", &ev);
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_INV_OBJREF));
    EXPECT(NOBODY(&ev) == CORBA_OBJECT_NIL && raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_INV_OBJREF));
}

#define SERVED(name, T) .name = name,
#define TRIED(name, T) try_##name(echo);

static PortableServer_ServantBase__epv base;
static POA_Calls_Named__epv of_named = {._get_title = get_title};
static POA_Calls_Sized__epv of_sized = {._get_extent = get_extent, ._set_extent = set_extent, ._get_limit = get_limit, ._set_limit = set_limit};
static POA_Calls_Echo__epv of_echo = {
    OPERATIONS(SERVED, SERVED, SERVED, SERVED, SERVED, SERVED).fails = fails,
    .fails_with = fails_with,
    .fails_bare = fails_bare,
    .remember = remember,
    .remembered = remembered,
    .unwritten = unwritten,
};
static POA_Calls_Echo__vepv all_of_echo = {&base, &of_named, &of_sized, &of_echo};
static POA_Calls_Sized__vepv all_of_sized = {&base, &of_sized};
static POA_Calls_Echo the_echo = {NULL, &all_of_echo};
static POA_Calls_Sized the_sized = {NULL, &all_of_sized};

static void *serving(void *unused)
{
    CARRIER(server_run)(server);
    return unused;
}

static void call(server_address address, int rounds, bool stops)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Calls_Echo const echo = OBJECT(address, &ev);
    EXPECT(FINE);
    while (rounds-- > 0) {
        OPERATIONS(TRIED, TRIED, TRIED, TRIED, TRIED, TRIED)
        try_exceptions(echo);
        try_others(echo);
    }
    if (stops) {
        Calls_Echo_remember(echo, "stop", &ev);
        CORBA_char *const value = Calls_Echo_remembered(echo, &ev);     /* what was sent before it is there, too */
        CORBA_free(value);
        CORBA_exception_free(&ev);
    }
    Calls_Echo const same = CORBA_Object_duplicate(echo, &ev);
    CORBA_Object_release(echo, &ev);
    CORBA_Object_release(same, &ev);
}

/* Both messages of a call: cut at places all over them, and words in them overwritten. */
static void damage(void (*try)(Calls_Echo), Calls_Echo echo)
{
    static const uint32_t words[] = {0xffffffff, 0, 1, 0x7fffffff, 0x01000000};
    relay.how = NOTHING;
    try(echo);
    uint32_t const lengths[2] = {relay.lengths[REQUEST], relay.lengths[RESPONSE]}, begins[2] = {relay.begins[REQUEST], relay.begins[RESPONSE]};
    for (int which = REQUEST; which <= RESPONSE; which++) {
        uint32_t const step = ((lengths[which] - begins[which]) / 150 + 1) * 4;
        relay.which = which;
        for (relay.at = begins[which]; relay.at < lengths[which]; relay.at += step) {
            relay.how = CUT;
            try(echo);
            relay.how = OVERWRITE;
            relay.with = htonl(words[relay.at / step % 5]);
            try(echo);
        }
    }
}

#define DAMAGED(name, T) try_##name,
static void damage_all(void)
{
    static void (*const all_of_them[])(Calls_Echo) = {
        OPERATIONS(DAMAGED, DAMAGED, DAMAGED, DAMAGED, DAMAGED, DAMAGED) try_results, try_bare, try_members};
    char address[60];
    pthread_t thread;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const unsigned port = PORT(server);
    EXPECT(relay_begin(&thread, (uint16_t)port));
    snprintf(address, sizeof address, "tcp://127.0.0.1:%u", relay.port);
#ifdef MACH     /* an address is a right, which a relay does not have */
    Calls_Echo const echo = CORBA_OBJECT_NIL;
#else
    Calls_Echo const echo = OBJECT(address, &ev);
#endif
    damaged = true;
    for (size_t index = 0; index < sizeof all_of_them / sizeof *all_of_them; index++)
        damage(all_of_them[index], echo);
    CORBA_Object_release(echo, &ev);
    relay_end(thread);
}


int main(int argc, char **argv)
{
    const bool damages = argc == 2 && strcmp(argv[1], "-d") == 0;
    const bool serves = argc < 2 || strcmp(argv[1], "-c") != 0, calls = argc < 2 || strcmp(argv[1], "-s") != 0;
    const char *const address = argc < 2 || damages ? "tcp://127.0.0.1" : argv[argc - 1];
    pthread_t thread;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    if (!serves) {
#ifndef MACH
        call(address, 1, true);
#endif
        return failures == 0 ? 0 : 1;
    }
    server = CARRIER(server_new)(NULL);
    POA_Calls_Echo__init(&the_echo, &ev);
    POA_Calls_Echo__serve(&the_echo, server, &ev);
    POA_Calls_Sized__init(&the_sized, &ev);
    POA_Calls_Sized__serve(&the_sized, server, &ev);
    POA_Calls_Sized__serve(NULL, server, &ev);
    EXPECT(raised(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_BAD_PARAM));
    if (CARRIER(server_listen)(server, address) != 0)
        return 1;
    if (calls) {
        pthread_create(&thread, NULL, serving, NULL);
        if (damages)
            damage_all();
        else
            call(ADDRESS(server, 0), 3, false);
        CARRIER(server_stop)(server);
        pthread_join(thread, NULL);
    } else {
#ifndef MACH
        puts(ADDRESS(server, 0));
#endif
        fflush(stdout);
        CARRIER(server_run)(server);
    }
    CARRIER(server_free)(server);
    POA_Calls_Echo__fini(&the_echo, &ev);
    POA_Calls_Sized__fini(&the_sized, &ev);
    CORBA_free(noted);
    return failures == 0 ? 0 : 1;
}
