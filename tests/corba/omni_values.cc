// The peer of values.c in C++ with omniORB, both server and client. Entries share one stamp and one note.
#include "values.hh"
#include <cstdio>
#include <cstring>
#include <iostream>

static CORBA::ORB_var orb;
static int failures;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        std::cerr << what << ": another value came" << std::endl;
        failures++;
    }
}

#define VALUE(T)                                                                                                           \
    class T : public virtual OBV_Values::T, public virtual CORBA::DefaultValueRefCountBase {                               \
        T##_BODY                                                                                                           \
    };                                                                                                                     \
    struct T##Factory : public virtual CORBA::ValueFactoryBase {                                                           \
        CORBA::ValueBase *create_for_unmarshal() override { return new T; }                                                \
    };
#define Stamp_BODY public: double rest() { return fraction(); } void rest(double of) { fraction(of); }
#define Dated_BODY Stamp_BODY
#define Later_BODY Stamp_BODY
#define Empty_BODY
#define Note_BODY public: void show() override {}
namespace mine {
VALUE(Stamp)
VALUE(Empty)
VALUE(Note)
VALUE(Dated)
VALUE(Later)
}

static Values::Stamp *a_stamp(CORBA::Long number)
{
    if (number % 3 == 0)
        return nullptr;
    mine::Stamp *const stamp = new mine::Stamp;
    stamp->seconds((CORBA::LongLong)number << 33);
    stamp->zone(number);
    stamp->rest(number / 8.0);
    return stamp;
}

static double weigh(Values::Stamp *stamp)
{
    return !stamp ? 0.5 : (double)(stamp->seconds() >> 32) + stamp->zone() * 3 + dynamic_cast<mine::Stamp *>(stamp)->rest();
}

static Values::Note *a_note(CORBA::Long number)
{
    char text[40];
    if (number <= 0)
        return nullptr;
    mine::Note *const note = new mine::Note;
    std::snprintf(text, sizeof text, "note %.*s", (int)(number % 9), "12345678");
    note->text(static_cast<const char *>(text));
    Values::Point at;
    at.x = number, at.y = -number;
    note->at(at);
    Values::Doubles weights;
    weights.length(number % 5);
    for (CORBA::ULong i = 0; i < weights.length(); i++)
        weights[i] = i * 0.25;
    note->weights(weights);
    CORBA::ValueBase_var held[2] = {a_stamp(number), a_note(number - 1)};
    note->made(dynamic_cast<Values::Stamp *>(held[0].in()));
    note->next(dynamic_cast<Values::Note *>(held[1].in()));
    return note;
}

static double weigh(Values::Note *note)
{
    double weight = 0.25;
    for (; note; note = note->next()) {
        weight += (double)std::strlen(note->text()) + note->at().x * 2 - note->at().y + weigh(note->made());
        for (CORBA::ULong i = 0; i < note->weights().length(); i++)
            weight += note->weights()[i] * (i + 1);
    }
    return weight;
}

static Values::Stamps *some_stamps(CORBA::Long number)
{
    Values::Stamps *const stamps = new Values::Stamps;
    stamps->length(number);
    for (CORBA::Long i = 0; i < number; i++)
        (*stamps)[i] = a_stamp(i);
    return stamps;
}

static double weigh(const Values::Stamps &stamps)
{
    double weight = stamps.length();
    for (CORBA::ULong i = 0; i < stamps.length(); i++)
        weight += weigh(stamps[i].in()) * (i + 1);
    return weight;
}

static Values::Entries *some_entries(CORBA::Long number)
{
    Values::Entries *const entries = new Values::Entries;
    Values::Stamp_var first = a_stamp(number);
    Values::Note_var about = a_note(number);
    entries->length(number);
    for (CORBA::Long i = 0; i < number; i++) {
        (*entries)[i].kind = i;
        (*entries)[i].first = first;
        (*entries)[i].about = about;
    }
    return entries;
}

static double weigh(const Values::Entries &entries)
{
    double weight = entries.length();
    for (CORBA::ULong i = 0; i < entries.length(); i++)
        weight += (entries[i].kind + weigh(entries[i].first.in()) + weigh(entries[i].about.in())) * (i + 1);
    return weight;
}

static Values::Pair_slice *a_pair(CORBA::Long number)
{
    Values::Pair_slice *const pair = Values::Pair_alloc();
    pair[0] = a_stamp(number), pair[1] = a_stamp(number + 1);
    return pair;
}

static double weigh_pair(const Values::Pair pair)
{
    return weigh(pair[0].in()) + weigh(pair[1].in()) * 2;
}

static Values::Choice *a_choice(CORBA::Long number)
{
    Values::Choice *const choice = new Values::Choice;
    if (number % 2 == 0) {
        Values::Note_var about = a_note(number);
        choice->about(about);
    } else {
        choice->number(number);
    }
    return choice;
}

static double weigh(const Values::Choice &choice)
{
    return choice._d() ? weigh(choice.about()) : choice.number() * 5;
}

static Values::Numbers *some_numbers(Values::Numbers *a)
{
    if (!a)
        return nullptr;
    Values::Numbers *const numbers = new Values::Numbers(*a);
    for (CORBA::ULong i = 0; i < numbers->length(); i++)
        (*numbers)[i] = (*numbers)[i] * 2;
    return numbers;
}

template <class T> static T *a_dated(CORBA::Long number)
{
    T *const dated = new T;
    dated->seconds((CORBA::LongLong)number << 33);
    dated->zone(number);
    dated->rest(number / 8.0);
    if (number % 3 > 0) {
        Values::Name_var day = new Values::Name("Sunday");
        dated->day(day);
    }
    Values::Note_var because = a_note(number);
    dated->because(because);
    dated->last(-number);
    return dated;
}

static Values::Later *a_later(CORBA::Long number)
{
    if (number == 0)
        return nullptr;
    mine::Later *const later = a_dated<mine::Later>(number);
    later->more(number);
    return later;
}

static double weigh(Values::Later *later)
{
    if (!later)
        return 2.5;
    const double weight = (double)(later->seconds() >> 32) + later->zone() * 3 + dynamic_cast<mine::Later *>(later)->rest() +
                          (later->day() ? (double)std::strlen(later->day()->_value()) : 0.25);
    return weight + weigh(later->because()) * 2 + later->last() * 3 + later->more();
}

static Values::Stamp *as_stamp(CORBA::Long number)
{
    return number % 3 == 0 ? nullptr : a_dated<mine::Dated>(number);
}

static Values::Stamps *as_stamps(CORBA::Long number)
{
    Values::Stamps *const stamps = new Values::Stamps;
    stamps->length(number);
    for (CORBA::Long i = 0; i < number; i++)
        (*stamps)[i] = as_stamp(i);
    return stamps;
}

class Servant : public POA_Values::Desk {
public:
    CORBA::Double weigh_note(Values::Note *a) override { return weigh(a); }
    Values::Note *a_note(CORBA::Long number) override { return ::a_note(number); }
    void exchange_notes(CORBA::Long number, Values::Note *&b, Values::Note_out c) override
    {
        c = b;
        b = ::a_note(number);
    }
    CORBA::Double weigh_stamps(const Values::Stamps &a) override { return weigh(a); }
    Values::Stamps *some_stamps(CORBA::Long number) override { return ::some_stamps(number); }
    CORBA::Double weigh_entries(const Values::Entries &a) override { return weigh(a); }
    Values::Entries *some_entries(CORBA::Long number) override { return ::some_entries(number); }
    CORBA::Double weigh_pair(const Values::Pair a) override { return ::weigh_pair(a); }
    Values::Pair_slice *a_pair(CORBA::Long number) override { return ::a_pair(number); }
    CORBA::Double weigh_choice(const Values::Choice &a) override { return weigh(a); }
    Values::Choice *a_choice(CORBA::Long number) override { return ::a_choice(number); }
    Values::Empty *an_empty(Values::Empty *a) override { return a ? new mine::Empty : nullptr; }
    Values::Numbers *some_numbers(Values::Numbers *a) override { return ::some_numbers(a); }
    CORBA::Double weigh_later(Values::Later *a) override { return weigh(a); }
    Values::Later *a_later(CORBA::Long number) override { return ::a_later(number); }
    Values::Stamp *as_stamp(CORBA::Long number) override { return ::as_stamp(number); }
    Values::Stamps *as_stamps(CORBA::Long number) override { return ::as_stamps(number); }
    void fails(Values::Stamp *since) override
    {
        throw Values::Late(::a_stamp(since ? since->zone() : 0));
    }
    void shut_down() override { orb->shutdown(false); }
};

static int serve()
{
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var adapter = PortableServer::POA::_narrow(root);
    Servant servant;
    PortableServer::ObjectId_var id = adapter->activate_object(&servant);
    Values::Desk_var desk = servant._this();
    CORBA::String_var text = orb->object_to_string(desk);
    std::cout << text << std::endl;
    PortableServer::POAManager_var manager = adapter->the_POAManager();
    manager->activate();
    orb->run();
    orb->destroy();
    return 0;
}

static void calls(Values::Desk_ptr desk, CORBA::Long number)
{
    Values::Note_var note = a_note(number), b = a_note(number), c, two = a_note(2);
    const double weight = weigh(note.in());
    expect(desk->weigh_note(note) == weight, "weigh_note");
    note = desk->a_note(number);
    expect(weigh(note.in()) == weight, "a_note");
    desk->exchange_notes(2, b.inout(), c.out());
    expect(weigh(c.in()) == weight && weigh(b.in()) == weigh(two.in()), "exchange_notes");
    Values::Stamps_var stamps = some_stamps(number), their_stamps = desk->some_stamps(number);
    expect(desk->weigh_stamps(stamps) == weigh(stamps.in()) && weigh(their_stamps.in()) == weigh(stamps.in()), "stamps");
    Values::Entries_var entries = some_entries(number), their_entries = desk->some_entries(number);
    expect(desk->weigh_entries(entries) == weigh(entries.in()) && weigh(their_entries.in()) == weigh(entries.in()), "entries");
    Values::Pair_var pair = a_pair(number), their_pair = desk->a_pair(number);
    expect(desk->weigh_pair(pair) == weigh_pair(pair.in()) && weigh_pair(their_pair.in()) == weigh_pair(pair.in()), "pairs");
    Values::Choice_var choice = a_choice(number), their_choice = desk->a_choice(number);
    expect(desk->weigh_choice(choice) == weigh(choice.in()) && weigh(their_choice.in()) == weigh(choice.in()), "choices");
    Values::Later_var later = a_later(number), their_later = desk->a_later(number);
    expect(desk->weigh_later(later) == weigh(later.in()) && weigh(their_later.in()) == weigh(later.in()), "later");
    // What is read where a base is meant is cut off there: of notes no stamp is left.
    Values::Stamps_var dated = as_stamps(number);
    expect(desk->weigh_stamps(dated) == weigh(stamps.in()), "bases");
}

static int call(const char *reference)
{
    CORBA::Object_var object = orb->string_to_object(reference);
    Values::Desk_var desk = Values::Desk::_narrow(object);
    for (CORBA::Long number = 0; number < 12; number++)
        calls(desk, number);
    Values::Empty_var empty = new mine::Empty, back = desk->an_empty(empty), none = desk->an_empty(nullptr);
    expect(back.in() && !none.in(), "an_empty");
    Values::Numbers_var numbers = new Values::Numbers;
    numbers->length(2);
    (*numbers)[0] = 7, (*numbers)[1] = -8;
    Values::Numbers_var doubled = desk->some_numbers(numbers), nothing = desk->some_numbers(nullptr);
    expect(doubled->length() == 2 && (*doubled)[1] == -16 && !nothing.in(), "some_numbers");
    Values::Stamp_var stamp = a_stamp(7);
    try {
        desk->fails(stamp);
        expect(false, "an exception");
    } catch (const Values::Late &late) {
        expect(weigh(late.since.in()) == weigh(stamp.in()), "the exception's value");
    }
    desk->shut_down();
    orb->destroy();
    std::cout << (failures == 0 ? "all of it came back" : "not all of it came back") << std::endl;
    return failures > 0;
}

int main(int argc, char **argv)
{
    orb = CORBA::ORB_init(argc, argv);
    CORBA::ValueFactoryBase_var factories[5] = {new mine::StampFactory, new mine::EmptyFactory, new mine::NoteFactory,
                                                new mine::DatedFactory, new mine::LaterFactory};
    const char *const ids[5] = {"Stamp", "Empty", "Note", "Dated", "Later"};
    for (int i = 0; i < 5; i++) {
        const std::string id = std::string("IDL:example.org/Values/") + ids[i] + ":1.0";
        orb->register_value_factory(id.c_str(), factories[i]);
    }
    try {
        return argc > 1 ? call(argv[1]) : serve();
    } catch (const CORBA::SystemException &raised) {
        std::cerr << raised._name() << " " << std::hex << raised.minor() << std::endl;
        return 1;
    }
}
