/* The server's side: what its skeletons unmarshal requests with. */
#ifdef PLAIN
#include "flick_server.c"
#else
#include "flick-skels.c"
#endif
#include "codec.h"

/* The parameters are one: the routine's structure has nothing else. */
#define GET(name, type)                                                                                                \
    const char *CODEC(get_##name)(struct whittle_cdr_in *in, const char *at, T(type) *items, bool swapped)             \
    {                                                                                                                  \
        _Static_assert(sizeof(PACK(name##_server_request)) == sizeof *items, "nothing else");                                \
        return swapped ? STUB(decode, name##_server_request_swapped)(in, at, items) : STUB(decode, name##_server_request)(in, at, items); \
    }
GET(ints, Ints)
GET(rects, Rects)
GET(dirents, Dirents)
