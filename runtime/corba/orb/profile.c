/* SPDX-License-Identifier: MIT-0 */
/*
 * Profiles of IIOP, read and made: a version, an address, an object's key, and since 1.1 components. Source: CORBA 3.3 part 2,
 * sections 9.7.2 and 9.7.3, 7.6.6 and 7.10.2 (code sets).
 */
#include "object.h"
#include <stdio.h>
#include <stdlib.h>

static bool whittle_endpoint_add(struct whittle_profile *profile, const char *host, uint32_t length, uint16_t port, uint64_t place)
{
    const bool nowhere = length <= 1 && port == 0;  /* of who cannot be called by TCP */
    if (profile->endpoint_count == WHITTLE_ENDPOINTS || nowhere)
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
    more[profile->endpoint_count++] = (struct whittle_endpoint){copy, port, place};
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

/* Of the component: the place, and the name. What makes no sense is not used. false: no memory. */
static bool whittle_local_read(struct whittle_profile *profile, struct whittle_scan *scan)
{
    uint32_t length;
    char text[128];
    const uint64_t high = whittle_scan32(scan), place = high << 32 | whittle_scan32(scan);
    const char *const name = whittle_scan_text(scan, &length);
    if (scan->bad || place == 0 || length > 101)
        return true;
    const int size = snprintf(text, sizeof text, "shm:%s", name);
    return whittle_endpoint_add(profile, text, (uint32_t)size + 1, 0, place);
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
        } else if (tag == WHITTLE_TAG_NEAR) {
            if (!whittle_local_read(profile, &inside))
                return false;
        } else if (tag == WHITTLE_TAG_ALTERNATE_ADDRESS) {
            const char *const host = whittle_scan_text(&inside, &host_length);
            const uint16_t port = whittle_scan16(&inside);
            if (!inside.bad && !whittle_endpoint_add(profile, host, host_length, port, 0))
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
    return whittle_endpoint_add(profile, host, length, port, 0) && (minor == 0 || whittle_components_read(profile, &scan));
}

/* Our texts are UTF-8, or what others take for ISO 8859-1; wide ones are UTF-16. */
static char *whittle_codes_write(char *at)
{
    const uint32_t words[] = {WHITTLE_UTF8, 1, WHITTLE_LATIN1, WHITTLE_UTF16, 0};
    whittle_poke32(at, WHITTLE_TAG_CODE_SETS);
    whittle_poke32(at + 4, 4 + sizeof words);
    memset(at + 8, 0, 4);
    at[8] = WHITTLE_SENDS_LITTLE;
    return whittle_poke_words(at + 12, words, 5);
}

static char *whittle_local_write(char *at, const struct whittle_published *published)
{
    const uint32_t length = (uint32_t)strlen(published->local) + 1;
    const uint32_t words[] = {(uint32_t)(published->place >> 32), (uint32_t)published->place, length};
    whittle_poke32(at, WHITTLE_TAG_NEAR);
    whittle_poke32(at + 4, 4 + sizeof words + length);
    memset(at + 8, 0, 4);
    at[8] = WHITTLE_SENDS_LITTLE;
    at = whittle_poke_words(at + 12, words, 3);
    memcpy(at, published->local, length);
    return at + length;
}

/* Behind the key. */
static char *whittle_components_write(const char *data, char *at, const struct whittle_published *published, bool codes)
{
    const bool local = published->local != NULL && published->place != 0;
    at += (data - at) & 3;
    whittle_poke32(at, (uint32_t)codes + local);
    at += 4;
    if (codes)
        at = whittle_codes_write(at);
    return local ? whittle_local_write(at, published) : at;
}

bool whittle_profile_make(struct whittle_profile *profile, uint8_t version, const struct whittle_published *published, const char *key,
                          uint32_t key_length, bool codes)
{
    const char *const host = published->host == NULL ? "" : published->host;
    const uint32_t host_length = (uint32_t)strlen(host) + 1;
    const size_t local = published->local == NULL ? 0 : strlen(published->local) + 32;
    char *const data = (char *)calloc(1, (size_t)host_length + key_length + local + 96);
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
    whittle_poke16(at, published->host == NULL ? 0 : published->port);
    at += 2;
    at += (data - at) & 3;
    whittle_poke32(at, key_length);
    memcpy(at + 4, key, key_length);
    at += 4 + key_length;
    if (version > 0)
        at = whittle_components_write(data, at, published, codes);
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
