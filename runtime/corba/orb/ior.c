/* SPDX-License-Identifier: MIT-0 */
/* Object references on the wire and as text. Source: CORBA 3.3 part 2, sections 7.6.2 and 7.6.9 (IOR:...), 9.3.5 (nil). */
#include "charge.h"
#include "parts.h"
#include <stdlib.h>

/* What a reference takes beside its profiles' bytes, which it has twice in part, and what each profile does. */
enum { WHITTLE_REFERENCE_COST = sizeof(struct whittle_reference) + 128, WHITTLE_PROFILE_COST = sizeof(struct whittle_profile) + 256 };

bool whittle_ior_scan(CORBA_ORB orb, struct whittle_scan *scan, struct whittle_reference **reference)
{
    const char *const begin = scan->at;
    uint32_t length, count, done = 0;
    const char *const id = whittle_scan_text(scan, &length);
    count = whittle_scan32(scan);
    *reference = NULL;
    if (scan->bad || count > WHITTLE_PROFILES)
        return false;
    if (count == 0)
        return true;
    struct whittle_profile *const profiles = !whittle_account_take(whittle_charged, WHITTLE_REFERENCE_COST + count * WHITTLE_PROFILE_COST)
        ? NULL : (struct whittle_profile *)calloc(count, sizeof *profiles);
    for (; profiles != NULL && done < count; done++) {
        const uint32_t tag = whittle_scan32(scan);
        const char *const data = whittle_scan_octets(scan, &length);
        if (scan->bad || !whittle_profile_read(&profiles[done], tag, data, length))
            break;
    }
    if (profiles != NULL && done == count && whittle_account_take(whittle_charged, 2 * (size_t)(scan->at - begin))) {
        *reference = whittle_reference_new(orb, id, profiles, count);
        return *reference != NULL;
    }
    for (uint32_t index = 0; profiles != NULL && index < count; index++)
        whittle_profile_drop(&profiles[index]);
    free(profiles);
    return false;
}

static char *whittle_octets_write(struct whittle_cdr_out *out, char *at, const char *bytes, uint32_t length)
{
    at = whittle_cdr_out_align_and(out, at, 4, (size_t)length + 4);
    if (at == NULL)
        return NULL;
    whittle_poke32(at, length);
    memcpy(at + 4, bytes, length);
    return at + 4 + length;
}

static char *whittle_word_write(struct whittle_cdr_out *out, char *at, uint32_t word)
{
    at = whittle_cdr_out_align_and(out, at, 4, 4);
    if (at == NULL)
        return NULL;
    whittle_poke32(at, word);
    return at + 4;
}

char *whittle_ior_write(struct whittle_cdr_out *out, char *at, const struct whittle_reference *reference)
{
    const char *const id = reference == NULL ? "" : reference->repository_id;
    const uint32_t count = reference == NULL ? 0 : reference->profile_count;
    at = whittle_octets_write(out, at, id, (uint32_t)strlen(id) + 1);
    at = at == NULL ? NULL : whittle_word_write(out, at, count);
    for (uint32_t index = 0; at != NULL && index < count; index++) {
        at = whittle_word_write(out, at, reference->profiles[index].tag);
        at = at == NULL ? NULL : whittle_octets_write(out, at, reference->profiles[index].data, reference->profiles[index].size);
    }
    return at;
}

/* What is no reference to an object anywhere cannot travel. */
char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value)
{
    const struct whittle_reference *const reference = whittle_reference_of(*value);
    return *value != NULL && reference == NULL ? NULL : whittle_ior_write(out, at, reference);
}

const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped)
{
    struct whittle_scan scan = {in->base, at, in->end, swapped, false};
    struct whittle_reference *reference;
    *value = CORBA_OBJECT_NIL;
    struct whittle_account *const before = whittle_account_begin(in->account);
    const bool read = whittle_ior_scan(whittle_orb_at_hand(), &scan, &reference);
    whittle_account_begin(before);
    if (!read)
        return NULL;
    if (reference != NULL && in->borrow && !whittle_cdr_in_later(in, reference, whittle_drop_later))
        return NULL;
    *value = (CORBA_Object)reference;
    return scan.at;
}

int whittle_digit(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    const char lower = (char)(digit | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* What follows "IOR:". */
CORBA_Object whittle_ior_parse(CORBA_ORB orb, const char *digits, CORBA_Environment *ev)
{
    struct whittle_reference *reference = NULL;
    const size_t length = strlen(digits) / 2;
    char *const bytes = (char *)malloc(length + 1);
    size_t done = 0;
    bool good = length > 0 && strlen(digits) % 2 == 0;
    if (bytes == NULL) {
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return CORBA_OBJECT_NIL;
    }
    for (; good && done < length; done++) {
        const int high = whittle_digit(digits[2 * done]), low = whittle_digit(digits[2 * done + 1]);
        good = high >= 0 && low >= 0;
        bytes[done] = (char)(high * 16 + low);
    }
    if (good && length <= UINT32_MAX) {
        struct whittle_scan scan = whittle_scan_inside(bytes, (uint32_t)length);
        good = whittle_ior_scan(orb, &scan, &reference);
    }
    free(bytes);
    if (!good)
        WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_OMG | 9, NO);
    return (CORBA_Object)reference;
}

CORBA_char *CORBA_ORB_object_to_string(CORBA_ORB orb, CORBA_Object object, CORBA_Environment *ev)
{
    static const char digits[] = "0123456789abcdef";
    const struct whittle_reference *const reference = whittle_reference_of(object);
    CORBA_char *text = NULL;
    if (orb == NULL) {
        whittle_nil(ev);
        return NULL;
    }
    if (object != NULL && reference == NULL) {
        WHITTLE_RAISE(ev, MARSHAL, WHITTLE_OMG | 4, NO);    /* a local object */
        return NULL;
    }
    struct whittle_call call = {.pool = &orb->pool, .buffer = whittle_net_buffer_take(&orb->pool, WHITTLE_NET_SMALL, WHITTLE_NET_SMALL)};
    char *at = whittle_call_room(&call);
    if (at != NULL)
        *at = WHITTLE_SENDS_LITTLE;
    at = at == NULL ? NULL : whittle_ior_write(&call.out, at + 1, reference);
    const size_t size = at == NULL ? 0 : (size_t)(at - call.out.base);
    if (at != NULL && (text = CORBA_string_alloc((CORBA_unsigned_long)(4 + 2 * size))) != NULL) {
        memcpy(text, "IOR:", 4);
        for (size_t index = 0; index < size; index++) {
            text[4 + 2 * index] = digits[(uint8_t)call.out.base[index] >> 4];
            text[5 + 2 * index] = digits[(uint8_t)call.out.base[index] & 15];
        }
        text[4 + 2 * size] = 0;
    }
    whittle_net_buffer_give(&orb->pool, call.buffer);
    if (text == NULL)
        WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
    return text;
}
