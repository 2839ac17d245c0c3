// SPDX-License-Identifier: MIT-0
// Calls every operation of the Echo whose reference is in the file that is named first, by omniORB.
#include "echo.hh"
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

static int failures;
#define CHECK(what) \
    do { \
        if (!(what)) { \
            failures++; \
            std::cerr << __FILE__ << ":" << __LINE__ << ": `" #what "` does not hold\n"; \
        } \
    } while (0)

static void small_ones(Test::Echo_ptr echo)
{
    echo->nothing();
    CHECK(echo->add(40, 2) == 42);
    CORBA::String_var text = echo->greet("world");
    CHECK(std::strcmp(text, "Hello, world") == 0);
    try {
        text = echo->greet("");
        CHECK(!"refused");
    } catch (const Test::Refused &refused) {
        CHECK(std::strcmp(refused.why, "nobody is nobody") == 0 && refused.code == 42);
    }
    try {
        text = echo->greet("nobody");
        CHECK(!"refused");
    } catch (const CORBA::NO_PERMISSION &system) {
        CHECK(system.completed() == CORBA::COMPLETED_YES);
    }
    const CORBA::Long before = echo->noted();
    for (CORBA::Long value = 1; value <= 100; value++)
        echo->note(value);
    for (int tries = 0; tries < 1000 && echo->noted() != before + 5050; tries++)
        ;
    CHECK(echo->noted() == before + 5050);
    CHECK(echo->_is_a("IDL:Test/Echo:1.0"));
    CHECK(!echo->_is_a("IDL:Test/Other:1.0"));
    CHECK(!echo->_non_existent());
}

static void large_ones(Test::Echo_ptr echo)
{
    for (CORBA::ULong size : {0u, 1u, 7u, 100u, 8191u, 8192u, 16380u, 65536u, 1000003u, 4194304u}) {
        Test::Octets given;
        given.length(size);
        for (CORBA::ULong index = 0; index < size; index++)
            given[index] = static_cast<CORBA::Octet>(index * 7 + (index >> 8));
        Test::Octets_var bytes = echo->bytes(given);
        CHECK(bytes->length() == size && (size == 0 || std::memcmp(bytes->get_buffer(), given.get_buffer(), size) == 0));
        Test::Numbers_var longs = echo->series(static_cast<CORBA::Long>(size / 4));
        CORBA::ULong sum = 0;
        for (CORBA::ULong index = 0; index < longs->length(); index++)
            sum += static_cast<CORBA::ULong>(longs[index]);
        CHECK(longs->length() == size / 4 && echo->sum(longs) == static_cast<CORBA::Long>(sum));
    }
}

static void references(CORBA::ORB_ptr orb, Test::Echo_ptr echo)
{
    Test::Echo_var self = echo->self();
    CHECK(self->add(1, 2) == 3);
    Test::Echo_var passed = echo->pass(self);
    CHECK(passed->_is_equivalent(self));
    Test::Echo_var nil = echo->pass(Test::Echo::_nil());
    CHECK(CORBA::is_nil(nil));
    CORBA::String_var text = orb->object_to_string(self);
    CORBA::Object_var again = orb->string_to_object(text);
    CHECK(again->_is_equivalent(self));
    CHECK(Test::Echo::_narrow(again)->add(3, 4) == 7);
}

int main(int argc, char **argv)
{
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    std::string text;
    std::getline(std::ifstream(argv[1]), text);
    try {
        CORBA::Object_var object = orb->string_to_object(text.c_str());
        Test::Echo_var echo = Test::Echo::_narrow(object);
        small_ones(echo);
        if (argc < 3 || std::strcmp(argv[2], "narrow") != 0) {
            CORBA::WString_var wide = echo->wide(L"G\xe4\x20ac");
            CHECK(std::wstring(wide) == L"G\xe4\x20ac");
        }
        large_ones(echo);
        references(orb, echo);
        if (std::strcmp(argv[argc - 1], "stop") == 0)
            echo->stop();
    } catch (const CORBA::SystemException &system) {
        std::cerr << "omni_client: " << system._name() << ", minor code " << system.minor() << "\n";
        failures++;
    }
    orb->destroy();
    return failures != 0;
}
