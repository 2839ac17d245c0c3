// Round trips through omniORB.
#include "flick.hh"
#include "trips.h"
#include <cstdio>

namespace {

flick::Sink_var sink;

struct Servant : POA_flick::Sink {
    void nothing() {}
    void put_ints(const flick::Ints &items)
    {
        if (items[items.length() - 1] != trips_number(items.length() - 1))
            trips_failed("other numbers came");
    }
    void put_rects(const flick::Rects &) {}
    void put_dirents(const flick::Dirents &) {}
};

template <class Work> void guarded(Work work)
{
    try {
        work();
    } catch (const CORBA::SystemException &problem) {
        trips_failed(problem._name());
    }
}

}  // namespace

void trips_serve(int argc, char **argv)
{
    guarded([&] {
        CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
        CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
        PortableServer::POA_var adapter = PortableServer::POA::_narrow(object);
        PortableServer::POAManager_var manager = adapter->the_POAManager();
        static Servant *const servant = new Servant;
        PortableServer::ObjectId_var id = adapter->activate_object(servant);
        CORBA::Object_var reference = adapter->id_to_reference(id);
        CORBA::String_var text = orb->object_to_string(reference);
        puts(text);
        fflush(stdout);
        manager->activate();
        orb->run();
    });
}

void trips_open(int argc, char **argv, const char *reference)
{
    guarded([&] {
        static CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
        CORBA::Object_var object = orb->string_to_object(reference);
        sink = flick::Sink::_narrow(object);
    });
}

void trips_nothing(void)
{
    guarded([] { sink->nothing(); });
}

void trips_ints(int32_t *numbers, uint32_t count)
{
    guarded([&] {
        const flick::Ints items(count, count, numbers, false);
        sink->put_ints(items);
    });
}
