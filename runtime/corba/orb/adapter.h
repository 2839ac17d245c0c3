/* SPDX-License-Identifier: MIT-0 */
/* Object adapters: a tree of them, each with its policies and its map of active objects, and managers that let requests through. */
#ifndef WHITTLE_CORBA_ADAPTER_H
#define WHITTLE_CORBA_ADAPTER_H
#include "constants.h"
#include "object.h"

/* An active object. It stays until no request is in it, even where it is to go. */
struct whittle_active {
    struct whittle_active *next, *next_of_servant;
    PortableServer_Servant servant;
    uint32_t serving;
    bool going;
    uint32_t length;
    char id[];
};

struct whittle_manager {
    struct CORBA_Object_struct head;
    CORBA_ORB orb;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    PortableServer_POAManager_State state;
    uint32_t serving;
    struct whittle_net_job *held, **held_end;   /* requests that wait until it is active */
    uint32_t held_count;
};

struct whittle_policy {
    struct CORBA_Object_struct head;
    CORBA_PolicyType type;
    uint32_t value;
};
/* CORBA 3.3 part 1, section 15.3: the numbers of the policies' types, one after the other. */
enum {
    WHITTLE_THREAD_POLICY = 16, WHITTLE_LIFESPAN_POLICY, WHITTLE_ID_UNIQUENESS_POLICY, WHITTLE_ID_ASSIGNMENT_POLICY,
    WHITTLE_IMPLICIT_ACTIVATION_POLICY, WHITTLE_SERVANT_RETENTION_POLICY, WHITTLE_REQUEST_PROCESSING_POLICY, WHITTLE_POLICIES = 7
};

enum { WHITTLE_MAP = 256, WHITTLE_HELD = 1000 };
struct whittle_adapter {
    struct CORBA_Object_struct head;
    CORBA_ORB orb;
    struct whittle_adapter *parent, *children, *next;   /* the ORB's lock guards the tree */
    struct whittle_adapter *next_of_prefix;
    char *name;
    struct whittle_manager *manager;
    uint32_t policy[WHITTLE_POLICIES];
    char *prefix;                       /* what the keys of its objects begin with */
    uint32_t prefix_length;

    pthread_mutex_t lock;               /* of what follows */
    pthread_cond_t idle;
    pthread_mutex_t one;                /* held by the one thread in it, where its policy is SINGLE_THREAD */
    pthread_mutex_t incarnating;
    bool destroyed;
    uint32_t serving;
    uint32_t buckets, count;            /* a power of two */
    struct whittle_active **by_id, **by_servant;
    PortableServer_Servant servant;     /* the default one */
    CORBA_Object servant_manager;
    PortableServer_Servant managing;    /* that manager's servant */
    uint64_t next_id;
};

WHITTLE_INLINE struct whittle_adapter *whittle_adapter_of(CORBA_Object object)
{
    return object != NULL && object->kind == WHITTLE_AN_ADAPTER ? (struct whittle_adapter *)object : NULL;
}
/* NULL: it is none, and `ev` says so. */
WHITTLE_INLINE struct whittle_adapter *whittle_adapter_given(CORBA_Object object, CORBA_Environment *ev)
{
    struct whittle_adapter *const adapter = whittle_adapter_of(object);
    if (adapter == NULL)
        whittle_nil(ev);
    return adapter;
}
WHITTLE_INLINE uint32_t whittle_policy_of(const struct whittle_adapter *adapter, int type)
{
    return adapter->policy[type - WHITTLE_THREAD_POLICY];
}

/* adapter.c */
struct whittle_adapter *whittle_adapter_new(CORBA_ORB orb, struct whittle_adapter *parent, const char *name, struct whittle_manager *manager,
                                            const uint32_t policy[WHITTLE_POLICIES]);
void whittle_adapter_destroy(struct whittle_adapter *adapter);
/* The root of the ORB, made when it is wanted first; the reference is the caller's. */
struct whittle_adapter *whittle_adapter_root(CORBA_ORB orb, CORBA_Environment *ev);
void whittle_adapter_end(struct whittle_adapter *adapter, bool etherealize, bool wait);
void whittle_adapters_end(CORBA_ORB orb);
/* For the manager of each adapter; more than once where several share one. */
void whittle_adapters_each(CORBA_ORB orb, void (*act)(struct whittle_manager *manager));
void whittle_adapters_etherealize(CORBA_ORB orb, const struct whittle_manager *manager);

/* key.c */
bool whittle_key_prefix(struct whittle_adapter *adapter);
/* The adapter whose object it is, kept; NULL: there is none. What is behind the prefix is the object's id. */
struct whittle_adapter *whittle_key_adapter(CORBA_ORB orb, const char *key, uint32_t length, const char **id, uint32_t *id_length);
void whittle_key_enter(struct whittle_adapter *adapter);
void whittle_key_leave(struct whittle_adapter *adapter);
CORBA_Object whittle_key_reference(struct whittle_adapter *adapter, const char *id, uint32_t length, const char *repository_id);

/* active.c: with the adapter's lock held. */
uint32_t whittle_hash(const void *bytes, size_t length);
struct whittle_active *whittle_active_find(const struct whittle_adapter *adapter, const char *id, uint32_t length);
struct whittle_active *whittle_active_of(const struct whittle_adapter *adapter, PortableServer_Servant servant);
struct whittle_active *whittle_active_add(struct whittle_adapter *adapter, const char *id, uint32_t length, PortableServer_Servant servant);
void whittle_active_remove(struct whittle_adapter *adapter, struct whittle_active *active);
uint32_t whittle_new_id(struct whittle_adapter *adapter, char id[16]);

/* manager.c */
struct whittle_manager *whittle_manager_new(CORBA_ORB orb);
void whittle_manager_destroy(struct whittle_manager *manager);
void whittle_manager_end(struct whittle_manager *manager);
/* Requests that it holds for connections that have gone are dropped. */
void whittle_manager_sweep(struct whittle_manager *manager);
enum whittle_gate { WHITTLE_GATE_OPEN, WHITTLE_GATE_HELD, WHITTLE_GATE_DISCARDS, WHITTLE_GATE_CLOSED };
/* May the request go on? Held: it is taken away, and served later. */
enum whittle_gate whittle_manager_enter(struct whittle_manager *manager, struct whittle_request *request);
void whittle_manager_leave(struct whittle_manager *manager);

/* servant.c: who serves a request. */
struct whittle_serving {
    struct whittle_adapter *adapter;
    struct whittle_active *active;
    PortableServer_Servant servant;
    PortableServer_ServantLocator_Cookie cookie;
    bool located;                       /* postinvoke is due */
};
/* false: `ev` says why there is none. */
bool whittle_servant_find(struct whittle_adapter *adapter, struct whittle_request *request, struct whittle_serving *serving,
                          CORBA_Environment *ev);
void whittle_servant_done(struct whittle_serving *serving, struct whittle_request *request);
/* An object goes: with the adapter's lock held, which is given up meanwhile. */
void whittle_active_finish(struct whittle_adapter *adapter, struct whittle_active *active, bool cleanup);
extern const struct whittle_interface whittle_no_interface, whittle_servant_activator, whittle_servant_locator;
/* activate.c: an id that is the user's. */
PortableServer_ObjectId *whittle_id_new(const char *id, uint32_t length, CORBA_Environment *ev);
#endif
