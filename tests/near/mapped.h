/* The style of CORBA's mapping for C: calls and servant, whatever the protocol. */
#ifndef MAPPED_H
#define MAPPED_H
#include "peer.h"
#include "near.h"

/* Each has connections of its own; with an ORB, that too. */
struct peer {
    CORBA_ORB orb;
    near object;
};

static enum outcome outcome_of(CORBA_Environment *ev)
{
    static const struct { const char *id; enum outcome outcome; } known[] = {
        {ex_CORBA_TIMEOUT, LATE}, {ex_CORBA_COMM_FAILURE, LOST}, {ex_CORBA_TRANSIENT, REFUSED}, {ex_CORBA_NO_RESOURCES, FULL},
        {ex_CORBA_NO_MEMORY, FULL}};
    enum outcome outcome = ev->_major == CORBA_NO_EXCEPTION ? GOOD : OTHER;
    for (size_t index = 0; outcome == OTHER && index < sizeof known / sizeof known[0]; index++)
        if (strcmp(CORBA_exception_id(ev), known[index].id) == 0)
            outcome = known[index].outcome;
    CORBA_exception_free(ev);
    return outcome;
}

enum outcome peer_add(struct peer *peer, int32_t left, int32_t right, int32_t *sum)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *sum = near_add(peer->object, left, right, &ev);
    return outcome_of(&ev);
}

enum outcome peer_rest(struct peer *peer, uint32_t milliseconds)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    near_rest(peer->object, milliseconds, &ev);
    return outcome_of(&ev);
}

enum outcome peer_take(struct peer *peer, uint8_t *bytes, uint32_t count, uint32_t *taken)
{
    CORBA_Environment ev;
    const block given = {count, count, bytes, CORBA_FALSE};
    CORBA_exception_init(&ev);
    *taken = near_take(peer->object, &given, &ev);
    return outcome_of(&ev);
}

enum outcome peer_give(struct peer *peer, uint32_t count, bool *as_it_should)
{
    CORBA_Environment ev;
    block *given = NULL;
    CORBA_exception_init(&ev);
    near_give(peer->object, count, &given, &ev);
    *as_it_should = ev._major == CORBA_NO_EXCEPTION && given->_length == count && is_filled(given->_buffer, count);
    if (ev._major == CORBA_NO_EXCEPTION)
        CORBA_free(given);
    return outcome_of(&ev);
}

enum outcome peer_note(struct peer *peer, int32_t number)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    near_note(peer->object, number, &ev);
    return outcome_of(&ev);
}

enum outcome peer_noted(struct peer *peer, int32_t *sum)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    *sum = near_noted(peer->object, &ev);
    return outcome_of(&ev);
}

static CORBA_long add(PortableServer_Servant servant, CORBA_long left, CORBA_long right, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return (CORBA_long)((uint32_t)left + (uint32_t)right);
}

static CORBA_long rest(PortableServer_Servant servant, CORBA_unsigned_long milliseconds, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    servant_rest(milliseconds);
    return 1;
}

static CORBA_unsigned_long take(PortableServer_Servant servant, const block *bytes, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return is_filled(bytes->_buffer, bytes->_length) ? bytes->_length : 0;
}

static void give(PortableServer_Servant servant, CORBA_unsigned_long count, block **bytes, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    *bytes = block__alloc();
    CHECK(*bytes != NULL);
    **bytes = (block){count, count, CORBA_sequence_CORBA_octet_allocbuf(count + 1), CORBA_TRUE};
    servant_fill((*bytes)->_buffer, count);
}

static CORBA_long sum_of_notes;

static void note(PortableServer_Servant servant, CORBA_long number, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    __atomic_fetch_add(&sum_of_notes, number, __ATOMIC_RELAXED);
}

static CORBA_long noted(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant;
    (void)ev;
    return __atomic_load_n(&sum_of_notes, __ATOMIC_RELAXED);
}

static PortableServer_ServantBase__epv base;
static POA_near__epv functions = {NULL, add, rest, take, give, note, noted};
static POA_near__vepv all = {&base, &functions};
static POA_near servant = {NULL, &all};
#endif
