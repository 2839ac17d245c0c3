/* SPDX-License-Identifier: MIT-0 */
/*
 * The header of a request, written in one piece. The parameters begin at a multiple of eight bytes: GIOP 1.2 wants it so, and
 * before, the requesting principal, which nobody reads, is as long as that takes. Source: CORBA 3.3 part 2, section 9.4.2.
 */
#include "parts.h"

/* The code sets in which texts are sent: 24 bytes, or 4 where there is nothing to say. */
static char *whittle_contexts_write(char *at, bool codes)
{
    const uint32_t none[] = {0}, some[] = {1, WHITTLE_CONTEXT_CODE_SETS, 12};
    const uint32_t sets[] = {WHITTLE_UTF8, WHITTLE_UTF16};
    if (!codes)
        return whittle_poke_words(at, none, 1);
    at = whittle_poke_words(at, some, 3);
    memset(at, 0, 4);
    *at = WHITTLE_SENDS_LITTLE;
    return whittle_poke_words(at + 4, sets, 2);
}

static char *whittle_octets_put(char *at, const char *bytes, uint32_t length)
{
    whittle_poke32(at, length);
    memcpy(at + 4, bytes, length);
    return at + 4 + length;
}

static char *whittle_zeros(char *at, const char *base, size_t to)
{
    for (; ((size_t)(at - base) & (to - 1)) != 0; at++)
        *at = 0;
    return at;
}

/* 1.2: how the object is named, and its name: by key, or as its server has asked for. Room for keys is there already. */
static char *whittle_target_write(struct whittle_call *call, char *at, const struct whittle_reference *target, const struct whittle_profile *profile)
{
    const uint16_t way = __atomic_load_n(&target->addressing, __ATOMIC_RELAXED);
    memset(at, 0, 4);
    whittle_poke16(at, way);
    if (way == 0)
        return whittle_octets_put(at + 4, profile->key, profile->key_length);
    if (way == 1) {
        at = whittle_cdr_out_need(&call->out, at, (size_t)profile->size + 12);
        if (at == NULL)
            return NULL;
        whittle_poke32(at + 4, profile->tag);
        return whittle_octets_put(at + 8, profile->data, profile->size);
    }
    whittle_poke32(at + 4, (uint32_t)(profile - target->profiles));
    return whittle_ior_write(&call->out, at + 8, target);
}

/* Where is it? Only the name follows the header. */
static char *whittle_locate_write(struct whittle_call *call, char *at, const struct whittle_reference *target, const struct whittle_profile *profile)
{
    whittle_put_header(at, call->version, WHITTLE_LOCATE_REQUEST);
    whittle_poke32(at + WHITTLE_HEADER, call->net.id);
    at += WHITTLE_HEADER + 4;
    at = call->version < 2 ? whittle_octets_put(at, profile->key, profile->key_length) : whittle_target_write(call, at, target, profile);
    call->body = call->header_end = at;
    return at;
}

char *whittle_request_write(struct whittle_call *call, const struct whittle_reference *target, const struct whittle_profile *profile,
                            const char *operation, uint32_t size)
{
    const bool codes = call->version > 0 && profile->codes && call->connection != NULL
        && !__atomic_load_n(&call->connection->codes_sent, __ATOMIC_RELAXED);
    char *at = whittle_cdr_out_need(&call->out, call->out.base, (size_t)profile->key_length + 64);
    if (at == NULL)
        return NULL;
    if (operation == NULL)
        return whittle_locate_write(call, at, target, profile);
    whittle_put_header(at, call->version, WHITTLE_REQUEST);
    at += WHITTLE_HEADER;
    if (call->version < 2)
        at = whittle_contexts_write(at, codes);
    whittle_poke32(at, call->net.id);
    memset(at + 4, 0, 4);
    at[4] = (char)(call->version < 2 ? call->waits : call->waits ? 3 : 0);
    at = call->version < 2 ? whittle_octets_put(at + 8, profile->key, profile->key_length) : whittle_target_write(call, at + 8, target, profile);
    at = at == NULL ? NULL : whittle_cdr_out_need(&call->out, at, (size_t)size + 64);
    if (at == NULL)
        return NULL;
    const char *const base = call->out.base;
    at = whittle_octets_put(whittle_zeros(at, base, 4), operation, size);
    at = whittle_zeros(at, base, 4);
    if (call->version < 2) {
        const uint32_t principal = (uint32_t)(base - at - 4) & 7;
        call->body = call->header_end = at + 4 + principal;
        whittle_poke32(at, principal);
        memset(at + 4, 0, principal);
        return at + 4 + principal;
    }
    at = whittle_contexts_write(at, codes);
    call->header_end = at;
    call->body = at = whittle_zeros(at, base, 8);
    return at;
}
