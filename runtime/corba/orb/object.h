/* SPDX-License-Identifier: MIT-0 */
/*
 * What is behind a CORBA_Object: a count, a kind, and by kind a reference to an object anywhere, or one of the ORB's own. A
 * reference keeps its profiles as they came, so that it is passed on as it came. Source: CORBA 3.3 part 2, sections 7.6 and 9.7.
 */
#ifndef WHITTLE_CORBA_OBJECT_H
#define WHITTLE_CORBA_OBJECT_H
#include "giop.h"
#include "kind.h"
#include "wire.h"
#include <pthread.h>

/* Where an object can be called: by TCP, or, as `shm:NAME` without a port, through shared memory where the place is one's own (local_name.h). */
struct whittle_endpoint {
    char *host;
    uint16_t port;
    uint64_t place;                 /* 0: by TCP */
};
/* The same as a server says it of itself, who may be called in both ways. */
struct whittle_published {
    char *host;                     /* NULL: not by TCP */
    uint16_t port;
    char *local;                    /* a name; NULL: not through shared memory */
    uint64_t place;
};

struct whittle_profile {
    uint32_t tag, size;
    char *data;                     /* the encapsulation */
    /* Of those that IIOP understands; no endpoint: it is none. */
    struct whittle_endpoint *endpoints;
    uint32_t endpoint_count, key_length;
    const char *key;                /* in `data` */
    uint8_t version;
    bool codes;                     /* says which code sets its server has */
    bool utf8;                      /* and understands UTF-8 */
};

enum { WHITTLE_PROFILES = 64, WHITTLE_ENDPOINTS = 16, WHITTLE_HOPS = 16, WHITTLE_TRIES = 100 };

struct whittle_reference {
    struct CORBA_Object_struct head;
    CORBA_ORB orb;
    char *repository_id;
    struct whittle_profile *profiles;
    uint32_t profile_count, timeout;
    pthread_mutex_t lock;           /* of what follows */
    uint32_t chosen;                /* the profile that `connection` is to */
    struct whittle_connection *connection;
    struct whittle_reference *forward;
    uint8_t addressing;             /* how requests of GIOP 1.2 name the object: 0 by key, 1 by profile, 2 by reference */
    uint8_t forwards;               /* enum whittle_forwards; 0: as the ORB's option says */
    uint8_t here;                   /* 0: not known; 1: the object is in this process; 2: it is not */
};

/* profile.c: reads one profile of `size` bytes, which are copied; false: no memory. What makes no sense is kept, but not used. */
bool whittle_profile_read(struct whittle_profile *profile, uint32_t tag, const char *data, uint32_t size);
/* A profile of IIOP for one server, with the code sets that this ORB has if `codes`; since version 1.1 it says whether there is shared memory. */
bool whittle_profile_make(struct whittle_profile *profile, uint8_t version, const struct whittle_published *at, const char *key,
                          uint32_t key_length, bool codes);
void whittle_profile_drop(struct whittle_profile *profile);

/* reference.c: `count` profiles are moved into it, also where NULL, no memory, is returned. */
struct whittle_reference *whittle_reference_new(CORBA_ORB orb, const char *repository_id, struct whittle_profile *profiles, uint32_t count);
void whittle_reference_destroy(struct whittle_reference *reference);
WHITTLE_INLINE struct whittle_reference *whittle_reference_of(CORBA_Object object)
{
    return object != NULL && object->kind == WHITTLE_A_REFERENCE ? (struct whittle_reference *)object : NULL;
}

/* ior.c: the IOR at the scan's place. false: it makes no sense, or no memory; nil is a NULL reference. */
bool whittle_ior_scan(CORBA_ORB orb, struct whittle_scan *scan, struct whittle_reference **reference);
char *whittle_ior_write(struct whittle_cdr_out *out, char *at, const struct whittle_reference *reference);

__attribute__((unused)) static inline CORBA_Object whittle_keep(CORBA_Object object)
{
    if (object != NULL)
        __atomic_fetch_add(&object->refs, 1, __ATOMIC_RELAXED);
    return object;
}
void whittle_drop(CORBA_Object object);     /* object.c */
void whittle_drop_later(void *object);      /* the same, for who knows no types */

/* raise.c: what went wrong, in the words of CORBA; minor codes with WHITTLE_OMG are the specification's. */
enum whittle_minor {
    WHITTLE_OMG = 0x4f4d0000,
    /* Ours. */
    WHITTLE_CANNOT_CONNECT = 1, WHITTLE_CONNECTION_LOST = 2, WHITTLE_CANNOT_SEND = 3, WHITTLE_PEER_NONSENSE = 4, WHITTLE_TOO_MANY_HOPS = 5,
    WHITTLE_TOO_LONG = 6, WHITTLE_FORWARD_REFUSED = 10, WHITTLE_OUT_OF_BOUNDS = 11, WHITTLE_QUEUE_FULL = 7, WHITTLE_CANNOT_LISTEN = 8, WHITTLE_BAD_OPTION = 9
};
#define WHITTLE_RAISE(ev, name, minor, completed) whittle_exception_system((ev), ex_CORBA_##name, (uint32_t)(minor), CORBA_COMPLETED_##completed)
/* An argument is nil that must not be; where an earlier call failed, what it said stays: most likely that is why. */
__attribute__((unused)) static inline void whittle_nil(CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        WHITTLE_RAISE(ev, BAD_PARAM, 0, NO);
}
#endif
