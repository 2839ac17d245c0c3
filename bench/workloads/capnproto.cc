// Cap'n Proto: built from C structures into a reused segment, which its builder wants zeroed; decoding reads every field, with
// the library's own checks, into kept structures, names borrowed.
#include "bench.h"
#include "flick.capnp.h"
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Entry { const char *name; int32_t fields[30]; unsigned char tag[16]; };

struct State {
    const data *given;
    std::vector<capnp::word> segment;
    kj::Array<capnp::word> message;     // what is decoded
    std::vector<int32_t> ints;
    std::vector<rect_item> rects;
    std::vector<Entry> entries;
};

void put_rects(capnp::MessageBuilder &builder, const data *d)
{
    auto items = builder.initRoot<flickcp::Rects>().initItems(d->count);
    for (uint32_t i = 0; i < d->count; i++) {
        const int32_t *const w = d->items.rects[i].words;
        auto rect = items[i];
        auto min = rect.getMin();
        auto max = rect.getMax();
        min.setX(w[0]), min.setY(w[1]), max.setX(w[2]), max.setY(w[3]);
    }
}

void put_dirents(capnp::MessageBuilder &builder, const data *d)
{
    auto items = builder.initRoot<flickcp::Dirents>().initItems(d->count);
    for (uint32_t i = 0; i < d->count; i++) {
        const dirent_item &item = d->items.dirents[i];
        auto entry = items[i];
        entry.setName(item.name);
        auto info = entry.initInfo();
        auto fields = info.initFields(30);
        for (unsigned f = 0; f < 30; f++)
            fields.set(f, item.fields[f]);
        info.setTag(kj::arrayPtr(item.tag, 16));
    }
}

void put(State *s, capnp::MessageBuilder &builder)
{
    const data *const d = s->given;
    if (d->workload == INTS) {
        auto items = builder.initRoot<flickcp::Ints>().initItems(d->count);
        for (uint32_t i = 0; i < d->count; i++)
            items.set(i, d->items.ints[i]);
    } else if (d->workload == RECTS) {
        put_rects(builder, d);
    } else {
        put_dirents(builder, d);
    }
    BENCH_BARRIER();
}

void encode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    while (times-- > 0) {
        // Its destructor zeroes what was used of the segment.
        capnp::MallocMessageBuilder builder(kj::arrayPtr(s->segment.data(), s->segment.size()));
        put(s, builder);
    }
}

void get(State *s, capnp::MessageReader &reader)
{
    if (s->given->workload == INTS) {
        uint32_t at = 0;
        for (int32_t item : reader.getRoot<flickcp::Ints>().getItems())
            s->ints[at++] = item;
    } else if (s->given->workload == RECTS) {
        rect_item *to = s->rects.data();
        for (auto rect : reader.getRoot<flickcp::Rects>().getItems()) {
            auto min = rect.getMin();
            auto max = rect.getMax();
            *to++ = rect_item{{min.getX(), min.getY(), max.getX(), max.getY()}};
        }
    } else {
        Entry *to = s->entries.data();
        for (auto entry : reader.getRoot<flickcp::Dirents>().getItems()) {
            auto info = entry.getInfo();
            auto fields = info.getFields();
            auto tag = info.getTag();
            if (fields.size() != 30 || tag.size() != 16)
                abort();
            to->name = entry.getName().cStr();
            for (unsigned f = 0; f < 30; f++)
                to->fields[f] = fields[f];
            memcpy(to++->tag, tag.begin(), 16);
        }
    }
}

void *begin(const data *d)
{
    State *const s = new State;
    s->given = d;
    // An entry has pointers, too.
    s->segment.resize(d->bytes / 8 * 2 + 64);
    s->ints.resize(d->workload == INTS ? d->count : 0);
    s->rects.resize(d->workload == RECTS ? d->count : 0);
    s->entries.resize(d->workload == DIRENTS ? d->count : 0);
    capnp::MallocMessageBuilder builder;
    put(s, builder);
    s->message = capnp::messageToFlatArray(builder);
    return s;
}

void decode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    capnp::ReaderOptions options;
    options.traversalLimitInWords = UINT64_MAX / 16;
    while (times-- > 0) {
        capnp::FlatArrayMessageReader reader(s->message, options);
        get(s, reader);
        BENCH_BARRIER();
    }
}

int is_right(void *state, const data *d)
{
    State *const s = static_cast<State *>(state);
    bool right = true;
    encode(s, 1);
    decode(s, 1);
    if (d->workload == INTS)
        right = memcmp(s->ints.data(), d->items.ints, d->bytes) == 0;
    if (d->workload == RECTS)
        right = memcmp(s->rects.data(), d->items.rects, d->bytes) == 0;
    for (size_t i = 0; i < s->entries.size(); i++)
        right = right && same_dirent(&d->items.dirents[i], s->entries[i].name, s->entries[i].fields, s->entries[i].tag);
    return right;
}

void end(void *state) { delete static_cast<State *>(state); }

const implementation capnproto = {"capnproto", begin, encode, decode, is_right, end};
IMPLEMENTATION(capnproto)

}  // namespace
