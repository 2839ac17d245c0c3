/* SPDX-License-Identifier: MIT-0 */
/* The map of active objects: by their ids, and by their servants. */
#include "parts.h"
#include <stdlib.h>

/* FNV-1a. */
uint32_t whittle_hash(const void *bytes, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t index = 0; index < length; index++)
        hash = (hash ^ ((const unsigned char *)bytes)[index]) * UINT32_C(16777619);
    return hash;
}

static uint32_t whittle_servant_hash(PortableServer_Servant servant)
{
    return whittle_hash(&servant, sizeof servant);
}

struct whittle_active *whittle_active_find(const struct whittle_adapter *adapter, const char *id, uint32_t length)
{
    struct whittle_active *active = adapter->count == 0 ? NULL : adapter->by_id[whittle_hash(id, length) & (adapter->buckets - 1)];
    while (active != NULL && (active->length != length || memcmp(active->id, id, length) != 0))
        active = active->next;
    return active;
}

struct whittle_active *whittle_active_of(const struct whittle_adapter *adapter, PortableServer_Servant servant)
{
    struct whittle_active *active = adapter->count == 0 ? NULL : adapter->by_servant[whittle_servant_hash(servant) & (adapter->buckets - 1)];
    while (active != NULL && (active->servant != servant || active->going))
        active = active->next_of_servant;
    return active;
}

static void whittle_active_enter(struct whittle_adapter *adapter, struct whittle_active *active)
{
    struct whittle_active **const ids = &adapter->by_id[whittle_hash(active->id, active->length) & (adapter->buckets - 1)];
    struct whittle_active **const servants = &adapter->by_servant[whittle_servant_hash(active->servant) & (adapter->buckets - 1)];
    active->next = *ids;
    *ids = active;
    active->next_of_servant = *servants;
    *servants = active;
}

/* As many buckets as objects, about. */
static bool whittle_active_grow(struct whittle_adapter *adapter)
{
    struct whittle_active **const ids = adapter->by_id, **const servants = adapter->by_servant;
    const uint32_t old = adapter->buckets, buckets = old == 0 ? 16 : 2 * old;
    struct whittle_active **const more_ids = (struct whittle_active **)calloc(buckets, sizeof *ids);
    struct whittle_active **const more_servants = (struct whittle_active **)calloc(buckets, sizeof *servants);
    if (more_ids == NULL || more_servants == NULL) {
        free(more_ids);
        free(more_servants);
        return old != 0;
    }
    adapter->by_id = more_ids;
    adapter->by_servant = more_servants;
    adapter->buckets = buckets;
    for (uint32_t index = 0; index < old; index++)
        for (struct whittle_active *active = ids[index], *next; active != NULL; active = next) {
            next = active->next;
            whittle_active_enter(adapter, active);
        }
    free(ids);
    free(servants);
    return true;
}

struct whittle_active *whittle_active_add(struct whittle_adapter *adapter, const char *id, uint32_t length, PortableServer_Servant servant)
{
    if (adapter->count == adapter->buckets && !whittle_active_grow(adapter))
        return NULL;
    struct whittle_active *const active = (struct whittle_active *)malloc(sizeof *active + length);
    if (active == NULL)
        return NULL;
    *active = (struct whittle_active){.servant = servant, .length = length};
    memcpy(active->id, id, length);
    whittle_active_enter(adapter, active);
    adapter->count++;
    return active;
}

/* Out of the map; its memory is the caller's. */
void whittle_active_remove(struct whittle_adapter *adapter, struct whittle_active *active)
{
    struct whittle_active **place = &adapter->by_id[whittle_hash(active->id, active->length) & (adapter->buckets - 1)];
    while (*place != active)
        place = &(*place)->next;
    *place = active->next;
    place = &adapter->by_servant[whittle_servant_hash(active->servant) & (adapter->buckets - 1)];
    while (*place != active)
        place = &(*place)->next_of_servant;
    *place = active->next_of_servant;
    adapter->count--;
}

/* Where objects outlive the process, their ids are none that it gave earlier. */
uint32_t whittle_new_id(struct whittle_adapter *adapter, char id[16])
{
    const bool lasts = whittle_policy_of(adapter, WHITTLE_LIFESPAN_POLICY) == PortableServer_PERSISTENT;
    const uint64_t number = ++adapter->next_id;
    uint32_t length = 0;
    if (lasts) {
        memcpy(id, &adapter->orb->stamp, 8);
        length = 8;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        id[length++] = (char)(number >> shift);
    return length;
}
