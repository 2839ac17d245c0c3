/* SPDX-License-Identifier: MIT-0 */
/*
 * The portable object adapter as C programs see it. Sources: OMG C language mapping, formal/99-07-35, sections 1.25 to 1.27;
 * CORBA 3.3 part 1, chapter 15.
 */
#ifndef WHITTLE_CORBA_POA_H
#define WHITTLE_CORBA_POA_H
#include "orb.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *PortableServer_Servant;
typedef CORBA_Object PortableServer_POA;
typedef CORBA_Object PortableServer_POAManager;
typedef CORBA_Object PortableServer_Current;
typedef CORBA_Object PortableServer_ServantManager;
typedef CORBA_Object PortableServer_ServantActivator;
typedef CORBA_Object PortableServer_ServantLocator;
typedef CORBA_sequence_octet PortableServer_ObjectId;
typedef void *PortableServer_ServantLocator_Cookie;

typedef struct PortableServer_ServantBase__epv {
    void *_private;
    void (*finalize)(PortableServer_Servant servant, CORBA_Environment *ev);
    PortableServer_POA (*default_POA)(PortableServer_Servant servant, CORBA_Environment *ev);
} PortableServer_ServantBase__epv;
typedef struct PortableServer_ServantBase__vepv { PortableServer_ServantBase__epv *_base_epv; } PortableServer_ServantBase__vepv;
typedef struct PortableServer_ServantBase {
    void *_private;             /* const struct whittle_interface *, set by POA_X__init */
    PortableServer_ServantBase__vepv *vepv;
} PortableServer_ServantBase;
void PortableServer_ServantBase__init(PortableServer_Servant servant, CORBA_Environment *ev);
void PortableServer_ServantBase__fini(PortableServer_Servant servant, CORBA_Environment *ev);

#define ex_PortableServer_POA_AdapterAlreadyExists "IDL:omg.org/PortableServer/POA/AdapterAlreadyExists:1.0"
#define ex_PortableServer_POA_AdapterNonExistent "IDL:omg.org/PortableServer/POA/AdapterNonExistent:1.0"
#define ex_PortableServer_POA_InvalidPolicy "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0"
#define ex_PortableServer_POA_NoServant "IDL:omg.org/PortableServer/POA/NoServant:1.0"
#define ex_PortableServer_POA_ObjectAlreadyActive "IDL:omg.org/PortableServer/POA/ObjectAlreadyActive:1.0"
#define ex_PortableServer_POA_ObjectNotActive "IDL:omg.org/PortableServer/POA/ObjectNotActive:1.0"
#define ex_PortableServer_POA_ServantAlreadyActive "IDL:omg.org/PortableServer/POA/ServantAlreadyActive:1.0"
#define ex_PortableServer_POA_ServantNotActive "IDL:omg.org/PortableServer/POA/ServantNotActive:1.0"
#define ex_PortableServer_POA_WrongAdapter "IDL:omg.org/PortableServer/POA/WrongAdapter:1.0"
#define ex_PortableServer_POA_WrongPolicy "IDL:omg.org/PortableServer/POA/WrongPolicy:1.0"
#define ex_PortableServer_POAManager_AdapterInactive "IDL:omg.org/PortableServer/POAManager/AdapterInactive:1.0"
#define ex_PortableServer_Current_NoContext "IDL:omg.org/PortableServer/Current/NoContext:1.0"
#define ex_PortableServer_ForwardRequest "IDL:omg.org/PortableServer/ForwardRequest:1.0"

typedef struct PortableServer_POA_InvalidPolicy { CORBA_unsigned_short index; } PortableServer_POA_InvalidPolicy;
typedef struct PortableServer_ForwardRequest { CORBA_Object forward_reference; } PortableServer_ForwardRequest;
PortableServer_ForwardRequest *PortableServer_ForwardRequest__alloc(void);

typedef enum { PortableServer_ORB_CTRL_MODEL, PortableServer_SINGLE_THREAD_MODEL } PortableServer_ThreadPolicyValue;
typedef enum { PortableServer_TRANSIENT, PortableServer_PERSISTENT } PortableServer_LifespanPolicyValue;
typedef enum { PortableServer_UNIQUE_ID, PortableServer_MULTIPLE_ID } PortableServer_IdUniquenessPolicyValue;
typedef enum { PortableServer_USER_ID, PortableServer_SYSTEM_ID } PortableServer_IdAssignmentPolicyValue;
typedef enum { PortableServer_IMPLICIT_ACTIVATION, PortableServer_NO_IMPLICIT_ACTIVATION } PortableServer_ImplicitActivationPolicyValue;
typedef enum { PortableServer_RETAIN, PortableServer_NON_RETAIN } PortableServer_ServantRetentionPolicyValue;
typedef enum {
    PortableServer_USE_ACTIVE_OBJECT_MAP_ONLY, PortableServer_USE_DEFAULT_SERVANT, PortableServer_USE_SERVANT_MANAGER
} PortableServer_RequestProcessingPolicyValue;

CORBA_Policy PortableServer_POA_create_thread_policy(PortableServer_POA poa, PortableServer_ThreadPolicyValue value, CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_lifespan_policy(PortableServer_POA poa, PortableServer_LifespanPolicyValue value,
                                                       CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_id_uniqueness_policy(PortableServer_POA poa, PortableServer_IdUniquenessPolicyValue value,
                                                            CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_id_assignment_policy(PortableServer_POA poa, PortableServer_IdAssignmentPolicyValue value,
                                                            CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_implicit_activation_policy(PortableServer_POA poa,
                                                                  PortableServer_ImplicitActivationPolicyValue value,
                                                                  CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_servant_retention_policy(PortableServer_POA poa, PortableServer_ServantRetentionPolicyValue value,
                                                                CORBA_Environment *ev);
CORBA_Policy PortableServer_POA_create_request_processing_policy(PortableServer_POA poa,
                                                                 PortableServer_RequestProcessingPolicyValue value,
                                                                 CORBA_Environment *ev);

PortableServer_POA PortableServer_POA_create_POA(PortableServer_POA poa, const CORBA_char *name, PortableServer_POAManager manager,
                                                 const CORBA_PolicyList *policies, CORBA_Environment *ev);
PortableServer_POA PortableServer_POA_find_POA(PortableServer_POA poa, const CORBA_char *name, CORBA_boolean activate_it,
                                               CORBA_Environment *ev);
void PortableServer_POA_destroy(PortableServer_POA poa, CORBA_boolean etherealize_objects, CORBA_boolean wait_for_completion,
                                CORBA_Environment *ev);
CORBA_char *PortableServer_POA__get_the_name(PortableServer_POA poa, CORBA_Environment *ev);
PortableServer_POA PortableServer_POA__get_the_parent(PortableServer_POA poa, CORBA_Environment *ev);
PortableServer_POAManager PortableServer_POA__get_the_POAManager(PortableServer_POA poa, CORBA_Environment *ev);

PortableServer_Servant PortableServer_POA_get_servant(PortableServer_POA poa, CORBA_Environment *ev);
void PortableServer_POA_set_servant(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev);
PortableServer_ServantManager PortableServer_POA_get_servant_manager(PortableServer_POA poa, CORBA_Environment *ev);
void PortableServer_POA_set_servant_manager(PortableServer_POA poa, PortableServer_ServantManager manager, CORBA_Environment *ev);

PortableServer_ObjectId *PortableServer_POA_activate_object(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev);
void PortableServer_POA_activate_object_with_id(PortableServer_POA poa, const PortableServer_ObjectId *id, PortableServer_Servant servant,
                                                CORBA_Environment *ev);
void PortableServer_POA_deactivate_object(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev);
CORBA_Object PortableServer_POA_create_reference(PortableServer_POA poa, const CORBA_char *repository_id, CORBA_Environment *ev);
CORBA_Object PortableServer_POA_create_reference_with_id(PortableServer_POA poa, const PortableServer_ObjectId *id,
                                                         const CORBA_char *repository_id, CORBA_Environment *ev);
PortableServer_ObjectId *PortableServer_POA_servant_to_id(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev);
CORBA_Object PortableServer_POA_servant_to_reference(PortableServer_POA poa, PortableServer_Servant servant, CORBA_Environment *ev);
PortableServer_Servant PortableServer_POA_reference_to_servant(PortableServer_POA poa, CORBA_Object reference, CORBA_Environment *ev);
PortableServer_ObjectId *PortableServer_POA_reference_to_id(PortableServer_POA poa, CORBA_Object reference, CORBA_Environment *ev);
PortableServer_Servant PortableServer_POA_id_to_servant(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev);
CORBA_Object PortableServer_POA_id_to_reference(PortableServer_POA poa, const PortableServer_ObjectId *id, CORBA_Environment *ev);

typedef enum {
    PortableServer_POAManager_HOLDING, PortableServer_POAManager_ACTIVE, PortableServer_POAManager_DISCARDING,
    PortableServer_POAManager_INACTIVE
} PortableServer_POAManager_State;
void PortableServer_POAManager_activate(PortableServer_POAManager manager, CORBA_Environment *ev);
void PortableServer_POAManager_hold_requests(PortableServer_POAManager manager, CORBA_boolean wait, CORBA_Environment *ev);
void PortableServer_POAManager_discard_requests(PortableServer_POAManager manager, CORBA_boolean wait, CORBA_Environment *ev);
void PortableServer_POAManager_deactivate(PortableServer_POAManager manager, CORBA_boolean etherealize_objects, CORBA_boolean wait,
                                          CORBA_Environment *ev);
PortableServer_POAManager_State PortableServer_POAManager_get_state(PortableServer_POAManager manager, CORBA_Environment *ev);

PortableServer_POA PortableServer_Current_get_POA(PortableServer_Current current, CORBA_Environment *ev);
PortableServer_ObjectId *PortableServer_Current_get_object_id(PortableServer_Current current, CORBA_Environment *ev);

CORBA_char *PortableServer_ObjectId_to_string(const PortableServer_ObjectId *id, CORBA_Environment *ev);
PortableServer_ObjectId *PortableServer_string_to_ObjectId(const CORBA_char *text, CORBA_Environment *ev);

/* Servant managers are servants themselves, and their references are what PortableServer_POA_set_servant_manager takes. */
typedef struct POA_PortableServer_ServantActivator__epv {
    void *_private;
    PortableServer_Servant (*incarnate)(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                                        CORBA_Environment *ev);
    void (*etherealize)(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                        PortableServer_Servant servant, CORBA_boolean cleanup_in_progress, CORBA_boolean remaining_activations,
                        CORBA_Environment *ev);
} POA_PortableServer_ServantActivator__epv;
typedef struct POA_PortableServer_ServantActivator__vepv {
    PortableServer_ServantBase__epv *_base_epv;
    POA_PortableServer_ServantActivator__epv *PortableServer_ServantActivator_epv;
} POA_PortableServer_ServantActivator__vepv;
typedef struct POA_PortableServer_ServantActivator {
    void *_private;
    POA_PortableServer_ServantActivator__vepv *vepv;
} POA_PortableServer_ServantActivator;
void POA_PortableServer_ServantActivator__init(PortableServer_Servant servant, CORBA_Environment *ev);
void POA_PortableServer_ServantActivator__fini(PortableServer_Servant servant, CORBA_Environment *ev);

typedef struct POA_PortableServer_ServantLocator__epv {
    void *_private;
    PortableServer_Servant (*preinvoke)(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                                        const CORBA_char *operation, PortableServer_ServantLocator_Cookie *cookie, CORBA_Environment *ev);
    void (*postinvoke)(PortableServer_Servant manager, const PortableServer_ObjectId *id, PortableServer_POA adapter,
                       const CORBA_char *operation, PortableServer_ServantLocator_Cookie cookie, PortableServer_Servant servant,
                       CORBA_Environment *ev);
} POA_PortableServer_ServantLocator__epv;
typedef struct POA_PortableServer_ServantLocator__vepv {
    PortableServer_ServantBase__epv *_base_epv;
    POA_PortableServer_ServantLocator__epv *PortableServer_ServantLocator_epv;
} POA_PortableServer_ServantLocator__vepv;
typedef struct POA_PortableServer_ServantLocator {
    void *_private;
    POA_PortableServer_ServantLocator__vepv *vepv;
} POA_PortableServer_ServantLocator;
void POA_PortableServer_ServantLocator__init(PortableServer_Servant servant, CORBA_Environment *ev);
void POA_PortableServer_ServantLocator__fini(PortableServer_Servant servant, CORBA_Environment *ev);

#ifdef __cplusplus
}
#endif
#endif
