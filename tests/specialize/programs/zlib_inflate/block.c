/* zlib's fast loop on one block in memory, with the codes of fixedtables. */
#include "inflate.c"
#include "inflate_text.h"

int block(const unsigned char *packed, unsigned size, unsigned char *text, unsigned room)
{
    z_stream stream = { 0 };
    struct inflate_state state;
    state.wsize = state.whave = state.wnext = 0;
    state.window = NULL;
    state.sane = 1;
    state.strm = &stream;
    state.mode = LEN;
    fixedtables(&state);
    state.hold = packed[0] >> 3;
    state.bits = 5;
    stream.state = (struct internal_state *)&state;
    stream.next_in = (unsigned char *)packed + 1;
    stream.avail_in = size - 1;
    stream.next_out = text;
    stream.avail_out = room;
    inflate_fast(&stream, room);
    return state.mode == TYPE ? (int)(room - stream.avail_out) : -1;
}
