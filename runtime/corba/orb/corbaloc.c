/* SPDX-License-Identifier: MIT-0 */
/*
 * References that people write: corbaloc:iiop:1.2@host:port,:other/key, corbaloc:shm:name/key and
 * corbaloc:rir:/NAME. Source: CORBA 3.3 part 2, section 7.6.10. shm: is ours.
 */
#include "parts.h"
#include <stdlib.h>

/* %xx is a byte. NULL: no memory, or no digits. */
char *whittle_unescape(const char *text, size_t size, size_t *length)
{
    char *const bytes = (char *)malloc(size + 1);
    size_t count = 0;
    for (size_t index = 0; bytes != NULL && index < size; index++) {
        char byte = text[index];
        if (byte == '%') {
            const int high = index + 2 < size ? whittle_digit(text[index + 1]) : -1, low = high < 0 ? -1 : whittle_digit(text[index + 2]);
            if (low < 0) {
                free(bytes);
                return NULL;
            }
            byte = (char)(high * 16 + low);
            index += 2;
        }
        bytes[count++] = byte;
    }
    *length = count;
    if (bytes != NULL)
        bytes[count] = 0;
    return bytes;
}

/* [1.MINOR@]HOST[:PORT] */
static bool whittle_address(struct whittle_profile *profile, const char *text, size_t size, const char *key, size_t key_length)
{
    uint8_t version = 0;
    unsigned port = 2809;
    const char *const end = text + size;
    const char *const at = (const char *)memchr(text, '@', size);
    if (at != NULL) {
        if (at - text != 3 || text[0] != '1' || text[1] != '.' || text[2] < '0' || text[2] > '9')
            return false;
        version = (uint8_t)(text[2] - '0');
        text = at + 1;
    }
    const char *const bracket = text < end && *text == '[' ? (const char *)memchr(text, ']', (size_t)(end - text)) : NULL;
    const char *host_end = bracket != NULL ? bracket + 1 : text;
    while (host_end < end && *host_end != ':')
        host_end++;
    if (host_end < end) {
        port = 0;
        for (const char *digit = host_end + 1; digit < end; digit++) {
            if (*digit < '0' || *digit > '9' || (port = port * 10 + (unsigned)(*digit - '0')) > 65535)
                return false;
        }
        if (host_end + 1 == end)
            return false;
    }
    const char *const host = bracket != NULL ? text + 1 : text;
    const size_t host_length = (size_t)((bracket != NULL ? bracket : host_end) - host);
    char *const copy = host_length == 0 ? strdup("127.0.0.1") : strndup(host, host_length);
    const struct whittle_published server = {.host = copy, .port = (uint16_t)port};
    const bool made = copy != NULL && whittle_profile_make(profile, version > 2 ? 2 : version, &server, key, (uint32_t)key_length, false);
    free(copy);
    return made;
}

/* This machine, and the directory, which is there from now on; one that other users' servers made is as good. 0: there is none. */
static uint64_t whittle_place_of(const char *path)
{
    const uint64_t place = whittle_net_local_place(path);
    return place != 0 || !whittle_net_local_directory(path) ? place : whittle_net_local_place(path);
}

/* A name of shared memory. What it means, it means on this machine. */
static bool whittle_local_address(struct whittle_profile *profile, const char *name, size_t size, const char *key, size_t key_length)
{
    char *const path = whittle_net_local_path(name, size), *const copy = strndup(name, size);
    const struct whittle_published at = {.local = copy, .place = path != NULL && copy != NULL ? whittle_place_of(path) : 0};
    const bool made = at.place != 0 && whittle_profile_make(profile, 2, &at, key, (uint32_t)key_length, false);
    free(path);
    free(copy);
    return made;
}

/* The minor code of a text that makes no sense: 8 address, 9 what follows it. */
static CORBA_Object whittle_corbaloc_wrong(CORBA_Environment *ev, uint32_t minor)
{
    WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_OMG | minor, NO);
    return CORBA_OBJECT_NIL;
}

static CORBA_Object whittle_corbaloc_iiop(CORBA_ORB orb, const char *text, const char *end, const char *key, size_t key_length, CORBA_Environment *ev)
{
    struct whittle_profile *const profiles = (struct whittle_profile *)calloc(WHITTLE_ENDPOINTS, sizeof *profiles);
    uint32_t count = 0;
    bool good = profiles != NULL;
    while (good && text <= end) {
        const char *const comma = (const char *)memchr(text, ',', (size_t)(end - text));
        const char *const stop = comma == NULL ? end : comma;
        const bool local = stop - text >= 4 && memcmp(text, "shm:", 4) == 0;
        const size_t scheme = local ? 4 : stop - text >= 5 && memcmp(text, "iiop:", 5) == 0 ? 5 : stop > text && *text == ':' ? 1 : 0;
        good = scheme != 0 && count < WHITTLE_ENDPOINTS && key_length <= UINT32_MAX / 2
            && (local ? whittle_local_address : whittle_address)(&profiles[count], text + scheme, (size_t)(stop - text) - scheme, key, key_length);
        count += count < WHITTLE_ENDPOINTS;
        text = stop + 1;
    }
    if (good) {
        struct whittle_reference *const reference = whittle_reference_new(orb, "", profiles, count);
        if (reference == NULL)
            WHITTLE_RAISE(ev, NO_MEMORY, 0, NO);
        return (CORBA_Object)reference;
    }
    for (uint32_t index = 0; profiles != NULL && index < count; index++)
        whittle_profile_drop(&profiles[index]);
    free(profiles);
    return whittle_corbaloc_wrong(ev, 8);
}

/* What follows "corbaloc:". */
CORBA_Object whittle_corbaloc(CORBA_ORB orb, const char *text, CORBA_Environment *ev)
{
    size_t length;
    const size_t addresses = strcspn(text, "/");
    const bool initial = strncmp(text, "rir:", 4) == 0;
    if (initial && addresses != 4)
        return whittle_corbaloc_wrong(ev, 8);
    const char *const written = text[addresses] == '/' ? text + addresses + 1 : "";
    char *const key = whittle_unescape(written, strlen(written), &length);
    if (key == NULL)
        return whittle_corbaloc_wrong(ev, 9);
    CORBA_Object const object = initial ? CORBA_ORB_resolve_initial_references(orb, length == 0 ? "NameService" : key, ev)
                                        : whittle_corbaloc_iiop(orb, text, text + addresses, key, length, ev);
    free(key);
    return object;
}
