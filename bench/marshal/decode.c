/* The server's side: what its dispatch unmarshals requests with. */
#include "flick_server.c"
#include "codec.h"

/* The parameters are one: the routine's structure has nothing else. */
#define GET(name, T)                                                                                                   \
    const char *get_##name(struct whittle_xdr_in *in, const char *at, struct T *items)                                 \
    {                                                                                                                  \
        _Static_assert(sizeof(struct whittle_flick_send_##name##_server_request) == sizeof *items, "nothing else");          \
        return decode_whittle_flick_send_##name##_server_request(in, at, items);                                             \
    }
GET(ints, intseq)
GET(rects, rectseq)
GET(dirents, direntseq)
