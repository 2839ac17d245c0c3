// gRPC: messages filled beforehand, one channel without optional features; calls that wait use the blocking stub, calls that do not a
// completion queue. The server has one thread on a completion queue, which was quicker on one core than its blocking and its callback kind.
#include "driver.h"
#include "flick_calls.grpc.pb.h"
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>

namespace {

using flick::Nothing;
using flick::Sink;
enum { UNDER_WAY = 64 };

std::string address(const char *host, uint16_t port, const char *path)
{
    return path ? std::string("unix:") + path : std::string(host) + ":" + std::to_string(port);
}

struct Step {
    virtual ~Step() = default;
    virtual void go_on() = 0;
};

// One request of a method: waited for, answered, waited for anew.
template <class Request> struct Served final : Step {
    using Ask = void (Sink::AsyncService::*)(grpc::ServerContext *, Request *, grpc::ServerAsyncResponseWriter<Nothing> *,
                                             grpc::CompletionQueue *, grpc::ServerCompletionQueue *, void *);
    struct Call {
        grpc::ServerContext context;
        Request request;
        grpc::ServerAsyncResponseWriter<Nothing> writer{&context};
    };
    Sink::AsyncService *service;
    grpc::ServerCompletionQueue *queue;
    Ask ask;
    std::unique_ptr<Call> call;
    bool asked = false;

    Served(Sink::AsyncService *s, grpc::ServerCompletionQueue *q, Ask a) : service(s), queue(q), ask(a) { go_on(); }

    void go_on() override
    {
        if (asked) {
            asked = false;
            call->writer.Finish(Nothing(), grpc::Status::OK, this);
            return;
        }
        asked = true;
        call.reset(new Call);
        (service->*ask)(&call->context, &call->request, &call->writer, queue, queue, this);
    }
};

std::unique_ptr<Sink::Stub> stub;
workload kind;
flick::Ints ints;
flick::Rects rects;
flick::Dirents dirents;

void fill(const data *d)
{
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->workload == INTS) {
            ints.add_items(d->items.ints[i]);
        } else if (d->workload == RECTS) {
            const int32_t *const w = d->items.rects[i].words;
            flick::Rect *const to = rects.add_items();
            to->mutable_min()->set_x(w[0]);
            to->mutable_min()->set_y(w[1]);
            to->mutable_max()->set_x(w[2]);
            to->mutable_max()->set_y(w[3]);
        } else {
            flick::Dirent *const to = dirents.add_items();
            to->set_name(d->items.dirents[i].name);
            for (int32_t field : d->items.dirents[i].fields)
                to->mutable_info()->add_fields(field);
            to->mutable_info()->set_tag(d->items.dirents[i].tag, sizeof d->items.dirents[i].tag);
        }
    }
}

void must(const grpc::Status &status)
{
    if (!status.ok())
        driver_fail(status.error_message().c_str());
}

}  // namespace

void participant_serve(const char *host, uint16_t port, const char *path)
{
    Sink::AsyncService service;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address(host, port, path), grpc::InsecureServerCredentials());
    builder.RegisterService(&service);
    builder.SetMaxReceiveMessageSize(-1);
    builder.AddChannelArgument(GRPC_ARG_MINIMAL_STACK, 1);
    auto queue = builder.AddCompletionQueue();
    auto server = builder.BuildAndStart();
    if (server == nullptr)
        driver_fail("cannot serve");
    for (int n = 0; n < UNDER_WAY; n++) {
        new Served<Nothing>(&service, queue.get(), &Sink::AsyncService::RequestNull);
        new Served<flick::Ints>(&service, queue.get(), &Sink::AsyncService::RequestPutInts);
        new Served<flick::Rects>(&service, queue.get(), &Sink::AsyncService::RequestPutRects);
        new Served<flick::Dirents>(&service, queue.get(), &Sink::AsyncService::RequestPutDirents);
    }
    driver_ready();
    void *tag = nullptr;
    for (bool good = false; queue->Next(&tag, &good);)
        static_cast<Step *>(tag)->go_on();
}

void participant_connect(const char *host, uint16_t port, const char *path, const data *d)
{
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_MINIMAL_STACK, 1);
    auto channel = grpc::CreateCustomChannel(address(host, port, path), grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10)))
        driver_fail("no connection");
    stub = Sink::NewStub(channel);
    kind = d->workload;
    fill(d);
}

void participant_call(void)
{
    grpc::ClientContext context;
    Nothing reply;
    switch (kind) {
    case NOTHING: must(stub->Null(&context, reply, &reply)); break;
    case INTS: must(stub->PutInts(&context, ints, &reply)); break;
    case RECTS: must(stub->PutRects(&context, rects, &reply)); break;
    case DIRENTS: must(stub->PutDirents(&context, dirents, &reply)); break;
    }
}

// Up to 64 calls are under way.
int participant_pipeline(long count)
{
    struct Call {
        grpc::ClientContext context;
        Nothing reply;
        grpc::Status status;
        std::unique_ptr<grpc::ClientAsyncResponseReader<Nothing>> reader;
    };
    static grpc::CompletionQueue queue;
    long under_way = 0;
    for (long n = 0; n < count || under_way > 0;) {
        if (n < count && under_way < UNDER_WAY) {
            Call *const call = new Call;
            call->reader = stub->AsyncPutInts(&call->context, ints, &queue);
            call->reader->Finish(&call->reply, &call->status, call);
            under_way++, n++;
            continue;
        }
        void *tag = nullptr;
        bool good = false;
        if (!queue.Next(&tag, &good) || !good)
            driver_fail("a call in the pipeline");
        Call *const done = static_cast<Call *>(tag);
        must(done->status);
        delete done;
        under_way--;
    }
    return 1;
}
