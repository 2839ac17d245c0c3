// omniORB's CDR streams in memory, in this machine's byte order (its own habit) and in the other (as XDR must).
#include "bench.h"
#include "flick.hh"
#include <omniORB4/cdrStream.h>
#include <cstdlib>
#include <cstring>

namespace {

struct State {
    workload kind;
    bool swapped;
    flick::Ints ints;
    flick::Rects rects;
    flick::Dirents dirents;
    cdrMemoryStream *message;
};

void fill(State *s, const data *d)
{
    s->ints.length(d->workload == INTS ? d->count : 0);
    s->rects.length(d->workload == RECTS ? d->count : 0);
    s->dirents.length(d->workload == DIRENTS ? d->count : 0);
    for (uint32_t i = 0; i < s->ints.length(); i++)
        s->ints[i] = d->items.ints[i];
    for (uint32_t i = 0; i < s->rects.length(); i++) {
        const int32_t *const w = d->items.rects[i].words;
        s->rects[i].min.x = w[0];
        s->rects[i].min.y = w[1];
        s->rects[i].max.x = w[2];
        s->rects[i].max.y = w[3];
    }
    for (uint32_t i = 0; i < s->dirents.length(); i++) {
        s->dirents[i].name = static_cast<const char *>(d->items.dirents[i].name);
        memcpy(s->dirents[i].info.fields, d->items.dirents[i].fields, 120);
        memcpy(s->dirents[i].info.tag, d->items.dirents[i].tag, 16);
    }
}

/* Strings need the code sets that an ORB brings. */
void start_orb()
{
    static CORBA::ORB_ptr orb = CORBA::ORB::_nil();
    int argc = 0;
    if (CORBA::is_nil(orb))
        orb = CORBA::ORB_init(argc, nullptr);
}

void *begin_either(const data *d, bool swapped)
{
    start_orb();
    State *const s = new State;
    s->kind = d->workload;
    s->swapped = swapped;
    s->message = new cdrMemoryStream(d->bytes + 4096);
    fill(s, d);
    return s;
}

void *begin(const data *d) { return begin_either(d, false); }
void *begin_swapped(const data *d) { return begin_either(d, true); }

void put(State *s, cdrMemoryStream &out)
{
    if (s->swapped)
        out.setByteSwapFlag(!omni::myByteOrder);
    switch (s->kind) {
    case INTS: s->ints >>= out; break;
    case RECTS: s->rects >>= out; break;
    default: s->dirents >>= out; break;
    }
}

void encode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    while (times-- > 0) {
        s->message->rewindPtrs();
        put(s, *s->message);
        BENCH_BARRIER();
    }
}

template <class T> void get_one(State *s, T &value)
{
    cdrMemoryStream in(s->message->bufPtr(), s->message->bufSize());
    if (s->swapped)
        in.setByteSwapFlag(!omni::myByteOrder);
    value <<= in;
    BENCH_BARRIER();
}

void decode(void *state, size_t times)
{
    State *const s = static_cast<State *>(state);
    while (times-- > 0) {
        if (s->kind == INTS) {
            flick::Ints value;
            get_one(s, value);
        } else if (s->kind == RECTS) {
            flick::Rects value;
            get_one(s, value);
        } else {
            flick::Dirents value;
            get_one(s, value);
        }
    }
}

int is_right(void *state, const data *d)
{
    State *const s = static_cast<State *>(state);
    bool right = true;
    encode(s, 1);
    if (s->kind == INTS) {
        flick::Ints value;
        get_one(s, value);
        right = value.length() == d->count && memcmp(&value[0], d->items.ints, d->bytes) == 0;
    } else if (s->kind == RECTS) {
        flick::Rects value;
        get_one(s, value);
        right = value.length() == d->count && memcmp(&value[0], d->items.rects, d->bytes) == 0;
    } else {
        flick::Dirents value;
        get_one(s, value);
        for (uint32_t i = 0; i < d->count; i++)
            right = right && same_dirent(&d->items.dirents[i], value[i].name, value[i].info.fields, value[i].info.tag);
    }
    return right;
}

void end(void *state)
{
    State *const s = static_cast<State *>(state);
    delete s->message;
    delete s;
}

const implementation omniorb = {"omniorb", begin, encode, decode, is_right, end};
IMPLEMENTATION(omniorb)
const implementation omniorb_swap = {"omniorb-swap", begin_swapped, encode, decode, is_right, end};
IMPLEMENTATION(omniorb_swap)

}  // namespace
