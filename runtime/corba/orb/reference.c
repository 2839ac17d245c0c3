/* SPDX-License-Identifier: MIT-0 */
/* References to objects anywhere: made, compared, ended. */
#include "parts.h"
#include <stdlib.h>

struct whittle_reference *whittle_reference_new(CORBA_ORB orb, const char *repository_id, struct whittle_profile *profiles, uint32_t count)
{
    struct whittle_reference *const reference = (struct whittle_reference *)calloc(1, sizeof *reference);
    char *const id = strdup(repository_id);
    if (reference == NULL || id == NULL) {
        for (uint32_t index = 0; index < count; index++)
            whittle_profile_drop(&profiles[index]);
        free(profiles);
        free(reference);
        free(id);
        return NULL;
    }
    *reference = (struct whittle_reference){.head = {WHITTLE_A_REFERENCE, 1}, .orb = orb, .repository_id = id, .profiles = profiles,
                                            .profile_count = count};
    pthread_mutex_init(&reference->lock, NULL);
    whittle_keep(&orb->head);
    return reference;
}

void whittle_reference_destroy(struct whittle_reference *reference)
{
    for (uint32_t index = 0; index < reference->profile_count; index++)
        whittle_profile_drop(&reference->profiles[index]);
    free(reference->profiles);
    free(reference->repository_id);
    if (reference->connection != NULL)
        whittle_connection_drop(reference->connection);
    if (reference->forward != NULL)
        whittle_drop(&reference->forward->head);
    pthread_mutex_destroy(&reference->lock);
    CORBA_ORB const orb = reference->orb;
    free(reference);
    whittle_drop(&orb->head);
}

static bool whittle_same_profile(const struct whittle_profile *one, const struct whittle_profile *other)
{
    return one->endpoint_count > 0 && other->endpoint_count > 0 && one->key_length == other->key_length
        && memcmp(one->key, other->key, one->key_length) == 0 && one->endpoints[0].port == other->endpoints[0].port
        && strcmp(one->endpoints[0].host, other->endpoints[0].host) == 0;
}

/* Equal addresses and keys are one object; others may be, too, which nobody can know. */
CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev)
{
    (void)ev;
    const struct whittle_reference *const one = whittle_reference_of(object), *const two = whittle_reference_of(other);
    if (object == other || one == NULL || two == NULL)
        return object == other;
    for (uint32_t index = 0; index < one->profile_count; index++)
        for (uint32_t against = 0; against < two->profile_count; against++)
            if (whittle_same_profile(&one->profiles[index], &two->profiles[against]))
                return true;
    return false;
}

/* Of the key alone, so that equivalent references have one hash whatever order their profiles have. */
CORBA_unsigned_long CORBA_Object_hash(CORBA_Object object, CORBA_unsigned_long maximum, CORBA_Environment *ev)
{
    (void)ev;
    const struct whittle_reference *const reference = whittle_reference_of(object);
    uint32_t hash = 0;
    for (uint32_t index = 0; reference != NULL && index < reference->profile_count; index++)
        if (reference->profiles[index].endpoint_count > 0) {
            hash = whittle_hash(reference->profiles[index].key, reference->profiles[index].key_length);
            break;
        }
    return maximum == UINT32_MAX ? hash : hash % (maximum + 1);
}
