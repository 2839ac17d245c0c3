/* The server's side: what flick-skels.c unmarshals requests with. */
#include "flick-skels.c"
#include "codec.h"

/* The parameters are one: the routine's structure has nothing else. */
#define GET(name, T)                                                                                                   \
    const char *get_##name(struct whittle_cdr_in *in, const char *at, T *items, bool swapped)                          \
    {                                                                                                                  \
        _Static_assert(sizeof(struct whittle_flick_Sink_put_##name##_is_asked) == sizeof *items, "nothing else");      \
        return swapped ? decode_whittle_flick_Sink_put_##name##_is_asked_swapped(in, at, items)                        \
                       : decode_whittle_flick_Sink_put_##name##_is_asked(in, at, items);                               \
    }
GET(ints, flick_Ints)
GET(rects, flick_Rects)
GET(dirents, flick_Dirents)
