// The peer of client.c: a server for every.idl, in C++ with omniORB.
#include "every.hh"
#include <iostream>

static CORBA::ORB_var orb;

#define BY_VALUE(operation, T) T operation(T a, T &b, T &c) override { c = b; b = a; return a; }
#define FIXED(operation, T) T operation(const T &a, T &b, T &c) override { c = b; b = a; return a; }
#define VARIABLE(operation, T) T *operation(const T &a, T &b, T##_out c) override { c = new T(b); b = a; return new T(a); }
#define FIXED_ARRAY(operation, T)                                                                                          \
    T##_slice *operation(const T a, T b, T##_out c) override { T##_copy(c, b); T##_copy(b, a); return T##_dup(a); }

using namespace Every;

class Servant : public POA_Every::Echo {
    CORBA::String_var noted = CORBA::string_dup("");
    Point corner = {3, 4};
    CORBA::Long most = 10;

public:
    BY_VALUE(a_short, CORBA::Short)
    BY_VALUE(a_long, CORBA::Long)
    BY_VALUE(a_long_long, CORBA::LongLong)
    BY_VALUE(a_ushort, CORBA::UShort)
    BY_VALUE(a_ulong, CORBA::ULong)
    BY_VALUE(a_ulong_long, CORBA::ULongLong)
    BY_VALUE(a_float, CORBA::Float)
    BY_VALUE(a_double, CORBA::Double)
    BY_VALUE(a_char, CORBA::Char)
    BY_VALUE(a_wchar, CORBA::WChar)
    BY_VALUE(a_boolean, CORBA::Boolean)
    BY_VALUE(an_octet, CORBA::Octet)
    BY_VALUE(a_color, Color)
    FIXED(a_point, Point)
    FIXED(a_mixed, Mixed)
    FIXED(a_flag, Flag)
    FIXED(a_price, Price)
    VARIABLE(a_person, Person)
    VARIABLE(a_tree, Tree)
    VARIABLE(a_shape, Shape)
    VARIABLE(a_wide, Wide)
    VARIABLE(a_key, Key)
    VARIABLE(some_longs, Longs)
    VARIABLE(some_doubles, Doubles)
    VARIABLE(some_shorts, Shorts)
    VARIABLE(some_octets, Octets)
    VARIABLE(some_flags, Flags)
    VARIABLE(some_texts, Texts)
    VARIABLE(some_rects, Rects)
    VARIABLE(some_people, People)
    VARIABLE(some_lists, Lists)
    VARIABLE(some_colors, Colors)
    VARIABLE(some_anys, Anys)
    FIXED_ARRAY(a_grid, Grid)
    FIXED_ARRAY(a_key16, Key16)
    FIXED_ARRAY(some_corners, Corners)

    CORBA::Any *an_any(const CORBA::Any &a, CORBA::Any &b, CORBA::Any_OUT_arg c) override
    {
        c = new CORBA::Any(b);
        b = a;
        return new CORBA::Any(a);
    }
    Words_slice *some_words(const Words a, Words b, Words_out c) override
    {
        c = Words_dup(b);
        Words_copy(b, a);
        return Words_dup(a);
    }
    char *a_string(const char *a, char *&b, CORBA::String_out c) override
    {
        c = b;
        b = CORBA::string_dup(a);
        return CORBA::string_dup(a);
    }
    char *a_short_text(const char *a, char *&b, CORBA::String_out c) override { return a_string(a, b, c); }
    CORBA::WChar *a_wstring(const CORBA::WChar *a, CORBA::WChar *&b, CORBA::WString_out c) override
    {
        c = b;
        b = CORBA::wstring_dup(a);
        return CORBA::wstring_dup(a);
    }
    Every::Echo_ptr an_echo(Every::Echo_ptr a, Every::Echo_ptr &b, Every::Echo_out c) override
    {
        c = b;
        b = Every::Echo::_duplicate(a);
        return Every::Echo::_duplicate(a);
    }
    CORBA::Object_ptr an_object(CORBA::Object_ptr a, CORBA::Object_ptr &b, CORBA::Object_OUT_arg c) override
    {
        c = b;
        b = CORBA::Object::_duplicate(a);
        return CORBA::Object::_duplicate(a);
    }
    void fails(CORBA::Long how) override
    {
        if (how == 1)
            throw Refused("because", 42);
        if (how == 2)
            throw Empty();
        if (how == 3)
            throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_NO);
    }
    void remember(const char *text) override { noted = CORBA::string_dup(text); }
    char *remembered() override { return CORBA::string_dup(noted); }
    void shut_down() override { orb->shutdown(false); }
    char *title() override { return CORBA::string_dup("every construct"); }
    Point extent() override { return corner; }
    void extent(const Point &value) override { corner = value; }
    CORBA::Long limit() override { return most; }
    void limit(CORBA::Long value) override { most = value; }
};

int main(int argc, char **argv)
{
    orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var adapter = PortableServer::POA::_narrow(root);
    Servant servant;
    PortableServer::ObjectId_var id = adapter->activate_object(&servant);
    Echo_var echo = servant._this();
    CORBA::String_var text = orb->object_to_string(echo);
    std::cout << text << std::endl;
    PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    orb->run();
    orb->destroy();
    return 0;
}
