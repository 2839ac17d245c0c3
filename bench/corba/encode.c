/* The client's side: what its stubs, made for the order that is not this machine's, marshal requests with. */
#ifdef PLAIN
#include "flick_client.c"
#else
#include "flick-stubs.c"
#endif
#include "codec.h"

#define PUT(name, type)                                                                                                \
    char *CODEC(put_##name)(struct whittle_cdr_out *out, char *at, const T(type) *items, bool swapped)                 \
    {                                                                                                                  \
        const PACK(name##_client_request) request = {items};                                                                     \
        return swapped ? STUB(encode, name##_client_request_swapped)(out, at, &request) : STUB(encode, name##_client_request)(out, at, &request); \
    }
PUT(ints, Ints)
PUT(rects, Rects)
PUT(dirents, Dirents)
