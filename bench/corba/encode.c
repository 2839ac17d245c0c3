/* The client's side: what flick-stubs.c, made for the order that is not this machine's, marshals requests with. */
#include "flick-stubs.c"
#include "codec.h"

#define PUT(name, T)                                                                                                   \
    char *put_##name(struct whittle_cdr_out *out, char *at, const T *items, bool swapped)                              \
    {                                                                                                                  \
        const struct whittle_flick_Sink_put_##name##_asks request = {items};                                           \
        return swapped ? encode_whittle_flick_Sink_put_##name##_asks_swapped(out, at, &request)                        \
                       : encode_whittle_flick_Sink_put_##name##_asks(out, at, &request);                               \
    }
PUT(ints, flick_Ints)
PUT(rects, flick_Rects)
PUT(dirents, flick_Dirents)
