/* The client's side: what its stubs marshal requests with. */
#include "flick_client.c"
#include "codec.h"

#define PUT(name, T)                                                                                                   \
    char *put_##name(struct whittle_xdr_out *out, char *at, const struct T *items)                                     \
    {                                                                                                                  \
        const struct whittle_flick_send_##name##_client_request request = {items};                                               \
        return encode_whittle_flick_send_##name##_client_request(out, at, &request);                                             \
    }
PUT(ints, intseq)
PUT(rects, rectseq)
PUT(dirents, direntseq)
