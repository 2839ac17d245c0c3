// protobuf for C++: messages filled before the clock runs; decoding makes a fresh message and destroys it.
#include "bench.h"
#include "flick.pb.h"
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct State {
    workload kind;
    flick::Ints ints;
    flick::Rects rects;
    flick::Dirents dirents;
    std::vector<char> bytes;
    int size;

    const google::protobuf::MessageLite &message() const
    {
        if (kind == INTS)
            return ints;
        return kind == RECTS ? static_cast<const google::protobuf::MessageLite &>(rects) : dirents;
    }
};

void fill_rect(flick::Rect *to, const int32_t *w)
{
    to->mutable_min()->set_x(w[0]);
    to->mutable_min()->set_y(w[1]);
    to->mutable_max()->set_x(w[2]);
    to->mutable_max()->set_y(w[3]);
}

void *begin(const data *d)
{
    State *const s = new State;
    s->kind = d->workload;
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->workload == INTS) {
            s->ints.add_items(d->items.ints[i]);
        } else if (d->workload == RECTS) {
            fill_rect(s->rects.add_items(), d->items.rects[i].words);
        } else {
            flick::Dirent *const to = s->dirents.add_items();
            to->set_name(d->items.dirents[i].name);
            for (int32_t field : d->items.dirents[i].fields)
                to->mutable_info()->add_fields(field);
            to->mutable_info()->set_tag(d->items.dirents[i].tag, 16);
        }
    }
    s->bytes.resize(s->message().ByteSizeLong());
    return s;
}

void encode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    while (times-- > 0) {
        if (!s->message().SerializeToArray(s->bytes.data(), static_cast<int>(s->bytes.size())))
            abort();
        BENCH_BARRIER();
    }
}

template <class T> void decode_one(const State *s, T &message)
{
    if (!message.ParseFromArray(s->bytes.data(), static_cast<int>(s->bytes.size())))
        abort();
    BENCH_BARRIER();
}

void decode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    while (times-- > 0) {
        if (s->kind == INTS) {
            flick::Ints message;
            decode_one(s, message);
        } else if (s->kind == RECTS) {
            flick::Rects message;
            decode_one(s, message);
        } else {
            flick::Dirents message;
            decode_one(s, message);
        }
    }
}

bool same_rect(const flick::Rect &a, const int32_t *w)
{
    return a.min().x() == w[0] && a.min().y() == w[1] && a.max().x() == w[2] && a.max().y() == w[3];
}

int is_right(void *state, const data *d)
{
    State *const s = static_cast<State *>(state);
    flick::Ints ints;
    flick::Rects rects;
    flick::Dirents dirents;
    bool right = true;
    encode(s, 1);
    if (s->kind == INTS)
        decode_one(s, ints);
    else if (s->kind == RECTS)
        decode_one(s, rects);
    else
        decode_one(s, dirents);
    for (int i = 0; i < static_cast<int>(d->count); i++) {
        if (s->kind == INTS)
            right = right && ints.items(i) == d->items.ints[i];
        else if (s->kind == RECTS)
            right = right && same_rect(rects.items(i), d->items.rects[i].words);
        else
            right = right && same_dirent(&d->items.dirents[i], dirents.items(i).name().c_str(),
                                         dirents.items(i).info().fields().data(), dirents.items(i).info().tag().data());
    }
    return right;
}

void end(void *state) { delete static_cast<State *>(state); }

const implementation protobuf = {"protobuf", begin, encode, decode, is_right, end};
IMPLEMENTATION(protobuf)

}  // namespace
