/* SPDX-License-Identifier: MIT-0 */
/*
 * The ORB and object references as C programs see them. Sources: OMG C language mapping, formal/99-07-35, sections 1.2, 1.27 and
 * 1.28; CORBA 3.3 part 1, chapters 5 and 8. What begins with whittle_ is ours.
 */
#ifndef WHITTLE_CORBA_ORB_H
#define WHITTLE_CORBA_ORB_H
#include "basic.h"
#include "sequences.h"
#include "../../net/usage.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * All references but the ORB's, to pseudo objects too, are one type: CORBA_Object (basic.h). They are counted, and every reference that
 * a function returns is the caller's to release.
 */
typedef CORBA_Object CORBA_Policy;
typedef CORBA_char *CORBA_ORBid;
typedef CORBA_unsigned_long CORBA_PolicyType;

typedef CORBA_sequence_CORBA_Object CORBA_PolicyList;
typedef CORBA_char *CORBA_ORB_ObjectId;
typedef CORBA_sequence_CORBA_string CORBA_ORB_ObjectIdList;

#define ex_CORBA_ORB_InvalidName "IDL:omg.org/CORBA/ORB/InvalidName:1.0"

/*
 * Returns the process's ORB of this id. Options are removed from the arguments:
 *   -ORBInitRef NAME=URL         the result of CORBA_ORB_resolve_initial_references(NAME)
 *   -ORBDefaultInitRef URL       other initial references are looked up at URL/NAME
 *   -ORBEndPoint giop:tcp:HOST:PORT   where to listen; without HOST: all addresses, without PORT: any free port
 *   -ORBEndPoint giop:shm:NAME   listen to processes of this user on this machine through shared memory; alone, or beside giop:tcp:.
 *                                References carry it: who is on this machine calls through shared memory, others by TCP
 *   -ORBPublish HOST             the host in references, if it is not the one listened at
 *   -ORBWorkers N                threads that execute requests, besides those in CORBA_ORB_run; 0 (the default): none
 *   -ORBTimeout MILLISECONDS     the timeout of calls; 0 (the default): none
 *   -ORBMaxMessage BYTES         the largest message accepted (64 MB); in a server at most half of -ORBMaxMemory
 *   -ORBMaxMemory MEGABYTES      memory for all that peers cause: at the server, and as much at the clients (256). It includes messages,
 *                                decoded values, waiting requests and unread replies. Near the limit, the server first refuses connections,
 *                                then requests (NO_RESOURCES), then closes the connection that held most for longest
 *   -ORBMaxDecoded BYTES         memory for the decoded values of one message (four times -ORBMaxMessage)
 *   -ORBMaxFragment BYTES        longer messages are sent in fragments (GIOP 1.2); 0 (the default): never
 *   -ORBMaxConnections N         connections at a time (as many as descriptors allow); for one more, one that was idle for 100 ms is closed, or the new one waits
 *   -ORBMaxPending BYTES         unread replies of one client; then its requests are not read (4 MB)
 *   -ORBPatience MILLISECONDS    how long a message may move less than 1 KB a second (30000)
 *   -ORBGrace MILLISECONDS       how long the shutdown waits for requests and unread replies (5000)
 *   -ORBMaxOutgoing N            connections to servers kept open (64); for one more, the least recently used idle one is closed
 *   -ORBForwards any|same-host|off    where servers may forward calls to: anywhere (the default), only to hosts in the reference, or nowhere;
 *                                other forwards raise REBIND. A call follows at most 16 forwards
 *   -ORBMaxGIOPVersion 1.0|1.1|1.2    the highest version used, also in references
 */
CORBA_ORB CORBA_ORB_init(int *argc, char **argv, const CORBA_char *orb_identifier, CORBA_Environment *ev);
CORBA_char *CORBA_ORB_object_to_string(CORBA_ORB orb, CORBA_Object object, CORBA_Environment *ev);
/* IOR:..., corbaloc:..., corbaname:... */
CORBA_Object CORBA_ORB_string_to_object(CORBA_ORB orb, const CORBA_char *text, CORBA_Environment *ev);
CORBA_Object CORBA_ORB_resolve_initial_references(CORBA_ORB orb, const CORBA_char *identifier, CORBA_Environment *ev);
CORBA_ORB_ObjectIdList *CORBA_ORB_list_initial_services(CORBA_ORB orb, CORBA_Environment *ev);
void CORBA_ORB_run(CORBA_ORB orb, CORBA_Environment *ev);
CORBA_boolean CORBA_ORB_work_pending(CORBA_ORB orb, CORBA_Environment *ev);
void CORBA_ORB_perform_work(CORBA_ORB orb, CORBA_Environment *ev);
void CORBA_ORB_shutdown(CORBA_ORB orb, CORBA_boolean wait_for_completion, CORBA_Environment *ev);
void CORBA_ORB_destroy(CORBA_ORB orb, CORBA_Environment *ev);

CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev);
void CORBA_Object_release(CORBA_Object object, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_is_nil(CORBA_Object object, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_is_a(CORBA_Object object, const CORBA_char *repository_id, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_non_existent(CORBA_Object object, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev);
CORBA_unsigned_long CORBA_Object_hash(CORBA_Object object, CORBA_unsigned_long maximum, CORBA_Environment *ev);
/* The repository id in the reference; "" if it has none. Free it with CORBA_free. */
CORBA_char *CORBA_Object_repository_id(CORBA_Object object, CORBA_Environment *ev);

/* The timeout of calls through this reference, in milliseconds; 0: that of the ORB. */
void whittle_object_timeout(CORBA_Object object, uint32_t milliseconds);
/* Sends a LocateRequest, so that the first call need not follow forwards. false: there is no such object, or see `ev`. */
CORBA_boolean whittle_object_locate(CORBA_Object object, CORBA_Environment *ev);
/* Where servers may forward calls through this reference to; overrides the ORB's option. 0: as the option says. */
enum whittle_forwards { WHITTLE_FORWARDS_ANY = 1, WHITTLE_FORWARDS_SAME_HOST, WHITTLE_FORWARDS_OFF };
void whittle_object_forwards(CORBA_Object object, enum whittle_forwards forwards);
/* Memory in use and counters of the ORB's server. From any thread. */
void whittle_orb_usage(CORBA_ORB orb, struct whittle_net_usage *usage);
/* The port that this ORB listens at; 0: it does not listen by TCP. */
uint16_t whittle_orb_port(CORBA_ORB orb);

#ifdef __cplusplus
}
#endif
#endif
