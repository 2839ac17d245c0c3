/* SPDX-License-Identifier: MIT-0 */
/* Calls every operation of the Echo whose reference it is given (`IOR:…`, `corbaloc:…`, `@FILE`), and says what is not as it should be. */
#include "echo.h"
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static int failures;
#define CHECK(what) \
    do { \
        if (!(what)) { \
            failures++; \
            fprintf(stderr, "%s:%d: `%s` does not hold (%s, %u)\n", __FILE__, __LINE__, #what, ev._id == NULL ? "no exception" : ev._id, \
                    (unsigned)ev._system.minor); \
        } \
    } while (0)

static bool raised(CORBA_Environment *ev, const char *id)
{
    const bool is = ev->_major != CORBA_NO_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0;
    if (is)
        CORBA_exception_free(ev);
    return is;
}

static void small_ones(Test_Echo echo)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Test_Echo_nothing(echo, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
    CHECK(Test_Echo_add(echo, 40, 2, &ev) == 42);
    CHECK(Test_Echo_add(echo, -1, -2, &ev) == -3);
    CORBA_char *const text = Test_Echo_greet(echo, "world", &ev);
    CHECK(text != NULL && strcmp(text, "Hello, world") == 0);
    CORBA_free(text);
    CHECK(Test_Echo_greet(echo, "", &ev) == NULL && ev._major == CORBA_USER_EXCEPTION);
    const Test_Refused *const refused = (const Test_Refused *)CORBA_exception_value(&ev);
    CHECK(refused != NULL && strcmp(refused->why, "nobody is nobody") == 0 && refused->code == 42);
    CHECK(raised(&ev, ex_Test_Refused));
    CHECK(Test_Echo_greet(echo, "nobody", &ev) == NULL && ev._system.completed == CORBA_COMPLETED_YES);
    CHECK(raised(&ev, ex_CORBA_NO_PERMISSION));
    Test_Echo_missing(echo, &ev);
    CHECK(ev._major == CORBA_SYSTEM_EXCEPTION && ev._system.completed == CORBA_COMPLETED_NO && raised(&ev, ex_CORBA_BAD_OPERATION));
    const CORBA_long before = Test_Echo_noted(echo, &ev);
    for (int value = 1; value <= 100; value++)
        Test_Echo_note(echo, value, &ev);
    for (int tries = 0; tries < 100000 && Test_Echo_noted(echo, &ev) != before + 5050; tries++)
        ;
    CHECK(Test_Echo_noted(echo, &ev) == before + 5050);
    CHECK(CORBA_Object_is_a(echo, "IDL:Test/Echo:1.0", &ev));
    CHECK(CORBA_Object_is_a(echo, "IDL:omg.org/CORBA/Object:1.0", &ev));
    CHECK(!CORBA_Object_is_a(echo, "IDL:Test/Other:1.0", &ev));
    CHECK(!CORBA_Object_non_existent(echo, &ev));
    CHECK(ev._major == CORBA_NO_EXCEPTION);
}

static void texts(Test_Echo echo, bool wide)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_char *const text = Test_Echo_greet(echo, "Gr\xc3\xbc\xc3\x9f Gott", &ev);
    CHECK(text != NULL && strcmp(text, "Hello, Gr\xc3\xbc\xc3\x9f Gott") == 0);
    CORBA_free(text);
    if (!wide)
        return;
    CORBA_wchar *const answer = Test_Echo_wide(echo, L"\x47\xe4\x20ac\x1f600", &ev);
    CHECK(answer != NULL && wcscmp(answer, L"\x47\xe4\x20ac\x1f600") == 0);
    CORBA_free(answer);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
}

static void large_ones(Test_Echo echo, bool small)
{
    static const uint32_t sizes[] = {0, 1, 7, 100, 8191, 8192, 16380, 65536, 1000003, 4194304};
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (size_t which = 0; which < (small ? 6 : sizeof sizes / sizeof sizes[0]); which++) {
        const uint32_t size = sizes[which];
        Test_Octets given = {size, size, CORBA_sequence_CORBA_octet_allocbuf(size + 1), CORBA_TRUE};
        for (uint32_t index = 0; index < size; index++)
            given._buffer[index] = (CORBA_octet)(index * 7 + (index >> 8));
        Test_Octets *const bytes = Test_Echo_bytes(echo, &given, &ev);
        CHECK(bytes != NULL && bytes->_length == size && (size == 0 || memcmp(bytes->_buffer, given._buffer, size) == 0));
        CORBA_free(bytes);
        CORBA_free(given._buffer);
        Test_Numbers *const longs = Test_Echo_series(echo, (CORBA_long)(size / 4), &ev);
        CHECK(longs != NULL && longs->_length == size / 4);
        uint32_t sum = 0, wrong = 0;
        for (uint32_t index = 0; longs != NULL && index < longs->_length; index++) {
            sum += index;
            wrong += (uint32_t)longs->_buffer[index] != index;
        }
        CHECK(wrong == 0);
        if (longs != NULL)
            CHECK((uint32_t)Test_Echo_sum(echo, longs, &ev) == sum);
        CORBA_free(longs);
    }
}

static void references(CORBA_ORB orb, Test_Echo echo)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Test_Echo const self = Test_Echo_self(echo, &ev);
    CHECK(self != NULL && Test_Echo_add(self, 1, 2, &ev) == 3);
    Test_Echo const passed = Test_Echo_pass(echo, self, &ev);
    CHECK(passed != NULL && CORBA_Object_is_equivalent(self, passed, &ev));
    CHECK(CORBA_Object_hash(self, 1000, &ev) == CORBA_Object_hash(passed, 1000, &ev));
    CHECK(Test_Echo_pass(echo, CORBA_OBJECT_NIL, &ev) == CORBA_OBJECT_NIL);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, self, &ev);
    Test_Echo const again = CORBA_ORB_string_to_object(orb, text, &ev);
    CHECK(again != NULL && CORBA_Object_is_equivalent(self, again, &ev) && Test_Echo_add(again, 3, 4, &ev) == 7);
    CHECK(whittle_object_locate(again, &ev));
    CORBA_free(text);
    CORBA_Object_release(self, &ev);
    CORBA_Object_release(passed, &ev);
    CORBA_Object_release(again, &ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
}

static CORBA_Object named(CORBA_ORB orb, const char *text, CORBA_Environment *ev)
{
    char line[4096];
    if (text[0] != '@')
        return CORBA_ORB_string_to_object(orb, text, ev);
    FILE *const file = fopen(text + 1, "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        perror(text + 1);
        exit(1);
    }
    fclose(file);
    line[strcspn(line, "\r\n")] = 0;
    return CORBA_ORB_string_to_object(orb, line, ev);
}

int main(int argc, char **argv)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB const orb = CORBA_ORB_init(&argc, argv, "", &ev);
    CORBA_Object const echo = orb == NULL || argc < 2 ? CORBA_OBJECT_NIL : named(orb, argv[1], &ev);
    CHECK(echo != NULL);
    bool wide = true, stop = false, small = false;
    for (int index = 2; index < argc; index++) {
        stop = stop || strcmp(argv[index], "stop") == 0;
        small = small || strcmp(argv[index], "small") == 0;
        wide = wide && strcmp(argv[index], "narrow") != 0;
    }
    if (echo != NULL) {
        small_ones(echo);
        texts(echo, wide);
        large_ones(echo, small);
        references(orb, echo);
        if (stop)
            Test_Echo_stop(echo, &ev);
        CHECK(ev._major == CORBA_NO_EXCEPTION);
    }
    CORBA_Object_release(echo, &ev);
    if (orb != NULL) {
        CORBA_ORB_destroy(orb, &ev);
        CORBA_Object_release((CORBA_Object)orb, &ev);
    }
    if (failures == 0)
        puts("all as it should be");
    return failures != 0;
}
