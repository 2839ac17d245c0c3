/* SPDX-License-Identifier: MIT-0 */
/*
 * Objects' keys: "W", a letter, the length of the prefix in two bytes, the prefix, the object's id. The prefix names the adapter:
 * for objects that end with the process a number of the process and one of the adapter, for others the names from the root on,
 * which a later process has again.
 */
#include "parts.h"
#include <stdlib.h>

enum { WHITTLE_KEY_HEAD = 4, WHITTLE_LONGEST_PREFIX = 65535 - WHITTLE_KEY_HEAD };

static size_t whittle_path_length(const struct whittle_adapter *adapter)
{
    return adapter->parent == NULL ? 0 : whittle_path_length(adapter->parent) + strlen(adapter->name) + 1;
}

static char *whittle_path_write(char *at, const struct whittle_adapter *adapter)
{
    if (adapter->parent == NULL)
        return at;
    at = whittle_path_write(at, adapter->parent);
    const size_t length = strlen(adapter->name) + 1;
    memcpy(at, adapter->name, length);
    return at + length;
}

bool whittle_key_prefix(struct whittle_adapter *adapter)
{
    const bool lasts = whittle_policy_of(adapter, WHITTLE_LIFESPAN_POLICY) == PortableServer_PERSISTENT;
    const size_t length = lasts ? whittle_path_length(adapter) : 12;
    char *const prefix = length > WHITTLE_LONGEST_PREFIX ? NULL : (char *)malloc(length + WHITTLE_KEY_HEAD);
    if (prefix == NULL)
        return false;
    prefix[0] = 'W';
    prefix[1] = lasts ? 'p' : 't';
    prefix[2] = (char)(length >> 8);
    prefix[3] = (char)length;
    if (lasts) {
        whittle_path_write(prefix + WHITTLE_KEY_HEAD, adapter);
    } else {
        const uint32_t number = __atomic_add_fetch(&adapter->orb->adapter_count, 1, __ATOMIC_RELAXED);
        memcpy(prefix + WHITTLE_KEY_HEAD, &adapter->orb->stamp, 8);
        memcpy(prefix + WHITTLE_KEY_HEAD + 8, &number, 4);
    }
    adapter->prefix = prefix;
    adapter->prefix_length = (uint32_t)length + WHITTLE_KEY_HEAD;
    return true;
}

static struct whittle_adapter **whittle_key_bucket(CORBA_ORB orb, const char *prefix, uint32_t length)
{
    return &orb->adapters[whittle_hash(prefix, length) % (sizeof orb->adapters / sizeof orb->adapters[0])];
}

/* Both with the ORB's lock held. */
void whittle_key_enter(struct whittle_adapter *adapter)
{
    struct whittle_adapter **const bucket = whittle_key_bucket(adapter->orb, adapter->prefix, adapter->prefix_length);
    adapter->next_of_prefix = *bucket;
    *bucket = adapter;
}

void whittle_key_leave(struct whittle_adapter *adapter)
{
    struct whittle_adapter **place = whittle_key_bucket(adapter->orb, adapter->prefix, adapter->prefix_length);
    while (*place != NULL && *place != adapter)
        place = &(*place)->next_of_prefix;
    if (*place == adapter)
        *place = adapter->next_of_prefix;
}

struct whittle_adapter *whittle_key_adapter(CORBA_ORB orb, const char *key, uint32_t length, const char **id, uint32_t *id_length)
{
    if (length < WHITTLE_KEY_HEAD || key[0] != 'W')
        return NULL;
    const uint32_t prefix = WHITTLE_KEY_HEAD + (uint32_t)(uint8_t)key[2] * 256 + (uint8_t)key[3];
    if (prefix > length)
        return NULL;
    pthread_mutex_lock(&orb->lock);
    struct whittle_adapter *adapter = *whittle_key_bucket(orb, key, prefix);
    while (adapter != NULL && (adapter->prefix_length != prefix || memcmp(adapter->prefix, key, prefix) != 0))
        adapter = adapter->next_of_prefix;
    if (adapter != NULL)
        whittle_keep(&adapter->head);
    pthread_mutex_unlock(&orb->lock);
    *id = key + prefix;
    *id_length = length - prefix;
    return adapter;
}

CORBA_Object whittle_key_reference(struct whittle_adapter *adapter, const char *id, uint32_t length, const char *repository_id)
{
    CORBA_ORB const orb = adapter->orb;
    struct whittle_profile *const profile = (struct whittle_profile *)calloc(1, sizeof *profile);
    char *const key = (char *)malloc((size_t)adapter->prefix_length + length);
    bool made = profile != NULL && key != NULL;
    if (made) {
        memcpy(key, adapter->prefix, adapter->prefix_length);
        memcpy(key + adapter->prefix_length, id, length);
        made = whittle_profile_make(profile, (uint8_t)orb->options.version, &orb->at, key, adapter->prefix_length + length, true);
    }
    free(key);
    if (made)
        return (CORBA_Object)whittle_reference_new(orb, repository_id, profile, 1);
    if (profile != NULL)
        whittle_profile_drop(profile);
    free(profile);
    return CORBA_OBJECT_NIL;
}
