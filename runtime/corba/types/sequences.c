/* SPDX-License-Identifier: MIT-0 */
/*
 * What sequences of all types share, and the allocators of the basic ones. Source: formal/99-07-35, "Mapping for
 * Sequence Types".
 */
#include "sequences.h"
#include <string.h>

void CORBA_sequence_set_release(void *sequence, CORBA_boolean release)
{
    ((struct whittle_sequence *)sequence)->_release = release;
}

CORBA_boolean CORBA_sequence_get_release(void *sequence)
{
    return ((struct whittle_sequence *)sequence)->_release;
}

void whittle_release_sequence(void *place)
{
    struct whittle_sequence *const sequence = (struct whittle_sequence *)place;
    if (sequence->_release)
        CORBA_free(sequence->_buffer);
    memset(sequence, 0, sizeof *sequence);
}

#define WHITTLE_ALLOCATORS(element, release)                                                                            \
    CORBA_sequence_##element *CORBA_sequence_##element##__alloc(void)                                                  \
    {                                                                                                                  \
        return (CORBA_sequence_##element *)whittle_corba_new(sizeof(CORBA_sequence_##element), 1,                      \
                                                             whittle_release_sequence);                                \
    }                                                                                                                  \
    element *CORBA_sequence_##element##_allocbuf(CORBA_unsigned_long length)                                           \
    {                                                                                                                  \
        return (element *)whittle_corba_new(sizeof(element), length, release);                                          \
    }                                                                                                                  \
    element *element##__alloc(void)                                                                                    \
    {                                                                                                                  \
        return (element *)whittle_corba_new(sizeof(element), 1, release);                                               \
    }
#define WHITTLE_PLAIN_ALLOCATORS(element) WHITTLE_ALLOCATORS(element, NULL)
WHITTLE_SEQUENCES(WHITTLE_PLAIN_ALLOCATORS)
WHITTLE_SEQUENCES_HOLDING(WHITTLE_ALLOCATORS)
#undef WHITTLE_ALLOCATORS
#undef WHITTLE_PLAIN_ALLOCATORS
