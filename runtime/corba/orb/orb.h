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
 * One ORB of each id to a process. Options are taken from the arguments, which close up behind them:
 *   -ORBInitRef NAME=URL         what CORBA_ORB_resolve_initial_references(NAME) gives
 *   -ORBDefaultInitRef URL       where initial references are that no -ORBInitRef names: URL/NAME
 *   -ORBEndPoint giop:tcp:HOST:PORT   where to listen; without HOST at every address, without PORT at one that is free
 *   -ORBPublish HOST             the host that references name, where it is not the one listened at
 *   -ORBWorkers N                threads that serve beside those in CORBA_ORB_run; 0 (the default): none
 *   -ORBTimeout MILLISECONDS     how long a call may last; 0 (the default): as long as it takes
 *   -ORBMaxMessage BYTES         the longest message taken in (64 MB); a server: at most half of -ORBMaxMemory
 *   -ORBMaxMemory MEGABYTES      what peers may cause at this ORB's server, and as much at its clients, in all (256): messages that have
 *                                come or come, their values, requests that wait, replies that are not read. Nearing it the server refuses
 *                                connections first, then requests (NO_RESOURCES); who held most for longest is closed
 *   -ORBMaxDecoded BYTES         what the values of one message may take (four times -ORBMaxMessage)
 *   -ORBMaxFragment BYTES        longer messages are sent in fragments, where GIOP 1.2 is spoken; 0 (the default): never
 *   -ORBMaxConnections N         connections served at a time (as many as descriptors allow); for one more, who was silent for longest (100 ms at least) goes
 *   -ORBMaxPending BYTES         replies that a peer leaves unread, before no more of its requests are read (4 MB)
 *   -ORBPatience MILLISECONDS    how long a message may be under way, in or out, at less than 1 KB a second (30000)
 *   -ORBGrace MILLISECONDS       how long replies that are not read yet hold up the end of the ORB (5000)
 *   -ORBMaxOutgoing N            connections to servers kept open (64); the idle one that was used longest ago is closed for one more
 *   -ORBForwards any|same-host|off    where servers may send callers on to: anywhere (the default), to hosts that the reference names, or
 *                                nowhere; else calls raise REBIND. However that is, a call follows 16 of them at most
 *   -ORBMaxGIOPVersion 1.0|1.1|1.2    spoken, and put into references
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
/* The repository id that the reference carries; "" where it says none. To be freed with CORBA_free. */
CORBA_char *CORBA_Object_repository_id(CORBA_Object object, CORBA_Environment *ev);

/* How long calls through this reference may last, in milliseconds; 0: as the ORB's option says. */
void whittle_object_timeout(CORBA_Object object, uint32_t milliseconds);
/* Asks where the object is (LocateRequest), so that the first call need not. false: there is none, or `ev` says why not. */
CORBA_boolean whittle_object_locate(CORBA_Object object, CORBA_Environment *ev);
/* What servers may send callers through this reference on to, whatever the ORB's option says: WHITTLE_FORWARDS_ANY and so on; 0: as the option says. */
enum whittle_forwards { WHITTLE_FORWARDS_ANY = 1, WHITTLE_FORWARDS_SAME_HOST, WHITTLE_FORWARDS_OFF };
void whittle_object_forwards(CORBA_Object object, enum whittle_forwards forwards);
/* What peers cause at the server of this ORB, and what became of them. */
void whittle_orb_usage(CORBA_ORB orb, struct whittle_net_usage *usage);
/* The port that this ORB listens at; 0 where it does not listen. */
uint16_t whittle_orb_port(CORBA_ORB orb);

#ifdef __cplusplus
}
#endif
#endif
