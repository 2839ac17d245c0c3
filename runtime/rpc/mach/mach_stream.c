/* SPDX-License-Identifier: MIT-0 */
/* XDR in messages of ports: they grow as those of ONC RPC do. */
#include "mach_rpc_parts.h"

uint32_t whittle_rpc_mach_word(const char *at, size_t index)
{
    return whittle_get32(at + 4 * index);
}

char *whittle_rpc_mach_words(struct whittle_cdr_out *out, char *at, const uint32_t *words, size_t count)
{
    if (at != NULL && (size_t)(out->end - at) < 4 * count)
        at = out->grow(out, at, 4 * count);
    for (size_t i = 0; at != NULL && i < count; i++, at += 4)
        whittle_put32(at, words[i]);
    return at;
}

/* A message as streams see it, over the one that it is. */
struct whittle_rpc_mach_message {
    struct whittle_xdr_out out;
    struct whittle_cdr_out *under;
};

static char *whittle_rpc_mach_grow(struct whittle_xdr_out *out, char *at, size_t more)
{
    struct whittle_rpc_mach_message *const message = (struct whittle_rpc_mach_message *)(void *)out;
    at = message->under->grow(message->under, at, more);
    out->base = message->under->base;
    out->end = message->under->end;
    return at;
}

char *whittle_rpc_mach_value(struct whittle_cdr_out *out, char *at, xdrproc_t routine, void *value, size_t *usual)
{
    struct whittle_rpc_mach_message message = {{out->base, out->end, whittle_rpc_mach_grow, NULL, 0}, out};
    return whittle_rpc_write(&message.out, at, routine, value, usual);
}
