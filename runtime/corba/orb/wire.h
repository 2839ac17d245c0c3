/* SPDX-License-Identifier: MIT-0 */
/*
 * Bytes of GIOP: the header that every message begins with, numbers at their places, and a reader of what peers wrote, which
 * never reads outside of it and remembers that it would have. Source: CORBA 3.3 part 2, sections 9.3 and 9.4.
 */
#ifndef WHITTLE_CORBA_WIRE_H
#define WHITTLE_CORBA_WIRE_H
#include "sending.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum whittle_message_type {
    WHITTLE_REQUEST, WHITTLE_REPLY, WHITTLE_CANCEL_REQUEST, WHITTLE_LOCATE_REQUEST, WHITTLE_LOCATE_REPLY, WHITTLE_CLOSE_CONNECTION,
    WHITTLE_MESSAGE_ERROR, WHITTLE_FRAGMENT
};
enum whittle_reply_status {
    WHITTLE_NO_EXCEPTION, WHITTLE_USER_EXCEPTION, WHITTLE_SYSTEM_EXCEPTION_REPLY, WHITTLE_LOCATION_FORWARD, WHITTLE_LOCATION_FORWARD_PERM,
    WHITTLE_NEEDS_ADDRESSING_MODE
};
enum whittle_locate_status {
    WHITTLE_UNKNOWN_OBJECT, WHITTLE_OBJECT_HERE, WHITTLE_OBJECT_FORWARD, WHITTLE_OBJECT_FORWARD_PERM, WHITTLE_LOCATE_SYSTEM_EXCEPTION,
    WHITTLE_LOCATE_NEEDS_ADDRESSING_MODE
};
enum {
    WHITTLE_HEADER = 12,            /* magic, version, flags, type, size */
    WHITTLE_FRAGMENT_HEADER = 16,   /* of 1.2: and the request's id */
    WHITTLE_REPLY_HEADER = 24,      /* where the body of our replies begins */
    WHITTLE_FLAGS_AT = 6, WHITTLE_TYPE_AT = 7, WHITTLE_SIZE_AT = 8,
    WHITTLE_FLAG_LITTLE = 1, WHITTLE_FLAG_MORE = 2,
    WHITTLE_LOCATES = 1             /* in the ids of our LocateRequests, and of no Request's */
};
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { WHITTLE_HOST_FLAG = 0 };
#else
enum { WHITTLE_HOST_FLAG = WHITTLE_FLAG_LITTLE };
#endif

/* Tags of profiles, components and service contexts, and numbers of code sets. */
enum { WHITTLE_TAG_INTERNET_IOP = 0, WHITTLE_TAG_MULTIPLE_COMPONENTS = 1, WHITTLE_TAG_CODE_SETS = 1, WHITTLE_TAG_ALTERNATE_ADDRESS = 3,
    WHITTLE_TAG_NEAR = 0x77686974 };    /* ours: an encapsulation of two words, the place, and a name of shared memory */
enum { WHITTLE_CONTEXT_CODE_SETS = 1 };
enum { WHITTLE_LATIN1 = 0x00010001, WHITTLE_UTF8 = 0x05010001, WHITTLE_UTF16 = 0x00010109 };

/* Numbers of what is sent. */
__attribute__((unused)) static inline void whittle_poke16(char *at, uint16_t value)
{
    value = WHITTLE_SENDS_SWAPPED ? __builtin_bswap16(value) : value;
    memcpy(at, &value, sizeof value);
}

__attribute__((unused)) static inline void whittle_poke32(char *at, uint32_t value)
{
    value = WHITTLE_SENDS_SWAPPED ? __builtin_bswap32(value) : value;
    memcpy(at, &value, sizeof value);
}

/* Several; the end of them. */
__attribute__((unused)) static inline char *whittle_poke_words(char *at, const uint32_t *words, int count)
{
    for (int index = 0; index < count; index++, at += 4)
        whittle_poke32(at, words[index]);
    return at;
}

__attribute__((unused)) static inline uint32_t whittle_peek32(const char *at, bool swapped)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return swapped ? __builtin_bswap32(value) : value;
}

/* The header of a message whose size is filled in when it is known. */
__attribute__((unused)) static inline void whittle_put_header(char *base, uint8_t version, enum whittle_message_type type)
{
    memcpy(base, "GIOP\1", 5);
    base[5] = (char)version;
    base[WHITTLE_FLAGS_AT] = WHITTLE_SENDS_LITTLE;
    base[WHITTLE_TYPE_AT] = (char)type;
    whittle_poke32(base + WHITTLE_SIZE_AT, 0);
}

__attribute__((unused)) static inline bool whittle_is_swapped(const char *base)
{
    return (base[WHITTLE_FLAGS_AT] & WHITTLE_FLAG_LITTLE) != WHITTLE_HOST_FLAG;
}

/* What is read: positions count from `base`. Once `bad`, everything reads as nothing. */
struct whittle_scan {
    const char *base, *at, *end;
    bool swapped, bad;
};

__attribute__((unused)) static inline const char *whittle_scan_bytes(struct whittle_scan *scan, size_t size, size_t alignment)
{
    const size_t pad = (size_t)(0 - (size_t)(scan->at - scan->base)) & (alignment - 1);
    const size_t left = (size_t)(scan->end - scan->at);
    if (scan->bad || left < pad || left - pad < size) {
        scan->bad = true;
        return NULL;
    }
    const char *const here = scan->at + pad;
    scan->at = here + size;
    return here;
}

__attribute__((unused)) static inline uint8_t whittle_scan8(struct whittle_scan *scan)
{
    const char *const at = whittle_scan_bytes(scan, 1, 1);
    return at == NULL ? 0 : (uint8_t)*at;
}

__attribute__((unused)) static inline uint16_t whittle_scan16(struct whittle_scan *scan)
{
    uint16_t value = 0;
    const char *const at = whittle_scan_bytes(scan, 2, 2);
    if (at != NULL)
        memcpy(&value, at, sizeof value);
    return scan->swapped ? __builtin_bswap16(value) : value;
}

__attribute__((unused)) static inline uint32_t whittle_scan32(struct whittle_scan *scan)
{
    const char *const at = whittle_scan_bytes(scan, 4, 4);
    return at == NULL ? 0 : whittle_peek32(at, scan->swapped);
}

/* A sequence of octets. */
__attribute__((unused)) static inline const char *whittle_scan_octets(struct whittle_scan *scan, uint32_t *length)
{
    *length = whittle_scan32(scan);
    const char *const at = whittle_scan_bytes(scan, *length, 1);
    if (at == NULL)
        *length = 0;
    return at;
}

/* Service contexts, which say nothing that changes what is done: strings are UTF-8, wide ones UTF-16. */
__attribute__((unused)) static inline void whittle_contexts_scan(struct whittle_scan *scan)
{
    uint32_t length;
    const uint32_t count = whittle_scan32(scan);
    for (uint32_t index = 0; index < count && !scan->bad; index++) {
        whittle_scan32(scan);
        whittle_scan_octets(scan, &length);
    }
}

/* A string: its length counts the NUL, which is there, and is the first. NULL: there is none. */
__attribute__((unused)) static inline const char *whittle_scan_text(struct whittle_scan *scan, uint32_t *length)
{
    const char *const at = whittle_scan_octets(scan, length);
    if (at == NULL || *length == 0 || memchr(at, 0, *length) != at + *length - 1) {
        scan->bad = true;
        return NULL;
    }
    return at;
}

/* What an encapsulation of `length` bytes at `bytes` holds, in its own byte order. */
__attribute__((unused)) static inline struct whittle_scan whittle_scan_inside(const char *bytes, uint32_t length)
{
    struct whittle_scan inside = {bytes, bytes, bytes == NULL ? NULL : bytes + length, false, bytes == NULL};
    inside.swapped = (whittle_scan8(&inside) & WHITTLE_FLAG_LITTLE) != WHITTLE_HOST_FLAG;
    return inside;
}
#endif
