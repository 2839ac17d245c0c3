// FlatBuffers: built from C structures into a reused builder; decoding verifies, then copies every field into kept
// structures, names borrowed.
#include "bench.h"
#include "flick_generated.h"
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Entry { const char *name; int32_t fields[30]; unsigned char tag[16]; };

struct State {
    const data *given;
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<flickfb::Dirent>> offsets;
    std::vector<int32_t> ints;
    std::vector<rect_item> rects;
    std::vector<Entry> entries;
};

void *begin(const data *d)
{
    State *const s = new State;
    s->given = d;
    s->ints.resize(d->workload == INTS ? d->count : 0);
    s->rects.resize(d->workload == RECTS ? d->count : 0);
    s->entries.resize(d->workload == DIRENTS ? d->count : 0);
    return s;
}

void encode_dirents(State *s)
{
    flatbuffers::FlatBufferBuilder &b = s->builder;
    s->offsets.clear();
    for (uint32_t i = 0; i < s->given->count; i++) {
        const dirent_item &item = s->given->items.dirents[i];
        flickfb::StatInfo info(flatbuffers::make_span(item.fields), flatbuffers::make_span(item.tag));
        s->offsets.push_back(flickfb::CreateDirent(b, b.CreateString(item.name), &info));
    }
    b.Finish(flickfb::CreateDirents(b, b.CreateVector(s->offsets)));
}

void encode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    flatbuffers::FlatBufferBuilder &b = s->builder;
    const data *const d = s->given;
    while (times-- > 0) {
        b.Clear();
        if (d->workload == INTS)
            b.Finish(flickfb::CreateInts(b, b.CreateVector(d->items.ints, d->count)));
        else if (d->workload == RECTS)
            b.Finish(flickfb::CreateRects(
                b, b.CreateVectorOfStructs(reinterpret_cast<const flickfb::Rect *>(d->items.rects), d->count)));
        else
            encode_dirents(s);
        BENCH_BARRIER();
    }
}

void decode_dirents(State *s, const flickfb::Dirents *root)
{
    for (uint32_t i = 0; i < root->items()->size(); i++) {
        const flickfb::Dirent *const item = root->items()->Get(i);
        Entry &to = s->entries[i];
        to.name = item->name()->c_str();
        memcpy(to.fields, item->info()->fields()->Data(), sizeof to.fields);
        memcpy(to.tag, item->info()->tag()->Data(), sizeof to.tag);
    }
}

void decode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    const uint8_t *const message = s->builder.GetBufferPointer();
    while (times-- > 0) {
        flatbuffers::Verifier verifier(message, s->builder.GetSize(), 64, 100000000);
        if (s->given->workload == INTS) {
            if (!verifier.VerifyBuffer<flickfb::Ints>())
                abort();
            const auto *const items = flatbuffers::GetRoot<flickfb::Ints>(message)->items();
            memcpy(s->ints.data(), items->Data(), items->size() * 4);
        } else if (s->given->workload == RECTS) {
            if (!verifier.VerifyBuffer<flickfb::Rects>())
                abort();
            const auto *const items = flatbuffers::GetRoot<flickfb::Rects>(message)->items();
            memcpy(s->rects.data(), items->Data(), items->size() * 16);
        } else {
            if (!verifier.VerifyBuffer<flickfb::Dirents>())
                abort();
            decode_dirents(s, flatbuffers::GetRoot<flickfb::Dirents>(message));
        }
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

// Not the name of the library's namespace.
const implementation measured = {"flatbuffers", begin, encode, decode, is_right, end};
IMPLEMENTATION(measured)

}  // namespace
