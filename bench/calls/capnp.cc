// Cap'n Proto RPC: two parties over one connection, one event loop in each process. A request has one segment, whose size is told
// beforehand. Integers stand ready in Cap'n Proto's form and are copied into it at once; structs are written field by field, which is
// quicker than to have them copied. The server reads through accessors, of which it calls none.
#include "driver.h"
#include "flick.capnp.h"
#include <capnp/rpc-twoparty.h>
#include <deque>
#include <kj/async-io.h>
#include <string>

namespace {

struct SinkImpl final : flickcp::Sink::Server {
    kj::Promise<void> nothing(NothingContext) override { return kj::READY_NOW; }
    kj::Promise<void> putInts(PutIntsContext) override { return kj::READY_NOW; }
    kj::Promise<void> putRects(PutRectsContext) override { return kj::READY_NOW; }
    kj::Promise<void> putDirents(PutDirentsContext) override { return kj::READY_NOW; }
};

std::string address(const char *host, uint16_t port, const char *path)
{
    return path ? std::string("unix:") + path : std::string(host) + ":" + std::to_string(port);
}

struct Client {
    kj::AsyncIoContext io = kj::setupAsyncIo();
    kj::Own<kj::AsyncIoStream> stream;
    kj::Own<capnp::TwoPartyClient> party;
    kj::Maybe<flickcp::Sink::Client> sink;
    capnp::MallocMessageBuilder memory;
    capnp::Orphan<capnp::List<int32_t>> ints;
};

Client *client;
const data *sent;

flickcp::Sink::Client &sink() { return KJ_ASSERT_NONNULL(client->sink); }

// Words of a request, and a few for what goes around it.
capnp::MessageSize hint(uint64_t bytes) { return {bytes / 8 + 32, 0}; }

kj::Promise<void> send_ints()
{
    auto request = sink().putIntsRequest(hint(4 * uint64_t(sent->count)));
    request.setItems(client->ints.getReader());
    return request.send().ignoreResult();
}

kj::Promise<void> send_rects()
{
    auto request = sink().putRectsRequest(hint(16 * uint64_t(sent->count)));
    auto items = request.initItems(sent->count);
    for (uint32_t i = 0; i < sent->count; i++) {
        const int32_t *const w = sent->items.rects[i].words;
        auto rect = items[i];
        rect.getMin().setX(w[0]);
        rect.getMin().setY(w[1]);
        rect.getMax().setX(w[2]);
        rect.getMax().setY(w[3]);
    }
    return request.send().ignoreResult();
}

kj::Promise<void> send_dirents()
{
    auto request = sink().putDirentsRequest(hint(288 * uint64_t(sent->count)));
    auto items = request.initItems(sent->count);
    for (uint32_t i = 0; i < sent->count; i++) {
        const dirent_item &item = sent->items.dirents[i];
        auto entry = items[i];
        entry.setName(item.name);
        auto fields = entry.getInfo().initFields(30);
        for (unsigned n = 0; n < 30; n++)
            fields.set(n, item.fields[n]);
        entry.getInfo().setTag(kj::arrayPtr(item.tag, sizeof item.tag));
    }
    return request.send().ignoreResult();
}

kj::Promise<void> send()
{
    switch (sent->workload) {
    case INTS: return send_ints();
    case RECTS: return send_rects();
    case DIRENTS: return send_dirents();
    default: return sink().nothingRequest(hint(0)).send().ignoreResult();
    }
}

}  // namespace

void participant_serve(const char *host, uint16_t port, const char *path)
{
    auto io = kj::setupAsyncIo();
    auto at = io.provider->getNetwork().parseAddress(address(host, port, path).c_str()).wait(io.waitScope);
    auto listener = at->listen();
    capnp::TwoPartyServer server(kj::heap<SinkImpl>());
    driver_ready();
    server.listen(*listener).wait(io.waitScope);
}

void participant_connect(const char *host, uint16_t port, const char *path, const data *d)
{
    client = new Client;
    auto &scope = client->io.waitScope;
    auto at = client->io.provider->getNetwork().parseAddress(address(host, port, path).c_str()).wait(scope);
    client->stream = at->connect().wait(scope);
    client->party = kj::heap<capnp::TwoPartyClient>(*client->stream);
    client->sink = client->party->bootstrap().castAs<flickcp::Sink>();
    sent = d;
    if (d->workload != INTS)
        return;
    client->ints = client->memory.getOrphanage().newOrphan<capnp::List<int32_t>>(d->count);
    auto items = client->ints.get();
    for (uint32_t i = 0; i < d->count; i++)
        items.set(i, d->items.ints[i]);
}

void participant_call(void) { send().wait(client->io.waitScope); }

// Up to 64 calls are under way.
int participant_pipeline(long count)
{
    std::deque<kj::Promise<void>> under_way;
    for (long n = 0; n < count; n++) {
        if (under_way.size() == 64) {
            under_way.front().wait(client->io.waitScope);
            under_way.pop_front();
        }
        under_way.push_back(send());
    }
    for (auto &call : under_way)
        call.wait(client->io.waitScope);
    return 1;
}
