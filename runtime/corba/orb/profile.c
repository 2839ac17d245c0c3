/* SPDX-License-Identifier: MIT-0 */
/*
 * Profiles of IIOP, read and made: a version, an address, an object's key, and since 1.1 components. Source: CORBA 3.3 part 2,
 * sections 9.7.2 and 9.7.3, 7.6.6 and 7.10.2 (code sets).
 */
#include "object.h"
#include <stdlib.h>

static bool whittle_endpoint_add(struct whittle_profile *profile, const char *host, uint32_t length, uint16_t port)
{
    if (profile->endpoint_count == WHITTLE_ENDPOINTS)
        return true;
    struct whittle_endpoint *const more =
        (struct whittle_endpoint *)realloc(profile->endpoints, (profile->endpoint_count + 1) * sizeof *more);
    if (more == NULL)
        return false;
    profile->endpoints = more;
    char *const copy = (char *)malloc(length);
    if (copy == NULL)
        return false;
    memcpy(copy, host, length);
    more[profile->endpoint_count++] = (struct whittle_endpoint){copy, port};
    return true;
}

/* Of the component: the native set of texts, those converted to; the same of wide ones. */
static void whittle_codes_read(struct whittle_profile *profile, struct whittle_scan *scan)
{
    const uint32_t native = whittle_scan32(scan), count = whittle_scan32(scan);
    bool utf8 = native == WHITTLE_UTF8;
    for (uint32_t index = 0; index < count && !scan->bad; index++)
        utf8 = whittle_scan32(scan) == WHITTLE_UTF8 || utf8;
    profile->codes = !scan->bad;
    profile->utf8 = utf8;
}

static bool whittle_components_read(struct whittle_profile *profile, struct whittle_scan *scan)
{
    const uint32_t count = whittle_scan32(scan);
    for (uint32_t index = 0; index < count && !scan->bad; index++) {
        uint32_t length, host_length;
        const uint32_t tag = whittle_scan32(scan);
        const char *const data = whittle_scan_octets(scan, &length);
        struct whittle_scan inside = whittle_scan_inside(data, length);
        if (tag == WHITTLE_TAG_CODE_SETS) {
            whittle_codes_read(profile, &inside);
        } else if (tag == WHITTLE_TAG_ALTERNATE_ADDRESS) {
            const char *const host = whittle_scan_text(&inside, &host_length);
            const uint16_t port = whittle_scan16(&inside);
            if (!inside.bad && !whittle_endpoint_add(profile, host, host_length, port))
                return false;
        }
    }
    return true;
}

bool whittle_profile_read(struct whittle_profile *profile, uint32_t tag, const char *data, uint32_t size)
{
    *profile = (struct whittle_profile){.tag = tag, .size = size, .data = (char *)malloc(size == 0 ? 1 : size)};
    if (profile->data == NULL)
        return false;
    if (size > 0)
        memcpy(profile->data, data, size);
    if (tag != WHITTLE_TAG_INTERNET_IOP)
        return true;
    uint32_t length;
    struct whittle_scan scan = whittle_scan_inside(profile->data, size);
    const uint8_t major = whittle_scan8(&scan), minor = whittle_scan8(&scan);
    const char *const host = whittle_scan_text(&scan, &length);
    const uint16_t port = whittle_scan16(&scan);
    profile->key = whittle_scan_octets(&scan, &profile->key_length);
    if (scan.bad || major != 1)
        return true;
    profile->version = minor > 2 ? 2 : minor;
    return whittle_endpoint_add(profile, host, length, port) && (minor == 0 || whittle_components_read(profile, &scan));
}

/* Our texts are UTF-8, or what others take for ISO 8859-1; wide ones are UTF-16. */
static char *whittle_codes_write(char *at)
{
    const uint32_t words[] = {WHITTLE_UTF8, 1, WHITTLE_LATIN1, WHITTLE_UTF16, 0};
    whittle_poke32(at, 1);
    whittle_poke32(at + 4, WHITTLE_TAG_CODE_SETS);
    whittle_poke32(at + 8, 4 + sizeof words);
    memset(at + 12, 0, 4);
    at[12] = WHITTLE_SENDS_LITTLE;
    return whittle_poke_words(at + 16, words, 5);
}

bool whittle_profile_make(struct whittle_profile *profile, uint8_t version, const char *host, uint16_t port, const char *key,
                          uint32_t key_length, bool codes)
{
    const uint32_t host_length = (uint32_t)strlen(host) + 1;
    char *const data = (char *)calloc(1, (size_t)host_length + key_length + 96);
    if (data == NULL)
        return false;
    char *at = data + 3;
    data[0] = WHITTLE_SENDS_LITTLE;
    data[1] = 1;
    data[2] = (char)version;
    at = data + 4;
    whittle_poke32(at, host_length);
    memcpy(at + 4, host, host_length);
    at += 4 + host_length;
    at += (data - at) & 1;
    whittle_poke16(at, port);
    at += 2;
    at += (data - at) & 3;
    whittle_poke32(at, key_length);
    memcpy(at + 4, key, key_length);
    at += 4 + key_length;
    if (version > 0) {
        at += (data - at) & 3;
        at = codes ? whittle_codes_write(at) : at + 4;
    }
    const bool made = whittle_profile_read(profile, WHITTLE_TAG_INTERNET_IOP, data, (uint32_t)(at - data));
    free(data);
    return made;
}

void whittle_profile_drop(struct whittle_profile *profile)
{
    for (uint32_t index = 0; index < profile->endpoint_count; index++)
        free(profile->endpoints[index].host);
    free(profile->endpoints);
    free(profile->data);
    *profile = (struct whittle_profile){.tag = 0};
}
