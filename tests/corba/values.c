/*
 * Value types in C: `values` serves values.idl, and prints its reference; `values REFERENCE` is a client of it, looks at what comes
 * back and shuts the server down. Both make values of a number, and weigh those that they get. Server and client may be omniORB's.
 */
#include "values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CORBA_ORB orb;
static CORBA_Environment ev;
static int failures;

static void expect(int holds, const char *what)
{
    if (ev._major != CORBA_NO_EXCEPTION) {
        fprintf(stderr, "%s: %s\n", what, CORBA_exception_id(&ev));
        CORBA_exception_free(&ev);
        failures++;
    } else if (!holds) {
        fprintf(stderr, "%s: another value came\n", what);
        failures++;
    }
}

static Values_Stamp a_stamp(CORBA_long number)
{
    if (number % 3 == 0)
        return NULL;
    Values_Stamp const stamp = Values_Stamp__alloc();
    stamp->seconds = (CORBA_long_long)number << 33;
    stamp->zone = (CORBA_octet)number;
    stamp->fraction = number / 8.0;
    return stamp;
}

static double weigh_stamp(Values_Stamp stamp)
{
    return stamp == NULL ? 0.5 : (double)(stamp->seconds >> 32) + stamp->zone * 3 + stamp->fraction;
}

static Values_Note a_note(CORBA_long number)
{
    char text[40];
    if (number <= 0)
        return NULL;
    Values_Note const note = Values_Note__alloc();
    snprintf(text, sizeof text, "note %.*s", (int)(number % 9), "12345678");
    note->text = CORBA_string_dup(text);
    note->at.x = number, note->at.y = -number;
    note->weights._maximum = note->weights._length = (CORBA_unsigned_long)number % 5;
    note->weights._buffer = CORBA_sequence_CORBA_double_allocbuf(note->weights._length);
    note->weights._release = CORBA_TRUE;
    for (CORBA_unsigned_long i = 0; i < note->weights._length; i++)
        note->weights._buffer[i] = i * 0.25;
    note->made = a_stamp(number);
    note->next = a_note(number - 1);
    return note;
}

static double weigh_note(Values_Note note)
{
    double weight = 0.25;
    for (; note != NULL; note = note->next) {
        weight += (double)strlen(note->text) + note->at.x * 2 - note->at.y + weigh_stamp(note->made);
        for (CORBA_unsigned_long i = 0; i < note->weights._length; i++)
            weight += note->weights._buffer[i] * (i + 1);
    }
    return weight;
}

static Values_Stamps *some_stamps(CORBA_long number)
{
    Values_Stamps *const stamps = Values_Stamps__alloc();
    stamps->_maximum = stamps->_length = (CORBA_unsigned_long)number;
    stamps->_buffer = Values_Stamps_allocbuf(stamps->_length);
    stamps->_release = CORBA_TRUE;
    for (CORBA_long i = 0; i < number; i++)
        stamps->_buffer[i] = a_stamp(i);
    return stamps;
}

static double weigh_stamps(const Values_Stamps *stamps)
{
    double weight = stamps->_length;
    for (CORBA_unsigned_long i = 0; i < stamps->_length; i++)
        weight += weigh_stamp(stamps->_buffer[i]) * (i + 1);
    return weight;
}

/* omniORB's server sends one stamp and one note, which all entries share. */
static Values_Entries *some_entries(CORBA_long number)
{
    Values_Entries *const entries = Values_Entries__alloc();
    entries->_maximum = entries->_length = (CORBA_unsigned_long)number;
    entries->_buffer = Values_Entries_allocbuf(entries->_length);
    entries->_release = CORBA_TRUE;
    for (CORBA_long i = 0; i < number; i++) {
        entries->_buffer[i].kind = (CORBA_octet)i;
        entries->_buffer[i].first = a_stamp(number);
        entries->_buffer[i].about = a_note(number);
    }
    return entries;
}

static double weigh_entries(const Values_Entries *entries)
{
    double weight = entries->_length;
    for (CORBA_unsigned_long i = 0; i < entries->_length; i++) {
        const Values_Entry *const entry = &entries->_buffer[i];
        weight += (entry->kind + weigh_stamp(entry->first) + weigh_note(entry->about)) * (i + 1);
    }
    return weight;
}

static Values_Pair_slice *a_pair(CORBA_long number)
{
    Values_Pair_slice *const pair = Values_Pair__alloc();
    pair[0] = a_stamp(number), pair[1] = a_stamp(number + 1);
    return pair;
}

static double weigh_pair(const Values_Pair_slice *pair)
{
    return weigh_stamp(pair[0]) + weigh_stamp(pair[1]) * 2;
}

static Values_Choice *a_choice(CORBA_long number)
{
    Values_Choice *const choice = Values_Choice__alloc();
    choice->_d = number % 2 == 0;
    if (choice->_d)
        choice->_u.about = a_note(number);
    else
        choice->_u.number = number;
    return choice;
}

static double weigh_choice(const Values_Choice *choice)
{
    return choice->_d ? weigh_note(choice->_u.about) : choice->_u.number * 5;
}

static Values_Empty an_empty(Values_Empty a)
{
    return a == NULL ? NULL : Values_Empty__alloc();
}

static Values_Numbers some_numbers(Values_Numbers a)
{
    if (a == NULL)
        return NULL;
    Values_Numbers const numbers = Values_Numbers__alloc();
    numbers->_value._maximum = numbers->_value._length = a->_value._length;
    numbers->_value._buffer = CORBA_sequence_CORBA_long_allocbuf(a->_value._length);
    numbers->_value._release = CORBA_TRUE;
    for (CORBA_unsigned_long i = 0; i < a->_value._length; i++)
        numbers->_value._buffer[i] = a->_value._buffer[i] * 2;
    return numbers;
}

static Values_Later a_later(CORBA_long number)
{
    if (number == 0)
        return NULL;
    Values_Later const later = Values_Later__alloc();
    later->seconds = (CORBA_long_long)number << 33;
    later->zone = (CORBA_octet)number;
    later->fraction = number / 8.0;
    if (number % 3 > 0) {
        later->day = Values_Name__alloc();
        later->day->_value = CORBA_string_dup("Sunday");
    }
    later->because = a_note(number);
    later->last = (CORBA_short)-number;
    later->more = (CORBA_octet)number;
    return later;
}

static double weigh_later(Values_Later later)
{
    if (later == NULL)
        return 2.5;
    /* Its state begins with that of its bases. */
    const double weight = weigh_stamp((Values_Stamp)(void *)later) + (later->day == NULL ? 0.25 : (double)strlen(later->day->_value));
    return weight + weigh_note(later->because) * 2 + later->last * 3 + later->more;
}

static Values_Stamp as_stamp(CORBA_long number)
{
    return a_stamp(number);
}

static Values_Stamps *as_stamps(CORBA_long number)
{
    return some_stamps(number);
}

/* The server. */
#define NOBODY (void)servant, (void)environment
#define WEIGHS(operation, GIVEN)                                                                                           \
    static CORBA_double serve_##operation(PortableServer_Servant servant, GIVEN a, CORBA_Environment *environment)         \
    {                                                                                                                      \
        NOBODY;                                                                                                            \
        return operation(a);                                                                                               \
    }
#define MAKES(operation, RESULT, GIVEN)                                                                                    \
    static RESULT serve_##operation(PortableServer_Servant servant, GIVEN a, CORBA_Environment *environment)               \
    {                                                                                                                      \
        NOBODY;                                                                                                            \
        return operation(a);                                                                                               \
    }
WEIGHS(weigh_note, Values_Note)
MAKES(a_note, Values_Note, CORBA_long)
WEIGHS(weigh_stamps, const Values_Stamps *)
MAKES(some_stamps, Values_Stamps *, CORBA_long)
WEIGHS(weigh_entries, const Values_Entries *)
MAKES(some_entries, Values_Entries *, CORBA_long)
WEIGHS(weigh_pair, const Values_Pair_slice *)
MAKES(a_pair, Values_Pair_slice *, CORBA_long)
WEIGHS(weigh_choice, const Values_Choice *)
MAKES(a_choice, Values_Choice *, CORBA_long)
MAKES(an_empty, Values_Empty, Values_Empty)
MAKES(some_numbers, Values_Numbers, Values_Numbers)
WEIGHS(weigh_later, Values_Later)
MAKES(a_later, Values_Later, CORBA_long)
MAKES(as_stamp, Values_Stamp, CORBA_long)
MAKES(as_stamps, Values_Stamps *, CORBA_long)

static void serve_exchange(PortableServer_Servant servant, CORBA_long number, Values_Note *b, Values_Note *c, CORBA_Environment *environment)
{
    NOBODY;
    *c = *b;
    *b = a_note(number);
}

static void serve_fails(PortableServer_Servant servant, Values_Stamp since, CORBA_Environment *environment)
{
    (void)servant;
    Values_Late *const late = Values_Late__alloc();
    late->since = a_stamp(since == NULL ? 0 : since->zone);
    CORBA_exception_set(environment, CORBA_USER_EXCEPTION, ex_Values_Late, late);
}

static void serve_shut_down(PortableServer_Servant servant, CORBA_Environment *environment)
{
    (void)servant;
    CORBA_ORB_shutdown(orb, CORBA_FALSE, environment);
}

static int serve(void)
{
    PortableServer_ServantBase__epv base = {NULL, NULL, NULL};
    POA_Values_Desk__epv operations = {
        NULL, serve_weigh_note, serve_a_note, serve_exchange, serve_weigh_stamps, serve_some_stamps, serve_weigh_entries,
        serve_some_entries, serve_weigh_pair, serve_a_pair, serve_weigh_choice, serve_a_choice, serve_an_empty, serve_some_numbers,
        serve_weigh_later, serve_a_later, serve_as_stamp, serve_as_stamps, serve_fails, serve_shut_down};
    POA_Values_Desk__vepv vector = {&base, &operations};
    POA_Values_Desk desk = {NULL, &vector};
    PortableServer_POA adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", &ev);
    POA_Values_Desk__init(&desk, &ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &desk, &ev));
    CORBA_Object reference = PortableServer_POA_servant_to_reference(adapter, &desk, &ev);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, reference, &ev);
    expect(text != NULL, "the reference");
    if (failures > 0)
        return 1;
    puts(text);
    fflush(stdout);
    PortableServer_POAManager manager = PortableServer_POA__get_the_POAManager(adapter, &ev);
    PortableServer_POAManager_activate(manager, &ev);
    CORBA_ORB_run(orb, &ev);
    expect(1, "serving");
    CORBA_free(text);
    CORBA_Object_release((CORBA_Object)manager, &ev);
    CORBA_Object_release(reference, &ev);
    CORBA_Object_release((CORBA_Object)adapter, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    POA_Values_Desk__fini(&desk, &ev);
    return failures > 0;
}

/* The client. */
static Values_Desk desk;

static void notes(CORBA_long number)
{
    Values_Note b = a_note(number), c = NULL, note = a_note(number);
    expect(Values_Desk_weigh_note(desk, note, &ev) == weigh_note(note), "weigh_note");
    CORBA_free(note);
    note = Values_Desk_a_note(desk, number, &ev);
    const double weight = weigh_note(b);
    expect(weigh_note(note) == weight, "a_note");
    CORBA_free(note);
    note = a_note(2);
    Values_Desk_exchange_notes(desk, 2, &b, &c, &ev);
    expect(weigh_note(c) == weight && weigh_note(b) == weigh_note(note), "exchange_notes");
    CORBA_free(b), CORBA_free(c), CORBA_free(note);
}

#define BOTH_WAYS(T, make, weigh)                                                                                          \
    do {                                                                                                                   \
        T *const ours = make(number);                                                                                      \
        expect(Values_Desk_##weigh(desk, ours, &ev) == weigh(ours), #weigh);                                               \
        T *const theirs = Values_Desk_##make(desk, number, &ev);                                                           \
        expect(theirs != NULL && weigh(theirs) == weigh(ours), #make);                                                     \
        CORBA_free(ours), CORBA_free(theirs);                                                                              \
    } while (0)

static void others(CORBA_long number)
{
    BOTH_WAYS(Values_Stamps, some_stamps, weigh_stamps);
    BOTH_WAYS(Values_Entries, some_entries, weigh_entries);
    BOTH_WAYS(Values_Pair_slice, a_pair, weigh_pair);
    BOTH_WAYS(Values_Choice, a_choice, weigh_choice);
}

static void bases(CORBA_long number)
{
    Values_Later later = a_later(number);
    const double weight = weigh_later(later);
    expect(Values_Desk_weigh_later(desk, later, &ev) == weight, "weigh_later");
    CORBA_free(later);
    later = Values_Desk_a_later(desk, number, &ev);
    expect(weigh_later(later) == weight, "a_later");
    CORBA_free(later);
    Values_Stamp ours = a_stamp(number), theirs = Values_Desk_as_stamp(desk, number, &ev);
    expect(weigh_stamp(ours) == weigh_stamp(theirs), "as_stamp");
    CORBA_free(ours), CORBA_free(theirs);
    Values_Stamps *all = some_stamps(number), *of_them = Values_Desk_as_stamps(desk, number, &ev);
    expect(of_them != NULL && weigh_stamps(all) == weigh_stamps(of_them), "as_stamps");
    CORBA_free(all), CORBA_free(of_them);
}

static void boxes(void)
{
    CORBA_long items[3] = {1, -2, 3};
    Values_Numbers__state numbers = {{3, 3, items, CORBA_FALSE}};
    Values_Numbers const back = Values_Desk_some_numbers(desk, &numbers, &ev);
    expect(back != NULL && back->_value._length == 3 && back->_value._buffer[1] == -4, "some_numbers");
    CORBA_free(back);
    expect(Values_Desk_some_numbers(desk, NULL, &ev) == NULL, "no numbers");
}

static void exceptions(void)
{
    Values_Stamp stamp = a_stamp(7);
    Values_Desk_fails(desk, stamp, &ev);
    if (ev._major == CORBA_USER_EXCEPTION && strcmp(CORBA_exception_id(&ev), ex_Values_Late) == 0) {
        const Values_Late *const late = (const Values_Late *)CORBA_exception_value(&ev);
        const double weight = weigh_stamp(late->since);
        CORBA_exception_free(&ev);
        expect(weight == weigh_stamp(stamp), "the exception's value");
    } else {
        expect(0, "an exception");
    }
    CORBA_free(stamp);
}

/* What leads back to itself cannot be sent. */
static void cycles(void)
{
    Values_Note note = a_note(1);
    note->next = note;
    Values_Desk_weigh_note(desk, note, &ev);
    const int is_refused = ev._major == CORBA_SYSTEM_EXCEPTION && strcmp(CORBA_exception_id(&ev), ex_CORBA_MARSHAL) == 0;
    CORBA_exception_free(&ev);
    expect(is_refused, "a cycle is refused");
    note->next = NULL;
    CORBA_free(note);
}

static int call(const char *reference)
{
    desk = CORBA_ORB_string_to_object(orb, reference, &ev);
    expect(desk != CORBA_OBJECT_NIL, "the reference");
    for (CORBA_long number = 0; number < 12 && failures == 0; number++) {
        notes(number);
        others(number);
        bases(number);
    }
    Values_Empty empty = Values_Empty__alloc(), back = Values_Desk_an_empty(desk, empty, &ev);
    expect(back != NULL, "an_empty");
    CORBA_free(empty), CORBA_free(back);
    expect(Values_Desk_an_empty(desk, NULL, &ev) == NULL, "no empty");
    boxes();
    exceptions();
    cycles();
    Values_Desk_shut_down(desk, &ev);
    CORBA_exception_free(&ev);
    CORBA_Object_release(desk, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    puts(failures == 0 ? "all of it came back" : "not all of it came back");
    return failures > 0;
}

int main(int argc, char **argv)
{
    CORBA_exception_init(&ev);
    orb = CORBA_ORB_init(&argc, argv, "", &ev);
    return argc > 1 ? call(argv[1]) : serve();
}
