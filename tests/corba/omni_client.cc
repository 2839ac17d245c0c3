// The peer of server.c: a client for every.idl, in C++ with omniORB. What comes back is compared as the bytes that it
// marshals to. With `narrow` behind the reference nothing wide is sent, with `small` nothing of many kilobytes either; with `plain`
// nothing that has no form in the plain style, `plain-small` both.
#include "every.hh"
#include <cstring>
#include <iostream>
#include <string>
#include <unistd.h>

using namespace Every;
static Echo_var echo;
static int failures;
static bool has_wide = true, is_plain;
static CORBA::ULong many = 100000;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        std::cerr << what << ": other values came back" << std::endl;
        failures++;
    }
}

template <class T> static std::string bytes(const T &value)
{
    cdrMemoryStream stream(0, true); // padding is zero
    value >>= stream;
    return std::string(static_cast<const char *>(stream.bufPtr()), stream.bufSize());
}

#define VALUES(operation, T, first, second)                                                                                \
    {                                                                                                                      \
        T a, b, c, before;                                                                                                 \
        a = first, b = second, before = second;                                                                            \
        T result = echo->operation(a, b, c);                                                                               \
        expect(result == a && b == a && c == before, #operation);                                                          \
    }
#define FIXED(operation, T, fill)                                                                                          \
    {                                                                                                                      \
        T a, b, c;                                                                                                         \
        { T &it = a; int which = 0; fill; }                                                                                \
        { T &it = b; int which = 1; fill; }                                                                                \
        std::string before = bytes(b);                                                                                     \
        T result = echo->operation(a, b, c);                                                                               \
        expect(bytes(result) == bytes(a) && bytes(b) == bytes(a) && bytes(c) == before, #operation);                       \
    }
#define VARIABLE(operation, T, fill)                                                                                       \
    {                                                                                                                      \
        T a, b;                                                                                                            \
        { T &it = a; int which = 0; fill; }                                                                                \
        { T &it = b; int which = 1; fill; }                                                                                \
        std::string before = bytes(b);                                                                                     \
        T##_var c;                                                                                                         \
        T##_var result = echo->operation(a, b, c.out());                                                                   \
        expect(bytes(result.in()) == bytes(a) && bytes(b) == bytes(a) && bytes(c.in()) == before, #operation);             \
    }
#define SEQUENCE(operation, T, count, item)                                                                                \
    VARIABLE(operation, T, it.length(which ? 1 : (count)); for (CORBA::ULong i = 0; i < it.length(); i++) { item; })

static void fill(Person &it, int which)
{
    it.name = which ? "" : "Ada";
    it.likes = which ? red : blue;
    it.picture.length(which ? 0 : 3);
    for (CORBA::ULong i = 0; i < it.picture.length(); i++)
        it.picture[i] = i * 100;
    it.alias_of = which ? L"" : L"w\u00efzard";
}

static void fill(Tree &it, int depth)
{
    it.value = depth;
    it.branches.length(depth > 0 ? 2 : 0);
    for (CORBA::ULong i = 0; i < it.branches.length(); i++)
        fill(it.branches[i], i == 0 ? depth - 1 : 0);
}

static void values()
{
    VALUES(a_short, CORBA::Short, -2, 0x1234)
    VALUES(a_long, CORBA::Long, -3, 0x12345678)
    VALUES(a_long_long, CORBA::LongLong, -4, 0x123456789abcdef0LL)
    VALUES(a_ushort, CORBA::UShort, 0xfffe, 1)
    VALUES(a_ulong, CORBA::ULong, 0xfffffffe, 1)
    VALUES(a_ulong_long, CORBA::ULongLong, 0xfffffffffffffffeULL, 1)
    VALUES(a_float, CORBA::Float, 1.5f, -0.25f)
    VALUES(a_double, CORBA::Double, 2.5e-300, -1e300)
    VALUES(a_char, CORBA::Char, 'x', ' ')
    if (has_wide)
        VALUES(a_wchar, CORBA::WChar, L'\u20ac', L'w')
    VALUES(a_boolean, CORBA::Boolean, true, false)
    VALUES(an_octet, CORBA::Octet, 255, 0)
    VALUES(a_color, Color, blue, green)
}

static void records()
{
    FIXED(a_point, Point, it.x = which; it.y = -7)
    FIXED(a_mixed, Mixed, it.o = 255; it.d = which / 3.0; it.b = which; it.s = -4; it.ll = 5; it.ch = 'c'; it.f = 6.5f; it.ul = 7)
    FIXED(a_flag, Flag, if (which) it._d(false); else it.number(7))
    if (!is_plain)
        VALUES(a_price, Price, CORBA::Fixed("12345.67"), CORBA::Fixed("-0.01"))
    if (has_wide)
        VARIABLE(a_person, Person, fill(it, which))
    VARIABLE(a_tree, Tree, fill(it, which ? 0 : 5))
    VARIABLE(a_shape, Shape, if (which) { it.text("sky"); it._d(green); } else { Point p; p.x = 1; p.y = 2; it.at(p); })
    if (!is_plain)
        VARIABLE(a_wide, Wide, if (which) it.any_other(0.5); else it.small(9))
    VARIABLE(a_key, Key, if (which) it._default(); else it.first("one"))
}

static void sequences()
{
    SEQUENCE(some_longs, Longs, many, it[i] = i * 77)
    SEQUENCE(some_doubles, Doubles, many / 80, it[i] = i / 3.0)
    SEQUENCE(some_shorts, Shorts, many / 80, it[i] = i * 77)
    SEQUENCE(some_octets, Octets, many - 1, it[i] = i)
    SEQUENCE(some_flags, Flags, 13, it[i] = i % 3 == 0)
    SEQUENCE(some_texts, Texts, 3, it[i] = CORBA::string_dup(i == 1 ? "" : "item"))
    SEQUENCE(some_rects, Rects, many / 80, it[i].least.x = i; it[i].least.y = 1; it[i].most.x = 2; it[i].most.y = 3)
    if (has_wide)
        SEQUENCE(some_people, People, 50, fill(it[i], i % 2))
    SEQUENCE(some_lists, Lists, 5, it[i].length(i); if (i > 0) it[i][0] = 7)
    SEQUENCE(some_colors, Colors, 9, it[i] = red)
    if (!is_plain)
        SEQUENCE(some_anys, Anys, 4, it[i] <<= (CORBA::Long)i)
}

static void texts_and_arrays()
{
    CORBA::String_var b = CORBA::string_dup("before"), c, result = echo->a_string("a text", b.inout(), c.out());
    expect(!strcmp(result, "a text") && !strcmp(b, "a text") && !strcmp(c, "before"), "a_string");
    if (has_wide) {
        CORBA::WString_var wb = CORBA::wstring_dup(L""), wc, wide = echo->a_wstring(L"w\u00efde \u20ac", wb.inout(), wc.out());
        expect(!wcscmp(wide, L"w\u00efde \u20ac") && !wcscmp(wb, wide) && !wcscmp(wc, L""), "a_wstring");
    }
    Grid grid = {{1, 2, 3}, {4, 5, 6}}, other = {{0}}, out;
    Grid_var back = echo->a_grid(grid, other, out);
    expect(!memcmp(back.in(), grid, sizeof grid) && !memcmp(other, grid, sizeof grid) && out[1][2] == 0, "a_grid");
    Words a, words;
    a[0] = "left", a[1] = "right", words[0] = "none", words[1] = "none";
    Words_var words_out, words_back = echo->some_words(a, words, words_out.out());
    expect(!strcmp(words_back[1], "right") && !strcmp(words[0], "left") && !strcmp(words_out[0], "none"), "some_words");
}

static void anys()
{
    CORBA::Any a, b;
    Tree tree;
    fill(tree, 3);
    a <<= tree;
    b <<= (CORBA::Long)5;
    CORBA::Any_var c, result = echo->an_any(a, b, c.out());
    const Tree *got;
    CORBA::Long five = 0;
    expect((result.in() >>= got) && bytes(*got) == bytes(tree) && (c.in() >>= five) && five == 5, "an_any");
}

static void objects()
{
    Echo_var other = Echo::_nil(), out, back = echo->an_echo(echo, other.inout(), out.out());
    expect(back->_is_equivalent(echo) && other->_is_equivalent(echo) && CORBA::is_nil(out), "an_echo");
}

static void identity()
{
    CORBA::String_var title = echo->title();
    expect(!strcmp(title, "every construct"), "title");
    expect(echo->_is_a("IDL:example.org/Every/Sized:1.0") && !echo->_is_a("IDL:x:1.0") && !echo->_non_existent(), "is_a");
}

static void exceptions_and_attributes()
{
    int caught = 0;
    try { echo->fails(1); } catch (const Refused &refused) { caught += !strcmp(refused.why, "because") && refused.code == 42; }
    try { echo->fails(2); } catch (const Empty &) { caught++; }
    try { echo->fails(3); } catch (const CORBA::NO_PERMISSION &no) { caught += no.completed() == CORBA::COMPLETED_NO; }
    echo->limit(11);
    caught += echo->limit() == 11;
    expect(caught == 4, "exceptions");
    Point extent = {30, 40};
    echo->extent(extent);
    expect(echo->extent().y == 40, "extent");
    echo->remember("this");
    // Nobody promises that what was sent one way has arrived before what is sent next.
    CORBA::String_var text = echo->remembered();
    for (int tries = 0; tries < 100 && !*text; tries++) {
        usleep(10000);
        text = echo->remembered();
    }
    expect(!strcmp(text, "this"), "a one-way");
}

int main(int argc, char **argv)
{
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    try {
        CORBA::Object_var object = orb->string_to_object(argv[1]);
        echo = Echo::_narrow(object);
        has_wide = argc < 3;
        const std::string mode = argc > 2 ? argv[2] : "";
        is_plain = mode.compare(0, 5, "plain") == 0;
        if (mode == "small" || mode == "plain-small")
            many = 100;
        values();
        records();
        sequences();
        texts_and_arrays();
        if (!is_plain)
            anys();
        objects();
        identity();
        exceptions_and_attributes();
        echo->shut_down();
    } catch (const CORBA::SystemException &raised) {
        std::cerr << raised._name() << " " << std::hex << raised.minor() << std::endl;
        failures++;
    }
    echo = Echo::_nil();
    orb->destroy();
    std::cout << (failures == 0 ? "all of it came back" : "not all of it came back") << std::endl;
    return failures > 0;
}
