/* SPDX-License-Identifier: MIT-0 */
/* A servant of Test::Echo: what it was given comes back. */
#include "echo.h"
#include <stdio.h>
#include <time.h>

static void do_nothing(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
}

static CORBA_long do_add(PortableServer_Servant servant, CORBA_long left, CORBA_long right, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return left + right;
}

static Test_Octets *do_bytes(PortableServer_Servant servant, const Test_Octets *given, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    Test_Octets *const result = CORBA_sequence_CORBA_octet__alloc();
    *result = (Test_Octets){given->_length, given->_length, CORBA_sequence_CORBA_octet_allocbuf(given->_length + 1), CORBA_TRUE};
    if (given->_length > 0)
        memcpy(result->_buffer, given->_buffer, given->_length);
    return result;
}

static CORBA_long do_sum(PortableServer_Servant servant, const Test_Numbers *given, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    uint32_t sum = 0;
    for (uint32_t index = 0; index < given->_length; index++)
        sum += (uint32_t)given->_buffer[index];
    return (CORBA_long)sum;
}

static Test_Numbers *do_series(PortableServer_Servant servant, CORBA_long count, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    const uint32_t length = count < 0 || count > 4000000 ? 0 : (uint32_t)count;
    Test_Numbers *const result = CORBA_sequence_CORBA_long__alloc();
    *result = (Test_Numbers){length, length, CORBA_sequence_CORBA_long_allocbuf(length + 1), CORBA_TRUE};
    for (uint32_t index = 0; index < length; index++)
        result->_buffer[index] = (CORBA_long)index;
    return result;
}

static CORBA_char *do_greet(PortableServer_Servant servant, const CORBA_char *name, CORBA_Environment *ev)
{
    (void)servant;
    if (name[0] == 0) {
        Test_Refused *const refused = Test_Refused__alloc();
        refused->why = CORBA_string_dup("nobody is nobody");
        refused->code = 42;
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Test_Refused, refused);
        return NULL;
    }
    if (strcmp(name, "nobody") == 0) {
        CORBA_exception_set_system(ev, ex_CORBA_NO_PERMISSION, CORBA_COMPLETED_YES);
        return NULL;
    }
    CORBA_char *const text = CORBA_string_alloc((CORBA_unsigned_long)strlen(name) + 7);
    sprintf(text, "Hello, %s", name);
    return text;
}

static void do_note(PortableServer_Servant servant, CORBA_long value, CORBA_Environment *ev)
{
    (void)ev;
    __atomic_fetch_add(&((struct echo *)servant)->noted, value, __ATOMIC_RELAXED);
}

static CORBA_long do_noted(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    return __atomic_load_n(&((struct echo *)servant)->noted, __ATOMIC_RELAXED);
}

static Test_Echo do_self(PortableServer_Servant servant, CORBA_Environment *ev)
{
    return PortableServer_POA_servant_to_reference(((struct echo *)servant)->poa, servant, ev);
}

static Test_Echo do_pass(PortableServer_Servant servant, Test_Echo given, CORBA_Environment *ev)
{
    (void)servant;
    return CORBA_Object_duplicate(given, ev);
}

static void do_pause(PortableServer_Servant servant, CORBA_unsigned_long milliseconds, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    nanosleep(&time, NULL);
}

/* Calls the other with this one as its other, one less deep; how deep it went. */
static CORBA_long do_back(PortableServer_Servant servant, Test_Echo other, CORBA_long depth, CORBA_Environment *ev)
{
    if (depth <= 0)
        return 0;
    Test_Echo const self = do_self(servant, ev);
    const CORBA_long reached = Test_Echo_back(other, self, depth - 1, ev) + 1;
    CORBA_Object_release(self, ev);
    return reached;
}

static CORBA_wchar *do_wide(PortableServer_Servant servant, const CORBA_wchar *given, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return CORBA_wstring_dup(given);
}

static void do_stop(PortableServer_Servant servant, CORBA_Environment *ev)
{
    CORBA_ORB_shutdown(((struct echo *)servant)->orb, CORBA_FALSE, ev);
}

static PortableServer_ServantBase__epv base;
static POA_Test_Echo__epv epv = {NULL, do_nothing, do_add, do_bytes, do_sum, do_series, do_greet, do_note, do_noted, do_self, do_pass,
                                 do_pause, do_back, do_wide, do_stop};
static POA_Test_Echo__vepv vepv = {&base, &epv};

void echo_open(struct echo *echo, CORBA_ORB orb, PortableServer_POA poa)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *echo = (struct echo){.servant = {NULL, &vepv}, .orb = orb, .poa = poa};
    POA_Test_Echo__init(&echo->servant, &ev);
}
