// omniORB with its own stubs and skeletons, in this machine's byte order. Options beside its defaults: messages of 4 MB may come,
// and it listens where it is told. The reference goes from the server to the client in a file.
#include "driver.h"
#include "flick.hh"
#include <cstdio>
#include <cstring>
#include <string>

namespace {

flick::Sink_var sink;
workload kind;
flick::Ints ints;
flick::Rects rects;
flick::Dirents dirents;

struct Servant : POA_flick::Sink {
    void nothing() {}
    void put_ints(const flick::Ints &) {}
    void put_rects(const flick::Rects &) {}
    void put_dirents(const flick::Dirents &) {}
};

template <class Work> void guarded(Work work)
{
    try {
        work();
    } catch (const CORBA::SystemException &problem) {
        driver_fail(problem._name());
    }
}

CORBA::ORB_ptr start(const char *endpoint)
{
    const char *options[][2] = {{"giopMaxMsgSize", "20971520"}, {"endPoint", endpoint}, {nullptr, nullptr}};
    if (endpoint == nullptr)
        options[1][0] = nullptr;
    int argc = 0;
    return CORBA::ORB_init(argc, nullptr, "omniORB4", options);
}

void fill(const data *d)
{
    if (d->workload == INTS)
        ints.replace(d->count, d->count, reinterpret_cast<CORBA::Long *>(d->items.ints), false);
    if (d->workload == RECTS)
        rects.replace(d->count, d->count, reinterpret_cast<flick::Rect *>(d->items.rects), false);
    if (d->workload != DIRENTS)
        return;
    dirents.length(d->count);
    for (uint32_t i = 0; i < d->count; i++) {
        const dirent_item &item = d->items.dirents[i];
        dirents[i].name = static_cast<const char *>(item.name);
        memcpy(dirents[i].info.fields, item.fields, sizeof item.fields);
        memcpy(dirents[i].info.tag, item.tag, sizeof item.tag);
    }
}

}  // namespace

void participant_serve(const char *host, uint16_t port, const char *path)
{
    const std::string at = path ? std::string("giop:unix:") + path
                                : std::string("giop:tcp:") + host + ":" + std::to_string(port);
    guarded([&] {
        CORBA::ORB_var orb = start(at.c_str());
        CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
        PortableServer::POA_var adapter = PortableServer::POA::_narrow(object);
        PortableServer::POAManager_var manager = adapter->the_POAManager();
        static Servant *const servant = new Servant;
        PortableServer::ObjectId_var id = adapter->activate_object(servant);
        CORBA::Object_var reference = adapter->id_to_reference(id);
        CORBA::String_var text = orb->object_to_string(reference);
        driver_publish(text);
        manager->activate();
        driver_ready();
        orb->run();
    });
}

void participant_connect(const char *, uint16_t, const char *, const data *d)
{
    guarded([&] {
        static CORBA::ORB_var orb = start(nullptr);
        CORBA::Object_var object = orb->string_to_object(driver_reference());
        sink = flick::Sink::_narrow(object);
        if (CORBA::is_nil(sink))
            driver_fail("no sink");
    });
    kind = d->workload;
    fill(d);
}

void participant_call(void)
{
    guarded([] {
        switch (kind) {
        case NOTHING: sink->nothing(); break;
        case INTS: sink->put_ints(ints); break;
        case RECTS: sink->put_rects(rects); break;
        case DIRENTS: sink->put_dirents(dirents); break;
        }
    });
}

// A thread waits for each call: more under way would be more threads.
int participant_pipeline(long count)
{
    for (long n = 0; n < count; n++)
        participant_call();
    return 1;
}
